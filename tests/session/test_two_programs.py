"""Two programs that have one game open: each is told what the other did, and no entry goes astray."""

from pathlib import Path

import pytest

from companion.errors import StoreError
from companion.session import other_programs
from companion.session.session import Session
from companion.session.store import Store
from tests.session.evenings import EVENING, new_session, play_at_random


@pytest.fixture(autouse=True)
def look_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look of these tests is one that a table makes within the next second."""
    monkeypatch.setattr(other_programs, "LOOK_SECONDS", 0.0)


def test_the_first_of_two_writers_is_told_too(filled: Path) -> None:
    with Store(filled) as store, Store(filled) as other:
        first, second = Session.open(store, "evening-1"), Session.open(other, "evening-1")
        play_at_random(first, 1, seed=1)
        assert not store.is_contested("evening-1")
        with pytest.raises(StoreError) as refused:
            play_at_random(second, 1, seed=2)
        assert (
            str(refused.value) == f"Not recorded: {EVENING} was continued elsewhere since it was opened; open it again"
        )
        play_at_random(first, 1, seed=3)
        assert store.is_contested("evening-1")
        assert not other.is_contested("evening-1")


def test_the_first_of_two_programs_notices_that_the_other_went_on(filled: Path) -> None:
    with Store(filled) as store, Store(filled) as other:
        first, second = Session.open(store, "evening-1"), Session.open(other, "evening-1")
        first.notice_continuation()
        play_at_random(first, 1, seed=1)
        first.notice_continuation()
        assert first.notices == ()
        second = Session.open(other, "evening-1")
        play_at_random(second, 1, seed=2)
        before = first.entries
        for _again in range(3):
            first.notice_continuation()
            second.notice_continuation()
        assert [str(notice) for notice in first.take_notices()] == [
            "Another program has gone on with this game, so this table shows it as it was before. Go on there, or open "
            "the game again here."
        ]
        assert second.notices == ()
        assert first.entries == before
        assert not other.is_contested("evening-1")


@pytest.mark.parametrize("actions", [0, 1])
def test_a_game_that_another_program_deleted_takes_no_entry(path: Path, actions: int) -> None:
    with Store(path) as store, Store(path) as other:
        session = new_session(store)
        play_at_random(session, actions, seed=1)
        session.notice_continuation()
        assert session.take_notices() == ()
        other.delete("evening-1")
        for _again in range(3):
            session.notice_continuation()
        (notice,) = session.take_notices()
        assert str(notice) == "Another program has deleted this game: nothing more is recorded. Begin a new one."
        with pytest.raises(StoreError) as refused:
            play_at_random(session, 1, seed=2)
        assert str(refused.value) == "Not recorded: another program has deleted this game; begin a new one"
        assert len(session.entries) == actions


def test_entries_that_were_lost_are_no_other_programs(filled: Path) -> None:
    with Store(filled) as store:
        session = Session.open(store, "evening-1")
        store._acknowledged.note("evening-1", len(session.entries) + 3)
        session.notice_continuation()
        assert session.notices == ()


def test_the_table_is_told_of_another_writer_once(filled: Path) -> None:
    with Store(filled) as store, Store(filled) as other:
        first, second = Session.open(store, "evening-1"), Session.open(other, "evening-1")
        play_at_random(first, 1, seed=1)
        assert first.take_notices() == ()
        with pytest.raises(StoreError):
            play_at_random(second, 1, seed=2)
        play_at_random(first, 1, seed=3)
        (notice,) = first.take_notices()
        assert "Another program has this game open" in notice
        play_at_random(first, 1, seed=4)
        assert first.take_notices() == ()
