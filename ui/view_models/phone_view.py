"""Exactly what the page of one phone shows, as frozen values. Texts are ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass

from ui.view_models.play_view import (
    ButtonView,
    ChipView,
    MoveView,
    PathView,
    PieceView,
    PlayerView,
    ScoreView,
    VerdictView,
)


@dataclass(frozen=True, slots=True)
class HandPiece:
    """A piece that only the owner of the phone's seat sees. `name` is handed back when it is told or played.

    `may_be` are the (name, text) pairs that it can be as far as everybody knows; none where everybody knows it.
    """

    name: str
    text: str
    may_be: tuple[tuple[str, str], ...] = ()
    is_told: bool = True
    """whether its owner has said what it is, or everybody knows"""
    said: str = ""
    """what its owner has just said it is, in a hand that cannot be: to be said once more"""
    problem: str = ""
    """why it cannot be that"""


@dataclass(frozen=True, slots=True)
class PhoneChoice:
    """Something that the phone's seat may choose; `key` is handed back when it is chosen."""

    key: str
    text: str
    group: str = ""
    sites: tuple[str, ...] = ()
    piece: str = ""
    """the piece of the own hand that it plays"""
    is_usual: bool = True
    """whether it is offered at once, and not only at its place on the board or with its piece"""
    forbidden: bool = False
    why: str = ""
    """the first reason why it is forbidden, or that it is that of the choice before it"""
    laid: tuple[tuple[str, str], ...] = ()
    """what it lays on the board, as (spot, label) pairs"""
    card: str = ""
    """the card that it is about, by its name as a closed piece"""
    faces: tuple[ChipView, ...] = ()
    """the printed components that stand for it"""


@dataclass(frozen=True, slots=True)
class AskedView:
    """A question that the whole table is asked; `answers` are (key, text) pairs."""

    text: str
    answers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat that a phone may ask for."""

    seat: int
    name: str
    colour: str
    is_taken: bool
    """whether a phone sits there already"""


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """An entry of the record, in words."""

    number: int
    text: str
    is_undone: bool = False


@dataclass(frozen=True, slots=True)
class PhoneView:
    """The page of one phone. `seat` is 0 for a spectator, `state_id` the number of entries it was made for."""

    title: str
    prompt: str
    what: str = ""
    """what is waited for, to be read after the name of who acts"""
    waited_for: str = ""
    """the names of all who are waited for"""
    players: tuple[PlayerView, ...] = ()
    seat: int = 0
    is_mine: bool = False
    """whether the table waits for this seat"""
    pieces: tuple[PieceView, ...] = ()
    path: PathView | None = None
    """the path on the board that is being laid"""
    buttons: tuple[ButtonView, ...] = ()
    choices: tuple[PhoneChoice, ...] = ()
    shows_all: bool = False
    """whether it was asked what may be done, so that all its places are marked"""
    verdict: VerdictView | None = None
    latest: MoveView | None = None
    """the latest move that laid or took something or brought points, while nobody else has done anything since"""
    undo: str = ""
    undo_is_wish: bool = False
    """whether the others are asked first"""
    hand: tuple[HandPiece, ...] = ()
    hand_name: str = ""
    hand_problem: str = ""
    """why what was told of the hand cannot be any more, so that it is asked for once more"""
    supply: tuple[ChipView, ...] = ()
    """what lies openly before everybody"""
    log: tuple[HistoryLine, ...] = ()
    """the latest entries, newest first"""
    asked: AskedView | None = None
    seats: tuple[SeatView, ...] = ()
    """those that may be asked for, where the phone has none"""
    note: str = ""
    """what is said to this phone alone"""
    score: ScoreView | None = None
    photographs: bool = False
    """whether a photograph of the board from this phone is read"""
    is_watched: bool = False
    """whether a camera sees the board, which a photograph may help"""
    state_id: int = 0
