"""The score screen: the winner, all lines with their points, and on the board the pieces behind the touched line."""

from __future__ import annotations

from contextlib import suppress
from itertools import groupby
from typing import Any

from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.errors import CompanionError
from ui.drawing import theme
from ui.drawing.theme import Seal, seal_of
from ui.results.review import Review
from ui.screens.base import AppScreen
from ui.services.folders import data_folder
from ui.services.text import _
from ui.shell.presentation import ScreenHost, TablePresenter
from ui.table.choice_faces import faces_of_rule
from ui.table.presenter import Presenter
from ui.view_models.play_view import PlayView, ScoreView, VerdictKind, VerdictView
from ui.widgets.board_view import is_site
from ui.widgets.controls import PushButton, load_layout, same_children
from ui.widgets.result_picture import result_picture
from ui.widgets.scale import NARROW, scale


class RankButton(PushButton):
    """A player's rank; touched, it shows that player's lines only."""

    style = ObjectProperty(None, allownone=True)
    rank = StringProperty()
    name = StringProperty()
    points = StringProperty()
    seat = NumericProperty(0)


class Subtotal(BoxLayout):
    """What a rule gave one player."""

    style = ObjectProperty(None, allownone=True)
    points = StringProperty()


class RuleHeading(BoxLayout):
    """The rule that the lines below it score, and what it gave each player."""

    title = StringProperty()
    faces = ObjectProperty(())
    """what is counted, by the faces of printed components"""
    board = ObjectProperty(None, allownone=True)
    totals = ObjectProperty(())
    """style and points of each player who scores by the rule"""

    def on_totals(self, *_: Any) -> None:
        """Show other sums."""
        shown = same_children(self.ids.totals, len(self.totals), Subtotal)
        for subtotal, (style, points) in zip(shown, self.totals, strict=True):
            subtotal.style, subtotal.points = style, str(points)


class ScoreLineButton(ButtonBehavior, Widget):
    """One line of the sheet; touched, the pieces behind it are shown."""

    style = ObjectProperty(None, allownone=True)
    name = StringProperty()
    detail = StringProperty()
    points = StringProperty()
    index = NumericProperty(0)
    marked = BooleanProperty(False)
    choose = ObjectProperty(None, allownone=True)

    def on_release(self) -> None:
        """The line was touched."""
        self.choose(self.index)


ENTER, SPACE = 13, 32
HEAD_WIDTH = 640
"""design pixels of the buttons above the sheet and the gaps between them"""
MOST_FOR_BUTTONS = 0.72
"""how much of the width they may take"""


