"""The records of a few games that somebody looks at, read entry by entry as they come in, and told in words."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

from companion.errors import CompanionError
from companion.files.documents import parse_json
from companion.publishing.messages import NOTHING
from companion.session.log import Log, begin
from companion.session.record import appended, header_from
from companion.session.session import Session
from ui.hub.boards import Boards
from ui.hub.storing import Storing
from ui.services.text import translated_texts
from ui.table.entry_lines import entry_lines
from ui.view_models.play_view import LogLine

MOST_KEPT = 12
"""games whose records are kept read"""
LATEST_TOLD = 40
"""entries"""


@dataclass(frozen=True, slots=True)
class History:
    """The latest entries of a game, newest first, as far as they have come in without a gap."""

    lines: tuple[LogLine, ...] = ()
    entries: int = 0
    board_digest: str = ""


class Histories:
    """Reads records out of the database. May be used by several threads; every call may take a moment."""

    def __init__(self, storing: Storing, boards: Boards) -> None:
        self._storing, self._boards = storing, boards
        self._logs: OrderedDict[tuple[str, str], Log] = OrderedDict()
        self._lock = threading.Lock()

    def history(self, table_id: str, game_id: str) -> History:
        """What has happened in a game. Raises ui.hub.database.Lost."""
        with self._lock:
            log = self._read(table_id, game_id)
        if log is None:
            return History()
        session = Session(log)
        texts = translated_texts(session.table.game).at(session.table)
        lines = entry_lines(session, texts, LATEST_TOLD)
        return History(tuple(reversed(lines)), len(log.entries), log.header.table.board.digest)

    def _read(self, table_id: str, game_id: str) -> Log | None:
        key = table_id, game_id
        log = self._logs.pop(key, None)
        after = NOTHING if log is None else len(log.entries)
        number = after
        for number, line in enumerate(self._storing.lines(table_id, game_id, after), after + 1):
            try:
                document = parse_json(line, table_id, f"entry {number}")
                if log is None:
                    log = begin(header_from(document), table_id)
                    self._boards.add(log.header.table.board)
                else:
                    log = appended(log, document)
            except CompanionError:  # a gap, or a table that tells what cannot be
                break
        if log is not None:
            self._logs[key] = log
            if len(self._logs) > MOST_KEPT:
                self._logs.popitem(last=False)
        return log
