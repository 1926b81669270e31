"""Players by their names, as sentences speak of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from companion.table import Player


def player_names(players: Sequence[Player], seats: Iterable[int], translate: Callable[[str], str] = str) -> str:
    """The names of the players of these seats, joined by "and"."""
    return f" {translate('and')} ".join(players[seat - 1].name for seat in seats)
