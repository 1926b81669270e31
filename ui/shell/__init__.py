"""What outlives a screen, without Kivy: the store, the settings, the open table and its devices."""
