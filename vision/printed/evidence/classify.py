"""Combines the evidence of samples into probabilities for every spot: first tiles, which cover the sheet, then pieces
on them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from companion.board.layout import EMPTY, Board, Piece, Spot
from vision.printed.evidence.misfit_level import beyond_misfit_level
from vision.printed.pieces.appearance import BLUR, Appearance, expected_appearance, placements_of
from vision.printed.pieces.likelihood import FOREIGN_PRIOR, Gains, cover_marginals, cover_of, softmax
from vision.printed.pieces.patches import TALL, PatchPlan, depth_inside, plan_patches
from vision.printed.pieces.profile import Profile
from vision.printed.sheet.canvas import Laid

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Tables = dict[str, Doubles]
"""For each kind of piece the probabilities (spots, 1 + labels + 1) of an empty spot, each label, and a foreign
object.
"""

_TILE_PRIOR = -2.0
"""Prior log odds that a tile's spot is taken."""
_PIECE_PRIOR = -1.4
"""The same for a piece whose tile lies beneath it."""
_FLOATING_PRIOR = -8.0
"""The same for a piece whose tile is missing."""
_FLOATING_TALL_PRIOR = -20.0
"""The same for a tall one, much of which is visible, so that even much misfit could not outweigh a milder prior."""
_ACROSS_PRIOR = -6.0
"""Prior log odds of a piece that lies on edges where a tile lies across the edge instead of next to it."""
_ALONE = -1.5
"""Log odds that a piece that usually carries another stands alone."""
_MISSING = 0.9
"""Probability that a spot's tile is missing above which the spot is not looked at for that reason."""
_REACH = 2.5
"""Distance (mm) beyond a tile's rim at which the centres of pieces on it may lie."""
_DOUBT = 1e-4
"""Probability spread evenly over all labels of a spot, so that no reading is certain."""


@dataclass(frozen=True, slots=True)
class PlannedKind:
    """A kind of piece and its sample points."""

    piece: Piece
    plan: PatchPlan


@dataclass(frozen=True, slots=True)
class SpotKind(PlannedKind):
    """A kind of piece with its sample points and their expected colours."""

    looks: Appearance

    def posteriors(self, table: Doubles) -> dict[str, Mapping[str, float]]:
        """Spot -> label -> probability; under a foreign object all labels are equally likely."""
        labels = (EMPTY, *self.looks.labels)
        doubted = table[:, :-1] + table[:, -1:] / len(labels) + _DOUBT
        rows = (doubted / doubted.sum(axis=1, keepdims=True)).tolist()
        return {spot.name: dict(zip(labels, row, strict=True)) for spot, row in zip(self.plan.spots, rows, strict=True)}


def planned_kinds(board: Board) -> tuple[tuple[PlannedKind, ...], tuple[PlannedKind, ...]]:
    """The kinds of tiles that lie on the sheet itself, and of pieces that stand on others, without pawns and stacks."""
    kinds = []
    for piece in board.pieces.values():
        if piece.lies_on == "slot" or piece.stacked or (piece.raised_by and board.pieces[piece.raised_by].stacked):
            continue
        plan = plan_patches(board, piece)
        if plan.spots:
            kinds.append(PlannedKind(piece, plan))
    return tuple(k for k in kinds if not k.piece.raised_by), tuple(k for k in kinds if k.piece.raised_by)


def taught_kinds(planned: Iterable[PlannedKind], profile: Profile, blur: float = BLUR) -> tuple[SpotKind, ...]:
    """Kinds with the appearance of a profile under a blur (standard deviation, mm)."""
    return tuple(
        SpotKind(each.piece, each.plan, expected_appearance(profile, each.piece, each.plan, blur)) for each in planned
    )


def in_editions(kinds: tuple[SpotKind, ...], second: Container[str], first: Container[str]) -> tuple[SpotKind, ...]:
    """The same kinds, those of these names with the faces of the second or the first edition alone."""
    return tuple(
        replace(kind, looks=kind.looks.only(second=kind.piece.name in second))
        if kind.piece.name in second or kind.piece.name in first
        else kind
        for kind in kinds
    )


class TileLayer:
    """The tiles that lie on the sheet: no two on the same cell."""

    def __init__(self, board: Board, kinds: tuple[PlannedKind, ...]) -> None:
        self._kinds = kinds
        self._placements = {kind.piece.name: placements_of(kind.piece, second=True) for kind in kinds}
        spots = [spot for kind in kinds for spot in kind.plan.spots]
        self._cover = cover_of([_cells(board, spot, spots) for spot in spots])

    def read(self, gains: Mapping[str, Gains], weights: Mapping[str, Floats]) -> tuple[Tables, dict[str, Laid]]:
        """The probabilities of all tile spots, and the tiles that probably lie there.

        `gains` are relative to the bare sheet; `weights` (spots, points) exclude hidden samples.
        """
        found = [gains[kind.piece.name].weighed(weights[kind.piece.name]) for kind in self._kinds]
        found = [beyond_misfit_level(nats) + _priors(nats.shape[1], _TILE_PRIOR) for nats in found]
        odds = cover_marginals(self._cover, np.concatenate([np.logaddexp.reduce(nats, axis=1) for nats in found]))
        taken = 1.0 / (1.0 + np.exp(-np.clip(odds, -60, 60)))
        tables: Tables = {}
        laid: dict[str, Laid] = {}
        start = 0
        for kind, nats in zip(self._kinds, found, strict=True):
            here = taken[start : start + len(nats), None]
            tables[kind.piece.name] = np.concatenate([1.0 - here, softmax(nats) * here], axis=1)
            for k in np.flatnonzero(here > 0.5):
                best = int(nats[k].argmax())
                if best == len(kind.piece.labels):
                    continue
                name = kind.piece.name
                placement = self._placements[name][gains[name].placements[k, best]]
                laid[kind.plan.spots[k].name] = Laid(kind.piece.labels[best], placement)
            start += len(nats)
        return tables, laid


