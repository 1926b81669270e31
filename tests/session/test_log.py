"""What a log takes and what it refuses, in the words in which it says so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.errors import InvalidDocument, SessionError
from companion.session.entries import (
    ActionEntry,
    AmendEntry,
    EndEntry,
    InsertEntry,
    LeaveEntry,
    LostEntry,
    RedoEntry,
    RemoveEntry,
    ReturnEntry,
    UndoEntry,
)
from companion.session.log import Log, begin, check_position, corrected
from tests.session.evenings import new_session, play

TIME = "2026-11-27T19:30:00Z"


def played(*texts: str, seats: int = 2) -> Log:
    session = new_session(seats=seats)
    play(session, *texts)
    return session.log


def refusal(log: Log, entry: Any) -> str:
    with pytest.raises(SessionError) as caught:
        log.append(entry)
    return str(caught.value)


def undo(number: int, target: int) -> UndoEntry:
    return UndoEntry(number=number, time=TIME, target=target)


def redo(number: int, target: int) -> RedoEntry:
    return RedoEntry(number=number, time=TIME, target=target)


def test_entries_are_numbered_without_gaps() -> None:
    log = played("draw red blue")
    for number in (0, 1, 3):
        assert refusal(log, undo(number, 1)) == f"entry {number} does not follow entry 1"


def test_only_the_latest_change_can_be_undone() -> None:
    assert refusal(played(), undo(1, 1)) == "there is nothing to be undone"
    log = played("draw red blue", "draw red yellow")
    assert refusal(log, undo(3, 1)) == "entry 1 is not the one to be undone; that is entry 2"
    assert log.append(undo(3, 2)).state == played("draw red blue").state


def test_only_what_was_undone_here_can_be_redone() -> None:
    log = played("draw red blue")
    assert refusal(log, redo(2, 1)) == "there is nothing to be redone"
    undone = log.append(undo(2, 1))
    assert refusal(undone, redo(3, 2)) == "entry 2 is not the one to be redone; that is entry 1"
    session = new_session()
    play(session, "draw red blue")
    session.undo()
    play(session, "draw red yellow")
    session.undo()
    assert refusal(session.log, redo(5, 2)) == "entry 2 is not the one to be redone; that is entry 3 or 1"
    assert session.log.append(redo(5, 1)).state == log.state


def test_facts_that_contradict_the_position_are_told_with_their_place() -> None:
    log = played("ward F6-F7 red magistrate")
    entry = log.entries[0]
    again = replace(entry, number=2)
    told = refusal(log, again)
    assert told.startswith("what entry 2 says cannot have happened: its fact 1, ")
    assert told.endswith(", contradicts the position before it")
    fact = played("draw red blue").entries[0].events[0]
    assert "its fact 2, " in refusal(log, replace(again, events=(fact, *entry.events)))


def test_who_leaves_or_comes_back_must_sit_there() -> None:
    log = played(seats=3)
    leave, back = (kind(number=1, time=TIME) for kind in (LeaveEntry, ReturnEntry))
    for seat in (None, 0, 4):
        assert refusal(log, replace(leave, seat=seat)) == "entry 1 must say who leaves, a seat of this table"
        assert refusal(log, replace(back, seat=seat)) == "entry 1 must say who returns, a seat of this table"
    assert refusal(log, replace(back, seat=2)) == "Player 2 has not left"
    left = log.append(replace(leave, seat=2))
    assert refusal(left, replace(leave, number=2, seat=2)) == "Player 2 has left already"
    assert left.point.left == {2}
    assert left.append(replace(back, number=2, seat=2)).point.left == frozenset()
    assert left.append(replace(leave, number=2, seat=3)).point.ended


def test_a_game_that_was_ended_takes_corrections_only() -> None:
    log = played("draw red blue").append(EndEntry(number=2, time=TIME, reason="late"))
    entry = replace(played("draw red blue", "draw red yellow").entries[1], number=3)
    assert refusal(log, entry) == "the game was ended early; undo that before anything else is played"
    assert log.append(LostEntry(number=3, time=TIME, reason="cannot be read")).state == log.state
    assert log.append(undo(3, 2)).append(replace(entry, number=4)).point.ended is False


def test_what_rewrites_must_say_what_becomes_of_all_that_follows() -> None:
    log = played("draw red blue", "draw red yellow", "end")
    facts = played("draw yellow green").entries[0].events
    for kind, does in ((AmendEntry, "amends"), (InsertEntry, "inserts an action before")):
        entry = kind(number=4, time=TIME, target=2, action="draw yellow green", events=facts)
        assert refusal(log, entry) == f"entry 4 {does} entry 2 but leaves out what becomes of some after it"
    remove = RemoveEntry(number=4, time=TIME, target=2)
    assert refusal(log, remove) == "entry 4 takes out entry 2 but leaves out what becomes of some after it"
    assert refusal(log, replace(remove, target=9)) == "entry 9 is no action or was undone; it cannot be changed"
    last = replace(remove, target=3)
    assert log.append(last).state == played("draw red blue", "draw red yellow").state


def test_a_correction_names_entries_of_the_position_that_may_change() -> None:
    log = played()
    with pytest.raises(SessionError) as caught:
        corrected(log.game, log.state, {"wards": [], "players": 3})
    assert str(caught.value) == "'players' is no entry of a position that can be corrected during a game"
    with pytest.raises(SessionError, match="the position would not hold: wards: must be a list"):
        corrected(log.game, log.state, {"wards": 7})
    assert corrected(log.game, log.state, {}) == log.state


def test_a_header_begins_at_its_start_or_at_the_set_up() -> None:
    header = played().header
    assert begin(header).state == played().state
    for source, named in (("", header.id), ("game.jsonl", "game.jsonl")):
        with pytest.raises(InvalidDocument) as caught:
            begin(replace(header, start={"weather": "fine"}), source)
        assert str(caught.value).startswith(f"{named}: start.weather: is not known here")


def test_a_position_that_contradicts_itself_is_refused() -> None:
    log = played()

    class Broken:
        position_keys = log.game.position_keys

        def __init__(self, found: Any) -> None:
            self._found = found

        def state_document(self, state: Any) -> Any:
            if isinstance(self._found, Exception):
                raise self._found
            return self._found

        def read_state(self, document: Any, table: Any) -> Any:
            return "another state"

    for error in (KeyError("x"), ZeroDivisionError(), AttributeError("x")):
        with pytest.raises(SessionError, match="the position contradicts itself so that it cannot be written down"):
            check_position(Broken(error), log.state)
    with pytest.raises(SessionError, match="the position would not hold: it cannot be read back as it is"):
        check_position(Broken({}), log.state)
    check_position(log.game, log.state)


def test_an_action_keeps_what_reported_it() -> None:
    entry = played("draw red blue").entries[0]
    assert isinstance(entry, ActionEntry)
    assert entry.source == "touch"
    assert (LostEntry(number=1, time=TIME, reason="").source, LostEntry(number=1, time=TIME, reason="").events) == (
        "",
        (),
    )
