"""Tests of the bridge to button boxes."""
