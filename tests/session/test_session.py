"""What a session does with what is submitted to it."""

from dataclasses import replace

import pytest

from companion.errors import InvalidDocument, SessionError, StaleState
from companion.legality import Status
from companion.session.entries import Entry, EntryKind
from companion.session.record import read_record
from companion.session.rejudging import verify
from companion.session.session import Session
from companion.table import Player
from tests.session.evenings import clock, eventful_session, new_session, play, play_at_random, rewritten_session
from tests.tables import table_of


def action(session: Session, text: str) -> object:
    return session.game.parse_action(text, session.state)


def test_a_legal_action_is_entered_with_its_facts() -> None:
    session = new_session()
    submission = session.submit(action(session, "draw red blue"), source="box")
    assert submission.verdict.status is Status.LEGAL
    assert [type(consequence.event).__name__ for consequence in submission.consequences] == ["WardsDrawn"]
    (entry,) = session.entries
    assert entry is submission.entry
    assert (entry.number, entry.kind, entry.seat, entry.summary) == (1, EntryKind.ACTION, 1, "draw red blue")
    assert entry.time == "2026-11-27T19:30:20Z"
    assert session.state_id == 1


def test_an_illegal_action_enters_nothing_and_says_which_rule() -> None:
    session = new_session()
    before = session.state
    submission = session.submit(action(session, "draw red red"))
    assert submission.entry is None
    assert [violation.rule for violation in submission.verdict.violations] == ["COM-DRAW-3"]
    assert (session.state, session.state_id, session.entries) == (before, 0, ())


def test_an_action_of_another_seat_is_refused() -> None:
    session = new_session()
    submission = session.submit(action(session, "draw red blue"), seat=2)
    assert [violation.rule for violation in submission.verdict.violations] == ["COM-TURN-5"]
    assert session.submit(action(session, "draw red blue"), seat=1).entry is not None


def test_an_action_of_one_of_several_who_are_waited_for_is_entered_as_theirs() -> None:
    session = Session.create(None, table_of("capitol", 3), clock=clock())
    play(session, "pass", "pass", "pass")
    assert set(session.actors) == {1, 2, 3}
    play(session, "ready 3", "ready 1", "ready 2")
    assert [entry.seat for entry in session.entries[-3:]] == [3, 1, 2]


def test_an_action_meant_for_an_older_state_is_refused() -> None:
    session = new_session()
    shown = session.state_id
    play(session, "draw red blue")
    with pytest.raises(StaleState, match="meant for state 0, and the game is at state 1"):
        session.submit(action(session, "draw red yellow"), at=shown)
    assert session.state_id == 1


def test_undo_names_what_it_takes_back_and_redo_brings_it_back() -> None:
    session = new_session()
    play(session, "draw red blue", "draw red yellow")
    states = {2: session.state}
    undoable = session.can_undo()
    assert undoable is not None
    assert undoable.summary == "draw red yellow"
    assert session.undo() is undoable
    assert session.can_redo() is undoable
    assert session.undone_numbers() == {2}
    assert session.redo() is undoable
    assert session.state == states[2]
    assert session.undone_numbers() == frozenset()
    assert [entry.kind for entry in session.entries] == ["action", "action", "undo", "redo"]


def test_a_change_after_an_undo_ends_the_chance_to_redo_and_loses_nothing() -> None:
    session = new_session()
    play(session, "draw red blue")
    session.undo()
    play(session, "draw red yellow")
    assert session.can_redo() is None
    with pytest.raises(SessionError, match="nothing to redo"):
        session.redo()
    assert session.undone_numbers() == {1}
    assert [entry.summary for entry in session.entries] == ["draw red blue", "undo of entry 1", "draw red yellow"]


def test_redo_survives_an_undone_mistake() -> None:
    session = new_session()
    play(session, "draw red blue", "draw red yellow", "end")
    for _ in range(3):
        session.undo()
    play(session, "draw green blue")
    assert session.redoable() == ()
    session.undo()
    assert [entry.number for entry in session.redoable()] == [7, 1]
    with pytest.raises(SessionError, match="entry 2 cannot be redone now"):
        session.redo(2)
    assert session.redo(1).number == 1
    assert [session.redo().number, session.redo().number] == [2, 3]
    assert session.can_redo() is None
    again = read_record(session.export(), "record")
    assert again.state == session.state
    assert [change.entry.number for change in again.done] == [1, 2, 3]


def test_nothing_can_be_undone_at_the_set_up() -> None:
    session = new_session()
    assert session.can_undo() is None
    with pytest.raises(SessionError, match="nothing to undo"):
        session.undo()


