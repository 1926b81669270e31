"""Reads a board: from a picture and a pose to a distribution for every spot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.board.layout import EMPTY, Board
from companion.session.observation import Observation
from vision.canvas import Expected, Canvas, Laid
from vision.classify import PieceLayer, Posteriors, Samples, TileLayer, kinds_of
from vision.colour import ColourCorrection, fit_colours
from vision.frames import Frame
from vision.gathering import count_gathered, gatherings_of
from vision.occlusion import Silhouettes, numbers_at
from vision.patches import PatchView, look_at
from vision.pictures import Image, interpolated
from vision.profile import Profile
from vision.registration import BoardPose

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

_TILE_TOP = 2.0
"""Height (mm) of the surface on which pieces stand."""
_LEAST_SEEN = 0.25
"""A spot of whose surface less than this part can be seen is covered."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one picture says: label distributions by spot, the spots it cannot say anything about, the colours' error."""

    posteriors: Mapping[str, Mapping[str, float]]
    covered: frozenset[str]
    colours: ColourCorrection

    def observation(self, board: Board, frame: Frame) -> Observation:
        """The reading as the observation of a quiet frame."""
        seen = {name: chances for name, chances in self.posteriors.items() if name not in self.covered}
        return Observation(board.id, frame.id, frame.time, seen, self.covered, quiet=True)


class BoardReader:
    """Reads one board with one taught set of pieces. Keeps what depends on the pose until the pose changes."""

    def __init__(self, board: Board, profile: Profile) -> None:
        profile.check(board)
        self.board = board
        tiles, pieces = kinds_of(board, profile)
        self._tile_kinds, self._piece_kinds = tiles, pieces
        self._tiles, self._pieces = TileLayer(board, tiles), PieceLayer(board, pieces)
        self._gatherings = gatherings_of(board, profile)
        self._canvas = Canvas(board, profile)
        self._stand: _Stand | None = None

    def read(self, image: Image, pose: BoardPose) -> Reading:
        """Read everything."""
        stand = self._stand_for(pose)
        colours = fit_colours(image, self.board, pose)
        seen = {name: _samples(image, view, colours) for name, view in stand.views.items()}
        bare = {
            kind.piece.name: stand.sheet[kind.piece.name].log_density(seen[kind.piece.name].lab)
            for kind in self._tile_kinds
        }
        first = self._read_pieces(seen, *self._tiles.read(seen, bare), stand)
        posteriors, hidden = self._read_again(seen, bare, first, stand)
        for gathering, view in zip(self._gatherings, stand.gathering_views, strict=True):
            crowd = _samples(image, view, colours)
            background = self._canvas.expect(view.ground).log_density(crowd.lab)
            posteriors |= count_gathered(gathering, crowd.lab, crowd.weight, background, view.pixels, pose)
        return Reading(posteriors, frozenset(hidden), colours)

    def _read_pieces(
        self, seen: Mapping[str, Samples], tiles: Posteriors, laid: Mapping[str, Laid], stand: _Stand
    ) -> Posteriors:
        self._canvas.lay(laid)
        backgrounds = {}
        for kind in self._piece_kinds:
            name = kind.piece.name
            backgrounds[name] = self._canvas.expect(stand.beneath[name]).log_density(seen[name].lab)
        return self._pieces.read(seen, backgrounds, stand.under_rider, tiles)

    def _read_again(
        self, seen: Mapping[str, Samples], bare: Mapping[str, Floats], first: Posteriors, stand: _Stand
    ) -> tuple[Posteriors, set[str]]:
        """Once more, leaving out the samples that pieces found before hide."""
        owners = {spot.site: k + 1 for k, spot in enumerate(self.board.spots.values())}
        found = [
            (spot.name, owners[spot.site])
            for kind in self._piece_kinds for spot in kind.plan.spots
            if max(first[spot.name].items(), key=lambda item: item[1])[0] != EMPTY
        ]  # fmt: skip
        picture = stand.silhouettes.draw(found)
        clear, hidden = {}, set()
        for kind in (*self._tile_kinds, *self._piece_kinds):
            name = kind.piece.name
            numbers = numbers_at(picture, stand.views[name].pixels)
            own = np.array([owners[spot.site] if kind.piece.raised_by else 0 for spot in kind.plan.spots])[:, None]
            weight = np.where((numbers == 0) | (numbers == own), seen[name].weight, 0.0)
            clear[name] = Samples(seen[name].lab, weight)
            share = weight.sum(axis=1) / np.maximum(stand.views[name].weight.sum(axis=1), 1e-6)
            hidden |= {
                spot.name for spot, part, inside in zip(kind.plan.spots, share, stand.views[name].inside, strict=True)
                if part < _LEAST_SEEN or not inside
            }  # fmt: skip
        posteriors, laid = self._tiles.read(clear, bare)
        return posteriors | self._read_pieces(clear, posteriors, laid, stand), hidden

    def _stand_for(self, pose: BoardPose) -> _Stand:
        if self._stand is None or self._stand.pose is not pose:
            self._canvas.lay({})
            views = {kind.piece.name: look_at(kind.plan, pose) for kind in (*self._tile_kinds, *self._piece_kinds)}
            silhouettes = Silhouettes(self.board, pose)
            self._stand = _Stand(
                pose, views,
                {kind.piece.name: self._canvas.expect(views[kind.piece.name].ground) for kind in self._tile_kinds},
                {kind.piece.name: _lifted(views[kind.piece.name], pose) for kind in self._piece_kinds},
                self._under_riders(views, silhouettes),
                tuple(look_at(gathering.plan, pose) for gathering in self._gatherings),
                silhouettes,
            )  # fmt: skip
        return self._stand

    def _under_riders(self, views: Mapping[str, PatchView], silhouettes: Silhouettes) -> dict[str, Flags]:
        """Which samples of each carrier a piece standing on it would hide."""
        result = {}
        for rider, carrier in self._pieces.riders.items():
            spots = [spot.name for spot in views[rider].plan.spots]
            result[carrier] = numbers_at(silhouettes.draw((name, 1) for name in spots), views[carrier].pixels) > 0
        return result


@dataclass(frozen=True, slots=True)
class _Stand:
    """What depends on the pose only: pixels to look at, colours of the bare sheet there, places beneath pieces."""

    pose: BoardPose
    views: Mapping[str, PatchView]
    sheet: Mapping[str, Expected]
    beneath: Mapping[str, Floats]
    under_rider: Mapping[str, Flags]
    gathering_views: tuple[PatchView, ...]
    silhouettes: Silhouettes


def _samples(image: Image, view: PatchView, colours: ColourCorrection) -> Samples:
    return Samples(colours.to_lab(interpolated(image, view.pixels), view.ground), view.weight)


def _lifted(view: PatchView, pose: BoardPose) -> Floats:
    """The places (spots, points, 2) on the tiles' surface that lie behind a view's points."""
    eye = pose.eye
    return np.asarray(view.ground + (eye[:2] - view.ground) * (_TILE_TOP / eye[2]), np.float32)
