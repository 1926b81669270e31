"""A plain edition of any game."""
