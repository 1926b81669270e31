"""What a tracker makes of looks one after another, at the limits of its patience."""

from __future__ import annotations

from typing import Any

import pytest

from companion.board.layout import EMPTY
from companion.session.observation import CameraStatus
from companion.session.tracker import Tracker
from companion.session.tracking import Finding
from tests.session.test_tracker import Table
from tests.tables import position, sight

WARD, STRAY = "ward E8-F8", "ward G7-H7"
HALF = {STRAY: {"red": 0.6, EMPTY: 0.4}}


@pytest.mark.parametrize(("second", "is_settled"), [(0.39, False), (0.4, True)])
def test_a_moment_later_is_another_look(second: float, is_settled: bool) -> None:
    table = Table()
    table.see(table.with_ward, 0.0)
    assert table.see(table.with_ward, second).settled is is_settled


def test_looks_that_follow_closely_are_one_until_a_moment_has_passed() -> None:
    table = Table()
    assert [table.see(table.with_ward, time).settled for time in (0.0, 0.3, 0.6)] == [False, False, True]


@pytest.mark.parametrize(("last", "is_settled"), [(7.9, False), (8.0, True)])
def test_half_a_move_is_told_after_eight_seconds(last: float, is_settled: bool) -> None:
    found = position('wards = ["E9-E10 red", "F9-F10 blue"]')
    game, state = found.game, found.state
    building = {**game.appearance(state), "cube F9": "black"}
    tracker, board = Tracker(game), state.table.board
    looks = [tracker.observe(state, sight(board, building, time=time)) for time in (0.0, 4.0, last)]
    explanation = looks[-1].explanation
    assert explanation is not None
    assert explanation.unfinished
    assert [each.settled for each in looks] == [False, False, is_settled]


def test_what_is_half_seen_in_three_moments_is_marked_until_a_hand_comes() -> None:
    table = Table()
    found = [table.see(table.empty, time, doubts=HALF).half_seen for time in (1.0, 2.0, 3.0, 4.0)]
    assert found == [set(), set(), {STRAY}, {STRAY}]
    table.see({}, 4.5, quiet=False, covered=frozenset({STRAY}))
    found = [table.see(table.empty, time, doubts=HALF).half_seen for time in (5.0, 6.0, 7.0)]
    assert found == [set(), set(), {STRAY}]
    assert table.see(table.empty, 8.0).half_seen == frozenset()


def test_what_is_owed_or_proposed_is_not_marked_as_half_seen() -> None:
    table = Table()
    table.tracker.record_changed(frozenset({STRAY}))
    assert [table.see(table.empty, time, doubts=HALF).half_seen for time in (1.0, 2.0, 3.0)] == [frozenset()] * 3
    assert table.tracker.owed == {STRAY}
    assert [table.see(table.with_ward, time).half_seen for time in (4.0, 5.0, 6.0)] == [frozenset()] * 3


def test_a_proposal_waits_for_a_hand_and_what_is_out_of_step_is_looked_at_anew() -> None:
    table = Table()
    proposed = table.see(table.with_ward, 1.0)
    moving = table.see({}, 1.1, quiet=False)
    assert (moving.status, moving.explanation) == (CameraStatus.SETTLING, proposed.explanation)
    table = Table()
    strange = table.see({**table.empty, STRAY: "red"}, 1.0)
    assert strange.explanation is not None
    moving = table.see({}, 1.1, quiet=False, covered=frozenset({STRAY}))
    assert (moving.status, moving.explanation) == (CameraStatus.HAND, None)


def test_a_flickering_spot_is_named_and_left_out() -> None:
    table = Table()
    for time, look in ((1.0, table.empty), (2.0, {**table.empty, STRAY: "red"})):
        table.see(look, time)
    seen = table.see(table.empty, 3.0)
    assert (seen.status, seen.doubtful) == (CameraStatus.WATCHING, {STRAY})
    seen = table.see({**table.empty, STRAY: "red"}, 4.0)
    assert (seen.status, seen.doubtful) == (CameraStatus.WATCHING, {STRAY})
    seen = table.see({**table.with_ward, STRAY: "red"}, 5.0)
    assert (seen.status, seen.doubtful) == (CameraStatus.PROPOSED, {STRAY})
    assert seen.candidate is not None
    assert [action.text for action in seen.candidate.actions] == ["ward E8-F8 red"]


def test_what_was_rejected_is_looked_at_anew_once_the_record_has_changed() -> None:
    table = Table()
    seen = sight(table.board, table.with_ward, time=1.0)
    table.tracker.observe(table.state, seen)
    table.tracker.reject(seen)
    rejected = table.see(table.with_ward, 2.0)
    assert (rejected.status, rejected.is_rejected) == (CameraStatus.OUT_OF_STEP, True)
    grown = {**table.with_ward, "magistrate E8-F8": "black"}
    assert table.see(grown, 3.0).status is CameraStatus.PROPOSED
    table.tracker.record_changed(frozenset())
    assert table.see(table.with_ward, 4.0).status is CameraStatus.PROPOSED


def history_of(table: Table, *texts: str) -> list[Any]:
    """The states before each of these actions, the latest first."""
    states = []
    for text in texts:
        states.insert(0, table.state)
        table.state = table.play(text)
    return states


def test_only_the_three_states_before_are_remembered() -> None:
    table = Table()
    history = history_of(table, *("ward E8-F8 red", "ward E9-E10 blue", "end", "ward F9-G8 green"))
    for back, earlier in enumerate(history, 1):
        tracker = Tracker(table.game)
        look = table.game.appearance(earlier)
        found = tracker.observe(table.state, sight(table.board, look, time=1.0), history).explanation
        assert found is not None
        is_known = found.finding is Finding.TAKE_BACK
        assert is_known == (table.game.appearance(earlier) in map(table.game.appearance, history[:3])), back


def test_a_take_back_of_several_pieces_is_no_cleared_table() -> None:
    found = position('wards = ["F6-F7 red", "F7-G7 blue", "C9-D9 blue"]')
    bare = position("")
    tracker, board = Tracker(found.game), found.state.table.board
    tracker.observe(found.state, sight(board, found.game.appearance(found.state), time=1.0))
    look = {spot: label for spot, label in found.game.appearance(found.state).items() if not spot.startswith("ward")}
    seen = tracker.observe(found.state, sight(board, look, time=2.0), [bare.state])
    assert seen.explanation is not None
    assert (seen.is_clearing, seen.explanation.finding) == (False, Finding.TAKE_BACK)


def test_pieces_that_are_owed_do_not_count_as_cleared() -> None:
    found = position('wards = ["F6-F7 red", "F7-G7 blue", "C9-D9 blue"]')
    look, board = dict(found.game.appearance(found.state)), found.state.table.board
    bare = {spot: label for spot, label in look.items() if not spot.startswith("ward")}
    for owed, is_clearing in ((frozenset[str](), True), (frozenset({"ward F6-F7"}), False)):
        tracker = Tracker(found.game)
        tracker.observe(found.state, sight(board, look, time=1.0))
        tracker.record_changed(owed)
        seen = tracker.observe(found.state, sight(board, bare, time=2.0))
        assert seen.is_clearing is is_clearing
        if is_clearing:
            tracker.record_changed(frozenset())
            assert tracker.proposal.status is CameraStatus.WATCHING


def test_the_words_for_what_a_camera_does_and_finds() -> None:
    table = Table()
    table.see(table.empty, 1.0)
    assert ", ".join(CameraStatus) == "watching, hand, settling, proposed, out of step, paused"
    assert ", ".join(Finding) == "no_change, action, correction, take_back, unexplained"
