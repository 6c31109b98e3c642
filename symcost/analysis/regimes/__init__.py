"""Which term or time is the largest where: regions, sweeps and maps."""
