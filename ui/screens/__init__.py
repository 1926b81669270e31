"""Whole screens, a Python module with its `.kv` layout each."""
