"""Tests of the camera's side: rendered frames give exact truth."""
