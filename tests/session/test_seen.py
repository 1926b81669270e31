"""How much of what a camera sees is believed, how likely each story of it is, and what is offered instead."""

from __future__ import annotations

import math
from typing import Any

import pytest

from companion.board.layout import EMPTY
from companion.engine import apply_unchecked
from companion.session.correcting import alternatives
from companion.session.observation import CameraStatus, Observation, unread_spots
from companion.session.stories import _unordered, is_order_open, leads_to_one_state
from companion.session.tracker import ProposalState, Tracker
from companion.session.tracking import (
    Candidate,
    Explanation,
    Finding,
    differences,
    explain,
    only_takes_off,
    seen_labels,
)
from tests.tables import position, sight, start

SPOT = "ward E8-F8"
SEEN = math.log(99)
"""how much likelier a piece is that `sight` sees than none (nats)"""


def ward(*texts: str) -> tuple[Any, Any, Any]:
    """A game, its start and the state after these actions."""
    game, before = start("city_of_marble")
    state = before
    for text in texts or ("ward E8-F8 red",):
        state = apply_unchecked(game, state, game.parse_action(text, state)).state
    return game, before, state


def told(candidates: tuple[Candidate, ...]) -> list[tuple[str, float, set[str]]]:
    return [
        (", ".join(action.text for action in each.actions), pytest.approx(each.evidence), set(each.owed))
        for each in candidates
    ]


def test_a_label_counts_as_seen_from_one_half_on() -> None:
    seen = Observation(
        "board", 1, 0.0, {"a": {"red": 0.5, "": 0.3}, "b": {"red": 0.49, "": 0.3}, "c": {"": 0.9, "red": 0.1}}
    )
    assert seen_labels(seen) == {"a": "red", "c": ""}
    assert differences({"a": "red"}, {"a": "red", "b": "", "c": "blue"}) == {"c": "blue"}
    assert differences({"a": "red"}, {"a": ""}) == {"a": ""}


def test_only_what_shows_less_and_nothing_else_takes_off() -> None:
    game, before, state = ward()
    assert only_takes_off(game, state, before)
    assert not only_takes_off(game, before, state)
    assert not only_takes_off(game, state, state)
    assert not only_takes_off(game, state, ward("ward F8-G8 red")[2])


@pytest.mark.parametrize(
    ("red", "finding", "is_believed"),
    [
        (0.96, Finding.ACTION, True),
        (0.95, Finding.ACTION, False),
        (0.51, Finding.ACTION, False),
        (0.49, Finding.NO_CHANGE, None),
    ],
)
def test_a_piece_is_believed_that_is_some_twenty_times_likelier_than_none(
    red: float, finding: Finding, is_believed: bool | None
) -> None:
    game, state = start("city_of_marble")
    doubts = {SPOT: {"red": red, EMPTY: 1 - red}}
    found = explain(game, state, sight(state.table.board, game.appearance(state), doubts=doubts))
    assert found.finding is finding
    assert (found.doubtful, found.is_faint) == (({SPOT}, True) if is_believed is False else (frozenset(), False))


def test_each_piece_that_lacks_and_each_further_action_make_a_story_less_likely() -> None:
    game, before, state = ward()
    look, board = game.appearance(state), before.table.board
    found = explain(game, before, sight(board, look))
    assert told(found.candidates) == [
        ("ward E8-F8 red", SEEN, set()), ("ward E8-F8 red magistrate", SEEN - 3.0, {"magistrate E8-F8"}),
    ]  # fmt: skip
    hidden = explain(game, before, sight(board, look, covered=frozenset({"magistrate E8-F8"})))
    assert told(hidden.candidates) == [
        ("ward E8-F8 red", SEEN, set()), ("ward E8-F8 red magistrate", SEEN, set()),
    ]  # fmt: skip
    game, before, state = ward("ward E8-F8 red", "ward E9-E10 blue")
    first = explain(game, before, sight(board, game.appearance(state))).candidates[0]
    assert (len(first.actions), first.evidence) == (2, pytest.approx(2 * SEEN - 3.0))


def test_a_correction_owes_what_its_first_reading_lacks() -> None:
    game, before, state = ward()
    look = {**game.appearance(before), "ward F8-G8": "red"}
    found = explain(game, state, sight(before.table.board, look), history=[before])
    assert (found.finding, found.back, found.owed) == (Finding.CORRECTION, 1, frozenset())
    assert len(found.candidates) > 1
    assert found.candidates[1].owed


