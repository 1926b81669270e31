"""What the set-up wizard shows, as frozen values without Kivy. Texts are ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.board.layout import Board
from ui.view_models.play_view import ChipView, ChoiceView, PieceView


class SetupStep(StrEnum):
    """The pages of the wizard, in order."""

    GAME = "game"
    PLAYERS = "players"
    OPTIONS = "options"
    RULINGS = "rulings"
    BOARD = "board"


@dataclass(frozen=True, slots=True)
class PickView:
    """One of several things to pick; `key` is handed back. `detail` says more; the one that `leads` on is the primary
    button of its page.
    """

    key: str
    text: str
    chosen: bool = False
    detail: str = ""
    leads: bool = False
    faces: tuple[ChipView, ...] = ()
    """printed faces that tell it, shown before the text, after the seal of the player of this `colour`"""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class SetupSeat:
    """A seat at the table, counted clockwise from the one that begins."""

    seat: int
    name: str
    colour: str
    colour_name: str
    chosen: bool
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ColourView:
    """A colour of the board's palette; `seat` has it now, 0 where it is free."""

    colour: str
    name: str
    seat: int


@dataclass(frozen=True, slots=True)
class QuestionView:
    """Something the table decides: a set-up outcome or a ruling, with why it is asked and how sure the usual one is."""

    key: str
    question: str
    picks: tuple[PickView, ...]
    why: str = ""
    can_draw: bool = False
    problem: str = ""
    places: tuple[tuple[str, str], ...] = ()
    """(site, key) of what can be picked by touching the board"""


@dataclass(frozen=True, slots=True)
class SetupView:
    """One page of the wizard. `problem` says why one cannot go on yet."""

    step: SetupStep
    heading: str
    explanation: str
    progress: str
    next_text: str
    games: tuple[PickView, ...] = ()
    editions: tuple[PickView, ...] = ()
    seats: tuple[SetupSeat, ...] = ()
    can_add_seat: bool = False
    can_remove_seat: bool = False
    colours: tuple[ColourView, ...] = ()
    names: tuple[ChoiceView, ...] = ()
    questions: tuple[QuestionView, ...] = ()
    board: Board | None = None
    pieces: tuple[PieceView, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    """(what or who, what they get or where it goes)"""
    rulings: str = ""
    """whether the rulings are played as usual, on the button that leads to them"""
    problem: str = ""
