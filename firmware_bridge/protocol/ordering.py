"""The only module that drops repeated edges of a box and puts the others in order."""

from __future__ import annotations

from collections import deque
from typing import Generic, TypeVar

from firmware_bridge.protocol.messages import ORDER_WINDOW

T = TypeVar("T")

_MODULUS = 2**16
_REMEMBERED = 4 * ORDER_WINDOW
"""How many edges given out before are compared with what comes again."""


class EdgeOrder(Generic[T]):
    """Gives every edge of a box once and in the order of its numbers, however often and in whatever order it came.

    A box names in each message the oldest edge that it still keeps: what is older and has not come will not come, so a
    gap is closed by what the box says and not by a time-out. An edge is a repetition only if the same item was given
    with the same number: whoever else speaks in the name of the box, with whatever number, makes no edge of the box
    itself a repetition.
    """

    def __init__(self) -> None:
        self.duplicates = 0
        self._boot: int | None = None
        self._expected = 0
        self._held: dict[int, list[T]] = {}
        self._given: deque[tuple[int, T]] = deque(maxlen=_REMEMBERED)

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
        if boot == self._boot:
            return self.advance(oldest)
        released = [item for seq in self._held_in_order() for item in self._held[seq]]
        self._boot, self._expected = boot, oldest
        self._held.clear()
        self._given.clear()
        return released

    def accept(self, seq: int, oldest: int, item: T) -> list[T]:
        """Take an edge of the current start; gives those that are now due."""
        released = self.advance(oldest)
        if (seq, item) in self._given or item in self._held.get(seq, ()):
            self.duplicates += 1
            return released
        if _distance(seq, self._expected) <= _MODULUS // 2 and seq != self._expected:
            # Somebody used this number before; the edge has waited long enough.
            self._given.append((seq, item))
            return [*released, item]
        if _distance(self._expected, seq) >= ORDER_WINDOW:
            self.duplicates += 1
            return released
        self._held.setdefault(seq, []).append(item)
        return released + self._release()

    def advance(self, oldest: int) -> list[T]:
        """Wait no longer for edges before `oldest`; gives those that are now due."""
        released: list[T] = []
        if _distance(self._expected, oldest) < _MODULUS // 2:
            overdue = [seq for seq in self._held_in_order() if 0 < _distance(seq, oldest) < _MODULUS // 2]
            for seq in overdue:
                released += self._give(seq)
            self._expected = oldest
        elif all(seq != oldest for seq, _ in self._given):
            # The box still keeps an edge that was never given: somebody else's numbers had led us ahead of it.
            self._expected = oldest
        return released + self._release()

    def _release(self) -> list[T]:
        released: list[T] = []
        while self._expected in self._held:
            released += self._give(self._expected)
            self._expected = (self._expected + 1) % _MODULUS
        return released

    def _give(self, seq: int) -> list[T]:
        items = self._held.pop(seq)
        self._given.extend((seq, item) for item in items)
        return items

    def _held_in_order(self) -> list[int]:
        return sorted(self._held, key=lambda seq: _distance(self._expected, seq))


def _distance(start: int, end: int) -> int:
    """How far `end` lies after `start` on the ring of sequence numbers."""
    return (end - start) % _MODULUS
