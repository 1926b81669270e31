"""What was read, drawn onto the camera's picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

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
"""Probability from which a spot is drawn as sure."""
_SURELY_EMPTY = 0.7
"""Probability of being empty from which a spot is not drawn."""
_WIDE = 20.0
"""Width (mm) of a piece from which its whole label is written on it."""
_LINE = 1600
"""Picture width (pixels) per pixel of line width."""


@dataclass(frozen=True, slots=True)
class Caption:
    """A word centred on a pixel (x, y)."""

    text: str
    middle: tuple[float, float]

    def extent(self, size: float) -> tuple[float, float]:
        """Its width and height in pixels, including the gap to the next line."""
        (width, height), below = cv2.getTextSize(self.text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
        return float(width), float(height + below)

    def hides(self, other: Caption, size: float) -> bool:
        """Whether it overlaps another one."""
        extents = zip(self.middle, other.middle, self.extent(size), other.extent(size), strict=True)
        return all(abs(mine - its) < (own + other_own) / 2 for mine, its, own, other_own in extents)


def draw_overlay(
    image: Image,
    board: Board,
    pose: Projection,
    posteriors: Mapping[str, Mapping[str, float]],
    covered: frozenset[str] = frozenset(),
) -> Image:
    """A copy of the picture with every taken spot outlined at its height: green where sure, orange where not.

    Tiles show their whole label, smaller pieces its first letter; labels of pieces on one another are written one below
    the other. Spots that are probably empty are not drawn; covered ones are outlined in magenta.
    """
    picture = image.copy()
    width = max(1, round(image.shape[1] / _LINE))
    captions: list[Caption] = []
    for name, spot in board.spots.items():
        if name in covered:
            _outline(picture, pose, spot, _COVERED, width)
            continue
        chances = posteriors.get(name)
        if not chances:
            continue
        label, chance = max(chances.items(), key=lambda item: item[1])
        if label == EMPTY and chance > _SURELY_EMPTY:
            continue
        sure = chance >= _SURE_FROM
        _outline(picture, pose, spot, _SURE if sure else _UNSURE, width)
        text = (label if _across(spot) > _WIDE else label[:1].upper()) or "?"
        middle = pose.project([[*spot.centre, spot.base + spot.height]])[0]
        captions.append(Caption(text if sure else f"{text} {chance:.0%}", (float(middle[0]), float(middle[1]))))
    size = max(0.35, image.shape[1] / 3200)
    for caption in spread(captions, size):
        _write(picture, caption, size, width)
    return picture


def spread(captions: Iterable[Caption], size: float) -> list[Caption]:
    """The captions, each moved down until it overlaps none of those before it."""
    placed: list[Caption] = []
    for caption in captions:
        free = caption
        while (under := next((other for other in placed if free.hides(other, size)), None)) is not None:
            free = replace(free, middle=(free.middle[0], under.middle[1] + 1.01 * under.extent(size)[1]))
        placed.append(free)
    return placed


def _across(spot: Spot) -> float:
    return float(np.ptp(np.array(spot.outline)[:, 0]))


def _outline(picture: Image, pose: Projection, spot: Spot, colour: tuple[int, int, int], width: int) -> None:
    corners = np.array(spot.outline)
    points = pose.project(np.column_stack([corners, np.full(len(corners), spot.base + spot.height)]))
    cv2.polylines(picture, [np.round(points * 8).astype(np.int32)], True, colour, width, cv2.LINE_AA, 3)


def _write(picture: Image, caption: Caption, size: float, width: int) -> None:
    across, high = cv2.getTextSize(caption.text, cv2.FONT_HERSHEY_SIMPLEX, size, width)[0]
    x, y = caption.middle
    place = (round(x - across / 2), round(y + high / 2))
    cv2.putText(picture, caption.text, place, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), width + 2, cv2.LINE_AA)
    cv2.putText(picture, caption.text, place, cv2.FONT_HERSHEY_SIMPLEX, size, _INK, width, cv2.LINE_AA)
