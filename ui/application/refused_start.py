"""A window that says why the app does not start, for whoever began it from a menu and sees no terminal.

Imported after `bootstrap.prepare`.
"""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.core.window import Window
from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout

from ui.services.text import _
from ui.widgets.controls import load_layout
from ui.widgets.ground import Ground
from ui.widgets.scale import scale


class RefusedStart(BoxLayout):
    """The reason as a sentence, and a button to close the window."""

    reason = StringProperty()


class RefusedStartApp(App):
    """Runs until the window is closed."""

    def __init__(self, reason: str, **options: Any) -> None:
        super().__init__(title=_("The app cannot start"), **options)
        self._reason = reason

    def build(self) -> Ground:
        """The ground with the reason on it."""
        scale.follow(Window)
        ground = Ground()
        told = RefusedStart(reason=self._reason)
        told.ids.close.bind(on_release=self.stop)
        ground.add_widget(told)
        ground.bind(size=lambda _ground, size: setattr(told, "size", size))
        return ground


load_layout(__file__)
