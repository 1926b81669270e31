"""Random and mutated bytes for every reader of something that may come from elsewhere, guided by coverage."""
