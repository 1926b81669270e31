"""Corners that a person touches, on pictures that show the board's markers."""

import cv2
import numpy as np
import pytest

from calibration.touched_corners import pose_at_corners
from companion.registry import print_and_play_board
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView
from vision.location.board_pose import BoardNotFound
from vision.location.flat_pose import FlatPose
from vision.location.location import BoardLocator

BOARD = print_and_play_board("city_of_marble")
VIEW = CameraView(width=1280, height=720, tilt=5)
WIDTH, HEIGHT = BOARD.size
SHEET = [(0, 0, 0), (WIDTH, 0, 0), (WIDTH, HEIGHT, 0), (0, HEIGHT, 0)]


@pytest.fixture(scope="module")
def picture() -> np.ndarray:
    return Scene(BOARD, VIEW).frame({})


def _taps(places: list[tuple[float, float, float]]) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in VIEW.pose(BOARD).project(places)]


def test_corners_where_the_markers_are_not_are_refused(picture: np.ndarray) -> None:
    inner = [(WIDTH / 4, 0, 0), (WIDTH * 3 / 4, 0, 0), (WIDTH * 3 / 4, HEIGHT, 0), (WIDTH / 4, HEIGHT, 0)]
    found = pose_at_corners(BoardLocator(BOARD), picture, _taps(inner))
    assert isinstance(found, BoardNotFound)
    assert "these corners lie up to" in found.reason


def test_corners_that_are_touched_roughly_are_taken(picture: np.ndarray) -> None:
    rough = [(x + 10, y - 10, z) for x, y, z in SHEET]
    assert isinstance(pose_at_corners(BoardLocator(BOARD), picture, _taps(rough)), FlatPose)


def test_markers_tell_how_the_board_lies_turned(picture: np.ndarray) -> None:
    height, width = picture.shape[:2]
    upside_down = np.ascontiguousarray(cv2.rotate(picture, cv2.ROTATE_180))
    taps = [(width - 1 - x, height - 1 - y) for x, y in _taps(SHEET)]
    locator = BoardLocator(BOARD)
    found = pose_at_corners(locator, upside_down, taps)
    assert isinstance(found, FlatPose)
    assert np.abs(found.project(SHEET) - np.array(taps)).max() < 1
    assert isinstance(pose_at_corners(locator, upside_down, taps, quarters=0), BoardNotFound), "it was said otherwise"


def test_a_picture_without_markers_is_taken_at_a_persons_word() -> None:
    bare = np.full((720, 1280, 3), 200, np.uint8)
    assert isinstance(pose_at_corners(BoardLocator(BOARD), bare, _taps(SHEET)), FlatPose)
