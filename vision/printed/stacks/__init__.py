"""Pieces that stand on one another: their silhouettes, what these would show, and how many there are."""
