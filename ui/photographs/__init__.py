"""A game scored or joined from one photograph, for the command line and the screen, without Kivy."""
