"""How often a table looks for other programs, and how often it is told of them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from companion.errors import StoreError
from companion.session import other_programs
from companion.session.other_programs import OtherPrograms

GAME = "evening-1"


class Database:
    """What a store says of another program, and how often it was asked."""

    def __init__(self) -> None:
        self.is_there_no_more = self.went_on = self.contests = self.fails = False
        self.looks = 0

    def is_deleted(self, game_id: str) -> bool:
        assert game_id == GAME
        self.looks += 1
        if self.fails:
            raise StoreError("the disk failed")
        return self.is_there_no_more

    def is_continued(self, game_id: str, number: int) -> bool:
        assert (game_id, number) == (GAME, 7)
        return self.went_on

    def is_contested(self, game_id: str) -> bool:
        assert game_id == GAME
        return self.contests


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which a test changes; a machine that was just started."""
    time = [0.0]
    monkeypatch.setattr(other_programs, "time", SimpleNamespace(monotonic=lambda: time[0]))
    return time


@pytest.fixture
def database() -> Database:
    return Database()


def watching(database: Database) -> OtherPrograms:
    return OtherPrograms(database, GAME)  # type: ignore[arg-type]


def test_a_table_looks_at_once_and_then_once_a_second(database: Database, now: list[float]) -> None:
    watch = watching(database)
    looks = []
    for time in (0.0, 0.5, 0.99, 1.0, 1.5, 2.0, 9.0):
        now[0] = time
        assert watch.went_on(7) == ()
        looks.append(database.looks)
    assert looks == [1, 1, 1, 2, 2, 3, 4]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("is_there_no_more", "Another program has deleted this game: nothing more is recorded. Begin a new one."),
        (
            "went_on",
            "Another program has gone on with this game, so this table shows it as it was before. Go on there, or open "
            "the game again here.",
        ),
    ],
)
def test_what_another_program_did_is_told_once_and_not_looked_for_again(
    database: Database, now: list[float], name: str, told: str
) -> None:
    watch = watching(database)
    assert watch.went_on(7) == ()
    setattr(database, name, True)
    now[0] = 1.0
    assert [str(each) for each in watch.went_on(7)] == [told]
    for now[0] in (2.0, 5.0):
        assert watch.went_on(7) == ()
    assert database.looks == 2


def test_a_database_that_cannot_be_read_now_is_looked_at_again(database: Database, now: list[float]) -> None:
    watch = watching(database)
    database.fails = database.went_on = True
    assert watch.went_on(7) == ()
    database.fails = False
    now[0] = 1.0
    assert len(watch.went_on(7)) == 1


def test_another_writer_is_told_once(database: Database) -> None:
    watch = watching(database)
    assert watch.refused() == ()
    database.contests = True
    assert [str(each) for each in watch.refused()] == [
        "Another program has this game open and tried to record something in it. Close it there; this table goes on."
    ]
    assert watch.refused() == ()
