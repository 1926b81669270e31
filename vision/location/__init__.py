"""Locates the board in a picture: markers, lines, features, and the poses fitted to them.

A constant whose sentence names no measurement or source was chosen by hand on rendered tables and photographs.
"""
