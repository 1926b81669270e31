"""Views of the sheet by which a lens is measured, through a lens that is known."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.drawing.raster import page_picture
from calibration.lens_sheet import lens_sheet_pdf
from vision.location.board_pose import CameraModel
from vision.pictures import Gray

CAMERA = CameraModel(1280, 720, 1010.0, -0.09, 0.02, (652.0, 351.0))
SCALE = 6.0
"""pixels a millimetre of the drawn sheet"""
WAYS = [
    (0.0, 0.0, -110, -60), (0.0, 0.0, 110, -60), (0.0, 0.0, -110, 60), (0.0, 0.0, 110, 60),
    (0.5, 0.0, 0, 0), (-0.5, 0.1, 40, 20), (0.0, 0.55, -40, 0), (0.1, -0.55, 40, -30), (0.4, 0.4, -80, 30),
    (-0.35, -0.35, 90, 40),
]  # fmt: skip
"""turns about x and y (radians) and shifts (mm)"""


def drawn_sheet() -> Gray:
    """The sheet as it is printed."""
    return np.asarray(cv2.cvtColor(page_picture(lens_sheet_pdf(), 0, SCALE), cv2.COLOR_BGR2GRAY), np.uint8)


def view(sheet: Gray, turn: tuple[float, float], shift: tuple[float, float], seed: int = 0) -> Gray:
    """The sheet before the camera, half a metre away."""
    rows, columns = np.mgrid[0 : CAMERA.height, 0 : CAMERA.width].astype(np.float64)
    pixels = np.stack([columns, rows], axis=-1).reshape(-1, 1, 2)
    rays = cv2.undistortPoints(pixels, CAMERA.matrix, CAMERA.distortion).reshape(-1, 2)
    rotation, _ = cv2.Rodrigues(np.array([*turn, 0.05]))
    middle = np.array([sheet.shape[1], sheet.shape[0]]) / SCALE / 2
    place = np.array([*shift, 420.0]) - rotation @ np.array([*middle, 0.0])
    plane = np.column_stack([rotation[:, 0], rotation[:, 1], place])
    at = cv2.perspectiveTransform(rays[:, None], np.linalg.inv(plane)).reshape(CAMERA.height, CAMERA.width, 2)
    shown = cv2.remap(sheet, (at * SCALE - 0.5).astype(np.float32), None, cv2.INTER_AREA, borderValue=90)
    noise = np.random.default_rng(seed).normal(0, 2, shown.shape)
    return np.clip(cv2.GaussianBlur(shown, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)
