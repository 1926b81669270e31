"""A session against a plain list of what was done, replayed from the set-up by its actions each time."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from companion.engine import apply_unchecked, explain, judge, legal_actions
from companion.errors import SessionError
from companion.files.documents import DocumentTable, merged
from companion.position import position_document, read_position
from companion.session.entries import ActionEntry
from companion.session.record import read_record, record_text
from companion.session.rejudging import verify
from companion.session.session import Session
from companion.session.store import Store
from tests.session.evenings import new_session

TEXTS = (
    "draw red blue", "draw red red", "draw yellow", "ward F6-F7 red", "ward F6-F7 blue magistrate", "ward F7-G7 green",
    "ward A1-B1 red", "ward D8-E8 yellow magistrate", "recall F6-F7", "spend temple", "site F7", "send F6-F7", "keep",
    "collect baths", "pass", "end", "bridges 1 4", "lay white H11-I11",
)  # fmt: skip
PATCHES = (
    {"player": {"1": {"coins": 3}}},
    {"player": {"2": {"atrium": {"red": 5}}}, "actions": 1},
    {"wards": ["F6-F7 red"], "player": {"1": {"magistrates": None}, "2": {"magistrates": None}}},
    {"to_move": 2, "actions": 2, "laying": None},
    {"wards": ["E7-F7 red"]},
    {"stacks": {"red": 99}},
)


@dataclass(frozen=True)
class Done:
    """Something the table did: an action's text, a patch, or the end.

    What has a target puts an action in its place, `before` it, or nothing where the text is empty.
    """

    number: int
    seat: int | None = None
    text: str = ""
    patch: Any = None
    target: int = 0
    before: bool = False


class SessionMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.store = Store(Path(self.folder.name) / "games.sqlite3")
        self.session = new_session(self.store)
        self.game, self.first = self.session.game, self.session.state
        self.done: list[Done] = []
        self.undone: list[tuple[tuple[int, ...], Done]] = []
        """what was undone, with the point it was done at"""
        self.count = 0

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()

    def line(self) -> list[Done]:
        return self.line_and_point()[0]

    def line_and_point(self) -> tuple[list[Done], tuple[int, ...]]:
        """The moves that count, and a name of the point they lead to; what takes out the latest one leads back."""
        moves: list[Done] = []
        points: list[tuple[int, ...]] = [()]
        for done in self.done:
            if done.target:
                place = next(place for place, move in enumerate(moves) if move.number == done.target)
                if done.before:
                    moves.insert(place, Done(done.number, done.seat, done.text))
                elif done.text:
                    moves[place] = replace(moves[place], text=done.text)
                else:
                    del moves[place]
                points[place + 1 :] = [(done.number, later) for later in range(len(moves) - place)]
            else:
                moves.append(done)
                points.append((*points[-1], done.number))
        return moves, points[-1]

    def state_before(self, number: int | None = None) -> Any:
        state = self.first
        for move in self.line():
            if move.number == number:
                return state
            state = self.after(state, move)
        return state

    def after(self, state: Any, move: Done) -> Any:
        """What really happened, as far as it can have."""
        if move.patch is not None:
            return self.patched(state, move.patch) or state
        if not move.text:
            return state
        action = self.game.parse_action(move.text, state)
        if judge(self.game, state, action, move.seat).is_legal:
            return apply_unchecked(self.game, state, action).state
        decision = self.game.decide(state)
        if decision is None or move.seat not in decision.actors:
            return state
        return self.outcome(state, action) or state

    def outcome(self, state: Any, action: Any) -> Any | None:
        try:
            after = apply_unchecked(self.game, state, action).state
        except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError):
            return None
        return after if self.patched(after, {}) == after else None

    def patched(self, state: Any, patch: Any) -> Any | None:
        try:
            document = merged(position_document(self.game, state), patch)
            return read_position(DocumentTable(document, "model", "")).state
        except ValueError:
            return None

    def did(self, done: Done) -> None:
        self.done.append(done)
        self.count += 1

    def standing(self) -> tuple[int, ...]:
        return self.line_and_point()[1]

    def redoable(self) -> list[Done]:
        return [done for before, done in reversed(self.undone) if before == self.standing()]

    @property
    def is_ended(self) -> bool:
        return any(not move.text and move.patch is None for move in self.line())

    @rule(choice=st.integers(0, 10**6))
    def submit_what_is_legal(self, choice: int) -> None:
        legal = self.session.legal_actions()
        assert (legal == []) == self.session.is_over
        if legal:
            action = legal[choice % len(legal)]
            submission = self.session.submit(action, at=self.count)
            assert isinstance(submission.entry, ActionEntry)
            self.did(Done(self.count + 1, submission.entry.seat, action.text))

    @rule(text=st.sampled_from(TEXTS))
    def submit_anything(self, text: str) -> None:
        state = self.state_before()
        action = self.game.parse_action(text, state)
        if self.is_ended:
            with pytest.raises(SessionError):
                self.session.submit(action)
            return
        submission = self.session.submit(action)
        assert submission.verdict == explain(self.game, state, action)
        assert (submission.entry is not None) == submission.verdict.is_legal
        if submission.entry is not None:
            self.did(Done(self.count + 1, submission.entry.seat, text))

    @rule(text=st.sampled_from(TEXTS))
    def override(self, text: str) -> None:
        state = self.state_before()
        action = self.game.parse_action(text, state)
        possible = not judge(self.game, state, action).is_legal and self.outcome(state, action) is not None
        if self.session.is_over or not possible:
            with pytest.raises(SessionError):
                self.session.override(action, reason="agreed", by="table")
            return
        submission = self.session.override(action, reason="agreed", by="table")
        assert submission.entry is not None
        self.did(Done(self.count + 1, submission.entry.seat, text))

    @rule()
    def undo(self) -> None:
        if not self.done:
            with pytest.raises(SessionError):
                self.session.undo()
            return
        assert self.session.undo().number == self.done[-1].number
        done = self.done.pop()
        self.undone.append((self.standing(), done))
        self.count += 1

    @rule(choice=st.none() | st.integers(0, 10**6))
    def redo(self, choice: int | None) -> None:
        redoable = self.redoable()
        if not redoable:
            with pytest.raises(SessionError):
                self.session.redo()
            return
        done = redoable[0] if choice is None else redoable[choice % len(redoable)]
        assert self.session.redo(None if choice is None else done.number).number == done.number
        self.undone = [each for each in self.undone if each[1] is not done]
        self.done.append(done)
        self.count += 1

    @precondition(lambda self: self.count)
    @rule(choice=st.integers(0, 10**6), text=st.sampled_from(TEXTS))
    def amend(self, choice: int, text: str) -> None:
        number = choice % self.count + 1
        move = next((move for move in self.line() if move.number == number and move.text), None)
        action = self.game.parse_action(text, self.first)
        if move is None:
            with pytest.raises(SessionError):
                self.session.amend(number, action)
            return
        verdict = judge(self.game, self.state_before(number), action, move.seat)
        submission = self.session.amend(number, action)
        assert (submission.entry is not None) == verdict.is_legal
        if submission.entry is not None:
            self.did(Done(self.count + 1, move.seat, text, target=number))

    @precondition(lambda self: self.count)
    @rule(choice=st.integers(0, 10**6), text=st.sampled_from(TEXTS) | st.integers(0, 10**6))
    def insert(self, choice: int, text: str | int) -> None:
        number = choice % self.count + 1
        move = next((move for move in self.line() if move.number == number and move.text), None)
        if move is None:
            with pytest.raises(SessionError):
                self.session.insert(number, self.game.parse_action("end", self.first))
            return
        before = self.state_before(number)
        legal = legal_actions(self.game, before)
        if isinstance(text, int):
            text = legal[text % len(legal)].text if legal else "end"
        action, decision = self.game.parse_action(text, before), self.game.decide(before)
        submission = self.session.insert(number, action)
        assert (submission.entry is not None) == judge(self.game, before, action).is_legal
        if submission.entry is not None:
            assert decision is not None
            self.did(Done(self.count + 1, decision.actors[0], text, target=number, before=True))

    @precondition(lambda self: self.count)
    @rule(choice=st.integers(0, 10**6))
    def take_out(self, choice: int) -> None:
        number = choice % self.count + 1
        if not any(move.number == number and move.text for move in self.line()):
            with pytest.raises(SessionError):
                self.session.remove(number)
            return
        self.session.remove(number)
        self.did(Done(self.count + 1, target=number))

    @rule(patch=st.sampled_from(PATCHES))
    def correct(self, patch: Any) -> None:
        if self.patched(self.state_before(), patch) is None:
            with pytest.raises(SessionError):
                self.session.correct(patch, "")
            return
        self.session.correct(patch, "")
        self.did(Done(self.count + 1, patch=patch))

    @rule()
    def end_early(self) -> None:
        if self.session.is_over:
            with pytest.raises(SessionError):
                self.session.end_early("")
            return
        self.session.end_early("late")
        self.did(Done(self.count + 1))

    @rule(seat=st.sampled_from((1, 2)))
    def one_of_two_leaves(self, seat: int) -> None:
        if self.session.is_over:
            with pytest.raises(SessionError):
                self.session.leave(seat)
            return
        self.session.leave(seat)
        self.did(Done(self.count + 1))

    @rule()
    def reopen(self) -> None:
        exported = self.session.export()
        self.session = Session.open(self.store, self.session.id)
        assert self.session.export() == exported
        log = read_record(exported, "record")
        assert record_text(log) == exported
        assert log.state == self.session.state
        assert verify(log) == []

    @invariant()
    def the_session_is_what_the_list_says(self) -> None:
        assert self.session.state == self.state_before()
        assert self.session.state_id == len(self.session.entries) == self.count
        assert [move.number for move in self.session.moves] == [move.number for move in self.line()]
        assert self.session.log.point.ended == self.is_ended
        undoable = self.session.can_undo()
        assert (undoable.number if undoable else None) == (self.done[-1].number if self.done else None)
        assert [entry.number for entry in self.session.redoable()] == [done.number for done in self.redoable()]


SessionMachine.TestCase.settings = settings(max_examples=30, stateful_step_count=40, deadline=None)
test_session_against_a_list = SessionMachine.TestCase
