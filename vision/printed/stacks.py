"""Reads stacks: how many pieces stand on one another in a place, and what stands on top of them.

A stack is told by its whole silhouette, not by a crop: for every height and top its walls, its deck and its roof are
projected, and the pixels they cover are compared with what lies behind. Seen from straight above, heights look alike;
then several stay likely, and the reading says so.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board, Spot
from vision.colour import ColourCorrection
from vision.location.board_pose import BoardPose
from vision.pictures import Image
from vision.printed.appearance import off_paint
from vision.printed.canvas import Canvas
from vision.printed.foreign import foreign_in
from vision.printed.glare import Glare
from vision.printed.profile import Profile
from vision.printed.solids import Part
from vision.printed.stack_colours import StackColours, StackEvidence, learned
from vision.printed.stack_fits import StackFitter
from vision.printed.stack_forms import REACH, StackForms, StackKind
from vision.printed.stack_posteriors import DISTRUST, LEAST_SEEN, StackPosteriors
from vision.printed.stack_scenes import MODEL, PRIOR, Fit, StackScene

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int16]

_MOST_LOST = 0.25
"""The part of a place, or of the stack there, that may lie in glare or behind something foreign."""
_STANDS_OUT, _TOPS_OUT = 2.0, 0.3
"""Nats a pixel by which a stack that carries nothing, and its upper half and deck, must be seen to be trusted."""
_PARTED = 0.97
"""Part of a stack that is seen up to which it may really be a part of a nearer one."""
_PARTED_BY = 12.0
"""Nats by which two stacks must explain a picture better than the nearer one alone."""
_SHADOW = 0.5
_DEEPEST_SHADOW, _STRIDE, _BESIDE = 0.35, 3, 9
"""What the deepest shadow leaves of a colour where something foreign is looked for, in every so manieth row and column,
half so many pixels beside tiles.
"""
_STRAY_LIGHT = np.uint8(4)
"""Grey levels by which stray light and a camera's black may be off; in deep shadow that is much, as it is corrected."""
_AT_ONCE = 1 << 14
"""So many pixels are compared with the sheet at once."""
_PASSES, _LEARNING_PASSES = 4, 2
"""How often stacks are compared, and from which pass on only those are whose neighbours are now seen differently."""
_LEAST_OTHER = 50.0
"""Square millimetres around a place that must show other stacks than before for it to be compared again: below, of 190
comparisons none found anything else that more than two nats spoke for.
"""
_CHANGE, _CHANGED = 24, 0.004
"""A place is read again where more than this part of the pixels around it differ by more than so many grey levels."""
_SHEET, _BEST = -8.6, 90.0
"""Mean log density of the sheet where colours come out as printed, and the percentile of places by which it is seen how
well they do.
"""
_PLAIN = -9.2
"""Mean log density from which a place looks as it was printed."""
_UNLIKE_SHEET, _LIKE_RIDERS, _LEAST_RIDER = -12.0, 2.0, 120.0
"""Log density below which a sample is unlike the sheet, by how much what stands on stacks must explain it better, and
so many square millimetres of such samples that something of that kind may stand beside a place.
"""


@dataclass(frozen=True, slots=True)
class StackReading:
    """Posteriors of the stacks' spots, covered spots, and each pixel's stack: 0, or the number of its place from 1.

    `numbers` is of a reduced picture; `taken` is the probability that a stack stands on a site.
    """

    posteriors: Mapping[str, Mapping[str, float]]
    covered: frozenset[str]
    numbers: Numbers
    taken: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Samples:
    """Every `_STRIDE`-th pixel of the reduced picture: Lab, log density if it shows the sheet in however deep a shadow,
    and whether it would show the sheet if no stack stood there.
    """

    lab: Floats
    density: Floats
    on_sheet: Flags


