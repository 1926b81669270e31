"""What lies on every spot, from the evidence of its samples: tiles that cover the sheet, then pieces on top of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import EMPTY, Board, Piece, Spot
from vision.appearance import Appearance, expected_appearance
from vision.canvas import Laid
from vision.likelihood import Cover, Gains, cover_marginals, cover_of, posterior, softmax
from vision.patches import PatchPlan, plan_patches
from vision.profile import Profile

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Posteriors = dict[str, Mapping[str, float]]

_TILE_PRIOR = -2.0
_PIECE_PRIOR, _FLOATING_PRIOR = -1.0, -8.0
"""Log odds that a spot is taken before anything is seen; the last where the tile is missing that a piece stands on."""
_REACH = 2.5
"""How far (mm) from a tile's rim pieces on it may be centred."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of piece, ready to be looked for."""

    piece: Piece
    plan: PatchPlan
    looks: Appearance


def kinds_of(board: Board, profile: Profile) -> tuple[tuple[Kind, ...], tuple[Kind, ...]]:
    """The kinds of tiles that lie on the sheet itself, and of pieces that stand on others; gatherings are neither."""
    kinds = []
    for piece in board.pieces.values():
        if piece.lies_on == "slot":
            continue
        plan = plan_patches(board, piece)
        if plan.spots:
            kinds.append(Kind(piece, plan, expected_appearance(profile, piece, plan)))
    return tuple(k for k in kinds if not k.piece.raised_by), tuple(k for k in kinds if k.piece.raised_by)


class TileLayer:
    """The tiles that lie on the sheet: no two on the same cell."""

    def __init__(self, board: Board, kinds: tuple[Kind, ...]) -> None:
        self._kinds = kinds
        self._spots = [spot for kind in kinds for spot in kind.plan.spots]
        self._cover: Cover = cover_of([_cells(board, spot) for spot in self._spots])

    def read(self, gains: Mapping[str, Gains], weights: Mapping[str, Floats]) -> tuple[Posteriors, dict[str, Laid]]:
        """Posteriors of all tile spots, and the tiles that lie there in all likelihood.

        `gains` are against the bare sheet; `weights` (spots, points) are those of the samples that are not hidden.
        """
        found = [gains[kind.piece.name].weighed(weights[kind.piece.name]) for kind in self._kinds]
        own = [np.logaddexp.reduce(nats, axis=1) - np.log(nats.shape[1]) for nats in found]
        odds = cover_marginals(self._cover, np.concatenate(own) + _TILE_PRIOR)
        taken = 1.0 / (1.0 + np.exp(-np.clip(odds, -60, 60)))
        result: Posteriors = {}
        laid: dict[str, Laid] = {}
        start = 0
        for kind, nats in zip(self._kinds, found, strict=True):
            labels, placements = kind.looks.labels, gains[kind.piece.name].placements
            shares = softmax(nats) * taken[start : start + len(nats), None]
            for k, spot in enumerate(kind.plan.spots):
                result[spot.name] = posterior((EMPTY, *labels), [1.0 - taken[start + k], *shares[k]])
                if taken[start + k] > 0.5:
                    best = int(shares[k].argmax())
                    laid[spot.name] = Laid(labels[best], kind.looks.placements[placements[k, best]])
            start += len(shares)
        return result, laid


