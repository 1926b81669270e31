"""The sheet is found to a fraction of a pixel, or the reason is given why not."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.poster import poster_pages
from companion.board.layout import Board
from tests.vision.conftest import random_light, random_view
from ui.simulated_table.lying import Sloppiness
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView
from vision.location.board_pose import BoardNotFound, BoardPose
from vision.location.fiducials import Fiducial, FiducialFinder
from vision.location.registration import marker_corners, register
from vision.location.relief import Relief
from vision.pictures import Image, gray_of


def located(board: Board, image: Image) -> BoardPose | BoardNotFound:
    return register(board, FiducialFinder(board.markers).find(gray_of(image)), (image.shape[1], image.shape[0]))


def grid(board: Board, height: float) -> np.ndarray:
    x, y = np.meshgrid(np.linspace(20, board.size[0] - 20, 9), np.linspace(20, board.size[1] - 20, 7))
    return np.column_stack([x.ravel(), y.ravel(), np.full(x.size, height)])


@pytest.mark.parametrize(("seed", "width"), [(1001, 1280), (1002, 1920), (1003, 1280)])
def test_any_point_of_the_board_is_found_without_knowing_the_camera(board: Board, seed: int, width: int) -> None:
    scene = Scene(board, random_view(seed, width=width), random_light(seed), Sloppiness(seed=seed))
    pose = located(board, scene.frame({}))
    assert isinstance(pose, BoardPose)
    flat = grid(board, 0.0)
    off = np.linalg.norm(pose.to_board(scene.pose.project(flat)) - flat[:, :2], axis=1)
    assert np.percentile(off, 95) < 0.15, f"{off.max():.3f} mm at worst"
    tall = grid(board, 18.0)
    lean = np.linalg.norm(pose.project(tall) - scene.pose.project(tall), axis=1)
    assert lean.max() < 1.5, "the tops of pawns lie where the pose says"


def test_to_board_undoes_project(board: Board) -> None:
    pose = CameraView(tilt=35, radial=-0.12).pose(board)
    for height in (0.0, 12.0):
        places = grid(board, height)
        assert np.allclose(pose.to_board(pose.project(places), height), places[:, :2], atol=0.02)


def test_a_sheet_upside_down_is_found_just_as_well(board: Board, plain_scene: Scene) -> None:
    picture = plain_scene.frame({})
    turned = np.ascontiguousarray(picture[::-1, ::-1])
    upright, over = located(board, picture), located(board, turned)
    assert isinstance(upright, BoardPose)
    assert isinstance(over, BoardPose)
    size = np.array([picture.shape[1] - 1, picture.shape[0] - 1])
    places = grid(board, 0.0)
    assert np.allclose(size - over.project(places), upright.project(places), atol=0.3)


@pytest.mark.parametrize(
    ("hidden", "reason"),
    [
        (range(8), "none of the sheet's markers"),
        ((3, 4, 5, 6, 7), "only three"),
        ((1, 3, 4, 5, 6, 7), "only two"),
        ((0, 1, 2, 3, 4, 5, 7), "only one"),
    ],
)
def test_with_too_few_markers_there_is_a_reason_and_no_pose(
    board: Board, plain_scene: Scene, hidden: tuple[int, ...], reason: str
) -> None:
    found = located(board, without_markers(board, plain_scene, hidden))
    assert isinstance(found, BoardNotFound)
    assert reason in found.reason
    assert found.seen == frozenset(board.markers.centres) - set(hidden)


def test_any_four_spread_markers_are_enough(board: Board, plain_scene: Scene) -> None:
    found = located(board, without_markers(board, plain_scene, (1, 3, 5, 7)))
    assert isinstance(found, BoardPose)
    places = grid(board, 0.0)
    assert np.linalg.norm(found.project(places) - plain_scene.pose.project(places), axis=1).max() < 0.6


def test_markers_on_one_side_only_are_refused(board: Board) -> None:
    centres = board.markers.centres
    finder = FiducialFinder(board.markers)
    scene = Scene(board, CameraView(), None, None)
    everything = finder.find(gray_of(scene.frame({})))
    seen = {marker: found for marker, found in everything.items() if centres[marker][1] < 250}
    assert len(seen) == 5
    assert isinstance(register(board, seen, (1280, 720)), BoardPose), "corners and middles span four quadrants"
    top = {marker: found for marker, found in seen.items() if centres[marker][1] < 100}
    assert isinstance(register(board, top, (1280, 720)), BoardNotFound)


def test_a_marker_that_lies_elsewhere_is_noticed(board: Board, plain_scene: Scene) -> None:
    seen = FiducialFinder(board.markers).find(gray_of(plain_scene.frame({})))
    swapped = seen | {0: seen[2], 2: seen[0]}
    found = register(board, swapped, (1280, 720))
    assert isinstance(found, BoardNotFound)
    assert "as printed" in found.reason


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_blank_picture_shows_no_board(board: Board, level: int) -> None:
    found = located(board, np.full((480, 640, 3), level, np.uint8))
    assert isinstance(found, BoardNotFound)
    assert not found.seen


def test_a_mirrored_picture_shows_no_board(board: Board, plain_scene: Scene) -> None:
    assert isinstance(located(board, np.ascontiguousarray(plain_scene.frame({})[:, ::-1])), BoardNotFound)


def test_markers_are_followed_where_they_are_expected(board: Board, plain_scene: Scene) -> None:
    finder = FiducialFinder(board.markers)
    gray = gray_of(plain_scene.frame({}))
    found = finder.find(gray)
    near = {marker: fiducial.corners + 6.0 for marker, fiducial in found.items()}
    followed = finder.follow(gray, near)
    assert followed.keys() == found.keys()
    for marker, fiducial in followed.items():
        assert np.allclose(fiducial.corners, found[marker].corners, atol=0.1)
        assert fiducial.contrast > 100
    far = {marker: fiducial.corners + 300.0 for marker, fiducial in found.items()}
    assert not finder.follow(gray, far).keys() & {2, 3, 4}


def test_markers_too_small_to_be_told_are_found_where_the_others_say(board: Board) -> None:
    scene = Scene(board, CameraView(width=480, height=270, distance=1100, tilt=50, azimuth=70))
    found = FiducialFinder(board.markers).find(gray_of(scene.frame({})))
    assert len(found) >= 4
    for marker, fiducial in found.items():
        printed = scene.pose.project(np.column_stack([marker_corners(board, marker), np.zeros(4)]))
        assert np.abs(fiducial.corners - printed).max() < 0.5


def without_markers(board: Board, scene: Scene, hidden: tuple[int, ...] | range) -> Image:
    """A frame with some markers painted over."""
    picture = scene.frame({}).copy()
    for marker in hidden:
        corners = scene.pose.project(np.column_stack([marker_corners(board, marker), np.zeros(4)]))
        cv2.fillConvexPoly(picture, corners.round().astype(np.int32), (200, 210, 220))
    return picture


CURLED = Relief((594.0, 420.0), (-6.0, 1.5, 2.0, 0.5, -0.5))
"""The long sides' middles lie highest, as on a sheet that was folded across."""


