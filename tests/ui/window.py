"""Drives an app in a window: lets frames pass, presses, types, finds and photographs."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from kivy.base import EventLoop
from kivy.core.window import Window
from kivy.tests.common import UnitTestTouch
from kivy.uix.widget import Widget

from ui.app import CompanionApp


class Driver:
    """A user of one app."""

    def __init__(self, app: CompanionApp) -> None:
        self.app = app

    def frames(self, count: int = 4) -> None:
        """Let so many frames be drawn."""
        drawn = 0

        def count_flip(_window: Any) -> None:
            nonlocal drawn
            drawn += 1

        Window.bind(on_flip=count_flip)
        while drawn < count:
            Window.canvas.ask_update()
            EventLoop.idle()
            Window.mainloop()
        Window.unbind(on_flip=count_flip)

    def until(self, condition: Callable[[], bool], frames: int = 200) -> None:
        """Let frames pass until something holds."""
        for _ in range(frames):
            if condition():
                return
            self.frames(1)
        raise AssertionError("it never happened")

    def resize(self, width: int, height: int) -> None:
        """Give the window another size."""
        if tuple(Window.size) != (width, height):
            resized = []
            Window.bind(on_pre_resize=lambda _window, *size: resized.append(size))
            Window.size = (width, height)
            self.until(lambda: len(resized) >= 2)  # Kivy tells it at once, and again when the window system has done it
        self.frames()

    def touch(self, x: float, y: float) -> None:
        """Put a finger on the window and lift it."""
        touch = UnitTestTouch(x, y)
        touch.touch_down()
        self.frames(2)
        touch.touch_up()
        self.frames(2)

    def tap(self, widget: Widget) -> None:
        """Touch the middle of a widget."""
        self.touch(*widget.to_window(*widget.center))

    def key(self, key: int, *modifiers: str) -> None:
        """Press and release a key."""
        Window.dispatch("on_key_down", key, 0, None, list(modifiers))
        Window.dispatch("on_key_up", key, 0)
        self.frames(2)

    def all(self, kind: type) -> Iterator[Any]:
        """The widgets of a kind that are in the tree."""
        return (widget for widget in self.app.root.walk() if isinstance(widget, kind))

    def find(self, kind: type, **properties: Any) -> Any:
        """The only widget of a kind with these properties."""
        found = [w for w in self.all(kind) if all(getattr(w, name) == value for name, value in properties.items())]
        assert len(found) == 1, f"{len(found)} widgets {kind.__name__} {properties}"
        return found[0]

    def picture(self, path: Path) -> Path:
        """Photograph the window."""
        self.frames()
        return self.app.save_screenshot(path)
