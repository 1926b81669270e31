"""Reads stacks: how many pieces stand on one another in a place, and what stands on top of them.

A stack is recognised by its whole silhouette: for every height and top its walls, deck and roof are projected, and the
pixels they cover are compared with the background. From straight above, heights look alike; then several remain likely.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board, Spot
from vision.colour.correction import ColourCorrection
from vision.location.board_pose import BoardPose
from vision.pictures import Image
from vision.printed.pieces.appearance import off_paint
from vision.printed.pieces.profile import Profile
from vision.printed.pieces.solids import Part
from vision.printed.sheet.canvas import Canvas
from vision.printed.sheet.foreign import foreign_in
from vision.printed.sheet.glare import Glare
from vision.printed.stacks.colours import StackColours, StackEvidence, learned
from vision.printed.stacks.fits import StackFitter
from vision.printed.stacks.forms import REACH, StackForms, StackKind
from vision.printed.stacks.posteriors import DISTRUST, LEAST_SEEN, StackPosteriors
from vision.printed.stacks.scenes import MODEL, PRIOR, Fit, StackScene

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int16]

_MOST_LOST = 0.25
"""Largest share of a place, or of its stack, that may be hidden by glare or a foreign object."""
_STANDS_OUT = 2.0
"""Nats per pixel by which a stack without a rider must contrast with its background to be trusted."""
_TOPS_OUT = 0.3
"""The same for its upper half and its deck."""
_PARTED = 0.97
"""Visible share of a stack up to which it may in fact be part of a nearer one."""
_PARTED_BY = 12.0
"""Nats by which two stacks must explain a picture better than the nearer one alone."""
_SHADOW = 0.5
"""Factor of the deepest shadow next to stacks, which throw deeper ones than tiles (`canvas.SHADOW`)."""
_DEEPEST_SHADOW = 0.35
"""Factor of the deepest shadow where foreign objects are searched: a hand throws the deepest."""
_STRIDE = 3
"""Foreign objects are searched in every this many rows and columns."""
_TILE_MARGIN = 9
"""Side (pixels of the reduced picture) of the square by which tiles and stacks are widened in that search: half of it
on each side.
"""
_STRAY_LIGHT = np.uint8(4)
"""Grey levels by which stray light and the camera's black level may be off; corrected colours in deep shadow amplify
it.
"""
_AT_ONCE = 1 << 14
"""Pixels compared with the sheet at once, so that intermediate arrays stay small."""
_PASSES = 4
"""Most passes over the stacks."""
_LEARNING_PASSES = 2
"""Passes after which only stacks are compared whose neighbours have changed."""
_LEAST_OTHER = 50.0
"""Surface (mm²) around a place on which the stacks shown must have changed for it to be compared again: in 190 smaller
changes the result never moved by 2 nats.
"""
_CHANGE = 24
"""Grey levels by which a pixel must differ from the last picture to have changed."""
_CHANGED = 0.004
"""Share of changed pixels around a place from which it is read again."""
_SHEET = -8.6
"""Mean log density of the sheet where colours come out as printed."""
_BEST = 90.0
"""Percentile of the places' densities that is compared with it to measure how dim the picture is."""
_PLAIN = -9.2
"""Mean log density above which a place looks as printed."""
_UNLIKE_SHEET = -12.0
"""Log density below which a sample looks unlike the sheet."""
_LIKE_RIDERS = 2.0
"""Log density by which a rider must explain it better."""
_LEAST_RIDER = 120.0
"""Surface (mm²) of such samples around a place from which it may hold an overlooked rider."""


@dataclass(frozen=True, slots=True)
class StackReading:
    """Posteriors of the stacks' spots, covered spots, and each pixel's stack: 0, or 1 + the index of its place.

    `numbers` belongs to a reduced picture; `taken` is the probability of a stack on each site.
    """

    posteriors: Mapping[str, Mapping[str, float]]
    covered: frozenset[str]
    numbers: Numbers
    taken: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Samples:
    """Every `_STRIDE`-th pixel of the reduced picture: Lab, log density on the sheet in the deepest shadow, and whether
    it would show the sheet if no stack stood there.
    """

    lab: Floats
    density: Floats
    on_sheet: Flags


