"""Scenes of the simulated table for measuring the reader: a seeded test set that was not used for tuning.

Looks come from games of the simulated players; views, lights and sloppiness are drawn by seed. `digest` is a hash of
the set, which the benchmark prints, so that any change of the set shows.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from random import Random
from typing import Any

from companion.board.layout import Board
from companion.engine import apply_unchecked
from companion.registry import load_game, print_and_play_board, usual_table
from ui.simulated_table.demo import playable
from ui.simulated_table.lying import Sloppiness
from ui.simulated_table.players import seated
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView, Light
from vision.pictures import Image
from vision.printed.pieces.profile import has_profile

FIRST_SEED = 900_000
"""tuning uses small seeds; measuring begins here"""
MOST_ACTIONS = {"thurn_and_taxis": 900}
USUAL_ACTIONS = 250
"""largest number of actions before a situation; more for games in which many actions leave nothing on the board"""
LONGEST_GAME = 5000
"""actions"""
NORMAL, STRESS, STEEP = "in normal light", "under stress", "from 30 to 60 degrees"
"""conditions; stress is a quarter of the light, odd colours, a strong gradient"""


@dataclass(frozen=True, slots=True)
class Situation:
    """One picture to read, and the true labels."""

    seed: int
    board: Board
    look: Mapping[str, str]
    view: CameraView
    light: Light
    sloppiness: Sloppiness

    def picture(self) -> Image:
        """The frame that the camera gives."""
        return Scene(self.board, self.view, self.light, self.sloppiness).frame(self.look)


def watched_games() -> tuple[str, ...]:
    """The games that have simulated players and whose pieces the camera was taught."""
    return tuple(game for game in playable() if has_profile(print_and_play_board(game)))


def sheets() -> tuple[tuple[str, Board], ...]:
    """Every sheet of the watched games, with the game's id."""
    return tuple((game, sheet) for game in watched_games() for sheet in print_and_play_board(game).sheets)


def situations(
    count: int, condition: str = NORMAL, game_id: str = "city_of_marble", sheet: Board | None = None,
    first: int = FIRST_SEED,
) -> Iterator[Situation]:  # fmt: skip
    """`count` situations of a sheet, by default the game's own board."""
    board = sheet or print_and_play_board(game_id)
    for seed in range(first, first + count):
        random = Random(seed)
        look = {spot: label for spot, label in look_of(game_id, seed).items() if spot in board.spots}
        yield Situation(
            seed, board, look, view_of(board, condition, random), light_of(condition, random), Sloppiness(seed=seed)
        )


def view_of(board: Board, condition: str, random: Random) -> CameraView:
    """A camera on a stand somewhere over a board."""
    size = max(board.size[0] / 594.0, board.size[1] / 420.0)
    tilt = random.uniform(30, 60) if condition == STEEP else random.uniform(0, 40)
    return CameraView(
        width=1920, height=1080, distance=size * random.uniform(700, 900) * (1 + max(0.0, math.radians(tilt) - 0.7)),
        tilt=tilt, azimuth=random.uniform(60, 120), roll=random.uniform(-6, 6), field=random.uniform(58, 68),
        radial=random.uniform(-0.06, 0.03),
    )  # fmt: skip


def light_of(condition: str, random: Random) -> Light:
    """The light of a room."""
    stress = condition == STRESS
    return Light(
        exposure=random.uniform(0.25, 0.4) if stress else random.uniform(0.75, 1.05),
        temperature=random.uniform(2700, 6500) if stress else random.uniform(4600, 6000),
        slope=(random.uniform(-0.4, 0.4), 0.0) if stress else (random.uniform(-0.1, 0.1), 0.0),
        direction=random.uniform(0, 360), noise=random.uniform(2, 5) if stress else random.uniform(1, 3),
    )  # fmt: skip


@cache
def look_of(game_id: str, seed: int) -> Mapping[str, str]:
    """The look of all sheets at a random moment of a game."""
    return load_game(game_id).appearance(_state(game_id, seed))


def ended_state(game_id: str, seed: int) -> Any:
    """The position at the end of a game."""
    return _state(game_id, seed, to_the_end=True)


def _state(game_id: str, seed: int, *, to_the_end: bool = False) -> Any:
    game, random = load_game(game_id), Random(seed)
    seats = random.randint(*game.info.seats)
    options = {option: random.choice(names) for option, names in _choices(game_id).items()}
    state = game.setup(usual_table(game_id, seats, outcomes=options))
    players = seated(game, state, random)
    moment = random.randint(5, MOST_ACTIONS.get(game_id, USUAL_ACTIONS))
    for number in range(LONGEST_GAME if to_the_end else moment):
        if game.decide(state) is None:
            break
        action = players.choose(state, Random(f"{seed}:{number}"))
        after = apply_unchecked(game, state, action).state
        players, state = players.after(state, action, after), after
    return state


def _choices(game_id: str) -> Mapping[str, tuple[str, ...]]:
    """Set-ups that put more on the table: the Audience brings its map."""
    return {"modules": ("audience", "both")} if game_id == "thurn_and_taxis" else {}


def digest(count: int, condition: str, game_id: str, sheet: Board) -> str:
    """A hash of a set of situations."""
    lines = [
        json.dumps([s.seed, sorted(s.look.items()), asdict(s.view), asdict(s.light)], sort_keys=True)
        for s in situations(count, condition, game_id, sheet)
    ]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]
