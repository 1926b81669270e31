"""The play screen: whose turn it is, the board, the players, the latest moves, and the tray to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty

from companion.session.intents import Intent, IntentKind
from ui.drawing.marks import MOST_MARKED
from ui.drawing.theme import seal_of
from ui.screens.base import AppScreen, after_frame
from ui.screens.play_coach import PlayCoach
from ui.screens.play_differences import choices_elsewhere
from ui.screens.play_filling import PlayTray
from ui.screens.play_holding import NOTHING, PlayHolding
from ui.screens.play_keys import PlayKeys
from ui.screens.play_lens import has_lens
from ui.screens.play_liveliness import PlayLiveliness
from ui.screens.play_primary import offer_of
from ui.screens.play_rail import share_rail
from ui.screens.play_sheets import next_sheet, sheet_name
from ui.screens.play_tray import NEXT_PLACE, prompt_of, question_shown
from ui.screens.settling import Settling
from ui.shell.presentation import ScreenHost, TablePresenter
from ui.table.legal_choices import END_TOO, IN_SERIES, ON_BOARD
from ui.table.offering import Offer
from ui.table.picking import CardView, Picking, place_looked_at, without_corrected
from ui.table.played_cards import by_card, places_of
from ui.table.swatches import SWITCH
from ui.table.turned_up import turned_up_after
from ui.view_models.play_view import ButtonView, ChoiceView, PlayView, VerdictKind
from ui.widgets.chips import chip_art
from ui.widgets.controls import PushButton, load_layout, same_children
from ui.widgets.panels import PlayerPanel
from ui.widgets.pills import show_pills
from ui.widgets.scale import NARROW, scale
from ui.widgets.tray import FaceCard


class PrimaryButton(PushButton):
    """The one button that does what is likeliest next."""


class PlayScreen(AppScreen):
    """Shows a table's view, by default the open table's, and passes touches to its presenter."""

    has_menu = BooleanProperty(False)
    can_correct = BooleanProperty(False)
    prompt = StringProperty()
    acting = ObjectProperty(None, allownone=True)
    """the seal of who acts"""
    primary_text = StringProperty()
    primary_width = NumericProperty(0)
    is_picking = BooleanProperty(False)
    """whether something is looked at that can be put away"""
    other_sheet = StringProperty()
    """the name of the sheet that is shown next"""
    gap = NumericProperty(10)
    """pixels between the parts, and around them"""
    is_watched = BooleanProperty(False)
    """whether a camera sees the board"""
    undo_room = NumericProperty(0)
    redo_room = NumericProperty(0)
    """pixels that the buttons that undo and redo may take beside the cards of the tray"""
    is_narrow = BooleanProperty(False)
    """whether the window is narrow, so that parts are stacked instead of side by side"""

    def __init__(self, app: ScreenHost, game: TablePresenter | None = None, **properties: Any) -> None:
        super().__init__(app, **properties)
        self._presenter = game or app.presenter
        self._view: PlayView | None = None
        self.picking, self.keys = Picking(), PlayKeys(self, self._presenter)
        self.cards: tuple[CardView, ...] = ()
        """all cards of the tray, the one that became the primary button among them"""
        self._settling = Settling(Clock.get_time, after_frame)
        self._looked_for = ""
        """the key of what is done on the board whose places are marked"""
        self._primary: CardView | ButtonView | None = None
        self.holding, self._tray = PlayHolding(self), PlayTray(self, self._presenter.board)
        self._fit_soon = Clock.create_trigger(self.fit, -1)
        self.ids.board.board = self._presenter.board
        self.has_menu = self._presenter.played is not None
        self.coach = PlayCoach(self.ids, app.shell.coaching if app.has_shell and self.has_menu else None)
        self._liveliness = PlayLiveliness(self.ids, lambda: self.app.settings)
        self.follow(scale, unit=self._fit_soon)
        self.follow(chip_art, made=self._fit_soon)
        self.follow(self.ids.side, size=self._fit_soon)
        self.follow(self.ids.tray, size=self._fit_soon)
        self.follow(self.ids.board, textures=self._fit_soon)
        self.follow(self.ids.lens, is_printed=self._fit_soon)
        self.follow(self.ids.verdict, is_open=self._fit_soon)
        self.follow(self.ids.callout.ids.verdict, is_open=self._fit_soon)
        self.bind(size=self._fit_soon)

    def refresh(self) -> None:
        """Show what the table shows now."""
        self.show(self._presenter.view())
        self._show_clocks()

    def on_pre_leave(self) -> None:
        """The screen is left for another one."""
        self._presenter.on_offer(None)
        self._presenter.stop_asking()

    def on_key(self, key: int, modifiers: list[str]) -> bool:
        """Do what a key stands for."""
        return self.coach.on_key(key) or self.keys.on_key(key, modifiers)

    def show(self, view: PlayView) -> None:
        """Show a view; what has not changed is left alone."""
        if view is self._view:
            return
        self._settling.follow(self._view, view)
        if self._view is not None and view.log != self._view.log:
            self._looked_for = ""
            self.keys.forget_sites()
            self.picking.forget_colour()
        ids, before, self._view = self.ids, self._view, view
        self.is_watched = view.is_watched
        self.can_correct = view.correctable
        self.picking.take(by_card(choices_elsewhere(view), view))
        if before is not None and before.acting != view.acting:
            self.picking.open("")  # what one player looked at is not in the next one's way
        ids.undo.below, ids.undo.disabled = view.undone, not view.undo
        ids.redo.below, ids.redo.disabled = view.redone, not view.redo
        ids.score.disabled = view.score is None
        self._name_sheet()
        self._show_players(view)
        self._liveliness.begin()
        self.fit()
        if before is not None:
            self._liveliness.follow(before, view, has_clock=self._presenter.turn_clock is not None)

    def touch_site(self, site: str) -> None:
        """Hand on a touch of the board; where it is on what lies there as a ghost, that is chosen."""
        if not self._settling.takes_site(site):
            return
        chosen = self.picking.chosen
        if chosen is not None and site in chosen.sites and self.picking.place[1] > 0:
            self._lay(chosen)
            return
        if self._view is not None and self._view.series:
            self.choose(f"{IN_SERIES}{site}")
            return
        self._presenter.on_site(site)
        self._settling.changed()
        self.app.refresh()

    def touch_place(self, number: int) -> None:
        """One of the numbered places was touched, or the ghost: 0."""
        if number:
            self.picking.go_to(number)
            self.fit()
        elif self.picking.chosen is not None:
            self._lay(self.picking.chosen)

    def _lay(self, chosen: ChoiceView) -> None:
        """Do what lies on the board as a ghost: as the primary button does it, where it stands there."""
        primary = self._primary
        is_there = isinstance(primary, CardView) and primary.key.removeprefix(END_TOO) == chosen.key
        self.choose(primary.key if isinstance(primary, CardView) and is_there else chosen.key)

    def touch_card(self, card: FaceCard) -> None:
        """A card of the tray was touched."""
        rested = self.holding.rested()
        if not self._settling.takes(card.key):
            return
        if rested:
            self.choose(rested)
        else:
            self.touch(card.key, opens=card.opens, looked_at=self.holding.looked_at)

    def press(self, control: str) -> None:
        """A button was touched: the primary one, the one of an intent, or a player's panel, which shows holdings."""
        if self._settling.takes(control):
            if control == "primary":
                self.do_primary()
            elif control == "holdings":
                self.look_at_holdings()
            else:
                self.wish(control, offered="")

    def touch(self, key: str, *, opens: bool, looked_at: str = "") -> None:
        """A card opens its group, shows the next place, marks its places on the board, or is chosen.

        `looked_at` is the key of what lay on the board before a finger touched the card, "" for what lies there now.
        """
        if key == NEXT_PLACE:
            self.picking.next_place()
        elif key.startswith(ON_BOARD):
            self._looked_for = "" if self._looked_for == key else key
            if self._view is not None and self._view.series:
                self.choose(key)
        elif opens:
            self.picking.open(key)
            self._settling.changed()
        elif self.picking.only_looks_at(key, looked_at):
            self.picking.look_at(key)
        elif self._view is not None and any(key == each.text for each in self._view.played):
            return  # a card with which nothing can be done
        else:
            self.choose(key)
            return
        self.keys.number_anew()
        self.fit()

    def hold_card(self, key: str) -> None:
        """A finger lies on a card: what it stands for lies on the board as long as it does."""
        is_choice = bool(key) and not key.startswith(ON_BOARD)
        if is_choice:
            self.holding.looked_at = self.picking.chosen.key if self.picking.chosen is not None else NOTHING
        if is_choice and key != SWITCH:
            self.picking.look_at(key)
        self.holding.press_card(self.picking.meant_by(key) if is_choice else "")
        self._show_board()

    def slide_card(self, position: tuple[float, float]) -> None:
        """The finger on a card has moved to a place of the window (pixels)."""
        board = self.ids.board
        self.holding.slide(board.site_at(position) or "" if board.collide_point(*position) else "")

    def turned_up_after(self, key: str) -> Mapping[str, ChoiceView]:
        """The choice of this key together with what may be turned up right after it, by place of the board."""
        played = self._presenter.played
        both = turned_up_after(played.session, played.legal, key, played.texts) if played is not None else ()
        return {choice.sites[0]: choice for choice in both}

    @property
    def shown_view(self) -> PlayView | None:
        """The view that is shown; None before the first."""
        return self._view

    @property
    def primary(self) -> CardView | ButtonView | None:
        """What the primary button does, or which group is opened in its place; None where neither is there."""
        return self._primary

    def takes(self, control: str) -> bool:
        """Whether what a control does has been seen long enough for a touch of it to count."""
        return self._settling.takes(control)

    def leave_picking(self) -> None:
        """Put away what is looked at."""
        self._settling.changed()
        if self._view is not None and self._view.is_refusal:
            self.wish("no")
        elif self.picking.group:
            self.picking.open("")
            self.fit()
        elif self._view is not None and len(self._view.legal_sites) == 1:
            self._presenter.on_site(next(iter(self._view.legal_sites)))
            self.app.refresh()
        elif self._view is not None and self._view.corrected:
            self.wish("no")

    def do_primary(self) -> None:
        """Do what the primary button says."""
        primary = self._primary
        if isinstance(primary, ButtonView):
            self.wish(primary.intent, offered="")
        elif primary is not None and self.picking.only_looks_at(primary.key.removeprefix(END_TOO)):
            self.choose(primary.key)
        elif primary is not None:
            self.touch(primary.key, opens=primary.opens)

    def choose(self, key: str) -> None:
        """Hand on a choice."""
        self._presenter.on_choice(key)
        self.app.refresh()

    def correct(self, number: int | None = None) -> None:
        """Ask which action an entry, by default that of the latest action, really was."""
        self._presenter.on_correct(number)
        self.app.refresh()

    def open_menu(self) -> None:
        """Open the table's menu, or go home where there is none."""
        if self.has_menu:
            self.app.open("table")
        else:
            self.app.home()

    def look_at_holdings(self) -> None:
        """Open the menu's page with all open holdings."""
        if self.has_menu:
            self.app.open("table", looking=True)

    def turn_sheet(self) -> None:
        """Show the board's next sheet."""
        self.ids.board.sheet = next_sheet(self._presenter.board, self._view, self.ids.board.sheet)
        self._name_sheet()

    def _name_sheet(self) -> None:
        board, shown = self._presenter.board, self.ids.board.sheet
        following = next_sheet(board, self._view, shown)
        self.other_sheet = sheet_name(board, following) if following != shown else ""

    def look_closer(self) -> None:
        """Zoom in on the place touched or the latest piece; zoomed in already, show the whole board."""
        board = self.ids.board
        if board.is_near:
            board.whole()
        else:
            board.nearer(site=place_looked_at(self._view, board.shown) if self._view is not None else "")

    def wish(self, intent: str, offered: str | None = None) -> None:
        """Pass a button's intent to the presenter; `offered` as in Intent."""
        state = self._view.state if self._view is not None else None
        self._presenter.on_intent(Intent(IntentKind(intent), state=state, offered=offered))
        self.app.refresh()

    def on_enter(self, *_: Any) -> None:
        """Draw the board if it was laid out while another screen was shown; the primary button counts again."""
        self.offer(self._primary)
        self.ids.board.come_into_sight()

    def offer(self, primary: CardView | ButtonView | None) -> Offer | None:
        """Take this as what the primary button does, or the keys in its place, and let boxes and phones do it while
        people see it.
        """
        self._primary = primary
        is_seen = self.manager is not None and self.manager.current_screen is self
        is_seen = is_seen and not (self._view is not None and self._view.corrected)  # they leave it as it is
        offer = offer_of(primary, self.picking, self.do_primary) if is_seen else None
        self._presenter.on_offer(offer)
        return offer

    def _show_clocks(self) -> None:
        clock = self._presenter.turn_clock
        if self._view is None:
            return
        panels = same_children(self.ids.players, len(self._view.players), self._player_panel)
        for panel, player in zip(panels, self._view.players, strict=True):
            panel.clock = clock.text(player.seat) if clock is not None else ""

    def _show_prompt(self, view: PlayView) -> None:
        acting = [player for player in view.pointed_out if player.acts]
        self.acting = seal_of(self._presenter.board, acting[0].colour) if len(acting) == 1 else None
        self.prompt = prompt_of(view, question=question_shown(view, self.picking))

    def _show_players(self, view: PlayView) -> None:
        panels = same_children(self.ids.players, len(view.players), self._player_panel)
        for panel, player in zip(panels, view.pointed_out, strict=True):
            panel.show(player, seal_of(self._presenter.board, player.colour), self._presenter.board)

    def _player_panel(self) -> PlayerPanel:
        return PlayerPanel(on_release=lambda _panel: self.press("holdings"))

    def _show_board(self) -> None:
        view, board = self._view, self.ids.board
        if view is None:
            return
        offer = self.picking.ghost(), self.picking.other_places(board.shown)
        asked = next((each for each in view.on_board if each.key == self._looked_for), None)
        asked = asked or places_of(view, self.picking.group)
        sites = view.legal_sites if asked is None else frozenset(asked.sites)
        sites = self.holding.marked or sites
        is_much = view.is_hint and asked is None and len(sites) > MOST_MARKED and not self.holding.marked
        has_mark = view.verdict is not None and (view.verdict.barred or sites <= {*view.verdict.sites})
        is_much = is_much or (has_mark and not view.touched)
        pieces = without_corrected(view.pieces, offer[0], board.shown)
        is_whole = self.ids.verdict.is_open or self.ids.callout.ids.verdict.is_open
        verdict = view.verdict.told_whole if view.verdict is not None and is_whole else view.verdict
        board.show(pieces, () if any(offer) or is_much else sites, verdict, *offer, view.path)

    def _show_verdict(self, view: PlayView) -> None:
        """A refusal beside its places where there is room, all else in the rail."""
        ids, verdict = self.ids, view.verdict
        if verdict is not None and verdict.kind is VerdictKind.ACCEPTED and not view.is_watched:
            verdict = None  # what was touched is seen without being told
        if verdict is not None and verdict.is_known:  # the latest moves bear its sign
            verdict = verdict.sparing if view.is_watched else None
        has_room = self.width > self.height and self.height > scale.unit * 700
        if verdict is not None and verdict.differs:
            verdict = None  # the heading says it
        is_called = (
            has_room
            and verdict is not None
            and verdict.looks is VerdictKind.REFUSED
            and ids.callout.show(verdict, ids.board)
        )
        if not is_called:
            ids.callout.show(None, ids.board)
        ids.verdict.show(None if is_called else verdict)

    def fit(self, *_: Any) -> None:
        """Fit all parts to the window, and the rail's to its height."""
        self.is_narrow = self.height > self.width and self.width < scale.unit * NARROW
        view = self._view
        if view is None:
            return
        show_pills(self.ids.eyes, view, self.width, icons_only=self.is_narrow)
        self.cards = self._tray.show(view, self._looked_for)
        self._show_prompt(view)
        self._show_board()
        self._show_verdict(view)
        share_rail(
            self.ids, view, self._presenter.board, is_below=self.height > self.width, is_near=has_lens(self, view)
        )
        self.coach.show(view)


load_layout(__file__)
