"""The tracker proposes, waits for a second quiet moment, and never insists on what was rejected."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from companion.board.layout import EMPTY
from companion.engine import apply_unchecked, random_game
from companion.session.observation import CameraStatus
from companion.session.tracker import Tracker
from companion.session.tracking import Finding
from tests.tables import position, sight, start


class Table:
    """A table on which a red ward is laid before a tracker's eyes."""

    def __init__(self) -> None:
        self.game, self.state = start("city_of_marble")
        self.board = self.state.table.board
        self.tracker = Tracker(self.game)
        self.empty = self.game.appearance(self.state)
        self.after = self.play("ward E8-F8 red")
        self.with_ward = self.game.appearance(self.after)

    def play(self, text: str) -> Any:
        return apply_unchecked(self.game, self.state, self.game.parse_action(text, self.state)).state

    def see(self, look: Mapping[str, str], time: float, **options: Any) -> Any:
        return self.tracker.observe(self.state, sight(self.board, look, time=time, **options))


def test_a_first_sight_is_proposed_and_a_second_moment_settles_it() -> None:
    table = Table()
    first = table.see(table.with_ward, 1.0)
    assert (first.status, first.settled) == (CameraStatus.PROPOSED, False)
    assert first.candidate is not None
    assert first.candidate.actions[0].text == "ward E8-F8 red"
    assert not table.see(table.with_ward, 1.1).settled
    assert table.see(table.with_ward, 1.6).settled


def test_a_growing_change_starts_the_waiting_anew() -> None:
    table = Table()
    table.see(table.with_ward, 1.0)
    grown = {**table.with_ward, "magistrate E8-F8": "black"}
    second = table.see(grown, 1.6)
    assert second.candidate is not None
    assert second.candidate.actions[0].text == "ward E8-F8 red magistrate"
    assert not second.settled


def test_a_hand_is_named_and_keeps_the_proposal_waiting() -> None:
    table = Table()
    assert table.see({}, 1.0, quiet=False, covered=frozenset({"ward E8-F8"})).status is CameraStatus.HAND
    table.see(table.with_ward, 2.0)
    waiting = table.see({}, 2.2, quiet=False, covered=frozenset({"ward E8-F8"}))
    assert (waiting.status, waiting.settled) == (CameraStatus.HAND, False)
    assert waiting.candidate is not None


def test_a_hand_between_two_looks_at_a_piece_that_was_laid_does_not_begin_the_waiting_anew() -> None:
    table = Table()
    table.see(table.with_ward, 1.0)
    table.see({}, 1.2, quiet=False, covered=frozenset({"ward E8-F8"}))
    assert table.see(table.with_ward, 1.6).settled


def test_next_turns_to_the_other_reading_and_round_again() -> None:
    table = Table()
    table.see(table.with_ward, 1.0)
    assert table.tracker.next().candidate.actions[0].text == "ward E8-F8 red magistrate"  # type: ignore[union-attr]
    assert table.tracker.next().candidate.actions[0].text == "ward E8-F8 red"  # type: ignore[union-attr]


def test_what_next_turned_to_stays_while_the_same_is_seen() -> None:
    table = Table()
    table.see(table.with_ward, 1.0)
    table.tracker.next()
    assert table.see(table.with_ward, 1.6).candidate.actions[0].text == "ward E8-F8 red magistrate"
    other = table.game.appearance(table.play("ward E9-E10 blue"))
    assert table.see(other, 2.0).candidate.actions[0].text == "ward E9-E10 blue"


def test_a_rejected_sight_is_not_proposed_again_until_it_changes() -> None:
    table = Table()
    seen = sight(table.board, table.with_ward, time=1.0)
    table.tracker.observe(table.state, seen)
    table.tracker.reject(seen)
    assert table.see(table.with_ward, 2.0).candidate is None
    assert table.see(table.with_ward, 2.0).status is CameraStatus.OUT_OF_STEP
    table.see(table.empty, 3.0)
    assert table.see(table.with_ward, 4.0).status is CameraStatus.PROPOSED


def test_an_illegal_sight_is_out_of_step_and_settles_with_its_rule() -> None:
    table = Table()
    look = {**table.empty, "ward G7-H7": "red"}
    table.see(look, 1.0)
    second = table.see(look, 1.6)
    assert (second.status, second.settled) == (CameraStatus.OUT_OF_STEP, True)
    assert second.explanation is not None
    assert second.explanation.finding is Finding.UNEXPLAINED
    assert second.explanation.near_miss is not None


def test_what_is_owed_waits_quietly_until_it_is_done() -> None:
    table = Table()
    table.state = table.after
    table.tracker.record_changed(frozenset({"ward E8-F8"}))
    assert table.see(table.empty, 1.0).status is CameraStatus.WATCHING
    assert table.tracker.owed == {"ward E8-F8"}
    table.see(table.with_ward, 2.0)
    assert table.tracker.owed == frozenset()


def test_a_paused_eye_says_why() -> None:
    paused = Table().tracker.pause("camera unplugged")
    assert (paused.status, paused.reason) == (CameraStatus.PAUSED, "camera unplugged")


def test_a_touch_does_not_open_a_paused_eye() -> None:
    table = Table()
    table.tracker.pause("camera unplugged")
    table.tracker.record_changed(frozenset({"ward E8-F8"}))
    assert (table.tracker.proposal.status, table.tracker.proposal.reason) == (CameraStatus.PAUSED, "camera unplugged")
    assert table.see(table.empty, 1.0).status is CameraStatus.WATCHING


