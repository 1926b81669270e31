"""The games of Capitol told in `playthroughs/`: seeds in which much is built, bid for, shared and doubled."""

from typing import Any

from tests.playthroughs import Playthrough

LIKING = {
    "PlayPermit": 3.0, "PlayFloor": 2.0, "PlayRoof": 6.0, "PlayForNothing": 0.05, "Pass": 3.0, "TurnSenator": 12.0
}  # fmt: skip


def liked(action: Any) -> float:
    """Players who build rather than throw cards away, keep some for the auctions and bid a few of them."""
    return LIKING.get(type(action).__name__, 1.0)


def _game(name: str, players: int, seed: int) -> Playthrough:
    return Playthrough(name, {"game": "capitol", "players": players}, seed, liked)


PLAYTHROUGHS = (_game("two_players", 2, 96), _game("three_players", 3, 76), _game("four_players", 4, 9))
