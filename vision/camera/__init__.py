"""Where pictures come from, and whether they are fit to be read."""
