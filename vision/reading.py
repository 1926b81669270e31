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

from companion.board.layout import Board, Spot
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

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int16]

_TILE_TOP = 2.0
"""Height (mm) of the surface on which pieces stand."""
_LEAST_SEEN, _FOREIGN = 0.25, 0.5
"""A spot is covered if less than this part of its surface can be seen, or more likely than that something is on it."""


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


class _Evidence:
    """The gains of all kinds under some weights; spots weighed as `before` keep the gains they had."""

    def __init__(
        self, lab: Mapping[str, Floats], weights: Mapping[str, Floats], before: _Evidence | None = None
    ) -> None:
        self.weights, self.gains = weights, dict[str, Gains]()
        self.weights_around, self.gains_around = dict[str, Floats](), dict[str, Gains]()
        self._lab, self._before = lab, before

    def compare(self, kinds: Iterable[Kind], background: Mapping[str, Floats]) -> None:
        """Compare the samples of some kinds with their labels, against log densities of what lies beneath."""
        for kind in kinds:
            name = kind.piece.name
            known = None if self._before is None else (self._before.weights[name], self._before.gains[name])
            self.gains[name] = self._gains(kind, background[name], self.weights[name], known)

    def compare_around(
        self, kinds: Iterable[Kind], background: Mapping[str, Floats], hidden: Mapping[str, Flags]
    ) -> None:
        """The same for carriers, without the samples that a rider would hide."""
        for kind in kinds:
            name = kind.piece.name
            if name not in hidden:
                continue
            self.weights_around[name] = np.where(hidden[name], np.float32(0), self.weights[name])
            known = None
            if self._before is not None:
                known = (self._before.weights_around[name], self._before.gains_around[name])
            self.gains_around[name] = self._gains(kind, background[name], self.weights_around[name], known)

    def _gains(
        self, kind: Kind, background: Floats, weights: Floats, known: tuple[Floats, Gains] | None
    ) -> Gains:
        lab = self._lab[kind.piece.name]
        if known is None:
            return gains_of(lab, background, weights, kind.looks)
        rows = np.flatnonzero((weights != known[0]).any(axis=1))
        return known[1].replaced(rows, gains_of(lab[rows], background[rows], weights[rows], kind.looks))


class BoardReader:
    """Reads one board with one taught set of pieces. Keeps what depends on the pose until the pose changes.

    Raises InvalidProfile if the profile was taught on another board.
    """

    def __init__(self, board: Board, profile: Profile) -> None:
        profile.check(board)
        self.board = board
        self._tile_kinds, self._piece_kinds = kinds_of(board, profile)
        self._tiles, self._pieces = TileLayer(board, self._tile_kinds), PieceLayer(board, self._piece_kinds)
        self._gatherings: tuple[Gathering, ...] = gatherings_of(board, profile)
        self._canvas = Canvas(board, profile)
        self._numbers = {spot.site: k + 1 for k, spot in enumerate(board.spots.values())}
        self._stand: _Stand | None = None

    def read(self, image: Image, pose: BoardPose) -> Reading:
        """Read everything a picture shows under a pose."""
        stand = self._stand_for(pose)
        colours = fit_colours(image, self.board, pose)
        lab = {
            name: colours.to_lab(interpolated(image, view.pixels), view.ground) for name, view in stand.views.items()
        }
        first = _Evidence(lab, {name: view.weight for name, view in stand.views.items()})
        sheet = {name: expected.log_density(lab[name]) for name, expected in stand.sheet.items()}
        first.compare(self._tile_kinds, sheet)
        tiles, laid = self._tiles.read(first.gains, first.weights)
        beneath = self._lay(laid, lab, stand)
        pieces = self._read_pieces(first, beneath, tiles, stand)

        found = stand.silhouettes.draw(self._standing(pieces))
        second = _Evidence(lab, {name: self._unhidden(found, view) for name, view in stand.views.items()}, first)
        second.compare(self._tile_kinds, sheet)
        tiles, again = self._tiles.read(second.gains, second.weights)
        if _labels(again) != _labels(laid):
            second = _Evidence(lab, second.weights)
            beneath = self._lay(again, lab, stand)
        pieces = self._read_pieces(second, beneath, tiles, stand)

        found = stand.silhouettes.draw(self._standing(pieces))
        posteriors: dict[str, Mapping[str, float]] = {}
        for kind in (*self._tile_kinds, *self._piece_kinds):
            posteriors |= kind.posteriors((tiles | pieces)[kind.piece.name])
        covered = self._covered(tiles | pieces, stand, second.weights)
        for crowd in stand.crowds:
            counts = count_gathered(crowd, image, colours, self._canvas, found)
            if counts is None:
                covered.update(spot.name for spot in crowd.gathering.spots.values())
            else:
                posteriors |= counts
        seen = {name: chances for name, chances in posteriors.items() if name not in covered}
        return Reading(seen, frozenset(covered), colours)

    def _read_pieces(
        self, evidence: _Evidence, beneath: Mapping[str, Floats], tiles: Tables, stand: _Stand
    ) -> Tables:
        evidence.compare(self._piece_kinds, beneath)
        evidence.compare_around(self._piece_kinds, beneath, stand.under_rider)
        return self._pieces.read(
            evidence.gains, evidence.weights, evidence.gains_around, evidence.weights_around, tiles
        )

    def _lay(self, laid: Mapping[str, Laid], lab: Mapping[str, Floats], stand: _Stand) -> dict[str, Floats]:
        """Put tiles on the canvas: the log densities of the pieces' samples if nothing stood there."""
        self._canvas.lay(laid)
        return {
            kind.piece.name: self._canvas.expect(stand.beneath[kind.piece.name]).log_density(lab[kind.piece.name])
            for kind in self._piece_kinds
        }

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

    def _covered(self, tables: Tables, stand: _Stand, clear: Mapping[str, Floats]) -> set[str]:
        """The spots that lie outside the picture, mostly behind pieces, or under something foreign."""
        covered: set[str] = set()
        strange: list[Spot] = []
        for name, view in stand.views.items():
            share = clear[name].sum(axis=1) / np.maximum(view.weight.sum(axis=1), 1e-6)
            hidden = (share < _LEAST_SEEN) | ~view.inside
            covered.update(view.plan.spots[k].name for k in np.flatnonzero(hidden))
            strange.extend(view.plan.spots[k] for k in np.flatnonzero(tables[name][:, -1] > _FOREIGN))
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
                tuple(Crowd(gathering, look_at(gathering.plan, pose), pose) for gathering in self._gatherings),
                silhouettes,
            )
        return self._stand

    def _under_riders(self, views: Mapping[str, PatchView], silhouettes: Silhouettes) -> dict[str, Flags]:
        """Which samples of each carrier a piece standing on it would hide."""
        result = {}
        for rider, carrier in self._pieces.riders.items():
            spots = [(spot.name, 1) for spot in views[rider].plan.spots]
            result[carrier] = numbers_at(silhouettes.draw(spots), views[carrier].pixels) > 0
        return result


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
