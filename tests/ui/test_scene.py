"""The simulated table's camera: exact geometry, the same pictures from the same seed, hands that come and go."""

from __future__ import annotations

import numpy as np
import pytest

from companion.board.layout import Board
from companion.registry import print_and_play_board
from ui.simulated_table.hand import Hand
from ui.simulated_table.lying import Sloppiness
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView, Light
from vision.location.fiducials import FiducialFinder
from vision.location.registration import marker_corners
from vision.pictures import gray_of

LOOK = {"ward G7-H7": "red", "magistrate G7-H7": "white", "envoy baths black": "3", "hill E7-E8-F7": "hill"}


@pytest.fixture(scope="module")
def board() -> Board:
    return print_and_play_board("city_of_marble")


@pytest.fixture(scope="module")
def scene(board: Board) -> Scene:
    return Scene(board, CameraView(), Light(noise=2.0), Sloppiness(seed=5))


@pytest.mark.parametrize("view", [CameraView(tilt=0), CameraView(tilt=35, azimuth=110, roll=7, radial=-0.1)])
def test_the_markers_are_where_the_pose_says(board: Board, view: CameraView) -> None:
    scene = Scene(board, view, Light(), None)
    seen = FiducialFinder(board.markers).find(gray_of(scene.frame({})))
    assert len(seen) >= 7
    for marker, fiducial in seen.items():
        truth = scene.pose.project(np.column_stack([marker_corners(board, marker), np.zeros(4)]))
        assert np.abs(fiducial.corners - truth).max() < 0.4


def test_the_same_seed_draws_the_same_table(board: Board) -> None:
    first, second = (Scene(board, CameraView(), Light(noise=2.0), Sloppiness(seed=5)) for _ in range(2))
    assert np.array_equal(first.frame(LOOK), second.frame(LOOK))
    other = Scene(board, CameraView(), Light(noise=2.0), Sloppiness(seed=6))
    assert not np.array_equal(first.still(LOOK), other.still(LOOK))


def test_a_piece_changes_the_picture_only_where_it_stands(board: Board, scene: Scene) -> None:
    without = {spot: label for spot, label in LOOK.items() if not spot.startswith("magistrate")}
    changed = (scene.still(LOOK).astype(int) - scene.still(without)).any(axis=2)
    rows, columns = np.nonzero(changed)
    places = scene.pose.to_board(np.column_stack([columns, rows]))
    assert len(places) > 100
    assert np.linalg.norm(places - np.array(board.spots["ward G7-H7"].centre), axis=1).max() < 45


def test_an_empty_spot_and_one_left_out_look_alike(scene: Scene) -> None:
    assert np.array_equal(scene.still(LOOK), scene.still({**LOOK, "ward C3-C4": ""}))


def test_frames_differ_by_noise_only(scene: Scene) -> None:
    first, second = scene.frame(LOOK).astype(int), scene.frame(LOOK).astype(int)
    assert (first != second).any()
    assert np.abs(first - second).mean() < 6
    assert np.abs(first - scene.still(LOOK)).mean() < 4


@pytest.mark.parametrize("azimuth", [90.0, 0.0, 270.0])
def test_a_hand_comes_covers_its_aim_and_goes(board: Board, scene: Scene, azimuth: float) -> None:
    still = scene.still(LOOK).astype(int)
    reach = board.spots["ward G7-H7"].centre
    touched = {}
    for phase in (0.0, 0.1, 0.5, 0.9, 1.0):
        touched[phase] = int((np.abs(scene.frame(LOOK, Hand(reach, phase, azimuth)) - still) > 40).any(axis=2).sum())
    assert touched[0.0] < 200
    assert touched[1.0] < 200
    assert touched[0.5] > 20_000
    assert touched[0.1] < touched[0.5]
    assert touched[0.9] < touched[0.5]


def test_tall_pieces_lean_away_from_the_camera(board: Board) -> None:
    look = {"magistrate G7-H7": "purple"}
    x, y = board.spots["magistrate G7-H7"].centre
    reach = []
    for tilt in (0.0, 35.0):
        scene = Scene(board, CameraView(tilt=tilt), Light(shadow=0.0), Sloppiness(shift=0, seed=1))
        changed = (np.abs(scene.still(look).astype(int) - scene.still({})) > 25).any(axis=2)
        rows, columns = np.nonzero(changed)
        places = scene.pose.to_board(np.column_stack([columns, rows]))
        reach.append(y - places[:, 1].min())
        assert np.abs(places[:, 0] - x).max() < 9
    assert reach[1] > reach[0] + 8, "18 mm seen at 35 degrees stretch about 13 mm over the sheet"


def test_light_dims_and_tints(board: Board) -> None:
    warm, cold, dark = (
        Scene(board, CameraView(), light, None).still({}).reshape(-1, 3).mean(axis=0)
        for light in (Light(temperature=3000), Light(temperature=9000), Light(exposure=0.25))
    )
    assert warm[2] / warm[0] > 1.3 * cold[2] / cold[0]
    assert dark.mean() < 0.7 * warm.mean()


def test_compression_and_the_lens_leave_the_size(board: Board) -> None:
    picture = Scene(board, CameraView(width=640, height=360, radial=-0.2), Light(quality=60), None).frame({})
    assert picture.shape == (360, 640, 3)
    assert picture.dtype == np.uint8


def test_a_sheet_beside_the_board_is_drawn_with_its_pieces_where_it_lies() -> None:
    board = print_and_play_board("thurn_and_taxis")
    view = CameraView(distance=990.0, aim=(158.5, 0.0))
    scene = Scene(board, view, Light(shadow=0.0), None, {"rome": (614.0, 0.0)})
    look = {"carriage Baden/Loerrach": "Baden", "house blue/Ulm": "blue"}
    bare, laid = scene.still({}).astype(np.int16), scene.still(look).astype(np.int16)
    changed = np.abs(laid - bare).max(axis=2) > 40
    carriage, house = board.beside["rome"].spots["carriage Baden/Loerrach"], board.spots["house blue/Ulm"]
    for x, y in ((carriage.centre[0] + 614.0, carriage.centre[1]), house.centre):
        column, row = scene.pose.project(np.array([[x, y, 5.0]]))[0].round().astype(int)
        assert changed[row - 3 : row + 4, column - 3 : column + 4].any()
        changed[row - 25 : row + 26, column - 25 : column + 26] = False
    assert not changed.any()
