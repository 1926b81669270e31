"""A game that announces its last round does so before it ends, and not at the beginning."""

from __future__ import annotations

from random import Random

import pytest

from companion.base_game import BaseGame
from companion.engine import random_game
from companion.registry import load_game
from tests.conformance import starting_state, zeal_of
from tests.every_game import EVERY_GAME, some_seats

ANNOUNCING = [
    game_id for game_id in EVERY_GAME if type(load_game(game_id)).last_round_begun is not BaseGame.last_round_begun
]


@pytest.mark.parametrize("game_id", ANNOUNCING)
def test_a_whole_game_tells_its_last_round_before_the_end_and_not_at_the_beginning(game_id: str) -> None:
    game, random = load_game(game_id), Random(2)
    state = starting_state(game_id, some_seats(game_id, 1), random)
    assert not game.last_round_begun(state)
    told = [game.last_round_begun(before) for before, _, _ in random_game(game, state, random, zeal_of(game_id))]
    assert told[-1]
    assert told.index(True) > len(told) // 4