def test_an_override_is_entered_with_the_rules_it_breaks() -> None:
    session = new_session()
    play(session, "draw red blue", "draw red yellow")
    submission = session.override(action(session, "draw green blue"), reason="agreed", by="Giulia")
    assert submission.entry is not None
    assert submission.entry.summary == "draw green blue (against COM-TURN-1)"
    assert session.state.holding(1).domus == {"red": 2, "yellow": 1, "green": 1, "blue": 2}
    assert [move.rules for move in session.moves] == [(), (), ("COM-TURN-1",)]
    play(session, "end")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("ward A1-B1 red", "is no place for a ward"),
        ("ward E7-F7 red", "may not lie on a hill tile"),
        ("ward F6-F7 yellow", "may not lie on a hill tile or on another ward"),
        ("site H7", "no site waits now"),
        ("send F6-F7", "just after a site was completed"),
        ("recall F6-F7", "No magistrate of the player"),
        ("spend arena", "owns no arena Imperium"),
        ("collect treasury", "come home by themselves"),
        ("draw red red red red", "no action"),
        ("bridges 9", "stay hidden"),
    ],
)
def test_an_override_of_what_cannot_be_is_refused_with_the_reason(text: str, reason: str) -> None:
    session = new_session()
    play(session, "ward F6-F7 red")
    before = session.state
    with pytest.raises((SessionError, ValueError), match=reason):
        session.override(action(session, text), reason="we want it", by="table")
    assert (session.state, session.state_id) == (before, 1)


def test_an_override_is_offered_where_it_has_an_outcome_and_the_game_goes_on() -> None:
    session = new_session()
    play(session, "draw red blue", "draw red yellow")
    assert session.can_override(action(session, "draw green blue"))
    assert not session.can_override(action(session, "ward A1-B1 red"))
    session.end_early("late")
    assert not session.can_override(action(session, "draw green blue"))


def test_an_override_of_a_legal_action_is_refused() -> None:
    session = new_session()
    with pytest.raises(SessionError, match="breaks no rule"):
        session.override(action(session, "draw red blue"), reason="", by="table")


def test_a_correction_replaces_entries_of_the_position() -> None:
    session = new_session()
    play(session, "ward F6-F7 red magistrate", "draw red blue")
    session.correct({"player": {"1": {"coins": 2, "magistrates": None}}, "wards": ["F6-F7 red"]}, "nobody stood there")
    own = session.state.holding(1)
    assert (own.coins, own.magistrates, own.domus["red"]) == (2, 3, 1)
    assert session.entries[-1].summary == "correction of player, wards (nobody stood there)"
    session.undo()
    assert session.state.holding(1).magistrates == 2


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"wards": ["E7-F7 red"]}, r"wards\[1\]: E7-F7 covers E7-E8-F7, where a hill lies"),
        ({"stacks": {"red": 99}}, "stacks.red"),
        ({"players": 3}, "'players' is no entry of a position that can be corrected"),
        ({"rulings": {"supply": "strict"}}, "'rulings' is no entry"),
        ({"weather": "fine"}, "'weather' is no entry"),
    ],
)
def test_a_correction_to_no_position_is_refused(changes: dict[str, object], reason: str) -> None:
    session = new_session()
    with pytest.raises(SessionError, match=reason):
        session.correct(changes, "")
    assert session.entries == ()


def test_an_amended_action_changes_all_that_followed_from_it() -> None:
    session, twin = new_session(), new_session()
    play(session, "draw red blue", "draw red yellow", "end")
    submission = session.amend(1, session.game.parse_action("draw green blue", session.state))
    assert submission.entry is not None
    assert submission.entry.summary == "entry 1 is draw green blue"
    assert submission.unsettled == ()
    play(twin, "draw green blue", "draw red yellow", "end")
    assert session.state == twin.state
    session.undo()
    assert session.state.holding(1).atrium == {"red": 3, "yellow": 2, "green": 1, "blue": 2}


def test_later_actions_that_break_a_rule_after_an_amendment_are_kept_and_told() -> None:
    session = new_session()
    play(session, "ward F6-F7 red", "ward F7-G7 blue", "end")
    submission = session.amend(1, action(session, "ward D8-E8 red"))
    assert [(later.number, later.rules) for later in submission.unsettled] == [(2, ("COM-WARD-3",))]
    assert "F7-G7" in session.state.wards
    assert [(move.number, move.action) for move in session.moves] == [
        (1, "ward D8-E8 red"), (2, "ward F7-G7 blue"), (3, "end"),
    ]  # fmt: skip
    assert verify(session.log) == []


