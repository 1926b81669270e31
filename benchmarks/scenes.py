"""Scenes of the simulated table for measuring the reader: a seeded set that nothing was tuned on.

Looks come from games played by the simulated players; views, lights and sloppiness are drawn by seed. `digest` freezes
the set: whoever changes it changes the hash that the benchmark prints.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from random import Random

from benchmarks.engine import start_of
from companion.engine import apply_unchecked
from companion.registry import load_game, print_and_play_board
from ui.simulated_table.players import choose
from ui.simulated_table.scene import Sloppiness
from ui.simulated_table.view import Light, View

FIRST_SEED = 900_000
"""tuning uses small seeds; measuring begins here"""


@dataclass(frozen=True, slots=True)
class Situation:
    """One picture to be read and what lies in it."""

    seed: int
    look: Mapping[str, str]
    view: View
    light: Light
    sloppiness: Sloppiness


def situations(
    count: int, *, stress: bool, game_id: str = "city_of_marble", first: int = FIRST_SEED
) -> Iterator[Situation]:
    """`count` situations in normal light, or under stress: a quarter of the light, odd colours, a strong gradient."""
    game, board = load_game(game_id), print_and_play_board(game_id)
    for seed in range(first, first + count):
        random = Random(seed)
        state = start_of(game, board, random.randint(2, 4))
        for number in range(random.randint(5, 160)):
            if game.decide(state) is None:
                break
            state = apply_unchecked(game, state, choose(game, state, Random(f"{seed}:{number}"))).state
        view = View(
            width=1920, height=1080, distance=random.uniform(700, 900), tilt=random.uniform(0, 40),
            azimuth=random.uniform(60, 120), roll=random.uniform(-6, 6), field=random.uniform(58, 68),
            radial=random.uniform(-0.06, 0.03),
        )  # fmt: skip
        exposure = random.uniform(0.25, 0.4) if stress else random.uniform(0.75, 1.05)
        light = Light(
            exposure=exposure, temperature=random.uniform(2700, 6500) if stress else random.uniform(4600, 6000),
            slope=(random.uniform(-0.4, 0.4), 0.0) if stress else (random.uniform(-0.1, 0.1), 0.0),
            direction=random.uniform(0, 360), noise=random.uniform(2, 5) if stress else random.uniform(1, 3),
        )  # fmt: skip
        yield Situation(seed, game.appearance(state), view, light, Sloppiness(seed=seed))


def digest(count: int, *, stress: bool) -> str:
    """A hash of a set of situations."""
    lines = [
        json.dumps([s.seed, sorted(s.look.items()), asdict(s.view), asdict(s.light)], sort_keys=True)
        for s in situations(count, stress=stress)
    ]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]
