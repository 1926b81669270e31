"""The start screen, the settings and the help, without Kivy."""
