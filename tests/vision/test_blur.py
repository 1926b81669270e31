"""The blur of a picture, measured on the markers."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.board.layout import Board
from ui.simulated_table.scene import Scene
from vision.location.board_pose import BoardPose
from vision.location.fiducials import FiducialFinder
from vision.location.registration import register
from vision.pictures import Image, gray_of
from vision.printed.picture.blur import blur_of, blurred
from vision.printed.pieces.likelihood import weight_under_blur


def located(board: Board, image: Image) -> BoardPose:
    pose = register(board, FiducialFinder(board.markers).find(gray_of(image)), (image.shape[1], image.shape[0]))
    assert isinstance(pose, BoardPose)
    return pose


def scale_of(pose: BoardPose, board: Board) -> float:
    """Pixels a millimetre in the middle of the board."""
    x, y = board.size[0] / 2, board.size[1] / 2
    origin, *ways = pose.project([[x, y, 0.0], [x + 1, y, 0.0], [x, y + 1, 0.0]])
    return float(np.sqrt(abs(np.linalg.det(np.array(ways) - origin))))


@pytest.mark.parametrize("added", [0.8, 1.3])
def test_what_blurs_a_picture_further_is_measured(board: Board, plain_scene: Scene, added: float) -> None:
    picture = plain_scene.frame({})
    pose = located(board, picture)
    before = blur_of(picture, board, pose)
    light = (np.arange(256) / 255.0) ** 2.2
    blurred = cv2.GaussianBlur(light[picture].astype(np.float32), (0, 0), added)
    after = blur_of(np.asarray(255 * blurred ** (1 / 2.2), np.uint8), board, pose)
    assert before is not None
    assert after is not None
    assert np.hypot(before, added / scale_of(pose, board)) == pytest.approx(after, rel=0.12)


def test_a_drawing_is_blurred_as_light_is_not_as_levels_are() -> None:
    edge = np.zeros((40, 40, 3), np.uint8)
    edge[:, 20:] = 255
    soft = blurred(edge, 2.0)
    assert soft[:, :10].max() < 5
    assert soft[:, 30:].min() > 250
    between = (soft[20, 19].astype(float) + soft[20, 20]) / 2
    assert between == pytest.approx(188, abs=4)


def test_without_markers_in_view_there_is_no_measure(board: Board, plain_scene: Scene) -> None:
    picture = plain_scene.frame({})
    pose = located(board, picture)
    assert blur_of(np.full_like(picture, 90), board, pose) is None


def test_a_blurred_picture_gives_less_evidence_and_a_sharp_one_no_more_than_usual() -> None:
    assert weight_under_blur(0.2) == 1.0
    assert 1.0 >= weight_under_blur(0.5) > weight_under_blur(0.9) > weight_under_blur(1.4) > 0.2
