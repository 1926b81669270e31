"""The art of each game's printed edition, one package for each game."""
