"""The set-up wizard, without Kivy."""