def test_an_older_state_is_counted_back() -> None:
    game, before, state = ward()
    second = apply_unchecked(game, state, game.parse_action("ward E9-E10 blue", state)).state
    seen = sight(before.table.board, game.appearance(before))
    found = explain(game, second, seen, history=[state, before])
    assert (found.finding, found.back) == (Finding.TAKE_BACK, 2)
    assert explain(game, second, seen, history=[state]).finding is not Finding.TAKE_BACK


@pytest.mark.parametrize("status", list(CameraStatus))
@pytest.mark.parametrize("is_rejected", [False, True])
def test_only_what_is_out_of_step_takes_back_or_corrects(status: CameraStatus, is_rejected: bool) -> None:
    is_open = status is CameraStatus.OUT_OF_STEP and not is_rejected
    for finding, kinds in ((Finding.TAKE_BACK, (True, False)), (Finding.CORRECTION, (False, True))):
        found = ProposalState(status, Explanation(finding), is_rejected=is_rejected)
        assert (found.takes_back, found.corrects) == (kinds if is_open else (False, False))


def test_a_proposal_without_anything_seen_has_no_candidate() -> None:
    one, other = (Candidate((name,), None, 0.0, frozenset()) for name in "ab")
    assert ProposalState().candidate is None
    assert ProposalState().candidates == ()
    found = ProposalState(explanation=Explanation(Finding.ACTION, candidates=(one, other)), choice=3)
    assert found.candidate is other
    assert ProposalState(explanation=found.explanation, is_faint=True).candidate is None
    assert ProposalState(explanation=found.explanation, is_clearing=True).candidate is None


def cleared(tracker: Tracker, state: Any, look: dict[str, str], time: float) -> ProposalState:
    """What a tracker makes of a table from which all wards are gone."""
    bare = {spot: label for spot, label in look.items() if not spot.startswith("ward")}
    return tracker.observe(state, sight(state.table.board, bare, time=time))


def test_a_table_is_cleared_only_after_it_was_in_step_and_unless_the_players_play_on() -> None:
    found = position('wards = ["F6-F7 red", "F7-G7 blue", "C9-D9 blue"]')
    look, tracker = dict(found.game.appearance(found.state)), Tracker(found.game)
    assert not cleared(tracker, found.state, look, 1.0).is_clearing
    tracker.observe(found.state, sight(found.state.table.board, look, time=2.0))
    asked = cleared(tracker, found.state, look, 3.0)
    assert (asked.is_clearing, asked.status, asked.candidate) == (True, CameraStatus.PAUSED, None)
    hand = tracker.observe(found.state, sight(found.state.table.board, look, time=3.5, quiet=False))
    assert (hand.is_clearing, hand.status) == (True, CameraStatus.PAUSED)
    kept = tracker.keep_playing()
    assert kept is tracker.proposal
    assert (kept.status, kept.is_clearing) == (CameraStatus.OUT_OF_STEP, False)
    assert kept.explanation is not None
    assert not cleared(tracker, found.state, look, 4.0).is_clearing
    tracker.observe(found.state, sight(found.state.table.board, look, time=5.0))
    assert cleared(tracker, found.state, look, 6.0).is_clearing


def test_two_pieces_that_are_gone_are_no_cleared_table() -> None:
    found = position('wards = ["F6-F7 red", "F7-G7 blue"]')
    look, tracker = dict(found.game.appearance(found.state)), Tracker(found.game)
    tracker.observe(found.state, sight(found.state.table.board, look, time=1.0))
    assert not cleared(tracker, found.state, look, 2.0).is_clearing


def test_what_is_rejected_without_a_picture_may_be_proposed_again() -> None:
    game, before, state = ward()
    tracker, seen = Tracker(game), sight(before.table.board, game.appearance(state), time=1.0)
    first = tracker.observe(before, seen)
    rejected = tracker.reject(None)
    assert (rejected.status, rejected.is_rejected) == (CameraStatus.OUT_OF_STEP, True)
    assert rejected.explanation is first.explanation
    assert tracker.observe(before, seen).status is CameraStatus.PROPOSED
    assert Tracker(game).reject(seen).explanation is None


