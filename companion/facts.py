"""Facts: the values that sentences name. They are written one by one, separated by commas; no value is "none"."""

from __future__ import annotations

from collections.abc import Callable

from companion.frozen import FrozenDict

Fact = str | int | tuple[str | int, ...]
"""a value that a sentence names, or several"""
NO_FACTS: FrozenDict[str, Fact] = FrozenDict()
NONE = "none"
SEAT_FACTS = frozenset({"seat", "actors"})
"""the facts that are seats, which people know by the names of their players"""


def fact_words(fact: Fact, word: Callable[[str | int], str]) -> str:
    """A fact as a text; `word` says each of its values."""
    if isinstance(fact, tuple):
        return ", ".join(map(word, fact or (NONE,)))
    return word(fact)


def fact_json(fact: Fact) -> str | int:
    """A fact as JSON documents state it: several values in one text."""
    return fact_words(fact, str) if isinstance(fact, tuple) else fact


def seats_in(fact: Fact) -> tuple[int, ...]:
    """The seats that a fact of `SEAT_FACTS` names."""
    return tuple(seat for seat in (fact if isinstance(fact, tuple) else (fact,)) if isinstance(seat, int) and seat)
