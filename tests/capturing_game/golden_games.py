"""One game played at random; `scripts/goldens` writes it to `playthroughs/`."""

from tests.playthroughs import Playthrough

PLAYTHROUGHS = (Playthrough("two_players", {"game": "hasami_shogi", "players": 2}, 1, lambda action: 1.0),)
