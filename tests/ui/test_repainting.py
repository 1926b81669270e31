"""A new picture is painted alone where the processor paints, and looks as in a whole frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from tests.ui.test_demo_games import new_presenter
from ui.view_models.form_view import FormModel, Note, PictureMark, Row, ShownPicture, Tone

pytestmark = pytest.mark.window

SPOILT = (255, 0, 255)
"""a colour (red, green, blue) of no screen"""
ENOUGH = 12
"""frames after which it is known whether the driver keeps them"""
PATIENCE = 60
"""frames after which everything else has come to rest"""


class Preview(FormModel):
    """A picture and one sentence."""

    def __init__(self) -> None:
        self.number, self.seen, self.said = 0, [PictureMark((40, 30), tone=Tone.GOOD, text="marker")], "Watching"
        self.next()

    def next(self) -> None:
        """Take the next picture: noise, different each time."""
        self.number += 1
        image = np.random.default_rng(self.number).integers(0, 256, (135, 240, 3), np.uint8)
        self.shown = ShownPicture(image, self.number)

    def heading(self) -> str:
        return "Camera"

    def rows(self) -> tuple[Row, ...]:
        return (Note(self.said),)

    def touch(self, key: str, value: str) -> None:
        """Nothing can be touched."""

    def picture(self) -> ShownPicture:
        return self.shown

    def marks(self) -> list[PictureMark]:
        return self.seen


class Screen:
    """A form with a preview in the window."""

    def __init__(self, driver: Any) -> None:
        from kivy.core.window import Window

        from ui.screens.form import FormScreen
        from ui.widgets.repainting import kept_frames

        self.app, self.form, self.window = driver.app, Preview(), Window
        self.form_screen = FormScreen(driver.app, self.form, name="preview")
        driver.app.screens.add_widget(self.form_screen)
        driver.app.screens.current = "preview"
        self.app._ticking.cancel()
        self.picture = self.form_screen.ids.picture
        for _ in range(PATIENCE):
            self.frame()
            if kept_frames.has_latest():
                break

    def frame(self) -> None:
        """Let a frame pass that shows the next picture."""
        from kivy.base import EventLoop

        self.form.next()
        self.form_screen.update()
        EventLoop.idle()

    def spoil(self) -> None:
        """Paint over the whole frame what only painting anew takes away."""
        from kivy.graphics.opengl import GL_COLOR_BUFFER_BIT, glClear, glClearColor

        glClearColor(*(part / 255 for part in SPOILT), 1)
        glClear(GL_COLOR_BUFFER_BIT)

    def alone(self) -> Any:
        """The first frame on which the picture was painted alone, the rest of it spoilt."""
        for _ in range(PATIENCE):
            self.spoil()
            self.frame()
            pixels = self.pixels()
            if spoilt(pixels).any():
                return pixels
        raise AssertionError("all frames were whole")

    def pixels(self) -> Any:
        """The latest frame: rows from below, columns, colours."""
        from kivy.graphics.opengl import GL_RGBA, GL_UNSIGNED_BYTE, glReadPixels

        width, height = self.window.system_size
        read = glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE)
        return np.frombuffer(bytes(read), np.uint8).reshape(height, width, 4)[:, :, :3].copy()

    def whole(self) -> Any:
        """The same picture in a whole frame."""
        from kivy.base import EventLoop

        self.window.canvas.ask_update()
        EventLoop.idle()
        return self.pixels()

    def inside(self) -> Any:
        """Which pixels are the picture's."""
        (left, low), (width, height) = self.picture._rectangle.pos, self.picture._rectangle.size
        columns, rows = self.window.system_size
        xs, ys = np.arange(columns) + 0.5, np.arange(rows) + 0.5
        if self.window.rotation == 180:
            xs, ys = columns - xs, rows - ys
        return np.outer((ys > low) & (ys < low + height), (xs > left) & (xs < left + width))


