"""What each game's printed edition looks like, one package a game."""
