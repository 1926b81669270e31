"""Pictures to train on: the simulated table of the app, in normal light and under stress."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2

from benchmarks.scenes import NORMAL, STRESS, situations
from companion.board.layout import Board
from scripts.reader_training.examples import kinds_of
from scripts.reader_training.looks import fuller, thinner


def simulate_pictures(game: str, board: Board, seeds: range, folder: Path) -> None:
    """Write `NAME.jpg` and its truth `NAME.json` for each seed that has none yet."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed in seeds:
        file = folder / f"{game}-{seed}.json"
        if file.exists():
            continue
        condition = STRESS if seed % 2 else NORMAL
        (situation,) = situations(1, condition, game, board, first=seed)
        kinds = kinds_of(board)
        look = thinner(board, fuller(board, situation.look, kinds, seed), kinds, seed)
        picture = replace(situation, look=look).picture()
        cv2.imwrite(str(file.with_suffix(".jpg")), picture, [cv2.IMWRITE_JPEG_QUALITY, 98])
        file.write_text(json.dumps({"sheet": board.id, "scene": file.stem, "look": look}))
