"""The latest moves to look at: who, what was laid or taken, what it brought. No Kivy."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from companion.engine import GameRules, scores
from companion.session.log import Point
from companion.session.session import Session
from companion.wording.texts import GameTexts
from ui.table.choice_faces import faces_of_action, labels_of
from ui.table.entry_lines import unchecked_rules
from ui.view_models.play_view import ChipView, MoveView, PieceState, PieceView

MOST, MOST_FACES = 8, 4
"""moves that are told, and faces of each in the history"""


class LatestMoves:
    """The latest moves of a table; one that was told before is not worked out again."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[Point, MoveView] = {}

    def anew(self) -> None:
        """The language has changed: word all again."""
        self._known = {}

    def view(self, texts: GameTexts, most: int = MOST) -> tuple[MoveView, ...]:
        """Moves of players that hold and can be seen or brought points, the newest first, `most` at most."""
        found: list[MoveView] = []
        known: dict[Point, MoveView] = {}
        point: Point | None = self._session.log.point
        while point is not None and point.move is not None and point.before is not None and len(found) < most:
            seat = point.move.entry.seat
            if seat and point.move.action is not None and point.move.events is not None:
                move = known[point] = self._known.get(point) or _move(self._session, texts, point, point.before, seat)
                if move.faces or move.pieces or move.points:
                    found.append(move)
            point = point.before
        self._known = known
        return tuple(found)


def told_faces(session: Session, numbers: Collection[int]) -> dict[int, tuple[ChipView, ...]]:
    """Number of an entry -> the faces that tell what was done by it: of the action, else of the pieces it laid."""
    found: dict[int, tuple[ChipView, ...]] = {}
    game, known = session.game, labels_of(session.game.info.id)
    spots = session.table.board.all_spots
    point: Point | None = session.log.point
    while point is not None and point.move is not None and point.before is not None and len(found) < len(numbers):
        move, before, entry = point.move, point.before, point.move.entry
        if move.number in numbers:
            colour = session.table.players[entry.seat - 1].colour if entry.seat else ""
            action = game.parse_action(entry.action, before.state) if entry.action else None
            faces = faces_of_action(game.info.id, action.text, colour) if action is not None else ()
            if not faces:
                lay = game.appearance(before.state)
                laid = [
                    (spots[spot].piece, label)
                    for spot, label in game.appearance(point.state).items()
                    if lay.get(spot) != label and spot in spots
                ]
                faces = tuple(ChipView("", piece, label, 1) for piece, label in laid if label in known.get(piece, ()))
            found[move.number] = faces[:MOST_FACES]
        point = point.before
    return found


def _move(session: Session, texts: GameTexts, point: Point, before: Point, seat: int) -> MoveView:
    game = session.game
    assert point.move is not None
    lay = game.appearance(before.state)
    pieces = tuple(
        PieceView(spot, label, PieceState.PLACED)
        for spot, label in game.appearance(point.state).items()
        if lay.get(spot) != label
    )
    entry = point.move.entry
    action = game.parse_action(entry.action or "", before.state)
    points = _won(game, point.state, seat) - _won(game, before.state, seat)
    faces = faces_of_action(game.info.id, action.text, session.table.players[seat - 1].colour)
    return MoveView(point.move.number, seat, texts.action(action), faces, pieces, points, bool(unchecked_rules(entry)))


def _won(game: GameRules[Any], state: Any, seat: int) -> int:
    """A seat's points without what is only taken off at the end, so that the last move is not told to cost it."""
    deducting = game.rules.deducting_at_end
    return sum(line.points for line in scores(game, state).of(seat) if line.rule not in deducting)
