"""Reads stacks: how many pieces stand on one another in a place, and what stands on top of them.

A stack is told by its whole silhouette, not by a crop: for every height and top its walls, its deck and its roof are
projected, and the pixels they cover are compared with what lies behind. Seen from straight above, heights look alike;
then several stay likely, and the reading says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import EMPTY, Board
from vision.canvas import Canvas
from vision.colour import ColourCorrection
from vision.likelihood import CORRELATION, softmax
from vision.pictures import Image
from vision.profile import Profile
from vision.registration import BoardPose
from vision.solids import Part
from vision.stack_colours import Evidence, StackColours, learned
from vision.stack_forms import REACH, Place, StackForms, StackKind

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int16]
Shift = tuple[int, int]

_PRIOR = -2.0
_DOUBT = 1e-4
_LEAST_SEEN = 0.3
"""A place is covered where less than this part of it, or of the stack there, is seen."""
_MODEL = 0.35
"""What a nat of evidence is worth: neighbouring pixels of one surface err together, and forms are only nearly so."""
_ASTRAY = 1.2
"""Standard deviation (mm) by which stacks stand beside the middle of their place."""
_OUT_OF_FORM, _STEEP = 2.8, 25.0
"""Standard deviation (mm on the sheet) by which a stack's outline may stray from the form it is taken for; twice that
straight from above and falling to this many degrees, for there height and focal length of the camera look alike.
"""
_LIKE_THE_SHEET, _BLURRED_BY = 0.8, 0.5
"""Nats a pixel from which a stack's walls stand out from what lies behind, and how much more each nat that is missing
leaves heights open.
"""
_STANDS_OUT, _TRUST = 2.0, 0.3
"""Nats a pixel by which a stack that carries nothing must be seen, and how far a reading is trusted that is not."""
_PARTED = 0.9
"""Part of a stack that is seen up to which it may really be a part of a nearer one."""
_PARTED_BY = 12.0
"""Nats by which two stacks must explain a picture better than the nearer one alone."""
_SHADOW = 0.5
_PASSES, _LEARNING_PASSES = 4, 2
"""How often stacks are compared, and from which pass on only those are whose neighbours are now seen differently."""
_CLOSE, _MOST_CLOSE = 60.0, 5
"""Hypotheses so many nats behind the best, and so many of them, are looked at closely."""
_ROUGH_MOVES = tuple((row, column) for row in (-REACH, 0, REACH) for column in (-REACH, 0, REACH))
_CHANGE, _CHANGED = 24, 0.004
"""A place is read again where more than this part of the pixels around it differ by more than so many grey levels."""
_PLAIN = -9.2
"""Mean log density from which a place looks as it was printed."""


@dataclass(frozen=True, slots=True)
class _Fit:
    """How well each count (rows) with each look on top (columns, the first is none) explains a place, in nats.

    The best: its hypothesis, its look and how it is shifted (pixels). `walls` are the nats a pixel by which its walls
    stand out, `trust` how far the reading is trusted.
    """

    scores: Doubles
    hypothesis: int
    look: int
    shift: Shift
    walls: float = _LIKE_THE_SHEET
    trust: float = 1.0


@dataclass(frozen=True, slots=True)
class StackReading:
    """Posteriors of the stacks' spots, covered spots, and each pixel's stack: 0, or the number of its place from 1.

    `numbers` is of a reduced picture; `taken` is the probability that a stack stands on a site.
    """

    posteriors: Mapping[str, Mapping[str, float]]
    covered: frozenset[str]
    numbers: Numbers
    taken: Mapping[str, float]


class StackReader:
    """Reads the stacks of one board. Keeps what depends on the pose until the pose changes."""

    def __init__(self, board: Board, profile: Profile, kind: StackKind) -> None:
        self._board, self._kind = board, kind
        self._looks = [("", "")] + [(rider.name, label) for rider in kind.riders for label in rider.labels]
        self._colours = StackColours(profile, kind, self._looks[1:])
        names = [name for name, _ in self._looks]
        self._columns = {name: [c for c, each in enumerate(names) if each == name] for name in names}
        self._possible = np.array([[name == each.rider for name in names] for each in kind.hypotheses])
        alike: dict[tuple[int, str, str], list[int]] = {}
        for h, each in enumerate(kind.hypotheses):
            alike.setdefault((each.count, each.rider, each.form), []).append(h)
        self._turned = [alike[each.count, each.rider, each.form] for each in kind.hypotheses]
        self.sites = frozenset(spot.site for spot in kind.spots)
        self._pose: BoardPose | None = None
        self._before: Image | None = None
        self._fits: dict[int, _Fit] = {}
        self._height, self._out_of_form = 1.0, _OUT_OF_FORM

    def read(
        self, image: Image, pose: BoardPose, colours: ColourCorrection, canvas: Canvas, tiles: Mapping[str, float]
    ) -> StackReading:
        """Read all stacks before the canvas's tiles; `tiles` are log odds (nats) that a tile lies on a site instead."""
        if self._pose is not pose:
            self._stand(pose)
        forms = self._forms
        small = np.asarray(cv2.resize(image, forms.whole[::-1], interpolation=cv2.INTER_AREA)[forms.window], np.uint8)
        known = self._unchanged(small)
        order = [k for k in self._order if k not in known and forms.places[k].foot.any()]
        odds = [_MODEL * tiles.get(place.spot.site, -1e3) for place in forms.places]
        fits = {k: fit for k, fit in self._fits.items() if k in known}
        if order:
            lab = colours.to_lab(small, forms.ground)
            sheet = canvas.expect(forms.ground, _SHADOW).log_density(lab)
            evidence = self._colours.evidence(lab, sheet, self._on_sheet)
            self._explain(evidence, odds, order, fits)
            self._examine(evidence, odds, order, fits)
        self._before, self._fits = small, fits
        numbers, _ = self._shown({k: fit for k, fit in fits.items() if _stands(fit, odds[k])}, forms.shape)
        posteriors: dict[str, Mapping[str, float]] = {}
        covered: set[str] = set()
        for k, place in enumerate(forms.places):
            shares = self._posteriors(place, fits.get(k), odds[k])
            posteriors |= shares
            if self._seen(k, fits.get(k), odds[k], numbers) < _LEAST_SEEN:
                covered.update(shares)
        taken = {place.spot.site: 1.0 - posteriors[place.spot.name][EMPTY] for place in forms.places}
        whole = np.zeros(forms.whole, np.int16)
        whole[forms.window] = numbers
        return StackReading(posteriors, frozenset(covered), whole, taken)

    def _unchanged(self, small: Image) -> frozenset[int]:
        """The places around which the reduced picture looks as it did when it was read last."""
        if self._before is None or self._before.shape != small.shape:
            return frozenset()
        blue, green, red = cv2.split(cv2.absdiff(small, self._before))
        other = cv2.max(cv2.max(blue, green), red) > _CHANGE
        return frozenset(
            k
            for k, place in enumerate(self._forms.places)
            if 0 not in place.size and place.patch(other).mean() < _CHANGED
        )

    def _explain(self, evidence: Evidence, tiles: Sequence[float], order: Sequence[int], fits: dict[int, _Fit]) -> None:
        """Add to `fits` the best stack in every place of `order`, before those behind it; then again, knowing also
        those in front and what the stacks are made of.

        The farthest first: else a near place takes for its own storeys what stands behind it.
        """
        before: dict[int, object] = {}
        for number in range(_PASSES):
            standing = {k: fit for k, fit in fits.items() if _stands(fit, tiles[k])}
            numbers, walls = self._shown(standing, evidence.sheet.shape)
            known_colours = learned(evidence, walls)
            for k in order:
                if k not in fits and self._is_bare(k, evidence.sheet, numbers):
                    continue
                standing.pop(k, None)
                around = [(j, standing[j].hypothesis, standing[j].shift) for j in self._overlapping[k] if j in standing]
                if number >= _LEARNING_PASSES and before.get(k) == around:
                    if _stands(fits[k], tiles[k]):
                        standing[k] = fits[k]
                    continue
                before[k] = around
                behind, numbers_here = self._behind(k, standing, known_colours)
                fits[k] = self._fit(k, known_colours, behind, numbers_here)
                if _stands(fits[k], tiles[k]):
                    standing[k] = fits[k]

    def _examine(self, evidence: Evidence, tiles: Sequence[float], order: Sequence[int], fits: dict[int, _Fit]) -> None:
        """Join what was taken for two stacks and may be one, and see how well each fresh stack shows itself."""
        standing = {k: fit for k, fit in fits.items() if _stands(fit, tiles[k])}
        numbers, walls = self._shown(standing, evidence.sheet.shape)
        known = learned(evidence, walls)
        fresh = frozenset(order)
        for k in [k for k in order if k in standing and self._seen(k, fits[k], tiles[k], numbers) < _PARTED]:
            whole = self._explained(standing, known)
            for j in self._overlapping[k]:
                if j not in standing or j not in fresh or self._rank[j] < self._rank[k]:
                    continue
                alone = {i: fit for i, fit in standing.items() if i not in (j, k)}
                joined = self._fit(j, known, *self._behind(j, alone, known))
                lead = whole - self._explained({**alone, j: joined}, known)
                if lead * _MODEL * self._forms.places[k].area / CORRELATION >= _PARTED_BY - _PRIOR:
                    continue
                fits[k] = self._fit(k, known, *self._behind(k, {**alone, j: joined}, known))
                fits[j] = replace(joined, trust=_TRUST if _stands(fits[k], tiles[k]) else 1.0)
                standing = {i: fit for i, fit in fits.items() if _stands(fit, tiles[i])}
                break
        numbers, _ = self._shown(standing, evidence.sheet.shape)
        for k in order:
            if k in standing:
                fits[k] = self._examined(k, standing, known, numbers)

    def _examined(self, k: int, standing: Mapping[int, _Fit], evidence: Evidence, numbers: Numbers) -> _Fit:
        """A stack with how well its own pixels show it."""
        place, fit = self._forms.places[k], standing[k]
        behind, _ = self._behind(
            k, {j: each for j, each in standing.items() if self._rank[j] < self._rank[k]}, evidence
        )
        (row, column), (rows, columns) = (REACH + fit.shift[0], REACH + fit.shift[1]), place.size
        own = place.patch(numbers, fit.shift) == k + 1
        parts = np.where(own, self._forms.parts(k, fit.hypothesis), Part.NONE)
        gain = np.zeros(parts.shape, np.float32)
        for part in (Part.WALL, Part.DECK, Part.ROOF):
            np.copyto(gain, place.patch(evidence.of(part, fit.look), fit.shift), where=parts == part)
        gain -= behind[row : row + rows, column : column + columns]
        wall = parts == Part.WALL
        walls = float(gain[wall].mean()) if wall.any() else 0.0
        plain = not fit.look and (not own.any() or float(gain[own & (parts > 0)].mean()) < _STANDS_OUT)
        return replace(fit, walls=walls, trust=min(fit.trust, _TRUST if plain else 1.0))

    def _explained(self, standing: Mapping[int, _Fit], evidence: Evidence) -> float:
        """The log density of the whole picture when these stand."""
        best = evidence.sheet.copy()
        for k in self._far_to_near(standing):
            place, fit = self._forms.places[k], standing[k]
            parts, there = self._forms.parts(k, fit.hypothesis), place.patch(best, fit.shift)
            for part in (Part.WALL, Part.DECK, Part.ROOF):
                np.copyto(there, place.patch(evidence.of(part, fit.look), fit.shift), where=parts == part)
        return float(best.sum(dtype=np.float64))

    def _shown(self, standing: Mapping[int, _Fit], shape: tuple[int, ...]) -> tuple[Numbers, Flags]:
        """Which stack each pixel shows when these stand, and where walls are seen."""
        numbers, parts = np.zeros(shape, np.int16), np.zeros(shape, np.uint8)
        for k in self._far_to_near(standing):
            place, fit = self._forms.places[k], standing[k]
            there = self._forms.parts(k, fit.hypothesis)
            place.patch(numbers, fit.shift)[there > 0] = k + 1
            np.copyto(place.patch(parts, fit.shift), there, where=there > 0)
        return numbers, parts == Part.WALL

    def _behind(self, k: int, standing: Mapping[int, _Fit], evidence: Evidence) -> tuple[Floats, Numbers]:
        """How well the pixels around a place are explained by the other stacks, and which of them each shows.

        Both (rows, columns) of the place's patch with `REACH` around it.
        """
        (row, column), (rows, columns) = self._forms.places[k].corner, self._forms.places[k].size
        window = slice(row - REACH, row + rows + REACH), slice(column - REACH, column + columns + REACH)
        best = evidence.sheet[window].copy()
        numbers = np.zeros(best.shape, np.int16)
        for other in self._far_to_near(j for j in self._overlapping[k] if j in standing):
            place, fit = self._forms.places[other], standing[other]
            top = place.corner[0] + fit.shift[0] - window[0].start
            left = place.corner[1] + fit.shift[1] - window[1].start
            here = slice(max(top, 0), max(top + place.size[0], 0)), slice(max(left, 0), max(left + place.size[1], 0))
            if not numbers[here].size:
                continue
            shape = numbers[here].shape
            first = max(-top, 0), max(-left, 0)
            theirs = slice(first[0], first[0] + shape[0]), slice(first[1], first[1] + shape[1])
            parts = self._forms.parts(other, fit.hypothesis)[theirs]
            numbers[here][parts > 0] = other + 1
            for part in (Part.WALL, Part.DECK, Part.ROOF):
                density = place.patch(evidence.of(part, fit.look), fit.shift)[theirs]
                np.copyto(best[here], density, where=parts == part)
        return best, numbers

    def _fit(self, k: int, evidence: Evidence, behind: Floats, numbers: Numbers) -> _Fit:
        """Compare all hypotheses roughly, then the likely ones closely."""
        hypotheses = self._kind.hypotheses
        view = _View(k, self._forms.places[k], evidence, behind, ~self._nearer[k][numbers])
        scores = np.full((len(hypotheses), len(self._looks)), -np.inf)
        shifts = np.zeros((*scores.shape, 2), np.intp)
        rough = [h for h, hypothesis in enumerate(hypotheses) if hypothesis.turn == 0.0]
        self._compare(view, rough, _ROUGH_MOVES, 2, scores, shifts)
        best = scores.max(axis=1)
        likely = sorted((h for h in rough if best[h] > best.max() - _CLOSE), key=lambda h: -best[h])[:_MOST_CLOSE]
        close = [j for h in likely for j in self._turned[h]]
        around = {tuple(shifts[h, int(scores[h].argmax())]) for h in likely}
        fine = {(int(r + dr), int(c + dc)) for r, c in around for dr, dc in product((-1, 0, 1), repeat=2)}
        scores[close] = -np.inf
        self._compare(view, close, sorted(s for s in fine if max(map(abs, s)) <= REACH), 1, scores, shifts)
        table = np.full((len(self._kind.piece.labels), len(self._looks)), -np.inf)
        for h, hypothesis in enumerate(hypotheses):
            np.maximum(table[hypothesis.count - 1], scores[h], out=table[hypothesis.count - 1])
        h, look = (int(v) for v in np.unravel_index(int(scores.argmax()), scores.shape))
        return _Fit(table, h, look, (int(shifts[h, look, 0]), int(shifts[h, look, 1])))

    def _compare(
        self, view: _View, chosen: Sequence[int], moves: Iterable[Shift], stride: int, scores: Doubles,
        shifts: npt.NDArray[np.intp],
    ) -> None:  # fmt: skip
        """Raise the scores of some hypotheses to their best over some shifts, looking at every `stride`-th pixel."""
        parts = np.stack([self._forms.parts(view.number, h)[::stride, ::stride].ravel() for h in chosen])
        walls, decks, roofs = ((parts == part).astype(np.float32) for part in (Part.WALL, Part.DECK, Part.ROOF))
        worth = _MODEL * view.place.area * stride**2 / CORRELATION
        possible, reached, places = self._possible[chosen], scores[chosen], shifts[chosen]
        for move in moves:
            wall, deck, tops = view.gains(move, stride)
            body = walls @ wall + decks @ deck
            found = np.concatenate([body[:, None], body[:, None] + roofs @ tops.T], axis=1) * worth
            found = found - 0.5 * (view.place.away(move) / _ASTRAY) ** 2
            better = possible & (found > reached)
            reached[better], places[better] = found[better], move
        scores[chosen], shifts[chosen] = reached, places

    def _posteriors(self, place: Place, fit: _Fit | None, tile: float) -> dict[str, Mapping[str, float]]:
        """Probabilities of the labels of the stack's and its riders' spots at a place."""
        site, counts = place.spot.site, self._kind.piece.labels
        table = np.full((len(counts), len(self._looks)), -60.0)
        if fit is not None:
            table = np.maximum(fit.scores + _PRIOR - math.log(table.size), -60.0)
        shares = softmax(np.concatenate([[0.0, max(tile, -60.0)], table.ravel()]))
        none = float(shares[:2].sum())
        grid = self._blurred(shares[2:].reshape(table.shape), place, fit)
        trust = fit.trust if fit is not None else 1.0
        result: dict[str, Mapping[str, float]] = {
            place.spot.name: _spread([none, *grid.sum(axis=1)], (EMPTY, *counts), trust)
        }
        for rider in self._kind.riders:
            columns = self._columns[rider.name]
            own = grid[:, columns].sum(axis=0)
            result[f"{rider.name} {site}"] = _spread([1.0 - own.sum(), *own], (EMPTY, *rider.labels), trust)
        return result

    def _blurred(self, grid: Doubles, place: Place, fit: _Fit | None) -> Doubles:
        """Share the probability of counts (rows) with others as far as the view tells them apart badly."""
        unlike = min(fit.walls, _LIKE_THE_SHEET) if fit is not None else _LIKE_THE_SHEET
        stray = self._out_of_form * (1.0 + _BLURRED_BY * (_LIKE_THE_SHEET - unlike))
        apart = self._kind.piece.height * place.distance / self._height
        steps = np.arange(len(grid))
        alike = np.exp(-0.5 * ((steps[:, None] - steps) * apart / stray) ** 2)
        spread = alike @ grid
        return np.asarray(spread * (grid.sum() / max(float(spread.sum()), 1e-12)))

    def _is_bare(self, k: int, sheet: Floats, numbers: Numbers) -> bool:
        """Whether a place that can be seen looks as it was printed."""
        place = self._forms.places[k]
        seen = place.foot & (place.patch(numbers) == 0)
        return bool(seen.any()) and float(place.patch(sheet)[seen].mean()) > _PLAIN

    def _seen(self, k: int, fit: _Fit | None, tile: float, numbers: Numbers) -> float:
        """The part of a place, or of the stack that stands there, that other stacks leave in view."""
        place = self._forms.places[k]
        if fit is None or not _stands(fit, tile):
            there = place.patch(numbers)[place.foot]
        else:
            there = place.patch(numbers, fit.shift)[self._forms.parts(k, fit.hypothesis) > 0]
        return float(((there == 0) | (there == k + 1)).mean()) if there.size else 0.0

    def _far_to_near(self, standing: Iterable[int]) -> list[int]:
        return sorted(standing, key=self._rank.__getitem__)

    def _stand(self, pose: BoardPose) -> None:
        """Work out what depends on the pose."""
        self._pose, self._before, self._fits = pose, None, {}
        self._forms = StackForms(self._board, self._kind, pose)
        ground = self._forms.ground
        self._on_sheet = np.asarray(((ground >= 0) & (ground <= np.array(self._board.size))).all(axis=-1), bool)
        self._height = float(pose.eye[2])
        tilt = math.degrees(math.acos(min(1.0, abs(float(pose.rotation[2, 2])))))
        self._out_of_form = _OUT_OF_FORM * (1.0 + max(0.0, 1.0 - tilt / _STEEP))
        away = np.array([place.distance for place in self._forms.places])
        self._order = [int(k) for k in np.argsort(-away, kind="stable")]
        self._rank = {k: n for n, k in enumerate(self._order)}
        self._overlapping = _overlapping(self._forms.places)
        self._nearer = np.concatenate([np.zeros((len(away), 1), bool), away[None] < away[:, None]], axis=1)
        """(places, places + 1): whether the stack of a number, 0 for none, stands nearer than a place."""


