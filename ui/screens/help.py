"""Help with the rules: by game and topic, or by words; each with its source."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.wording.spelling import found_parts
from ui.drawing import theme
from ui.menus.rules_help import RulesHelp
from ui.screens.base import AppScreen
from ui.shell.presentation import ScreenHost
from ui.view_models.setup_view import PickView
from ui.widgets.controls import ChoiceButton, coloured, load_layout, plain, same_children


class TopicButton(ChoiceButton):
    """A game or a topic to look at."""

    key = StringProperty()


class RuleEntry(BoxLayout):
    """A rule with its source; heading and sentence are markup."""

    heading = StringProperty()
    sentence = StringProperty()
    source = StringProperty()


class HelpScreen(AppScreen):
    """Shows the rules of `game`, an id of the registry; of the open table's, with its rulings, where none is named."""

    def __init__(self, app: ScreenHost, game: str = "", **properties: Any) -> None:
        super().__init__(app, **properties)
        loop = app.shell.table_loop if app.has_shell else None
        self.help = RulesHelp(game, loop.presenter.session.table if loop is not None else None)
        self.ids.words.bind(text=lambda _field, text: self.search(text))
        self.update()

    def close(self) -> None:
        """Let go of the keyboard."""
        super().close()
        self.ids.words.focus = False

    def search(self, words: str) -> None:
        """Show the rules that hold these words."""
        self.help.search(words)
        self._show_from_the_top()

    def choose(self, choose: Callable[[str], None], key: str) -> None:
        """Call a method of the help with the game or the topic that was touched; the words looked for are dropped."""
        if self.ids.words.text:
            self.ids.words.focus = False
            self.ids.words.text = ""
        choose(key)
        self._show_from_the_top()

    def _show_from_the_top(self) -> None:
        self.update()
        self.ids.scroll.scroll_y = 1

    def update(self) -> None:
        """Show what was looked for."""
        view, ids = self.help.view(), self.ids
        self._show_picks(ids.games, view.games, self.help.choose_game)
        self._show_picks(ids.topics, view.topics, self.help.choose_topic)
        widgets = same_children(ids.rules, len(view.rules), RuleEntry)
        for widget, rule in zip(widgets, view.rules, strict=True):
            widget.heading, widget.sentence = (self._marked(text) for text in (rule.title, rule.text))
            widget.source = rule.source
        ids.note.text, ids.count.text = view.note, view.count

    def _marked(self, text: str) -> str:
        """A text as markup, in which the words that are looked for stand out."""
        parts = found_parts(text, self.help.words.split())
        return "".join(coloured(f"[u]{plain(part)}[/u]", theme.ASK) if found else plain(part) for part, found in parts)

    def _show_picks(self, grid: Any, picks: tuple[PickView, ...], choose: Callable[[str], None]) -> None:
        def press() -> TopicButton:
            made = TopicButton()
            made.bind(on_release=lambda pressed: self.choose(choose, pressed.key))
            return made

        for button, pick in zip(same_children(grid, len(picks), press), picks, strict=True):
            button.key, button.text, button.chosen = pick.key, pick.text, pick.chosen


load_layout(__file__)
