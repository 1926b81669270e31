"""The parts of an Aqua Romana board definition that the rules depend on: field, reservoirs and podiums, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.board.grid import SquareGrid
from companion.board.layout import Board
from companion.errors import InvalidDocument
from companion.games.aqua_romana.drawings import JOKER, KINDS, OPPOSITE

COLOURS = ("red", "blue", "yellow", "green")
PARTNER = {"red": "green", "green": "red", "blue": "yellow", "yellow": "blue"}
"""colour -> the other colour of the same player in a game of two"""
HIGHEST_PODIUM = 20
SHARED_PODIUMS = (3, 7)
"""podiums with room for two workers"""


@dataclass(frozen=True, slots=True)
class Outlet:
    """Where an aqueduct begins: a gate of a reservoir, and the reservoir's colour."""

    gate: str
    colour: str


@dataclass(frozen=True, slots=True)
class Reservoir:
    """A reservoir on the board: its site, its two cells and its outlets."""

    site: str
    cells: tuple[str, str]
    outlets: tuple[str, ...]


def podium_places(podium: int) -> tuple[str, ...]:
    """The names of the places on a podium."""
    return (str(podium), f"{podium}b") if podium in SHARED_PODIUMS else (str(podium),)


def check_field(board: Board) -> SquareGrid:
    """The field of a board that has all that Aqua Romana needs.

    Raises InvalidDocument.
    """
    grid = board.grid
    if grid is None or grid.columns < 3 or grid.rows < 3:
        raise InvalidDocument(board.id, "grid", "of at least 3 x 3 cells is needed for Aqua Romana")
    if set(board.palette) != set(COLOURS):
        raise InvalidDocument(board.id, "palette", f"must be {', '.join(COLOURS)} in any order")
    for group in ("path", "podium", "reserve", "reservoir"):
        if group not in board.groups:
            raise InvalidDocument(board.id, "group", f"{group} is missing; Aqua Romana needs it")
    corners = {cell for cell, around in grid.neighbours.items() if len(around) == 2}
    if set(board.features.get("curve", {}).values()) != corners:
        raise InvalidDocument(board.id, "feature.curve", f"must be the field's corners {', '.join(sorted(corners))}")
    podiums = {place for podium in range(1, HIGHEST_PODIUM + 1) for place in podium_places(podium)}
    if set(board.groups["podium"].places) != podiums:
        raise InvalidDocument(board.id, "group.podium.place", "must name 1 to 20, and 3b and 7b beside 3 and 7")
    if set(board.groups["reserve"].places) != {*KINDS, JOKER}:
        raise InvalidDocument(board.id, "group.reserve.place", f"must name {', '.join((*KINDS, JOKER))}")
    return grid


def colours_of(colours: tuple[str, ...], seat: int) -> tuple[str, ...]:
    """The colours a seat plays: its own, and with two players its partner colour."""
    own = colours[seat - 1]
    return (own, PARTNER[own]) if len(colours) == 2 else (own,)


def reservoirs_at(board: Board, grid: SquareGrid, colours: tuple[str, ...]) -> dict[str, Reservoir]:
    """Colour -> its reservoir, for players of these colours.

    Raises InvalidDocument.
    """
    count = len(colours)
    if count == 2 and PARTNER[colours[0]] == colours[1]:
        reason = f"cannot be {colours[0]} and {colours[1]}: with two players one person plays both these colours"
        raise InvalidDocument("players", "colour", reason)
    kind = f"reservoir_{count}"
    places = dict(board.features.get(kind, {}))
    played = [colour for seat in range(1, count + 1) for colour in colours_of(colours, seat)]
    if len(places) != len(played):
        raise InvalidDocument(board.id, f"feature.{kind}", f"must name {len(played)} reservoirs, not {len(places)}")
    spare = [colour for colour in places if colour not in played]
    named = {colour: colour if colour in places else spare.pop(0) for colour in played}
    found = {colour: _reservoir(board, grid, kind, name, places[name]) for colour, name in named.items()}
    covered: list[str] = [*board.features["curve"].values()]
    for colour, reservoir in found.items():
        for cell in reservoir.cells:
            if cell in covered:
                raise InvalidDocument(board.id, f"feature.{kind}.{named[colour]}", f"covers {cell}, which is taken")
            covered.append(cell)
    return found


def _reservoir(board: Board, grid: SquareGrid, kind: str, name: str, site: str) -> Reservoir:
    entry = f"feature.{kind}.{name}"
    first, _, second = site.rpartition("/")[2].partition("-")
    if not site.startswith("reservoir/") or first not in grid.cells or second not in grid.cells:
        raise InvalidDocument(board.id, entry, "must be a place of the group 'reservoir', named after its two cells")
    along = next((side for side, near in grid.neighbours[first].items() if near == second), "")
    outward = [side for side in OPPOSITE if side not in grid.neighbours[first] and side not in grid.neighbours[second]]
    if not along or len(outward) != 1 or outward[0] in (along, OPPOSITE[along]):
        raise InvalidDocument(board.id, entry, f"{first} and {second} are not side by side along one edge of the field")
    front = OPPOSITE[outward[0]]
    ends = {f"{first}/{OPPOSITE[along]}", f"{second}/{along}"}
    if not kind.endswith("_3"):
        ends = _third_outlet(board, grid, kind, name, ends)
    outlets = (f"{first}/{front}", f"{second}/{front}", *sorted(ends))
    for gate in outlets:
        cell, _, side = gate.partition("/")
        if side not in grid.neighbours[cell]:
            raise InvalidDocument(board.id, entry, f"has an outlet at {gate}, which opens over the field's edge")
    return Reservoir(site, (first, second), outlets)


def _third_outlet(board: Board, grid: SquareGrid, kind: str, name: str, ends: set[str]) -> set[str]:
    outlets: Mapping[str, str] = board.features.get(kind.replace("reservoir", "outlet"), {})
    chosen = set()
    for gate in ends:
        cell, _, side = gate.partition("/")
        if grid.neighbours[cell].get(side) == outlets.get(name, ""):
            chosen.add(gate)
    if not chosen:
        entry = f"feature.{kind.replace('reservoir', 'outlet')}.{name}"
        raise InvalidDocument(board.id, entry, "must be the cell beside one end of the reservoir, into which it opens")
    return chosen


def outlets_at(
    grid: SquareGrid, reservoirs: Mapping[str, Reservoir], colours: tuple[str, ...]
) -> dict[int, tuple[Outlet, ...]]:
    """Seat -> its outlets.

    Raises InvalidDocument where one opens into another reservoir.
    """
    covered = {cell for reservoir in reservoirs.values() for cell in reservoir.cells}
    for reservoir in reservoirs.values():
        for gate in reservoir.outlets:
            cell, _, side = gate.partition("/")
            if grid.neighbours[cell][side] in covered:
                raise InvalidDocument("reservoirs", gate, "opens into a reservoir; no aqueduct could begin there")
    return {
        seat: tuple(Outlet(gate, colour) for colour in colours_of(colours, seat) for gate in reservoirs[colour].outlets)
        for seat in range(1, len(colours) + 1)
    }
