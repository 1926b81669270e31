"""The play screen: the board, the prompt, choices, buttons, players and log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, StringProperty

from companion.session.intents import Intent, IntentKind
from ui.drawing.theme import VERDICTS, seal_of
from ui.screens.base import AppScreen
from ui.services.settings import Signal
from ui.services.text import _, capitalised, place_name
from ui.shell.presentation import ScreenHost, TablePresenter
from ui.table.composing import CAMERA, LENS
from ui.view_models.play_view import ButtonView, DeviceView, PlayView, VerdictKind
from ui.widgets.chips import chip_art
from ui.widgets.controls import (
    Chip,
    PushButton,
    coloured,
    extent,
    load_layout,
    plain,
    plain_words,
    same_children,
    symbol,
)
from ui.widgets.panels import PlayerPanel, amounts_markup
from ui.widgets.scale import NARROW, scale
from ui.widgets.signal import sound_refusal


class Words(Enum):
    """How detailed the devices' states are shown, the most detailed first."""

    ALL = auto()
    NO_TITLE = auto()
    NAMES = auto()
    SIGNS = auto()


class BigButton(PushButton):
    """One of the four big buttons."""

    intent = StringProperty()


class StepBack(PushButton):
    """Undo or redo, naming what, or correct."""

    is_narrow = BooleanProperty(False)


CHIP_FONT, CHIP_MARGIN = 14, 32
"""design pixels of a chip's text, and around it"""
FEWEST_SHOWN = 12
"""letters of the camera's state that are shown in the smallest layout"""
MOST_FOR_PLAYERS = 0.45
"""how much of the side column the players may take"""
WITH_GROUPS = 5.5
"""rows of presses for which room is kept where choices are shown group by group"""
WITH_HEADINGS = 10.5
"""the same where few choices are listed below headings, beside what was done last and what lies open"""
LOG = 64
"""height of the log beside choices"""
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
SPOT_KEYS = {ord("."): 1, ord(","): -1}
CONTROL_KEYS = {ord("z"): IntentKind.UNDO, ord("y"): IntentKind.REDO}


