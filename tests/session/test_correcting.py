"""A misread action is mended by choosing what it was: nearly always one of the few seen at once."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.board.layout import EMPTY
from companion.engine import GameRules, apply_unchecked, legal_actions, random_game
from companion.registry import load_game
from companion.session.correcting import alternatives
from companion.session.log import IMPOSSIBLE
from companion.session.observation import Observation
from tests.every_game import EVERY_GAME, fewest_seats
from tests.tables import table_of

SEEN_AT_ONCE = 6
"""alternatives that are shown without turning a page"""
MISREADS = 40
"""simulated for each game"""


def look_after(game: GameRules[Any], state: Any, action: Any) -> dict[str, str]:
    return dict(game.appearance(apply_unchecked(game, state, action).state))


def misreads(game: GameRules[Any], random: Random) -> list[tuple[Any, Any, Any, Observation]]:
    """(state, what was done, what was recorded, the picture it was recorded from)."""
    found: list[tuple[Any, Any, Any, Observation]] = []
    seed = 0
    while len(found) < MISREADS:
        seed += 1
        start = game.setup(table_of(game.info.id, fewest_seats(game.info.id)))
        steps = list(random_game(game, start, Random(seed), limit=160))
        for state, done, _step in random.sample(steps, min(12, len(steps))):
            before, after = game.appearance(state), look_after(game, state, done)
            others = [action for action in legal_actions(game, state) if type(action) is type(done) and action != done]
            seen = [action for action in others if look_after(game, state, action) != after]
            if after == before or not seen:
                continue
            recorded = random.choice(seen)
            found.append((state, done, recorded, picture(game, state, done, recorded, random)))
    return found[:MISREADS]


def picture(game: GameRules[Any], state: Any, done: Any, recorded: Any, random: Random) -> Observation:
    """A blurred picture of what was done in which what was recorded seemed likelier."""
    truth, mistaken = look_after(game, state, done), look_after(game, state, recorded)
    board = state.table.board
    posteriors: dict[str, dict[str, float]] = {}
    for spot in (name for sheet in board.sheets for name in sheet.spots):
        right, wrong = truth.get(spot, EMPTY), mistaken.get(spot, EMPTY)
        doubt = random.uniform(0.0, 0.15)
        posteriors[spot] = {right: 1 - doubt, "other": doubt}
        if right != wrong:
            share = random.uniform(0.5, 0.75)
            posteriors[spot] = {wrong: share, right: (1 - share) * random.uniform(0.4, 1.0)}
    return Observation(board.id, 1, 0.0, posteriors)


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_what_was_done_is_among_the_first_alternatives(game_id: str) -> None:
    game = load_game(game_id)
    cases = misreads(game, Random(7))
    first = [alternatives(game, state, recorded, seen)[:SEEN_AT_ONCE] for state, _done, recorded, seen in cases]
    at_once = sum(done in offered for offered, (_state, done, _recorded, _seen) in zip(first, cases, strict=True))
    assert at_once >= 0.95 * len(cases)


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_all_legal_actions_but_the_recorded_one_can_be_chosen(game_id: str) -> None:
    game = load_game(game_id)
    state = game.setup(table_of(game_id, fewest_seats(game_id)))
    legal = legal_actions(game, state)
    offered = alternatives(game, state, legal[0])
    assert set(offered) == set(legal[1:])
    assert len(offered) == len(legal) - 1


def test_without_a_camera_what_is_nearest_and_least_different_comes_first() -> None:
    game = load_game("city_of_marble")
    state = game.setup(table_of("city_of_marble", 2))
    recorded = game.parse_action("ward E8-F8 red", state)
    first = alternatives(game, state, recorded)[:8]
    assert {type(action) for action in first} == {type(recorded)}
    assert {action.ward for action in first[:3]} == {"E8-F8"}


def test_an_action_that_an_earlier_correction_made_impossible_can_be_corrected() -> None:
    impossible = set()
    for game_id in EVERY_GAME:
        game, table = load_game(game_id), table_of(game_id, fewest_seats(game_id))
        other, *_ = random_game(game, game.setup(table), Random(2))
        for _state, action, _step in random_game(game, game.setup(table), Random(1), limit=40):
            found = alternatives(game, other[0], action)
            assert set(found) == set(legal_actions(game, other[0])) - {action}
            try:
                apply_unchecked(game, other[0], action)
            except IMPOSSIBLE:
                impossible.add(game_id)
    assert impossible
