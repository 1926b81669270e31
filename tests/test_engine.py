"""The kernel over every registered game."""

from random import Random

import pytest

from companion.registry import GAMES, load_game
from tests.conformance import Walk, check_walk, starting_state

TABLES = [
    (game_id, seats)
    for game_id in GAMES
    for seats in range(load_game(game_id).info.seats[0], load_game(game_id).info.seats[1] + 1)
]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("game_id", "seats"), TABLES)
def test_a_game_passes_the_walk(game_id: str, seats: int, seed: int) -> None:
    start = starting_state(game_id, seats, Random(seed))
    check_walk(Walk(load_game(game_id), start, seed))
