"""What is kept of the lines of a game, entry by entry, and how much of a cut file is filled up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.errors import SessionError
from companion.session.entries import LostEntry
from companion.session.first_page import replace_first_page
from companion.session.log import Log
from companion.session.salvage import IMPOSSIBLE_WITHOUT, LostGame, Salvage, _fill_up, open_store, salvaged_log
from companion.session.session import Session
from companion.session.store import Store
from tests.session.evenings import new_session, play

Lines = dict[int, str | None]


def lines_of(session: Session) -> Lines:
    return dict(enumerate(session.export().splitlines()[1:], 1))


@pytest.fixture
def session() -> Session:
    session = new_session()
    play(session, "draw red blue", "draw red yellow", "end")
    return session


def kept(session: Session, changes: Lines) -> tuple[Log, list[str]]:
    """What is kept, and why each lost entry is."""
    log = salvaged_log(session.log.header, lines_of(session) | changes, "test")
    return log, [entry.reason for entry in log.entries if isinstance(entry, LostEntry)]


def test_whole_lines_give_the_whole_log(session: Session) -> None:
    log, lost = kept(session, {})
    assert (log.entries, log.state, lost) == (session.entries, session.state, [])
    assert salvaged_log(session.log.header, {}, "test").entries == ()


def test_an_entry_that_cannot_be_read_has_the_time_of_the_one_before(session: Session) -> None:
    log, lost = kept(session, {1: None, 3: None, 4: "{"})
    assert [entry.time for entry in log.entries] == [session.created, *[session.entries[1].time] * 3]
    assert lost[:2] == ["cannot be read", "cannot be read"]
    assert lost[2].startswith("does not hold: entry 4, column 2: is not JSON")


def test_why_an_entry_does_not_hold_is_told_in_three_hundred_characters_at_most(session: Session) -> None:
    line = json.loads(str(lines_of(session)[2]))
    _log, (reason,) = kept(session, {2: json.dumps(line | {"unchecked": ["x" * 500]})})
    assert reason == f"does not hold: entry 2.unchecked: names '{'x' * 500}"[:300]
    correction = {"number": 2, "kind": "correction", "time": line["time"], "seat": None, "reason": ""}
    _log, (reason,) = kept(session, {2: json.dumps(correction | {"changes": {"y" * 500: 1}})})
    assert reason == f"{IMPOSSIBLE_WITHOUT}: '{'y' * 500}"[:300]
    _log, (reason,) = kept(session, {2: json.dumps(line | {"number": 7})})
    assert reason == f"{IMPOSSIBLE_WITHOUT}: entry 7 does not follow entry 1"


def test_what_leads_to_no_position_is_lost(session: Session) -> None:
    many = '"colours": ["red"' + ', "red"' * 20 + "]"
    line = str(lines_of(session)[2]).replace('"colours": ["red", "yellow"]', many)
    log, (reason,) = kept(session, {2: line})
    assert reason.startswith(f"{IMPOSSIBLE_WITHOUT}: position: player.1.domus.red: is 22; it must be")
    assert [entry.kind for entry in log.entries] == ["action", "lost", "action"]


def test_why_a_position_does_not_hold_is_told(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(game: object, state: object) -> None:
        raise SessionError("it cannot be read back as it is")

    monkeypatch.setattr("companion.session.salvage.check_position", refuse)
    _log, lost = kept(session, {})
    assert lost[0] == f"{IMPOSSIBLE_WITHOUT}: it cannot be read back as it is"


@pytest.mark.parametrize(
    ("pages", "counted", "filled"),
    [
        (2, 5, 5), (2, 2, 2), (2, 1, 2), (2, 0, 2), (2, 2 + 2**16, 2 + 2**16), (2, 3 + 2**16, 2),
        (2, 2**24 + 3, 2), (2, 2**32 - 1, 2),
    ],
)  # fmt: skip
def test_a_file_that_was_cut_is_filled_up_to_what_its_header_counts(
    tmp_path: Path, pages: int, counted: int, filled: int
) -> None:
    path = tmp_path / "games.sqlite3"
    head = bytes(16) + (4096).to_bytes(2, "big") + bytes(10) + counted.to_bytes(4, "big")
    path.write_bytes(head.ljust(pages * 4096, b"\1"))
    _fill_up(path)
    assert path.stat().st_size == filled * 4096
    with path.open("rb") as file:
        assert file.read(pages * 4096) == head.ljust(pages * 4096, b"\1")


@pytest.mark.parametrize(("missing", "pages"), [(0, 5), (1, 5), (4095, 5), (4096, 4)])
def test_a_first_page_counts_the_pages_of_its_file(tmp_path: Path, missing: int, pages: int) -> None:
    path, new = tmp_path / "games.sqlite3", tmp_path / "new.sqlite3"
    Store(new).close()
    path.write_bytes(b"\1" * (5 * 4096 - missing))
    replace_first_page(path)
    data, first = path.read_bytes(), new.read_bytes()[:4096]
    assert data[:28] == first[:28]
    assert data[32:4096] == first[32:]
    assert int.from_bytes(data[28:32], "big") == pages
    assert data[4096:] == (b"\1" * (4 * 4096 - missing)).ljust((pages - 1) * 4096, b"\0")
    assert {each.name for each in tmp_path.iterdir()} == {path.name, new.name, f"{new.name}-acknowledged"}


def test_missing_entries_are_told_once_though_nothing_is_recorded_after(path: Path) -> None:
    with Store(path) as store:
        play(new_session(store), "draw red blue", "draw red yellow")
        store._acknowledged.note("evening-1", 4)
    store, notices = open_store(path)
    assert len(notices) == 1
    assert store.shortfalls == ()
    store.close()
    store, notices = open_store(path)
    store.close()
    assert notices == ()


@pytest.mark.parametrize(
    ("games", "lost", "entries", "incomplete", "told"),
    [
        (2, (), 0, (), "Games that open: 2; games lost: 0; entries lost from games that open: 0. "),
        (2, (), 3, ("Capitol (Ada)", "Go"), "; entries lost from games that open: 3, of Capitol (Ada), Go. "),
        (1, (("", 0),), 0, (), "Games that open: 1; games lost: 1; entries"),
        (1, (("", 3), ("", 4)), 0, (), "Games that open: 1; games lost: 2 (entries: 7); entries"),
        (1, (("Capitol", 3), ("", 4)), 0, (), "; games lost: 2 (entries: 7): Capitol (Ada); entries"),
        (1, (("Capitol", 0),), 0, (), "; games lost: 1 (entries: 0): Capitol (Ada); entries"),
        (0, (("Capitol", 3),), 0, (), "and no game could be read. Games lost: 1 (entries: 3): Capitol (Ada). A new "),
        (0, (), 0, (), "The database of games was damaged, and no game was found in it. A new one was begun; "),
    ],
)  # fmt: skip
def test_what_was_brought_back_is_told(
    games: int, lost: tuple[tuple[str, int], ...], entries: int, incomplete: tuple[str, ...], told: str
) -> None:
    gone = tuple(LostGame("x", title, ("Ada",), "", count) for title, count in lost)
    notice = str(Salvage(Path("here/aside.sqlite3"), games, gone, entries, incomplete).notice)
    assert notice.startswith("The database of games was damaged")
    assert told in notice
    assert notice.endswith(" is kept as aside.sqlite3.")
