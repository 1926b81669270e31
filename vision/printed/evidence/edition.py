"""Which pieces lie there in which edition of the print: these are read by its faces alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.board.layout import Board, Spot
from vision.printed.evidence.classify import SpotKind, Tables
from vision.printed.evidence.sample_evidence import Evidence
from vision.printed.pieces.profile import Profile
from vision.printed.sheet.canvas import Laid

_OWN = 3
"""How many pieces of the others one of the kind itself counts as much as: one set of pieces is of one edition."""
_DECIDED = 6
"""Lead from which a kind is of the first edition, and no face of the second is believed."""


@dataclass(frozen=True, slots=True)
class PieceEditions:
    """The kinds of pieces that show the `second` edition, and those that show the `first` though single pieces were
    taken for the second. Others may be of either.
    """

    second: frozenset[str]
    first: frozenset[str]

    @property
    def decided(self) -> frozenset[str]:
        """The kinds that are compared again with the faces of one edition."""
        return self.second | self.first


def editions_shown(
    profile: Profile, kinds: Iterable[SpotKind], laid: Mapping[str, Laid], tables: Tables, evidence: Evidence,
    standing: Sequence[Spot], board: Board,
) -> PieceEditions:  # fmt: skip
    """The editions of the kinds of pieces, judged by the pieces of the kind and by all others.

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
    leads = {name: whole + (_OWN - 1) * _lead(seen) for name, seen in shown.items()}
    return PieceEditions(
        frozenset(name for name, lead in leads.items() if lead > 0),
        frozenset(name for name, lead in leads.items() if lead <= -_DECIDED and any(shown[name])),
    )


def _lead(seen: Sequence[bool]) -> int:
    """By how many pieces the second edition leads."""
    return 2 * sum(seen) - len(seen)
