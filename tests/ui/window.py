"""Drives an app in a window: lets frames pass, presses, types, finds and photographs."""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics.opengl import GL_RGB, GL_UNSIGNED_BYTE, glReadPixels
from kivy.lang import Builder
from kivy.tests.common import UnitTestTouch
from kivy.uix.widget import Widget

from calibration.drawing.colours import WARDS
from tests.ui.tables import BOARD
from ui.application.app import CompanionApp
from ui.drawing.shapes import between
from ui.drawing.theme import Colour
from ui.view_models.play_view import PlayView
from ui.widgets.chips import chip_art
from ui.widgets.focus import TAB


def near(colour: Colour, shown: tuple[int, int, int]) -> bool:
    """Whether a pixel shows a colour of the theme."""
    return max(abs(round(part * 255) - seen) for part, seen in zip(colour, shown, strict=True)) <= 3


def ward_colour(pixel: tuple[int, int, int]) -> str:
    """The ward whose printed colour is nearest to a pixel's."""
    return min(WARDS, key=lambda label: math.dist(WARDS[label], pixel))


def ground_of(ward: str) -> tuple[float, float]:
    """A place (mm) on a ward between the disc in its middle and the numeral at its tip."""
    spot = BOARD.spots[ward]
    tip = max((spot.outline[0], spot.outline[1]), key=lambda corner: math.dist(corner, spot.centre))
    return between(spot.centre, tip, 8.8 / math.dist(spot.centre, tip))


class Driver:
    """A user of one app."""

    def __init__(self, app: CompanionApp) -> None:
        self.app = app
        self._is_drawn = False

    def frames(self, count: int = 2) -> None:
        """Let so many frames pass: everything but the drawing, which is done once somebody looks."""
        for _ in range(count):
            Clock.tick()
            EventLoop.dispatch_input()
            Builder.sync()
            Clock.tick_draw()
            Builder.sync()
            Window.mainloop()
        self._is_drawn = False

    def draw(self) -> None:
        """Draw what the latest frame shows, unless that was done."""
        if not self._is_drawn:
            Window.dispatch("on_draw")
            Window.dispatch("on_flip")
            self._is_drawn = True

    def until(self, condition: Callable[[], bool], seconds: float = 60) -> None:
        """Let frames pass until something holds."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, "it never happened"
            self.frames(1)

    def resize(self, width: int, height: int) -> None:
        """Give the window another size."""
        if tuple(Window.size) != (width, height):
            resized = []

            def tell(_window: Any, *size: int) -> None:
                resized.append(size)

            Window.bind(on_pre_resize=tell)
            Window.size = (width, height)
            self.until(lambda: len(resized) >= 2)  # Kivy tells it at once, and again when the window system has done it
            Window.unbind(on_pre_resize=tell)
        self.frames()

    def touch(self, x: float, y: float) -> None:
        """Put a finger on the window and lift it."""
        touch = UnitTestTouch(x, y)
        touch.touch_down()
        self.frames(1)
        touch.touch_up()
        self.frames(1)

    def tap(self, widget: Widget) -> None:
        """Touch the middle of a widget."""
        self.touch(*widget.to_window(*widget.center))

    def key(self, key: int, *modifiers: str) -> None:
        """Press and release a key."""
        Window.dispatch("on_key_down", key, 0, None, list(modifiers))
        Window.dispatch("on_key_up", key, 0)

    def all(self, kind: type) -> Iterator[Any]:
        """The widgets of a kind that are in the tree."""
        return (widget for widget in self.app.root.walk() if isinstance(widget, kind))

    def find(self, kind: type, **properties: Any) -> Any:
        """The only widget of a kind with these properties."""
        found = [w for w in self.all(kind) if all(getattr(w, name) == value for name, value in properties.items())]
        assert len(found) == 1, f"{len(found)} widgets {kind.__name__} {properties}"
        return found[0]

    def pixel(self, x: float, y: float) -> tuple[int, int, int]:
        """The colour (0 to 255) that the latest frame shows at a place."""
        self.draw()
        red, green, blue, *_ = glReadPixels(int(x), int(y), 1, 1, GL_RGB, GL_UNSIGNED_BYTE)
        return red, green, blue

    def ground(self, widget: Any) -> tuple[int, int, int]:
        """The colour that most of a widget shows, without its rim."""
        across, up = range(8, int(widget.width) - 8, 3), range(8, int(widget.height) - 8, 3)
        places = (widget.to_window(widget.x + x, widget.y + y) for x in across for y in up)
        return Counter(self.pixel(*place) for place in places).most_common(1)[0][0]

    def framed_in_turn(self) -> list[Any]:
        """What the Tab key frames on the current screen, once around."""
        framed: list[Any] = []
        while True:
            self.key(TAB)
            self.frames(1)
            if self.app.focus.target in framed:
                assert self.app.focus.target is framed[0]
                return framed
            framed.append(self.app.focus.target)

    @property
    def board(self) -> Any:
        """The board of the current screen."""
        return self.app.screens.current_screen.ids.board

    def misdrawn_wards(self, view: PlayView) -> list[str]:
        """The wards without a magistrate that the latest frame does not show in their colours."""
        taken = {piece.spot.partition(" ")[2] for piece in view.pieces if piece.spot.startswith("magistrate ")}
        wards = [p for p in view.pieces if p.spot.startswith("ward ") and p.spot.partition(" ")[2] not in taken]
        self.until_printed()
        found = []
        for ward in wards:
            place = self.board.frame.pixel(ground_of(ward.spot))
            if ward_colour(self.pixel(*place)) != ward.label:
                found.append(ward.spot)
        return found

    def until_printed(self) -> None:
        """Let frames pass until board and chips are drawn with their printed art; what comes later moves nothing."""
        self.until(lambda: self.board.is_printed and not chip_art.is_busy, seconds=120)
        self.frames()

    def picture(self, path: Path) -> Path:
        """Photograph the window."""
        self.frames()
        self.draw()
        return self.app.save_screenshot(path)
