"""What pieces stand on: tiles, others that cover their cells, cells printed as if a tile lay there."""

from __future__ import annotations

import numpy as np

from companion.registry import print_and_play_board
from vision.printed.evidence.classify import PieceLayer, Tables, planned_kinds

BOARD = print_and_play_board("aqua_romana")


def _carrying(laid: set[str]) -> set[str]:
    """The sites at which a worker may well stand while these tiles lie."""
    tiles, pieces = planned_kinds(BOARD)
    tables: Tables = {}
    for kind in tiles:
        taken = np.array([spot.name in laid for spot in kind.plan.spots], float)
        rest = np.zeros((len(taken), len(kind.piece.labels)))
        tables[kind.piece.name] = np.column_stack([1.0 - taken, taken, rest])
    (workers,) = (kind for kind in pieces if kind.piece.name == "worker")
    found = PieceLayer(BOARD, pieces, tiles).carried(tables)["worker"]
    return {spot.site for spot, carried in zip(workers.plan.spots, found, strict=True) if carried}


def test_the_printed_corners_carry_workers_and_the_bare_sheet_none() -> None:
    assert {site.split("/")[0] for site in _carrying(set())} == {"A1", "K1", "A8", "K8"}


def test_a_tile_carries_workers_at_all_its_sides() -> None:
    assert _carrying({"tile C4"}) - _carrying(set()) == {"C4/N", "C4/E", "C4/S", "C4/W"}


def test_a_reservoir_carries_workers_as_the_tiles_of_its_cells_would() -> None:
    assert _carrying({"reservoir reservoir/C8-D8"}) == _carrying({"tile C8", "tile D8"})