def test_a_camera_is_read_again_and_settles_where_no_hand_is() -> None:
    game, before, _state = ward()
    tracker = Tracker(game)
    tracker.pause("camera unplugged")
    assert tracker.resume() == ProposalState()
    moving = sight(before.table.board, {}, time=1.0, quiet=False)
    assert tracker.observe(before, moving).status is CameraStatus.SETTLING


def test_spots_are_unread_only_on_sheets_of_which_others_were_read() -> None:
    _game, before, _state = ward()
    board = before.table.board
    names = {spot for sheet in board.sheets for spot in sheet.spots}
    assert unread_spots(board, sight(board, {})) == frozenset()
    assert unread_spots(board, sight(board, {}, covered=frozenset(names))) == frozenset()
    assert unread_spots(board, sight(board, {}, covered=frozenset({SPOT}))) == {SPOT}


def test_actions_lead_to_one_state_if_all_their_legal_orders_do() -> None:
    found = position("actions = 1")
    game, state = found.game, found.state
    one, other, end = (game.parse_action(text, state) for text in ("draw red blue", "draw red yellow", "end"))
    assert not leads_to_one_state(game, state, (one, end, other))
    assert is_order_open(game, state, (one, end, other))
    assert leads_to_one_state(game, state, (one, end))
    assert not is_order_open(game, state, (one, end))
    assert not leads_to_one_state(game, state, (end, end)), "no order of them is legal"
    game, state = start("city_of_marble")
    wards = tuple(game.parse_action(text, state) for text in ("ward E8-F8 red", "ward E9-E10 blue"))
    assert leads_to_one_state(game, state, wards)
    four = (*wards, game.parse_action("end", state), game.parse_action("draw red blue", state))
    assert is_order_open(game, state, four)
    assert not leads_to_one_state(game, state, (*wards, *wards, *wards)), "more are not tried"
    assert not is_order_open(game, state, (*four, four[-1]))


def test_parts_of_a_position_are_the_same_in_whatever_order() -> None:
    same = [{"a": [1, "b"], "c": {"d": None}}, {"c": {"d": None}, "a": ["b", 1]}, {"c": {"d": None}, "a": ("b", 1)}]
    assert len({_unordered(part) for part in same}) == 1
    parts = [{}, None, 1, "1", {"a": 1}, {"a": 2}, {"b": 1}, [1], [1, 1], [[1]], {"a": [1]}, "a"]
    assert len({_unordered(part) for part in parts}) == len(parts)


def offered(game: Any, state: Any, recorded: Any) -> list[str]:
    return [action.text for action in alternatives(game, state, recorded)]


def test_alternatives_differ_in_little_and_lie_near_before_others() -> None:
    game, before, _state = ward()
    recorded = game.parse_action("ward E8-F8 red", before)
    texts = offered(game, before, recorded)
    assert texts[:9] == [
        "ward E8-F8 red magistrate", "ward E8-F8 yellow", "ward E8-F8 green", "ward E8-F8 blue",
        "ward E8-F8 yellow magistrate", "ward E8-F8 green magistrate", "ward E8-F8 blue magistrate",
        "ward E8-E9 red", "ward F7-F8 red",
    ]  # fmt: skip
    unseen = [number for number, text in enumerate(texts) if not text.startswith("ward")]
    assert unseen == list(range(unseen[0], len(texts))), "what shows nothing comes last"
    spots = before.table.board.spots
    middle = spots[SPOT].centre
    plain = [text.split()[1] for text in texts if text.startswith("ward") and text.endswith(" red")]
    away = [math.dist(spots[f"ward {name}"].centre, middle) for name in plain]
    assert away == pytest.approx(sorted(away))


def test_a_picture_outweighs_what_is_near() -> None:
    game, before, _state = ward()
    recorded = game.parse_action("ward E8-F8 red", before)
    far = [text for text in offered(game, before, recorded) if text.startswith("ward") and text.endswith(" blue")][-1]
    doubts = {SPOT: {"red": 0.1, EMPTY: 0.9}, far.removesuffix(" blue"): {"blue": 0.9, EMPTY: 0.1}}
    seen = sight(before.table.board, game.appearance(before), doubts=doubts)
    assert alternatives(game, before, recorded, seen)[0].text == far
