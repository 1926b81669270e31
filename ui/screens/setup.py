"""The set-up wizard: game, people, set-up, rulings, and where everything goes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.relativelayout import RelativeLayout

from companion.detail import SCORE_ONLY
from companion.table import Table
from ui.drawing.theme import seal_of
from ui.printed.thumbnails import game_cover
from ui.screens.base import AppScreen
from ui.services.text import _
from ui.setup.setup_pages import compose_page
from ui.setup.wizard import Wizard
from ui.shell.presentation import ScreenHost
from ui.view_models.setup_view import PickView, QuestionView, SetupStep, SetupView
from ui.widgets.controls import ChoiceButton, PushButton, load_layout, plain, same_children
from ui.widgets.scale import scale

PLACES = {
    2: ((0.5, 0.0), (0.5, 1.0)),
    3: ((0.5, 0.0), (0.0, 0.7), (1.0, 0.7)),
    4: ((0.5, 0.0), (0.0, 0.5), (0.5, 1.0), (1.0, 0.5)),
}
"""number of seats -> their positions around the table as shares of width and height, clockwise from the near side"""
MOST_PICKS = 8
"""more answers than this are shown one at a time, with buttons to step through them"""


class PickButton(ChoiceButton):
    """One of several things to pick."""

    key = StringProperty()
    heading = StringProperty()
    detail = StringProperty()
    is_card = BooleanProperty(False)
    """whether heading and detail stand together in its middle; else the heading has all the room there is"""
    indent = NumericProperty(0)
    """pixels at its left that its words leave free"""


class CoverButton(PickButton):
    """A game to pick, its cover at the left."""

    picture = ObjectProperty(None, allownone=True)


class SeatButton(ChoiceButton):
    """A seat at the table."""

    seat = NumericProperty(0)
    name = StringProperty()
    colour_name = StringProperty()
    style = ObjectProperty(None, allownone=True)


class ColourButton(ChoiceButton):
    """A colour to play."""

    colour = StringProperty()
    style = ObjectProperty(None, allownone=True)
    heading = StringProperty()


class Page(BoxLayout):
    """One of several pages that lie on one another; those that are not shown take no touches from the one that is."""

    is_shown = BooleanProperty(False)

    def on_touch_down(self, touch: Any) -> bool:
        """Take a touch while it is shown."""
        return self.is_shown and bool(super().on_touch_down(touch))


class RoundTable(RelativeLayout):
    """The table seen from above, with the seats around it."""


class QuestionBox(BoxLayout):
    """A question with its answers below; many answers are stepped through."""

    question = StringProperty()
    why = StringProperty()
    picked = StringProperty()
    steps = BooleanProperty(False)
    columns = NumericProperty(1)
    """how many answers stand side by side where there is room"""
    can_draw = BooleanProperty(False)


class SetupScreen(AppScreen):
    """Shows the wizard's page and passes touches to it.

    `again` is the id of a stored game for a rematch, `game` the game that was chosen already, `people` who plays it.
    """

    step = StringProperty()
    has_places = BooleanProperty(False)
    """whether what the set-up turned up is touched on the board"""

    def __init__(
        self, app: ScreenHost, again: str | None = None, game: str = "", people: tuple[str, ...] = (), **properties: Any
    ) -> None:
        super().__init__(app, **properties)
        self.wizard = Wizard(app.shell.store, app.shell.boards_folder, again=again, detail=app.shell.settings.detail)
        if people:
            self.wizard.seat_people(game, people)
        elif game:
            self.wizard.choose_game(game)
            if len(self.wizard.editions.boards) == 1:
                self.wizard.next()
        self._is_writing = False
        self._places: dict[str, tuple[str, str]] = {}
        """site -> the set-up outcome and the name that it stands for"""
        self.follow(scale, unit=self._place_seats)
        self.follow(self.ids.table, size=self._place_seats)
        self.ids.name.bind(text=self._on_name, focus=self._on_name_focus)
        self.update()

    def close(self) -> None:
        """Let go of the keyboard."""
        super().close()
        self.ids.name.focus = False

    def go_back(self) -> None:
        """To the page before, or out of the wizard."""
        if not self.wizard.back():
            self.app.back()
            return
        self.update()

    def go_on(self) -> None:
        """To the next page; from the last one to the table."""
        if self.wizard.step is not self.wizard.steps[-1]:
            self.wizard.next()
            self.update()
        else:
            self._begin(self.wizard.table(), self.wizard.detail)

    def _begin(self, table: Table, detail: str) -> None:
        if detail == SCORE_ONLY:
            self.app.shell.keep_detail(detail)
            self.app.open("photograph", table=table)
        else:
            self.app.open_table(self.app.shell.begin(table, detail))

    def join(self) -> None:
        """Join a game under way: go on from the board as it lies."""
        self.app.open("join", table=self.wizard.table())

    def change(self, act: Callable[..., None], *values: Any) -> None:
        """Call a method of the wizard with what was touched, and show what it changed."""
        self.ids.name.focus = False
        act(*values)
        self.update()

    def on_key(self, key: int, modifiers: list[str]) -> bool:
        """Escape leads one page back."""
        if key == 27:
            self.go_back()
        return key == 27

    def update(self) -> None:
        """Show the wizard's page."""
        view, ids = compose_page(self.wizard), self.ids
        self.step = view.step
        ids.bar.heading = f"{view.heading}  {view.progress}".rstrip()
        is_told_below = any(question.problem for question in view.questions)
        ids.explanation.text = view.explanation if is_told_below else view.problem or view.explanation
        ids.go_on.text, ids.go_on.disabled = view.next_text, bool(view.problem)
        match view.step:
            case SetupStep.GAME:
                self._show_picks(ids.games, view.games, self._game_button)
                editions = view.editions if len(view.editions) > 1 else ()
                self._show_picks(ids.editions, editions, self._edition_button)
            case SetupStep.PLAYERS:
                self._show_players(view)
            case SetupStep.OPTIONS | SetupStep.RULINGS:
                self._show_questions(view)
            case SetupStep.BOARD:
                self._show_board(view)

    def _show_picks(self, grid: Any, picks: tuple[PickView, ...], made: Callable[[], PickButton]) -> None:
        buttons = same_children(grid, len(picks), made)
        for button, pick in zip(buttons, picks, strict=True):
            button.key, button.heading, button.detail, button.chosen = pick.key, pick.text, pick.detail, pick.chosen
            if isinstance(button, CoverButton):
                button.picture = ("cover", pick.key), partial(game_cover, pick.key)

    def _game_button(self) -> PickButton:
        button = CoverButton(is_card=True)
        button.bind(on_release=lambda pressed: self.change(self.wizard.choose_game, pressed.key))
        return button

    def _edition_button(self) -> PickButton:
        button = PickButton(is_card=True)
        button.bind(on_release=lambda pressed: self.change(self.wizard.choose_edition, pressed.key))
        return button

    def _show_players(self, view: SetupView) -> None:
        ids, board = self.ids, self.wizard.draft.board
        if ids.laid.board is not board:
            ids.laid.board = board
        buttons = same_children(ids.table, len(view.seats), self._seat_button)
        for button, seat in zip(buttons, view.seats, strict=True):
            button.seat, button.name, button.chosen = seat.seat, seat.name, seat.chosen
            button.colour_name, button.style = seat.colour_name, seal_of(board, seat.colour)
        self._place_seats()
        chosen = view.seats[self.wizard.seat - 1]
        ids.seat_heading.text = _("Seat {seat}").format(seat=chosen.seat)
        self._is_writing = True
        if ids.name.text != chosen.name and not ids.name.focus:
            ids.name.text = chosen.name
        self._is_writing = False
        colours = same_children(ids.colours, len(view.colours), self._colour_button)
        for button, colour in zip(colours, view.colours, strict=True):
            button.colour, button.heading, button.style = colour.colour, colour.name, seal_of(board, colour.colour)
            button.chosen = colour.seat == chosen.seat
        names = same_children(ids.names, len(view.names), self._name_button)
        for button, name in zip(names, view.names, strict=True):
            button.text = name.text
        ids.add_seat.disabled, ids.remove_seat.disabled = not view.can_add_seat, not view.can_remove_seat

    def _seat_button(self) -> SeatButton:
        button = SeatButton()
        button.bind(on_release=lambda pressed: self.change(self.wizard.choose_seat, pressed.seat))
        return button

    def _colour_button(self) -> ColourButton:
        button = ColourButton()
        button.bind(on_release=lambda pressed: self.change(self.wizard.choose_colour, pressed.colour))
        return button

    def _name_button(self) -> PushButton:
        button = PushButton(bold=False)
        button.bind(on_release=lambda pressed: self.change(self.wizard.rename, pressed.text))
        return button

    def _place_seats(self, *_: Any) -> None:
        """Put the seats around the table, the first one near."""
        table = self.ids.table
        buttons = [child for child in reversed(table.children) if isinstance(child, SeatButton)]
        width = min(scale.unit * 200, table.width * 0.31)
        height = min(max(scale.touch, scale.unit * 74), table.height * 0.3)
        for button, (x, y) in zip(buttons, PLACES.get(len(buttons), ()), strict=False):
            button.size = width, height
            button.pos = x * (table.width - width), y * (table.height - height)

    def _on_name(self, _field: Any, text: str) -> None:
        if not self._is_writing:
            self.wizard.rename(text)
            self.update()

    def _on_name_focus(self, field: Any, is_focused: bool) -> None:
        if is_focused and self.wizard.is_unnamed:
            self._is_writing = True
            field.hint_text, field.text = field.text, ""
            self._is_writing = False
        elif is_focused:
            field.select_all()
        else:
            if not field.text.strip() and field.hint_text:
                self.wizard.rename(field.hint_text)
            field.hint_text = ""
            self.update()

    def _show_questions(self, view: SetupView) -> None:
        wizard = self.wizard
        choose = wizard.choose_outcome if view.step is SetupStep.OPTIONS else wizard.choose_ruling
        board = self.ids.chosen
        if view.board is not None and board.board is not view.board:
            board.board = view.board
        self.has_places = view.board is not None
        if view.board is not None:
            self._places = {site: (question.key, key) for question in view.questions for site, key in question.places}
            lying = {view.board.spots[piece.spot].site for piece in view.pieces}
            wanted = any(question.places and question.problem for question in view.questions)
            board.show(view.pieces, self._places.keys() - lying if wanted else (), None)
        widgets = same_children(self.ids.questions, len(view.questions), QuestionBox)
        for widget, question in zip(widgets, view.questions, strict=True):
            self._show_question(widget, question, choose)

    def _show_question(self, widget: QuestionBox, question: QuestionView, choose: Callable[[str, str], None]) -> None:
        widget.question = question.question
        widget.why = question.problem or (_("Why: {why}").format(why=question.why) if question.why else "")
        widget.can_draw = question.can_draw
        widget.ids.draw.on_release = lambda: self.change(self.wizard.draw_outcome, question.key)
        widget.steps = len(question.picks) > MOST_PICKS
        if widget.steps:
            keys = [pick.key for pick in question.picks]
            place = next((index for index, pick in enumerate(question.picks) if pick.chosen), 0)
            widget.picked = question.picks[place].text
            for name, step in (("less", -1), ("more", 1)):
                other = keys[min(max(place + step, 0), len(keys) - 1)]
                widget.ids[name].on_release = lambda other=other: self.change(choose, question.key, other)
        picks = () if widget.steps else question.picks
        buttons = same_children(widget.ids.picks, len(picks), PickButton)
        for button, pick in zip(buttons, picks, strict=True):
            button.key, button.heading, button.detail, button.chosen = pick.key, pick.text, pick.detail, pick.chosen
            button.on_release = lambda key=pick.key: self.change(choose, question.key, key)
        widget.columns = 1 if any(len(pick.text) > 34 for pick in picks) else min(4, max(1, len(picks)))

    def touch_place(self, site: str) -> None:
        """A place of the board was touched: what lies there is chosen, or no more."""
        if site in self._places:
            self.change(self.wizard.choose_outcome, *self._places[site])

    def _show_board(self, view: SetupView) -> None:
        begins, detail = view.questions
        self.ids.change_rulings.text, self.ids.change_rulings.disabled = view.rulings, not view.rulings
        self.ids.change_options.disabled = not self.wizard.draft.options
        self._show_asked(begins, self.ids.begins_asked, self.ids.begins, self._begin_with)
        self._show_asked(detail, self.ids.detail_asked, self.ids.detail, self.wizard.choose_detail)
        board = self.ids.board
        if board.board is not view.board:
            board.board = view.board
        board.show(view.pieces, frozenset(), None)
        self.ids.notes.text = "\n\n".join(f"[b]{plain(what)}[/b] {plain(text)}" for what, text in view.notes)

    def _show_asked(self, question: QuestionView, asked: Any, answers: Any, choose: Callable[[str], None]) -> None:
        """A question in one line, its answers beside it."""
        asked.text = question.question
        buttons = same_children(answers, len(question.picks), lambda: ChoiceButton(bold=False))
        for button, pick in zip(buttons, question.picks, strict=True):
            button.text, button.chosen = pick.text, pick.chosen
            button.on_release = lambda key=pick.key: self.change(choose, key)

    def _begin_with(self, seat: str) -> None:
        self.wizard.begin_with(int(seat))


load_layout(__file__)
