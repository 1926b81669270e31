"""What every screen of the app is: built with the app it belongs to, brought up to date after ticks and touches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.event import EventDispatcher
from kivy.properties import ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.screenmanager import Screen

from ui.shell.presentation import ScreenHost
from ui.widgets.controls import load_layout


class AppScreen(Screen):
    """A screen; `app` opens others. Subclasses take what they are opened with as further keyword arguments."""

    app = ObjectProperty(None, rebind=False)

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        super().__init__(app=app, **properties)
        self._following: list[tuple[EventDispatcher, dict[str, Callable[..., None]]]] = []

    def follow(self, source: EventDispatcher, **calls: Callable[..., None]) -> None:
        """Have `calls` made whenever the properties they are named by change, until the screen is closed."""
        source.bind(**calls)
        self._following.append((source, calls))

    def refresh(self) -> None:
        """Bring the screen up to date; called after each tick and when the screen is come to."""

    def on_key(self, key: int, modifiers: list[str]) -> bool:
        """A key was pressed; True where it meant something here."""
        return False

    def close(self) -> None:
        """The screen is left for good, or about to be built anew."""
        for source, calls in self._following:
            source.unbind(**calls)
        self._following.clear()


class TopBar(BoxLayout):
    """A way back, the screen's heading, and room for more on the right."""

    heading = StringProperty()
    back_text = StringProperty()
    go_back: Callable[[], None] = ObjectProperty(None, allownone=True)


load_layout(__file__)