@dataclass(frozen=True, slots=True)
class _View:
    """What is to be explained around a place: `behind` and `seen` (rows, columns) are of its patch with `REACH` around
    it, log densities under what else stands there, and whether that leaves the place in view.
    """

    number: int
    place: Place
    evidence: Evidence
    behind: Floats
    seen: Flags

    def gains(self, move: Shift, stride: int) -> tuple[Floats, Floats, Floats]:
        """What wall and deck (pixels,) and each roof (looks, pixels) explain better, for a stack so shifted."""
        rows, columns = self.place.size
        top, left = REACH + move[0], REACH + move[1]
        part = np.s_[top : top + rows : stride, left : left + columns : stride]
        under, weight = self.behind[part], self.seen[part].astype(np.float32)
        wall, deck = (
            (self.place.patch(density, move)[::stride, ::stride] - under) * weight
            for density in (self.evidence.wall, self.evidence.deck)
        )
        roofs = (self.place.patch(self.evidence.roofs, move)[:, ::stride, ::stride] - under) * weight
        return wall.ravel(), deck.ravel(), roofs.reshape(len(roofs), -1)


def _overlapping(places: Sequence[Place]) -> list[list[int]]:
    """For each place the others whose patches may show its stack, or hide it."""
    low = np.array([place.corner for place in places]) - 2 * REACH
    high = low + np.array([place.size for place in places]) + 4 * REACH
    meet = ((low[:, None] < high[None]) & (low[None] < high[:, None])).all(axis=2)
    np.fill_diagonal(meet, False)
    return [[int(j) for j in np.flatnonzero(row)] for row in meet]


def _stands(fit: _Fit, tile: float) -> bool:
    """Whether a stack explains a place better than the bare sheet and than a tile."""
    return bool(fit.scores.max() + _PRIOR > max(0.0, tile))


def _spread(shares: Sequence[float], labels: Sequence[str], trust: float) -> Mapping[str, float]:
    """The probabilities of labels, as far as these are trusted; for the rest all are alike."""
    doubted = trust * np.maximum(np.array(shares), 0.0) + (1.0 - trust) / len(labels) + _DOUBT
    return dict(zip(labels, (doubted / doubted.sum()).tolist(), strict=True))
