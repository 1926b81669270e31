"""Cuts a sheet larger than the paper into pages that are glued together again.

Every page but the last of its row or column also prints a strip beyond the seam, over which the next page is glued. No
seam runs through a marker or a colour patch, because a slight misalignment there would cost the camera accuracy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from calibration.errors import PrintError
from companion.board.lattice import Point
from companion.board.layout import Board

Span = tuple[float, float]

OVERLAP = 5.0
"""Width (mm) printed twice, for glue."""
INNER_MARGIN = 5.0
"""White border (mm) next to a seam: printers cannot reach the paper's edge."""
OUTER_MARGIN = 2.0
"""The same at the sheet's own edges, whose first millimetres are white anyway."""
_CLEARANCE = 2.0
"""Distance (mm) of a seam from markers and patches."""
_STEP = 0.5
"""Spacing (mm) of possible seams."""


@dataclass(frozen=True, slots=True)
class PosterPage:
    """One page of a poster: the `part` of the sheet (mm) up to its seams, the position `origin` of that on the page.

    `printed` is the part with its strips for glue. `row` and `column` count from 0.
    """

    row: int
    column: int
    page: Point
    part: tuple[float, float, float, float]
    printed: tuple[float, float, float, float]
    origin: Point


def poster_pages(board: Board, paper: Point) -> tuple[PosterPage, ...]:
    """The pages of a board's sheet on upright paper of this size (mm), row by row; one page where it fits whole.

    Raises PrintError where every way to cut it runs through a marker.
    """
    width, height = board.size
    for page in (paper, (paper[1], paper[0])):
        if width <= page[0] + 1e-6 and height <= page[1] + 1e-6:
            whole = (0.0, 0.0, width, height)
            return (PosterPage(0, 0, page, whole, whole, ((page[0] - width) / 2, (page[1] - height) / 2)),)
    found = [tiles for page in (paper, (paper[1], paper[0])) if (tiles := _tiles(board, page))]
    if not found:
        raise PrintError(
            f"{board.id}: cannot be cut to pages of {paper[0]:g} x {paper[1]:g} mm without a seam through a marker; "
            "print it on larger paper, or move the markers"
        )
    return min(found, key=len)


def seams(length: float, page: float, forbidden: Sequence[Span], preferred: Sequence[Span] = ()) -> list[float] | None:
    """The cuts of a length (mm) into the fewest strips that fit on pages, as even as possible.

    No seam comes near a forbidden span; near a preferred one only where there is no other way. None: impossible.
    """
    first, inner = page - OUTER_MARGIN - INNER_MARGIN, page - 2 * INNER_MARGIN
    if inner <= OVERLAP:
        return None
    fewest = 2 + max(0, math.ceil((length - 2 * first + OVERLAP - 1e-9) / (inner - OVERLAP)))
    for count in (fewest, fewest + 1):
        for avoided in ([*forbidden, *preferred], forbidden):
            free = [x for x in _grid(length) if not any(a - _CLEARANCE < x < b + _CLEARANCE for a, b in avoided)]
            best = _best(free, length, count, first, inner)
            if best is not None:
                return best
    return None


def _tiles(board: Board, page: Point) -> tuple[PosterPage, ...]:
    cuts: list[list[float]] = []
    for axis in (0, 1):
        if board.size[axis] <= page[axis] - 2 * OUTER_MARGIN:
            cuts.append([])
            continue
        found = seams(board.size[axis], page[axis], _forbidden(board, axis), _preferred(board, axis))
        if found is None:
            return ()
        cuts.append(found)
    columns, rows = (list(zip([0.0, *cuts[axis]], [*cuts[axis], board.size[axis]], strict=True)) for axis in (0, 1))
    tiles = []
    for row, (top, bottom) in enumerate(rows):
        for column, (left, right) in enumerate(columns):
            past_right = OVERLAP if column + 1 < len(columns) else 0.0
            past_bottom = OVERLAP if row + 1 < len(rows) else 0.0
            printed = (left, top, right + past_right, bottom + past_bottom)
            origin = (INNER_MARGIN if column else OUTER_MARGIN, INNER_MARGIN if row else OUTER_MARGIN)
            tiles.append(PosterPage(row, column, page, (left, top, right, bottom), printed, origin))
    return tuple(tiles)


def _forbidden(board: Board, axis: int) -> list[Span]:
    reach = board.markers.side / 2 + board.markers.quiet_zone
    spans = [(centre[axis] - reach, centre[axis] + reach) for centre in board.markers.centres.values()]
    spans += [(patch.centre[axis] - patch.side / 2, patch.centre[axis] + patch.side / 2) for patch in board.patches]
    return spans


def _preferred(board: Board, axis: int) -> list[Span]:
    radius = board.slot_diameter / 2
    return [(place[axis] - radius, place[axis] + radius) for place in board.slots.values()]


def _grid(length: float) -> list[float]:
    return [_STEP * k for k in range(1, int(length / _STEP))]


def _best(free: Sequence[float], length: float, count: int, first: float, inner: float) -> list[float] | None:
    """Of all choices of `count` - 1 seams that fit, the one with the most even strips."""
    ways: dict[float, tuple[float, list[float]]] = {0.0: (0.0, [])}
    for index in range(1, count):
        room = (first if index == 1 else inner) - OVERLAP
        even = length * index / count
        reached: dict[float, tuple[float, list[float]]] = {}
        for start, (cost, chosen) in ways.items():
            for x in free:
                if start < x <= start + room + 1e-9:
                    total = cost + (x - even) ** 2
                    if x not in reached or total < reached[x][0]:
                        reached[x] = (total, [*chosen, x])
        ways = reached
    fits = [(cost, chosen) for start, (cost, chosen) in ways.items() if length - start <= first + 1e-9]
    return min(fits)[1] if fits else None
