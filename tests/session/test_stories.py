"""Which of the stories that explain what is seen may be recorded without asking."""

from __future__ import annotations

from typing import Any

from companion.engine import GameRules, apply_unchecked, legal_actions
from companion.session.stories import is_only_story, is_order_open
from companion.session.tracking import Candidate
from tests.tables import position, start

NOTHING = frozenset[str]()
WARDS = ("ward E8-F8 red", "ward E9-E10 blue")


def told(game: GameRules[Any], state: Any, *texts: str, owed: frozenset[str] = NOTHING) -> Candidate:
    """The story of these actions."""
    actions = []
    for text in texts:
        actions.append(game.parse_action(text, state))
        state = apply_unchecked(game, state, actions[-1]).state
    return Candidate(tuple(actions), state, 0.0, owed)


def test_two_wards_in_either_order_are_one_story() -> None:
    game, state = start("city_of_marble")
    story = told(game, state, *WARDS)
    assert is_only_story(game, state, [story])
    assert is_order_open(game, state, story.actions)
    assert not is_order_open(game, state, story.actions[:1])


def test_a_rival_that_leads_elsewhere_is_one_unless_more_of_it_is_still_to_be_laid() -> None:
    game, state = start("city_of_marble")
    story, other = told(game, state, *WARDS), told(game, state, "ward E8-F8 red", "ward E9-E10 green")
    assert not is_only_story(game, state, [story, other])
    assert not is_only_story(game, state, [other, story])
    assert is_only_story(game, state, [story, told(game, state, *WARDS[::-1])])
    lacking = told(game, state, "ward E8-F8 red", "ward E9-E10 green", owed=frozenset({"magistrate E9-E10"}))
    assert is_only_story(game, state, [story, lacking])


def test_a_single_action_is_not_asked_whatever_else_it_may_be() -> None:
    game, state = start("city_of_marble")
    assert is_only_story(game, state, [told(game, state, WARDS[0]), told(game, state, "ward E9-E10 green")])


def test_an_action_that_no_camera_sees_is_asked_where_another_was_possible() -> None:
    game, state = start("city_of_marble")
    assert not is_only_story(game, state, [told(game, state, "draw red blue", WARDS[0])])


def test_the_end_of_a_turn_that_alone_was_left_hides_no_choice() -> None:
    found = position("actions = 0")
    game, state = found.game, found.state
    assert [action.text for action in legal_actions(game, state)] == ["end"]
    assert is_only_story(game, state, [told(game, state, "end", WARDS[0])])


def test_what_the_camera_would_have_seen_is_no_choice_that_is_hidden() -> None:
    found = position('wards = ["E9-E10 red", "F9-F10 blue"]\nactions = 1')
    game = found.game
    state = told(game, found.state, "ward F9-G8 green magistrate").state
    assert {action.text for action in legal_actions(game, state)} == {"send F9-G8", "keep"}
    end = told(game, state, "keep", "end", "ward E8-F8 red")
    assert is_only_story(game, state, [end])
