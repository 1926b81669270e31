"""What a screen of questions and answers shows beside a picture or a board: rows to read and to touch. No Kivy.

A `FormModel` presents such a screen: cameras, a photograph, a board that is traced, boxes, the rehearsal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.board.layout import Board
from ui.view_models.play_view import PieceView
from ui.view_models.setup_view import PickView

if TYPE_CHECKING:
    from vision.pictures import Image

Point = tuple[float, float]


class Tone(StrEnum):
    """How something is said; a sign goes with each, colour is never the only one."""

    PLAIN = "plain"
    GOOD = "good"
    BAD = "bad"
    ASKING = "asking"


@dataclass(frozen=True, slots=True)
class SectionHeading:
    """What the rows below are about."""

    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence to read."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Picks:
    """Things to press; `key` and the pick's own key are handed back. `columns` is how many stand side by side."""

    key: str
    picks: tuple[PickView, ...]
    columns: int = 2


@dataclass(frozen=True, slots=True)
class Stepper:
    """A number with a button to lower it and one to raise it; `-1` or `+1` is handed back with `key`."""

    key: str
    label: str
    value: int
    least: int = 0
    most: int = 99


@dataclass(frozen=True, slots=True)
class Field:
    """A text to write; handed back with `key` once it is finished."""

    key: str
    label: str
    value: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Hidden:
    """A secret behind a curtain: `text` is shown while `label` is held, and for a short while only."""

    label: str
    text: str


Row = SectionHeading | Note | Picks | Stepper | Field | Hidden


@dataclass(frozen=True, slots=True)
class PictureMark:
    """Something shown on a picture: a spot (pixels), or an outline with its spot as the caption's place."""

    place: Point
    text: str = ""
    outline: tuple[Point, ...] = ()
    tone: Tone = Tone.PLAIN
    chosen: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A picture to show; a greater `number` is a newer one."""

    image: Image
    number: int


@dataclass(frozen=True, slots=True)
class BoardShown:
    """A board with what lies on it; `marked` are sites that are spoken of."""

    board: Board
    pieces: tuple[PieceView, ...]
    marked: tuple[str, ...] = ()


class FormModel:
    """What presents a screen of this kind; subclasses say more. Everything is called on the main thread."""

    zooms = True
    """whether the picture can be drawn nearer"""

    def heading(self) -> str:
        """What stands above it all."""
        raise NotImplementedError

    def rows(self) -> Sequence[Row]:
        """What is there to read and to touch."""
        raise NotImplementedError

    def touch(self, key: str, value: str) -> None:
        """Something was touched or written."""
        raise NotImplementedError

    def picture(self) -> Shown | None:
        """The picture to show, if there is one."""
        return None

    def marks(self) -> Sequence[PictureMark]:
        """What is shown on the picture."""
        return ()

    def board(self) -> BoardShown | None:
        """The board to show where there is no picture."""
        return None

    def tap(self, place: Point) -> None:
        """The picture was touched, in its pixels."""

    def tap_site(self, site: str) -> None:
        """The board was touched at a site."""

    def tick(self) -> None:
        """Time passes: take in what devices and threads have to say."""

    def back(self) -> bool:
        """One step back; False where that leads out of the screen."""
        return False

    def close(self) -> None:
        """Let go of everything. May be called more than once."""


def pick(key: str, text: str, *, chosen: bool = False, detail: str = "") -> PickView:
    """A thing to press."""
    return PickView(key, text, chosen, detail)
