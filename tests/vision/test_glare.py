"""Where a lamp burns a picture out nothing is known: it is neither read as bare nor as taken."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.board.layout import Board
from companion.registry import print_and_play_board
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView
from vision.colour.fit import fit_colours
from vision.pictures import Image, interpolated
from vision.printed.pieces.profile import load_profile, shipped_profile
from vision.printed.reading import BoardReader
from vision.printed.sheet.glare import GlareFinder
from vision.reader import TableReader

HOUSES = {"house blue/Ulm": "blue", "house red/Augsburg": "red", "house green/Lodz": "green"}
BURNT = 35.0
"""Radius (mm) of the lamp's reflection."""


@pytest.fixture(scope="module")
def board() -> Board:
    return print_and_play_board("thurn_and_taxis")


@pytest.fixture(scope="module")
def scene(board: Board) -> Scene:
    return Scene(board, CameraView(width=1280, height=720, tilt=15.0))


def burnt(scene: Scene, look: dict[str, str], place: tuple[float, float]) -> Image:
    """A picture with a reflection around a place of the board (mm)."""
    turns = np.linspace(0, 2 * np.pi, 60)
    rim = np.column_stack([place[0] + BURNT * np.cos(turns), place[1] + BURNT * np.sin(turns), np.zeros(60)])
    image = scene.frame(look)
    cv2.fillPoly(image, [np.rint(scene.pose.project(rim)).astype(np.int32)], (255, 255, 255))
    return image


def test_a_burnt_patch_is_found_with_its_veil(board: Board, scene: Scene) -> None:
    image = burnt(scene, {}, (300.0, 200.0))
    glare = GlareFinder(board, scene.pose).find(image, fit_colours(image, board, scene.pose))
    assert glare.at(np.array([[300.0, 200.0], [300.0 + BURNT + 5, 200.0]])).all()
    assert not glare.at(np.array([[300.0, 290.0], [100.0, 100.0]])).any()
    plain = scene.frame({})
    assert not GlareFinder(board, scene.pose).find(plain, fit_colours(plain, board, scene.pose)).any


def test_what_lies_in_a_burnt_patch_is_left_open_and_the_rest_is_read(board: Board, scene: Scene) -> None:
    middle = board.spots["house red/Augsburg"].centre
    reader = TableReader(board, load_profile(shipped_profile(board), board))
    seen = reader.look(burnt(scene, HOUSES, middle)).posteriors
    assert seen.get("house red/Augsburg", {"": 0.0}).get("", 0.0) < 0.9
    for spot in ("house blue/Ulm", "house green/Lodz"):
        assert max(seen[spot], key=seen[spot].__getitem__) == HOUSES[spot]
    assert not [spot for spot, shares in seen.items() if spot not in HOUSES and shares.get("", 0.0) < 0.1]


def test_a_sheet_that_is_white_all_over_is_read_as_far_as_it_goes(board: Board, scene: Scene) -> None:
    reader = BoardReader(board, load_profile(shipped_profile(board), board))
    seen = reader.read(np.full_like(scene.frame({}), 255), scene.pose)
    assert seen.covered | seen.posteriors.keys() == board.spots.keys()


def test_no_places_show_no_colours() -> None:
    image = np.zeros((4, 5, 3), np.uint8)
    assert interpolated(image, np.zeros((1, 0, 2), np.float32)).shape == (1, 0, 3)
    assert interpolated(image[..., 0], np.zeros((0, 7, 2), np.float32)).shape == (0, 7)