class StackReader:
    """Reads the stacks of one board. Keeps what depends on the pose until the pose changes."""

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
        """Read all stacks before the canvas's tiles; `tiles` are log odds (nats) that a tile lies on a site instead,
        `laid` are the spots that tiles are taken to lie on.
        """
        if self._pose is not pose:
            self._stand(pose)
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
            shares, taken[place.spot.site] = self._told.of(place, fits.get(k), odds[k], seen)
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
        """How well each explanation explains the pixels around known stacks, and around the places of `order` that do
        not look bare or are `overlooked`; elsewhere is the sheet. Returns these places, too.
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
        """Some flat pixels after others, their Lab and their log densities if they show the sheet."""
        ground, flat = self._scene.forms.ground.reshape(-1, 2), small.reshape(-1, 3)
        for first in range(0, len(pixels), _AT_ONCE):
            some = pixels[first : first + _AT_ONCE]
            places = ground[some][None]
            lab = colours.to_lab(flat[some][None], places)
            yield some, lab[0], canvas.expect(places, _SHADOW).log_density(lab)[0]

    def _sampled(
        self, small: Image, colours: ColourCorrection, canvas: Canvas, laid: Iterable[Spot], glare: Glare
    ) -> _Samples:
        """The reduced picture's samples beside laid tiles and glare."""
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
        tiles = np.asarray(cv2.dilate(tiles, np.ones((_BESIDE, _BESIDE), np.uint8)), np.uint8)
        return _Samples(lab, density, self._on_sheet[samples] & (tiles[samples] == 0) & ~glare.at(ground))

    def _overlooked(self, samples: _Samples, standing: Mapping[int, Fit], bare: Iterable[int]) -> set[int]:
        """The places which look bare, but around which something unexplained has the colours of what stands on stacks:
        walls may look like the place that they hide.
        """
        scene, forms = self._scene, self._scene.forms
        numbers, _ = scene.shown(standing)
        near = cv2.dilate(numbers, np.ones((_BESIDE, _BESIDE), np.uint8))[::_STRIDE, ::_STRIDE] > 0
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
        """Hide what neither the sheet nor laid tiles nor these stacks explain; where (rows, columns) there is any."""
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
        """The places around which the reduced picture looks as it did when it was read last; if something was hidden
        in it, none unless all do.
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
        """Add to `fits` the best stack in every place of `order` that does not look bare or is `overlooked`, before
        those behind it; then again, knowing also those in front and what the stacks are made of. Returns the evidence
        that knows it.

        The farthest first: else a near place takes for its own storeys what stands behind it.
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
        """Join what was taken for two stacks and may be one, and see how well each fresh stack shows itself."""
        scene, standing = self._scene, _standing(fits, tiles)
        numbers, _ = scene.shown(standing)
        for k in [k for k in order if k in standing and scene.seen(k, standing[k], numbers) < _PARTED]:
            nearer = (j for j in scene.overlapping[k] if scene.rank[j] > scene.rank[k])
            for j in [j for j in nearer if j in standing and j in order]:
                alone = {i: fit for i, fit in standing.items() if i not in (j, k)}
                joined = self._fit(j, alone, known)
                whole, other = (scene.explained((j, k), each, known) for each in (standing, {**alone, j: joined}))
                if scene.worth(k, whole - other) >= _PARTED_BY - PRIOR:
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
        """A stack with how well its own pixels show it."""
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
        """Whether a stack would explain the picture even better if it were higher: then it is something else.

        One that ends where nobody can see that it does is believed only if something stands on it.
        """
        above = (self._scene.forms.above(k, fit.hypothesis, fit.shift) > 0) & (numbers == 0) & self._on_sheet
        if not above.any():
            return not fit.look
        return float((evidence.of(Part.WALL, fit.look) - evidence.sheet)[above].mean()) > 0.0

    def _lower_half(self, hypothesis: int) -> int:
        """The same stack with half its pieces, but for one that is left over."""
        whole = self._kind.hypotheses[hypothesis]
        return self._kind.hypotheses.index(replace(whole, count=max(1, whole.count // 2)))

    def _fit(self, k: int, standing: Mapping[int, Fit], evidence: StackEvidence) -> Fit:
        """The best stack in a place when these stand around it."""
        return self._fit_before(k, *self._scene.behind(k, standing, evidence), evidence)

    def _fit_before(
        self, k: int, behind: Floats, numbers: Numbers, evidence: StackEvidence, closely: bool = True
    ) -> Fit:
        """The best stack in a place before what is `behind`, of the stacks of these numbers (rows, columns)."""
        return self._fitter.fit(self._scene.forms, k, evidence, behind, self._scene.in_view(k, numbers), closely)

    def _differ(self, k: int, before: Numbers, numbers: Numbers) -> bool:
        """Whether enough of the pixels around a place show other stacks than before for another to fit better there."""
        return float((before != numbers).sum()) * self._scene.forms.places[k].area > _LEAST_OTHER

    def _is_bare(self, k: int, sheet: npt.NDArray[np.float32], numbers: Numbers) -> bool:
        """Whether a place that can be seen looks as it was printed."""
        foot = self._scene.forms.places[k].foot
        seen = foot[numbers.ravel()[foot] == 0]
        return bool(seen.size) and float(sheet.ravel()[seen].mean()) > _PLAIN

    def _stand(self, pose: BoardPose) -> None:
        """Work out what depends on the pose."""
        self._pose, self._before, self._fits = pose, None, {}
        self._scene = StackScene(StackForms(self._board, self._kind, pose))
        ground = self._scene.forms.ground
        self._on_sheet = np.asarray(((ground >= 0) & (ground <= np.array(self._board.size))).all(axis=-1), bool)
        tilt = math.degrees(math.acos(min(1.0, abs(float(pose.rotation[2, 2])))))
        self._told = StackPosteriors(self._kind, self._looks, float(pose.eye[2]), tilt)


def _reduced(image: Image, size: tuple[int, int]) -> Image:
    """A picture reduced to so many rows and columns: halved as often as may be, then interpolated."""
    while image.shape[0] >= 2 * size[0]:
        half = image.shape[1] // 2, image.shape[0] // 2
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.resize(image, size[::-1], interpolation=cv2.INTER_LINEAR), np.uint8)


def _standing(fits: Mapping[int, Fit], tiles: Sequence[float]) -> dict[int, Fit]:
    """The stacks that explain their place better than the sheet and than a tile."""
    return {k: fit for k, fit in fits.items() if fit.stands(tiles[k])}