class ScoreScreen(AppScreen):
    """Shows the score sheet of the open table, or of another one."""

    shows_plot = BooleanProperty(False)
    has_session = BooleanProperty(False)
    is_over = BooleanProperty(False)
    """whether another game may be begun from here"""
    is_event = BooleanProperty(False)
    """whether the end is shown, with its places, in front of the lines"""
    is_bare = BooleanProperty(False)
    """whether nothing has been scored, so that the board has the page to itself"""
    is_narrow = BooleanProperty(False)
    """whether the window is narrow, so that parts are stacked instead of side by side"""
    head_unit = NumericProperty(1)
    """a design pixel of the buttons above the sheet, smaller where they would leave the heading no room"""

    def __init__(
        self, app: ScreenHost, game: TablePresenter | None = None, *, reveal: bool = False, **properties: Any
    ) -> None:
        super().__init__(app, **properties)
        self._presenter = game or app.presenter
        self._reveals = reveal
        self.has_session = game is None and self._presenter.played is not None
        self._view: PlayView | None = None
        self._seat = 0
        self._line = -1
        self.ids.board.board = self._presenter.board
        self.follow(scale, unit=self._fit)
        self.bind(size=self._fit)

    def refresh(self) -> None:
        """Show the score sheet of now."""
        self.show(self._presenter.view())

    def on_key(self, key: int, modifiers: list[str]) -> bool:
        """Enter and the space bar lead back to the board, or show the end whole."""
        if key in (ENTER, SPACE) and not self.show_all():
            self.app.back()
        return key in (ENTER, SPACE)

    def show_all(self) -> bool:
        """Show the end whole; whether some of it was still to come."""
        is_revealing = self.is_event and self.ids.event.is_revealing
        if is_revealing:
            self.ids.event.show_all()
        return bool(is_revealing)

    def show(self, view: PlayView) -> None:
        """Show a view's score sheet."""
        if view is self._view or view.score is None:
            return
        is_first = self._view is None
        if self._view is None or view.score != self._view.score:
            self._line = -1
        self._view = view
        self.ids.heading.text = view.score.result or f"{view.score.heading} · {view.title}"
        self.is_over = view.score.final and self.has_session and self.app.has_shell
        self.ids.back.text = _("Back to the board")
        if is_first and view.score.final and view.score.lines:
            self._begin_event(view.score)
        self.is_bare = not view.score.lines
        bare = (_("Nothing has been scored yet."),) if self.is_bare else ()
        self.ids.notes.text = "\n".join((*bare, *view.score.notes))
        self._show_ranking(view.score)
        self._show_lines()

    def _begin_event(self, score: ScoreView) -> None:
        """Show the end: its places one after the other where the game has just ended."""
        page, played = self.ids.event, self._presenter.played
        self.is_event = True
        page.can_go_on = self.is_over
        page.has_plot = self.has_session and played is not None
        page.show(score, self._styles(), self._presenter.board)
        if page.has_plot and played is not None:
            self._show_plot(page.ids.plot, played)
        if self._reveals:
            page.reveal()
        else:
            page.show_all()

    def show_lines(self) -> None:
        """From the end to all lines of the sheet."""
        self.ids.event.show_all()
        self.is_event = False

    def _show_plot(self, plot: Any, played: Presenter) -> None:
        view = Review(played.session).view()
        styles = tuple(seal_of(self._presenter.board, player.colour) for player in view.players)
        plot.show(view.series, styles, view.step, view.turns, tuple(player.name for player in view.players))

    def replay(self) -> None:
        """Look through the game step by step."""
        if self._presenter.played is not None:
            self.app.open("review", game=self._presenter.played.session.id)

    def turn(self) -> None:
        """Switch between the lines and the plot of points over time."""
        played = self._presenter.played
        self.shows_plot = not self.shows_plot and played is not None
        if self.shows_plot and played is not None:
            self._show_plot(self.ids.plot, played)

    def play_again(self) -> None:
        """Set up a rematch of the same people."""
        if self._presenter.played is not None:
            self.app.open("setup", again=self._presenter.played.session.id)

    def share(self) -> None:
        """Make a picture of the result and open the sharing screen."""
        played, view = self._presenter.played, self._view
        if played is None or view is None or view.score is None:
            return
        base = self.app.shell.folder if self.app.has_shell else data_folder()
        picture: bytes | None = None
        with suppress(CompanionError):
            look = played.session.game.appearance(played.session.state)
            picture = result_picture(view.title, view.score, self._presenter.board, look, self._styles())
        self.app.open("share", folder=base, picture=picture)

    def touch_line(self, index: int) -> None:
        """Highlight the pieces behind a line, and pass the touch to the presenter."""
        self._line = index
        self._show_lines()
        self._presenter.on_score_line(index)
        self.app.refresh()

    def _show_ranking(self, score: ScoreView) -> None:
        styles = self._styles()
        presses = same_children(self.ids.ranking, len(score.ranking), self._rank_press)
        for press, (seat, name, points, rank) in zip(presses, score.ranking, strict=True):
            press.style, press.seat = styles.get(seat), seat
            press.name, press.points = name, str(points)
            no_place = _("has left") if seat in score.left else ""
            press.rank = _("Place {rank}").format(rank=rank) if rank else no_place
            press.strong = rank == 1 and score.decided

    def _rank_press(self) -> RankButton:
        press = RankButton()
        press.bind(on_release=lambda pressed: self._select(pressed.seat))
        return press

    def _select(self, seat: int) -> None:
        self._seat = 0 if seat == self._seat else seat
        self._show_lines()
        self.ids.lines.scroll_y = 1

    def _styles(self) -> dict[int, Seal]:
        players = self._view.players if self._view is not None else ()
        return {player.seat: seal_of(self._presenter.board, player.colour) for player in players}

    def _fit(self, *_: Any) -> None:
        self.is_narrow = self.height > self.width and self.width < scale.unit * NARROW
        self.head_unit = min(scale.unit, MOST_FOR_BUTTONS * self.width / HEAD_WIDTH)
        self._show_lines()

    def _show_lines(self) -> None:
        """The lines by rule in the sheet's order; the pieces behind the touched one are marked on the board."""
        if self._view is None or self._view.score is None:
            return
        score, styles = self._view.score, self._styles()
        names = {seat: name for seat, name, _points, _rank in score.ranking}
        shown = [(i, line) for i, line in enumerate(score.lines) if self._seat in (0, line.seat)]
        rows: list[dict[str, Any]] = []
        if not shown and score.lines:
            nothing = {"viewclass": "Text", "text": _("Nothing has been scored yet."), "color": (*theme.MUTED, 1)}
            rows.append(nothing | {"halign": "center", "size": (0, scale.touch)})
        for title, group in groupby(shown, key=lambda pair: pair[1].title):
            lines = list(group)
            totals = {seat: sum(line.points for _index, line in lines if line.seat == seat) for seat in styles}
            counted = dict.fromkeys(line.seat for _index, line in lines)
            rows.append(
                {
                    "viewclass": "RuleHeading",
                    "size": (0, max(dp(36), scale.unit * 42)),
                    "title": title,
                    "faces": faces_of_rule(self._presenter.board.game, lines[0][1].rule),
                    "board": self._presenter.board,
                    "totals": tuple((styles[seat], totals[seat]) for seat in styles if seat in counted),
                }
            )
            for index, line in lines:
                rows.append(
                    {
                        "viewclass": "ScoreLineButton",
                        "size": (0, scale.touch),
                        "style": styles.get(line.seat),
                        "name": names.get(line.seat, ""),
                        "detail": line.detail,
                        "points": f"{line.points:+d}",
                        "index": index,
                        "marked": index == self._line,
                        "choose": self.touch_line,
                    }
                )
        self.ids.lines.data = rows
        sites = score.lines[self._line].sites if 0 <= self._line < len(score.lines) else ()
        sheets = self._presenter.board.sheets
        for number, sheet in enumerate(sheets if sites else ()):
            if any(is_site(sheet, site) for site in sites):
                self.ids.board.sheet = number
                break
        behind = VerdictView(VerdictKind.NOTE, "", sites=sites) if sites else None
        self.ids.board.show(self._view.pieces, frozenset(), behind)


load_layout(__file__)
