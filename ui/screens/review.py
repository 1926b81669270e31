"""A recorded game step by step, the board as it was, and the score over time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.properties import BooleanProperty

from companion.session.cutouts import cut_outs_of
from companion.session.session import Session
from ui.drawing.theme import seal_of
from ui.results.review import Review
from ui.screens.base import AppScreen
from ui.shell.presentation import ScreenHost
from ui.widgets.controls import load_layout, same_children
from ui.widgets.panels import PlayerPanel

HOME, END, RIGHT, LEFT, PAGE_UP, PAGE_DOWN = 278, 279, 275, 276, 280, 281
KEYS = {HOME: -100_000, PAGE_UP: -10, LEFT: -1, RIGHT: 1, PAGE_DOWN: 10, END: 100_000}


class ReviewScreen(AppScreen):
    """Shows one step of the stored game `game`."""

    was_seen = BooleanProperty(False)
    shows_seen = BooleanProperty(False)

    def __init__(self, app: ScreenHost, game: str, **properties: Any) -> None:
        super().__init__(app, **properties)
        shell = app.shell
        self.review = Review(Session.open(shell.store, game), cut_outs_of(shell.folder, game))
        self.ids.board.board = self.review.board
        self.update()

    def change(self, act: Callable[..., None], *values: Any) -> None:
        """Call a method of the review with what was touched, and show what it changed."""
        act(*values)
        self.update()

    def on_key(self, key: int, modifiers: list[str]) -> bool:
        """Arrows, page and end keys move through the game."""
        if key in KEYS:
            self.change(self.review.move, KEYS[key])
        return key in KEYS

    def update(self) -> None:
        """Show the step."""
        view, ids, board = self.review.view(), self.ids, self.review.board
        ids.bar.heading = f"{view.heading} · {view.progress}"
        ids.told.text = view.text
        ids.board.show(view.pieces, frozenset(), None)
        self.was_seen, self.shows_seen = view.was_seen, view.seen is not None
        ids.seen.show(None)
        ids.seen.show(view.seen)
        styles = tuple(seal_of(board, player.colour) for player in view.players)
        panels = same_children(ids.players, len(view.players), PlayerPanel)
        for panel, player, style in zip(panels, view.players, styles, strict=True):
            panel.show(player, style)
        ids.plot.show(view.series, styles, view.step, view.turns)
        for name, is_idle in (("first", view.step == 0), ("back", view.step == 0),
                              ("on", view.step == view.steps), ("last", view.step == view.steps)):  # fmt: skip
            ids[name].disabled = is_idle


load_layout(__file__)
