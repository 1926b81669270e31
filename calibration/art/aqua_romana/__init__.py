"""The printed edition of Aqua Romana."""
