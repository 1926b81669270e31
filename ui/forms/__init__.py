"""Screens about a device or a picture, as forms without Kivy."""
