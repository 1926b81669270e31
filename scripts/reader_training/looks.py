"""Fuller and emptier boards than games make, so that networks see every piece everywhere, and every place bare."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from random import Random

import numpy as np

from companion.board.layout import Board, Spot
from vision.printed.pieces.patches import depth_inside

SHARES = (0.04, 0.12, 0.3)
"""Of the free places of a kind so many are filled, chosen anew for each kind and table."""
BARE, MISSING = 0.1, 0.4
"""The share of tables on which nothing lies, and of the pieces on the sheet itself that are missing on others."""
_ON_CARRIER = -1.0
"""Least distance (mm) of a piece's middle to the rim of what it stands on."""


def fuller(board: Board, look: Mapping[str, str], kinds: Collection[str], seed: int) -> dict[str, str]:
    """The look with pieces of some kinds added, each on what carries it and apart from the others; not always legal."""
    random = Random(seed)
    result = dict(look)
    for name in kinds:
        piece, share = board.pieces[name], random.choice(SHARES)
        carriers = [board.spots[spot] for spot in result if board.spots[spot].piece == piece.raised_by]
        bare = {
            board.spots[spot].site
            for spot, label in result.items()
            if label in board.pieces[board.spots[spot].piece].bare
        }
        tiles = {board.spots[spot].site for spot in result if not board.pieces[board.spots[spot].piece].raised_by}
        free = [spot for spot in board.spots.values() if spot.piece == name and spot.name not in result]
        for spot in random.sample(free, len(free)):
            if random.random() > share or spot.site in bare:
                continue
            if piece.raised_by and (not _carried(spot, carriers) or (piece.lies_on == "edge" and spot.site in tiles)):
                continue
            if not any(_collide(board, spot, board.spots[other]) for other in result):
                result[spot.name] = random.choice(piece.labels)
    return result


def thinner(board: Board, look: Mapping[str, str], kinds: Collection[str], seed: int) -> dict[str, str]:
    """The look without some of the pieces of these kinds that lie on the sheet itself, so that what is printed beneath
    them is seen, too; now and then nothing lies there at all.
    """
    random = Random(seed)
    if random.random() < BARE:
        return {}
    on_sheet = {name for name in kinds if not board.pieces[name].raised_by}
    return {
        spot: label
        for spot, label in look.items()
        if board.spots[spot].piece not in on_sheet or random.random() > MISSING
    }


def _carried(spot: Spot, carriers: Collection[Spot]) -> bool:
    middle = np.array([spot.centre])
    return any(depth_inside(middle, np.array(carrier.outline))[0] > _ON_CARRIER for carrier in carriers)


def _collide(board: Board, one: Spot, other: Spot) -> bool:
    """Whether two pieces of the same height would stand in one another."""
    if bool(board.pieces[one.piece].raised_by) != bool(board.pieces[other.piece].raised_by):
        return False
    if board.pieces[one.piece].raised_by == other.piece or one.base >= other.base + other.height:
        return False
    apart = np.linalg.norm(np.array(one.centre) - np.array(other.centre))
    reach = min(depth_inside(np.array([each.centre]), np.array(each.outline))[0] for each in (one, other))
    return bool(apart < 2.0 * reach + 1.0) or _inside(one, other) or _inside(other, one)


def _inside(one: Spot, other: Spot) -> bool:
    return bool(depth_inside(np.array([one.centre]), np.array(other.outline))[0] > 0)