class PieceLayer:
    """The pieces on top of tiles. At each site at most one of several rival pieces stands, or one carrying another."""

    def __init__(self, board: Board, kinds: tuple[PlannedKind, ...], tiles: tuple[PlannedKind, ...]) -> None:
        self._kinds = {kind.piece.name: kind for kind in kinds}
        self._tiles = [tile.piece.name for tile in tiles]
        sites = sorted({spot.site for kind in kinds for spot in kind.plan.spots})
        number = {site: k for k, site in enumerate(sites)}
        self._site_count = len(sites)
        self._rows = {
            kind.piece.name: np.array([number[spot.site] for spot in kind.plan.spots], np.intp) for kind in kinds
        }
        self.riders = {kind.piece.name: kind.piece.raised_by for kind in kinds if kind.piece.raised_by in self._kinds}
        """Kind that stands on another of this layer -> that other kind."""
        self._bare = {
            kind.piece.name: {k for k, label in enumerate(kind.piece.labels) if label in kind.piece.bare}
            for kind in kinds
        }
        self._supports = {
            name: _supports(board, kind, tiles) for name, kind in self._kinds.items() if name not in self.riders
        }
        self._across = {name: _across(board, kind) for name, kind in self._kinds.items() if name not in self.riders}

    def read(
        self,
        gains: Mapping[str, Gains],
        weights: Mapping[str, Floats],
        gains_around: Mapping[str, Gains],
        weights_around: Mapping[str, Floats],
        tiles: Tables,
        beneath: Mapping[str, Doubles] = MappingProxyType({}),
        against: Mapping[str, Doubles] = MappingProxyType({}),
        by_rider: Mapping[str, Doubles] = MappingProxyType({}),
    ) -> Tables:
        """The probabilities of all spots of the layer.

        `gains` are relative to the tiles, with `weights` (spots, points) that exclude hidden samples; `gains_around`
        and `weights_around` are those of carriers outside the part that a rider hides. `tiles` are the probabilities of
        the tiles' spots. Where a rider's gains are relative to its carrier, `beneath` (spots,) is the evidence for the
        hidden middle of that carrier. `against` (spots,) is evidence against every piece of a kind, but not against a
        foreign object; `by_rider` (spots,) is evidence for a carrier, ridden or not (see `gain_by_rider`).
        """
        prior = {name: self._prior(name, tiles) for name in self._supports}
        bare = {name: beyond_misfit_level(gains[name].weighed(weights[name])) for name in self._kinds}
        for name, nats in against.items():
            bare[name] = np.column_stack([bare[name][:, :-1] - nats[:, None], bare[name][:, -1]])
        options: list[tuple[dict[str, int], Doubles]] = [({}, np.zeros(self._site_count))]
        for name in self._supports:
            scores = bare[name] + _priors(bare[name].shape[1], prior[name][:, None])
            if name in by_rider:
                scores[:, :-1] += by_rider[name][:, None]
            for k in range(scores.shape[1]):
                alone = _ALONE if self._bare[name] and k not in self._bare[name] and k + 1 < scores.shape[1] else 0.0
                options.append(({name: k}, self._at_sites(name, scores[:, k] + alone)))
        for rider, carrier in self.riders.items():
            carried = gains_around[carrier].weighed(weights_around[carrier])[:, :-1] + prior[carrier][:, None]
            if carrier in beneath:
                carried = carried + beneath[carrier][:, None]
            if carrier in by_rider:
                carried = carried + by_rider[carrier][:, None]
            ridden = bare[rider] + np.append(np.zeros(bare[rider].shape[1] - 1), FOREIGN_PRIOR)
            bearing = [k for k in range(carried.shape[1]) if k not in self._bare[carrier]]
            count = len(bearing) * (ridden.shape[1] - 1)
            options.extend(
                (
                    {carrier: k, rider: j},
                    self._at_sites(carrier, carried[:, k]) + self._at_sites(rider, ridden[:, j]) - np.log(count),
                )
                for k in bearing
                for j in range(ridden.shape[1])
            )
        shares = softmax(np.stack([score for _, score in options], axis=1))
        tables: Tables = {}
        for name, kind in self._kinds.items():
            at = shares[self._rows[name]]
            taken = [
                at[:, [c for c, (chosen, _) in enumerate(options) if chosen.get(name) == k]].sum(axis=1)
                for k in range(len(kind.piece.labels) + 1)
            ]
            tables[name] = np.maximum(np.stack([1.0 - np.sum(taken, axis=0), *taken], axis=1), 0.0)
        return tables

    def carried(self, tiles: Tables) -> dict[str, npt.NDArray[np.bool_]]:
        """Which spots (spots,) of each kind may well have a tile beneath them, given the tiles' probabilities."""
        result = {name: self._missing(name, tiles) < _MISSING for name in self._supports}
        for rider, carrier in self.riders.items():
            sites = np.zeros(self._site_count, bool)
            sites[self._rows[carrier]] = result[carrier]
            result[rider] = sites[self._rows[rider]]
        return result

    def _missing(self, name: str, tiles: Tables) -> Doubles:
        """The probability (spots,) that there is nothing for a piece to stand on."""
        empty = np.concatenate([*(tiles[tile][:, 0] for tile in self._tiles), (0.0, 1.0)])
        return np.asarray(np.clip(empty[self._supports[name]].prod(axis=1), 1e-9, 1 - 1e-9))

    def _prior(self, name: str, tiles: Tables) -> Doubles:
        """The prior log odds (spots,) that a spot is taken, given what a piece there could stand on."""
        missing = self._missing(name, tiles)
        floating = _FLOATING_TALL_PRIOR if self._kinds[name].piece.height >= 2 * TALL else _FLOATING_PRIOR
        prior = np.logaddexp(np.log1p(-missing) + _PIECE_PRIOR, np.log(missing) + floating)
        lies = np.append(1.0 - tiles[self._kinds[name].piece.raised_by][:, 0], 0.0)[self._across[name]]
        lies = np.clip(lies, 1e-9, 1 - 1e-9)
        return np.asarray(np.logaddexp(np.log1p(-lies) + prior, np.log(lies) + _ACROSS_PRIOR))

    def _at_sites(self, name: str, scores: npt.NDArray[np.floating]) -> Doubles:
        result = np.full(self._site_count, -np.inf)
        result[self._rows[name]] = scores
        return result


