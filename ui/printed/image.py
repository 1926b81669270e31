"""A board with its pieces as one picture, for what is shared: pages, files, thumbnails. No Kivy."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from companion.board.layout import Board
from ui.drawing.board_frame import shown_part
from ui.drawing.faces import STOREY, Lying, lying
from ui.printed.edition import Picture
from ui.printed.pictures import BoardPictures, Wanted, board_pictures

DISC = 3.4
"""radius (mm) of the disc that tells how many lie together"""


def board_image(board: Board, look: Mapping[str, str], scale: float, pictures: BoardPictures | None = None) -> Picture:
    """The part of a sheet that is worth showing with what lies on it (blue, green, red), `scale` pixels a mm, or in the
    scale of `pictures` that are there.

    Raises CompanionError.
    """
    part = shown_part(board)
    if pictures is None:
        pictures = board_pictures(board, Wanted(scale, part))
    canvas = np.ascontiguousarray(pictures.sheet[:, :, 2::-1])
    height, width = pictures.atlas.shape[:2]
    there = lying(board, [(spot, label) for spot, label in look.items() if spot in board.spots and label])
    for each in sorted(there, key=lambda one: one.level):
        cell = pictures.cells[each.face]
        left, top = round(cell.left * width), round(cell.top * height)
        face = pictures.atlas[top : top + cell.height, left : left + cell.width]
        for storey in range(each.count if each.is_pile else 1):
            x = (each.centre[0] - part[0]) * pictures.scale - cell.width / 2
            y = (each.centre[1] - STOREY * storey - part[1]) * pictures.scale - cell.height / 2
            _lay(canvas, face, round(x), round(y))
    for each in there:
        if each.count > 1:
            _number(canvas, each, (part[0], part[1]), pictures.scale)
    return canvas


def _lay(canvas: Picture, face: Picture, x: int, y: int) -> None:
    """Lay a face (red, green, blue, opacity) on a picture (blue, green, red) with its upper left corner there."""
    height, width = face.shape[:2]
    left, top = max(0, x), max(0, y)
    right, bottom = min(canvas.shape[1], x + width), min(canvas.shape[0], y + height)
    if right > left and bottom > top:
        seen = face[top - y : bottom - y, left - x : right - x].astype(np.uint16)
        below, opaque = canvas[top:bottom, left:right], seen[:, :, 3:]
        below[:] = ((seen[:, :, 2::-1] * opaque + below * (255 - opaque) + 127) // 255).astype(np.uint8)


def _number(canvas: Picture, each: Lying, origin: tuple[float, float], scale: float) -> None:
    """How many lie or stand together, at the upper left corner."""
    raised = STOREY * (each.count - 1) if each.is_pile else 0.0
    left, top = min(x for x, _y in each.outline), min(y for _x, y in each.outline) - raised
    centre = round((left - origin[0]) * scale), round((top - origin[1]) * scale)
    radius, size = max(5, round(DISC * scale)), DISC * scale / 13
    cv2.circle(canvas, centre, radius, (255, 255, 255), cv2.FILLED, cv2.LINE_AA)
    cv2.circle(canvas, centre, radius, (24, 33, 43), 1, cv2.LINE_AA)
    (width, height), _below = cv2.getTextSize(str(each.count), cv2.FONT_HERSHEY_DUPLEX, size, 1)
    corner = (centre[0] - width // 2, centre[1] + height // 2)
    cv2.putText(canvas, str(each.count), corner, cv2.FONT_HERSHEY_DUPLEX, size, (24, 33, 43), 1, cv2.LINE_AA)
