"""Reads a board: from a picture and a pose to the probabilities of the labels of every spot.

First the tiles, then the pieces on them, then both again without samples hidden by the pieces found. A place that
nothing explains holds a foreign object, and the spots beneath it are covered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import EMPTY, Board, Spot
from companion.session.observation import Observation
from vision.camera.frames import CameraFrame
from vision.colour.correction import ColourCorrection
from vision.colour.fit import ceiling_of
from vision.colour.flaws import colour_flaw
from vision.learned.agreement import both_readings
from vision.learned.spot_networks import SpotNetworks
from vision.location.board_pose import BoardPose
from vision.pictures import Image
from vision.printed.evidence.carriers import beneath_riders, carriers_among
from vision.printed.evidence.classify import (
    PieceLayer,
    SpotKind,
    Tables,
    TileLayer,
    in_editions,
    planned_kinds,
    taught_kinds,
)
from vision.printed.evidence.doubt import clear_of, with_doubt
from vision.printed.evidence.edition import editions_shown
from vision.printed.evidence.explaining import standing_of
from vision.printed.evidence.lines import lines_of
from vision.printed.evidence.pattern import with_pattern
from vision.printed.evidence.pawn_groups import count_pawns, pawn_groups_of
from vision.printed.evidence.piece_search import PieceSearch
from vision.printed.evidence.pose_cache import PoseCache
from vision.printed.evidence.sample_evidence import Evidence
from vision.printed.evidence.tile_search import FoundTiles, TileSearch
from vision.printed.picture.blur import blur_of
from vision.printed.picture.noise import quietened
from vision.printed.pieces.appearance import BLUR, blur_step
from vision.printed.pieces.likelihood import weight_under_blur
from vision.printed.pieces.occlusion import numbers_at, widened
from vision.printed.pieces.patches import TALL, PatchView
from vision.printed.pieces.profile import Profile
from vision.printed.sheet.bulging import bulged
from vision.printed.sheet.canvas import Canvas, Laid
from vision.printed.sheet.covered_spots import SpotCoverage, area_of
from vision.printed.sheet.glare import Glare
from vision.printed.stacks.forms import stack_kind_of
from vision.printed.stacks.stack_reader import StackReader, StackReading

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int16]

_MOST_GLARE = 0.5
"""Largest share of a pawn group's place that may lie in glare."""
_LEAST_SEEN = 0.25
"""Share of its surface that must be visible, or else a spot is covered."""
_FOREIGN = 0.5
"""Probability of a foreign object above which a spot is covered."""

_BLURS_KEPT = 2
"""Number of steps of blur (`appearance.BLURS`) for which appearances are kept at a time."""
_CEILINGS_KEPT = 1
"""Number of saturation levels of overexposed pictures for which a reader is kept."""
_STACK_MARGIN = 5
"""Side (pixels of the reduced picture) of the square by which a stack's silhouette is widened: half of it on each
side.
"""
_UNCLEAR_MARGIN = 2.5
"""Width (mm) around a piece in which its shadow, its blur and its tolerance to move hide what else is there."""
_STACK = 32_000
"""The number of all stacks in pictures of silhouettes; higher than any site's."""


@dataclass(frozen=True, slots=True)
class BoardReading:
    """The reading of one picture: the probabilities of every spot but the covered ones, and the colour correction."""

    posteriors: Mapping[str, Mapping[str, float]]
    covered: frozenset[str]
    colours: ColourCorrection

    def observation(self, board: Board, frame: CameraFrame) -> Observation:
        """The reading as the observation of a quiet frame."""
        return Observation(board.id, frame.id, frame.time, self.posteriors, self.covered, quiet=True)


