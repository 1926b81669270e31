"""The companion command and the Kivy app."""
