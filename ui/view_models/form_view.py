"""What a form shows: rows to read and touch, and next to them a picture or a board. No Kivy.

A `FormModel` is the presenter of such a screen: cameras, a photograph, a traced board, boxes, the rehearsal.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
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
    """The tone of a text; each has a sign, because colour must not be the only one."""

    PLAIN = "plain"
    GOOD = "good"
    BAD = "bad"
    ASKING = "asking"


@dataclass(frozen=True, slots=True)
class SectionHeading:
    """The heading of the rows below it."""

    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence to read."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Picks:
    """Buttons, `columns` in a row; `key` and the touched pick's own key are passed to `FormModel.touch`.

    `as_written` is for what is no word of ours, such as an address.
    """

    key: str
    picks: tuple[PickView, ...]
    columns: int = 2
    as_written: bool = False


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
    """A text field; its text is passed to `FormModel.touch` with `key` when it is finished."""

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
    """A mark on a picture: a point (pixels), or an outline whose caption stands at the point."""

    place: Point
    text: str = ""
    outline: tuple[Point, ...] = ()
    tone: Tone = Tone.PLAIN
    chosen: bool = False


def outline_mark(corners: Iterable[Sequence[float]]) -> PictureMark:
    """The mark of something found on a picture: its outline through these corners (pixels)."""
    outline = tuple((float(x), float(y)) for x, y in corners)
    return PictureMark(outline[0], outline=outline, tone=Tone.GOOD)


@dataclass(frozen=True, slots=True, eq=False)
class ShownPicture:
    """A picture to show; a greater `number` is a newer one."""

    image: Image
    number: int


@dataclass(frozen=True, slots=True)
class BoardShown:
    """A board with the pieces on it; `marked` sites are highlighted."""

    board: Board
    pieces: tuple[PieceView, ...]
    marked: tuple[str, ...] = ()


class FormModel(ABC):
    """The presenter of a form screen. All methods are called on the main thread."""

    zooms = True
    """whether the picture can be zoomed"""

    @abstractmethod
    def heading(self) -> str:
        """The screen's heading."""

    @abstractmethod
    def rows(self) -> Sequence[Row]:
        """The rows to show now."""

    @abstractmethod
    def touch(self, key: str, value: str) -> None:
        """Something was touched or written."""

    def picture(self) -> ShownPicture | None:
        """The picture to show, if there is one."""
        return None

    def marks(self) -> Sequence[PictureMark]:
        """The marks on the picture."""
        return ()

    def board(self) -> BoardShown | None:
        """The board to show if there is no picture."""
        return None

    def tap(self, place: Point) -> None:
        """The picture was touched, in its pixels."""

    def tap_site(self, site: str) -> None:
        """The board was touched at a site."""

    def tick(self) -> None:
        """Called regularly: take the news of devices and threads."""

    def back(self) -> bool:
        """Go one step back; False if the screen is to be left."""
        return False

    def close(self) -> None:
        """Release devices and threads. May be called more than once."""


def way_on(way: str, text: str) -> Picks:
    """The button that leads on from a page."""
    return Picks("way", (pick(way, text, leads=True),), 1)


def pick(key: str, text: str, *, chosen: bool = False, detail: str = "", leads: bool = False) -> PickView:
    """A button of a `Picks` row."""
    return PickView(key, text, chosen, detail, leads)
