"""Past games: go on, review, export, delete after asking."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from ui.results.past_games import PastGames
from ui.screens.base import AppScreen
from ui.services.text import _
from ui.shell.presentation import ScreenHost
from ui.widgets.controls import ChoiceButton, load_layout, same_children
from ui.widgets.scale import scale

ROW, GAP = 92, 10
"""design pixels of a game, and between two"""
PICTURE_WIDTH = 240
"""pixels of the picture of a board"""
LOOKED_AFTER = 0.05
"""seconds after which is looked whether another game has been read"""


class GameButton(ChoiceButton):
    """A stored game."""

    key = StringProperty()
    heading = StringProperty()
    detail = StringProperty()
    state_text = StringProperty()
    points = StringProperty()
    has_won = BooleanProperty(False)
    picture = ObjectProperty(None, allownone=True)


class PastScreen(AppScreen):
    """Shows the stored games page by page, with buttons for the chosen one."""

    question = StringProperty()

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        super().__init__(app, **properties)
        self.games = PastGames(app.shell)
        self._look_up = Clock.create_trigger(self._find, LOOKED_AFTER)
        self.follow(self.ids.list, height=self._fit)
        self.follow(scale, unit=self._fit)
        self.ids.words.bind(text=lambda _field, text: self.search(text))

    def on_pre_enter(self, *_arguments: Any) -> None:
        """Read the games again: some may have been played since."""
        self.update()

    def choose(self, game_id: str) -> None:
        """A game was touched."""
        self.games.choose(game_id)
        self.update()

    def search(self, words: str) -> None:
        """Words were typed."""
        self.games.search(words)
        self.update()

    def turn(self, pages: int) -> None:
        """Turn pages."""
        self.games.turn(pages)
        self.update()

    def go_on(self) -> None:
        """Back to the table with the chosen game."""
        self.app.open_table(self.app.shell.resume(self.games.chosen))

    def review(self) -> None:
        """Look through the chosen game."""
        self.app.open("review", game=self.games.chosen)

    def again(self) -> None:
        """Play it once more with the same people."""
        self.app.open("setup", again=self.games.chosen)

    def export(self) -> None:
        """Write the chosen game to files."""
        self.games.export()
        self.update()

    def ask(self) -> None:
        """Ask before deleting."""
        self.games.ask_to_delete()
        self.update()

    def ask_to_clear(self) -> None:
        """Ask before the games are deleted in which nothing was played."""
        self.games.ask_to_clear()
        self.update()

    def answer(self, delete: bool) -> None:
        """The question was answered."""
        self.games.answer(delete=delete)
        self.update()

    def update(self) -> None:
        """Show the page, and read what is to be seen of its games."""
        self._show()
        self._look_up()

    def _show(self) -> None:
        view, ids = self.games.view(), self.ids
        presses = same_children(ids.list, len(view.games), self._game_press)
        for press, game in zip(presses, view.games, strict=True):
            press.key, press.heading, press.detail, press.chosen = game.id, game.title, game.detail, game.chosen
            press.state_text, press.points = game.state, game.points
            press.has_won = game.card is not None and bool(game.card.won)
            press.picture = game.card.picture(PICTURE_WIDTH) if game.card is not None else None
        chosen = next((game for game in view.games if game.chosen), None)
        self.question = view.question
        ids.note.text = view.question or view.note or view.empty
        ids.page.text = view.page
        can_search = view.can_search or bool(ids.words.text)
        ids.words.opacity, ids.words.disabled = float(can_search), not can_search
        ids.earlier.disabled, ids.later.disabled = not view.can_turn_on, not view.can_turn_back
        for name in ("open", "again", "review", "export", "delete"):
            ids[name].disabled = chosen is None or bool(view.question)
        ids.unplayed.disabled = not view.unplayed or bool(view.question)
        ids.open.text = _("Open") if chosen is not None and chosen.over else _("Go on")

    def _find(self, *_: Any) -> None:
        """Show what has been read of the games by now, until all of the page are read."""
        before = self.games.read
        if self.get_root_window() is not None and self.games.look_up():
            self._look_up()
        if self.games.read > before:
            self._show()

    def _fit(self, *_: Any) -> None:
        """As many games a page as there is room for."""
        size = max(1, int((self.ids.list.height + GAP * scale.unit) // (scale.unit * (ROW + GAP))))
        if size != self.games.page_size:
            self.games.page_size = size
            self.update()

    def _game_press(self) -> GameButton:
        press = GameButton()
        press.bind(on_release=lambda pressed: self.choose(pressed.key))
        return press


load_layout(__file__)
