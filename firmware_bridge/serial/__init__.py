"""Boxes behind a serial port."""