class BoardReader:
    """Reads one board with one profile.

    What depends on the pose is kept until another pose object comes; see `vision.printed.evidence.pose_cache`. Raises
    InvalidProfile if the profile was taught on another board.
    """

    def __init__(self, board: Board, profile: Profile, networks: SpotNetworks | None = None) -> None:
        profile.check(board)
        self.board, self._profile = board, profile
        tiles, pieces = planned_kinds(board)
        self._taught_under = lru_cache(_BLURS_KEPT)(
            lambda blur: (taught_kinds(tiles, profile, blur), taught_kinds(pieces, profile, blur))
        )
        self._blur = BLUR
        self._tile_kinds, self._piece_kinds = tuple[SpotKind, ...](), tuple[SpotKind, ...]()
        self._canvas_under = lru_cache(1)(partial(Canvas, board, profile))
        self._groups_under = lru_cache(1)(partial(pawn_groups_of, board, profile))
        self._tiles, self._pieces = TileLayer(board, tiles), PieceLayer(board, pieces, tiles)
        kind = stack_kind_of(board)
        self._stacks = StackReader(board, profile, kind) if kind is not None else None
        self._coverage = SpotCoverage(board)
        self._networks = networks or SpotNetworks(board, profile.networks)
        self._lines = lines_of(board)
        self._in_lines = frozenset(name for lines in self._lines for name in lines.spots)
        self._numbers = {spot.site: k + 1 for k, spot in enumerate(board.spots.values())}
        self._cache: PoseCache | None = None
        self._bulged: tuple[BoardPose, BoardPose] | None = None
        """a pose and the same pose with the sheet's bulge"""
        self._beneath = lru_cache(_CEILINGS_KEPT)(
            lambda ceiling: BoardReader(board, profile.clipped_at(ceiling), self._networks)
        )

    @property
    def _canvas(self) -> Canvas:
        """The sheet under the blur of the latest picture."""
        return self._canvas_under(self._blur)

    def colour_flaw(self, image: Image, pose: BoardPose) -> str:
        """The reason why a picture's colours cannot be used, or ""."""
        return colour_flaw(image, self.board, pose)

    def read(self, image: Image, pose: BoardPose, colours: ColourCorrection | None = None) -> BoardReading:
        """Read everything a picture shows under a pose; the colour correction is estimated from the picture unless
        given.
        """
        image = quietened(image, pose)
        ceiling = ceiling_of(image, self.board, pose) if colours is None else colours.ceiling
        reader = self if ceiling is None else self._beneath(ceiling)
        return reader._read(image, pose, colours)

    def _read(self, image: Image, pose: BoardPose, colours: ColourCorrection | None) -> BoardReading:
        cache, (colours, glare, lab, matte, sheet, first, tiles, laid, tint) = self._find_tiles(image, pose, colours)
        weights = {name: glare.spare(view.weight, view.ground, name in matte) for name, view in cache.views.items()}
        stacks = self._read_stacks(image, cache, colours, laid, first, glare)
        search = PieceSearch(self.board, self._piece_kinds, self._pieces, self._canvas, cache)
        carried = self._pieces.carried(tiles)
        active = {name: odd | carried[name] for name, odd in search.odd_spots(sheet).items()}
        ground = search.ground(image, colours, tint, laid, active)
        pieces, known = search.read(ground, weights, tiles)

        standing = self._standing(first, known, tiles, pieces, cache)
        found = self._in_front(standing, cache, stacks)
        clear = {name: self._unhidden(found, view, weights[name]) for name, view in cache.views.items()}
        carriers = carriers_among(self._piece_kinds, self._pieces.riders, known[0])
        shown = editions_shown(self._profile, self._piece_kinds, laid, pieces, known[0], standing, self.board)
        self._tile_kinds, self._piece_kinds = (
            in_editions(kinds, shown.second, shown.first) for kinds in (self._tile_kinds, self._piece_kinds)
        )
        second = Evidence({name: clear[name] for name in sheet}, first, shown.decided)
        second.compare(self._tile_kinds, lab, sheet, cache.bodies, matte=matte)
        tiles, again = self._tiles.read(second.gains, second.weights)
        if _labels(again) != _labels(laid):
            ground = search.ground(image, colours, tint, again, active)
        learned = self._networks.read(image, cache.pose, colours, self._canvas, active)
        ground = search.on_carriers(ground, again, carriers)
        pieces, known = search.read(ground, clear, tiles, known, standing, shown.decided)

        found = self._in_front(self._standing(second, known, tiles, pieces, cache), cache, stacks)
        posteriors: dict[str, Mapping[str, float]] = {}
        doubted = self._doubted_tiles(tiles, again, second, lab, cache)
        seen = {name: known[0].weights[name] / ground.worth for name in pieces}
        apart = {name: self._apart(found, cache.views[name], seen[name]) for name in pieces}
        doubted |= with_doubt(self._piece_kinds, pieces, known[0], cache.views, apart, riders=self._pieces.riders)
        for kind in (*self._tile_kinds, *self._piece_kinds):
            posteriors |= kind.posteriors(doubted[kind.piece.name])
        covered = self._covered(tiles | pieces, cache, clear, stacks.taken if stacks is not None else {})
        if stacks is not None:
            self._combine(stacks, posteriors, covered)
        else:
            self._canvas.lay(again)
            hands = cache.hands.find(image, colours, self._canvas, glare, found)
            if hands is not None:
                covered |= self._coverage.under(hands)
        for group_view in cache.group_views:
            lost = glare.at(group_view.probes).mean() > _MOST_GLARE
            counts = None if lost else count_pawns(group_view, image, colours, self._canvas, found)
            if counts is None:
                covered.update(spot.name for spot in group_view.group.spots.values())
            else:
                posteriors |= counts
        unlike = frozenset(name for name in learned if self.board.spots[name].piece in shown.second)
        posteriors |= both_readings(learned, posteriors, covered, unlike, self._in_lines)
        for lines in self._lines:
            posteriors |= lines.along(posteriors, covered)
        visible = {name: chances for name, chances in posteriors.items() if name not in covered}
        visible |= beneath_riders(visible, self.board.spots.values(), self._pieces.riders)
        return BoardReading(visible, frozenset(covered), colours)

    def _doubted_tiles(
        self, tables: Tables, laid: Mapping[str, Laid], evidence: Evidence, lab: Mapping[str, Floats], cache: PoseCache
    ) -> Tables:
        """The tables of tiles with doubt where the sheet looks odd, or shows the pattern of a tile."""
        taken = area_of((self.board.spots[name] for name in laid), self.board.size)
        result = with_doubt(self._tile_kinds, tables, evidence, cache.views, evidence.weights, taken, cache.printed)
        bare = {name: expected.middle for name, expected in cache.sheet.items()}
        whole = {name: view.weight for name, view in cache.views.items()}
        seen = {name: clear_of(taken, evidence.weights[name], cache.views[name]) for name in tables}
        return with_pattern(self._tile_kinds, result, evidence, lab, bare, seen, whole)

    def _find_tiles(
        self, image: Image, pose: BoardPose, colours: ColourCorrection | None
    ) -> tuple[PoseCache, FoundTiles]:
        """The tiles on the sheet; searched again if the sheet turns out to bulge between its markers."""
        known = colours is not None or self._stacks is not None
        is_new = self._bulged is None or self._bulged[0] is not pose
        if self._bulged is not None and not (known or is_new):
            pose = self._bulged[1]
        cache, search = self._cache_for(pose, image)
        tiles_found = search.find(image, cache, colours)
        if known or not is_new:
            return cache, tiles_found
        better = bulged(image, pose, tiles_found.colours, self._canvas, self.board, tiles_found.laid)
        self._bulged = pose, better
        if better is not pose:
            cache, search = self._cache_for(better, image)
            tiles_found = search.find(image, cache)
        return cache, tiles_found

    def _read_stacks(
        self,
        image: Image,
        cache: PoseCache,
        colours: ColourCorrection,
        laid: Mapping[str, Laid],
        tiles: Evidence,
        glare: Glare,
    ) -> StackReading | None:
        """The stacks, compared with a sheet that has the tiles at other sites on it."""
        if self._stacks is None:
            return None
        sites = self._stacks.sites
        self._canvas.lay({name: tile for name, tile in laid.items() if self.board.spots[name].site not in sites})
        odds: dict[str, float] = {}
        for kind in self._tile_kinds:
            name = kind.piece.name
            best = tiles.gains[name].weighed(tiles.weights[name])[:, :-1].max(axis=1)
            odds |= {spot.site: float(nats) for spot, nats in zip(kind.plan.spots, best, strict=True)}
        spots = [self.board.spots[name] for name in laid]
        if colours.ceiling is not None:
            # The stacks' material is learnt from the picture; in an overexposed one it may look like the sheet.
            glare = cache.glare.find(image, replace(colours, ceiling=None))
        return self._stacks.read(image, cache.pose, colours, self._canvas, odds, spots, glare)

    def _combine(self, stacks: StackReading, posteriors: dict[str, Mapping[str, float]], covered: set[str]) -> None:
        """Add the stacks to the rest of the reading; no tile lies under a stack."""
        posteriors |= stacks.posteriors
        covered.difference_update(stacks.posteriors)
        covered.update(stacks.covered)
        for kind in self._tile_kinds:
            for spot in kind.plan.spots:
                taken = stacks.taken.get(spot.site, 0.0)
                if taken > 0.5:
                    covered.discard(spot.name)
                    posteriors[spot.name] = {EMPTY: taken} | {
                        label: (1.0 - taken) / len(spot.labels) for label in spot.labels
                    }

    def _standing(
        self, on_sheet: Evidence, on_tiles: tuple[Evidence, Evidence], tiles: Tables, pieces: Tables, cache: PoseCache
    ) -> list[Spot]:
        """All pieces that stand on the sheet or on tiles."""
        tall = [kind for kind in self._tile_kinds if kind.piece.height >= TALL]
        found = standing_of(tall, tiles, (on_sheet, on_sheet), cache)
        return found + standing_of(self._piece_kinds, pieces, on_tiles, cache, self._pieces.riders)

    def _in_front(self, standing: Sequence[Spot], cache: PoseCache, stacks: StackReading | None) -> Numbers:
        """Silhouettes of these pieces, each with the number of its site."""
        numbered = [(spot.name, self._numbers[spot.site]) for spot in standing]
        return _with_stacks(cache.silhouettes.draw(numbered), stacks)

    def _unhidden(self, found: Numbers, view: PatchView, weight: Floats) -> Floats:
        """The weights of a view's samples, zero where pieces of other sites hide them."""
        numbers = numbers_at(found, view.pixels)
        piece = self.board.pieces[view.plan.piece]
        stands = piece.raised_by or piece.height >= TALL
        own = np.array([self._numbers[spot.site] if stands else 0 for spot in view.plan.spots])[:, None]
        return np.where((numbers == 0) | (numbers == own), weight, np.float32(0))

    def _apart(self, found: Numbers, view: PatchView, weight: Floats) -> Floats:
        """The weights of a view's samples, zero next to pieces of other sites."""
        return self._unhidden(widened(found, view, _UNCLEAR_MARGIN), view, weight)

    def _covered(
        self, tables: Tables, cache: PoseCache, clear: Mapping[str, Floats], taken: Mapping[str, float]
    ) -> set[str]:
        """The spots outside the picture, mostly hidden behind pieces, or under a foreign object.

        What a stack covers (`taken`) is not foreign.
        """
        covered: set[str] = set()
        strange: list[Spot] = []
        for name, view in cache.views.items():
            share = clear[name].sum(axis=1) / np.maximum(view.weight.sum(axis=1), 1e-6)
            hidden = (share < _LEAST_SEEN) | ~view.inside
            covered.update(view.plan.spots[k].name for k in np.flatnonzero(hidden))
            foreign = (view.plan.spots[k] for k in np.flatnonzero(tables[name][:, -1] > _FOREIGN))
            strange.extend(spot for spot in foreign if taken.get(spot.site, 0.0) < _FOREIGN)
        if strange:
            covered |= self._coverage.under(area_of(strange, self.board.size))
        return covered

    def _cache_for(self, pose: BoardPose, image: Image) -> tuple[PoseCache, TileSearch]:
        before = self._cache
        blur = blur_step(blur_of(image, self.board, pose), self._blur)
        if blur != self._blur:
            self._blur, self._cache = blur, None
        self._tile_kinds, self._piece_kinds = self._taught_under(blur)
        if self._cache is None or self._cache.pose is not pose:
            self._canvas.lay({})
            self._cache = PoseCache.under(
                self.board, pose, self._canvas, self._tile_kinds, self._piece_kinds, self._pieces.riders,
                self._groups_under(blur), weight_under_blur(blur),
            )  # fmt: skip
        if before is not None and before is not self._cache:
            self._cache.light.go_on_from(before.light)
        return self._cache, TileSearch(self.board, self._tile_kinds, self._tiles, self._canvas)


def _with_stacks(found: Numbers, stacks: StackReading | None) -> Numbers:
    """Silhouettes with those of the stacks on top."""
    if stacks is not None:
        standing = cv2.dilate((stacks.numbers > 0).astype(np.uint8), np.ones((_STACK_MARGIN, _STACK_MARGIN), np.uint8))
        found[cv2.resize(standing, found.shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0] = _STACK
    return found


def _labels(laid: Mapping[str, Laid]) -> dict[str, str]:
    return {name: tile.label for name, tile in laid.items()}
