"""The table behind all screens: stone, lit in its middle."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from kivy.graphics import Color, Rectangle
from kivy.graphics.texture import Texture
from kivy.uix.widget import Widget

from ui.drawing import theme
from ui.drawing.theme import Colour

SIDE = 256
"""pixels of the picture that is stretched over the window"""


class Ground(Widget):
    """Fills its space."""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        with self.canvas:
            Color(1, 1, 1)
            self._light = Rectangle(texture=_light(theme.TABLE, theme.TABLE_LIT))
        self.bind(pos=self._fit, size=self._fit)

    def _fit(self, *_: Any) -> None:
        self._light.pos, self._light.size = self.pos, self.size


@cache
def _light(table: Colour, lit: Colour) -> Any:
    """From the lit colour in the middle, a little above it, to the table's towards the rim."""
    rows, columns = np.mgrid[0:SIDE, 0:SIDE] / (SIDE - 1.0)
    far = np.clip(np.hypot((columns - 0.5) * 1.3, (rows - 0.62) * 1.5) / 0.75, 0, 1)
    share = (1 - far**1.6)[:, :, None]
    colours = np.array(table) * (1 - share) + np.array(lit) * share
    grain = np.random.default_rng(0).uniform(-0.5, 0.5, colours.shape)  # or the 8 bits of a colour show as steps
    picture = np.dstack([colours * 255 + grain, np.full((SIDE, SIDE), 255.0)]).round().astype(np.uint8)
    texture = Texture.create(size=(SIDE, SIDE), colorfmt="rgba")
    texture.blit_buffer(np.ascontiguousarray(picture).reshape(-1), colorfmt="rgba", bufferfmt="ubyte")
    return texture
