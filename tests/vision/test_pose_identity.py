"""Caches compare poses by identity: sources keep the object while nothing moves; another object changes no reading."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.board.layout import Board
from companion.registry import print_and_play_board
from tests.vision.grids import Camera, grid_board, random_tiles
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView
from vision.location.board_pose import BoardPose
from vision.location.marker_poses import MarkerPoses
from vision.location.sheet_poses import SheetPoses
from vision.pictures import Image, gray_of
from vision.printed.pieces.profile import load_profile, shipped_profile
from vision.printed.reading import BoardReader
from vision.reader import PoseSource


def moved(image: Image, pixels: int) -> Image:
    return np.ascontiguousarray(np.roll(image, pixels, axis=1))


def followed(poses: PoseSource, frames: list[Image]) -> list[object]:
    return [poses.follow(image, gray_of(image), number / 2) for number, image in enumerate(frames)]


def test_markers_that_stay_keep_the_very_pose(board: Board, plain_scene: Scene) -> None:
    look = {"ward E8-F8": "red"}
    still = [plain_scene.frame({}), plain_scene.frame({}), plain_scene.frame(look)]
    poses = followed(MarkerPoses(board), [*still, *[moved(still[0], 12)] * 2])
    assert poses[0] is poses[1] is poses[2]
    assert isinstance(poses[0], BoardPose)
    assert poses[-1] is not poses[0], "a bumped camera has another pose"


def test_a_sheet_that_stays_keeps_the_very_pose() -> None:
    grid, camera = grid_board(columns=6, rows=5), Camera(seed=271)
    corners = tuple(map(tuple, camera.taps(grid)))
    picture = camera.photograph(grid, random_tiles(grid, 290, share=0.3))
    poses = followed(SheetPoses(grid, None, corners), [picture] * 3)
    assert poses[0] is not None
    assert poses[0] is poses[1] is poses[2]


@pytest.mark.parametrize(
    ("game", "look"),
    [
        ("city_of_marble", {"ward E8-F8": "red", "ward J3-J4": "blue"}),
        ("capitol", {"floor Palatine/2": "2", "dome Palatine/2": "red"}),
    ],
)
def test_an_equal_pose_in_another_object_gives_the_same_reading(game: str, look: dict[str, str]) -> None:
    board = print_and_play_board(game)
    image = Scene(board, CameraView(tilt=25.0)).frame(look)
    pose = MarkerPoses(board).find(image)
    assert isinstance(pose, BoardPose)
    reader = BoardReader(board, load_profile(shipped_profile(board), board))
    first, again, equal = (reader.read(image, each) for each in (pose, pose, replace(pose)))
    assert first.posteriors == again.posteriors == equal.posteriors
    assert first.covered == equal.covered
