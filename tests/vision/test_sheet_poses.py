"""Boards of any game that have a grid and no markers are followed live: by their looks, or from four corners."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.teaching import Lesson, teach_from_pictures
from companion.board.layout import EMPTY
from companion.session.observation import CameraStatus
from tests.vision.grids import Camera, grid_board, random_tiles
from vision.camera.frames import CameraFrame
from vision.location.flat_pose import FlatPose
from vision.location.location import BoardLocator
from vision.location.sheet_poses import SheetPoses
from vision.reader import FrameReading, TableReader
from vision.spots.spot_profile import SpotProfile

BOARD = grid_board(columns=6, rows=5)
CAMERA = Camera(seed=271)
CORNERS = np.array([[150, 110], [1110, 140], [1180, 830], [90, 800]], float)
EVENING = (0.7, 0.8, 0.95)
LOOK = random_tiles(BOARD, 290, share=0.3)


def seen_from(corners: np.ndarray) -> Camera:
    return Camera(corners=tuple(map(tuple, corners)), gains=EVENING, slope=0.2, noise=3.0, seed=272)


def pushed(corners: np.ndarray, degrees: float, shift: tuple[float, float]) -> np.ndarray:
    turn = cv2.getRotationMatrix2D((640, 480), degrees, 1.0)
    return corners @ turn[:, :2].T + turn[:, 2] + shift


@pytest.fixture(scope="module")
def profile() -> SpotProfile:
    pose = BoardLocator(BOARD).at_corners(CAMERA.photograph(BOARD, {}), CAMERA.taps(BOARD))
    assert isinstance(pose, FlatPose)
    lessons = []
    for seed in (281, 282):
        look = random_tiles(BOARD, seed, share=0.5)
        labels = {spot: look.get(spot, EMPTY) for spot in BOARD.spots}
        lessons.append(Lesson(str(seed), CAMERA.photograph(BOARD, look), pose, labels))
    return teach_from_pictures(BOARD, lessons).profile


class Watch:
    """Ten frames a second handed to a reader."""

    def __init__(self, reader: TableReader) -> None:
        self.reader, self.number = reader, 0

    def see(self, image: np.ndarray) -> FrameReading:
        self.number += 1
        return self.reader.see(CameraFrame(image, self.number / 10, self.number))

    def read(self, image: np.ndarray) -> dict[str, str]:
        for _ in range(10):
            observation = self.see(image).observation
            if observation is not None and observation.quiet:
                read = {spot: observation.likeliest(spot)[0] for spot in observation.posteriors}
                return {spot: label for spot, label in read.items() if label}
        raise AssertionError("the board was not read")


def test_a_grid_is_followed_through_a_hand_a_bump_and_a_move(profile: SpotProfile) -> None:
    watch = Watch(TableReader(BOARD, profile))
    before = seen_from(CORNERS).photograph(BOARD, LOOK)
    assert watch.read(before) == LOOK
    hand = before.copy()
    cv2.line(hand, (640, 0), (600, 420), (110, 140, 205), 120)
    states = [watch.see(hand).state for _ in range(2)]
    assert CameraStatus.HAND in states
    free = next(spot for spot in BOARD.spots if spot not in LOOK)
    after = LOOK | {free: "disc blue"}
    assert watch.read(seen_from(CORNERS).photograph(BOARD, after)) == after
    bumped = seen_from(pushed(CORNERS, 3.0, (25.0, -20.0))).photograph(BOARD, after)
    first = watch.see(bumped)
    assert first.state is not CameraStatus.PAUSED
    assert watch.read(bumped) == after


def test_corners_that_somebody_saw_are_where_it_begins(profile: SpotProfile) -> None:
    camera = seen_from(CORNERS)
    image = camera.photograph(BOARD, {})
    poses = SheetPoses(BOARD, None, camera.taps(BOARD, error=4.0))
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    pose = poses.follow(image, gray, 0.0)
    assert pose is not None
    places = np.array([[10.0, 10.0], [190.0, 10.0], [190.0, 160.0], [10.0, 160.0]])
    assert np.abs(pose.project_flat(places) - camera.place(BOARD, places)).max() < 2.0
    assert poses.follow(image, gray, 0.1) is pose


def test_a_hand_over_most_of_the_board_is_no_bump(profile: SpotProfile) -> None:
    watch = Watch(TableReader(BOARD, profile))
    image = seen_from(CORNERS).photograph(BOARD, LOOK)
    watch.read(image)
    pose = watch.see(image).pose
    for right in (300, 500, 700):
        arm = image.copy()
        arm[:, :right] = (110, 140, 205)
        sight = watch.see(arm)
        assert sight.pose is pose
        assert sight.observation is None or not sight.observation.quiet
    assert watch.read(image) == LOOK
