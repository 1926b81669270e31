"""Entries in pages that nothing leads to any more are found by what the pages hold."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.session.page_scan import scattered_entries
from companion.session.record import entry_line
from companion.session.salvage import open_store
from companion.session.session import Session
from companion.session.store import Store
from tests.session.evenings import EVENING, new_session, play_at_random
from tests.session.test_salvage import kept_aside

ENTRY = re.compile(rb'\{"number": ([0-9]+), "kind"')


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A closed database with a game whose entries lie in many pages, one of them longer than a page."""
    path = tmp_path / "games.sqlite3"
    with Store(path) as store:
        session = new_session(store, game_id="long")
        play_at_random(session, 150, seed=3)
        session.remove(1)
    return path


def test_entries_in_untouched_pages_are_kept_though_nothing_leads_to_them(large: Path) -> None:
    with Store(large) as store:
        before = {entry.number: entry for entry in store.read("long").entries}
    data = bytearray(large.read_bytes())
    with closing(sqlite3.connect(large)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entries'").fetchone()
    assert data[(root - 1) * 4096] == 2, "the root is no page above others; the test needs more entries"
    start = (root - 1) * 4096 + 808
    beneath = {int(number) for number in ENTRY.findall(data[start : start + 3288])}
    data[start : start + 3000] = Random(1).randbytes(3000)
    large.write_bytes(data)
    store, notices = open_store(large)
    with store:
        session = Session.open(store, "long")
        lost = [entry.number for entry in session.entries if entry.kind == "lost"]
        unread = {entry.number for entry in session.entries if entry.summary == "lost (cannot be read)"}
        assert len(session.entries) == len(before)
        assert unread
        assert unread <= beneath
        assert len(lost) < len(before) // 4
        assert all(before[entry.number] == entry for entry in session.entries if entry.kind != "lost")
        (aside,) = kept_aside(large)
        assert [str(notice) for notice in notices] == [
            f"The database of games was damaged. Games that open: 1; games lost: 0; entries lost from games that open: "
            f"{len(lost)}, of {EVENING}. The damaged database is kept as {aside.name}."
        ]


def test_a_write_ahead_log_that_has_nothing_to_do_with_the_damage_is_not_named(large: Path) -> None:
    with Store(large) as store:
        count = len(store.read("long").entries)
    data = bytearray(large.read_bytes())
    for number in range(1, len(data) // 4096 + 1):
        page = data[(number - 1) * 4096 : number * 4096]
        if ENTRY.search(page):
            data[(number - 1) * 4096 : number * 4096] = Random(number).randbytes(4096)
    large.write_bytes(data)
    store, notices = open_store(large)
    with store:
        (aside,) = kept_aside(large)
        assert [str(notice) for notice in notices] == [
            "The database of games was damaged. Games that open: 1; games lost: 0; entries lost from games that open: "
            f"{count}, of {EVENING}. The damaged database is kept as {aside.name}.",
            f"The latest entries are gone of {EVENING} (recorded: {count}, left: 0). Look at the table and "
            "record what is missing.",
        ]


def test_every_entry_of_a_sound_database_is_found_in_its_pages(large: Path) -> None:
    with Store(large) as store:
        log = store.read("long")
    longest = max(map(len, map(entry_line, log.entries)))
    assert longest > 4096
    found = scattered_entries(large, ("long", "g", "another"))
    assert found == {"long": {entry.number: entry_line(entry) for entry in log.entries}, "g": {}, "another": {}}
