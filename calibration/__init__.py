"""Printed sheets, camera models, board poses and taught pieces."""
