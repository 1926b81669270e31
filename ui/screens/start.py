"""The start screen: go on with a game, begin one, or look around."""

from __future__ import annotations

from typing import Any

from kivy.properties import StringProperty

from ui.menus.home import AGAIN, CONTINUE, NEW, home_offers
from ui.screens.base import AppScreen
from ui.screens.registry import MENU
from ui.services.text import _
from ui.shell.presentation import ScreenHost
from ui.widgets.controls import PushButton, load_layout, same_children


class OfferButton(PushButton):
    """A game to be played."""

    key = StringProperty()
    heading = StringProperty()
    detail = StringProperty()


class MenuButton(PushButton):
    """A way to another screen."""

    screen = StringProperty()


class StartScreen(AppScreen):
    """Shows what can be played, the likeliest first, and the other screens."""

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        super().__init__(app, **properties)
        self.ids.title.text = "ROMAN TABLE COMPANION"
        self.ids.subtitle.text = _("The table plays; the companion follows the rules and counts.")
        for entry in MENU:
            press = MenuButton(text=_(entry.text), screen=entry.screen)
            press.bind(on_release=lambda pressed: app.open(pressed.screen))
            self.ids.menu.add_widget(press)

    def on_pre_enter(self, *_arguments: Any) -> None:
        """Read the offers again: games may have been begun, finished or deleted since."""
        offers = home_offers(self.app.shell)
        presses = same_children(self.ids.offers, len(offers), self._offer_press)
        for index, (press, offer) in enumerate(zip(presses, offers, strict=True)):
            press.key, press.heading, press.detail, press.strong = offer.key, offer.title, offer.detail, index == 0

    def choose(self, key: str) -> None:
        """An offer was touched."""
        kind, _space, game_id = key.partition(" ")
        if kind == CONTINUE:
            self.app.open_table(self.app.shell.resume(game_id))
        elif kind == AGAIN:
            self.app.open("setup", again=game_id)
        elif kind == NEW:
            self.app.open("setup")

    def _offer_press(self) -> OfferButton:
        press = OfferButton()
        press.bind(on_release=lambda pressed: self.choose(pressed.key))
        return press


load_layout(__file__)
