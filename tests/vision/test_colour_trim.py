"""The rest of the colour error is learnt from what is known to lie there, and what hides a patch misleads nobody."""

from __future__ import annotations

import numpy as np
import pytest

from companion.board.layout import Board
from ui.simulated_table.scene import Scene
from vision.colour.correction import Response
from vision.colour.fit import fit_colours
from vision.colour.space import LINEAR, to_lab
from vision.colour.trim import Known, learn_trim
from vision.pictures import interpolated

SIZE = (594.0, 420.0)


def test_an_error_over_colours_and_places_is_learnt_beside_things_that_lie_there() -> None:
    dice = np.random.default_rng(1)
    printed = dice.uniform([20, -50, -50], [98, 50, 50], (900, 3)).astype(np.float32)
    places = dice.uniform([0, 0], SIZE, (900, 2)).astype(np.float32)
    off = np.column_stack([4 - 0.05 * printed[:, 0] + 0.01 * places[:, 0], 0.1 * printed[:, 1], np.full(900, -5.0)])
    lab = (printed + off + dice.normal(0, 1, off.shape)).astype(np.float32)
    lab[:200] = dice.uniform([0, -60, -60], [100, 60, 60], (200, 3))
    trim = learn_trim(Known(lab, places, printed), SIZE)
    assert np.linalg.norm(lab - trim.off(lab, places) - printed, axis=1)[200:].mean() < 2.5
    assert np.linalg.norm(off, axis=1)[200:].mean() > 5.0


def test_few_samples_teach_nothing() -> None:
    few = np.full((10, 3), 50.0, np.float32)
    trim = learn_trim(Known(few + 9, np.zeros((10, 2), np.float32), few), SIZE)
    assert not trim.off(few, np.zeros((10, 2))).any()


def test_a_board_full_of_strange_things_does_not_make_all_colours_one() -> None:
    dice = np.random.default_rng(2)
    lab = dice.uniform([20, -50, -50], [98, 50, 50], (900, 3)).astype(np.float32)
    places = dice.uniform([0, 0], SIZE, (900, 2)).astype(np.float32)
    paper = np.tile(np.array([[92.0, 0.0, 3.0]], np.float32), (900, 1))
    assert not learn_trim(Known(lab, places, paper), SIZE).off(lab, places).any()


def test_a_response_is_undone() -> None:
    assert np.allclose(Response().light(), LINEAR)
    level = np.arange(256) / 255.0
    spread = level + 0.5 * (level**2 * (3 - 2 * level) - level)
    seen = np.round(255 * spread).astype(int)
    assert np.abs(Response(contrast=0.5).light()[seen] - LINEAR).max() < 0.03


@pytest.mark.parametrize("hidden", [3, 6])
def test_a_hidden_patch_does_not_tint_the_sheet(board: Board, plain_scene: Scene, hidden: int) -> None:
    image = plain_scene.frame({}).copy()
    places = np.array([patch.centre for patch in board.patches])
    pixels = plain_scene.pose.project(np.column_stack([places, np.zeros(len(places))]))
    x, y = pixels[hidden].round().astype(int)
    image[y - 12 : y + 13, x - 12 : x + 13] = (90, 200, 210)
    colours = fit_colours(image, board, plain_scene.pose)
    printed = to_lab(np.array([patch.rgb[::-1] for patch in board.patches], np.uint8))
    seen = colours.to_lab(interpolated(image, pixels[None]), places[None])[0]
    others = np.arange(len(places)) != hidden
    assert np.linalg.norm(seen - printed, axis=1)[others].mean() < 6.0
