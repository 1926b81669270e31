"""What a camera sees is explained by the action that was done."""

from random import Random

import pytest

from companion.engine import apply_unchecked, judge
from companion.games.aqua_romana.actions import Build, EndTurn
from companion.games.aqua_romana.game import GAME
from companion.games.aqua_romana.state import State
from companion.position import parse_position
from companion.registry import print_and_play_board
from companion.session.tracking import Finding, explain
from tests.games.aqua_romana.tables import played
from tests.tables import sight

BOARD = print_and_play_board("aqua_romana")


def position(entries: str) -> State:
    return parse_position(f'game = "aqua_romana"\n{entries}', "position").state


def after(state: State, *texts: str) -> State:
    for text in texts:
        action = GAME.parse_action(text, state)
        assert judge(GAME, state, action).is_legal
        state = apply_unchecked(GAME, state, action).state
    return state


@pytest.mark.parametrize("seed", range(6))
def test_everything_lies_on_a_spot_that_may_show_it(seed: int) -> None:
    for state, _, _ in played(seed):
        for spot, label in GAME.appearance(state).items():
            assert label in BOARD.spots[spot].labels


@pytest.mark.parametrize("seed", range(3))
def test_each_action_is_recognised_by_what_it_leaves(seed: int) -> None:
    random = Random(seed)
    for state, action, step in random.sample(played(seed), 40):
        look = GAME.appearance(step.state)
        if look != GAME.appearance(state):
            found = explain(GAME, state, sight(BOARD, look))
            assert found.finding is Finding.ACTION
            assert GAME.appearance(found.candidates[0].state) == look
            assert action in {first for candidate in found.candidates for first in candidate.actions[:1]}


def test_the_builder_that_left_its_space_gave_the_tile() -> None:
    state = position('players = 4\nbuilders = { 3 = "straight", 28 = "straight" }')
    look = GAME.appearance(after(state, "build C2 straight 0 by 28"))
    found = explain(GAME, state, sight(BOARD, look))
    assert found.candidates[0].actions == (Build("C2 straight 0", 28),)
    assert found.margin > 5


def test_a_tile_alone_leaves_two_builders_to_choose_from() -> None:
    state = position('players = 4\nbuilders = { 3 = "straight", 28 = "straight" }')
    look = {**GAME.appearance(state), "tile C2": "straight 0"}
    found = explain(GAME, state, sight(BOARD, look))
    assert [candidate.actions for candidate in found.candidates] == [
        (Build("C2 straight 0", 3),),
        (Build("C2 straight 0", 28),),
    ]
    assert found.candidates[0].owed == {
        "builder path/3", "builder path/4", "worker C1/S", "worker C2/S",
    }  # fmt: skip


def test_the_next_players_tile_shows_that_the_turn_is_over() -> None:
    state = position('players = 4\nstep = "close"\nbuilders = { 9 = "straight" }')
    look = GAME.appearance(after(state, "end", "build I2 straight 0 by 9"))
    found = explain(GAME, state, sight(BOARD, look))
    assert found.candidates[0].actions == (EndTurn(), Build("I2 straight 0", 9))


def test_a_worker_on_a_podium_shows_that_its_aqueduct_was_closed() -> None:
    state = position('players = 4\nstep = "close"\nbuilders = { 9 = "straight" }\ntiles = ["C2 straight 0"]')
    look = GAME.appearance(after(state, "close C2/S"))
    assert look["finisher podium/1"] == "red"
    found = explain(GAME, state, sight(BOARD, look))
    assert [action.text for action in found.candidates[0].actions] == ["close C2/S"]


def test_a_tile_that_breaks_a_rule_is_named() -> None:
    state = position('players = 4\nbuilders = { 3 = "straight" }')
    found = explain(GAME, state, sight(BOARD, {**GAME.appearance(state), "tile E5": "straight 0"}))
    assert found.finding is Finding.UNEXPLAINED
    assert found.near_miss is not None
    action, verdict = found.near_miss
    assert action == Build("E5 straight 0", 3)
    assert {violation.rule for violation in verdict.violations} == {"AR-TILE-2"}