class StackReader:
    """Reads the stacks of one board.

    What depends on the pose is kept until another pose object comes; see `vision.printed.evidence.pose_cache`.
    """

    def __init__(self, board: Board, profile: Profile, kind: StackKind) -> None:
        self._board, self._kind = board, kind
        self._looks = [("", "")] + [(rider.name, label) for rider in kind.riders for label in rider.labels]
        self._colours = StackColours(profile, kind, self._looks[1:])
        self._fitter = StackFitter(kind, self._looks)
        self._highest = len(kind.piece.labels)
        self.sites = frozenset(spot.site for spot in kind.spots)
        self._pose: BoardPose | None = None
        self._before: Image | None = None
        self._fits: dict[int, Fit] = {}
        self._dimness = 0.0

    def read(
        self,
        image: Image,
        pose: BoardPose,
        colours: ColourCorrection,
        canvas: Canvas,
        tiles: Mapping[str, float],
        laid: Iterable[Spot],
        glare: Glare,
    ) -> StackReading:
        """Read all stacks in front of the canvas's tiles; `tiles` are log odds (nats) that a tile lies on a site
        instead, `laid` are the spots on which tiles lie.
        """
        if self._pose is not pose:
            self._prepare(pose)
        scene, forms = self._scene, self._scene.forms
        small = _reduced(image, forms.whole)[forms.window]
        known = self._unchanged(small)
        seen_places = [k for k in scene.order if forms.places[k].foot.size]
        order = [k for k in seen_places if k not in known]
        odds = [MODEL * tiles.get(place.spot.site, -1e3) for place in forms.places]
        fits = {k: fit for k, fit in self._fits.items() if k in known}
        if order:
            scene.hide(glare.at(forms.ground) & self._on_sheet if glare.any else None)
            samples = self._sampled(small, colours, canvas, laid, glare)
            bare, odd = self._evidence(small, colours, canvas, order, _standing(fits, odds))
            evidence = self._explain(bare, odds, odd, fits)
            overlooked = self._overlooked(samples, _standing(fits, odds), [k for k in order if k not in odd])
            if overlooked:
                bare, odd = self._evidence(small, colours, canvas, order, _standing(fits, odds), overlooked)
                around = overlooked.union(*(scene.overlapping[k] for k in overlooked))
                evidence = self._explain(bare, odds, [k for k in odd if k in around], fits, overlooked)
            foreign = self._hide_foreign(samples, _standing(fits, odds), bare)
            if foreign is not None:
                if known:
                    bare, odd = self._evidence(small, colours, canvas, seen_places, (), overlooked)
                again = set(odd) if known else scene.near(foreign, odd)
                fits = {k: fit for k, fit in fits.items() if k in odd and k not in again}
                evidence = self._explain(bare, odds, [k for k in odd if k in again], fits, overlooked)
            self._examine(evidence, odds, odd, fits)
        self._before, self._fits = small, fits
        numbers, _ = scene.shown(standing := _standing(fits, odds))
        posteriors: dict[str, Mapping[str, float]] = {}
        covered: set[str] = set()
        taken: dict[str, float] = {}
        for k, place in enumerate(forms.places):
            seen = scene.seen(k, standing.get(k), numbers)
            unknown = scene.lost(k, standing.get(k)) > _MOST_LOST
            shares, taken[place.spot.site] = self._posteriors.of(place, fits.get(k), odds[k], seen)
            posteriors |= shares
            if unknown:
                taken[place.spot.site] = 0.0
            if seen < LEAST_SEEN or unknown:
                covered.update(shares)
        whole = np.zeros(forms.whole, np.int16)
        whole[forms.window] = numbers
        return StackReading(posteriors, frozenset(covered), whole, taken)

    def _evidence(
        self,
        small: Image,
        colours: ColourCorrection,
        canvas: Canvas,
        order: Sequence[int],
        known: Iterable[int],
        overlooked: Container[int] = (),
    ) -> tuple[StackEvidence, list[int]]:
        """The evidence of the pixels around `known` stacks and around those places of `order` that do not look bare or
        are `overlooked`; all other pixels count as sheet. Also returns these places.
        """
        forms = self._scene.forms
        sheet, cells = np.zeros(forms.shape, np.float32), np.zeros(forms.shape, np.int32)
        feet = np.concatenate([forms.places[k].foot for k in order])
        for some, lab, density in self._compared(feet, small, colours, canvas):
            sheet.ravel()[some], cells.ravel()[some] = density, self._colours.cells(lab)
        if len(order) == len(forms.places):
            self._dimness = max(0.0, _SHEET - float(np.percentile(sheet.ravel()[feet], _BEST)))
        sheet.ravel()[feet] += np.float32(self._dimness)
        odd = [k for k in order if k in overlooked or sheet.ravel()[forms.places[k].foot].mean() <= _PLAIN]
        beside = forms.reached((*known, *odd)).ravel()
        beside[feet] = 0
        for some, lab, density in self._compared(np.flatnonzero(beside), small, colours, canvas):
            sheet.ravel()[some] = density + np.float32(self._dimness)
            cells.ravel()[some] = self._colours.cells(lab)
        return self._colours.evidence(cells, sheet, self._on_sheet), odd

    def _compared(
        self, pixels: Integers, small: Image, colours: ColourCorrection, canvas: Canvas
    ) -> Iterator[tuple[Integers, Floats, Floats]]:
        """For batches of flat pixel indices: the indices, their Lab and their log densities on the sheet."""
        ground, flat = self._scene.forms.ground.reshape(-1, 2), small.reshape(-1, 3)
        for first in range(0, len(pixels), _AT_ONCE):
            some = pixels[first : first + _AT_ONCE]
            places = ground[some][None]
            lab = colours.to_lab(flat[some][None], places)
            yield some, lab[0], canvas.expect(places, _SHADOW).log_density(lab)[0]

    def _sampled(
        self, small: Image, colours: ColourCorrection, canvas: Canvas, laid: Iterable[Spot], glare: Glare
    ) -> _Samples:
        """The reduced picture's samples, without laid tiles and glare."""
        forms, samples = self._scene.forms, np.s_[::_STRIDE, ::_STRIDE]
        ground = np.ascontiguousarray(forms.ground[samples])
        seen = np.ascontiguousarray(small[samples])
        lab = colours.to_lab(seen, ground)
        off_black = colours.to_lab(np.minimum(seen, 255 - _STRAY_LIGHT) + _STRAY_LIGHT, ground) - lab
        slack = off_paint(colours.error) + np.abs(off_black)
        density = canvas.expect(ground, _DEEPEST_SHADOW).log_density(lab, slack)
        tiles = np.zeros(forms.shape, np.uint8)
        for outline in forms.outlines(laid):
            cv2.fillConvexPoly(tiles, outline, 1)
        tiles = np.asarray(cv2.dilate(tiles, np.ones((_TILE_MARGIN, _TILE_MARGIN), np.uint8)), np.uint8)
        return _Samples(lab, density, self._on_sheet[samples] & (tiles[samples] == 0) & ~glare.at(ground))

    def _overlooked(self, samples: _Samples, standing: Mapping[int, Fit], bare: Iterable[int]) -> set[int]:
        """Places that look bare, but around which something unexplained has a rider's colours: walls may look like the
        place they hide.
        """
        scene, forms = self._scene, self._scene.forms
        numbers, _ = scene.shown(standing)
        near = cv2.dilate(numbers, np.ones((_TILE_MARGIN, _TILE_MARGIN), np.uint8))[::_STRIDE, ::_STRIDE] > 0
        density = samples.density + np.float32(self._dimness)
        strange = samples.on_sheet & ~near & (density < _UNLIKE_SHEET)
        strange[strange] = self._colours.of_riders(samples.lab[strange]) > density[strange] + _LIKE_RIDERS
        found = set()
        for k in bare if strange.any() else ():
            rows, columns = (slice(-(-side.start // _STRIDE), side.stop // _STRIDE) for side in forms.places[k].around)
            if strange[rows, columns].sum() * _STRIDE**2 * forms.places[k].area > _LEAST_RIDER:
                found.add(k)
        return found

    def _hide_foreign(self, samples: _Samples, standing: Mapping[int, Fit], evidence: StackEvidence) -> Flags | None:
        """Hide what neither the sheet nor laid tiles nor these stacks explain; returns the mask (rows, columns), or
        None.
        """
        scene, forms = self._scene, self._scene.forms
        density = samples.density + np.float32(self._dimness)
        side = _STRIDE * math.sqrt(float(np.median([place.area for place in forms.places])))
        shown, drawn = scene.drawn(standing, evidence)
        numbers = shown[::_STRIDE, ::_STRIDE]
        explained = np.where(numbers > 0, drawn[::_STRIDE, ::_STRIDE], density)
        foreign = foreign_in(samples.lab, density, explained, numbers, samples.on_sheet, side)
        if not foreign.any():
            return None
        covered = np.asarray(cv2.resize(foreign, forms.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0, bool)
        scene.hide(covered if scene.hidden is None else covered | scene.hidden)
        return covered

    def _unchanged(self, small: Image) -> frozenset[int]:
        """The places around which the reduced picture has not changed since it was last read.

        If something was hidden in the last picture: all of them or none.
        """
        if self._before is None or self._before.shape != small.shape:
            return frozenset()
        blue, green, red = cv2.split(cv2.absdiff(small, self._before))
        other = cv2.max(cv2.max(blue, green), red) > _CHANGE
        places = {k: place for k, place in enumerate(self._scene.forms.places) if 0 not in place.size}
        alike = frozenset(k for k, place in places.items() if place.patch(other).mean() < _CHANGED)
        return alike if self._scene.hidden is None or len(alike) == len(places) else frozenset()

    def _explain(
        self, evidence: StackEvidence, tiles: Sequence[float], order: Sequence[int], fits: dict[int, Fit],
        overlooked: Container[int] = (),
    ) -> StackEvidence:  # fmt: skip
        """Add to `fits` the best stack for every place of `order` that does not look bare or is `overlooked`.

        Goes from far to near, because a near place would take what stands behind it for its own storeys; then again
        with the nearer stacks and the stacks' material known. Returns the evidence with that material.
        """
        known = evidence
        before: dict[int, tuple[list[tuple[int, int]], Numbers]] = {}
        for number in range(_PASSES):
            standing = _standing(fits, tiles)
            numbers, walls = self._scene.shown(standing)
            if number <= _LEARNING_PASSES:
                known = learned(evidence, walls)
            for k in order:
                if k not in fits and k not in overlooked and self._is_bare(k, evidence.sheet, numbers):
                    continue
                standing.pop(k, None)
                around = [(j, standing[j].hypothesis) for j in self._scene.overlapping[k] if j in standing]
                seen = before.get(k) if number >= _LEARNING_PASSES else None
                if seen is None or seen[0] != around:
                    behind, shown = self._scene.behind(k, standing, known)
                    if seen is None or self._differ(k, seen[1], shown):
                        before[k] = around, shown
                        fits[k] = self._fit_before(k, behind, shown, known, closely=number > 0)
                if fits[k].stands(tiles[k]):
                    standing[k] = fits[k]
        return known

    def _examine(
        self, known: StackEvidence, tiles: Sequence[float], order: Sequence[int], fits: dict[int, Fit]
    ) -> None:
        """Merge pairs of stacks that may be one, and measure how clearly each new stack is visible."""
        scene, standing = self._scene, _standing(fits, tiles)
        numbers, _ = scene.shown(standing)
        for k in [k for k in order if k in standing and scene.seen(k, standing[k], numbers) < _PARTED]:
            nearer = (j for j in scene.overlapping[k] if scene.rank[j] > scene.rank[k])
            for j in [j for j in nearer if j in standing and j in order]:
                alone = {i: fit for i, fit in standing.items() if i not in (j, k)}
                joined = self._fit(j, alone, known)
                whole, other = (scene.explained((j, k), each, known) for each in (standing, {**alone, j: joined}))
                if scene.evidence_of(k, whole - other) >= _PARTED_BY - PRIOR:
                    continue
                fits[k] = self._fit(k, {**alone, j: joined}, known)
                fits[j] = replace(joined, trust=DISTRUST if fits[k].stands(tiles[k]) else 1.0)
                standing = _standing(fits, tiles)
                break
        numbers, _ = scene.shown(standing)
        for k in order:
            if k in standing:
                fits[k] = self._examined(k, standing, known, numbers)

    def _examined(self, k: int, standing: Mapping[int, Fit], evidence: StackEvidence, numbers: Numbers) -> Fit:
        """A stack's fit with its contrast and trust, measured on its own pixels."""
        place, fit = self._scene.forms.places[k], standing[k]
        rank = self._scene.rank
        behind, _ = self._scene.behind(k, {j: each for j, each in standing.items() if rank[j] < rank[k]}, evidence)
        (row, column), (rows, columns) = (REACH + fit.shift[0], REACH + fit.shift[1]), place.size
        own = place.patch(numbers, fit.shift) == k + 1
        parts = np.where(own, self._scene.forms.parts(k, fit.hypothesis), Part.NONE)
        gain = np.zeros(parts.shape, np.float32)
        for part in (Part.WALL, Part.DECK, Part.ROOF):
            np.copyto(gain, place.patch(evidence.of(part, fit.look), fit.shift), where=parts == part)
        gain -= behind[row : row + rows, column : column + columns]
        wall = parts == Part.WALL
        walls = float(gain[wall].mean()) if wall.any() else 0.0
        trust = fit.trust
        if not fit.look:
            body = parts > 0
            upper = body & (self._scene.forms.parts(k, self._lower_half(fit.hypothesis)) == 0)
            tops = [gain[part].mean() for part in (upper, parts == Part.DECK) if part.any()]
            if not body.any() or gain[body].mean() < _STANDS_OUT or min(tops, default=_TOPS_OUT) < _TOPS_OUT:
                trust = min(trust, DISTRUST)
        if self._kind.hypotheses[fit.hypothesis].count == self._highest and self._goes_on(k, fit, evidence, numbers):
            trust = min(trust, DISTRUST)
        return replace(fit, walls=walls, trust=trust)

    def _goes_on(self, k: int, fit: Fit, evidence: StackEvidence, numbers: Numbers) -> bool:
        """Whether a stack of the greatest height would fit even better if it were higher: then it is something else.

        One whose upper end nobody can see is believed only if a rider stands on it.
        """
        above = (self._scene.forms.above(k, fit.hypothesis, fit.shift) > 0) & (numbers == 0) & self._on_sheet
        if not above.any():
            return not fit.look
        return float((evidence.of(Part.WALL, fit.look) - evidence.sheet)[above].mean()) > 0.0

    def _lower_half(self, hypothesis: int) -> int:
        """The index of the same stack with half its pieces, rounded down."""
        whole = self._kind.hypotheses[hypothesis]
        return self._kind.hypotheses.index(replace(whole, count=max(1, whole.count // 2)))

    def _fit(self, k: int, standing: Mapping[int, Fit], evidence: StackEvidence) -> Fit:
        """The best stack in a place among these other stacks."""
        return self._fit_before(k, *self._scene.behind(k, standing, evidence), evidence)

    def _fit_before(
        self, k: int, behind: Floats, numbers: Numbers, evidence: StackEvidence, closely: bool = True
    ) -> Fit:
        """The best stack in a place in front of `behind` (log densities) and of stacks with these numbers (rows,
        columns).
        """
        return self._fitter.fit(self._scene.forms, k, evidence, behind, self._scene.in_view(k, numbers), closely)

    def _differ(self, k: int, before: Numbers, numbers: Numbers) -> bool:
        """Whether the stacks shown around a place have changed enough for another fit."""
        return float((before != numbers).sum()) * self._scene.forms.places[k].area > _LEAST_OTHER

    def _is_bare(self, k: int, sheet: npt.NDArray[np.float32], numbers: Numbers) -> bool:
        """Whether a visible place looks as printed."""
        foot = self._scene.forms.places[k].foot
        seen = foot[numbers.ravel()[foot] == 0]
        return bool(seen.size) and float(sheet.ravel()[seen].mean()) > _PLAIN

    def _prepare(self, pose: BoardPose) -> None:
        """Compute everything that depends on the pose."""
        self._pose, self._before, self._fits = pose, None, {}
        self._scene = StackScene(StackForms(self._board, self._kind, pose))
        ground = self._scene.forms.ground
        self._on_sheet = np.asarray(((ground >= 0) & (ground <= np.array(self._board.size))).all(axis=-1), bool)
        tilt = math.degrees(math.acos(min(1.0, abs(float(pose.rotation[2, 2])))))
        self._posteriors = StackPosteriors(self._kind, self._looks, float(pose.eye[2]), tilt)


def _reduced(image: Image, size: tuple[int, int]) -> Image:
    """A picture reduced to `size` (rows, columns): halved as often as possible, then interpolated."""
    while image.shape[0] >= 2 * size[0]:
        half = image.shape[1] // 2, image.shape[0] // 2
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.resize(image, size[::-1], interpolation=cv2.INTER_LINEAR), np.uint8)


def _standing(fits: Mapping[int, Fit], tiles: Sequence[float]) -> dict[int, Fit]:
    """The stacks that explain their place better than the sheet and than a tile."""
    return {k: fit for k, fit in fits.items() if fit.stands(tiles[k])}
