"""Writes the covers of games, `cover.jpg` in their folders, and what lies there in full play, `cover.json`.

A game without simulated players is played at random.

python -m scripts.covers [GAME ...]
"""

from __future__ import annotations

import json
import sys
from random import Random
from typing import Any

from companion.engine import apply_unchecked, random_game
from companion.registry import GAMES, game_folder, load_game, usual_table
from ui.printed.thumbnails import COVER, SAMPLE, drawn_cover, jpeg
from ui.simulated_table.demo import demo_table, parse
from ui.simulated_table.players import has_players, seated

SEED = 7
ACTIONS = {"city_of_marble": 190, "capitol": 260, "aqua_romana": 110, "thurn_and_taxis": 330}
"""after how many actions of simulated players a board looks its best; of other games after USUAL"""
USUAL = 150


def full_play(game_id: str) -> Any:
    """A position of a game in full play, by simulated players if it has any."""
    game, random, actions = load_game(game_id), Random(SEED), ACTIONS.get(game_id, USUAL)
    players = min(3, game.info.seats[1])
    if not has_players(game_id):
        state = game.setup(usual_table(game_id, players))
        return list(random_game(game, state, random, limit=actions))[-1][2].state
    state = game.setup(demo_table(parse(["--game", game_id, "--players", str(players)])))
    playing = seated(game, state, random)
    for _action in range(actions):
        if game.decide(state) is None:
            break
        before, action = state, playing.choose(state, random)
        state = apply_unchecked(game, state, action).state
        playing = playing.after(before, action, state)
    return state


def write_cover(game_id: str) -> None:
    """Play a game, write what lies on its board then, and draw that."""
    look = dict(sorted(load_game(game_id).appearance(full_play(game_id)).items()))
    (game_folder(game_id) / SAMPLE).write_text(json.dumps(look, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
    (game_folder(game_id) / COVER).write_bytes(jpeg(drawn_cover(game_id)))


if __name__ == "__main__":
    for each in sys.argv[1:] or GAMES:
        write_cover(each)
