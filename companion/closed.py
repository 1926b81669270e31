"""Pieces that only their owner sees, such as cards in a hand: what everybody knows of each, and what it may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClosedPiece:
    """One such piece. `name` is what is known of it, `may_be` the whole names that it can have; its own if known."""

    name: str
    may_be: tuple[str, ...]

    @property
    def is_known(self) -> bool:
        """Whether its whole name is known."""
        return self.may_be == (self.name,)


def check_told(known: Sequence[str], told: Sequence[str], wider: Callable[[str], Sequence[str]]) -> None:
    """Make sure that pieces named by their owner can be those known by these names.

    `wider` gives the less whole names of a piece, the most specific first. Raises ValueError where one cannot be told.
    """
    if len(told) != len(known):
        raise ValueError(f"{len(known)} pieces are held, and {len(told)} are named")
    left = list(told)
    for name in sorted(known, key=lambda name: len(wider(name)), reverse=True):
        found = name if name in left else next((each for each in left if name in wider(each)), None)
        if found is None:
            raise ValueError(f"{name} is held, and none of the pieces named is one")
        left.remove(found)
