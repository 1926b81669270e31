"""Reads boards spot by spot with classifiers taught from photographs.

A constant whose sentence names no measurement or source was chosen by hand on photographs and rendered tables.
"""
