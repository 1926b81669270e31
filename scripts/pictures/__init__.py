"""Photographs of the app's screens, taken offscreen: `python -m scripts.pictures`."""
