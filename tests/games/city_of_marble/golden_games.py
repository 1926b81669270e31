"""The games of City of Marble told in `playthroughs/`: seeds with buildings, fountains, coins and Imperium spent."""

from typing import Any

from tests.playthroughs import Playthrough

LIKING = {"PlayWard": 0.2, "Lay": 6.0, "Recall": 0.05, "Draw": 2.0, "Keep": 0.2}


def liked(action: Any) -> float:
    """Players who build much, seldom without a magistrate, and send them rather than keep them."""
    return LIKING.get(type(action).__name__, 1.0) * (4.0 if getattr(action, "magistrate", False) else 1.0)


def _game(name: str, players: int, seed: int) -> Playthrough:
    return Playthrough(name, {"game": "city_of_marble", "players": players}, seed, liked)


PLAYTHROUGHS = (_game("two_players", 2, 153), _game("three_players", 3, 246), _game("four_players", 4, 227))