class PlayScreen(AppScreen):
    """Shows a table's view, by default the open table's, and passes touches to its presenter."""

    has_choices = BooleanProperty(False)
    has_menu = BooleanProperty(False)
    can_correct = BooleanProperty(False)
    other_sheet = StringProperty()
    """the name of the sheet that is shown next"""
    title_width = NumericProperty(0)
    shows_players = BooleanProperty(True)
    gap = NumericProperty(10)
    """pixels between header, board and tray"""
    is_watched = BooleanProperty(False)
    """whether a camera sees the board"""
    is_narrow = BooleanProperty(False)
    """whether the window is narrow, so that parts are stacked instead of side by side"""

    def __init__(self, app: ScreenHost, game: TablePresenter | None = None, **properties: Any) -> None:
        super().__init__(app, **properties)
        self._presenter = game or app.presenter
        self._view: PlayView | None = None
        self._spots: tuple[str, ...] = ()
        self.ids.board.board = self._presenter.board
        self.has_menu = self._presenter.played is not None
        self.follow(scale, unit=self._fit)
        self.follow(chip_art, made=self._fit)
        self.follow(self.ids.side, size=self._fit)
        self.follow(self.ids.texts, width=self._fit)
        self.bind(size=self._fit)

    def refresh(self) -> None:
        """Show what the table shows now."""
        self.show(self._presenter.view())
        self._show_clocks()

    def on_pre_leave(self) -> None:
        """The screen is left for another one."""
        self._presenter.stop_asking()

    def on_key(self, key: int, modifiers: list[str]) -> bool:
        """The keys that are the same as the buttons of a box."""
        kind = (CONTROL_KEYS if "ctrl" in modifiers else KEYS).get(key)
        if kind is not None:
            self.wish(kind.value)
        elif key in ZOOM_KEYS and not modifiers:
            self.ids.board.nearer(ZOOM_KEYS[key])
        elif key == ord("0"):
            self.ids.board.whole()
        elif key in SPOT_KEYS and not modifiers:
            self.go_to_spot(SPOT_KEYS[key])
        elif key == ord("g") and not modifiers:
            self.ids.choices.leaf()
        elif ord("1") <= key <= ord("9") and not modifiers:
            self._choose_number(key - ord("0"))
        elif key == ord("c") and self.can_correct:
            self.correct()
        elif key == ord("b") and self.other_sheet:
            self.turn_sheet()
        elif key == ord("o"):
            self.look_at_holdings()
        else:
            return False
        return True

    def show(self, view: PlayView) -> None:
        """Show a view; what has not changed is left alone."""
        if view is self._view:
            return
        if self._view is not None and view.log != self._view.log:
            self._spots = ()
        ids, before, self._view = self.ids, self._view, view
        ids.title.text = view.title.upper()
        ids.prompt.text = view.prompt
        self.is_watched = view.is_watched
        ids.board.show(view.pieces, view.legal_sites, view.verdict)
        ids.verdict.show(view.verdict)
        self.can_correct = view.correctable
        ids.choices.show(view.choices)
        self.has_choices = bool(view.choices)
        ids.undo.text, ids.undo.disabled = view.undo or _("Undo"), not view.undo
        ids.redo.text, ids.redo.disabled = view.redo or _("Redo"), not view.redo
        ids.score.text, ids.score.disabled = _("Score"), view.score is None
        self._name_sheet()
        self._show_players(view)
        self._show_buttons(view.buttons)
        self._fit()
        if before is not None and is_refusal(view) and view.verdict != before.verdict:
            self._signal()

    def touch_site(self, site: str) -> None:
        """Hand on a touch of the board."""
        self._presenter.on_site(site)
        self.app.refresh()

    def go_to_spot(self, step: int) -> None:
        """Mark the next possible site, or the previous one, in reading order."""
        view = self._presenter.view()
        if len(view.legal_sites) != 1 or not view.legal_sites <= set(self._spots):
            if not view.legal_sites:
                self._presenter.on_intent(Intent(IntentKind.HELP))
            self._spots = self.ids.board.in_reading_order(self._presenter.view().legal_sites)
            place = -1 if step > 0 else 0
        else:
            place = self._spots.index(next(iter(view.legal_sites)))
        if self._spots:
            self.touch_site(self._spots[(place + step) % len(self._spots)])

    def _choose_number(self, number: int) -> None:
        numbered = self.ids.choices.numbered
        if number <= len(numbered):
            self.choose(numbered[number - 1].key)

    def choose(self, key: str) -> None:
        """Hand on a choice."""
        self._presenter.on_choice(key)
        self.app.refresh()

    def correct(self) -> None:
        """Ask which action the latest one really was."""
        self._presenter.on_correct()
        self.app.refresh()

    def look_at_holdings(self) -> None:
        """Open the menu's page with all open holdings."""
        if self.has_menu:
            self.app.open("table", looking=True)

    def turn_sheet(self) -> None:
        """Show the board's next sheet."""
        self.ids.board.sheet = self._next_sheet()
        self._name_sheet()

    def look_closer(self) -> None:
        """Zoom in; zoomed in already, show the whole board."""
        board = self.ids.board
        if board.is_near:
            board.whole()
        else:
            board.nearer()

    def wish(self, intent: str) -> None:
        """Pass a button's intent to the presenter."""
        state = self._view.state if self._view is not None else None
        self._presenter.on_intent(Intent(IntentKind(intent), state=state))
        self.app.refresh()

    def _next_sheet(self) -> int:
        """The sheet to show next: the first one, and the others with pieces on them, in turn."""
        lying = {piece.spot for piece in self._view.pieces} if self._view is not None else set()
        sheets = self._presenter.board.sheets
        used = [number for number, sheet in enumerate(sheets) if not number or not lying.isdisjoint(sheet.spots)]
        return next((number for number in used if number > self.ids.board.sheet), 0)

    def _name_sheet(self) -> None:
        board, following = self._presenter.board, self._next_sheet()
        names = [_("Board"), *(capitalised(place_name(board.game, name)) for name in board.beside)]
        self.other_sheet = names[following] if following != self.ids.board.sheet else ""

    def on_enter(self, *_: Any) -> None:
        """Draw the board if it was laid out while another screen was shown."""
        self.ids.board.come_into_sight()

    def _signal(self) -> None:
        """Signal a refusal, if the settings ask for it."""
        wanted = self.app.settings.signal
        if wanted == Signal.FLASH or (wanted == Signal.TONE and not sound_refusal()):
            self.ids.flash.begin()

    def _show_clocks(self) -> None:
        clock = self._presenter.turn_clock
        if self._view is None:
            return
        panels = same_children(self.ids.players, len(self._view.players), self._player_panel)
        for panel, player in zip(panels, self._view.players, strict=True):
            panel.clock = clock.text(player.seat) if clock is not None else ""

    def _show_eyes(self, view: PlayView) -> None:
        """The game's title and the devices' states, shortened to the room there is."""
        ids, room = self.ids, self.ids.texts.width
        title = extent(ids.title.text, ids.title.font_size, True)[0] + 2
        texts: list[str] = []
        for words in Words:
            texts = list(_chip_texts(view.eyes, view.devices, words))
            self.title_width = title if words is Words.ALL else 0
            if _wanted_width(texts) + self.title_width <= room:
                break
        kept = len(view.eyes)
        while _wanted_width(texts) > room and kept > FEWEST_SHOWN:  # a file's whole path, for one
            kept = kept * 9 // 10
            texts = list(_chip_texts(_without_middle(view.eyes, kept), view.devices, Words.SIGNS))
        for chip, text in zip(same_children(ids.eyes, len(texts), Chip), texts, strict=True):
            chip.text = text

    def _show_players(self, view: PlayView) -> None:
        panels = same_children(self.ids.players, len(view.players), self._player_panel)
        for panel, player in zip(panels, view.players, strict=True):
            panel.show(player, seal_of(self._presenter.board, player.colour), self._presenter.board)

    def _player_panel(self) -> PlayerPanel:
        panel = PlayerPanel()
        panel.bind(on_release=lambda _panel: self.look_at_holdings())
        return panel

    def _show_buttons(self, buttons: tuple[ButtonView, ...]) -> None:
        for button, shown in zip(same_children(self.ids.buttons, len(buttons), self._big_button), buttons, strict=True):
            button.intent, button.text = shown.intent, shown.text
            button.disabled, button.strong = not shown.enabled, shown.strong

    def _big_button(self) -> BigButton:
        button = BigButton()
        button.bind(on_release=lambda pressed: self.wish(pressed.intent))
        return button

    def _fit(self, *_: Any) -> None:
        """Give the players the height that their holdings need, and the log what is left in the side column."""
        self.is_narrow = self.height > self.width and self.width < scale.unit * NARROW
        if self._view is None:
            return
        self._show_eyes(self._view)
        ids, room = self.ids, self.ids.side.height
        rows = (len(self._view.players) + 1) // 2
        least = ids.players.least_height(ids.side.width)
        height = max(scale.unit * 38, min(ids.players.wanted_height(ids.side.width), room * MOST_FOR_PLAYERS / rows))
        if ids.choices.has_groups:  # what lies before players is a touch away, what is to be chosen is not
            height = min(height, max(least, (room - WITH_GROUPS * scale.touch) / rows))
        elif ids.choices.has_headings:
            height = min(height, max(least, (room - WITH_HEADINGS * scale.touch) / rows))
        is_refused = is_refusal(self._view)
        beside = len(ids.side.children) - 2  # spaces between the parts but players and choices
        spare = room - rows * (height + ids.side.spacing) - beside * ids.side.spacing
        row = scale.touch + ids.side.spacing
        needed = (3 if is_refused else 2 if ids.choices.has_headings else 1) * row
        if is_refused:
            needed += min(ids.verdict.wanted_height, room * 0.38)
        self.shows_players = not self.has_choices or spare > needed  # what can be answered comes first
        ids.players.row_height = height if self.shows_players else 0
        ids.players.lay_out()
        has_room = room > scale.unit * (700 if is_refused else 480) or not self.has_choices
        open_supply = self._view.open_supply if has_room else self._view.open_supply[:1]
        ids.open_supply.text = amounts_markup(open_supply) if has_room or spare > 5 * row else ""
        ids.open_supply.texture_update()
        if self.has_choices:  # what was done last gives way to what can be done now
            taken = min(ids.verdict.wanted_height, ids.verdict.limit) + ids.open_supply.texture_size[1]
            has_room = has_room and spare - taken - scale.unit * LOG >= ids.choices.wanted_height
        ids.log.opacity = int(has_room and bool(self._view.log))
        line_count = 3 if self.has_choices else 40
        ids.log.height = scale.unit * LOG if ids.log.opacity else 0
        ids.log.show(self._view.log, {p.seat: p.name for p in self._view.players}, line_count if ids.log.opacity else 0)


