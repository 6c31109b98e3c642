"""Whether a claim about all sizes is true: by the signs of coefficients, or by z3."""
