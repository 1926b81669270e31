"""The ends of games that no state told: a table that was cut off, and has begun its next game meanwhile, tells only its
newest state, but all entries of the game before. Then the record says how that ended.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable

import sqlalchemy as sa

from companion.files.documents import parse_json
from companion.publishing.messages import HEADER
from companion.publishing.public_game import public_state
from companion.publishing.table_state import TableState
from companion.session.log import Log, begin
from companion.session.record import entry_from, header_from
from ui.hub.batches import GameKey
from ui.hub.overview import Overview
from ui.hub.schema import GAMES
from ui.hub.storing import Storing

_LOG = logging.getLogger("companion.hub")


class UntoldEnds:
    """Reads each such record once, and again when more of it has come in."""

    def __init__(self, storing: Storing, overview: Overview) -> None:
        self._storing, self._overview = storing, overview
        self._looked = dict[GameKey, int]()
        """games that have not ended by their records, and how far these had come in"""

    def write(self, tables: Collection[str], since: str) -> None:
        """Write the results of these tables' games that were begun since a moment, and that they show no more.

        Raises ui.hub.database.Lost.
        """
        found = self._complete(tables, since)
        self._looked = {key: number for key, number in self._looked.items() if key[0] not in tables or key in found}
        for (table_id, game_id), number in found.items():
            shown = self._overview.table(table_id)
            if shown is None or shown.game == game_id or self._looked.get((table_id, game_id)) == number:
                continue
            self._looked[table_id, game_id] = number
            state = _state_of(table_id, self._storing.lines(table_id, game_id))
            if state is not None and state.over and (state.game, state.entries) == (game_id, number):
                self._storing.write_end(table_id, state)

    def _complete(self, tables: Collection[str], since: str) -> dict[GameKey, int]:
        query = sa.select(GAMES.c.table_id, GAMES.c.game_id, GAMES.c.unbroken).where(
            GAMES.c.table_id.in_(list(tables)),
            GAMES.c.began_at >= since.removesuffix("Z"),
            GAMES.c.finished_at == "",
            GAMES.c.unbroken > HEADER,
            GAMES.c.unbroken == GAMES.c.highest,
        )
        with self._storing.database.engine.connect() as connection:
            return {(row.table_id, row.game_id): row.unbroken for row in connection.execute(query)}


def _state_of(table_id: str, lines: Iterable[str]) -> TableState | None:
    """What the table would have shown at the end of a record; None for one that is none."""
    try:
        log = _log_of(table_id, lines)
        if log is None:
            return None
        shows_names = any(player.name != player.colour for player in log.header.table.players)
        return public_state(log, shows_names=shows_names)
    except Exception:  # noqa: BLE001  # what one table tells must not keep the results of others
        _LOG.warning("the record of a game of %s cannot be read", table_id)
        return None


def _log_of(table_id: str, lines: Iterable[str]) -> Log | None:
    log: Log | None = None
    for number, line in enumerate(lines):
        document = parse_json(line, table_id, f"entry {number}")
        if log is None:
            log = begin(header_from(document), table_id)
        else:
            log = log.append(entry_from(document, log.game, len(log.header.table.players)))
    return log
