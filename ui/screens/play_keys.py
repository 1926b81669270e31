"""The keys of the play screen, by the numbers that Kivy gives them: what touches do, done by keys."""

from __future__ import annotations

from typing import Any, Protocol

from companion.session.intents import Intent, IntentKind
from ui.shell.presentation import ScreenHost, TablePresenter
from ui.table.picking import CardView, Picking

ENTER, NUMPAD_ENTER, SPACE, TAB, ESCAPE, F1 = 13, 271, 32, 9, 27, 282
INTENT_KEYS = {
    ENTER: IntentKind.DONE,
    NUMPAD_ENTER: IntentKind.DONE,
    SPACE: IntentKind.DONE,
    ord("n"): IntentKind.NO,
    TAB: IntentKind.NEXT,
    ord("h"): IntentKind.HELP,
    F1: IntentKind.HELP,
}
CONTROL_KEYS = {ord("z"): IntentKind.UNDO, ord("y"): IntentKind.REDO}
ZOOM_KEYS = {ord("+"): 1.25, ord("="): 1.25, ord("-"): 0.8}
SITE_KEYS = {ord("."): 1, ord(","): -1}
NUMBERED = 9
"""cards that have a key of their own at a time"""


class KeyedScreen(Protocol):
    """The play screen as its keys use it: `cards` lie in the tray, texts are "" for what is not there."""

    app: ScreenHost
    ids: Any
    picking: Picking
    cards: tuple[CardView, ...]
    primary_text: Any
    other_sheet: Any
    can_correct: Any
    is_picking: Any

    def do_primary(self) -> None:
        """Do what the primary button says."""

    def wish(self, intent: str) -> None:
        """Pass a button's intent to the presenter."""

    def touch(self, key: str, *, opens: bool) -> None:
        """Touch a card."""

    def correct(self) -> None:
        """Ask which action the latest one really was."""

    def leave_picking(self) -> None:
        """Put away what is looked at."""

    def turn_sheet(self) -> None:
        """Show the board's next sheet."""

    def look_at_holdings(self) -> None:
        """Open the page with all open holdings."""

    def fit(self) -> None:
        """Show what has changed of the tray."""


class PlayKeys:
    """The keys of one play screen. Nine of its cards have numbers at a time, and the possible sites are in an order."""

    def __init__(self, screen: KeyedScreen, presenter: TablePresenter) -> None:
        self._screen, self._presenter = screen, presenter
        self._first = 0
        """the first card that has a number"""
        self._sites: tuple[str, ...] = ()

    def on_key(self, key: int, modifiers: list[str]) -> bool:
        """Do what a key stands for; false where it stands for nothing."""
        screen, intents = self._screen, CONTROL_KEYS if "ctrl" in modifiers else INTENT_KEYS
        if key in (ENTER, NUMPAD_ENTER) and screen.primary_text:
            screen.do_primary()
        elif (intent := intents.get(key)) is not None:
            screen.wish(intent.value)
        elif key == ord("0"):
            screen.ids.board.whole()
        elif key == ord("c") and screen.can_correct:
            screen.correct()
        elif key == ord("b") and screen.other_sheet:
            screen.turn_sheet()
        elif key == ord("o"):
            screen.look_at_holdings()
        elif key == ESCAPE and screen.is_picking:
            screen.leave_picking()
        else:
            return not modifiers and self._choose_by(key)
        return True

    def _choose_by(self, key: int) -> bool:
        """The keys that look at places and cards."""
        if key in ZOOM_KEYS:
            self._screen.ids.board.nearer(ZOOM_KEYS[key])
        elif key in SITE_KEYS:
            self._go_to_site(SITE_KEYS[key])
        elif key == ord("g"):
            self._leaf()
        elif ord("1") <= key <= ord("9"):
            self._touch_numbered(key - ord("0"))
        else:
            return False
        return True

    @property
    def numbered(self) -> tuple[CardView, ...]:
        """The cards that the keys 1 to 9 touch."""
        cards = self._screen.cards
        first = self._first if self._first < len(cards) else 0
        return cards[first : first + NUMBERED]

    def number_anew(self) -> None:
        """Other cards lie in the tray: the first of them is number 1."""
        self._first = 0

    def forget_sites(self) -> None:
        """The record has changed: the next possible site is the first one again."""
        self._sites = ()

    def _touch_numbered(self, number: int) -> None:
        if number <= len(self.numbered):
            card = self.numbered[number - 1]
            self._screen.touch(card.key, opens=card.opens)

    def _leaf(self) -> None:
        """Number the next nine cards; after the last ones look at the next place, then at the next group."""
        picking = self._screen.picking
        number, count = picking.place
        if self._first + NUMBERED < len(self._screen.cards):
            self._first += NUMBERED
            return
        self._first = 0
        if picking.looks_at_places and number < count:
            picking.next_place()
        else:
            names = picking.groups
            following = names.index(picking.group) + 1 if picking.group in names else 0
            picking.open(names[following] if following < len(names) and len(names) > 1 else "")
        self._screen.fit()

    def _go_to_site(self, step: int) -> None:
        """Mark the next possible site, or the previous one, in reading order."""
        view = self._presenter.view()
        if len(view.legal_sites) != 1 or not view.legal_sites <= set(self._sites):
            if not view.legal_sites:
                self._presenter.on_intent(Intent(IntentKind.HELP))
            self._sites = self._screen.ids.board.in_reading_order(self._presenter.view().legal_sites)
            place = -1 if step > 0 else 0
        else:
            place = self._sites.index(next(iter(view.legal_sites)))
        if self._sites:
            self._presenter.on_site(self._sites[(place + step) % len(self._sites)])
            self._screen.app.refresh()
