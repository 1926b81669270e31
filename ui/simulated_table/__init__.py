"""A table that is not there: camera frames of a game in progress, drawn as a webcam would see them."""
