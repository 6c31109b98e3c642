"""Documents and results as text, Markdown, LaTeX, HTML, JSON and plots."""
