"""What screens show, as frozen values without Kivy."""
