"""Players by their names, as sentences speak of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from companion.table import Player


def player_names(players: Sequence[Player], seats: Iterable[int], translate: Callable[[str], str] = str) -> str:
    """The names of the players of these seats: "Anna, Bea and Cleo"."""
    *first, last = [players[seat - 1].name for seat in seats] or [""]
    return f"{', '.join(first)} {translate('and')} {last}" if first else last
