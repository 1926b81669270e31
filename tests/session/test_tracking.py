"""A sight of the board is explained as what the table did, without any picture."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from companion.board.layout import EMPTY
from companion.engine import GameRules, apply_unchecked, legal_actions, random_game
from companion.session.stories import is_only_story
from companion.session.tracking import CLEAR_MARGIN, Candidate, Explanation, Finding, explain
from tests.every_game import CAPTURING, EVERY_GAME
from tests.tables import position, sight, start


def texts(explanation: Explanation) -> list[str]:
    return [action.text for action in explanation.candidates[0].actions]


def test_an_unchanged_board_is_no_change() -> None:
    game, state = start("city_of_marble")
    found = explain(game, state, sight(state.table.board, game.appearance(state)))
    assert found.finding is Finding.NO_CHANGE
    assert found.spots == frozenset()


def test_every_visible_action_of_random_games_is_the_first_candidate() -> None:
    seen = 0
    for seed in range(3):
        game, state = start("city_of_marble", 2 + seed)
        for before, action, step in random_game(game, state, Random(seed)):
            look = game.appearance(step.state)
            if look != game.appearance(before):
                found = explain(game, before, sight(before.table.board, look))
                assert found.finding is Finding.ACTION
                assert found.candidates[0].actions == (action,)
                seen += 1
    assert seen > 150


def test_a_ward_its_building_and_the_magistrate_sent_are_one_visit() -> None:
    game, state = _before_a_temple()
    ward = apply_unchecked(game, state, game.parse_action("ward F9-G8 green magistrate", state)).state
    sent = apply_unchecked(game, ward, game.parse_action("send F9-G8", ward)).state
    found = explain(game, state, sight(state.table.board, game.appearance(sent)))
    assert texts(found) == ["ward F9-G8 green magistrate", "send F9-G8"]


def test_a_building_not_yet_placed_is_owed_and_does_not_disturb() -> None:
    game, state = _before_a_temple()
    after = apply_unchecked(game, state, game.parse_action("ward F9-G8 green magistrate", state)).state
    look = {spot: label for spot, label in game.appearance(after).items() if not spot.startswith(("building", "cube"))}
    found = explain(game, state, sight(state.table.board, look))
    assert texts(found) == ["ward F9-G8 green magistrate"]
    assert found.owed == {"building F9", "cube F9"}
    later = explain(game, after, sight(state.table.board, look), owed=found.owed)
    assert later.finding is Finding.NO_CHANGE
    assert later.owed == {"building F9", "cube F9"}


def test_a_ward_without_and_with_magistrate_are_both_offered() -> None:
    game, state = start("city_of_marble")
    after = apply_unchecked(game, state, game.parse_action("ward E8-F8 red", state)).state
    found = explain(game, state, sight(state.table.board, game.appearance(after)))
    assert [candidate.actions[0].text for candidate in found.candidates] == [
        "ward E8-F8 red",
        "ward E8-F8 red magistrate",
    ]
    assert found.margin >= 2


def test_a_forgotten_press_is_put_in_between() -> None:
    found_position = position('actions = 0\nwards = ["E8-F8 red"]')
    game, state = found_position.game, found_position.state
    look = {**game.appearance(state), "ward F9-G8": "blue"}
    found = explain(game, state, sight(state.table.board, look))
    assert texts(found) == ["end", "ward F9-G8 blue"]


def test_a_ward_at_a_corner_is_unexplained_and_names_the_rule() -> None:
    game, state = start("city_of_marble")
    look = {**game.appearance(state), "ward G7-H7": "red"}
    found = explain(game, state, sight(state.table.board, look))
    assert found.finding is Finding.UNEXPLAINED
    assert found.spots == {"ward G7-H7"}
    assert found.near_miss is not None
    action, verdict = found.near_miss
    assert action.text == "ward G7-H7 red"
    assert [violation.rule for violation in verdict.violations] == ["COM-WARD-3"]


def test_taking_the_last_ward_up_again_is_a_take_back() -> None:
    game, state = start("city_of_marble")
    after = apply_unchecked(game, state, game.parse_action("ward E8-F8 red", state)).state
    found = explain(game, after, sight(state.table.board, game.appearance(state)), history=[state])
    assert (found.finding, found.back) == (Finding.TAKE_BACK, 1)


def test_shifting_the_last_ward_is_a_correction() -> None:
    game, state = start("city_of_marble")
    after = apply_unchecked(game, state, game.parse_action("ward E8-F8 red", state)).state
    look = {**game.appearance(state), "ward F8-G8": "red"}
    found = explain(game, after, sight(state.table.board, look), history=[state])
    assert (found.finding, found.back) == (Finding.CORRECTION, 1)
    assert texts(found) == ["ward F8-G8 red"]


def test_a_simple_story_is_preferred_to_a_long_one_while_a_spot_is_unsure() -> None:
    game, state = _before_a_temple()
    ward = apply_unchecked(game, state, game.parse_action("ward F9-G8 green magistrate", state)).state
    sent = apply_unchecked(game, ward, game.parse_action("send F9-G8", ward)).state
    doubts = {"envoy temple black": {"": 0.45, "1": 0.4, "2": 0.15}}
    found = explain(game, ward, sight(state.table.board, game.appearance(sent), doubts=doubts))
    assert texts(found) == ["send F9-G8"]
    assert found.margin >= 2


def test_unsure_and_covered_spots_explain_nothing() -> None:
    game, state = start("city_of_marble")
    board = state.table.board
    doubts = {"ward E8-F8": {"": 0.4, "red": 0.35, "blue": 0.25}}
    assert explain(game, state, sight(board, game.appearance(state), doubts=doubts)).finding is Finding.NO_CHANGE
    look = {**game.appearance(state), "ward E8-F8": "red"}
    hidden = sight(board, look, covered=frozenset({"ward E8-F8"}))
    assert explain(game, state, hidden).finding is Finding.NO_CHANGE


def test_a_half_seen_spot_stands_in_nobodys_way() -> None:
    game, state = start("city_of_marble")
    board = state.table.board
    look = {**game.appearance(state), "ward E8-F8": "red"}
    found = explain(game, state, sight(board, look, doubts={"ward G7-H7": {"red": 0.6, "": 0.4}}))
    assert texts(found) == ["ward E8-F8 red"]
    assert found.is_clear
    alone = sight(board, game.appearance(state), doubts={"ward G7-H7": {"red": 0.6, "": 0.4}})
    assert explain(game, state, alone).finding is Finding.NO_CHANGE


def test_a_half_seen_move_is_proposed_and_must_be_asked() -> None:
    game, state = start("city_of_marble")
    found = explain(
        game, state, sight(state.table.board, game.appearance(state), doubts={"ward E8-F8": {"red": 0.8, "": 0.2}})
    )
    assert texts(found) == ["ward E8-F8 red"]
    assert (found.doubtful, found.is_clear) == ({"ward E8-F8"}, False)


@pytest.mark.parametrize(("other", "is_read"), [(0.6, True), (0.9, True), (0.98, False)])
def test_a_piece_taken_for_another_is_what_the_rules_say_and_must_be_asked(other: float, is_read: bool) -> None:
    game, state = _before_a_temple()
    ward = game.parse_action("ward F9-G8 green magistrate", state)
    look = game.appearance(apply_unchecked(game, state, ward).state)
    doubts = {"cube F9": {"orange": other, look["cube F9"]: 0.99 - other, "": 0.01}}
    assert look["cube F9"] != "orange"
    found = explain(game, state, sight(state.table.board, look, doubts=doubts))
    assert (found.finding is Finding.ACTION) == is_read
    if is_read:
        assert texts(found) == [ward.text]
        assert (found.doubtful, found.is_clear) == ({"cube F9"}, False)


def test_what_was_strange_before_is_set_aside_only_where_the_rest_is_a_move() -> None:
    game, state = start("city_of_marble")
    look = {**game.appearance(state), "ward E8-F8": "red", "ward G7-H7": "red"}
    observation = sight(state.table.board, look)
    assert explain(game, state, observation).finding is Finding.UNEXPLAINED
    found = explain(game, state, observation, unexplainable=frozenset({"ward G7-H7"}))
    assert (texts(found), found.unrelated) == (["ward E8-F8 red"], {"ward G7-H7"})
    everything = explain(game, state, observation, unexplainable=frozenset({"ward G7-H7", "ward E8-F8"}))
    assert everything.finding is Finding.UNEXPLAINED


def test_what_was_strange_before_adds_no_second_action_to_a_move() -> None:
    game, state = _before_a_temple()
    ward = apply_unchecked(game, state, game.parse_action("ward F9-G8 green magistrate", state)).state
    sent = apply_unchecked(game, ward, game.parse_action("send F9-G8", ward)).state
    observation = sight(state.table.board, game.appearance(sent))
    assert texts(explain(game, state, observation)) == ["ward F9-G8 green magistrate", "send F9-G8"]
    found = explain(game, state, observation, unexplainable=frozenset({"envoy temple black"}))
    assert (texts(found), found.unrelated) == (["ward F9-G8 green magistrate"], {"envoy temple black"})


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_in_every_game_the_last_action_can_be_taken_back_or_done_otherwise(game_id: str) -> None:
    game, state = start(game_id)
    board, random, found = state.table.board, Random(4), 0
    for before, action, step in islice(random_game(game, state, random), 40 if game_id == CAPTURING else 160):
        look, looked = game.appearance(step.state), game.appearance(before)
        if look == looked:
            continue
        back = explain(game, step.state, sight(board, looked), history=[before])
        assert (back.finding, back.back) == (Finding.TAKE_BACK, 1)
        others = [each for each in legal_actions(game, before) if type(each) is type(action)]
        other = random.choice(others)
        wanted = game.appearance(apply_unchecked(game, before, other).state)
        if wanted not in (look, looked):
            mended = explain(game, step.state, sight(board, wanted), history=[before])
            if mended.finding is Finding.CORRECTION:  # else a further action does as well
                assert (other,) in [each.actions for each in mended.candidates]
                found += 1
            assert mended.candidates
    assert found >= 1


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_in_every_game_half_a_move_is_no_error(game_id: str) -> None:
    game, state = start(game_id)
    halves = whole = 0
    for before, _action, step in islice(random_game(game, state, Random(2)), 160):
        look, looked = game.appearance(step.state), game.appearance(before)
        changed = {spot for spot, _label in look.items() ^ looked.items()}
        whole += len(changed) == 1
        for spot in sorted(changed) if len(changed) > 1 else ():
            half = {**looked, spot: look.get(spot, EMPTY)}
            found = explain(game, before, sight(state.table.board, half))
            assert found.candidates or found.unfinished
            halves += 1
    assert halves > 1 or whole > 1, "no move changes more than one spot, and hardly any changes one"


def _before_a_temple() -> tuple[GameRules[Any], Any]:
    found = position('wards = ["E9-E10 red", "F9-F10 blue"]')
    return found.game, found.state


def test_several_actions_of_which_something_is_still_to_be_laid_are_asked() -> None:
    game, before = start("city_of_marble")
    state = before
    for text in ("ward E8-F8 red magistrate", "ward E9-E10 blue magistrate"):
        state = apply_unchecked(game, state, game.parse_action(text, state)).state
    found = explain(game, before, sight(state.table.board, game.appearance(state)))
    assert found.is_only_story
    lacking = replace(found.candidates[0], owed=frozenset({"magistrate E9-E10"}))
    assert not is_only_story(game, before, [lacking])


def test_a_spot_that_was_strange_before_belongs_to_a_move_that_is_no_longer_for_it() -> None:
    game, state = start("city_of_marble")
    after = apply_unchecked(game, state, game.parse_action("ward E8-F8 red magistrate", state)).state
    seen = sight(state.table.board, game.appearance(after))
    found = explain(game, state, seen, unexplainable=frozenset({"magistrate E8-F8"}))
    assert texts(found) == ["ward E8-F8 red magistrate"]
    assert found.unrelated == frozenset()


def test_an_explanation_is_clear_where_nothing_else_comes_near_it() -> None:
    one, near, far = (Candidate((), None, score, frozenset()) for score in (9.0, 9.0 - CLEAR_MARGIN + 0.1, 0.0))
    clear = Explanation(Finding.ACTION, candidates=(one, far), is_only_story=True)
    assert clear.is_clear
    assert clear.margin == 9.0
    assert replace(clear, candidates=(one,)).margin == math.inf
    assert replace(clear, candidates=()).margin == 0.0
    for change in (
        {"candidates": (one, near)},
        {"doubtful": frozenset({"ward E8-F8"})},
        {"is_only_story": False},
        {"finding": Finding.CORRECTION},
    ):
        assert not replace(clear, **change).is_clear


def test_a_correction_is_unsure_of_what_is_half_seen_and_a_take_back_of_nothing() -> None:
    game, before = start("city_of_marble")
    state = apply_unchecked(game, before, game.parse_action("ward E8-F8 red", before)).state
    board, look = state.table.board, game.appearance(before)
    shifted = {**look, "ward F8-G8": "red"}
    found = explain(game, state, sight(board, shifted, doubts={"ward E8-F8": {"": 0.8, "red": 0.2}}), history=[before])
    assert (found.finding, found.doubtful, found.is_faint) == (Finding.CORRECTION, {"ward E8-F8"}, False)
    found = explain(game, state, sight(board, look), history=[before])
    assert (found.finding, found.doubtful, found.is_faint) == (Finding.TAKE_BACK, frozenset(), False)
