"""What networks are trained on: crops with the label of what can be seen."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.board.layout import Board
from scripts.reader_training.examples import UNKNOWN, write_examples
from tests.vision.conftest import random_light, random_view
from ui.simulated_table.lying import Sloppiness
from ui.simulated_table.scene import Scene


@pytest.mark.parametrize(("pixels", "learnt"), [(300, True), (5, False)])
def test_a_piece_of_which_hardly_anything_is_seen_is_not_learnt(
    pixels: int, learnt: bool, board: Board, tmp_path: Path
) -> None:
    ward = next(spot for spot in board.spots.values() if spot.piece == "ward")
    pawn = next(spot for spot in board.spots.values() if spot.piece == "magistrate" and spot.site == ward.site)
    look = {ward.name: "green", pawn.name: "purple"}
    scene = Scene(board, random_view(1207, width=1280), random_light(1207), Sloppiness(seed=1207))
    picture = tmp_path / "one.jpg"
    cv2.imwrite(str(picture), scene.frame(look))
    truth = {"sheet": board.id, "look": look, "visible_px": {ward.name: 900, pawn.name: pixels}}
    picture.with_suffix(".json").write_text(json.dumps(truth))
    write_examples(board, [picture], tmp_path / "crops")
    with np.load(tmp_path / "crops" / "one.npz") as arrays:
        labels = dict(zip(arrays["magistrate/spots"], arrays["magistrate/labels"], strict=True))
    true = 1 + board.pieces["magistrate"].labels.index("purple")
    assert labels[pawn.name] == (true if learnt else UNKNOWN)
    assert set(labels) > {pawn.name}
