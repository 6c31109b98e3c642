"""Renderers: expressions, numbers and derivations as text, LaTeX, MathML, HTML and plots."""