@pytest.fixture
def screen(start: Callable[..., Any]) -> Iterator[Screen]:
    driver = start(new_presenter("city_of_marble"))
    yield Screen(driver)
    from kivy.core.window import Window

    Window.rotation = 0
    Window.update_viewport()


def spoilt(pixels: Any) -> Any:
    """Which pixels were not painted anew."""
    return (pixels == SPOILT).all(axis=2)


@pytest.mark.parametrize("rotation", [0, 180])
@pytest.mark.parametrize("message", ["", "Something went wrong; the game goes on."])
@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_a_picture_alone_looks_as_in_a_whole_frame(screen: Screen, rotation: int, message: str, zoom: float) -> None:
    screen.window.rotation, screen.app.errors.text, screen.picture.zoom = rotation, message, zoom
    screen.window.update_viewport()
    screen.alone()
    before = screen.whole()
    alone, inside = screen.alone(), screen.inside()
    whole = screen.whole()
    assert (alone[inside] == whole[inside]).all()
    assert (spoilt(alone) | (alone == whole).all(axis=2)).all()
    assert spoilt(alone).mean() > 0.9 * (1 - inside.mean())
    assert (whole[inside] != before[inside]).any(axis=1).mean() > (0.3 if message else 0.9)


def test_with_marks_or_words_that_changed_the_whole_frame_is_painted(screen: Screen) -> None:
    def mark() -> None:
        screen.form.seen = [PictureMark((200, 100), tone=Tone.BAD, text="lost")]

    def say() -> None:
        screen.form.said = "paused"

    def report() -> None:
        screen.app.errors.text = "Something went wrong; the game goes on."

    for change in (mark, say, report):
        screen.alone()
        change()
        screen.frame()
        shown = screen.pixels()
        assert not spoilt(shown).any(), change.__name__
        assert (shown == screen.whole()).all(), change.__name__


def first_pixel() -> tuple[float, ...]:
    """Red, green and blue (0 to 1) of the pixel at the lower left."""
    from kivy.graphics.opengl import GL_RGB, GL_UNSIGNED_BYTE, glReadPixels

    return tuple(part / 255 for part in bytes(glReadPixels(0, 0, 1, 1, GL_RGB, GL_UNSIGNED_BYTE))[:3])


@pytest.mark.parametrize("kept", [0, 1, 2])
def test_with_a_driver_that_takes_turns_with_frames_or_forgets_them_all_are_whole(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    from kivy.graphics.opengl import GL_COLOR_BUFFER_BIT, glClear, glClearColor

    from ui.widgets import repainting

    flipped: list[tuple[float, ...]] = []

    def flip(_window: Any) -> None:
        """Leave what was painted so many frames before; a spoilt frame if none is kept."""
        flipped.append(first_pixel())
        before = flipped[-1 - kept] if 0 < kept < len(flipped) else (1, 0, 1)
        glClearColor(*before, 1)
        glClear(GL_COLOR_BUFFER_BIT)

    def drawn(_window: Any) -> None:
        shown.append(spoilt(screen.pixels()).any())

    shown: list[bool] = []
    monkeypatch.setattr(repainting, "kept_frames", repainting.KeptFrames())
    monkeypatch.setattr(type(screen.window), "flip", flip)
    screen.window.bind(on_flip=drawn)
    try:
        for _ in range(ENOUGH):
            screen.frame()
    finally:
        screen.window.unbind(on_flip=drawn)
    assert len(shown) >= ENOUGH
    assert not any(shown)
    assert not repainting.kept_frames.has_latest()


def test_with_a_graphics_processor_frames_are_whole(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    from ui.widgets import repainting

    screen.alone()
    monkeypatch.setattr(repainting, "has_graphics_processor", lambda: True)
    screen.spoil()
    screen.frame()
    assert not spoilt(screen.pixels()).any()


def test_nothing_is_painted_for_a_form_without_news(screen: Screen) -> None:
    from kivy.base import EventLoop

    screen.alone()
    screen.whole()
    screen.spoil()
    screen.form_screen.update()
    EventLoop.idle()
    assert spoilt(screen.pixels()).all()
