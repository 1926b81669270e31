"""Trains the networks of the shipped profiles (`vision/learned`) on drawn pictures; see `__main__` for the steps."""
