"""The start screen: go on with the last game, or begin one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.properties import StringProperty
from kivy.uix.screenmanager import Screen

from ui.text import _
from ui.viewmodels import OfferView
from ui.widgets.controls import Press, load_layout


class OfferPress(Press):
    """A game to be played."""

    key = StringProperty()
    heading = StringProperty()
    detail = StringProperty()


class StartScreen(Screen):
    """Shows what can be played, the likeliest first; `on_offer` is called with the key of the touched one."""

    def __init__(
        self, title: str, offers: tuple[OfferView, ...], on_offer: Callable[[str], None], **properties: Any
    ) -> None:
        super().__init__(**properties)
        self.ids.title.text = title.upper()
        self.ids.subtitle.text = _("The table plays; the companion follows the rules and counts.")
        for index, offer in enumerate(offers):
            press = OfferPress(key=offer.key, heading=offer.title, detail=offer.detail, strong=index == 0)
            press.bind(on_release=lambda pressed: on_offer(pressed.key))
            self.ids.offers.add_widget(press)


load_layout(__file__)
