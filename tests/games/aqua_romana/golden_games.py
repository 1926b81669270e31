"""The games of Aqua Romana told in `playthroughs/`: fountains, both ways of closing, reserve builders, full podiums."""

from typing import Any

from tests.playthroughs import Playthrough

LIKING = {"Close": 0.04, "EndTurn": 1.0}


def liked(action: Any) -> float:
    """Players who seldom close an aqueduct of their own accord."""
    return LIKING.get(type(action).__name__, 1.0)


def _game(name: str, players: int, seed: int) -> Playthrough:
    return Playthrough(name, {"game": "aqua_romana", "players": players}, seed, liked)


PLAYTHROUGHS = (_game("two_players", 2, 51), _game("three_players", 3, 39), _game("four_players", 4, 71))
