"""Reads a board: from a picture and a pose to a distribution for every spot.

Tiles first, then what stands on them, then both once more without the samples that the pieces found hide. What nothing
explains is foreign, and the spots beneath it are covered.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import EMPTY, Board, Spot
from companion.session.observation import Observation
from vision.canvas import Canvas, Expected, Laid
from vision.classify import Kind, PieceLayer, Tables, TileLayer, kinds_of
from vision.colour import ColourCorrection, fit_colours
from vision.frames import Frame
from vision.gathering import Crowd, Gathering, count_gathered, gatherings_of
from vision.likelihood import Gains, gains_of
from vision.occlusion import Silhouettes, numbers_at
from vision.patches import PatchView, look_at
from vision.pictures import Gray, Image, interpolated
from vision.profile import Profile
from vision.registration import BoardPose
from vision.stack_forms import stack_kind_of
from vision.stacks import StackReader, StackReading

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int16]

_TILE_TOP = 2.0
"""Height (mm) of the surface on which pieces stand."""
_CELL, _ODD = 4.0, -9.2
"""Side (mm) of the cells in which the sheet is compared with what is printed, and the mean log density that is odd."""
_LEAST_SEEN, _FOREIGN = 0.25, 0.5
"""A spot is covered if less than this part of its surface can be seen, or more likely than that something is on it."""

_STACK = 32_000
"""The number of any stack among silhouettes."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one picture says: a distribution for every spot but the covered ones, and how the colours were corrected."""

    posteriors: Mapping[str, Mapping[str, float]]
    covered: frozenset[str]
    colours: ColourCorrection

    def observation(self, board: Board, frame: Frame) -> Observation:
        """The reading as the observation of a quiet frame."""
        return Observation(board.id, frame.id, frame.time, self.posteriors, self.covered, quiet=True)


@dataclass(frozen=True, slots=True)
class _Stand:
    """What depends on the pose only: pixels to look at, colours of the bare sheet there, places beneath pieces."""

    pose: BoardPose
    views: Mapping[str, PatchView]
    sheet: Mapping[str, Expected]
    beneath: Mapping[str, Floats]
    under_rider: Mapping[str, Flags]
    crowds: tuple[Crowd, ...]
    silhouettes: Silhouettes
    cells: npt.NDArray[np.intp]
    """the coarse cell of the sheet that each sample of a tile lies in"""


@dataclass(frozen=True, slots=True)
class _Ground:
    """The pieces' samples over some tiles: which spots are looked at, Lab, log densities if nothing stands there."""

    active: Mapping[str, Flags]
    lab: Mapping[str, Floats]
    beneath: Mapping[str, Floats]


class _Evidence:
    """The gains of kinds under some weights; spots weighed as `before` keep the gains they had."""

    def __init__(self, weights: Mapping[str, Floats], before: _Evidence | None = None) -> None:
        self.weights, self.gains = dict(weights), dict[str, Gains]()
        self._before = before

    def compare(self, kinds: Iterable[Kind], lab: Mapping[str, Floats], background: Mapping[str, Floats]) -> None:
        """Compare samples with their labels, against log densities of what lies beneath."""
        for kind in kinds:
            name = kind.piece.name
            weight = self.weights[name]
            if self._before is None:
                known, rows = Gains.none(weight, kind.looks), np.flatnonzero(weight.any(axis=1))
            else:
                known = self._before.gains[name]
                rows = np.flatnonzero((weight != self._before.weights[name]).any(axis=1))
            fresh = gains_of(lab[name][rows], background[name][rows], weight[rows], kind.looks)
            self.gains[name] = known.replaced(rows, fresh)


