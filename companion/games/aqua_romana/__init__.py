"""Aqua Romana (Martin Schlegel, Queen Games 2005)."""
