"""What people should know of photographs that teach is said: spots not in the picture, sharpness, wrong heights."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.heights import HeightCheck
from calibration.lesson_notes import dropped_spots, to_show_next, unlike_sharpness
from calibration.teaching import Lesson, teach_from_pictures, teaching_summary
from companion.board.layout import EMPTY, Board
from tests.vision.grids import Camera, grid_board, random_tiles
from vision.location.flat_pose import FlatPose
from vision.location.location import BoardLocator
from vision.spots.kernel_classifier import Proof
from vision.spots.spot_features import Squares
from vision.spots.spot_sharpness import blur_of, level_for, softened_to

BOARD = grid_board(6, 5)
TILTED = Camera(corners=((320, 120), (960, 110), (1240, 860), (60, 870)), seed=8)


def lesson(board: Board, camera: Camera, seed: int, cut: int | None = None) -> Lesson:
    look = random_tiles(board, seed, 0.7)
    image = camera.photograph(board, look)
    pose = BoardLocator(board).at_corners(image, camera.taps(board))
    assert isinstance(pose, FlatPose)
    labels = {spot: look.get(spot, EMPTY) for spot in board.spots}
    return Lesson(f"{seed}.jpg", np.ascontiguousarray(image[:, :cut]), pose, labels)


def test_spots_out_of_the_picture_are_named() -> None:
    whole, cut = lesson(BOARD, Camera(seed=1), 1), lesson(BOARD, Camera(seed=1), 2, 980)
    lines = teaching_summary(teach_from_pictures(BOARD, [whole, cut]))
    (line,) = [line for line in lines if "out of the picture" in line]
    assert line.startswith("2.jpg: not learnt from")
    assert {f"tile F{row}" for row in range(1, 6)} <= set(line.partition("picture: ")[2].split("; "))
    (many,) = dropped_spots(("a.jpg", f"tile {number}") for number in range(20))
    assert many.endswith("tile 7 and 12 more")


def test_photographs_that_are_not_equally_sharp_are_warned_about() -> None:
    sharp, soft = lesson(BOARD, Camera(seed=1), 1), lesson(BOARD, Camera(seed=2, blur=3.5), 2)
    lines = teaching_summary(teach_from_pictures(BOARD, [sharp, soft]))
    assert [line for line in lines if "not equally sharp (2.jpg" in line]
    assert not unlike_sharpness({"a": 0.8, "b": 1.0})
    assert not unlike_sharpness({"a": 0.8})


def test_blur_is_measured_and_matched() -> None:
    seen = lesson(BOARD, Camera(seed=3, blur=0.5), 3)
    patches, _ = Squares(BOARD.pieces["tile"], list(BOARD.spots.values())).patches(seen.image, seen.pose)
    own = blur_of(patches)
    for blur in (1.3, 2.2):
        assert blur_of(softened_to(blur, patches, own)) == pytest.approx(blur, rel=0.15)
    assert softened_to(own, patches, own) is patches
    dimmed = np.asarray(patches * 0.4, np.uint8)
    assert blur_of(dimmed) == pytest.approx(own, rel=0.15)
    assert [level_for(blur, (0.8, 1.3, 2.2)) for blur in (0.5, 0.9, 1.1, 2.0, 5.0)] == [0, 0, 1, 2, 2]


@pytest.mark.parametrize(("height", "wrong"), [(0.0, ""), (25.0, "lower")])
def test_a_height_that_the_photographs_contradict_is_noticed(height: float, wrong: str) -> None:
    board = grid_board(6, 5, height=height, labels=["disc red", "square blue"])
    check = HeightCheck(board)
    dice = np.random.default_rng(4)
    look = {spot: str(dice.choice(["disc red", "square blue"])) for spot in board.spots}
    image = TILTED.photograph(board, look)
    pose = BoardLocator(board).at_corners(image, TILTED.taps(board))
    assert isinstance(pose, FlatPose)
    check.add(board.pieces["tile"], list(board.spots.values()), look, image, pose)
    assert check.is_wrong(board.pieces["tile"]) == wrong


def test_what_to_show_next_is_said() -> None:
    samples = [("", 0), ("", 1), *[("red", k % 2) for k in range(6)], ("blue", 0)]
    notes = to_show_next("disc", samples, [Proof(3, 9, (("red", "blue", 2), ("", "red", 1)))])
    assert notes == [
        "disc: show more of red; left out in turn it was taken for blue (times: 2)",
        "disc: show more of nothing; left out in turn it was taken for red (times: 1)",
        "disc: shown hardly ever, so read with doubt: blue",
    ]
    (alone,) = to_show_next("disc", [(label, 0) for label in ("", "red", "red", "red")], [])
    assert "one photograph only" in alone
