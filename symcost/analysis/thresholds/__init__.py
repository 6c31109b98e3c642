"""For which values of a symbol an inequality holds: cases, conditions, guarantees."""
