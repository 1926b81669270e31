"""The one place where edges of a box are de-duplicated and put in order."""

from __future__ import annotations

from typing import Generic, TypeVar

from firmware_bridge.messages import ORDER_WINDOW

T = TypeVar("T")

_MODULUS = 2**16


class EdgeOrder(Generic[T]):
    """Gives every edge of a box once and in the order of its numbers, however often and in whatever order it came.

    A box names in each message the oldest edge that it still keeps: what is older and has not come will not come, so a
    gap is closed by what the box says and not by a time-out.
    """

    def __init__(self) -> None:
        self.duplicates = 0
        self._boot: int | None = None
        self._expected = 0
        self._held: dict[int, T] = {}

    @property
    def boot(self) -> int | None:
        """The start of the box that the numbers belong to; None before the first."""
        return self._boot

    def is_settled(self, oldest: int) -> bool:
        """Whether all edges before `oldest` have been given and none is held back."""
        return not self._held and oldest == self._expected

    def resume(self, boot: int, oldest: int) -> list[T]:
        """Follow a box that introduces itself; gives what was held back and now has nothing to wait for.

        A known start goes on where it was, for the box may only have missed our acknowledgements.
        """
        if boot == self._boot and _distance(oldest, self._expected) <= ORDER_WINDOW:
            return []
        if boot == self._boot and _distance(self._expected, oldest) < _MODULUS // 2:
            return self.advance(oldest)
        released = [self._held[seq] for seq in self._held_in_order()]
        self._boot, self._expected = boot, oldest
        self._held.clear()
        return released

    def accept(self, seq: int, oldest: int, item: T) -> list[T]:
        """Take an edge of the current start; gives those that are now due."""
        released = self.advance(oldest)
        if _distance(self._expected, seq) >= ORDER_WINDOW or seq in self._held:
            self.duplicates += 1
            return released
        self._held[seq] = item
        return released + self._release()

    def advance(self, oldest: int) -> list[T]:
        """Wait no longer for edges before `oldest`; gives those that are now due."""
        released = []
        if _distance(self._expected, oldest) < _MODULUS // 2:
            overdue = [seq for seq in self._held_in_order() if 0 < _distance(seq, oldest) < _MODULUS // 2]
            released = [self._held.pop(seq) for seq in overdue]
            self._expected = oldest
        return released + self._release()

    def _release(self) -> list[T]:
        released = []
        while self._expected in self._held:
            released.append(self._held.pop(self._expected))
            self._expected = (self._expected + 1) % _MODULUS
        return released

    def _held_in_order(self) -> list[int]:
        return sorted(self._held, key=lambda seq: _distance(self._expected, seq))


def _distance(start: int, end: int) -> int:
    """How far `end` lies after `start` on the ring of sequence numbers."""
    return (end - start) % _MODULUS