def test_a_spot_told_to_differ_does_not_hold_up_the_game() -> None:
    table = Table()
    stray = {**table.empty, "ward G7-H7": "red"}
    table.see(stray, 1.0)
    assert table.see(stray, 1.5).settled
    both = {**table.with_ward, "ward G7-H7": "red"}
    found = [table.see(both, time) for time in (3.0, 3.5)][-1]
    assert (found.status, found.settled) == (CameraStatus.PROPOSED, True)
    assert [action.text for action in found.candidate.actions] == ["ward E8-F8 red"]
    table.state = table.after
    table.tracker.record_changed(frozenset())
    assert table.tracker.owed == {"ward G7-H7"}, "it stays marked"
    assert table.see(both, 4.0).explanation is None


def test_a_spot_seen_once_to_differ_holds_up_the_game_until_it_settles() -> None:
    table = Table()
    table.see({**table.empty, "ward G7-H7": "red"}, 1.0)
    both = {**table.with_ward, "ward G7-H7": "red"}
    found = [table.see(both, time) for time in (1.1, 1.6)]
    assert [each.status for each in found] == [CameraStatus.OUT_OF_STEP] * 2


def test_what_no_hand_was_over_is_not_held_against_a_move() -> None:
    for touched, status in (("ward E8-F8", CameraStatus.PROPOSED), ("ward G7-H7", CameraStatus.OUT_OF_STEP)):
        table = Table()
        table.see(table.empty, 1.0)
        table.see({}, 1.2, quiet=False, covered=frozenset({"ward E8-F8", touched}))
        assert table.see({**table.with_ward, "ward G7-H7": "red"}, 2.0).status is status


def test_half_a_move_is_told_only_after_a_while() -> None:
    game, start_state = start("aqua_romana")
    for state, _action, step in random_game(game, start_state, Random(2)):
        look, before = game.appearance(step.state), game.appearance(state)
        gone = [spot for spot in before if spot.startswith("worker") and spot not in look]
        if gone:
            break
    tracker = Tracker(game)
    half = {spot: label for spot, label in before.items() if spot != gone[0]}
    board = state.table.board
    found = [tracker.observe(state, sight(board, half, time=time)) for time in (1.0, 1.5, 8.0, 9.5)]
    assert [each.status for each in found] == [CameraStatus.OUT_OF_STEP] * 4
    assert [each.settled for each in found] == [False, False, False, True]


def test_what_is_hardly_seen_is_looked_at_again_before_anybody_is_asked() -> None:
    table = Table()
    faint = {"ward E8-F8": {"red": 0.55, EMPTY: 0.45}}
    once = table.see(table.empty, 1.0, doubts=faint)
    assert (once.status, once.candidate, once.candidates) == (CameraStatus.WATCHING, None, ())
    assert table.see(table.empty, 2.0).explanation is None
    table.see(table.empty, 3.0, doubts=faint)
    twice = table.see(table.empty, 4.0, doubts=faint)
    assert twice.status is CameraStatus.PROPOSED
    assert twice.candidate is not None


def test_what_is_only_taken_off_is_looked_at_once_more_without_a_hand_between() -> None:
    table = Table()
    magistrate = "magistrate E8-F8"
    for text in ("ward E8-F8 red magistrate", "draw red red", "end", "draw red blue", "draw red red", "end"):
        table.state = table.play(text)
    look = dict(table.game.appearance(table.state))
    away = {spot: label for spot, label in look.items() if spot != magistrate}
    table.see(look, 1.0)
    assert [table.see(away, time).settled for time in (2.0, 3.0)] == [False, False]
    table.see({}, 3.5, quiet=False, covered=frozenset({magistrate}))
    settled = [table.see(away, time).settled for time in (4.0, 5.0, 6.0)]
    assert settled == [False, False, True]
    assert [action.text for action in table.tracker.proposal.candidate.actions] == ["recall E8-F8"]  # type: ignore[union-attr]


def test_only_a_piece_laid_elsewhere_corrects_and_only_one_taken_up_takes_back() -> None:
    table = Table()
    before, table.state = table.state, table.after
    elsewhere = {**table.empty, "ward F8-G8": "red"}
    strange = {**table.with_ward, "ward A1-B1": "red"}
    kinds = []
    for time, look in enumerate((elsewhere, table.empty, strange), 1):
        seen = table.tracker.observe(table.state, sight(table.board, look, time=float(time)), [before])
        kinds.append((seen.corrects, seen.takes_back))
    assert kinds == [(True, False), (False, True), (False, False)]
    for look in (elsewhere, table.empty):
        seen = sight(table.board, look, time=9.0)
        table.tracker.observe(table.state, seen, [before])
        rejected = table.tracker.reject(seen)
        assert rejected is table.tracker.proposal
        assert rejected.is_rejected
        assert not rejected.corrects
        assert not rejected.takes_back


@pytest.mark.parametrize(("came", "is_clearing"), [(0, True), (2, True), (3, False)])
def test_a_table_is_cleared_where_at_most_one_piece_came_for_two_that_went(came: int, is_clearing: bool) -> None:
    wards = ["F6-F7 red", "F7-G7 blue", "G7-H7 green", "C9-D9 blue", "J4-K4 red"]
    found = position(f"wards = {wards[:4]}")
    tracker, board = Tracker(found.game), found.state.table.board
    look = dict(found.game.appearance(found.state))
    tracker.observe(found.state, sight(board, look, time=1.0))
    for ward in wards[:4]:
        del look[f"ward {ward.split()[0]}"]
    for spot in ("E9-E10", "F9-F10", "J4-K4")[:came]:
        look[f"ward {spot}"] = "red"
    assert tracker.observe(found.state, sight(board, look, time=2.0)).is_clearing == is_clearing
