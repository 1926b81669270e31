"""Where a tile may be laid ahead of a worker, and what holds for tiles anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.frozen import FrozenDict
from companion.games.aqua_romana.actions import Build
from companion.games.aqua_romana.drawings import JOKER
from companion.games.aqua_romana.geometry import Tile
from companion.games.aqua_romana.rulebook import RULES
from companion.games.aqua_romana.sight import given_kinds, seen_from
from companion.games.aqua_romana.state import OPEN, Aqueduct, State, traced
from companion.legality import Group, Violation

check = RULES.check


def is_free(state: State, cell: str) -> bool:
    """Whether a cell is a square for tiles on which none lies."""
    return cell in state.board.free and cell not in state.tiles


def not_free(state: State, cell: str) -> Violation | None:
    if cell in state.board.free and cell not in state.tiles:
        return None
    what = "holds a tile" if cell in state.board.free else "is no square for tiles"
    return Violation("AR-TILE-1", sites=(cell,), facts=FrozenDict(cell=cell, what=what))


def used_up(state: State, kind: str) -> Violation | None:
    return None if state.stock[kind] else Violation("AR-STOCK-1", facts=FrozenDict(kind=kind))


def joins(state: State, tile: Tile) -> Violation | None:
    fronts = state.fronts
    if len([gate for gate in tile.channels if gate in fronts]) < 2:
        return None
    for first, second in joined(state, tile):
        if first.colour != second.colour or state.ruling("own_reservoir") == "forbidden":
            facts = FrozenDict(tile=f"{tile.cell} {tile.drawing}", first=first.end, second=second.end)
            ruling = "own_reservoir" if first.colour == second.colour else ""
            return Violation("AR-JOIN-1", sites=(tile.cell, first.end, second.end), facts=facts, ruling=ruling)
    return None


def joined(state: State, tile: Tile) -> Iterator[tuple[Aqueduct, Aqueduct]]:
    """The aqueducts that a tile on a free square would join into one, directly or through adjoining loose tiles."""
    board, fronts, aqueducts = state.board, state.fronts, state.aqueducts
    for gate in tile.channels:
        entry = gate if gate in fronts else ""
        while entry in tile.channels:
            way_out = tile.channels[entry]
            if way_out in fronts:
                yield aqueducts[fronts[gate]], aqueducts[fronts[way_out]]
                break
            entry = board.beyond.get(traced(board, state.tiles, way_out)[0], "")


@check("AR-TILE-1", Group.PLACE, Build)
def lies_on_a_free_square(state: State, tile: str) -> Violation | None:
    return not_free(state, tile.partition(" ")[0])


def own_fronts(state: State) -> dict[str, str]:
    """The gates of free squares into which the active player's open aqueducts would flow next -> their ends."""
    beyond, fronts, aqueducts = state.board.beyond, state.fronts, state.aqueducts
    return {
        beyond[aqueduct.end]: aqueduct.end
        for outlet in state.board.outlets[state.active]
        if (aqueduct := aqueducts[outlet.gate]).status == OPEN and beyond.get(aqueduct.end) in fronts
    }


def tiles_ahead(state: State) -> frozenset[str]:
    """All tiles that lie ahead of a worker of the active player."""
    board = state.board
    return frozenset().union(*(board.tiles_on[board.cell_of[front]] for front in own_fronts(state)))


@check("AR-TILE-2", Group.PLACE, Build, among=tiles_ahead)
def lies_ahead_of_ones_worker(state: State, tile: str) -> Violation | None:
    cell = tile.partition(" ")[0]
    return Violation("AR-TILE-2", sites=(cell,), facts=FrozenDict(cell=cell)) if is_free(state, cell) else None


@check("AR-STOCK-1", Group.SUPPLY, Build)
def stock_holds_the_tile(state: State, tile: str) -> Violation | None:
    laid = state.board.tiles.get(tile)
    return used_up(state, laid.kind) if laid else None


def tiles_continuing(state: State) -> frozenset[str]:
    """All tiles that continue an aqueduct of the active player."""
    return frozenset().union(*(state.board.entering[front] for front in own_fronts(state)))


@check("AR-TILE-3", Group.RULE, Build, among=tiles_continuing)
def continues_the_aqueduct(state: State, tile: str) -> Violation | None:
    laid = state.board.tiles.get(tile)
    if laid is None:
        return None
    ends = own_facing(state, state.board.gates[laid.cell])
    return Violation("AR-TILE-3", sites=tuple(ends), facts=FrozenDict(tile=tile)) if ends else None


@check("AR-SIGHT-2", Group.RULE, Build)
def worker_sees_the_builder(state: State, tile: str, space: int) -> Violation | None:
    laid, board = state.board.tiles.get(tile), state.board
    if space not in state.builders:
        return None
    ends = own_facing(state, laid.channels) if laid else []
    for end in ends:
        if space in board.sight[board.cell_of[end]]:
            return None
    if not ends:
        return None
    return Violation("AR-SIGHT-2", sites=(*ends, f"path/{space}"), facts=FrozenDict(space=space))


@check("AR-KIND-1", Group.RULE, Build)
def builder_gives_the_kind(state: State, tile: str, space: int) -> Violation | None:
    laid, builder = state.board.tiles.get(tile), state.builders.get(space, JOKER)
    if laid is None or builder in (laid.kind, JOKER) or not state.stock[builder]:
        return None
    facts = FrozenDict[str, str | int](builder=builder, space=space, left=state.stock[builder])
    return Violation("AR-KIND-1", sites=(f"path/{space}",), facts=facts)


@check("AR-JOIN-1", Group.RULE, Build)
def joins_no_aqueducts(state: State, tile: str) -> Violation | None:
    laid = state.board.tiles.get(tile)
    return joins(state, laid) if laid else None


def own_facing(state: State, gates: Iterable[str]) -> list[str]:
    """The ends of the active player's open aqueducts that would flow in by one of these gates of a free square."""
    fronts, active, found = state.fronts, state.active, []
    for gate in gates:
        if gate in fronts:
            aqueduct = state.aqueducts[fronts[gate]]
            if aqueduct.seat == active and aqueduct.status == OPEN:
                found.append(aqueduct.end)
    return found


def tiles_in_sight(state: State) -> Iterator[tuple[str, int]]:
    """The tiles that can be laid ahead of the active player's workers, each with the space of a builder that gives it.

    A pair comes twice where it would serve two workers. Only a tile that two aqueducts would enter can join them.
    """
    board, builders, fronts = state.board, state.builders, state.fronts
    for front, end in own_fronts(state).items():
        crowded = len([gate for gate in board.gates[board.cell_of[front]] if gate in fronts]) > 1
        for space in seen_from(state, end):
            for kind in given_kinds(state, builders[space]):
                tiles: Iterable[str] = board.entered[front, kind]
                if crowded:
                    tiles = [tile for tile in tiles if joins_no_aqueducts(state, tile) is None]
                for tile in tiles:
                    yield tile, space


def can_build(state: State) -> str:
    """A tile that the active player can lay by a builder that a worker sees; "" if there is none."""
    for tile, _ in tiles_in_sight(state):
        return tile
    return ""