def is_refusal(view: PlayView) -> bool:
    """Whether the view shows a refusal."""
    return view.verdict is not None and view.verdict.kind is VerdictKind.REFUSED


def _wanted_width(texts: Sequence[str]) -> float:
    """The width (pixels) of chips with these texts."""
    said = sum(extent(plain_words(text), CHIP_FONT * scale.unit, True)[0] for text in texts)
    return said + (CHIP_MARGIN * len(texts) + 20) * scale.unit


def _without_middle(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    tail = longest // 2
    return f"{text[: longest - tail - 1]}…{text[-tail:]}"


def _chip_texts(eyes: str, devices: tuple[DeviceView, ...], words: Words) -> Iterator[str]:
    if words in (Words.ALL, Words.NO_TITLE):
        yield f"{plain(_('Eyes'))}: [b]{plain(eyes)}[/b]"
    else:
        yield f"[b]{plain(eyes)}[/b]"
    signs = []
    for device in devices:
        name = {CAMERA: _("camera"), LENS: _("lens")}.get(device.name, device.name)
        sign, colour = VERDICTS[VerdictKind.ACCEPTED if device.ok else VerdictKind.REFUSED]
        signs.append(coloured(symbol(sign), colour))
        if words in (Words.ALL, Words.NO_TITLE):
            yield f"{signs[-1]} {plain(name)}: {plain(device.state)}"
        elif words is Words.NAMES:
            yield f"{signs[-1]} {plain(name)}"
    if signs and words is Words.SIGNS:
        yield " ".join(signs)


load_layout(__file__)
