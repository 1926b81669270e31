"""Painting a part of the window anew, where the processor paints and whole frames take it long."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kivy.core.window import Window
from kivy.graphics.opengl import (
    GL_COLOR_BUFFER_BIT,
    GL_RGB,
    GL_SCISSOR_TEST,
    GL_UNSIGNED_BYTE,
    glClear,
    glClearColor,
    glDisable,
    glEnable,
    glReadPixels,
    glScissor,
)

from companion.board.lattice import Point
from ui.services.graphics import has_graphics_processor

PROOFS = 3
"""frames that must have been there after their flips before one is painted onto the one before"""
MARKS = 8
"""marks of frames, one after the other, so that none is taken for an older one that the driver brought back"""


class KeptFrames:
    """Whether a frame is still there after its flip: so with drivers that copy it to the display, not with those that
    take turns with several.

    To find out, frames are marked in the blue of their first pixel, by less than eyes can see.
    """

    def __init__(self) -> None:
        self._is_known, self._proofs = False, 0
        self._number = 0
        self._marked: bytes | None = None

    def has_latest(self) -> bool:
        """Whether the latest frame is sure to be there; asked before each frame, as first answers are only sought."""
        if not self._is_known:
            self._look()
        return self._is_known and self._proofs == PROOFS

    def _look(self) -> None:
        if self._number == 0:
            self._number = 1
            Window.bind(on_flip=self._mark)
        if self._marked is None:
            return
        is_there = _first_pixel() == self._marked
        self._marked = None
        self._proofs += is_there
        if not is_there or self._proofs == PROOFS:
            self._is_known = True
            Window.unbind(on_flip=self._mark)

    def _mark(self, _window: Any) -> None:
        red, green, blue = _first_pixel()
        self._number += 1
        self._marked = bytes((red, green, blue - blue % MARKS + self._number % MARKS))
        with _only(0, 0, 1, 1):
            glClearColor(*(part / 255 for part in self._marked), 1)
            glClear(GL_COLOR_BUFFER_BIT)


kept_frames = KeptFrames()


def repaint(corner: Point, opposite: Point) -> None:
    """Show at once what has changed between two corners (window coordinates) without a canvas being told.

    Whatever lies there is drawn, as in a whole frame. If anything else has changed, the coming frame is a whole one.
    """
    if Window.canvas.needs_redraw:
        return
    if has_graphics_processor() or not kept_frames.has_latest():
        Window.canvas.ask_update()
        return
    with _only(*_pixels(corner, opposite)):
        Window.dispatch("on_draw")
    Window.dispatch("on_flip")


@contextmanager
def _only(left: int, low: int, width: int, height: int) -> Iterator[None]:
    """Paint on some of the window's pixels only."""
    glEnable(GL_SCISSOR_TEST)
    glScissor(left, low, width, height)
    try:
        yield
    finally:
        glDisable(GL_SCISSOR_TEST)


def _pixels(corner: Point, opposite: Point) -> tuple[int, int, int, int]:
    """Left, low, width and height of all pixels between two corners, in a window that may stand upside down."""
    turned = Window.render_context["modelview_mat"]
    xs, ys, _depths = zip(*(turned.transform_point(x, y, 0) for x, y in (corner, opposite)), strict=True)
    left, low = max(0, math.floor(min(xs))), max(0, math.floor(min(ys)))
    return left, low, max(0, math.ceil(max(xs)) - left), max(0, math.ceil(max(ys)) - low)


def _first_pixel() -> bytes:
    """Red, green and blue (0 to 255) of the pixel at the lower left of the frame."""
    return bytes(glReadPixels(0, 0, 1, 1, GL_RGB, GL_UNSIGNED_BYTE)[:3])