def test_later_actions_that_cannot_have_happened_have_no_effect_and_are_told() -> None:
    session = new_session()
    play(session, "ward F6-F7 red", "ward F7-G7 blue", "end", "draw red blue")
    submission = session.amend(1, action(session, "ward D8-E8 blue"))
    assert [(later.number, later.events is None) for later in submission.unsettled] == [(2, True), (3, False)]
    assert list(session.state.wards) == ["D8-E8"]
    assert [(move.action, move.events is None, move.rules) for move in session.moves] == [
        ("ward D8-E8 blue", False, ()),
        ("ward F7-G7 blue", True, ("COM-WARD-4",)),
        ("end", False, ("COM-TURN-3",)),
        ("draw red blue", False, ()),
    ]
    amended_too = session.amend(2, action(session, "ward F6-F7 red"))
    assert amended_too.entry is not None
    assert [move.rules for move in session.moves] == [(), (), (), ()]
    assert list(session.state.wards) == ["D8-E8", "F6-F7"]
    assert verify(session.log) == []


def test_a_later_correction_that_cannot_hold_any_more_has_no_effect_and_is_told() -> None:
    session = new_session()
    play(session, "draw green blue")
    counted = session.correct({"stacks": {"red": 10}}, "counted")
    assert counted is session.entries[-1]
    play(session, "draw yellow green")
    session.correct({"stacks": {"red": 10}}, "counted again")
    submission = session.amend(1, action(session, "draw red blue"))
    assert [(later.number, later.events) for later in submission.unsettled] == [(2, None), (4, None)]
    assert session.state.stacks["red"] == 9


def test_later_actions_of_a_seat_whose_turn_it_is_not_any_more_have_no_effect() -> None:
    session = new_session()
    play(session, "draw red blue")
    session.override(action(session, "end"), reason="agreed", by="table")
    play(session, "draw yellow green")
    submission = session.amend(2, action(session, "draw red yellow"))
    assert [(later.number, later.rules, later.events) for later in submission.unsettled] == [(3, ("COM-TURN-1",), None)]
    assert (session.state.active, session.state.stacks["green"]) == (1, 14)


def test_an_illegal_amendment_enters_nothing() -> None:
    session = new_session()
    play(session, "draw red blue", "draw red yellow")
    submission = session.amend(2, action(session, "draw red red"))
    assert submission.entry is None
    assert [violation.rule for violation in submission.verdict.violations] == ["COM-DRAW-3"]
    assert session.state_id == 2


def test_only_actions_that_stand_can_be_amended() -> None:
    session = new_session()
    play(session, "draw red blue", "draw red yellow")
    session.undo()
    session.correct({"actions": 1}, "")
    for number in (0, 2, 3, 4, 5):
        with pytest.raises(SessionError, match=f"entry {number} is no action or was undone"):
            session.amend(number, action(session, "draw red green"))


def test_a_missed_action_is_inserted_where_it_belongs() -> None:
    session, twin = new_session(), new_session()
    play(session, "draw red blue", "draw red yellow", "end")
    session.undo()
    session.remove(2)
    submission = session.insert(1, action(session, "ward F6-F7 red"))
    assert submission.entry is not None
    assert submission.entry.summary == "ward F6-F7 red before entry 1"
    assert (submission.entry.seat, submission.unsettled) == (1, ())
    play(twin, "ward F6-F7 red", "draw red blue")
    assert session.state == twin.state
    assert [move.action for move in session.moves] == ["ward F6-F7 red", "draw red blue"]
    assert verify(session.log) == []
    session.undo()
    assert [move.action for move in session.moves] == ["draw red blue"]
    session.redo()
    inserted = session.moves[0].number
    session.amend(inserted, action(session, "ward F6-F7 blue"))
    assert session.moves[0].action == "ward F6-F7 blue"
    assert verify(session.log) == []


def test_what_an_insertion_or_a_removal_breaks_is_told() -> None:
    session = new_session()
    play(session, "ward F6-F7 red", "ward F7-G7 blue", "end", "draw red blue")
    removal = session.remove(1)
    assert [(later.number, later.events is None) for later in removal.unsettled] == [(2, False), (3, False)]
    assert [later.rules for later in removal.unsettled] == [("COM-WARD-3",), ("COM-TURN-3",)]
    assert 1 in session.undone_numbers()
    assert verify(session.log) == []
    session.undo()
    assert 1 not in session.undone_numbers()
    insertion = session.insert(2, action(session, "draw yellow green"))
    assert [later.number for later in insertion.unsettled] == [2]
    assert verify(session.log) == []


def test_an_illegal_insertion_enters_nothing_and_only_actions_that_stand_can_be_taken_out() -> None:
    session = new_session()
    play(session, "draw red blue", "draw red yellow")
    assert session.insert(2, action(session, "draw red red")).entry is None
    assert session.state_id == 2
    session.remove(2)
    for change in (lambda: session.remove(2), lambda: session.insert(2, action(session, "draw red blue"))):
        with pytest.raises(SessionError, match="entry 2 is no action or was undone"):
            change()


