"""What each viewer may know of a game: the one place where that is decided.

The log holds what the whole table was shown: it is written down in public forms (`GameRules.public_action`), so the
tablet, a spectator, a file, the broker and a log line may know all of it and nothing else. What an owner tells of
closed pieces never enters it; it is kept beside it and makes that owner's view alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from companion import engine
from companion.engine import GameRules
from companion.errors import SessionError
from companion.legality import Verdict
from companion.session.log import Log, Move, Point, after
from companion.session.session import Session


class ViewerKind(StrEnum):
    """Who or what is shown something of a game."""

    TABLET = "tablet"
    SEAT = "seat"
    SPECTATOR = "spectator"
    FILE = "file"
    BROKER = "broker"
    LOG = "log"


@dataclass(frozen=True, slots=True)
class Viewer:
    """A viewer; `seat` is the one whose closed pieces it may see, for ViewerKind.SEAT only."""

    kind: ViewerKind
    seat: int | None = None

    def __post_init__(self) -> None:
        if (self.kind is ViewerKind.SEAT) != (self.seat is not None):
            raise ValueError("a seat belongs to the viewer 'seat' and to no other")


@dataclass(frozen=True, slots=True)
class Telling:
    """What the owner of a seat said of its closed pieces, once: their `names` after entry `after` (0: at the start)."""

    seat: int
    after: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Disproof:
    """Why nothing holds any more of what the owner of a seat told of its closed pieces.

    `move` is what showed that it was wrong, None where the record was changed; `told` are the pieces as they were told
    until then, `wrong` those of them that cannot be there, none where that cannot be said.
    """

    move: Move | None
    told: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()


Tellings = Mapping[int, Mapping[int, Telling]]
"""seat -> number of the entry -> what was told last at that point"""
Memory = dict[int, tuple[Point, Point | None]]
"""what one seat knows at points of the line of moves, by their identity: the point, and as it knows it if otherwise"""
MOST_REMEMBERED = 4096


def known_to(viewer: Viewer, log: Log, told: Tellings, memory: Memory | None = None) -> Log:
    """The game as a viewer may know it: the same entries, and the position with what that viewer alone was told.

    Everything that is said, listed, drawn or written for a viewer is made from it. What was told but cannot be any
    more, since the record was changed, is left out. `memory` keeps what was found before for the same tellings.
    """
    if viewer.seat is None:
        return log
    own = told.get(viewer.seat)
    if not own:
        return log
    known = _known_point(log.game, log.point, own, viewer.seat, {} if memory is None else memory)
    if known is None:
        return log
    point = replace(log.point, state=known.state)
    if log.done:
        return replace(log, done=(*log.done[:-1], replace(log.done[-1], point=point)))
    return replace(log, start=point)


def _known_point(
    game: GameRules[Any], at: Point, own: Mapping[int, Telling], seat: int, memory: Memory
) -> Point | None:
    """A point as a seat knows it, by what it told there and before; None where that is nothing."""
    ahead: list[Point] = []
    point: Point | None = at
    while point is not None and id(point) not in memory:
        ahead.append(point)
        point = point.before
    known = memory[id(point)][1] if point is not None else None
    if len(memory) + len(ahead) > MOST_REMEMBERED:
        memory.clear()
    for each in reversed(ahead):
        if known is not None:
            known = _followed(game, known, each, seat)
        telling = own.get(_number(each))
        if telling is not None:
            known = _told_at(game, each, telling) or known
        memory[id(each)] = each, known
    return known


def _followed(game: GameRules[Any], known: Point, public: Point, seat: int) -> Point | None:
    """The point after one more move as a seat knows it: everybody's, with the pieces that are left of what was told.

    None where what happened has shown that what was told was wrong.
    """
    if public.move is None:
        return None
    try:
        state = after(game, known, public.move).state
        names = tuple([piece.name for piece in game.closed_pieces(state, seat)])
        return replace(public, state=game.with_closed_pieces(public.state, seat, names))
    except (SessionError, ValueError):
        return None


def _told_at(game: GameRules[Any], public: Point, telling: Telling) -> Point | None:
    try:
        return replace(public, state=game.with_closed_pieces(public.state, telling.seat, telling.names))
    except ValueError:
        return None


def _number(point: Point) -> int:
    return point.move.number if point.move is not None else 0


def _before(point: Point, memory: Memory) -> Memory:
    """What is known at the points before one: what is told there changes all that may follow it."""
    kept: Memory = {}
    while point.before is not None:
        point = point.before
        if id(point) in memory:
            kept[id(point)] = memory[id(point)]
    return kept


def _impossible(game: GameRules[Any], state: Any, seat: int, names: Sequence[str]) -> tuple[int, ...]:
    left, found = list(game.closed_pieces(state, seat)), list[int]()
    told: list[str] = []
    for place, name in enumerate(names):
        fitting = (each for each in left if name == each.name or name in each.may_be)
        piece = next(fitting, None)
        others = [each.name for each in left if each is not piece]
        if piece is None or not _can_be(game, state, seat, (*told, name, *others)):
            found.append(place)
            continue
        left.remove(piece)
        told.append(name)
    return tuple(found) if _can_be(game, state, seat, (*told, *(each.name for each in left))) else ()


def _can_be(game: GameRules[Any], state: Any, seat: int, names: tuple[str, ...]) -> bool:
    try:
        game.with_closed_pieces(state, seat, names)
    except ValueError:
        return False
    return True


class ClosedPieces:
    """What the owners of the seats of a session have told of their closed pieces, and what each viewer thus knows."""

    def __init__(self, session: Session, told: Iterable[Telling] = ()) -> None:
        self._session = session
        self._told: defaultdict[int, dict[int, Telling]] = defaultdict(dict)
        for each in told:
            self._told[each.seat][each.after] = each
        self._known: dict[int, Log] = {}
        self._memories: defaultdict[int, Memory] = defaultdict(dict)

    def known_to(self, viewer: Viewer) -> Log:
        """The game as a viewer may know it now; the same object until something changes."""
        log = self._session.log
        if viewer.seat is None:
            return known_to(viewer, log, self._told)
        known = self._known.get(viewer.seat)
        if known is None or len(known.entries) != len(log.entries):
            memory = self._memories[viewer.seat]
            known = self._known[viewer.seat] = known_to(viewer, log, self._told, memory)
        return known

    def belong(self, seat: int, told: Iterable[Telling]) -> None:
        """A seat has another owner, who has `told` this of its closed pieces and sees nothing of what others told."""
        self._told[seat] = {each.after: each for each in told if each.seat == seat}
        self._known.pop(seat, None)
        self._memories.pop(seat, None)

    def tell(self, seat: int, names: Iterable[str]) -> Telling:
        """Take in what the owner of a seat says its closed pieces are now.

        Raises ValueError where they cannot be.
        """
        telling = Telling(seat, _number(self._session.log.point), tuple(names))
        self._session.game.with_closed_pieces(self._session.state, seat, telling.names)
        self._told[seat][telling.after] = telling
        self._known.pop(seat, None)
        self._memories[seat] = _before(self._session.log.point, self._memories[seat])
        return telling

    def disproof(self, seat: int) -> Disproof | None:
        """Why a seat that told its closed pieces knows no more of them than everybody; None where that is not so."""
        own, game, point = self._told.get(seat), self._session.game, self._session.log.point
        memory = self._memories[seat]
        if not own or _known_point(game, point, own, seat, memory) is not None:
            return None
        while _number(point) not in own:
            if point.before is None:
                return None  # what was told was told of what is undone
            known = _known_point(game, point.before, own, seat, memory)
            if known is not None:
                told = tuple([piece.name for piece in game.closed_pieces(known.state, seat)])
                is_same_hand = len(told) == len(game.closed_pieces(point.state, seat))
                wrong = _impossible(game, point.state, seat, told) if is_same_hand else ()
                return Disproof(point.move, told, tuple([told[place] for place in wrong]))
            point = point.before
        return Disproof(None, own[_number(point)].names)

    def impossible(self, seat: int, names: Sequence[str]) -> tuple[int, ...]:
        """Which of the told pieces cannot be there, by their places in the list, where those before them are.

        None where a game does not take pieces one by one.
        """
        return _impossible(self._session.game, self._session.state, seat, names)

    def judge(self, action: Any, seat: int) -> Verdict:
        """The verdict on an action of a seat by what its owner knows."""
        log = self.known_to(Viewer(ViewerKind.SEAT, seat))
        return engine.judge(log.game, log.state, action, seat)

    def names_unseen(self, action: Any, seat: int) -> bool:
        """Whether an action of a seat that acts names a closed piece that nobody else has seen there.

        A name that is less than whole may mean one, too.
        """
        game, state = self._session.game, self._session.state
        if seat not in self._session.actors:
            return False
        pieces = game.closed_pieces(state, seat)
        seen = Counter(piece.name for piece in pieces if piece.is_known)
        is_some_unseen = any(not piece.is_known for piece in pieces)
        return is_some_unseen and bool(Counter(game.pieces_named(action)) - seen)

    def judge_latest(self, seat: int) -> Verdict | None:
        """The verdict on the latest action, whoever's, by what the owner of a seat knew before it.

        None where that is no more than everybody knew, or where the latest was no action.
        """
        own, game, log = self._told.get(seat), self._session.game, self._session.log
        move, before = log.point.move, log.point.before
        if not own or before is None or move is None or move.action is None or move.entry is not log.entries[-1]:
            return None
        known = _known_point(game, before, own, seat, self._memories[seat])
        if known is None:
            return None
        return engine.judge(game, known.state, game.parse_action(move.action, known.state))

    def own_actions(self, seat: int) -> tuple[Any, ...]:
        """The legal actions of a seat, as its owner names them; none where the table does not wait for it.

        Where several are waited for, an action that ends the part of one of them is that seat's alone.
        """
        log = self.known_to(Viewer(ViewerKind.SEAT, seat))
        if log.is_over or seat not in self._session.actors:
            return ()
        actors = self._session.actors
        own = log.game.own_actions(log.state)
        return tuple(each for each in own if engine.actor_of(log.game, log.state, each, actors) in (None, seat))
