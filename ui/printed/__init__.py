"""Boards as they are printed, for the screen and for what is shared: drawn once, kept, cut to size. Without Kivy."""
