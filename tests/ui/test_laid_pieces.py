"""What earlier moves laid on the board: each is read once, and the latest comes first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from companion.session.session import Session
from tests.tables import table_of
from ui.table.laid_pieces import LaidPieces

MOVES = ("ward E8-F8 red magistrate", "draw red blue", "end", "draw red blue", "draw red yellow", "end")


def played(*actions: str) -> Session:
    session = Session.create(None, table_of("city_of_marble", 2))
    for action in actions:
        session.submit(session.game.parse_action(action, session.state))
    return session


def labels(laid: LaidPieces, session: Session, *seats: int) -> list[list[str]]:
    return [[piece.label for piece in pieces] for pieces in laid.by_moves(session.point, seats)]


@contextmanager
def counted(session: Session) -> Iterator[list[int]]:
    """How often the board's look is asked for."""
    calls, appearance = [0], session.game.appearance

    def count(state: object) -> object:
        calls[0] += 1
        return appearance(state)

    with patch.object(type(session.game), "appearance", lambda _self, state: count(state)):
        yield calls


def test_what_a_seat_laid_is_told_from_the_sheet_up_and_follows_undo() -> None:
    session = played(*MOVES)
    laid = LaidPieces(session.game, session.table.board)
    assert labels(laid, session, 1) == [["red", "black"]]
    assert labels(laid, session, 2) == []
    session.submit(next(each for each in session.legal_actions() if each.text.startswith("ward F6-F7 yellow")))
    assert labels(laid, session, 1) == [["yellow"], ["red", "black"]]
    session.undo()
    assert labels(laid, session, 1, 2) == [["red", "black"]]


def test_each_move_is_read_once() -> None:
    session = played(*MOVES)
    laid = LaidPieces(session.game, session.table.board)
    labels(laid, session, 1)
    session.submit(next(each for each in session.legal_actions() if each.text.startswith("ward F6-F7 yellow")))
    with counted(session) as calls:
        labels(laid, session, 1)
        assert calls == [2], "the position before the new move, and the one after it"
        labels(laid, session, 1)
        assert calls == [2]
