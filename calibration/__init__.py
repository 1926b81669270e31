"""Printed sheets, camera models, board poses and taught pieces."""

import vision  # noqa: F401  # what it sets in the environment must be set before numpy is imported
