"""The simulated table: players, boxes, and camera frames of a game drawn as a webcam would see them."""
