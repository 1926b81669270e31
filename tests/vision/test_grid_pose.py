"""Boards without markers are found by four corners, by the lines of their grid and by another photograph."""

from __future__ import annotations

import dataclasses
import struct
from itertools import permutations
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.board.layout import Board
from tests.vision.grids import Camera, grid_board, random_tiles
from vision.location.board_pose import BoardNotFound
from vision.location.flat_pose import FlatPose, bend, corner_places, pose_from_corners, unbend
from vision.location.grid_search import find_grid
from vision.location.location import BoardLocator, whole_picture
from vision.location.reference import Reference
from vision.pictures import gray_of, read_picture

BOARD = grid_board()
GO = grid_board(9, 9, 26.0, "through", shape="disc")
TILTED = Camera(
    corners=((260, 90), (1060, 170), (1190, 860), (60, 700)), radial=0.02, gains=(0.6, 0.75, 0.95), slope=0.4, seed=3
)
FAR = Camera(corners=((420, 240), (930, 210), (980, 660), (400, 640)), radial=-0.01, gains=(0.9, 0.7, 0.5), seed=4)


def misplacement(board: Board, camera: Camera, pose: object) -> float:
    """The largest error in pixels over the cells' middles."""
    assert isinstance(pose, FlatPose), pose
    places = np.array([spot.centre for spot in board.spots.values()])
    return float(np.linalg.norm(pose.project_flat(places) - camera.place(board, places), axis=1).max())


def test_corners_may_be_named_in_any_order() -> None:
    taps = TILTED.taps(BOARD)
    poses = [pose_from_corners(BOARD, order, TILTED.size) for order in permutations(taps)]
    assert all(isinstance(pose, FlatPose) for pose in poses)
    first = poses[0].project_flat(corner_places(BOARD))
    for pose in poses:
        np.testing.assert_allclose(pose.project_flat(corner_places(BOARD)), first, atol=1e-3)
    np.testing.assert_allclose(first, taps, atol=1e-2)


@pytest.mark.parametrize(
    "corners",
    [
        [(0, 0), (100, 100), (200, 200), (300, 300)],
        [(10, 10), (10, 10), (10, 10), (10, 10)],
        [(100, 100), (110, 100), (110, 110), (100, 110)],
        [(100, 100), (900, 100), (300, 300), (100, 900)],
        [(float("nan"), 0), (900, 100), (800, 800), (100, 900)],
        [(1e9, 0), (900, 100), (800, 800), (100, 900)],
        [(100, 100), (900, 100), (800, 800)],
    ],
)
def test_corners_that_enclose_no_board_are_refused(corners: list[tuple[float, float]]) -> None:
    assert isinstance(pose_from_corners(BOARD, corners, (1280, 960)), BoardNotFound)


def test_a_turned_board_has_its_first_corner_a_quarter_on() -> None:
    board = grid_board(7, 7)
    camera = Camera(radial=0.0)
    pose = pose_from_corners(board, camera.taps(board), camera.size)
    assert isinstance(pose, FlatPose)
    corners = pose.project_flat(corner_places(board))
    for quarters in range(4):
        seen = pose.turned(board, quarters).project_flat(corner_places(board))
        np.testing.assert_allclose(seen, np.roll(corners, -quarters, axis=0), atol=1e-3)


def test_a_lens_is_bent_back() -> None:
    points = np.random.default_rng(5).uniform(0, 960, (50, 2))
    np.testing.assert_allclose(bend(unbend(points, (1280, 960), 0.08), (1280, 960), 0.08), points, atol=1e-3)


def test_what_is_tall_leans_away_from_the_middle() -> None:
    pose = pose_from_corners(BOARD, Camera().taps(BOARD), (1280, 960))
    assert isinstance(pose, FlatPose)
    foot, top = pose.project([[30, 30, 0]])[0], pose.project([[30, 30, 15]])[0]
    middle = np.array([640, 480])
    assert np.linalg.norm(top - middle) > np.linalg.norm(foot - middle) + 2
    np.testing.assert_allclose(pose.to_board(foot[None])[0], [30, 30], atol=1e-2)


@pytest.mark.parametrize(("board", "camera"), [(BOARD, TILTED), (BOARD, FAR), (GO, TILTED)])
def test_taps_are_sharpened_on_the_lines(board: Board, camera: Camera) -> None:
    look = random_tiles(board, 21, 0.3)
    image = camera.photograph(board, look)
    rough = pose_from_corners(board, camera.taps(board, 8.0), camera.size)
    pose = BoardLocator(board).at_corners(image, camera.taps(board, 8.0))
    assert misplacement(board, camera, pose) < 1.0
    assert misplacement(board, camera, rough) > 3.0


