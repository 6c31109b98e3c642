"""How each question is told."""
