"""The simulated players mend a record that has not followed them as a person would: nothing is undone twice."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.session.session import Session
from companion.session.store import Store
from tests.tables import table_of
from ui.shell.table_loop import TableLoop
from ui.simulated_table import director as players
from ui.simulated_table.demo import run_headless
from ui.simulated_table.director import Director
from ui.table.presenter import Presenter

DONE = ("ward E8-F8 red", "draw red blue", "end")


@pytest.mark.parametrize("followed", range(len(DONE) + 1))
@pytest.mark.parametrize("misread", ["", "ward E9-E10 red", "draw yellow green"])
def test_what_was_followed_stands_and_what_was_misread_is_undone_once(followed: int, misread: str) -> None:
    session = Session.create(None, table_of("city_of_marble", 2))
    director = Director(TableLoop(Presenter(session)), None, lambda seat, button: None, seed=1)
    for text in DONE:
        director._told(session.game.parse_action(text, director._truth.record))
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


@contextmanager
def locked(path: Path, seconds: float) -> Iterator[None]:
    """Another program has the database for itself for so long."""
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN EXCLUSIVE")
        free = threading.Timer(seconds, lambda: other.execute("ROLLBACK"))
        free.start()
        try:
            yield
        finally:
            free.join()


def played(path: Path, locked_for: float, monkeypatch: pytest.MonkeyPatch, patience: float) -> tuple[Session, str]:
    """Two actions of a demo whose database is locked at first, and why the players stopped."""
    monkeypatch.setattr(players, "PATIENCE", 0.4)
    monkeypatch.setattr(players, "DATABASE_PATIENCE", patience)
    with Store(path, patience=0.02) as store:
        session = Session.create(store, table_of("city_of_marble", 2))
        loop = TableLoop(Presenter(session))
        director = Director(loop, None, lambda seat, button: None, seed=1, actions=2)
        with locked(path, locked_for):
            director.start()
            run_headless(loop, director)
    return session, director.failure


def test_a_database_that_is_locked_for_a_while_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    began = time.monotonic()
    session, failure = played(tmp_path / "demo.sqlite3", 2.0, monkeypatch, 60.0)
    assert failure == ""
    assert len(session.moves) >= 2
    assert time.monotonic() - began > 2.0


def test_one_that_stays_locked_is_named_as_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session, failure = played(tmp_path / "demo.sqlite3", 4.0, monkeypatch, 1.0)
    assert failure.startswith("the simulated players stopped: ")
    assert ": Not recorded: the database is in use by another program; close that, or try again (" in failure
    assert not session.moves


def test_touches_may_go_another_way_and_each_action_is_heard_of_before_it_is_told() -> None:
    session = Session.create(None, table_of("city_of_marble", 2))
    loop = TableLoop(Presenter(session))
    heard: list[tuple[object, ...]] = []

    def touch(seat: int, action: Any) -> None:
        heard.append((seat, action.text))
        loop.post(lambda: loop.presenter.act(action))

    director = Director(
        loop, None, lambda seat, button: None, seed=1, actions=1, touch=touch,
        on_telling=lambda number, action: heard.append((number, action.text, len(session.entries))),
        on_action=lambda number: heard.append((number, len(session.entries))),
    )  # fmt: skip
    director.start()
    run_headless(loop, director)
    first = session.moves[0].action
    assert heard == [(1, first, 0), (1, first), (1, 1)]
