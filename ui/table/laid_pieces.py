"""What actions and moves lay on the board, and what the swatches of choices in colour tell by it. No Kivy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from companion.board.definition import Board
from companion.engine import GameRules
from companion.session.log import Point
from companion.wording.texts import GameTexts
from ui.drawing.board_drawing import drawing_of
from ui.services.text import _, capitalised
from ui.table.held_chips import chips_of
from ui.view_models.play_view import ChoiceView, PieceState, PieceView


class LaidPieces:
    """What changes of a game's board lay on it; what each move laid is read once."""

    def __init__(self, game: GameRules[Any], board: Board) -> None:
        self._game, self._spots = game, board.all_spots
        self._moves: dict[Point, tuple[PieceView, ...]] = {}

    def between(
        self, before: Iterable[tuple[str, str]], after: Mapping[str, str], sites: Iterable[str] = ()
    ) -> tuple[PieceView, ...]:
        """The pieces that lie on the board only after a change, from the sheet up: those at `sites`, where some do.

        `before` is (spot, label) of every spot occupied before it.
        """
        laid = sorted(
            ((self._spots[name], label) for name, label in after.items() - before if name in self._spots and label),
            key=lambda each: each[0].base,
        )
        there = [(spot, label) for spot, label in laid if spot.site in sites]
        return tuple(PieceView(spot.name, label, PieceState.PLACED) for spot, label in there or laid)

    def by_moves(self, point: Point, seats: Iterable[int]) -> tuple[tuple[PieceView, ...], ...]:
        """What each move of these seats up to a point laid, the latest first; without moves that laid nothing."""
        moves, seats = dict[Point, tuple[PieceView, ...]](), set(seats)
        found = []
        while point.move is not None and point.before is not None:
            if point.move.entry.seat in seats:
                laid = self._moves.get(point)
                if laid is None:
                    before, after = (self._game.appearance(each.state) for each in (point.before, point))
                    laid = self.between(before.items(), after)
                moves[point] = laid
                found.append(laid)
            point = point.before
        self._moves = moves
        return tuple(filter(None, found))


class SwatchFinder:
    """What a choice tells that lays a piece in one of several colours, at one position."""

    def __init__(
        self, game: GameRules[Any], board: Board, state: Any, actors: tuple[int, ...],
        earlier: Iterable[tuple[PieceView, ...]],
    ) -> None:  # fmt: skip
        """`earlier` is what the earlier moves of those who act laid, the latest first."""
        self._game, self._spots = game, board.all_spots
        self._kinds = drawing_of(game.info.id).swatches
        self._held = game.holdings(state, actors[0]) if len(actors) == 1 and self._kinds else ()
        self._earlier = [laid for laid in earlier if self._piece(laid[0]) in self._kinds]
        self._counts: dict[tuple[str, str], int] | None = None

    def told(self, choice: ChoiceView, texts: GameTexts) -> ChoiceView:
        """The same, with what stands on its swatch if the lowest piece of its ghost is one of several colours."""
        pieces = [self._piece(piece) for piece in choice.ghost]
        if not pieces or pieces[0] not in self._kinds:
            return choice
        colour = choice.ghost[0].label
        count = self._count(texts).get((pieces[0], colour))
        other = capitalised(_(pieces[1])) if len(pieces) > 1 else ""
        alike = [laid for laid in self._earlier if self._piece(laid[0]) == pieces[0]]
        usual = len(alike[0]) if alike else 1
        return replace(
            choice, swatch=texts.label(colour) if count is None else str(count), other=other,
            is_usual=len(pieces) == usual, laid_before=sum(laid[0].label == colour for laid in alike),
        )  # fmt: skip

    def _count(self, texts: GameTexts) -> dict[tuple[str, str], int]:
        """How many pieces of a component and colour who acts has; without those that nobody has told."""
        if self._counts is None:
            self._counts = {}
            game = self._game.info.id
            for chip in chips_of(self._held, texts, game):
                key = chip.component, chip.kind
                self._counts[key] = self._counts.get(key, 0) + (chip.count or 0)
        return self._counts

    def _piece(self, piece: PieceView) -> str:
        return self._spots[piece.spot].piece if piece.spot in self._spots else ""
