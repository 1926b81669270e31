"""Recorded actions judged again: after a change before them, and in a record that says otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from companion.detail import ON_THE_TABLE
from companion.errors import SessionError
from companion.session.entries import DetailEntry, LeaveEntry, LostEntry, ReturnEntry
from companion.session.record import read_record
from companion.session.rejudging import Problem, attempt, verify
from companion.session.session import Session
from tests.session.evenings import new_session, play, play_at_random
from tests.session.test_record import changed, set_to
from tests.tables import table_of


def action(session: Session, text: str) -> Any:
    return session.game.parse_action(text, session.state)


def problems(text: str) -> list[Problem]:
    return verify(read_record(text, "game.jsonl"))


def test_an_action_of_nobody_known_is_judged_again_as_anybodys() -> None:
    session = new_session()
    play(session, "draw red blue", "draw red yellow", "end")
    text = session.export().replace(
        '"seat": 1, "action": "draw red yellow"', '"seat": null, "action": "draw red yellow"'
    )
    again = Session.read(None, text, "record")
    assert again.entries[1].seat is None
    submission = again.amend(1, action(again, "draw yellow green"))
    assert submission.unsettled == ()
    assert [move.events is None for move in again.moves] == [False] * 3
    assert verify(again.log) == []


def test_what_changes_something_gives_the_entry_that_says_so() -> None:
    session = new_session(seats=3)
    entries = [
        session.choose_detail(ON_THE_TABLE), session.leave(2), session.come_back(2),
        session.correct({"actions": 1}, ""), session.end_early("late"),
    ]  # fmt: skip
    assert entries == list(session.entries)
    assert [type(entry) for entry in entries[:3]] == [DetailEntry, LeaveEntry, ReturnEntry]
    assert all(entry is kept for entry, kept in zip(entries, session.entries, strict=True))


def test_a_game_that_is_over_tells_no_less() -> None:
    session = new_session(seats=3)
    play_at_random(session, 1000, seed=3)
    assert session.is_over
    with pytest.raises(SessionError, match=r"^the game is over already$"):
        session.choose_detail(ON_THE_TABLE)
    with pytest.raises(SessionError, match=r"^the game is over already$"):
        session.leave(1)
    ended = new_session()
    ended.end_early("late")
    for refused in (lambda: ended.choose_detail(ON_THE_TABLE), lambda: ended.come_back(1)):
        with pytest.raises(SessionError, match=r"^the game was ended early; undo that before anything else is played$"):
            refused()


def test_whose_action_it_was_is_recorded() -> None:
    session = Session.create(None, table_of("capitol", 3))
    play(session, "pass", "pass", "pass")
    assert len(session.actors) > 1
    submission = session.submit(action(session, "ready 3"), seat=3, source="phone")
    assert submission.entry is not None
    assert (submission.entry.seat, submission.entry.source) == (3, "phone")


@pytest.mark.parametrize(
    ("line", "key", "value", "sentence"),
    [
        (14, "rules", ["COM-DRAW-3", "COM-DRAW-1"],
         "it breaks COM-TURN-1, not COM-DRAW-3, COM-DRAW-1 as the entry says"),
        (14, "rules", [], "it breaks COM-TURN-1, not none as the entry says"),
        (3, "unchecked", ["COM-DRAW-1", "COM-DRAW-3"],
         "the rules it leaves unchecked are none, not COM-DRAW-1, COM-DRAW-3"),
        (3, "events", [{"event": "WardsDrawn", "seat": 1, "colours": ["yellow", "green"]},
                       {"event": "WardsDrawn", "seat": 1, "colours": ["red", "blue"]}],
         "fact 2 is told as 'Player 1 draws red, blue.', but nothing follows"),
        (3, "events", [{"event": "WardsDrawn", "seat": 2, "colours": ["red", "blue"]}],
         "fact 1 is told as 'Player 2 draws red, blue.', but 'Player 1 draws yellow, green.' follows "
         "(another seat and colours)"),
        (3, "events", [{"event": "WardsDrawn", "seat": 1, "colours": ["red", "blue"]}],
         "fact 1 is told as 'Player 1 draws red, blue.', but 'Player 1 draws yellow, green.' follows "
         "(another colours)"),
    ],
)  # fmt: skip
def test_what_an_entry_says_otherwise_is_told_in_full(line: int, key: str, value: Any, sentence: str) -> None:
    first = problems(changed(line, set_to(key, value)))[0]
    assert (first.number, first.sentence.removesuffix(".")) == (line - 1, sentence.removesuffix("."))


def test_an_override_that_breaks_nothing_is_told_with_what_it_claims() -> None:
    def make_override(entry: dict[str, Any]) -> None:
        del entry["source"], entry["unchecked"]
        entry.update(kind="override", rules=["COM-DRAW-1"], reason="agreed", by="table")

    first = problems(changed(4, make_override))[0]
    assert first == Problem(3, "end", (), "it breaks no rule, not COM-DRAW-1 as the entry says")


def test_what_becomes_of_later_entries_is_told_where_it_does_not_follow() -> None:
    def change(index: int, **members: Any) -> Any:
        return lambda entry: entry["later"][index].update(members)

    (found,) = problems(changed(18, change(0, events=None)))
    assert found.sentence == "what it makes of entry 2 is not what follows from the change"
    assert (found.number, found.action) == (17, "draw yellow green")
    found = problems(changed(18, change(0, rules=["COM-DRAW-3"])))[0]
    assert found.sentence == "what it makes of entry 2 is not what follows from the change"
    session = new_session()
    play(session, "draw red blue", "draw red yellow")
    session.remove(1)
    text = session.export().replace(
        '"later": [{"number": 2, "rules": []', '"later": [{"number": 2, "rules": ["COM-DRAW-1"]'
    )
    assert problems(text) == [Problem(3, "", (), "what it makes of entry 2 is not what follows from the change")]


def test_a_correction_that_has_no_effect_any_more_is_not_one_that_has() -> None:
    session = new_session()
    play(session, "draw red blue")
    session.correct({"actions": 1}, "counted")
    session.amend(1, session.game.parse_action("draw yellow green", session.log.start.state))
    text, holds = session.export(), '{"number": 2, "rules": [], "events": []}'
    assert holds in text
    assert problems(text) == []
    (found,) = problems(text.replace(holds, holds.replace('"events": []', '"events": null')))
    assert found.sentence == "what it makes of entry 2 is not what follows from the change"


def test_a_missing_entry_is_a_problem_in_a_record() -> None:
    log = new_session().log.append(LostEntry(number=1, time="2026-11-27T19:30:00Z", reason="cannot be read"))
    assert verify(log) == [Problem(1, "", (), "the entry is missing: cannot be read")]


@pytest.mark.parametrize("error", [KeyError, ZeroDivisionError, AssertionError, RecursionError])
def test_what_cannot_be_judged_is_told_of_each_entry(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    session = new_session(seats=3)
    play(session, "draw red blue")
    session.leave(2)
    session.undo()

    def fail(*_arguments: Any) -> None:
        raise error

    for name in ("judge", "pass_over"):
        monkeypatch.setattr(f"companion.session.rejudging.{name}", fail)
    reason = "cannot be judged in the position that the facts before it lead to"
    assert verify(session.log) == [Problem(1, "draw red blue", (), reason), Problem(2, "", (), reason)]


def test_an_action_without_an_outcome_is_told_by_its_notation() -> None:
    session = new_session()
    with pytest.raises(SessionError) as caught:
        attempt(session.game, session.state, action(session, "ward A1-B1 red"))
    assert str(caught.value) == "'ward A1-B1 red' has no outcome in this position"


def test_what_was_told_less_and_who_left_is_judged_again() -> None:
    session = new_session(seats=3)
    play(session, "draw red blue")
    session.choose_detail(ON_THE_TABLE)
    session.leave(1)
    play(session, "end")
    session.amend(1, session.game.parse_action("draw yellow green", session.log.start.state))
    assert verify(session.log) == []
    assert session.record_status.left == {1}
    lines = session.export().splitlines()
    assert '"kind": "leave"' in lines[3]
    wrong = lines[3].replace('"seat": 1, "final": false', '"seat": 3, "final": false')
    assert wrong != lines[3]
    found = problems("\n".join([*lines[:3], wrong, *lines[4:]]) + "\n")
    assert (found[0].number, found[0].action) == (3, "")
