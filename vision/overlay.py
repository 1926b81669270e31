"""What was read, drawn onto the camera's picture."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from companion.board.layout import EMPTY, Board, Spot
from vision.location.flat_pose import Projection
from vision.pictures import Image

_SURE = (80, 220, 60)
_UNSURE = (40, 140, 255)
_COVERED = (200, 60, 200)
_INK = (255, 255, 255)
_SURE_FROM = 0.9
_SURELY_EMPTY = 0.7
_WIDE = 20.0
"""Millimetres from which a piece has room for a word."""


def draw_overlay(
    image: Image,
    board: Board,
    pose: Projection,
    posteriors: Mapping[str, Mapping[str, float]],
    covered: frozenset[str] = frozenset(),
) -> Image:
    """A copy of the picture with every taken spot outlined at its height: green where sure, orange where not.

    Tiles are named in full, smaller pieces by their first letter. Spots that are empty in all likelihood do not show;
    covered ones are outlined in magenta.
    """
    picture = image.copy()
    size = max(0.35, image.shape[1] / 3200)
    for name, spot in board.spots.items():
        if name in covered:
            _outline(picture, pose, spot, _COVERED)
            continue
        chances = posteriors.get(name)
        if not chances:
            continue
        label, chance = max(chances.items(), key=lambda item: item[1])
        if label == EMPTY and chance > _SURELY_EMPTY:
            continue
        sure = chance >= _SURE_FROM
        _outline(picture, pose, spot, _SURE if sure else _UNSURE)
        text = (label if _across(spot) > _WIDE else label[:1].upper()) or "?"
        _write(picture, pose, spot, text if sure else f"{text} {chance:.0%}", size)
    return picture


def _across(spot: Spot) -> float:
    return float(np.ptp(np.array(spot.outline)[:, 0]))


def _outline(picture: Image, pose: Projection, spot: Spot, colour: tuple[int, int, int]) -> None:
    corners = np.array(spot.outline)
    points = pose.project(np.column_stack([corners, np.full(len(corners), spot.base + spot.height)]))
    cv2.polylines(picture, [np.round(points * 8).astype(np.int32)], True, colour, 1, cv2.LINE_AA, 3)


def _write(picture: Image, pose: Projection, spot: Spot, text: str, size: float) -> None:
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    middle = pose.project([[*spot.centre, spot.base + spot.height]])[0]
    place = (round(float(middle[0]) - width / 2), round(float(middle[1]) + height / 2))
    cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, _INK, 1, cv2.LINE_AA)
