"""The records of a few games that somebody looks at, read entry by entry as they come in, and told in words."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, replace

from companion.engine import explain
from companion.errors import CompanionError
from companion.files.documents import parse_json
from companion.legality import Status
from companion.publishing.messages import NOTHING
from companion.publishing.public_game import with_names, without_reason
from companion.session.log import Log, begin
from companion.session.record import entry_from, header_from
from companion.session.session import Session
from companion.wording.texts import GameTexts
from ui.hub.boards import Boards
from ui.hub.overview import ShownTable
from ui.hub.storing import Storing
from ui.services.text import translated_texts
from ui.table.entry_lines import entry_lines
from ui.table.verdict_panel import refused_verdict
from ui.view_models.play_view import LogLine, VerdictView

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
    prompt: str = ""
    """what the table waits for, in the language in use; "" where the record has not come so far, or the game is over"""
    refused: VerdictView | None = None
    """the same of what the table disputes"""


class Histories:
    """Reads records out of the database. May be used by several threads; every call may take a moment."""

    def __init__(self, storing: Storing, boards: Boards) -> None:
        self._storing, self._boards = storing, boards
        self._logs: OrderedDict[tuple[str, str, tuple[str, ...]], Log] = OrderedDict()
        self._lock = threading.Lock()

    def history(self, table: ShownTable) -> History:
        """What has happened in the open game of a table, with the names that it shows now: those that it has told of
        this game before may not be shown any more. Raises ui.hub.database.Lost.
        """
        with self._lock:
            log = self._read(table.table_id, table.game, tuple(each.name for each in table.players))
        if log is None:
            return History()
        session = Session(log)
        texts = translated_texts(session.table.game).at(session.table)
        lines = entry_lines(session, texts, LATEST_TOLD)
        is_whole = len(log.entries) == table.entries
        prompt = texts.prompt(session.game, session.state) if is_whole and not session.is_over else ""
        refused = _refused(session, texts, table) if is_whole and table.is_disputed else None
        return History(
            tuple(reversed(lines)), len(log.entries), log.header.table.board.digest, prompt, refused
        )  # fmt: skip

    def _read(self, table_id: str, game_id: str, names: tuple[str, ...]) -> Log | None:
        key = table_id, game_id, names
        log = self._logs.pop(key, None)
        after = NOTHING if log is None else len(log.entries)
        number = after
        for number, line in enumerate(self._storing.lines(table_id, game_id, after), after + 1):
            try:
                document = parse_json(line, table_id, f"entry {number}")
                if log is None:
                    header = header_from(document)
                    self._boards.add(header.table.board)
                    log = begin(replace(header, table=with_names(header.table, names)), table_id)
                else:
                    entry = entry_from(document, log.game, len(log.header.table.players))
                    log = log.append(entry if any(names) else without_reason(entry))
            except CompanionError:  # a gap, or a table that tells what cannot be
                break
        if log is not None:
            self._logs[key] = log
            if len(self._logs) > MOST_KEPT:
                self._logs.popitem(last=False)
        return log


def _refused(session: Session, texts: GameTexts, table: ShownTable) -> VerdictView | None:
    """What a table disputes, judged once more so that it can be told in the language in use."""
    told = table.state().verdict
    if told is None or not told.action:
        return None
    try:
        action = session.game.parse_action(told.action, session.state)
        verdict = explain(session.game, session.state, action)
    except (CompanionError, ValueError, LookupError):  # of another version of the game
        return None
    if verdict.status is not Status.ILLEGAL:
        return None
    return refused_verdict(session.game, texts, action, verdict, session.table.rulings)
