"""A recorded game looked through step by step, with the score over time and what the camera saw. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.board.layout import Board
from companion.engine import scores
from companion.errors import StoreError
from companion.session.cutouts import CutOuts
from companion.session.log import Point
from companion.session.session import Session
from ui.services.text import _, error_text, translated_texts
from ui.table.entry_lines import move_text
from ui.view_models.form_view import ShownPicture
from ui.view_models.play_view import PieceState, PieceView, PlayerView
from vision.cutouts import decoded
from vision.errors import VisionError


@dataclass(frozen=True, slots=True)
class ReviewView:
    """One step of a game. `series` has each player's points at every step, the set-up first; `turns` are the steps that
    end one, where the game has turns that are ended.

    `was_seen`: the camera proposed this step and its cut-out is stored; `seen` is the picture before and after.
    """

    heading: str
    step: int
    steps: int
    progress: str
    text: str
    players: tuple[PlayerView, ...]
    pieces: tuple[PieceView, ...]
    series: tuple[tuple[int, ...], ...]
    turns: tuple[int, ...] = ()
    was_seen: bool = False
    seen: ShownPicture | None = None


class Review:
    """The review's state: the current step, from the set-up to the present. `cut_outs` are the camera's stored
    pictures.
    """

    def __init__(self, session: Session, cut_outs: CutOuts | None = None) -> None:
        self._session, self._cut_outs = session, cut_outs
        self._seen_entries = frozenset(cut_outs.numbers() if cut_outs is not None else ())
        self._shows_seen = False
        self._texts = translated_texts(session.table.game).at(session.table)
        self._points = _line(session.log.point)
        self._totals = [_totals(session, point) for point in self._points]
        end = session.game.info.turn_end
        self._turns = tuple(
            step
            for step, point in enumerate(self._points)
            if end is not None and point.move is not None and point.move.action == end().text
        )
        self.step = len(self._points) - 1

    @property
    def board(self) -> Board:
        """The board of the game."""
        return self._session.table.board

    def go(self, step: int) -> None:
        """Go to a step; a number beyond an end means that end."""
        self.step, self._shows_seen = min(max(step, 0), len(self._points) - 1), False

    def move(self, steps: int) -> None:
        """Go steps forwards, or backwards for a negative number."""
        self.go(self.step + steps)

    def show_seen(self) -> None:
        """Switch between the camera's picture of the step and the board."""
        self._shows_seen = not self._shows_seen

    def view(self) -> ReviewView:
        """The current step."""
        number = self._entry_number()
        seen, text = None, self._text(self._points[self.step])
        if self._shows_seen and number in self._seen_entries:
            seen, caption = self._seen(number)
            text = f"{text} ({caption})"
        game, point = self._session.game, self._points[self.step]
        decision = None if point.ended else game.decide(point.state)
        actors = decision.actors if decision else ()
        players = tuple(
            PlayerView(
                seat,
                player.name,
                player.colour,
                self._totals[self.step][seat - 1],
                seat in actors,
                has_left=seat in point.left,
            )
            for seat, player in enumerate(self._session.table.players, 1)
        )
        look = game.appearance(point.state)
        before = game.appearance(point.before.state) if point.before is not None else look
        pieces = tuple(
            PieceView(spot, label, PieceState.LATEST if before.get(spot) != label else PieceState.PLACED)
            for spot, label in look.items()
        )
        last = len(self._points) - 1
        return ReviewView(
            game.info.title, self.step, last, _("Step {step} of {steps}").format(step=self.step, steps=last),
            text, players, pieces, tuple(zip(*self._totals, strict=True)), self._turns,
            number in self._seen_entries, seen,
        )  # fmt: skip

    def _entry_number(self) -> int:
        """The number of the step's entry; 0 for the set-up."""
        move = self._points[self.step].move
        return move.entry.number if move is not None else 0

    def _seen(self, number: int) -> tuple[ShownPicture | None, str]:
        """The camera's picture of an entry, before on the left and after on the right, and its caption."""
        try:
            data = self._cut_outs.read(number) if self._cut_outs is not None else None
            if data is None:
                return None, _("The picture is not there any more.")
            cut = decoded(data, _("picture of entry {number}").format(number=number))
        except (StoreError, VisionError) as error:
            return None, error_text(error)
        between = np.full((cut.after.shape[0], max(4, cut.after.shape[1] // 40), 3), 255, np.uint8)
        return ShownPicture(np.hstack([cut.before, between, cut.after]), number), _("left before, right after")

    def _text(self, point: Point) -> str:
        if point.move is None:
            joined = self._session.record_status.joined
            return _("The board as it lay when the game was joined.") if joined else _("The set-up.")
        return move_text(point.move, self._session, self._texts)


def _totals(session: Session, point: Point) -> tuple[int, ...]:
    """The points won so far; at the end those of the sheet."""
    sheet = scores(session.game, point.state)
    return (sheet if point.ended else sheet.won).totals


def _line(point: Point | None) -> tuple[Point, ...]:
    found = []
    while point is not None:
        found.append(point)
        point = point.before
    return tuple(reversed(found))
