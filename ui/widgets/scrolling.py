"""What scrolls, moved by whole pixels so that its texts stay sharp."""

from __future__ import annotations

from typing import Any

from kivy.uix.recycleview import RecycleView
from kivy.uix.scrollview import ScrollView


class WholePixels:
    """Lays what scrolls on whole pixels; mixed into a ScrollView, which moves it by fractions of one."""

    def update_from_scroll(self, *arguments: Any) -> None:
        """Move what scrolls to where it was scrolled."""
        view: Any = self
        super().update_from_scroll(*arguments)  # type: ignore[misc]
        view.g_translate.xy = tuple(round(part) for part in view.g_translate.xy)


class SharpScroll(WholePixels, ScrollView):
    """A ScrollView with sharp texts."""


class SharpList(WholePixels, RecycleView):
    """A RecycleView with sharp texts."""
