"""Pieces: where their samples lie, which colours they should show, and how well each label explains what is seen."""
