"""The sheet beneath the pieces: what it should show, its light, its bulges, and what lies over it."""
