"""A picture with marks on the screen, which can be touched, zoomed and moved."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, Rectangle
from kivy.graphics.texture import Texture
from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.widget import Widget

from ui.drawing import theme
from ui.drawing.shapes import circle
from ui.drawing.theme import Colour
from ui.view_models.form_view import PictureMark, Point, ShownPicture, Tone
from ui.view_models.play_view import VerdictKind
from ui.widgets.painting import outline, polygon, text_width, written
from ui.widgets.repainting import repaint
from ui.widgets.scale import scale

ZOOMS = (1.0, 2.0, 4.0)
LARGEST = 2048
"""pixels along the longer side of the texture, a size that every graphics processor supports"""
DRAG = 12
"""how far (dp) a finger may stray and still have tapped"""


class PictureView(Widget):
    """Shows pictures through one texture, which is kept as long as their size. Event: `on_tap(place)` in pixels.

    Marks are drawn in the picture's own pixels, y down.
    """

    __events__ = ("on_tap",)
    zoom = NumericProperty(ZOOMS[0])
    lowest = NumericProperty(0)
    """the lower edge (window pixels) of what is shown of the picture"""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._texture: Any = None
        self._pixels = np.empty((0, 0, 4), np.uint8)  # kept: fresh memory for each picture costs as much as the rest
        self._extent: tuple[int, int] = (0, 0)
        self._number = -1
        self._middle: Point = (0.0, 0.0)
        self._marks: tuple[PictureMark, ...] = ()
        self._dragged: Point | None = None
        self._scale, self._corner = 1.0, (0.0, 0.0)
        with self.canvas:
            self._colour = Color(1, 1, 1, 0)
            self._rectangle = Rectangle()
        self._drawn = InstructionGroup()
        self.canvas.add(self._drawn)
        self._lay_out_soon = Clock.create_trigger(self._lay_out, -1)
        self._repaint_soon = Clock.create_trigger(self._repaint, -1)
        for name in ("pos", "size", "zoom"):
            self.fbind(name, self._lay_out_soon)

    def show(self, shown: ShownPicture | None, marks: Sequence[PictureMark] = ()) -> None:
        """Show a picture that is newer than the one before, and marks on it."""
        if shown is None:
            if self._texture is not None:
                self._hide()
            return
        if shown.number != self._number:
            self._number = shown.number
            self._blit(shown.image)
        if tuple(marks) != self._marks:
            self._marks = tuple(marks)
            self._draw_marks()

    def nearer(self) -> None:
        """Zoom in; at the largest zoom show the whole picture again."""
        self.zoom = ZOOMS[(ZOOMS.index(self.zoom) + 1) % len(ZOOMS)]

    def place_of(self, position: Point) -> Point:
        """The picture's pixel at a window position."""
        return (position[0] - self._corner[0]) / self._scale, (self._corner[1] - position[1]) / self._scale

    def position_of(self, place: Point) -> Point:
        """The window position of a pixel."""
        return self._corner[0] + place[0] * self._scale, self._corner[1] - place[1] * self._scale

    def on_tap(self, place: Point) -> None:
        """The picture was touched; for others to bind to."""

    def on_touch_down(self, touch: Any) -> bool:
        """Begin a tap or a drag."""
        if self._texture is None or not self.collide_point(*touch.pos) or touch.is_mouse_scrolling:
            return False
        touch.grab(self)
        self._dragged = None
        return True

    def on_touch_move(self, touch: Any) -> bool:
        """Move a picture that is larger than its place."""
        if touch.grab_current is not self:
            return False
        strayed = math.hypot(touch.x - touch.ox, touch.y - touch.oy)
        if self._dragged is None and strayed > dp(DRAG):
            self._dragged = self._middle
        if self._dragged is not None and self.zoom > 1:
            x, y = self._dragged
            self._middle = x - (touch.x - touch.ox) / self._scale, y + (touch.y - touch.oy) / self._scale
            self._lay_out()
        return True

    def on_touch_up(self, touch: Any) -> bool:
        """End it: a finger that stayed has tapped."""
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        if self._dragged is None and self._texture is not None:
            x, y = self.place_of(touch.pos)
            width, height = self._extent
            if 0 <= x < width and 0 <= y < height:
                self.dispatch("on_tap", (x, y))
        return True

    def _hide(self) -> None:
        self._colour.a = 0
        self._number, self._texture = -1, None
        self._marks = ()
        self._drawn.clear()

    def _blit(self, image: Any) -> None:
        extent = (image.shape[1], image.shape[0])
        factor = LARGEST / max(extent)
        if factor < 1.0:
            image = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        if self._pixels.shape[:2] != image.shape[:2]:
            self._pixels = np.empty((*image.shape[:2], 4), np.uint8)
        pixels = cv2.cvtColor(image, cv2.COLOR_BGR2RGBA, dst=self._pixels)
        size = (pixels.shape[1], pixels.shape[0])
        is_new = self._texture is None or extent != self._extent
        if is_new:
            self._extent = extent
            self._texture = Texture.create(size=size, colorfmt="rgba")
            self._texture.mag_filter = "linear"
            self._middle = extent[0] / 2, extent[1] / 2
        self._texture.blit_buffer(pixels.reshape(-1), colorfmt="rgba", bufferfmt="ubyte")
        if is_new:
            self._colour.a = 1
            self._rectangle.texture = self._texture
            self._lay_out()
        else:
            self._repaint_soon()

    def _repaint(self, *_: Any) -> None:
        """Show new pixels; nothing else has changed by them."""
        if self.get_root_window() is not None:
            (left, low), (width, height) = self._rectangle.pos, self._rectangle.size
            repaint(self.to_window(left, low), self.to_window(left + width, low + height))

    def _lay_out(self, *_: Any) -> None:
        """Fit the picture into the widget; of one drawn nearer the part around its middle shows."""
        if self._texture is None:
            return
        width, height = self._extent
        self._scale = max(1e-6, min(self.width / width, self.height / height) * self.zoom)
        seen = min(width, self.width / self._scale), min(height, self.height / self._scale)
        x = min(max(self._middle[0], seen[0] / 2), width - seen[0] / 2)
        y = min(max(self._middle[1], seen[1] / 2), height - seen[1] / 2)
        self._middle = x, y
        left, top = x - seen[0] / 2, y - seen[1] / 2
        size = seen[0] * self._scale, seen[1] * self._scale
        at = self.center_x - size[0] / 2, self.y + self.height - size[1]
        self.lowest = at[1]
        self._corner = at[0] - left * self._scale, at[1] + size[1] + top * self._scale
        self._rectangle.pos, self._rectangle.size = at, size
        u, v = (left / width, (left + seen[0]) / width), (top / height, (top + seen[1]) / height)
        self._rectangle.tex_coords = (u[0], v[1], u[1], v[1], u[1], v[0], u[0], v[0])
        self._draw_marks()

    def _draw_marks(self) -> None:
        self._drawn.clear()
        left, low = self._rectangle.pos
        right, high = left + self._rectangle.size[0], low + self._rectangle.size[1]
        for mark in self._marks:
            x, y = self.position_of(mark.place)
            if not (left - 1 <= x <= right + 1 and low - 1 <= y <= high + 1):
                continue
            colour = tone_colour(mark.tone)
            if mark.outline:
                shape = tuple(self.position_of(point) for point in mark.outline)
                if mark.tone is not Tone.PLAIN:
                    outline(self._drawn, shape, theme.WHITE, scale.unit * (6 if mark.chosen else 4))
                outline(self._drawn, shape, colour, scale.unit * (4 if mark.chosen else 2))
            else:
                radius = scale.unit * (9 if mark.chosen else 6)
                polygon(self._drawn, circle((x, y), radius + 2), theme.WHITE)
                polygon(self._drawn, circle((x, y), radius), colour)
                polygon(self._drawn, circle((x, y), radius * 0.3), theme.WHITE)
            if mark.text:
                self._caption(mark.text, (x, y), colour)
        self.canvas.ask_update()

    def _caption(self, text: str, place: Point, colour: Colour) -> None:
        size = scale.unit * 13
        half, y = text_width(text, size) / 2 + scale.unit * 4, place[1] + scale.unit * 20
        x = min(max(place[0], self.x + half), self.right - half)
        y = y if y + size < self.top else place[1] - scale.unit * 20
        box = (
            (x - half, y - size * 0.7),
            (x + half, y - size * 0.7),
            (x + half, y + size * 0.7),
            (x - half, y + size * 0.7),
        )
        polygon(self._drawn, box, theme.WHITE)
        written(self._drawn, text, (x, y), size, colour)


def tone_colour(tone: Tone) -> Colour:
    """What a tone looks like."""
    kinds = {
        Tone.GOOD: VerdictKind.ACCEPTED, Tone.BAD: VerdictKind.REFUSED, Tone.ASKING: VerdictKind.PROPOSED,
        Tone.PLAIN: VerdictKind.NOTE,
    }  # fmt: skip
    return theme.VERDICTS[kinds[tone]][1]
