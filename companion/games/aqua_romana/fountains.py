"""The tile that a builder's way over a fountain demands: where it may lie, and of what kind it is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from companion.frozen import FrozenDict
from companion.games.aqua_romana.actions import Fountain
from companion.games.aqua_romana.drawings import DRAWINGS_OF, KIND_OF, KINDS
from companion.games.aqua_romana.laying import joins, not_free, used_up
from companion.games.aqua_romana.rulebook import RULES
from companion.games.aqua_romana.state import OPEN, Aqueduct, State
from companion.legality import Group, Violation

check = RULES.check


def free_cells(state: State) -> list[str]:
    """The squares for tiles on which none lies, row by row."""
    tiles = state.tiles
    return [cell for cell in state.board.squares if cell not in tiles]


@check("AR-TILE-1", Group.PLACE, Fountain, among=free_cells)
def lies_on_a_free_square(state: State, cell: str) -> Violation | None:
    return not_free(state, cell)


@check("AR-STOCK-1", Group.SUPPLY, Fountain)
def stock_holds_the_tile(state: State, drawing: str) -> Violation | None:
    return used_up(state, KIND_OF[drawing])


def bordered(state: State) -> dict[str, list[Aqueduct]]:
    """Cell -> the aqueducts whose ends a tile on it would border, as the rulings on squares and closed ends have it."""
    board, fronts, aqueducts = state.board, state.fronts, state.aqueducts
    found: dict[str, list[Aqueduct]] = {}
    if state.ruling("fountain_squares") == "ahead":
        for cell in {board.cell_of[front] for front in fronts}:
            found[cell] = [aqueducts[fronts[gate]] for gate in board.gates[cell] if gate in fronts]
    else:
        for aqueduct in aqueducts.values():
            around = [board.beyond[gate] for gate in board.gates[board.cell_of[aqueduct.end]] if gate in board.beyond]
            for gate in around:
                found.setdefault(board.cell_of[gate], []).append(aqueduct)
    if state.ruling("fountain_avoids_closed_ends") == "true":
        return found
    still_open = {cell: [each for each in near if each.status == OPEN] for cell, near in found.items()}
    return {cell: near for cell, near in still_open.items() if near}


def cells_off_the_ends(state: State) -> frozenset[str]:
    """The squares for tiles that border no such end."""
    return state.board.free.difference(bordered(state))


@check("AR-FOUNTAIN-3", Group.RULE, Fountain, among=cells_off_the_ends, in_time=True)
def keeps_off_the_ends(state: State, cell: str) -> Violation | None:
    near = bordered(state).get(cell, ())
    if not near:
        return None
    ends = tuple(aqueduct.end for aqueduct in near)
    all_closed = all(aqueduct.status != OPEN for aqueduct in near)
    beside = "beside" if state.ruling("fountain_squares") == "beside" else ""
    ruling = "fountain_avoids_closed_ends" if all_closed else "fountain_squares"
    return Violation("AR-FOUNTAIN-3", (cell, *ends), FrozenDict(cell=cell, end=ends[0]), wording=beside, ruling=ruling)


@check("AR-FOUNTAIN-4", Group.RULE, Fountain, in_time=True)
def tile_is_of_the_kind(state: State, drawing: str) -> Violation | None:
    if KIND_OF[drawing] == state.fountain or not state.stock.get(state.fountain):
        return None
    return Violation("AR-FOUNTAIN-4", facts=FrozenDict(kind=state.fountain))


@check("AR-JOIN-1", Group.RULE, Fountain)
def joins_no_aqueducts(state: State, cell: str, drawing: str) -> Violation | None:
    if state.fronts.keys().isdisjoint(state.board.gates.get(cell, ())):
        return None
    return joins(state, state.board.tiles[f"{cell} {drawing}"])


def kinds_demanded(state: State) -> tuple[str, ...]:
    """The kinds the tile may have: the one demanded, or any that is left once that is used up."""
    if state.stock.get(state.fountain):
        return (state.fountain,)
    if state.ruling("fountain_kind_used_up") == "none":
        return ()
    return tuple(kind for kind in KINDS if state.stock[kind])


def drawings_demanded(state: State) -> list[str]:
    """The drawings of these kinds."""
    return [drawing for kind in kinds_demanded(state) for drawing in DRAWINGS_OF[kind]]


def tiles_to_lay(state: State) -> Iterator[tuple[str, str]]:
    """The squares and drawings of the tiles that may be laid, square by square.

    Only a tile that two aqueducts would enter can join them.
    """
    allowed, entered = cells_off_the_ends(state), [state.board.cell_of[front] for front in state.fronts]
    crowded = {cell for cell in entered if entered.count(cell) > 1}
    tiles = product([cell for cell in free_cells(state) if cell in allowed], drawings_demanded(state))
    if crowded.isdisjoint(allowed):
        return tiles
    return (tile for tile in tiles if tile[0] not in crowded or joins_no_aqueducts(state, *tile) is None)


def can_lay_fountain_tile(state: State) -> bool:
    """Whether the tile can be laid anywhere."""
    return next(tiles_to_lay(state), None) is not None
