"""Mutation testing: changes the program in one small way at a time and looks whether a test fails."""