def test_a_record_with_insertions_and_removals_is_read_back() -> None:
    session = rewritten_session()
    again = Session.read(None, session.export(), "game.jsonl")
    assert again.entries == session.entries
    assert again.state == session.state
    assert [move.action for move in again.moves][:2] == ["draw yellow green", "draw red yellow"]
    assert [getattr(entry, "order_seen", True) for entry in again.entries].count(False) == 1


def test_a_game_that_was_ended_early_takes_no_action_until_that_is_undone() -> None:
    session = new_session()
    play(session, "draw red blue")
    session.end_early("late")
    assert session.is_over
    assert session.legal_actions() == []
    with pytest.raises(SessionError, match="undo that before anything else is played"):
        session.submit(action(session, "draw red yellow"))
    with pytest.raises(SessionError, match="over already"):
        session.end_early("again")
    session.correct({"player": {"1": {"coins": 1}}}, "counted")
    assert session.is_over
    session.undo()
    session.undo()
    assert not session.is_over
    play(session, "draw red yellow")


def test_a_game_played_to_its_end_is_over() -> None:
    session = new_session(seats=3)
    play_at_random(session, 1000, seed=3)
    assert session.is_over
    assert session.scores().final
    assert session.legal_actions() == []
    with pytest.raises(SessionError, match="the game is over"):
        session.override(action(session, "draw red blue"), reason="more", by="table")
    with pytest.raises(SessionError, match="over already"):
        session.end_early("late")


def test_a_game_begins_from_the_board_as_it_lies() -> None:
    start = {"game": "city_of_marble", "wards": ["E8-F8 red 1"], "to_move": 2, "player": {"2": {"coins": 1}}}
    session = Session.create(None, table_of("city_of_marble", 2), start)
    assert (list(session.state.wards), session.state.active, session.state.holding(2).coins) == (["E8-F8"], 2, 1)
    play(session, "ward F8-G7 blue")
    again = Session.read(None, session.export(), "record")
    assert again.state == session.state
    assert again.export() == session.export()


def test_a_start_that_is_no_position_is_refused() -> None:
    with pytest.raises(InvalidDocument, match=r"start: wards\[1\]: 'E1-E9' is no ward inside the grid"):
        Session.create(None, table_of("city_of_marble", 2), {"wards": ["E1-E9 red"]})


def test_observers_are_told_after_acceptance_and_only_as_long_as_they_want() -> None:
    session = new_session()
    told: list[tuple[int, int]] = []

    def observer(entry: Entry) -> None:
        told.append((entry.number, session.state_id))

    stop = session.observe(observer)
    play(session, "draw red blue")
    session.submit(action(session, "draw red red"))
    session.undo()
    stop()
    play(session, "draw red blue")
    assert told == [(1, 1), (2, 2)]


def test_an_observer_that_fails_neither_stops_the_game_nor_the_others(caplog: pytest.LogCaptureFixture) -> None:
    session = new_session()
    told: list[int] = []

    def broken(entry: Entry) -> None:
        raise ZeroDivisionError

    session.observe(broken)
    session.observe(lambda entry: told.append(entry.number))
    play(session, "draw red blue")
    assert told == [1]
    assert "an observer failed on entry 1" in caplog.text


def test_a_record_of_every_kind_of_entry_holds_and_reads_back() -> None:
    session = eventful_session()
    assert verify(session.log) == []
    again = Session.read(None, session.export(), "record")
    assert again.entries == session.entries
    assert again.moves == session.moves
    assert again.state == session.state
    assert again.export() == session.export()
    assert again.can_undo() == session.can_undo()
    assert again.undone_numbers() == session.undone_numbers()


@pytest.mark.parametrize(
    ("reason", "by", "told"),
    [
        ("x" * 401, "table", "reason is longer than 400"),
        ("", "x" * 61, "by is longer than 60"),
        ("\ud800", "", "utf-8"),
    ],
)
def test_what_a_record_cannot_hold_is_not_entered(reason: str, by: str, told: str) -> None:
    session = new_session()
    with pytest.raises(SessionError, match=told):
        session.override(action(session, "draw red red"), reason=reason, by=by)
    with pytest.raises(SessionError, match="a record cannot hold that"):
        session.correct({"actions": {1, 2}}, "")
    assert session.entries == ()


@pytest.mark.parametrize("name", ["x" * 61, "\udcff"])
def test_a_table_that_no_record_can_hold_is_refused(name: str) -> None:
    table = table_of("city_of_marble", 2)
    table = replace(table, players=(Player(name, "black"), Player("Anna", "white")))
    with pytest.raises(SessionError, match="a record cannot hold that"):
        Session.create(None, table)
