"""What lies before a player or in the common supply, as values; `companion.wording` puts them into words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

NOT_TOLD = "not told"
"""the kind of what is held that nobody has told, neither how many nor which"""


@dataclass(frozen=True, slots=True)
class Amount:
    """Pieces of one kind; `kind` is "" where the name of the holding already says what they are."""

    kind: str = ""
    count: int | None = None
    """how many there are; None where every piece is listed by itself, as in a row of cards"""
    value: int | None = None
    """the number that the piece bears, such as the points on a tile; None where it bears none"""


@dataclass(frozen=True, slots=True)
class Holding:
    """A named group of pieces, such as a hand of cards; `name` is an English word that screens translate."""

    name: str
    amounts: tuple[Amount, ...]
    owner: int | None = None
    """the seat it belongs to; None for the common supply"""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it."""
        return all(amount.count == 0 for amount in self.amounts)


def counted(counts: Mapping[str, int]) -> tuple[Amount, ...]:
    """An amount for each kind with at least one piece."""
    return tuple(Amount(kind, count) for kind, count in counts.items() if count)


def listed(kinds: Iterable[str]) -> tuple[Amount, ...]:
    """One amount for each piece, in this order."""
    return tuple(Amount(kind) for kind in kinds)


def number(count: int) -> tuple[Amount, ...]:
    """A bare number of pieces."""
    return (Amount(count=count),)
