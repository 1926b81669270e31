"""The base of all screens: built with its app, updated after ticks and touches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.event import EventDispatcher
from kivy.properties import ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.screenmanager import Screen

from ui.shell.presentation import ScreenHost
from ui.widgets.controls import load_layout


def after_frame(call: Callable[[], None]) -> None:
    """Call once the coming frame was drawn, however long that takes."""
    Clock.schedule_once(lambda _elapsed: call(), 0)


class AppScreen(Screen):
    """A screen; `app` opens others. Subclasses take the arguments of `open` as further keyword arguments."""

    app = ObjectProperty(None, rebind=False)

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        super().__init__(app=app, **properties)
        self._following: list[tuple[EventDispatcher, dict[str, Callable[..., None]]]] = []

    def follow(self, source: EventDispatcher, **calls: Callable[..., None]) -> None:
        """Call each of `calls` when the property of its name changes, until the screen is closed."""
        source.bind(**calls)
        self._following.append((source, calls))

    def refresh(self) -> None:
        """Update the screen; called after each tick and when the screen is entered."""

    def on_key(self, key: int, modifiers: list[str]) -> bool:
        """React to a key; True if the screen used it."""
        return False

    def close(self) -> None:
        """Release the screen: it was left, or will be built anew."""
        for source, calls in self._following:
            source.unbind(**calls)
        self._following.clear()


class TopBar(BoxLayout):
    """A way back, the screen's heading, and room for more on the right."""

    heading = StringProperty()
    back_text = StringProperty()
    go_back: Callable[[], None] = ObjectProperty(None, allownone=True)


load_layout(__file__)
