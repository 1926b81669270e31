"""What the rules need to know of a Capitol board, worked out once a board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.board.layout import Board
from companion.board.once import once_a_board
from companion.errors import InvalidDocument

COLOURS = ("white", "black", "red")
AREAS_PER_COLOUR = 3
FEWEST_SQUARES = 48
"""free small squares a board needs to hold all buildings and fountains of the box"""
SMALL, LARGE = "small square", "large square"


@dataclass(frozen=True)
class Geometry:
    """Squares are named by their area and number, the large one by its area and L."""

    areas: tuple[str, ...]
    colour: Mapping[str, str]
    """area -> its colour"""
    of_colour: Mapping[str, tuple[str, ...]]
    """colour -> its areas"""
    area_of: Mapping[str, str]
    """square, small or large -> its area"""
    small: Mapping[str, tuple[str, ...]]
    """area -> its small squares"""
    large: Mapping[str, str]
    """area -> its large square"""
    buildable: Mapping[str, tuple[str, ...]]
    """area -> its small squares without a printed fountain"""
    fountains: frozenset[str]
    """the squares on which a fountain is printed"""
    large_squares: frozenset[str]
    square_names: Mapping[str, str]
    """square in lower case -> square"""


@once_a_board
def geometry(board: Board) -> Geometry:
    """The geometry of a board, checked.

    Raises InvalidDocument where Capitol cannot be played on it.
    """
    small = {group.prefix: tuple(group.sites) for group in board.groups.values() if group.kind == SMALL}
    large = {group.prefix: tuple(group.sites) for group in board.groups.values() if group.kind == LARGE}
    for area, squares in small.items():
        if len(large.get(area, ())) != 1:
            raise InvalidDocument(board.id, f"group.{area}", "must have exactly one large square")
        if not squares:
            raise InvalidDocument(board.id, f"group.{area}", "needs at least one small square")
    for area in large:
        if area not in small:
            raise InvalidDocument(board.id, f"group.{area}", "has a large square, but no small one")
    area_of = {square: area for squares in (small, large) for area in squares for square in squares[area]}
    of_colour = _areas_by_colour(board, {square: area for area, (square,) in large.items()})
    printed = frozenset(board.features.get("fountain", {}).values())
    for name, square in board.features.get("fountain", {}).items():
        if square not in area_of or (square,) in large.values():
            raise InvalidDocument(board.id, f"feature.fountain.{name}", f"{square} is no small square of an area")
    _check_room(board, small, printed)
    return Geometry(
        areas=tuple(small),
        colour={area: colour for colour, areas in of_colour.items() for area in areas},
        of_colour=of_colour,
        area_of=area_of,
        small=small,
        large={area: square for area, (square,) in large.items()},
        buildable={area: tuple(s for s in squares if s not in printed) for area, squares in small.items()},
        fountains=printed,
        large_squares=frozenset(square for (square,) in large.values()),
        square_names={square.lower(): square for square in area_of},
    )


def _areas_by_colour(board: Board, area_of_large: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    areas: dict[str, list[str]] = {colour: [] for colour in COLOURS}
    coloured: dict[str, str] = {}
    for colour in COLOURS:
        for name, square in board.features.get(colour, {}).items():
            area = area_of_large.get(square)
            if area is None:
                raise InvalidDocument(board.id, f"feature.{colour}.{name}", f"{square} is no large square of an area")
            if area in coloured:
                raise InvalidDocument(board.id, f"feature.{colour}.{name}", f"{area} is {coloured[area]} already")
            coloured[area] = colour
            areas[colour].append(area)
        if len(areas[colour]) != AREAS_PER_COLOUR:
            reason = f"must name {AREAS_PER_COLOUR} areas, not {len(areas[colour])}"
            raise InvalidDocument(board.id, f"feature.{colour}", reason)
    for area in area_of_large.values():
        if area not in coloured:
            raise InvalidDocument(board.id, f"group.{area}", f"has no colour; it must be one of {', '.join(COLOURS)}")
    return {colour: tuple(found) for colour, found in areas.items()}


def _check_room(board: Board, small: Mapping[str, tuple[str, ...]], printed: frozenset[str]) -> None:
    for piece in ("floor", "dome", "gable", "fountain", "monument"):
        if piece not in board.pieces:
            raise InvalidDocument(board.id, f"piece.{piece}", "is missing; Capitol needs it")
    free = [sum(square not in printed for square in squares) for squares in small.values()]
    if sum(free) < FEWEST_SQUARES:
        reason = f"leave {sum(free)} small squares without fountain; there must be room for {FEWEST_SQUARES} pieces"
        raise InvalidDocument(board.id, "group", reason)
    # Each building of an area may be one floor taller than the last.
    known = board.pieces["floor"].labels
    missing = [str(height) for height in range(1, max(free) + 1) if str(height) not in known]
    if missing:
        raise InvalidDocument(board.id, "piece.floor.labels", f"lack {missing[0]}: an area can have buildings so tall")
