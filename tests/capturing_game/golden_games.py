"""Two games played at random, one for each reading of the ruling; `scripts/goldens` writes them to `playthroughs/`."""

from tests.playthroughs import Playthrough


def _likes_any(action: object) -> float:
    return 1.0


PLAYTHROUGHS = (
    Playthrough("two_players", {"game": "hasami_shogi", "players": 2}, 1, _likes_any),
    Playthrough("safe_corners", {"game": "hasami_shogi", "players": 2, "rulings": {"corner": "safe"}}, 2, _likes_any),
)
