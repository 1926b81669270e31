"""A recorded game looked through step by step, with the score over time. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass

from companion.board.layout import Board
from companion.engine import scores
from companion.session.log import Point
from companion.session.session import Session
from ui.composing import entry_text
from ui.text import _, translated_texts
from ui.viewmodels import PieceState, PieceView, PlayerView


@dataclass(frozen=True, slots=True)
class ReviewView:
    """One step of a game. `series` has each player's points at every step, the set-up first."""

    heading: str
    step: int
    steps: int
    progress: str
    text: str
    players: tuple[PlayerView, ...]
    pieces: tuple[PieceView, ...]
    series: tuple[tuple[int, ...], ...]


class Review:
    """Knows the step; the first one is the set-up, the last one what stands now."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._texts = translated_texts(session.table.game)
        self._points = _line(session.log.point)
        self._totals = [scores(session.game, point.state).totals for point in self._points]
        self.step = len(self._points) - 1

    @property
    def board(self) -> Board:
        """The board it was played on."""
        return self._session.table.board

    def go(self, step: int) -> None:
        """Go to a step; beyond the ends is at the end."""
        self.step = min(max(step, 0), len(self._points) - 1)

    def move(self, steps: int) -> None:
        """Go so many steps on, or back."""
        self.go(self.step + steps)

    def view(self) -> ReviewView:
        """The current step."""
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
            self._text(point), players, pieces, tuple(zip(*self._totals, strict=True)),
        )  # fmt: skip

    def _text(self, point: Point) -> str:
        if point.move is None:
            joined = self._session.course.joined
            return _("The board as it lay when the game was joined.") if joined else _("The set-up.")
        return entry_text(point.move.entry, self._session, self._texts, point.move.events or ())


def _line(point: Point | None) -> tuple[Point, ...]:
    found = []
    while point is not None:
        found.append(point)
        point = point.before
    return tuple(reversed(found))
