"""The ends of games that no state told: a table that was cut off, and has begun its next game meanwhile, tells only its
newest state, but all entries of the game before. Then the record says how that ended.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping

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

PAUSE = 5.0
"""seconds between two looks: such ends are rare, and only the database knows what other hubs have taken in"""
_LOG = logging.getLogger("companion.hub")


class UntoldEnds:
    """Reads each such record once, and again when more of it has come in. `clock` is in monotonic seconds."""

    def __init__(self, storing: Storing, overview: Overview, clock: Callable[[], float] = time.monotonic) -> None:
        self._storing, self._overview, self._clock = storing, overview, clock
        self._looked_at = float("-inf")
        self._looked = dict[GameKey, int]()
        """games that have not ended by their records, and how far these had come in"""

    def write(self, since: Mapping[str, str]) -> None:
        """Write the results of games that their tables show no more; `since`: a table -> when its round was drawn, for
        games that were begun after that. One question for all of them, and none so soon after the one before.

        Raises ui.hub.database.Lost.
        """
        now = self._clock()
        if not since or now - self._looked_at < PAUSE:
            return
        found = self._complete(since)
        self._looked = {key: number for key, number in self._looked.items() if key in found}
        for (table_id, game_id), number in found.items():
            shown = self._overview.table(table_id)
            if shown is None or shown.game == game_id or self._looked.get((table_id, game_id)) == number:
                continue
            self._looked[table_id, game_id] = number
            state = _state_of(table_id, self._storing.lines(table_id, game_id))
            if state is not None and state.over and (state.game, state.entries) == (game_id, number):
                self._storing.write_end(table_id, state)

        self._looked_at = now

    def _complete(self, since: Mapping[str, str]) -> dict[GameKey, int]:
        began = {table_id: moment.removesuffix("Z") for table_id, moment in since.items()}
        query = sa.select(GAMES.c.table_id, GAMES.c.game_id, GAMES.c.unbroken, GAMES.c.began_at).where(
            GAMES.c.table_id.in_(list(since)),
            GAMES.c.began_at >= min(began.values()),
            GAMES.c.finished_at == "",
            GAMES.c.unbroken > HEADER,
            GAMES.c.unbroken == GAMES.c.highest,
        )
        with self._storing.database.engine.connect() as connection:
            rows = list(connection.execute(query))
        return {(row.table_id, row.game_id): row.unbroken for row in rows if row.began_at >= began[row.table_id]}


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
