"""Whose each phone was at the table that was left, so that it stays with its player when the same people play again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.table import Table


@dataclass(frozen=True, slots=True)
class Evening:
    """A table that was left: its game, the names of its players, and the name that each seated phone belonged to."""

    game: str
    players: frozenset[str]
    owners: Mapping[str, str]

    @classmethod
    def at(cls, table: Table, seated: Iterable[tuple[str, int]]) -> Evening:
        """The evening at a table with phones at seats."""
        names = [player.name for player in table.players]
        return cls(table.game, frozenset(names), {phone: names[seat - 1] for phone, seat in seated})

    def seats_at(self, table: Table) -> dict[str, int]:
        """Phone -> seat where the same people, each with a name of their own, play the same game; else nothing."""
        seats = {player.name: seat for seat, player in enumerate(table.players, 1)}
        if table.game != self.game or self.players != seats.keys() or len(seats) != len(table.players):
            return {}
        return {phone: seats[name] for phone, name in self.owners.items()}
