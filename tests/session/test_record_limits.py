"""What a line of a record may hold at most, and the words in which more is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.errors import InvalidDocument, SessionError
from companion.session import record
from companion.session.record import entry_line, json_line, read_record
from companion.session.session import Session
from companion.table import Player
from tests.session.evenings import GAME, new_session, play
from tests.session.test_record import LINES, changed, refusal, set_to
from tests.tables import table_of

RULE = "COM-DRAW-1"


@pytest.mark.parametrize(
    ("line", "key", "most", "more", "told"),
    [
        (1, "id", "a" * 64, "a" * 65, "id: is '" + "a" * 65 + "'; it must be letters, digits and hyphens"),
        (3, "action", "a" * 200, "a" * 201, "action: is longer than 200 characters"),
        (3, "source", "a" * 40, "a" * 41, "source: is longer than 40 characters"),
        (3, "unchecked", [RULE] * 100, [RULE] * 101, "unchecked: has 101 entries; at most 100 are allowed"),
        (14, "rules", [RULE] * 100, [RULE] * 101, "rules: has 101 entries; at most 100 are allowed"),
        (14, "reason", "a" * 400, "a" * 401, "reason: is longer than 400 characters"),
        (14, "by", "a" * 60, "a" * 61, "by: is longer than 60 characters"),
        (20, "reason", "a" * 400, "a" * 401, "reason: is longer than 400 characters"),
        (3, "seat", 1, 0, "seat: is 0; it must be from 1 to 2"),
        (3, "seat", None, 3, "seat: is 3; it must be from 1 to 2"),
    ],
)
def test_a_line_holds_so_much_and_no_more(line: int, key: str, most: Any, more: Any, told: str) -> None:
    read_record(changed(line, set_to(key, most)), "game.jsonl")
    assert refusal(changed(line, set_to(key, more))) == f"game.jsonl: line {line}.{told}"


@pytest.mark.parametrize(
    ("line", "key", "value", "told"),
    [
        (1, "record", 2, "record: is 2; this program reads format 1"),
        (1, "record", 0, "record: is 0; this program reads format 1"),
        (1, "version", 2, "version: is 2; this program knows city_of_marble up to 1"),
        (1, "digest", "0" * 64, "digest: is not that of the board below, which is "),
        (1, "digest", "0" * 65, "digest: is longer than 64 characters"),
        (1, "version", 0, "version: is 0; it must be from 1 to "),
        (1, "entries", -1, "entries: is -1; it must be from 0 to 5000"),
        (1, "created", "a" * 101, "created: is longer than 100 characters"),
        (1, "created", "a" * 100, "created: is '" + "a" * 100 + "'; it must be a time in UTC such as 2026-11-27T19:3"),
        (1, "created", "2026-11-27T19:30:00Z ", "; it must be a time in UTC such as 2026-11-27T19:30:00Z"),
        (1, "id", "-a", "id: is '-a'; it must be letters, digits and hyphens"),
        (1, "id", "", "id: is ''; it must be letters, digits and hyphens"),
        (3, "time", "2026-11-31T19:30:00Z", "time: is '2026-11-31T19:30:00Z', which is no time of the calendar"),
        (3, "number", 0, "number: is 0; it must be from 1 to 5000"),
        (3, "number", 5001, "number: is 5001; it must be from 1 to 5000"),
        (3, "number", 5000, ": entry 5000 does not follow entry 1"),
        (3, "weather", "fine", "weather: is not known here (known: action, events, kind, number, order_seen, seat, "),
        (3, "order_seen", "no", "order_seen: must be true or false, not 'no'"),
        (3, "unchecked", ["X"], "unchecked: names 'X', which is no rule of Rome: City of Marble"),
        (3, "events", [{}] * 1001, "events: has 1001 entries; at most 1000 are allowed"),
        (3, "events", [{}] * 1000, "events[1].event: is missing"),
        (6, "target", 0, "target: is 0; it must be from 1 to 5000"),
        (6, "target", 5001, "target: is 5001; it must be from 1 to 5000"),
        (6, "target", 5000, ": entry 5000 is not the one to be undone"),
        (15, "changes", [], "changes: must be a table, not a list"),
        (18, "later", [{}] * 5001, "later: has 5001 entries; at most 5000 are allowed"),
        (18, "later", [{"number": 0, "events": None, "rules": []}], "later[1].number: is 0; it must be from 1 to"),
        (18, "later", [{"number": 1, "events": None}], "later[1].rules: is missing"),
        (18, "later", [{"number": 1, "rules": []}], "later[1].events: is missing"),
        (18, "later", [{"number": 1, "events": None, "rules": [], "seat": 1}], "later[1].seat: is not known here"),
    ],
)
def test_what_no_line_holds_is_refused(line: int, key: str, value: Any, told: str) -> None:
    assert told in refusal(changed(line, set_to(key, value))).removeprefix(f"game.jsonl: line {line}")


@pytest.mark.parametrize(
    ("kind", "members"),
    [
        ("action", "number kind time seat action source unchecked events"),
        ("override", "number kind time seat action rules reason by events"),
        ("correction", "number kind time seat changes reason"),
        ("amend", "number kind time seat target action unchecked events later"),
        ("undo", "number kind time seat target"),
        ("redo", "number kind time seat target"),
        ("end", "number kind time seat reason"),
    ],
)
def test_a_line_has_its_members_in_this_order(kind: str, members: str) -> None:
    line = next(line for line in LINES if f'"kind": "{kind}"' in line)
    text = read_record("\n".join(LINES) + "\n", "record")
    entry = next(entry for entry in text.entries if entry.kind == kind)
    assert list(record.entry_document(entry)) == members.split()
    assert entry_line(entry) == line


def test_what_could_not_be_read_back_is_refused_with_its_place() -> None:
    table = table_of(GAME, 2)
    long = replace(table, players=(Player("x" * 61, "black"), table.players[1]))
    with pytest.raises(SessionError, match=r"^a record cannot hold that: header\.table\.players\[1\]\.name is "):
        Session.create(None, long)
    session = new_session()
    with pytest.raises(SessionError, match=r"^a record cannot hold that: entry 1\.reason is longer than 400 char"):
        session.end_early("x" * 401)
    with pytest.raises(SessionError, match=r"^a record cannot hold that \("):
        session.correct({"actions": {1, 2}}, "")
    told = refusal(changed(20, set_to("reason", "x" * 2_100_000)))
    assert told == "game.jsonl: line 20: is longer than 2097152 characters"


def test_no_line_is_longer_than_can_be_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    session = new_session()
    play(session, "draw red blue")
    text, line = session.export(), entry_line(session.entries[0])
    longest = max(map(len, text.splitlines()))
    monkeypatch.setattr(record, "MAXIMUM_LINE", longest)
    assert read_record(text, "record").state == session.state
    monkeypatch.setattr(record, "MAXIMUM_LINE", longest - 1)
    with pytest.raises(InvalidDocument, match=f"^record: line 1: is longer than {longest - 1} characters$"):
        read_record(text, "record")
    monkeypatch.setattr(record, "MAXIMUM_LINE", len(line))
    assert entry_line(session.entries[0]) == line
    monkeypatch.setattr(record, "MAXIMUM_LINE", len(line) - 1)
    with pytest.raises(SessionError) as caught:
        entry_line(session.entries[0])
    most = len(line) - 1
    assert str(caught.value) == f"entry 1 is longer than the {most} characters that a record can hold"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, "\ud800", object])
def test_what_json_cannot_hold_is_refused(value: Any) -> None:
    with pytest.raises(SessionError, match=r"^a record cannot hold that \(.{1,120}\)$"):
        json_line({"x": value})
    assert json_line({"x": "ü", "y": [1, None]}) == '{"x": "ü", "y": [1, null]}'


def test_a_record_says_how_many_entries_it_has() -> None:
    session = Session.create(None, table_of(GAME, 2), game_id="evening-1")
    for entries, text in enumerate(("draw red blue", "draw red yellow", "end")):
        assert f'"entries": {entries}, ' in session.export().splitlines()[0]
        play(session, text)
