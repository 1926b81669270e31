"""The camera and the boxes of a table, at work."""
