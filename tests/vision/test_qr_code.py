"""A QR code is read from a picture as cameras give them, and nothing from a picture without one."""

import cv2
import numpy as np
import pytest
import segno

from companion.publishing.invitation import Invitation
from vision.qr_code import qr_text

TEXT = Invitation("ABCD-EFGH-IJKL-MNOP-QRST", "table:s8Jks-_2dkKeWqPz@192.168.178.120:1883").text


def held_before_a_camera(text: str, side: int, angle: float, size: tuple[int, int] = (720, 1280)) -> np.ndarray:
    """A code on a screen: turned, seen from below, a little blurred and noisy."""
    modules = np.array([list(row) for row in segno.make_qr(text, error="m").matrix_iter(border=4)], np.uint8)
    drawn = np.kron(np.where(modules > 0, 20, 220).astype(np.uint8), np.ones((8, 8), np.uint8))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = np.array([[-0.42, -0.5], [0.42, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * side @ turn.T
    corners += (size[1] * 0.45, size[0] * 0.5)
    ends = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * drawn.shape[0]
    onto = cv2.getPerspectiveTransform(ends.astype(np.float32), corners.astype(np.float32))
    picture = np.full(size, 90, np.uint8)
    picture = cv2.warpPerspective(drawn, onto, size[::-1], picture, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    noise = np.random.default_rng(5).normal(0, 3, size)
    gray = np.clip(cv2.GaussianBlur(picture, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR))


@pytest.mark.parametrize(("side", "angle"), [(300, 0.1), (420, -0.7), (600, 2.9)])
def test_a_code_held_before_a_camera_is_read(side: int, angle: float) -> None:
    assert qr_text(held_before_a_camera(TEXT, side, angle)) == TEXT


def test_a_small_code_in_a_large_picture_is_read_in_the_second_look() -> None:
    assert qr_text(held_before_a_camera(TEXT, 260, 0.2, (1440, 2560))) == TEXT


def test_a_picture_without_a_code_says_nothing() -> None:
    assert qr_text(np.random.default_rng(1).integers(0, 256, (480, 640, 3)).astype(np.uint8)) == ""
    assert qr_text(np.zeros((64, 64, 3), np.uint8)) == ""
