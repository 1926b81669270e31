"""The play screen: the board, what the table waits for, and everything to be touched meanwhile."""

from __future__ import annotations

from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, StringProperty

from companion.session.intents import Intent, IntentKind
from ui.composing import CAMERA
from ui.presentation import ScreenHost, TablePresenter
from ui.presenter import Presenter
from ui.screens.base import AppScreen
from ui.text import _
from ui.theme import VERDICTS, player_style
from ui.viewmodels import ButtonView, DeviceView, PlayView, VerdictKind
from ui.widgets.controls import Chip, Press, coloured, load_layout, plain, same_children, symbol
from ui.widgets.panels import PlayerPanel
from ui.widgets.scale import scale


class BigButton(Press):
    """One of the four big buttons."""

    intent = StringProperty()


class StepBack(Press):
    """Undo or redo, naming what."""


ENTER, NUMPAD_ENTER, SPACE, TAB, F1 = 13, 271, 32, 9, 282
KEYS = {
    ENTER: IntentKind.DONE,
    NUMPAD_ENTER: IntentKind.DONE,
    SPACE: IntentKind.DONE,
    ord("n"): IntentKind.NO,
    TAB: IntentKind.NEXT,
    ord("h"): IntentKind.HELP,
    F1: IntentKind.HELP,
}
ZOOM_KEYS = {ord("+"): 1.25, ord("="): 1.25, ord("-"): 0.8}
CONTROL_KEYS = {ord("z"): IntentKind.UNDO, ord("y"): IntentKind.REDO}


class PlayScreen(AppScreen):
    """Shows a table's view, that of the open table unless told, and hands on what is touched."""

    has_choices = BooleanProperty(False)
    has_menu = BooleanProperty(False)
    can_correct = BooleanProperty(False)
    other_sheet = StringProperty()
    """the name of the sheet that is shown next"""
    player_height = NumericProperty(64)

    def __init__(self, app: ScreenHost, game: TablePresenter | None = None, **properties: Any) -> None:
        super().__init__(app, **properties)
        self._presenter = game or app.presenter
        self._view: PlayView | None = None
        self.ids.board.board = self._presenter.board
        self.has_menu = isinstance(self._presenter, Presenter)
        self._name_sheet()
        self.follow(scale, unit=self._fit)
        self.follow(self.ids.side, height=self._fit)

    def refresh(self) -> None:
        """Show what the table shows now."""
        self.show(self._presenter.view())
        self._show_clocks()

    def on_key(self, key: int, modifiers: list[str]) -> bool:
        """The keys that are the same as the buttons of a box."""
        kind = (CONTROL_KEYS if "ctrl" in modifiers else KEYS).get(key)
        if kind is not None:
            self.wish(kind.value)
        elif key in ZOOM_KEYS and not modifiers:
            self.ids.board.nearer(ZOOM_KEYS[key])
        elif key == ord("0"):
            self.ids.board.whole()
        elif key == ord("c") and self.can_correct:
            self.correct()
        elif key == ord("b") and self.other_sheet:
            self.turn_sheet()
        else:
            return False
        return True

    def show(self, view: PlayView) -> None:
        """Show a view; what has not changed is left alone."""
        if view is self._view:
            return
        ids, self._view = self.ids, view
        ids.title.text = view.title.upper()
        ids.prompt.text = view.prompt
        ids.board.show(view.pieces, view.legal_sites, view.verdict)
        ids.verdict.show(view.verdict)
        self.can_correct = view.correctable
        ids.choices.show(view.choices)
        self.has_choices = bool(view.choices)
        ids.undo.text, ids.undo.disabled = view.undo or _("Undo"), not view.undo
        ids.redo.text, ids.redo.disabled = view.redo or _("Redo"), not view.redo
        ids.score.text, ids.score.disabled = _("Score"), view.score is None
        self._show_eyes(view.eyes, view.devices)
        self._show_players(view)
        self._show_buttons(view.buttons)
        self._fit()

    def touch_site(self, site: str) -> None:
        """Hand on a touch of the board."""
        self._presenter.on_site(site)
        self.app.refresh()

    def choose(self, key: str) -> None:
        """Hand on a choice."""
        self._presenter.on_choice(key)
        self.app.refresh()

    def correct(self) -> None:
        """The latest action was another one: the table is asked which."""
        self._presenter.on_correct()
        self.app.refresh()

    def turn_sheet(self) -> None:
        """Show the board's next sheet."""
        board = self.ids.board
        board.sheet = (board.sheet + 1) % len(self._presenter.board.sheets)
        self._name_sheet()

    def look_closer(self) -> None:
        """Draw the board nearer; after that show it whole again."""
        board = self.ids.board
        if board.is_near:
            board.whole()
        else:
            board.nearer()

    def wish(self, intent: str) -> None:
        """Hand on the wish of a button."""
        self._presenter.on_intent(Intent(IntentKind(intent)))
        self.app.refresh()

    def _name_sheet(self) -> None:
        board = self._presenter.board
        names = [_("Board"), *(_(name.capitalize()) for name in board.beside)]
        self.other_sheet = names[(self.ids.board.sheet + 1) % len(names)] if len(names) > 1 else ""

    def _show_clocks(self) -> None:
        clock = self._presenter.turn_clock
        if self._view is None:
            return
        panels = same_children(self.ids.players, len(self._view.players), PlayerPanel)
        for panel, player in zip(panels, self._view.players, strict=True):
            panel.clock = clock.text(player.seat) if clock is not None else ""

    def _show_eyes(self, eyes: str, devices: tuple[DeviceView, ...]) -> None:
        chips = same_children(self.ids.eyes, len(devices) + 1, Chip)
        chips[0].text = f"{plain(_('Eyes'))}: [b]{plain(eyes)}[/b]"
        for chip, device in zip(chips[1:], devices, strict=True):
            name = _("camera") if device.name == CAMERA else device.name
            sign, colour = VERDICTS[VerdictKind.ACCEPTED if device.ok else VerdictKind.REFUSED]
            chip.text = f"{coloured(symbol(sign), colour)} {plain(name)}: {plain(device.state)}"

    def _show_players(self, view: PlayView) -> None:
        panels = same_children(self.ids.players, len(view.players), PlayerPanel)
        for panel, player in zip(panels, view.players, strict=True):
            panel.show(player, player_style(self._presenter.board, player.colour))

    def _show_buttons(self, buttons: tuple[ButtonView, ...]) -> None:
        for button, shown in zip(same_children(self.ids.buttons, len(buttons), self._big_button), buttons, strict=True):
            button.intent, button.text, button.disabled = shown.intent, shown.text, not shown.enabled

    def _big_button(self) -> BigButton:
        button = BigButton()
        button.bind(on_release=lambda pressed: self.wish(pressed.intent))
        return button

    def _fit(self, *_: Any) -> None:
        """Give the log what the side column can spare, and the players as much as their holdings need."""
        if self._view is None:
            return
        ids, room = self.ids, self.ids.side.height / scale.unit
        rows = (len(self._view.players) + 1) // 2
        self.player_height = scale.unit * min(max(room * 0.3 / rows, 62), 110 if rows == 1 else 84)
        ids.log.opacity = int(room > 480 or not self.has_choices)
        line_count = 4 if self.has_choices else 12
        ids.log.height = scale.unit * 84 if ids.log.opacity else 0
        ids.log.show(self._view.log, {p.seat: p.name for p in self._view.players}, line_count if ids.log.opacity else 0)


load_layout(__file__)
