"""Pictures to train on: the ray tracer's tables with wooden pieces of wide ranges of paint, beside printed ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np

from benchmarks.scenes import look_of
from calibration.editions import Edition
from companion.registry import print_and_play_board
from scripts.reader_training.arms import with_arm
from scripts.reader_training.examples import kinds_of
from scripts.reader_training.looks import fuller, thinner
from tests.vision.traced.tables import Handling, hard_photograph, photograph, print_manifest, some_handling

PAINTS: Mapping[str, tuple[float, float, float]] = {
    "black": (0.02, 0.02, 0.02), "white": (0.70, 0.74, 0.78), "purple": (0.20, 0.04, 0.12),
    "orange": (0.02, 0.18, 0.70), "grey": (0.32, 0.30, 0.29), "brown": (0.03, 0.08, 0.20),
    "red": (0.035, 0.03, 0.50), "blue": (0.40, 0.12, 0.03), "green": (0.08, 0.30, 0.06), "yellow": (0.03, 0.55, 0.80),
}  # fmt: skip
"""Linear BGR of painted wood, the middle of each range."""
HUE, TONE, FADED = 0.22, 0.30, 0.3
"""Standard deviations of the logarithm of each channel and of all three, and the largest share of grey."""
ARM_EVERY = 4
"""Over every such table somebody reaches."""
HARD_EVERY = 3
"""Every such table lies in deep shadow and little light."""
WOODEN, TURNED = 0.55, 0.7
"""The share of tables with wooden pieces, and of these with turned pawns."""


def handling_of(seed: int) -> Handling:
    """How the people of a training table made and lay their pieces."""
    dice = np.random.default_rng([seed, 1])
    usual = some_handling(dice)
    if dice.random() > WOODEN:
        return usual
    paints = {}
    for name, middle in PAINTS.items():
        colour = np.array(middle) * np.exp(dice.normal(0, HUE, 3) + dice.normal(0, TONE))
        grey = dice.uniform(0, FADED) * (dice.random() < 0.5)
        paints[name] = tuple(float(v) for v in np.clip((1 - grey) * colour + grey * colour.mean(), 0.008, 0.92))
    return Handling(
        usual.astray, usual.askew, usual.leaning, usual.floors, usual.windows, True, usual.dye, usual.gloss,
        paints, turned=bool(dice.random() < TURNED),
    )  # fmt: skip


def draw_pictures(game: str, seeds: range, folder: Path) -> None:
    """Write `NAME.jpg` and its truth `NAME.json` for each seed that has none yet."""
    folder.mkdir(parents=True, exist_ok=True)
    board = print_and_play_board(game)
    printed = print_manifest(game, folder / "printed" / game, Edition.FIRST)[board.id]
    for seed in seeds:
        file = folder / f"{game}-{seed}.json"
        if file.exists():
            continue
        look = {spot: label for spot, label in look_of(game, seed).items() if spot in board.spots}
        look = thinner(board, fuller(board, look, kinds_of(board), seed), kinds_of(board), seed)
        if seed % HARD_EVERY == 1:
            picture = hard_photograph(printed, look, seed, handling_of(seed))
        else:
            picture = photograph(printed, look, seed, handling=handling_of(seed))
        if seed % ARM_EVERY == 0:
            picture, numbers = with_arm(picture, seed)
            cv2.imwrite(str(file.with_name(f"{file.stem}_ids.png")), numbers)
        cv2.imwrite(str(file.with_suffix(".jpg")), picture, [cv2.IMWRITE_JPEG_QUALITY, 98])
        file.write_text(json.dumps({"sheet": board.id, "scene": file.stem, "look": look}))
