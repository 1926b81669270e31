"""Pages or rows of the database in one another's place, or destroyed: what they hold is found wherever it lies."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.session.salvage import open_store
from companion.session.session import Session
from companion.session.store import Store
from tests.session.evenings import EVENING, new_session, play_at_random
from tests.session.test_salvage import kept_aside

GAMES, ENTRIES = ("evening-1", "evening-2", "evening-3"), 40
PAGE = 4096


@pytest.fixture
def filled(path: Path) -> Path:
    """A closed database with games whose entries lie in several pages."""
    with Store(path) as store:
        for number, game_id in enumerate(GAMES):
            play_at_random(new_session(store, game_id=game_id), ENTRIES, seed=number)
    return path


def root(path: Path, table: str) -> int:
    """The first page of a table, counted from 0."""
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    return int(page) - 1


def leaves(path: Path) -> list[int]:
    """The pages of entries that lie below others."""
    data = path.read_bytes()
    known = (root(path, "games"), root(path, "entries"))
    return [page for page in range(1, len(data) // PAGE) if data[page * PAGE] == 10 and page not in known]


def swap(path: Path, one: int, other: int) -> None:
    data = bytearray(path.read_bytes())
    first, second = (slice(page * PAGE, (page + 1) * PAGE) for page in (one, other))
    data[first], data[second] = data[second], data[first]
    path.write_bytes(data)


def played(store: Store, game_id: str) -> list[str]:
    return [entry.summary for entry in Session.open(store, game_id).entries]


def test_entries_in_swapped_pages_are_all_found_and_the_games_go_on(filled: Path) -> None:
    with Store(filled) as store:
        before = {game_id: played(store, game_id) for game_id in GAMES}
    one, *_others, other = leaves(filled)
    swap(filled, one, other)
    store, notices = open_store(filled)
    with store:
        assert {game_id: played(store, game_id) for game_id in GAMES} == before
        for game_id in GAMES:
            session = Session.open(store, game_id)
            play_at_random(session, 1, seed=9)
            assert len(Session.open(store, game_id).entries) == ENTRIES + 1
    (aside,) = kept_aside(filled)
    assert [str(notice) for notice in notices] == [
        f"The database of games was damaged. Games that open: 3; games lost: 0; entries lost from games that open: 0. "
        f"The damaged database is kept as {aside.name}."
    ]


def test_games_whose_page_lies_elsewhere_keep_their_players(filled: Path) -> None:
    with Store(filled) as store:
        before = {game_id: store.header(game_id) for game_id in GAMES}
    swap(filled, root(filled, "games"), leaves(filled)[0])
    store, _notices = open_store(filled)
    with store:
        for game_id in GAMES:
            assert store.header(game_id).table.players == before[game_id].table.players
            assert len(played(store, game_id)) == ENTRIES


@pytest.mark.parametrize("is_acknowledged", [True, False])
def test_games_that_nothing_names_any_more_are_known_by_their_entries(filled: Path, *, is_acknowledged: bool) -> None:
    with Store(filled) as store:
        before = {game_id: played(store, game_id) for game_id in GAMES}
    if not is_acknowledged:
        filled.with_name(f"{filled.name}-acknowledged").unlink()
    page = root(filled, "games")
    data = bytearray(filled.read_bytes())
    data[page * PAGE : (page + 1) * PAGE] = Random(1).randbytes(PAGE)
    filled.write_bytes(data)
    store, _notices = open_store(filled)
    with store:
        for game_id in GAMES:
            assert played(store, game_id)[:ENTRIES] == before[game_id]
            assert store.header(game_id).table.game == "city_of_marble"


def test_entries_whose_numbers_were_exchanged_are_put_back(filled: Path) -> None:
    with Store(filled) as store:
        before = played(store, "evening-1")
    with closing(sqlite3.connect(filled, isolation_level=None)) as connection:
        for one, other in ((2, 4999), (5, 2), (4999, 5)):
            connection.execute("UPDATE entries SET number = ? WHERE game = 'evening-1' AND number = ?", (other, one))
    store, _notices = open_store(filled)
    with store:
        session = Session.open(store, "evening-1")
        assert [entry.summary for entry in session.entries] == before
        (notice,) = session.take_notices()
    (aside,) = kept_aside(filled)
    assert str(notice) == (
        f"Entries of {EVENING} stood in wrong places of the database and were put right; none is lost. The damaged "
        f"database is kept as {aside.name}."
    )
