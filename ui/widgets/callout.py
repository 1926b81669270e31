"""A verdict over the board, tied by a line to the place it speaks of."""

from __future__ import annotations

import math
from typing import Any

from kivy.graphics import Color, InstructionGroup, Line
from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.floatlayout import FloatLayout

from companion.board.lattice import Point
from ui.drawing import marks, theme
from ui.drawing.board_frame import BoardFrame, Box, site_centre, site_outline
from ui.drawing.faces import outline_of
from ui.drawing.shapes import Points, between
from ui.printed.scene import sign_centre
from ui.view_models.play_view import VerdictView
from ui.widgets.controls import load_layout
from ui.widgets.scale import scale

WIDTH, ABOVE = 430, 14
"""design pixels: how wide it is, and free above it"""
APART = 44
"""design pixels between it and the place it speaks of, beside which other pieces are to be seen"""
MOST_SHAPES = 6
"""places up to which it is tied to the first; what speaks of more stands in the rail"""


class Callout(FloatLayout):
    """Shows a verdict where it covers none of the places it speaks of."""

    most_height = NumericProperty(300)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._tie = InstructionGroup()
        self.canvas.before.add(self._tie)

    @property
    def is_shown(self) -> bool:
        """Whether there is anything to read."""
        return bool(self.ids.verdict.text)

    def show(self, verdict: VerdictView | None, board: Any) -> bool:
        """Show a verdict beside its places on a board view; gives whether there is room for it."""
        box = self.ids.verdict
        box.show(verdict)
        self._tie.clear()
        if verdict is None:
            return False
        box.width = scale.unit * WIDTH
        height = min(box.wanted_height, self.most_height)
        shapes = list(_shapes(board, verdict, board.frame))
        if len(shapes) > MOST_SHAPES:
            box.show(None)
            return False
        for left, top in self._spaces(board, height, shapes[0] if shapes else ()):
            place = left, top - height, left + box.width, top
            if not any(_touch(place, shape) for shape in shapes):
                box.pos, box.height = (left, top - height), height
                if shapes:
                    self._draw_tie(_nearest(place, sign_centre(shapes[0], marks.DISC * dp(1))), shapes[0])
                return True
        box.show(None)
        return False

    def _spaces(self, board: Any, height: float, shape: Points) -> list[Point]:
        """Where its upper left corner may be, the nearest to a shape first: over the bar, in the board's corners, above
        or below the shape; never beside the board.
        """
        width, edge = scale.unit * WIDTH, scale.unit * ABOVE
        high = self.top - edge
        places = [
            (self.x + self.width * 0.34, high),
            (board.x + edge, high - scale.unit * 60),
            (board.right - width - edge, board.y + height + edge),
            (board.x + edge, board.y + height + edge),
        ]
        if shape:
            xs, ys = zip(*shape, strict=True)
            left = min(max(board.x + edge, (min(xs) + max(xs) - width) / 2), board.right - width - edge)
            gap = scale.unit * APART
            near = (left, max(ys) + gap + height), (left, min(ys) - gap)
            places += [each for each in near if board.y + height + edge <= each[1] <= high]
            centre = sign_centre(shape, marks.DISC * dp(1))
            places.sort(key=lambda each: math.dist(_nearest(_box(each, width, height), centre), centre))
        return [(left, top) for left, top in places if board.x <= left and left + width <= board.right]

    def _draw_tie(self, start: Point, shape: Points) -> None:
        radius = marks.DISC * dp(1)
        centre = sign_centre(shape, radius)
        far = max(1.0, math.dist(start, centre))
        end = between(centre, start, min(1.0, radius / far))
        for colour, width in ((theme.WHITE, 3.0), (marks.WRONG_RED, 1.5)):
            self._tie.add(Color(*colour))
            self._tie.add(Line(points=(*start, *end), width=width * scale.unit))


def _shapes(board: Any, verdict: VerdictView, frame: BoardFrame) -> Any:
    """The outlines (pixels) of the places of a verdict on the sheet that is shown."""
    sheet = board.shown
    for spot in verdict.spots:
        if spot in sheet.spots:
            yield frame.pixels(outline_of(sheet, sheet.spots[spot]))
    for site in (*verdict.sites, *([verdict.nearest] if verdict.nearest else ())):
        if site_centre(sheet, site) is not None:
            yield frame.pixels(site_outline(sheet, site))


def _box(corner: Point, width: float, height: float) -> Box:
    """The box with this upper left corner."""
    return corner[0], corner[1] - height, corner[0] + width, corner[1]


def _nearest(box: Box, point: Point) -> Point:
    """The point of a box that is nearest to a point outside."""
    left, low, right, high = box
    return min(max(point[0], left), right), min(max(point[1], low), high)


def _touch(box: Box, shape: Points) -> bool:
    """Whether a box covers a shape, or nearly so."""
    near = scale.unit * 16
    xs, ys = zip(*shape, strict=True)
    left, low, right, high = box
    return not (max(xs) < left - near or min(xs) > right + near or max(ys) < low - near or min(ys) > high + near)


load_layout(__file__)