def seen_markers(board: Board, pose: BoardPose, noise: float = 0.1) -> dict[int, Fiducial]:
    dice = np.random.default_rng(5)
    found = {}
    for marker in board.markers.centres:
        corners = pose.project(np.column_stack([marker_corners(board, marker), np.zeros(4)]))
        found[marker] = Fiducial(marker, corners + dice.normal(0, noise, (4, 2)), 200.0)
    return found


def test_to_board_undoes_project_on_a_sheet_that_does_not_lie_flat(board: Board) -> None:
    pose = replace(CameraView(tilt=50, radial=-0.1).pose(board), relief=CURLED)
    for height in (0.0, 12.0):
        places = grid(board, height)
        assert np.allclose(pose.to_board(pose.project(places), height), places[:, :2], atol=0.03)


def test_to_board_undoes_project_on_a_sheet_of_pages_that_lie_off(board: Board) -> None:
    shifted = replace(CURLED, shifts=(1.0, -0.6, 0.3, 0.2, -0.8, -0.5, 0.9, 0.4, -0.3, 0.7))
    pose = replace(CameraView(tilt=50, radial=-0.1).pose(board), relief=shifted)
    places = grid(board, 0.0)
    assert np.allclose(pose.to_board(pose.project(places)), places[:, :2], atol=0.05)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("knows_the_camera", [False, True])
def test_a_sheet_glued_together_of_pages_is_found(board: Board, knows_the_camera: bool, seed: int) -> None:
    true = CameraView(width=1920, height=1080, tilt=30).pose(board)
    dice = np.random.default_rng(seed)
    offs = {tile.part: dice.uniform(-1.5, 1.5, 2) for tile in poster_pages(board, (210.0, 297.0))}
    seen = {}
    for marker, (x, y) in board.markers.centres.items():
        off = next(off for (x0, y0, x1, y1), off in offs.items() if x0 <= x < x1 and y0 <= y < y1)
        corners = true.project(np.column_stack([marker_corners(board, marker) + off, np.zeros(4)]))
        seen[marker] = Fiducial(marker, corners + dice.normal(0, 0.1, (4, 2)), 200.0)
    found = register(board, seen, true.size, true.camera if knows_the_camera else None)
    assert isinstance(found, BoardPose)
    for marker, fiducial in seen.items():
        off = np.linalg.norm(found.to_board(fiducial.corners) - marker_corners(board, marker), axis=1)
        assert off.max() < 1.2, f"marker {marker}"


@pytest.mark.parametrize("knows_the_camera", [False, True])
def test_a_curled_sheet_is_found_as_it_lies(board: Board, knows_the_camera: bool) -> None:
    true = replace(CameraView(width=1920, height=1080, tilt=45).pose(board), relief=CURLED)
    camera = true.camera if knows_the_camera else None
    found = register(board, seen_markers(board, true), true.size, camera)
    assert isinstance(found, BoardPose)
    assert found.relief is not None
    places = grid(board, 0.0)
    off = np.linalg.norm(found.to_board(true.project(places)) - places[:, :2], axis=1)
    assert np.percentile(off, 95) < 0.4, f"{off.max():.2f} mm at worst"


def test_a_flat_sheet_has_no_relief(board: Board) -> None:
    true = CameraView(width=1920, height=1080, tilt=45).pose(board)
    found = register(board, seen_markers(board, true), true.size)
    assert isinstance(found, BoardPose)
    assert found.relief is None


def test_a_sheet_that_lies_crumpled_is_refused(board: Board) -> None:
    true = CameraView(width=1920, height=1080, tilt=45).pose(board)
    dice = np.random.default_rng(6)
    seen = {
        marker: replace(fiducial, corners=fiducial.corners + dice.normal(0, 8.0, 2))
        for marker, fiducial in seen_markers(board, true).items()
    }
    found = register(board, seen, true.size)
    assert isinstance(found, BoardNotFound)
    assert "flatten the sheet" in found.reason
