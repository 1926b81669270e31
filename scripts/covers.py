"""Writes the covers of games, `cover.jpg` in their folders, and what lies there in full play, `cover.json`.

python -m scripts.covers [GAME ...]
"""

from __future__ import annotations

import json
import sys
from random import Random

from companion.engine import apply_unchecked
from companion.registry import GAMES, game_folder, load_game
from ui.printed.thumbnails import COVER, SAMPLE, drawn_cover, jpeg
from ui.simulated_table.demo import demo_table, parse
from ui.simulated_table.players import seated

SEED = 7
ACTIONS = {"city_of_marble": 190, "capitol": 260, "aqua_romana": 110, "thurn_and_taxis": 330}
"""after how many actions of simulated players a board looks its best; of other games after USUAL"""
USUAL = 150


def write_cover(game_id: str) -> None:
    """Play a game, write what lies on its board then, and draw that."""
    game, random = load_game(game_id), Random(SEED)
    state = game.setup(demo_table(parse(["--game", game_id, "--players", "3"])))
    players = seated(game, state, random)
    for _action in range(ACTIONS.get(game_id, USUAL)):
        if game.decide(state) is None:
            break
        before, action = state, players.choose(state, random)
        state = apply_unchecked(game, state, action).state
        players = players.after(before, action, state)
    look = dict(sorted(game.appearance(state).items()))
    (game_folder(game_id) / SAMPLE).write_text(json.dumps(look, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
    (game_folder(game_id) / COVER).write_bytes(jpeg(drawn_cover(game_id)))


if __name__ == "__main__":
    for each in sys.argv[1:] or GAMES:
        write_cover(each)