def _priors(columns: int, taken: float | Doubles) -> npt.NDArray[np.floating]:
    """Prior log odds of each label and of a foreign object, given those that the spot is taken."""
    foreign = np.zeros(columns)
    foreign[-1] = 1.0
    return np.where(foreign, FOREIGN_PRIOR, taken - np.log(columns - 1))


def _supports(board: Board, kind: PlannedKind, tiles: Sequence[PlannedKind]) -> npt.NDArray[np.intp]:
    """The possible supports of a piece on each spot (spots, most), as numbers among the spots of all tiles: tiles of
    the kind that raises it and tiles covering its cells.

    The number after the last spot stands for a cell printed as if such a tile lay there; the one after that for nothing
    and pads the rows.
    """
    carrying = kind.piece.raised_by
    spots = [spot for tile in tiles for spot in tile.plan.spots]
    beneath = {spot.site for spot in spots if spot.piece == carrying}
    carriers = [
        (number, np.array(spot.outline))
        for number, spot in enumerate(spots)
        if spot.piece == carrying or not beneath.isdisjoint(_cells(board, spot, spots))
    ]
    if board.grid is not None:
        printed = board.pieces[carrying].without & board.grid.cells.keys()
        carriers += [(len(spots), np.array(board.grid.outline(cell))) for cell in printed]
    places = np.array([spot.centre for spot in kind.plan.spots])
    found: list[list[int]] = [[] for _ in places]
    for number, outline in carriers:
        for k in np.flatnonzero(depth_inside(places, outline) >= -_REACH):
            found[k].append(number)
    most = max(map(len, found), default=0)
    nothing = len(spots) + 1
    return np.array([each + [nothing] * (most - len(each)) for each in found], np.intp).reshape(len(found), most)


def _across(board: Board, kind: PlannedKind) -> npt.NDArray[np.intp]:
    """For pieces that lie on edges, the tile spot (spots,) whose middle is the edge; otherwise the number of tile
    spots.
    """
    carriers = [spot for spot in board.spots.values() if spot.piece == kind.piece.raised_by]
    by_site = {spot.site: k for k, spot in enumerate(carriers)} if kind.piece.lies_on == "edge" else {}
    return np.array([by_site.get(spot.site, len(carriers)) for spot in kind.plan.spots], np.intp)


def _cells(board: Board, spot: Spot, spots: Sequence[Spot]) -> tuple[str, ...]:
    """The cells that a tile covers: for a rhombus the two triangles beside its short diagonal, for another tile its own
    site and those of other kinds of tiles whose middle lies beneath it.
    """
    if board.pieces[spot.piece].lies_on == "rhombus":
        return board.lattice.edge_triangles[spot.site]
    others = [other for other in spots if other.piece != spot.piece]
    if not others:
        return (spot.site,)
    beneath = depth_inside(np.array([other.centre for other in others]), np.array(spot.outline)) > 0
    sites = (other.site for other, hidden in zip(others, beneath, strict=True) if hidden)
    return tuple(dict.fromkeys((spot.site, *sites)))
