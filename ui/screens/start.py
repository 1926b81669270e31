"""The start screen: go on with a game as it lies, play once more, begin a new one, or look around."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.properties import AliasProperty, BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout

from companion.registry import GAMES, load_game
from ui.drawing.theme import seal_of
from ui.menus.home import AGAIN, ASSIGNED, CONTINUE, MORE, NEW, assigned_offer, home_offers, table_card
from ui.printed.thumbnails import game_cover, has_cover
from ui.screens.base import AppScreen
from ui.screens.registry import MENU
from ui.services.text import LANGUAGES, _
from ui.shell.presentation import ScreenHost
from ui.view_models.play_view import OfferView
from ui.widgets.controls import PushButton, extent, load_layout, same_children
from ui.widgets.icons import IconWordButton
from ui.widgets.pictures import PictureBox, gallery
from ui.widgets.scale import scale

if TYPE_CHECKING:
    from companion.publishing.messages import Assignment

LANGUAGE, PAST = "language", "past"
"""how the keys of languages begin; the screen of past games"""
HERO_WIDTH, AGAIN_WIDTH = 640, 320
"""pixels of the pictures of boards"""
SLIM = 620
"""design pixels below which an upright window has room only for a small picture of a board"""


class OfferButton(PushButton):
    """A game to be played, with a sign before its words where it has an `icon`."""

    key = StringProperty()
    icon = StringProperty()

    def _word_width(self) -> float:
        return extent(self.text, self.font_size, self.bold)[0]

    word_width = AliasProperty(_word_width, bind=("text", "font_size", "bold"))
    """pixels of its words in one line"""


class StandingRow(BoxLayout):
    """A player of an unfinished game with their points."""

    style = ObjectProperty(None, allownone=True)
    name = StringProperty()
    points = StringProperty()


class GameCover(ButtonBehavior, FloatLayout):
    """A game to begin."""

    key = StringProperty()
    title = StringProperty()
    seats = StringProperty()
    picture = ObjectProperty(None, allownone=True)


class BoardPicture(ButtonBehavior, PictureBox):
    """A board as it lies, to be touched."""


class FirstStep(BoxLayout):
    """One of the steps to a first game: its number, a sign, what is done, and how."""

    number = StringProperty()
    icon = StringProperty()
    heading = StringProperty()
    told = StringProperty()


class MenuButton(IconWordButton):
    """A way to another screen."""

    screen = StringProperty()


class StartScreen(AppScreen):
    """Shows what can be played, the likeliest first, and the other screens."""

    has_hero = BooleanProperty(False)
    has_again = BooleanProperty(False)
    is_again_alone = BooleanProperty(False)
    """whether a finished game has the width to itself, its picture at the left"""
    is_second = BooleanProperty(False)
    """whether that card shows another unfinished game, as none is finished"""
    again_lines = StringProperty()
    """who has won the finished game, and below that who has how many points"""
    has_assigned = BooleanProperty(False)
    """whether an event has this table play something next: it comes before everything else"""
    is_first = BooleanProperty(False)
    """whether nothing was played yet: the steps to a first game stand above the covers, and languages beside them"""
    hero_height = NumericProperty(0)
    """pixels of the unfinished game's card in an upright window; a property, so that words that change in a wide one do
    not lay the cards out anew
    """
    is_slim = BooleanProperty(False)
    """whether an upright window is so narrow that cards of games are low, their pictures small"""

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        super().__init__(app, **properties)
        self._hero = self._once_more = ""
        self._assigned = self.ids.assigned.__self__
        self._steps = self.ids.steps.__self__
        self._menu: list[MenuButton] = []
        self._assignment: Assignment | None = None
        self.follow(scale, unit=self._find_shape)
        self.bind(size=self._find_shape, has_hero=self._find_shape, has_again=self._find_shape)
        for entry in MENU:
            if entry.screen == "phones":
                self.ids.phones.text, self.ids.phones.screen = _(entry.text), entry.screen
                continue
            press = MenuButton(text=_(entry.text), screen=entry.screen, icon=entry.icon, size_hint_x=1)
            press.bind(on_release=lambda pressed: app.open(pressed.screen))
            self._menu.append(press)
        for game_id in GAMES:
            info = load_game(game_id).info
            seats = "–".join(str(count) for count in sorted(set(info.seats)))
            picture = ("cover", game_id), partial(game_cover, game_id)
            if has_cover(game_id):
                gallery.make_now(*picture)
            cover = GameCover(key=f"{NEW} {game_id}", title=info.title.upper(), seats=seats, picture=picture)
            cover.bind(on_release=lambda pressed: self.choose(pressed.key))
            self.ids.covers.add_widget(cover)

    def _find_shape(self, *_arguments: Any) -> None:
        self.is_slim = self.width < self.height and self.width < scale.unit * SLIM
        self.is_again_alone = self.has_again and not self.has_hero and self.width > self.height

    def refresh(self) -> None:
        """Show what an event has newly assigned."""
        publishing = self.app.shell.publishing
        if publishing is not None and publishing.assignment != self._assignment:
            self.on_pre_enter()

    def on_pre_enter(self, *_arguments: Any) -> None:
        """Read the offers again: games may have been begun, finished or deleted since."""
        offers = home_offers(self.app.shell)
        begun = [offer for offer in offers if offer.key.startswith(CONTINUE)]
        again = next((offer for offer in offers if offer.key.startswith(AGAIN)), None)
        self.is_second = again is None and len(begun) > 1
        again = begun[1] if self.is_second else again
        self.has_hero, self.has_again = bool(begun), again is not None
        ids = self.ids
        hero = begun[0] if begun else OfferView("", "")
        ids.go_on.key, ids.hero_when.text = hero.key, hero.detail
        ids.again.key = again.key if again is not None else ""
        self.again_lines = again.detail if again is not None else ""
        publishing = self.app.shell.publishing
        self._assignment = publishing.assignment if publishing is not None else None
        assigned = assigned_offer(self.app.shell)
        self._show_assigned(assigned)
        is_first = not self.app.shell.store.games()
        self._show_first(is_first=is_first)
        others = [each for each in begun if each not in (hero, again)]
        others += [offer for offer in offers if offer.key == MORE]
        languages = [OfferView(f"{LANGUAGE} {key}", name) for key, name in LANGUAGES.items()] if is_first else []
        for box, shown in ((ids.others, others), (ids.languages, languages)):
            for press, offer in zip(same_children(box, len(shown), self._other), shown, strict=True):
                press.key, press.text = offer.key, offer.title
        Clock.schedule_once(self._fill, 0)  # reading games takes a moment, and the screen is there first

    def _show_first(self, *, is_first: bool) -> None:
        """The steps to a first game while nothing was played yet; then there are no past games either."""
        self.is_first = is_first
        content, menu = self.ids.content, self.ids.menu
        if is_first and self._steps.parent is None:
            content.add_widget(self._steps, index=content.children.index(self.ids.tables.__self__))
        elif not is_first and self._steps.parent is not None:
            content.remove_widget(self._steps)
        wanted = [press for press in self._menu if not (is_first and press.screen == PAST)]
        if menu.children[::-1] != wanted:
            menu.clear_widgets()
            for press in wanted:
                menu.add_widget(press)

    def _show_assigned(self, offer: OfferView | None) -> None:
        """What an event assigns, below the title; without one there is no room for it."""
        press, content = self._assigned, self.ids.content
        self.has_assigned = offer is not None
        press.key, press.text = (offer.key, offer.title) if offer is not None else ("", "")
        if offer is None and press.parent is not None:
            content.remove_widget(press)
        elif offer is not None and press.parent is None:
            content.add_widget(press, index=len(content.children) - 1)

    def _fill(self, *_arguments: Any) -> None:
        """Show the boards and who has how many points."""
        if self.get_root_window() is None:
            return
        ids, shell = self.ids, self.app.shell
        hero = table_card(shell, ids.go_on.key.partition(" ")[2]) if self.has_hero else None
        again = table_card(shell, ids.again.key.partition(" ")[2]) if self.has_again else None
        if notice := shell.take_notice():
            self.app.errors.text = "\n".join(filter(None, (self.app.errors.text, notice)))
            if self.has_hero and hero is None:  # it may be in the database no more
                self.on_pre_enter()
                return
        if hero is not None:
            ids.hero_title.words, ids.hero_when.text = hero.title.upper(), hero.when
            ids.hero_picture.source = hero.picture(HERO_WIDTH)
            ids.hero_points.text = hero.points
            rows = same_children(ids.standing, len(hero.players), StandingRow)
            for row, (name, colour, points) in zip(rows, hero.players, strict=True):
                row.style, row.name, row.points = seal_of(hero.board, colour), name, str(points)
        if again is not None:
            ids.again_title.words = again.title.upper()
            ids.again_picture.source = again.picture(AGAIN_WIDTH)
            self.again_lines = "\n".join(filter(None, (again.won, again.points)))
            first = again.players[0][1]
            ids.again_seal.style = seal_of(again.board, first) if again.won else None

    def choose(self, key: str) -> None:
        """An offer was touched."""
        kind, _space, game_id = key.partition(" ")
        if kind == CONTINUE:
            self.app.open_table(self.app.shell.resume(game_id))
        elif kind == MORE:
            self.app.open(PAST)
        elif kind == AGAIN:
            self.app.open("setup", again=game_id)
        elif kind == ASSIGNED and (publishing := self.app.shell.publishing) is not None:
            assignment = publishing.assignment
            people = () if assignment is None else tuple(each.player for each in assignment.seats)
            self.app.open("setup", game=game_id, people=people)
        elif kind == LANGUAGE:
            self.app.shell.change_settings(replace(self.app.shell.settings, language=game_id))
            self.app.rebuild()
        elif kind == NEW and game_id:
            self.app.open("setup", game=game_id)
        elif kind == NEW:
            self.app.open("setup")

    def _other(self) -> OfferButton:
        press = OfferButton()
        press.bind(on_release=lambda pressed: self.choose(pressed.key))
        return press


load_layout(__file__)
