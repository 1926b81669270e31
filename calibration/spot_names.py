"""Spots as people write them: one, a range, a whole route or area."""

from __future__ import annotations

from collections.abc import Sequence

from companion.board.layout import Board, Spot

EVERY = "*"
"""every site that begins so: `route/*`, `route/7-*`; alone every spot of the board or of a kind of piece"""
RANGE = ":"
"""between the first and the last of a range: `A1:C4` is a rectangle of cells, `route/2:5` follow one another"""


class UnknownSpots(ValueError):
    """Words that name no spot, or no single kind of piece; one line, without the words themselves."""


def spots_named(text: str, board: Board) -> tuple[str, ...]:
    """The spots of a board that a text names: a spot, a site, or several of one kind of piece.

    Raises UnknownSpots.
    """
    if text in board.spots:
        return (text,)
    kind, _, rest = text.partition(" ")
    if kind in board.pieces and rest:
        spots, words = [spot for spot in board.spots.values() if spot.piece == kind], rest
    else:
        spots, words = list(board.spots.values()), text
    found = _matching(words.strip(), spots, board)
    if not found:
        raise UnknownSpots("is no spot of this board")
    is_one_site = len({spot.site for spot in found}) == 1
    if is_one_site and len(found) > 1:
        raise UnknownSpots("is the site of several spots; name the piece too")
    if len({spot.piece for spot in found}) > 1:
        raise UnknownSpots("names spots of several kinds of pieces; write the piece before it")
    return tuple(spot.name for spot in found)


def _matching(words: str, spots: Sequence[Spot], board: Board) -> list[Spot]:
    if words.endswith(EVERY):
        return [spot for spot in spots if spot.site.startswith(words.removesuffix(EVERY))]
    prefix, slash, _ = words.partition(RANGE)[0].rpartition("/")
    first, colon, last = words.partition(RANGE)
    if not colon:
        site = _site(words, board)
        return [spot for spot in spots if spot.site == site]
    if slash and not last.startswith(f"{prefix}/"):
        return _between(first, f"{prefix}/{last}" if "/" not in last else last, spots)
    return _rectangle(first, last, spots, board) if board.grid is not None else _between(first, last, spots)


def _site(text: str, board: Board) -> str:
    return (board.grid.canonical(text) if board.grid is not None else None) or text


def _rectangle(first: str, last: str, spots: Sequence[Spot], board: Board) -> list[Spot]:
    """The spots whose cells lie in the rectangle between two cells."""
    assert board.grid is not None
    cells = board.grid.cells
    one, other = _site(first, board), _site(last, board)
    if one not in cells or other not in cells:
        return _between(first, last, spots)
    (left, right), (top, low) = (sorted(pair) for pair in zip(cells[one], cells[other], strict=True))
    return [
        spot
        for spot in spots
        if spot.site in cells and left <= cells[spot.site][0] <= right and top <= cells[spot.site][1] <= low
    ]


def _between(first: str, last: str, spots: Sequence[Spot]) -> list[Spot]:
    """The spots from one site to another, in the order of the board file."""
    sites = list(dict.fromkeys(spot.site for spot in spots))
    if first not in sites or last not in sites:
        return []
    start, end = sorted((sites.index(first), sites.index(last)))
    between = set(sites[start : end + 1])
    return [spot for spot in spots if spot.site in between]
