"""Small pictures of a sheet's markers alone, seen from anywhere, and what else may lie about."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from companion.board.layout import Board
from vision.location.board_pose import BoardPose
from vision.location.registration import Floats
from vision.pictures import Image

SIZE = (1280, 720)
_TABLE = (150, 170, 180)
_FINE = 3
"""Pixels of the drawing for each of the sheet's millimetres."""


def sheet_picture(board: Board, hidden: Iterable[int] = ()) -> Image:
    """The sheet with its markers but for some, at 3 pixels a millimetre."""
    width, height = board.size
    picture = np.full((round(height * _FINE), round(width * _FINE), 3), 240, np.uint8)
    for marker in board.markers.centres.keys() - set(hidden):
        square = marker_picture(board, marker, round(board.markers.side * _FINE))
        left, top = (round((along - board.markers.side / 2) * _FINE) for along in board.markers.centres[marker])
        picture[top : top + len(square), left : left + len(square)] = square
    return picture


def marker_picture(board: Board, marker: int, side: int, margin: int = 0) -> Image:
    """One of the sheet's markers, `side` pixels wide, with a white margin."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, board.markers.dictionary))
    square = cv2.aruco.generateImageMarker(dictionary, marker, side)
    square = cv2.copyMakeBorder(square, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(240,))
    return np.asarray(np.repeat(square[..., None], 3, axis=2), np.uint8)


def seen_by(pose: BoardPose, sheet: Image, size: tuple[int, int] = SIZE) -> Image:
    """The picture that a camera takes of a sheet's picture."""
    columns, rows = np.meshgrid(np.arange(size[0]), np.arange(size[1]))
    return taken(pose, sheet, np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64), size)


def taken(pose: BoardPose, sheet: Image, rays: Floats, size: tuple[int, int]) -> Image:
    """A picture of `size` each of whose pixels shows what the camera has at another pixel, `rays` (pixels, 2)."""
    places = pose.to_board(rays) * np.float32(_FINE) - np.float32(0.5)
    flat = places.reshape(size[1], size[0], 2)
    drawn = cv2.remap(cv2.GaussianBlur(sheet, (0, 0), 1.2), flat, None, cv2.INTER_LINEAR, borderValue=_TABLE)  # type: ignore[call-overload]
    return np.asarray(drawn, np.uint8)
