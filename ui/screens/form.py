"""The base of form screens: rows to read and touch, next to a picture or a board."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty

from ui.screens.base import AppScreen, after_frame
from ui.screens.settling import Settling
from ui.shell.presentation import ScreenHost
from ui.view_models.form_view import BoardShown, Field, FormModel, Picks, Row
from ui.view_models.play_view import VerdictKind, VerdictView
from ui.widgets.controls import load_layout

ESCAPE = 27


class FormScreen(AppScreen):
    """Shows a form model and passes touches to it; the model is closed with the screen."""

    has_view = BooleanProperty(True)
    shows_board = BooleanProperty(False)
    can_zoom = BooleanProperty(True)

    def __init__(self, app: ScreenHost, form: FormModel, **properties: Any) -> None:
        super().__init__(app, **properties)
        self.form = form
        self._board: BoardShown | None = None
        self._rows: tuple[Row, ...] = ()
        self._buttons: tuple[tuple[str, ...], ...] = ()
        self._settling = Settling(Clock.get_time, after_frame, may_repeat=lambda _control: True)
        self._view = self.ids.view.__self__
        self.ids.form.touched = self._touched
        self.ids.picture.bind(on_tap=lambda _picture, place: self._tapped(place))
        self.ids.board.bind(on_site=lambda _board, site: self._site(site))
        self.update()

    def refresh(self) -> None:
        """Let the form take its devices' news, and show it."""
        self.form.tick()
        self.update()

    def on_key(self, key: int, modifiers: list[str]) -> bool:
        """Escape leads one step back."""
        if key == ESCAPE:
            self.go_back()
        return key == ESCAPE

    def go_back(self) -> None:
        """One step back, or out of the screen."""
        if self.form.back():
            self.update()
        else:
            self.app.back()

    def close(self) -> None:
        """Let go of devices and keyboard."""
        super().close()
        self.ids.form.leave_fields()
        self.form.close()

    def update(self) -> None:
        """Show what the form presents now."""
        ids, form = self.ids, self.form
        heading, rows = form.heading(), tuple(form.rows())
        buttons = _buttons_of(rows)
        if (heading, buttons) != (ids.bar.heading, self._buttons):
            self._settling.changed()
        ids.bar.heading, self._rows, self._buttons = heading, rows, buttons
        picture = form.picture()
        shown = form.board() if picture is None else None
        ids.form.board = shown.board if shown is not None else None
        ids.form.show(rows)
        self.has_view = picture is not None or shown is not None
        self.shows_board = shown is not None
        self.can_zoom = picture is not None and form.zooms
        is_there = self._view.parent is not None
        if self.has_view and not is_there:
            ids.body.add_widget(self._view, index=1)
        elif is_there and not self.has_view:
            ids.body.remove_widget(self._view)
        ids.picture.show(picture, form.marks() if picture is not None else ())
        if shown is not None and shown != self._board:
            if ids.board.board is not shown.board:
                ids.board.board = shown.board
            marked = VerdictView(VerdictKind.NOTE, "", sites=shown.marked) if shown.marked else None
            ids.board.show(shown.pieces, frozenset(), marked)
        self._board = shown

    def _touched(self, key: str, value: str) -> None:
        is_text = any(isinstance(row, Field) and row.key == key for row in self._rows)
        said = (
            pick.text
            for row in self._rows
            if isinstance(row, Picks) and row.key == key
            for pick in row.picks
            if pick.key == value
        )
        if is_text or self._settling.takes(f"{key} {value} {next(said, '')}"):
            self.form.touch(key, value)
            self.update()

    def _tapped(self, place: tuple[float, float]) -> None:
        self.form.tap(place)
        self.update()

    def _site(self, site: str) -> None:
        self.form.tap_site(site)
        self.update()


def _buttons_of(rows: tuple[Row, ...]) -> tuple[tuple[str, ...], ...]:
    """The keys and words of the buttons of a form, row by row."""
    return tuple(
        (row.key, *(f"{pick.key} {pick.text}" for pick in row.picks)) for row in rows if isinstance(row, Picks)
    )


load_layout(__file__)
