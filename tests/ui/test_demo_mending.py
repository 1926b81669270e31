"""The simulated players mend a record that has not followed them as a person would: nothing is undone twice."""

from __future__ import annotations

import pytest

from companion.session.session import Session
from tests.tables import table_of
from ui.shell.table_loop import TableLoop
from ui.simulated_table.director import Director
from ui.table.presenter import Presenter

DONE = ("ward E8-F8 red", "draw red blue", "end")


@pytest.mark.parametrize("followed", range(len(DONE) + 1))
@pytest.mark.parametrize("misread", ["", "ward E9-E10 red", "draw yellow green"])
def test_what_was_followed_stands_and_what_was_misread_is_undone_once(followed: int, misread: str) -> None:
    session = Session.create(None, table_of("city_of_marble", 2))
    director = Director(TableLoop(Presenter(session)), None, lambda seat, button: None, seed=1)
    for text in DONE:
        director._did(session.game.parse_action(text, director._truth))
    for text in (*DONE[:followed], misread):
        if text and session.judge(session.game.parse_action(text, session.state)).is_legal:
            session.submit(session.game.parse_action(text, session.state))
    recorded = len(session.entries)
    director._mend()
    assert [move.action for move in session.moves] == list(DONE)
    undone = session.undone_numbers()
    if recorded == followed:
        assert not undone
    director._mend()
    assert session.undone_numbers() == undone
