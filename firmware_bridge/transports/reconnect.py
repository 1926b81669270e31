"""When to try again."""

from __future__ import annotations

SHORTEST_WAIT = 0.25
LONGEST_WAIT = 2.0


class BackOff:
    """Waits in seconds that double from the shortest to the longest; `reset` after a success."""

    def __init__(self, shortest: float = SHORTEST_WAIT, longest: float = LONGEST_WAIT) -> None:
        self._shortest, self._longest = shortest, longest
        self._next = shortest

    def next_wait(self) -> float:
        """How long to wait before the next attempt."""
        wait = self._next
        self._next = min(self._next * 2, self._longest)
        return wait

    def reset(self) -> None:
        """Begin with the shortest wait again."""
        self._next = self._shortest
