"""Which pieces lie there in the second edition of the print: these are read by its faces alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.board.layout import Board, Spot
from vision.printed.evidence.classify import Kind, Tables
from vision.printed.evidence.sample_evidence import Evidence
from vision.printed.pieces.profile import Profile
from vision.printed.sheet.canvas import Laid


def in_second_edition(
    profile: Profile, kinds: Iterable[Kind], laid: Mapping[str, Laid], tables: Tables, evidence: Evidence,
    standing: Sequence[Spot], board: Board,
) -> frozenset[str]:  # fmt: skip
    """The kinds of pieces that show the second edition, judged by the pieces of the kind and by all as much: one set of
    pieces is of one edition.

    `laid` are the tiles, `standing` the spots of the pieces of `kinds` that explain the picture, with their
    probabilities and evidence.
    """
    shown: dict[str, list[bool]] = {piece: [] for piece, _ in profile.second}
    names = {spot.name for spot in standing}
    for name, tile in laid.items():
        if board.spots[name].piece in shown:
            shown[board.spots[name].piece].append(tile.placement.second)
    for kind in (kind for kind in kinds if kind.piece.name in shown):
        gains, best = evidence.gains[kind.piece.name], tables[kind.piece.name][:, 1:-1].argmax(axis=1)
        for row in (k for k, spot in enumerate(kind.plan.spots) if spot.name in names):
            placement = kind.looks.placements[gains.placements[row, best[row]]]
            shown[kind.piece.name].append(placement.second and not gains.painted[row, best[row]])
    whole = _lead([each for seen in shown.values() for each in seen])
    return frozenset(name for name, seen in shown.items() if _lead(seen) + whole > 0)


def _lead(seen: Sequence[bool]) -> float:
    """From -1 where none is true to 1 where all are."""
    return (2 * sum(seen) - len(seen)) / max(1, len(seen))
