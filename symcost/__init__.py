"""symcost derives performance formulas of tensor programs symbolically."""
