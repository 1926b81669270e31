"""Simulated players of Aqua Romana: they lengthen their aqueducts and take care that these can go on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Self

from companion.engine import apply_unchecked, legal_actions
from companion.games.aqua_romana.actions import Build, Close, EndTurn, Fountain, Move, Place, Take
from companion.games.aqua_romana.drawings import DRAWINGS_OF, JOKER
from companion.games.aqua_romana.laying import own_facing
from companion.games.aqua_romana.sight import sees_a_builder
from companion.games.aqua_romana.state import CLOSED, OPEN, Aqueduct, State, front_of, podium_for
from companion.registry import load_game
from ui.simulated_table.players import Mistake

GAME = load_game("aqua_romana")
TEMPER = 0.4
"""points by which two choices may differ and still both be likely"""
SAMPLE = 60
"""actions that a player thinks about"""
ROOM = 12
"""free squares ahead beyond which a player does not look"""
HOPE = 0.45
"""points expected of a free square ahead of an aqueduct"""
SPITE = 0.3
"""what a point of another player is worth compared with one's own"""
WORTH_CLOSING = 6
"""the length from which a player closes an aqueduct that has little room"""


@dataclass(frozen=True, slots=True)
class Players:
    """Everything lies open: they see what the companion does."""

    @classmethod
    def seated(cls, state: State, random: Random) -> Self:
        """Players at this table."""
        return cls()

    def choose(self, state: State, random: Random) -> Any:
        """What promises the longest aqueducts."""
        decision = GAME.decide(state)
        seat = decision.actors[0] if decision else 1
        actions = legal_actions(GAME, state)
        if state.step == "close":
            return _closing(state, seat) or EndTurn()
        if state.step == "claim" and Take(JOKER) in actions:
            return Take(JOKER)

        def points(action: Any) -> float:
            return _outlook(apply_unchecked(GAME, state, action).state, seat) + random.gauss(0.0, TEMPER)

        return max(random.sample(actions, min(SAMPLE, len(actions))), key=points)

    def after(self, before: State, action: Any, state: State) -> Self:
        """The same players."""
        return self

    def mistakes(self, state: State) -> Iterator[Mistake]:
        """A tile by a builder out of sight, one that leads nowhere, a builder moved for nothing, one on another."""
        board, seat = state.board, state.active
        if state.step == "build":
            for aqueduct in state.own():
                front = front_of(board, state.tiles, aqueduct.end)
                if aqueduct.status != OPEN or front is None:
                    continue
                cell, seen = board.cell_of[front], board.sight[board.cell_of[aqueduct.end]]
                for space, builder in state.builders.items():
                    for tile in board.entered.get((front, builder), ()) if space not in seen else ():
                        yield Mistake(Build(tile, space), {f"tile {cell}": tile.partition(" ")[2]})
                for space in (space for space in seen if space in state.builders):
                    for drawing in DRAWINGS_OF.get(state.builders[space], ()):
                        if not own_facing(state, board.tiles[f"{cell} {drawing}"].channels):
                            yield Mistake(Build(f"{cell} {drawing}", space), {f"tile {cell}": drawing})
            if sees_a_builder(state):
                yield Mistake(Move(min(state.builders)))
        elif state.step == "close":
            others = [a for a in state.aqueducts.values() if a.seat != seat and a.status == OPEN]
            yield from (Mistake(Close(aqueduct.end)) for aqueduct in others[:1])
        elif state.step in ("setup", "place") and state.builders:
            builder = next(iter(state.held[seat - 1] or [kind for kind, left in state.unplaced.items() if left]))
            yield Mistake(Place(builder, max(state.builders)))
        elif state.step == "fountain":
            yield from (
                Mistake(Fountain(board.cell_of[front], DRAWINGS_OF[state.fountain][0])) for front in state.fronts
            )


def _closing(state: State, seat: int) -> Close | None:
    """The closing of an aqueduct that is long enough, has little room left and would get the podium of its length."""
    legal = {action.end for action in legal_actions(GAME, state) if isinstance(action, Close)}
    for aqueduct in sorted(state.own(), key=lambda aqueduct: -aqueduct.length):
        if aqueduct.end in legal and aqueduct.length >= WORTH_CLOSING:
            room, podium = _room(state, aqueduct), podium_for(state.podiums, aqueduct.length)
            if room * HOPE < 1.0 and podium == aqueduct.length:
                return Close(aqueduct.end)
    return None


def _outlook(state: State, seat: int) -> float:
    """The points that a seat may hope for, less some of those of the others."""
    hopes = dict.fromkeys(state.table.seats, 0.0)
    for podium, colours in state.podiums.items():
        for colour in colours:
            owner = next(each.seat for each in state.aqueducts.values() if each.colour == colour)
            hopes[owner] += podium
    for aqueduct in state.aqueducts.values():
        if aqueduct.status != CLOSED:
            room = _room(state, aqueduct) if aqueduct.status == OPEN else 0
            hopes[aqueduct.seat] += podium_for(state.podiums, aqueduct.length) + HOPE * room
    return hopes[seat] - SPITE * sum(hope for other, hope in hopes.items() if other != seat)


def _room(state: State, aqueduct: Aqueduct) -> int:
    """The free squares that can be reached from the end of an aqueduct, up to ROOM."""
    board, tiles = state.board, state.tiles
    front = front_of(board, tiles, aqueduct.end)
    reached = [] if front is None else [board.cell_of[front]]
    for cell in reached:
        for gate in board.gates[cell]:
            beyond = board.beyond.get(gate)
            near = board.cell_of[beyond] if beyond else ""
            if near in board.free and near not in tiles and near not in reached and len(reached) < ROOM:
                reached.append(near)
    return len(reached)
