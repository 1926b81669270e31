"""A finger that rests on a place or a card of the play screen: what it does is shown, and done when it lets go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from kivy.clock import Clock

from ui.screens.play_primary import held_card, held_place
from ui.services.text import _
from ui.table.picking import CardView, Picking
from ui.view_models.play_view import ButtonView, ChoiceView, PlayView

REST = 0.6
"""seconds after which a finger that lies on a card rests there: a look at what it lays is shorter"""
NOTHING = "nothing"
"""no key: nothing lay on the board"""
LET_GO = "let go"
"""the control that lets go of a place"""


class HeldScreen(Protocol):
    """What a resting finger needs of the screen that it rests on."""

    picking: Picking

    @property
    def shown_view(self) -> PlayView | None:
        """The view that is shown; None before the first."""

    @property
    def primary(self) -> CardView | ButtonView | None:
        """What the primary button does; None where it is not there."""

    def takes(self, control: str) -> bool:
        """Whether what a control does has been seen long enough for a touch of it to count."""

    def touch_site(self, site: str) -> None:
        """Take a touch of the board."""

    def do_primary(self) -> None:
        """Do what the primary button says."""

    def turned_up_after(self, key: str) -> Mapping[str, ChoiceView]:
        """The choice of this key together with what may be turned up right after it, by place of the board."""

    def choose(self, key: str) -> None:
        """Hand on a choice."""

    def leave_picking(self) -> None:
        """Put away what is looked at."""

    def fit(self) -> None:
        """Fit all parts to the window."""


class PlayHolding:
    """What a resting finger means on a play screen."""

    def __init__(self, screen: HeldScreen) -> None:
        self._screen = screen
        self.looked_at = NOTHING
        """the key of what lay on the board before a finger touched a card"""
        self._place = self._pressed = ""
        """the place on which a finger rests, and the choice on whose card one lies"""
        self._is_marked_before = False
        """whether the place was touched already when the finger came to rest there"""
        self._card: CardView | None = None
        """what is done when the card is let go on which a finger rests"""
        self._left: CardView | None = None
        """the same, once the finger has left it"""
        self._turned_up: Mapping[str, ChoiceView] = {}
        """what is done, too, where the finger slides from the card to a place of the board, by place"""
        self._over = ""
        """the place to which it has slid, one of these; "" for none"""
        self._rest_soon = Clock.create_trigger(self._rest, REST)

    def hold_site(self, site: str) -> None:
        """A finger rests on a place of the board."""
        view = self._screen.shown_view
        if view is None or view.series:
            return
        self._place, self._is_marked_before = site, view.legal_sites == {site}
        if self._is_marked_before:
            self._screen.fit()
        else:
            self._screen.touch_site(site)

    def let_go(self, site: str, is_meant: bool) -> None:
        """The finger has left the place that it held; where it has strayed, nothing is done."""
        held, done, self._place = self._place, self._at_place(), ""
        if not held and is_meant:
            self._screen.touch_site(site)
        elif done is not None and is_meant and self._screen.takes(LET_GO):
            self._screen.do_primary()
        elif held and not is_meant and not self._is_marked_before:
            self._screen.leave_picking()
        else:
            self._screen.fit()

    def press_card(self, key: str) -> None:
        """A finger lies on the card of a choice; "" once it has left it."""
        self._rest_soon.cancel()
        self._left, self._card, self._pressed = None if key else self._card, None, key
        self._turned_up, self._over = {}, ""
        if key:
            self._rest_soon()
        elif self._left is not None:
            self._screen.fit()

    def slide(self, place: str) -> None:
        """The finger that rests on a card has slid to a place of the board, "" for none."""
        over = place if place in self._turned_up else ""
        if over != self._over:
            self._over = over
            self._screen.fit()

    def drop(self) -> None:
        """The finger on a card is let go: at a place of the board what is turned up is told with the card's choice."""
        both = self._turned_up.get(self._over)
        if both is not None and self._screen.takes(self._pressed):
            self._screen.choose(both.key)

    @property
    def marked(self) -> frozenset[str]:
        """The places of the board to which the finger on a card may slide, or the one to which it has."""
        return frozenset({self._over} if self._over else self._turned_up)

    def rested(self) -> str:
        """The key of what is done by the card on which a finger has rested until now; "" where it only touched it."""
        left, self._left = self._left, None
        return left.key if left is not None else ""

    def told(self) -> str:
        """What is done when the finger lets go, for the primary button; "" where none rests on anything."""
        done = self._turned_up.get(self._over) or self._card or self._at_place()
        if done is None:
            return ""
        if self._turned_up and not self._over:
            return _("Let go: {what}; or slide to the card turned up").format(what=done.text)
        return _("Let go: {what}").format(what=done.text)

    def _at_place(self) -> CardView | None:
        """What is done at the place that is held."""
        view = self._screen.shown_view
        if view is None:
            return None
        return held_place(self._place, self._screen.primary, view, self._screen.picking)

    def _rest(self, *_arguments: Any) -> None:
        view = self._screen.shown_view
        if view is not None and self._pressed:
            self._turned_up = self._screen.turned_up_after(self._pressed)
            looks = self._screen.picking.only_looks_at(self._pressed, self.looked_at)
            self._card = held_card(self._pressed, view, looks=looks, slides=bool(self._turned_up))
        else:
            self._card = None
        if self._card is not None:
            self._screen.fit()
