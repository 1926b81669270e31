"""Each game says when its last round has begun, and a whole game comes to say so before it ends."""

from __future__ import annotations

from random import Random

import pytest

from companion.engine import random_game
from companion.registry import load_game
from tests.conformance import starting_state, zeal_of
from tests.every_game import EVERY_GAME, some_seats


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_a_whole_game_tells_its_last_round_before_the_end_and_not_at_the_beginning(game_id: str) -> None:
    game, random = load_game(game_id), Random(2)
    state = starting_state(game_id, some_seats(game_id, 1), random)
    assert not game.last_round_begun(state)
    told = [game.last_round_begun(before) for before, _, _ in random_game(game, state, random, zeal_of(game_id))]
    assert told[-1]
    assert told.index(True) > len(told) // 4
