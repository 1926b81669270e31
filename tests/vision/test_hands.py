"""A sleeve over a board is no piece, even where it has the colour of one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.board.layout import Board
from companion.registry import print_and_play_board
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView, Light
from vision.pictures import Image
from vision.printed.pieces.profile import load_profile, shipped_profile
from vision.printed.reading import BoardReader

HOUSES = {
    "house blue/Ulm": "blue", "house red/Augsburg": "red", "house green/Lodz": "green", "house red/Linz": "red",
    "house yellow/Linz": "yellow", "house blue/Linz": "blue", "house green/Linz": "green",
}  # fmt: skip
SLEEVE = 90.0
"""Width (mm)."""


@pytest.fixture(scope="module")
def postal() -> Board:
    return print_and_play_board("thurn_and_taxis")


@pytest.fixture(scope="module")
def reader(postal: Board) -> BoardReader:
    return BoardReader(postal, load_profile(shipped_profile(postal), postal))


@pytest.fixture(scope="module")
def scene(postal: Board) -> Scene:
    return Scene(postal, CameraView(tilt=20.0), Light(noise=2.0))


def with_sleeve(board: Board, scene: Scene, image: Image, colour: tuple[int, int, int]) -> tuple[Image, set[str]]:
    """The picture with a sleeve from the upper rim to the sheet's middle, and the spots beneath it."""
    ends = np.array([[0.55 * board.size[0], -200.0, 0.0], [0.45 * board.size[0], 0.6 * board.size[1], 0.0]])
    start, end = (tuple(int(v) for v in pixel) for pixel in scene.pose.project(ends).round())
    beside = scene.pose.project(ends[1:] + np.array([SLEEVE, 0.0, 0.0]))[0]
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.line(mask, start, end, 255, round(float(np.linalg.norm(beside - end))))
    tones = np.random.default_rng(3).normal(1.0, 0.06, image.shape[:2])[..., None] * np.array(colour)
    spots = list(board.spots.values())
    columns, rows = scene.pose.project(np.array([[*spot.centre, 0.0] for spot in spots])).round().astype(int).T
    inner = cv2.erode(mask, np.ones((25, 25), np.uint8))
    hidden = {spot.name for spot, row, column in zip(spots, rows, columns, strict=True) if inner[row, column]}
    return np.where(mask[..., None] > 0, tones.clip(0, 255), image).astype(np.uint8), hidden


@pytest.mark.parametrize("colour", [(120, 50, 30), (40, 30, 150)], ids=["blue", "red"])
def test_spots_beneath_a_sleeve_of_a_pieces_colour_are_covered(
    postal: Board, reader: BoardReader, scene: Scene, colour: tuple[int, int, int]
) -> None:
    image, hidden = with_sleeve(postal, scene, scene.frame(HOUSES), colour)
    seen = reader.read(image, scene.pose)
    assert len(hidden) > 5
    assert hidden <= seen.covered


def test_houses_in_plain_view_are_not_covered(postal: Board, reader: BoardReader, scene: Scene) -> None:
    crowded = {name: name.split()[1].split("/")[0] for name in list(postal.spots)[::2]}
    seen = reader.read(scene.frame(crowded), scene.pose)
    assert not seen.covered
