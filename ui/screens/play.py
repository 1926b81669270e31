"""The play screen: the board, what the table waits for, and everything to be touched meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.screenmanager import Screen

from companion.session.intents import Intent, IntentKind
from ui.presentation import TablePresenter
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


class PlayScreen(Screen):
    """Shows a presenter's view and hands on what is touched; `on_input` is called after each touch."""

    has_choices = BooleanProperty(False)
    player_height = NumericProperty(64)

    def __init__(self, presenter: TablePresenter, on_input: Callable[[], None], **properties: Any) -> None:
        super().__init__(**properties)
        self._presenter = presenter
        self._on_input = on_input
        self._view: PlayView | None = None
        self.ids.board.board = presenter.board
        scale.bind(unit=self._fit)
        self.ids.side.bind(height=self._fit)

    def show(self, view: PlayView) -> None:
        """Show a view; what has not changed is left alone."""
        if view is self._view:
            return
        ids, self._view = self.ids, view
        ids.title.text = view.title.upper()
        ids.prompt.text = view.prompt
        ids.board.show(view.pieces, view.legal_sites, view.verdict)
        ids.verdict.show(view.verdict)
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
        self._on_input()

    def choose(self, key: str) -> None:
        """Hand on a choice."""
        self._presenter.on_choice(key)
        self._on_input()

    def wish(self, intent: str) -> None:
        """Hand on the wish of a button."""
        self._presenter.on_intent(Intent(IntentKind(intent)))
        self._on_input()

    def _show_eyes(self, eyes: str, devices: tuple[DeviceView, ...]) -> None:
        chips = same_children(self.ids.eyes, len(devices) + 1, Chip)
        chips[0].text = f"{plain(_('Eyes'))}: [b]{plain(eyes)}[/b]"
        for chip, device in zip(chips[1:], devices, strict=True):
            sign, colour = VERDICTS[VerdictKind.ACCEPTED if device.ok else VerdictKind.REFUSED]
            chip.text = f"{coloured(symbol(sign), colour)} {plain(device.name)}: {plain(device.state)}"

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
