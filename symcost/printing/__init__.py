"""How expressions and numbers are written: plain text, LaTeX, MathML."""
