"""Each game says when its last round has begun, and a whole game comes to say so before it ends."""

from __future__ import annotations

from importlib import import_module
from random import Random

import pytest

from companion.engine import random_game
from companion.registry import GAMES, load_game
from tests.conformance import starting_state


@pytest.mark.parametrize("game_id", list(GAMES))
def test_a_whole_game_tells_its_last_round_before_the_end_and_not_at_the_beginning(game_id: str) -> None:
    game, random = load_game(game_id), Random(2)
    state = starting_state(game_id, 3, random)
    assert not game.last_round_begun(state)
    zeal = getattr(import_module(f"tests.games.{game_id}.components"), "zeal", lambda action: 1.0)
    told = [game.last_round_begun(before) for before, _, _ in random_game(game, state, random, zeal)]
    assert told[-1]
    assert told.index(True) > len(told) // 4
