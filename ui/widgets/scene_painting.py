"""Uploads what a board's scene consists of as Kivy graphics instructions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from kivy.graphics import BorderImage, Color, InstructionGroup, Mesh, Rectangle
from kivy.graphics.texture import Texture
from kivy.metrics import dp

from ui.drawing.board_frame import BoardFrame, Box
from ui.drawing.theme import Colour
from ui.printed.extent import Extent
from ui.printed.pictures import BoardPictures
from ui.printed.scene import Drawn, Filled, Line, Quads, Word
from ui.widgets.painting import dashed_outline, outline, polygon, written

SHADOW_MARGIN, SHADOW_INNER = 48, 32
"""pixels of a shadow's picture around what casts it, and of its stretched middle"""
BRACKET, BRACKET_WIDTH, BRACKET_GAP = 30.0, 4.0, 7.0
"""dp: the arms of the brackets around a board, their width and distance from it"""


@dataclass(frozen=True, slots=True, eq=False, repr=False, weakref_slot=True)
class BoardTextures:
    """The pictures of a board on the graphics processor, and what they show."""

    pictures: Extent
    sheet: Any
    atlas: Any


def uploaded(pictures: BoardPictures) -> BoardTextures:
    """The textures of pictures, whose first row is at the lower edge of the texture."""
    return BoardTextures(pictures.extent, texture_of(pictures.sheet), texture_of(pictures.atlas))


def texture_of(picture: Any) -> Any:
    """A picture (red, green, blue, opacity) as a texture whose first row is at its lower edge."""
    height, width = picture.shape[:2]
    texture = Texture.create(size=(width, height), colorfmt="rgba", bufferfmt="ubyte")
    texture.blit_buffer(picture.reshape(-1), colorfmt="rgba", bufferfmt="ubyte")
    return texture


def paint_sheet(group: InstructionGroup, textures: BoardTextures, frame: BoardFrame) -> None:
    """The part of the sheet that a picture shows, at whole pixels where it is as large as the picture."""
    left, top, right, bottom = textures.pictures.part
    x, high = frame.pixel((left, top))
    width, height = (right - left) * frame.scale, (bottom - top) * frame.scale
    if abs(frame.scale - textures.pictures.scale) < 1e-6:
        x, high = round(x), round(high)
        width, height = textures.pictures.size
    group.add(Color(1, 1, 1))
    coordinates = (0, 1, 1, 1, 1, 0, 0, 0)
    group.add(Rectangle(texture=textures.sheet, pos=(x, high - height), size=(width, height), tex_coords=coordinates))


def paint_scene(group: InstructionGroup, scene: Iterable[Drawn], atlas: Any) -> None:
    """All parts of a scene in order; `atlas` is the texture of all faces."""
    for each in scene:
        match each:
            case Quads():
                group.add(Color(1, 1, 1, each.opacity))
                count = len(each.vertices) // 16
                corners = [4 * quad + corner for quad in range(count) for corner in (0, 1, 2, 0, 2, 3)]
                group.add(Mesh(vertices=each.vertices, indices=corners, mode="triangles", texture=atlas))
            case Filled():
                polygon(group, each.points, each.colour)
            case Line() if each.dash[0]:
                dashed_outline(group, each.points, each.colour, each.width, each.dash)
            case Line():
                outline(group, each.points, each.colour, each.width)
            case Word():
                written(group, each.text, each.centre, each.size, each.colour)


def paint_shadow(group: InstructionGroup, sheet: Box) -> None:
    """The soft shadow of a sheet (left, low, right, high) on the table."""
    left, low, right, high = sheet
    margin = SHADOW_MARGIN
    group.add(Color(1, 1, 1))
    group.add(
        BorderImage(
            texture=_shadow(), border=(margin,) * 4, pos=(left - margin, low - margin),
            size=(right - left + 2 * margin, high - low + 2 * margin),
        )
    )  # fmt: skip


def paint_brackets(group: InstructionGroup, sheet: Box, colour: Colour) -> None:
    """Four corners around a sheet (left, low, right, high) that a camera sees."""
    left, low, right, high = sheet
    arm, width, gap = dp(BRACKET), dp(BRACKET_WIDTH), dp(BRACKET_GAP)
    group.add(Color(*colour))
    for x, across in ((left - gap, 1), (right + gap, -1)):
        for y, up in ((low - gap, 1), (high + gap, -1)):
            group.add(Rectangle(pos=(min(x, x + across * arm), min(y, y + up * width)), size=(arm, width)))
            group.add(Rectangle(pos=(min(x, x + across * width), min(y, y + up * arm)), size=(width, arm)))


@cache
def _shadow() -> Any:
    """A close and a wide shadow below a square."""
    side = 2 * SHADOW_MARGIN + SHADOW_INNER
    shade = np.zeros((side, side), np.float32)
    for down, softness, share in ((3, 5.0, 0.38), (12, 14.0, 0.28)):
        square = np.zeros((side, side), np.float32)
        inner = slice(SHADOW_MARGIN, SHADOW_MARGIN + SHADOW_INNER)
        square[inner, inner] = share
        square[: SHADOW_MARGIN + SHADOW_INNER] = np.roll(square, down, axis=0)[: SHADOW_MARGIN + SHADOW_INNER]
        square[inner.stop : inner.stop + down, inner] = share
        soft = np.asarray(cv2.GaussianBlur(square, (0, 0), softness))
        shade = 1 - (1 - shade) * (1 - soft)
    picture = np.zeros((side, side, 4), np.uint8)
    picture[:, :, :3] = (45, 28, 8)
    picture[:, :, 3] = (shade[::-1] * 255).round()
    return texture_of(np.ascontiguousarray(picture))
