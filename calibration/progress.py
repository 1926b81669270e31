"""How long-running work reports its progress."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""Called with the number of steps done, the number of all steps, and what comes next."""