class PieceLayer:
    """The pieces on top of tiles. At one site stand rivals, of which one at most is there, or one that raises another."""

    def __init__(self, board: Board, kinds: tuple[Kind, ...]) -> None:
        self._kinds = {kind.piece.name: kind for kind in kinds}
        sites = sorted({spot.site for kind in kinds for spot in kind.plan.spots})
        number = {site: k for k, site in enumerate(sites)}
        self._site_count = len(sites)
        self._rows = {
            kind.piece.name: np.array([number[spot.site] for spot in kind.plan.spots], np.intp) for kind in kinds
        }
        self.riders = {kind.piece.name: kind.piece.raised_by for kind in kinds if kind.piece.raised_by in self._kinds}
        """A piece that stands on another of this layer -> that other."""
        self._supports = {
            name: _supports(board, kind.piece.raised_by, np.array([spot.centre for spot in kind.plan.spots]))
            for name, kind in self._kinds.items()
            if name not in self.riders
        }

    def read(
        self,
        gains: Mapping[str, Gains],
        weights: Mapping[str, Floats],
        gains_around: Mapping[str, Gains],
        weights_around: Mapping[str, Floats],
        tiles: Posteriors,
    ) -> Posteriors:
        """Posteriors of all spots of the layer.

        `gains` are against the tiles, `weights` (spots, points) those of the samples that are not hidden; the same
        `_around` for carriers whose middle is hidden by a rider; `tiles` are the posteriors of the tiles' spots.
        """
        prior = {name: self._prior(name, tiles) for name in self._supports}
        bare = {name: gains[name].weighed(weights[name]) for name in self._kinds}
        options: list[tuple[dict[str, int], Doubles]] = [({}, np.zeros(self._site_count))]
        for name in self._supports:
            count = bare[name].shape[1]
            options.extend(
                ({name: k}, self._at_sites(name, bare[name][:, k] + prior[name] - np.log(count))) for k in range(count)
            )
        for rider, carrier in self.riders.items():
            carried = gains_around[carrier].weighed(weights_around[carrier]) + prior[carrier][:, None]
            count = carried.shape[1] * bare[rider].shape[1]
            options.extend(
                (
                    {carrier: k, rider: j},
                    self._at_sites(carrier, carried[:, k]) + self._at_sites(rider, bare[rider][:, j]) - np.log(count),
                )
                for k in range(carried.shape[1])
                for j in range(bare[rider].shape[1])
            )
        shares = softmax(np.stack([score for _, score in options], axis=1))
        result: Posteriors = {}
        for name, kind in self._kinds.items():
            at = shares[self._rows[name]]
            columns = [
                at[:, [c for c, (chosen, _) in enumerate(options) if chosen.get(name) == k]].sum(axis=1)
                for k in range(len(kind.looks.labels))
            ]
            table = np.stack([1.0 - sum(columns), *columns], axis=1)
            for spot, row in zip(kind.plan.spots, np.maximum(table, 0.0), strict=True):
                result[spot.name] = posterior((EMPTY, *kind.looks.labels), row)
        return result

    def _prior(self, name: str, tiles: Posteriors) -> Doubles:
        """Log odds (spots,) that a spot of a kind is taken, given what it could stand on."""
        missing = [math.prod(tiles[tile][EMPTY] for tile in supports) for supports in self._supports[name]]
        return np.logaddexp(
            np.log1p(-np.minimum(missing, 1 - 1e-9)) + _PIECE_PRIOR, np.log(np.maximum(missing, 1e-9)) + _FLOATING_PRIOR
        )

    def _at_sites(self, name: str, scores: npt.NDArray[np.floating]) -> Doubles:
        result = np.full(self._site_count, -np.inf)
        result[self._rows[name]] = scores
        return result


def _supports(board: Board, carrier: str, places: npt.NDArray[np.float64]) -> list[list[str]]:
    """For each place (n, 2) the spots of a carrying kind on which a piece centred there would stand."""
    result: list[list[str]] = [[] for _ in places]
    for spot in board.spots.values():
        if spot.piece != carrier:
            continue
        outline = np.array(spot.outline, np.float32)
        radius = float(np.linalg.norm(outline - np.array(spot.centre), axis=1).max()) + _REACH
        for k in np.flatnonzero(np.linalg.norm(places - np.array(spot.centre), axis=1) < radius):
            if cv2.pointPolygonTest(outline, (float(places[k, 0]), float(places[k, 1])), True) >= -_REACH:
                result[k].append(spot.name)
    return result


def _cells(board: Board, spot: Spot) -> tuple[str, ...]:
    """What a tile covers: a rhombus the two triangles beside its short diagonal, another tile its own site."""
    if board.pieces[spot.piece].lies_on == "rhombus":
        return board.lattice.edge_triangles[spot.site]
    return (spot.site,)
