"""The Kivy app and how it is started: the way from screen to screen, keys, errors, the window."""
