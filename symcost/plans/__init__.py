"""Plans: sharded programs on virtual devices, the ways of an operation, pictures of layouts."""
