"""A game whose board was counted at its end: its record gets the position there, whatever was told before."""

from __future__ import annotations

from companion.files.documents import changes_between
from companion.position import Position
from companion.session.entries import Entry
from companion.session.session import Session
from companion.wording.sentences import sentence

COUNTED = sentence("the board was counted at the end")


def count_up(session: Session, end: Position) -> Entry:
    """Record that the game has ended in this position, and nothing of how it came to it.

    Raises SessionError where it is no position of this table.
    """
    game = session.game
    before, after = game.state_document(session.state), game.state_document(end.state)
    changes = changes_between(before, after)
    return session.correct({key: value for key, value in changes.items() if key in game.position_keys}, COUNTED)
