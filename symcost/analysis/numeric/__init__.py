"""Fast numbers: compiled expressions and parameter sweeps."""
