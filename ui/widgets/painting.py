"""Opaque figures, smooth outlines and short texts as Kivy graphics instructions.

Wide translucent lines cost Kivy a stencil pass each, so colours are mixed beforehand and everything is opaque.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from kivy.core.text import Label as CoreLabel
from kivy.core.text import LabelBase
from kivy.graphics import Color, InstructionGroup, Mesh, Rectangle
from kivy.graphics.texture import Texture

from companion.board.lattice import Point
from ui.drawing import fonts
from ui.drawing.fonts import READING
from ui.drawing.shapes import dashes, rim, stroke
from ui.drawing.theme import Colour

SYMBOLS = "data/fonts/DejaVuSans.ttf"
"""a font that Kivy brings along; it has the signs that Kivy's standard font lacks"""
BEYOND_LATIN = 0x100
"""letters before this one the font for reading has"""
MOST_VERTICES = 65_000


def polygon(group: InstructionGroup, points: Sequence[Point], colour: Colour) -> None:
    """A filled convex polygon with a smooth edge."""
    group.add(Color(*colour))
    group.add(
        Mesh(
            vertices=[value for x, y in points for value in (x, y, 0, 0)],
            indices=range(len(points)),
            mode="triangle_fan",
        )
    )


def triangles(group: InstructionGroup, points: Sequence[Point], colour: Colour) -> None:
    """Any number of triangles in one colour, three points each."""
    group.add(Color(*colour))
    step = MOST_VERTICES - MOST_VERTICES % 3
    for first in range(0, len(points), step):
        part = points[first : first + step]
        vertices = [value for x, y in part for value in (x, y, 0, 0)]
        group.add(Mesh(vertices=vertices, indices=range(len(part)), mode="triangles"))


def outline(group: InstructionGroup, points: Sequence[Point], colour: Colour, width: float = 1.0) -> None:
    """A smooth line around a convex polygon; `width` in pixels."""
    outer, inner = rim(points, width + 1.5)
    pairs = [*zip(outer, inner, strict=True), (outer[0], inner[0])]
    # Across the line the texture runs from clear through opaque to clear.
    vertices = [value for (ax, ay), (bx, by) in pairs for value in (ax, ay, 0, 0.5, bx, by, 1, 0.5)]
    group.add(Color(*colour))
    group.add(Mesh(vertices=vertices, indices=range(2 * len(pairs)), mode="triangle_strip", texture=_soft_edges(width)))


def dashed_outline(
    group: InstructionGroup, points: Sequence[Point], colour: Colour, width: float, dash: tuple[float, float]
) -> None:
    """A dashed line around a polygon with smooth long sides; widths and lengths in pixels."""
    vertices: list[float] = []
    corners: list[int] = []
    for (x0, y0), (x1, y1) in dashes(points, *dash):
        first, second, third, *_between, fourth = stroke((x0, y0), (x1, y1), width + 1.5)
        base = len(vertices) // 4
        for (x, y), across in ((first, 0), (second, 0), (third, 1), (fourth, 1)):
            vertices += (x, y, across, 0.5)
        corners += (base, base + 1, base + 2, base, base + 2, base + 3)
    group.add(Color(*colour))
    group.add(Mesh(vertices=vertices, indices=corners, mode="triangles", texture=_soft_edges(width)))


def thin_lines(group: InstructionGroup, ends: Iterable[tuple[Point, Point]], colour: Colour) -> None:
    """Many one pixel wide lines in one mesh."""
    vertices = [value for pair in ends for x, y in pair for value in (x, y, 0, 0)]
    group.add(Color(*colour))
    group.add(Mesh(vertices=vertices, indices=range(len(vertices) // 4), mode="lines"))


def written(
    group: InstructionGroup, text: str, centre: Point, size: float, colour: Colour, *, bold: bool = True
) -> None:
    """A short text around its centre; `size` is the font's height in pixels."""
    texture = _texture(text, max(6, round(size)), colour, bold)
    width, height = texture.size
    group.add(Color(1, 1, 1))
    position = (round(centre[0] - width / 2), round(centre[1] - height / 2))
    group.add(Rectangle(texture=texture, pos=position, size=(width, height)))


def text_width(text: str, size: float, *, bold: bool = True) -> float:
    """The width (pixels) that a text takes."""
    return float(_texture(text, max(6, round(size)), (0.0, 0.0, 0.0), bold).size[0])


@lru_cache(maxsize=64)
def _soft_edges(width: float) -> Any:
    """A row of pixels whose opacity is that of a line of `width` seen through a pixel's aperture."""
    count = 32
    texture = Texture.create(size=(count, 1), colorfmt="rgba")
    reach = (width + 1.5) / 2
    places = (abs((k + 0.5) / count * 2 - 1) * reach for k in range(count))
    opacities = (round(255 * min(1.0, max(0.0, width / 2 + 0.5 - place))) for place in places)
    texture.blit_buffer(bytes(v for opacity in opacities for v in (255, 255, 255, opacity)), colorfmt="rgba")
    return texture


@lru_cache(maxsize=512)
def _texture(text: str, size: int, colour: Colour, bold: bool) -> Any:
    font = READING if all(ord(sign) < BEYOND_LATIN for sign in text) else SYMBOLS
    label = CoreLabel(text=text, font_size=size, bold=bold, color=(*colour, 1), font_name=font)
    label.refresh()
    return label.texture


def register_fonts() -> None:
    """Make the program's fonts known; the one for reading takes the place of Kivy's standard font."""
    LabelBase.register(fonts.WIDER, "data/fonts/Roboto-Regular.ttf", fn_bold="data/fonts/Roboto-Bold.ttf")
    LabelBase.register(fonts.WIDEST, "data/fonts/DejaVuSans.ttf")
    LabelBase.register(fonts.READING, str(fonts.REGULAR), fn_bold=str(fonts.SEMI_BOLD))
    LabelBase.register(fonts.STRONG, str(fonts.BOLD))
    LabelBase.register(fonts.LETTERING, str(fonts.MARBLE_SERIF))


register_fonts()
