"""Boxes in software, on real wires."""
