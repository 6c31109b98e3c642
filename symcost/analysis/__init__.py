"""Questions asked of cost expressions: limits, thresholds, rooflines, checks, numbers."""
