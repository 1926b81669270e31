"""Pictures that are made in the background, one after the other, and shown once they are there; small ones at once."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

import numpy as np
from kivy.clock import Clock
from kivy.event import EventDispatcher
from kivy.graphics import Color, Mesh
from kivy.properties import ListProperty, NumericProperty, ObjectProperty
from kivy.uix.widget import Widget

from companion.errors import CompanionError
from ui.drawing import theme
from ui.drawing.shapes import centre_of, rounded
from ui.printed.edition import Picture
from ui.services.background import Background, stop_if_program_ends
from ui.widgets.scene_painting import texture_of

DIMMED = 0.88
"""how much of its light a picture keeps on a dark screen"""
MOST_KEPT = 24
"""textures"""

_log = logging.getLogger("companion.screen")


class Gallery(EventDispatcher):
    """Textures by what they show; `made` counts those that became ready."""

    made = NumericProperty(0)

    def __init__(self) -> None:
        super().__init__()
        self._textures: dict[Hashable, Any] = {}
        self._waiting: deque[tuple[Hashable, Callable[[], Picture]]] = deque()
        self._work: Background[tuple[Hashable, Picture]] = Background()
        self._look = Clock.create_trigger(self._take, 0.05)

    @property
    def is_busy(self) -> bool:
        """Whether pictures that were asked for are still being made."""
        return bool(self._waiting) or self._work.busy

    def of(self, key: Hashable, make: Callable[[], Picture]) -> Any | None:
        """The texture of a picture (blue, green, red) by its key; None until it is made."""
        if key not in self._textures:
            self._textures[key] = None
            self._waiting.append((key, make))
            self._next()
        return self._textures[key]

    def make_now(self, key: Hashable, make: Callable[[], Picture]) -> None:
        """Have a picture at once that takes a few milliseconds to make."""
        if self._textures.get(key) is None:
            self._keep(key, make())

    def _next(self) -> None:
        if self._waiting and not self._work.busy:
            key, make = self._waiting.popleft()
            self._work.start(partial(_made, key, make))
        if self._work.busy:
            self._look()

    def _take(self, *_: Any) -> None:
        try:
            found = self._work.poll()
        except (CompanionError, OSError) as error:
            _log.error("%s", error)
            found = None
        if found is not None:
            self._keep(*found)
        self._next()

    def _keep(self, key: Hashable, picture: Picture) -> None:
        opaque = np.full(picture.shape[:2], 255, np.uint8)
        self._textures[key] = texture_of(np.ascontiguousarray(np.dstack([picture[:, :, ::-1], opaque])))
        for old in list(self._textures)[:-MOST_KEPT]:
            del self._textures[old]
        self.made += 1


def _made(key: Hashable, make: Callable[[], Picture]) -> tuple[Hashable, Picture]:
    stop_if_program_ends()
    return key, make()


gallery = Gallery()


class PictureBox(Widget):
    """A picture that fills its space, what is too much cut off at both sides; the sheet's ground until it is there."""

    source = ObjectProperty(None, allownone=True)
    """(key, call that makes the picture)"""
    radius = ListProperty([0])
    """pixels of its corners: upper left, upper right, lower right, lower left, or one for all"""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        with self.canvas:
            self._tint = Color(*theme.SHEET)
            self._drawn = Mesh(mode="triangle_fan")
        self._redraw = Clock.create_trigger(self._draw, -1)
        for name in ("pos", "size", "source", "radius"):
            self.fbind(name, self._redraw)
        gallery.bind(made=self._redraw)
        self._redraw()

    def _draw(self, *_: Any) -> None:
        texture = gallery.of(*self.source) if self.source is not None else None
        light = DIMMED if theme.is_dark else 1.0
        self._tint.rgb = (light,) * 3 if texture is not None else theme.SHEET
        width, height = max(1.0, self.width), max(1.0, self.height)
        corners = self.radius * 4 if len(self.radius) == 1 else self.radius
        radii = [min(each, width / 2, height / 2) for each in corners]
        around = rounded(self.x, self.y, width, height, radii)
        across = down = 1.0
        if texture is not None:
            grown = max(width / texture.width, height / texture.height)
            across, down = width / (texture.width * grown), height / (texture.height * grown)
        # Kivy's rounded rectangle pulls awry what it shows a part of; the upper row of a texture is its first.
        self._drawn.texture = texture
        self._drawn.vertices = [
            value
            for x, y in (centre_of(around), *around, around[0])
            for value in (
                x, y, 0.5 + ((x - self.x) / width - 0.5) * across, 0.5 - ((y - self.y) / height - 0.5) * down
            )
        ]  # fmt: skip
        self._drawn.indices = range(len(around) + 2)
