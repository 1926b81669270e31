"""The games of Thurn and Taxis told in `playthroughs/`: without modules, with each, and with both."""

from tests.games.thurn_and_taxis.components import zeal
from tests.playthroughs import Playthrough


def _game(name: str, players: int, modules: str, seed: int) -> Playthrough:
    position = {"game": "thurn_and_taxis", "players": players, "modules": [modules]}
    return Playthrough(name, position, seed, zeal)


PLAYTHROUGHS = (
    _game("two_players", 2, "none", 1),
    _game("two_players_audience", 2, "audience", 2),
    _game("three_players_offices", 3, "offices", 3),
    _game("four_players_both", 4, "both", 4),
)
