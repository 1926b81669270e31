"""Measurements anyone can repeat: `python -m benchmarks` prints a table and writes JSON."""