@pytest.mark.parametrize(("board", "camera"), [(BOARD, TILTED), (BOARD, FAR), (GO, Camera(seed=5)), (GO, TILTED)])
def test_a_grid_is_found_without_help(board: Board, camera: Camera) -> None:
    image = camera.photograph(board, random_tiles(board, 22, 0.25))
    assert misplacement(board, camera, BoardLocator(board).locate(image)) < 1.0


def as_light_as_the_paper(image: np.ndarray) -> np.ndarray:
    """The picture in shades of blue and yellow that are all of one grey."""
    blue = image[..., 0].astype(np.float64)
    yellow = 128 + (128 - blue) * 0.114 / (0.587 + 0.299)
    return np.stack([blue, yellow, yellow], axis=-1).round().astype(np.uint8)


def test_lines_that_differ_in_colour_alone_are_found_and_sharpened_on() -> None:
    image = as_light_as_the_paper(TILTED.photograph(BOARD, random_tiles(BOARD, 22, 0.25)))
    assert gray_of(image).std() < 2.0
    assert misplacement(BOARD, TILTED, BoardLocator(BOARD).locate(image)) < 1.0
    assert misplacement(BOARD, TILTED, BoardLocator(BOARD).at_corners(image, TILTED.taps(BOARD, 8.0))) < 1.0


def test_taps_are_sharpened_on_the_edges_of_squares_of_two_colours() -> None:
    board = grid_board(8, 8)
    camera = dataclasses.replace(TILTED, chequered=True)
    image = camera.photograph(board, {})
    found = BoardLocator(board).locate(image)
    assert isinstance(found, BoardNotFound) or misplacement(board, camera, found) < 2.5, "never somewhere else"
    assert misplacement(board, camera, BoardLocator(board).at_corners(image, camera.taps(board, 8.0))) < 2.5


def test_a_grid_of_another_size_is_not_taken_for_it() -> None:
    image = TILTED.photograph(grid_board(8, 6), {})
    for fit in find_grid(image, grid_board(11, 9).grid):
        assert fit.standing - fit.support < 0.3


@pytest.mark.parametrize("kind", ["wood", "noise", "black", "stripes"])
def test_a_picture_of_something_else_shows_no_board(kind: str) -> None:
    dice = np.random.default_rng(6)
    image = np.zeros((720, 960, 3), np.uint8)
    if kind == "wood":
        image = Camera(corners=((-900, -900), (-800, -900), (-800, -850), (-900, -850))).photograph(BOARD, {})
    elif kind == "noise":
        image = dice.integers(0, 255, image.shape).astype(np.uint8)
    elif kind == "stripes":
        image[:, ::24] = 255
    assert isinstance(BoardLocator(BOARD).locate(image), BoardNotFound)


def test_a_bumped_camera_is_followed_by_the_photograph_before() -> None:
    board = grid_board(6, 5, lines="none")
    first, second = Camera(radial=0.0, seed=8), Camera(
        corners=((190, 90), (1155, 150), (1200, 850), (120, 770)), radial=0.0, gains=(0.8, 0.8, 0.9), seed=9
    )  # fmt: skip
    before = first.photograph(board, random_tiles(board, 23, 0.3))
    pose = BoardLocator(board).at_corners(before, first.taps(board))
    assert isinstance(pose, FlatPose)
    after = second.photograph(board, random_tiles(board, 24, 0.3))
    found = BoardLocator(board, reference=Reference(board, before, pose)).locate(after)
    assert misplacement(board, second, found) < 2.0
    nowhere = Camera(corners=((-900, -900), (-800, -900), (-800, -850), (-900, -850))).photograph(board, {})
    missed = BoardLocator(board, reference=Reference(board, before, pose)).locate(nowhere)
    assert isinstance(missed, BoardNotFound)
    assert "corners" in missed.reason


def test_a_picture_is_turned_as_its_exif_data_say(tmp_path: Path) -> None:
    data = cv2.imencode(".jpg", Camera().photograph(BOARD, {}))[1].tobytes()
    # One directory at byte 8 with one entry: orientation (0x0112), a short, 6 (turned clockwise to be upright).
    exif = b"Exif\0\0MM\0*" + struct.pack(">LHHHLHHL", 8, 1, 0x0112, 3, 1, 6, 0, 0)
    turned = data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:]
    (tmp_path / "turned.jpg").write_bytes(turned)
    assert read_picture(tmp_path / "turned.jpg").shape == (1280, 960, 3)


def test_the_whole_picture_can_be_the_board() -> None:
    board = grid_board(5, 5, lines="none")
    image = cv2.resize(Camera().photograph(board, {}), (500, 500))
    pose = BoardLocator(board).at_corners(image, whole_picture(image))
    assert isinstance(pose, FlatPose)
    np.testing.assert_allclose(
        pose.project_flat(corner_places(board)), [[-0.5, -0.5], [499.5, -0.5], [499.5, 499.5], [-0.5, 499.5]], atol=1e-3
    )