class BoardReader:
    """Reads one board with one taught set of pieces. Keeps what depends on the pose until the pose changes.

    Raises InvalidProfile if the profile was taught on another board.
    """

    def __init__(self, board: Board, profile: Profile) -> None:
        profile.check(board)
        self.board = board
        self._tile_kinds, self._piece_kinds = kinds_of(board, profile)
        self._tiles, self._pieces = TileLayer(board, self._tile_kinds), PieceLayer(board, self._piece_kinds)
        kind = stack_kind_of(board)
        self._stacks = StackReader(board, profile, kind) if kind is not None else None
        self._gatherings: tuple[Gathering, ...] = gatherings_of(board, profile)
        self._canvas = Canvas(board, profile)
        self._numbers = {spot.site: k + 1 for k, spot in enumerate(board.spots.values())}
        self._stand: _Stand | None = None

    def read(self, image: Image, pose: BoardPose, colours: ColourCorrection | None = None) -> Reading:
        """Read everything a picture shows under a pose; colours are corrected by the picture itself, or as told."""
        stand = self._stand_for(pose)
        colours = colours or fit_colours(image, self.board, pose)
        lab = {}
        for name in stand.sheet:
            lab[name] = colours.to_lab(interpolated(image, stand.views[name].pixels), stand.views[name].ground)
        sheet = {name: expected.log_density(lab[name]) for name, expected in stand.sheet.items()}
        weights = {name: view.weight for name, view in stand.views.items()}
        first = _Evidence({name: weights[name] for name in sheet})
        first.compare(self._tile_kinds, lab, sheet)
        tiles, laid = self._tiles.read(first.gains, first.weights)
        stacks = self._read_stacks(image, pose, colours, laid, first)
        active = self._odd_spots(sheet, stand)
        ground = self._ground(image, colours, laid, active, stand)
        pieces, known = self._read_pieces(ground, weights, tiles, stand)

        found = _with_stacks(stand.silhouettes.draw(self._standing(pieces)), stacks)
        clear = {name: self._unhidden(found, view) for name, view in stand.views.items()}
        second = _Evidence({name: clear[name] for name in sheet}, first)
        second.compare(self._tile_kinds, lab, sheet)
        tiles, again = self._tiles.read(second.gains, second.weights)
        if _labels(again) != _labels(laid):
            ground = self._ground(image, colours, again, active, stand)
            pieces, _ = self._read_pieces(ground, clear, tiles, stand)
        else:
            pieces, _ = self._read_pieces(ground, clear, tiles, stand, known)

        found = _with_stacks(stand.silhouettes.draw(self._standing(pieces)), stacks)
        posteriors: dict[str, Mapping[str, float]] = {}
        for kind in (*self._tile_kinds, *self._piece_kinds):
            posteriors |= kind.posteriors((tiles | pieces)[kind.piece.name])
        covered = self._covered(tiles | pieces, stand, clear, stacks.taken if stacks is not None else {})
        if stacks is not None:
            self._combine(stacks, posteriors, covered)
        for crowd in stand.crowds:
            counts = count_gathered(crowd, image, colours, self._canvas, found)
            if counts is None:
                covered.update(spot.name for spot in crowd.gathering.spots.values())
            else:
                posteriors |= counts
        seen = {name: chances for name, chances in posteriors.items() if name not in covered}
        return Reading(seen, frozenset(covered), colours)

    def _read_stacks(
        self,
        image: Image,
        pose: BoardPose,
        colours: ColourCorrection,
        laid: Mapping[str, Laid],
        tiles: _Evidence,
    ) -> StackReading | None:
        """The stacks, before a sheet with the tiles that lie elsewhere."""
        if self._stacks is None:
            return None
        sites = self._stacks.sites
        self._canvas.lay({name: tile for name, tile in laid.items() if self.board.spots[name].site not in sites})
        odds: dict[str, float] = {}
        for kind in self._tile_kinds:
            name = kind.piece.name
            best = tiles.gains[name].weighed(tiles.weights[name])[:, :-1].max(axis=1)
            odds |= {spot.site: float(nats) for spot, nats in zip(kind.plan.spots, best, strict=True)}
        return self._stacks.read(image, pose, colours, self._canvas, odds)

    def _combine(self, stacks: StackReading, posteriors: dict[str, Mapping[str, float]], covered: set[str]) -> None:
        """Add the stacks to what else was read; under one of them no tile lies."""
        posteriors |= stacks.posteriors
        covered -= stacks.posteriors.keys()
        covered |= stacks.covered
        for kind in self._tile_kinds:
            for spot in kind.plan.spots:
                taken = stacks.taken.get(spot.site, 0.0)
                if taken > 0.5:
                    covered.discard(spot.name)
                    posteriors[spot.name] = {EMPTY: taken} | {
                        label: (1.0 - taken) / len(spot.labels) for label in spot.labels
                    }

    def _odd_spots(self, sheet: Mapping[str, Floats], stand: _Stand) -> dict[str, Flags]:
        """Which spots (spots,) of each kind of piece do not look like the bare sheet; only there a piece may stand."""
        density = np.concatenate([values.ravel() for values in sheet.values()])
        shape = tuple(math.ceil(side / _CELL) for side in self.board.size)
        total = np.bincount(stand.cells, density, shape[0] * shape[1]).reshape(shape)
        count = np.bincount(stand.cells, minlength=shape[0] * shape[1]).reshape(shape)
        window = (3, 3)
        samples = cv2.blur(count.astype(np.float64), window)
        # Where no tile can lie nothing was compared: such places are always looked at.
        mean = np.where(samples > 1e-6, cv2.blur(total, window) / np.maximum(samples, 1e-6), -np.inf)
        result = {}
        for kind in self._piece_kinds:
            cells = (np.array([spot.centre for spot in kind.plan.spots]) / _CELL).astype(int)
            result[kind.piece.name] = mean[cells[:, 0], cells[:, 1]] < _ODD
        return result

    def _ground(
        self,
        image: Image,
        colours: ColourCorrection,
        laid: Mapping[str, Laid],
        active: Mapping[str, Flags],
        stand: _Stand,
    ) -> _Ground:
        """Put tiles on the canvas and look at the active spots on them."""
        self._canvas.lay(laid)
        lab, beneath = {}, {}
        for name, spots in active.items():
            view = stand.views[name]
            lab[name] = np.zeros((*view.weight.shape, 3), np.float32)
            beneath[name] = np.zeros_like(view.weight)
            if not spots.any():
                continue
            lab[name][spots] = colours.to_lab(interpolated(image, view.pixels[spots]), view.ground[spots])
            beneath[name][spots] = self._canvas.expect(stand.beneath[name][spots]).log_density(lab[name][spots])
        return _Ground(active, lab, beneath)

    def _read_pieces(
        self,
        ground: _Ground,
        weights: Mapping[str, Floats],
        tiles: Tables,
        stand: _Stand,
        known: tuple[_Evidence, _Evidence] | None = None,
    ) -> tuple[Tables, tuple[_Evidence, _Evidence]]:
        """The pieces' probabilities, and the evidence of whole pieces and of carriers around what stands on them."""
        none = np.float32(0)
        seen = {name: np.where(spots[:, None], weights[name], none) for name, spots in ground.active.items()}
        around = {name: np.where(hidden, none, seen[name]) for name, hidden in stand.under_rider.items()}
        whole, rims = (_Evidence(part, known and known[k]) for k, part in enumerate((seen, around)))
        whole.compare(self._piece_kinds, ground.lab, ground.beneath)
        rims.compare((kind for kind in self._piece_kinds if kind.piece.name in around), ground.lab, ground.beneath)
        return self._pieces.read(whole.gains, whole.weights, rims.gains, rims.weights, tiles), (whole, rims)

    def _standing(self, pieces: Tables) -> list[tuple[str, int]]:
        """The spots that are taken in all likelihood, each with the number of its site."""
        return [
            (kind.plan.spots[k].name, self._numbers[kind.plan.spots[k].site])
            for kind in self._piece_kinds
            for k in np.flatnonzero(pieces[kind.piece.name].argmax(axis=1) % (len(kind.looks.labels) + 1))
        ]

    def _unhidden(self, found: Numbers, view: PatchView) -> Floats:
        """The weights of a view's samples, zero for those that pieces of other sites hide."""
        numbers = numbers_at(found, view.pixels)
        raised = self.board.pieces[view.plan.piece].raised_by
        own = np.array([self._numbers[spot.site] if raised else 0 for spot in view.plan.spots])[:, None]
        return np.where((numbers == 0) | (numbers == own), view.weight, np.float32(0))

    def _covered(
        self, tables: Tables, stand: _Stand, clear: Mapping[str, Floats], taken: Mapping[str, float]
    ) -> set[str]:
        """The spots that lie outside the picture, mostly behind pieces, or under something foreign.

        What is `taken` by a stack is not foreign.
        """
        covered: set[str] = set()
        strange: list[Spot] = []
        for name, view in stand.views.items():
            share = clear[name].sum(axis=1) / np.maximum(view.weight.sum(axis=1), 1e-6)
            hidden = (share < _LEAST_SEEN) | ~view.inside
            covered.update(view.plan.spots[k].name for k in np.flatnonzero(hidden))
            foreign = (view.plan.spots[k] for k in np.flatnonzero(tables[name][:, -1] > _FOREIGN))
            strange.extend(spot for spot in foreign if taken.get(spot.site, 0.0) < _FOREIGN)
        if strange:
            mask = _shade(strange, self.board.size)
            covered.update(spot.name for spot in self.board.spots.values() if _is_under(mask, spot))
        return covered

    def _stand_for(self, pose: BoardPose) -> _Stand:
        if self._stand is None or self._stand.pose is not pose:
            self._canvas.lay({})
            views = {kind.piece.name: look_at(kind.plan, pose) for kind in (*self._tile_kinds, *self._piece_kinds)}
            silhouettes = Silhouettes(self.board, pose)
            self._stand = _Stand(
                pose,
                views,
                {kind.piece.name: self._canvas.expect(views[kind.piece.name].ground) for kind in self._tile_kinds},
                {kind.piece.name: _lifted(views[kind.piece.name]) for kind in self._piece_kinds},
                self._under_riders(views, silhouettes),
                tuple(Crowd(gathering, pose) for gathering in self._gatherings),
                silhouettes,
                np.concatenate([self._cells(views[kind.piece.name]) for kind in self._tile_kinds]),
            )
        return self._stand

    def _cells(self, view: PatchView) -> npt.NDArray[np.intp]:
        limits = np.ceil(np.array(self.board.size) / _CELL).astype(np.intp)
        cells = np.clip((view.ground / _CELL).astype(np.intp), 0, limits - 1)
        return np.asarray(cells[..., 0] * limits[1] + cells[..., 1]).ravel()

    def _under_riders(self, views: Mapping[str, PatchView], silhouettes: Silhouettes) -> dict[str, Flags]:
        """Which samples of each carrier a piece standing on it would hide."""
        result = {}
        for rider, carrier in self._pieces.riders.items():
            spots = [(spot.name, 1) for spot in views[rider].plan.spots]
            result[carrier] = numbers_at(silhouettes.draw(spots), views[carrier].pixels) > 0
        return result


