"""Entries changed by others into ones that the rules contradict: told when their game is opened, until corrected."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.session.acknowledged import AcknowledgedEntries
from companion.session.salvage import open_store
from companion.session.session import Session
from companion.session.store import Store
from tests.session.evenings import new_session, play, play_at_random

CHANGE = "UPDATE entries SET entry = replace(entry, 'draw red blue', 'draw red red') WHERE number = 1"


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """A closed database with two games; the first entry of `evening-1` was changed by another program."""
    path = tmp_path / "games.sqlite3"
    with Store(path) as store:
        play(new_session(store), "draw red blue", "draw red yellow", "end", "draw blue green")
        play_at_random(new_session(store, game_id="evening-2"), 30, seed=1)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(CHANGE)
    return path


def correct(path: Path) -> None:
    """Let the first entry be what it was before the change."""
    with open_store(path)[0] as store:
        session = Session.open(store, "evening-1")
        session.amend(1, session.game.parse_action("draw red blue", session.game.setup(session.table)))


def test_an_entry_that_was_changed_elsewhere_is_told_until_it_is_corrected(changed: Path) -> None:
    for _opened in range(2):
        store, notices = open_store(changed)
        with store:
            assert notices == ()
            assert Session.open(store, "evening-2").take_notices() == ()
            session = Session.open(store, "evening-1")
            assert session.doubtful == {1}
            (notice,) = session.take_notices()
            assert str(notice).startswith("In Rome: City of Marble (Player 1, Player 2; ")
            assert str(notice).endswith(
                " what was entered and what came of it do not agree by the rules (entries: 1). Compare the table, and "
                "correct it in the history."
            )
    correct(changed)
    with open_store(changed)[0] as store:
        assert Session.open(store, "evening-1").take_notices() == ()


def test_a_past_game_that_was_changed_elsewhere_is_told_whenever_it_is_opened_next(changed: Path) -> None:
    for _start in range(3):  # the changed game is not looked at, another one goes on
        with open_store(changed)[0] as store:
            session = Session.open(store, "evening-2")
            assert session.take_notices() == ()
            session.undo()
    for _start in range(2):
        with open_store(changed)[0] as store:
            assert store.was_read_whole is False
            session = Session.open(store, "evening-1")
            assert session.doubtful == {1}
            session.undo()
    correct(changed)
    with open_store(changed)[0] as store:
        assert Session.open(store, "evening-1").take_notices() == ()
    assert not AcknowledgedEntries(changed).is_unsure("evening-1")