def _with_stacks(found: Numbers, stacks: StackReading | None) -> Numbers:
    """Silhouettes with those of stacks before them."""
    if stacks is not None:
        standing = (stacks.numbers > 0).astype(np.uint8)
        found[cv2.resize(standing, found.shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0] = _STACK
    return found


def _shade(spots: Iterable[Spot], size: tuple[float, float]) -> Gray:
    """The sheet, a pixel a millimetre, 255 under spots."""
    mask = np.zeros((math.ceil(size[1]), math.ceil(size[0])), np.uint8)
    for spot in spots:
        cv2.fillConvexPoly(mask, np.array(spot.outline).round().astype(np.int32), 255)
    return np.asarray(cv2.dilate(mask, np.ones((7, 7), np.uint8)), np.uint8)


def _is_under(mask: Gray, spot: Spot) -> bool:
    """Whether the middle or most corners of a spot lie in the mask."""
    places = np.array([spot.centre, *spot.outline]).round().astype(int)
    inside = mask[np.clip(places[:, 1], 0, mask.shape[0] - 1), np.clip(places[:, 0], 0, mask.shape[1] - 1)] > 0
    return bool(inside[0] or inside.mean() > 0.5)


def _labels(laid: Mapping[str, Laid]) -> dict[str, str]:
    return {name: tile.label for name, tile in laid.items()}


def _lifted(view: PatchView) -> Floats:
    """The places (spots, points, 2) on the tiles' surface that lie behind a view's points."""
    return np.asarray(view.ground + (view.eye[:2] - view.ground) * (_TILE_TOP / view.eye[2]), np.float32)
