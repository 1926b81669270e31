"""Reads stacks: how many pieces stand on one another in a place, and what stands on top of them.

A stack is told by its whole silhouette, not by a crop: for every height and top its walls, its deck and its roof are
projected, and the pixels they cover are compared with what lies behind. Seen from straight above, heights look alike;
then several stay likely, and the reading says so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import EMPTY, Board, Piece, Spot
from vision.canvas import Canvas, even_density
from vision.colour import ColourCorrection, to_lab
from vision.likelihood import CORRELATION, softmax
from vision.pictures import Image
from vision.profile import Face, Profile
from vision.registration import BoardPose
from vision.solids import Part, draw_stack, rider_points

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Value = TypeVar("Value", bound=np.generic)

_RESOLUTION = 1.0
"""Pixels a millimetre at which stacks are compared."""
_REACH = 3
"""How far (pixels so reduced) a stack may stand from the middle of its place."""
_TURNS = (0.0, -6.0, 6.0)
"""Degrees that a stack may be turned."""
_SHADE = (0.42, 1.12)
"""How dark and how light a slope may look beside the piece's own colour."""
_PRIOR = -2.0
_DOUBT = 1e-4
_LEAST_SEEN = 0.3
"""A place is covered where less than this part of the lowest stack there could be seen."""
_MODEL = 0.35
"""What a nat of evidence is worth: neighbouring pixels of one surface err together, and forms are only nearly so."""
_OUT_OF_FORM = 2.0
"""Standard deviation (mm on the sheet) by which a stack's outline may stray from the form it is taken for."""
_PASSES = 2
_SHADOW = 0.5


_CLOSE, _MOST_CLOSE = 80.0, 5
"""Hypotheses so many nats behind the best, and so many of them, are looked at closely."""
_CHANGE, _CHANGED = 24, 0.004
"""A place is read again where more than this part of the pixels around it differ by more than so many grey levels."""
_PLAIN = -9.2
"""Mean log density from which a place looks as it was printed."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """So many pieces, and what stands on them: a kind of piece, "" for none, drawn in one of the forms it may have."""

    count: int
    rider: str
    form: str
    turn: float


@dataclass(frozen=True, slots=True)
class StackKind:
    """The stacked piece of a board and those that stand on it; the places (sites) are those of the stack."""

    piece: Piece
    riders: tuple[Piece, ...]
    spots: tuple[Spot, ...]
    hypotheses: tuple[Hypothesis, ...]


def stack_kind_of(board: Board) -> StackKind | None:
    """The stacks of a board; None where it has none."""
    piece = next((piece for piece in board.pieces.values() if piece.stacked), None)
    if piece is None:
        return None
    riders = tuple(rider for rider in board.pieces.values() if rider.raised_by == piece.name)
    forms = [("", "")] + [(rider.name, form) for rider in riders for form in _forms(rider)]
    spots = tuple(spot for spot in board.spots.values() if spot.piece == piece.name)
    counts = range(1, len(piece.labels) + 1)
    hypotheses = tuple(Hypothesis(n, rider, form, turn) for n, (rider, form), turn in product(counts, forms, _TURNS))
    return StackKind(piece, riders, spots, hypotheses)


def _forms(rider: Piece) -> tuple[str, ...]:
    return {"flat": ("box",), "dome": ("dome", "box"), "ridge": ("ridge", "ridge across", "box")}[rider.top]


@dataclass(frozen=True, slots=True)
class _Place:
    """One site under one pose, and where the patch of the reduced picture lies that may show a stack there."""

    spot: Spot
    corner: tuple[int, int]
    """row and column of the patch's first pixel"""
    size: tuple[int, int]
    """its rows and columns"""
    distance: float
    area: float
    """square millimetres of the sheet a pixel"""
    foot: npt.NDArray[np.bool_]
    """(rows, columns): the place itself"""

    def patch(self, picture: npt.NDArray[Value], shift: tuple[int, int] = (0, 0)) -> npt.NDArray[Value]:
        """The part of a picture (..., rows, columns) that the patch shows when it is shifted."""
        row, column = self.corner[0] + shift[0], self.corner[1] + shift[1]
        return picture[..., row : row + self.size[0], column : column + self.size[1]]


@dataclass(frozen=True, slots=True)
class _Fit:
    """How well each count (rows) with each look on top (columns, the first is none) explains a place, in nats.

    The best: its hypothesis, its look and how it is shifted (pixels).
    """

    scores: Doubles
    hypothesis: int
    look: int
    shift: tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Evidence:
    """Log densities of the reduced picture's pixels under each explanation."""

    sheet: Floats
    wall: Floats
    deck: Floats
    roofs: Floats
    """(looks, rows, columns)"""


@dataclass(frozen=True, slots=True)
class StackReading:
    """Posteriors of the stacks' spots, covered spots, and each pixel's stack: 0, or the number of its place from 1.

    `numbers` is of a reduced picture; `taken` is the probability that a stack stands on a site.
    """

    posteriors: Mapping[str, Mapping[str, float]]
    covered: frozenset[str]
    numbers: npt.NDArray[np.int16]
    taken: Mapping[str, float]


class StackReader:
    """Reads the stacks of one board. Keeps what depends on the pose until the pose changes."""

    def __init__(self, board: Board, profile: Profile, kind: StackKind) -> None:
        self._board, self._kind = board, kind
        deck = [profile.faces[kind.piece.name, label] for label in kind.piece.labels]
        self._deck = _bounds(deck)
        self._wall = _shaded(_mean(deck))
        self._looks = [("", "")] + [(rider.name, label) for rider in kind.riders for label in rider.labels]
        self._roofs = [_shaded(_mean([profile.faces[look]])) for look in self._looks[1:]]
        self._columns = {
            name: [c for c, look in enumerate(self._looks) if look[0] == name]
            for name in ("", *(rider.name for rider in kind.riders))
        }
        self.sites = frozenset(spot.site for spot in kind.spots)
        self._pose: BoardPose | None = None
        self._places: list[_Place] = []
        self._parts: dict[tuple[int, int], npt.NDArray[np.uint8]] = {}
        self._ground: Floats = np.zeros((0, 0, 2), np.float32)
        self._on_sheet: npt.NDArray[np.bool_] = np.zeros((0, 0), bool)
        self._before: Image | None = None
        self._fits: dict[int, _Fit] = {}
        self._scale = self._height = 1.0

    def read(
        self, image: Image, pose: BoardPose, colours: ColourCorrection, canvas: Canvas, tiles: Mapping[str, float]
    ) -> StackReading:
        """Read all stacks before the canvas's tiles; `tiles` are log odds (nats) that a tile lies on a site instead."""
        if self._pose is not pose:
            self._stand(pose)
        small = np.asarray(cv2.resize(image, self._ground.shape[1::-1], interpolation=cv2.INTER_AREA), np.uint8)
        lab = colours.to_lab(small, self._ground)
        wall, deck = even_density(lab, *self._wall), even_density(lab, *self._deck)
        roofs = np.stack([even_density(lab, *bounds) for bounds in self._roofs])
        sheet = canvas.expect(self._ground, _SHADOW).log_density(lab)
        # Nobody knows what the table beyond the sheet looks like: there nothing explains a pixel better than it does.
        unknown = np.maximum(np.maximum(wall, deck), roofs.max(axis=0))
        evidence = _Evidence(np.where(self._on_sheet, sheet, unknown), wall, deck, roofs)
        known = self._unchanged(small)
        odds = [_MODEL * tiles.get(place.spot.site, -1e3) for place in self._places]
        fits, numbers = self._explain(evidence, odds, known)
        self._before, self._fits = small, fits
        posteriors: dict[str, Mapping[str, float]] = {}
        covered: set[str] = set()
        for k, place in enumerate(self._places):
            shares = self._posteriors(place, fits.get(k), _MODEL * tiles.get(place.spot.site, -1e3))
            posteriors |= shares
            if self._hidden(k, numbers) > 1.0 - _LEAST_SEEN:
                covered.update(shares)
        taken = {place.spot.site: 1.0 - posteriors[place.spot.name][EMPTY] for place in self._places}
        return StackReading(posteriors, frozenset(covered), numbers, taken)

    def _unchanged(self, small: Image) -> frozenset[int]:
        """The places around which the reduced picture looks as it did when it was read last."""
        if self._before is None or self._before.shape != small.shape:
            return frozenset()
        other = cv2.absdiff(small, self._before).max(axis=2) > _CHANGE
        return frozenset(
            k for k, place in enumerate(self._places) if 0 not in place.size and place.patch(other).mean() < _CHANGED
        )

    def _explain(
        self, evidence: _Evidence, tiles: Sequence[float], known: frozenset[int]
    ) -> tuple[dict[int, _Fit], npt.NDArray[np.int16]]:
        """The best stack in every place, before those behind it; then once more, knowing also those in front.

        The farthest first: else a near place takes for its own storeys what stands behind it. For places that are
        `known` the fits of the last reading hold.
        """
        order = sorted(range(len(self._places)), key=lambda k: -self._places[k].distance)
        fits = {k: fit for k, fit in self._fits.items() if k in known}
        numbers, _ = self._painted({k: fit for k, fit in fits.items() if _stands(fit, tiles[k])}, evidence)
        order = [k for k in order if k not in known]
        for _ in range(_PASSES if order else 0):
            for k in order:
                if not self._places[k].foot.any() or (
                    k not in fits and self._is_bare(self._places[k], evidence.sheet, numbers)
                ):
                    continue
                standing = {other: fit for other, fit in fits.items() if other != k and _stands(fit, tiles[other])}
                numbers, behind = self._painted(standing, evidence)
                fits[k] = self._fit(k, evidence, behind, numbers)
            numbers, _ = self._painted({k: fit for k, fit in fits.items() if _stands(fit, tiles[k])}, evidence)
        return fits, numbers

    def _painted(self, standing: Mapping[int, _Fit], evidence: _Evidence) -> tuple[npt.NDArray[np.int16], Floats]:
        """Which stack each pixel shows when these stand, and how well it is then explained."""
        numbers = np.zeros(evidence.sheet.shape, np.int16)
        behind = evidence.sheet.copy()
        for k in sorted(standing, key=lambda k: -self._places[k].distance):
            place, fit = self._places[k], standing[k]
            parts = self._parts_of(k, fit.hypothesis)
            place.patch(numbers, fit.shift)[parts > 0] = k + 1
            into = place.patch(behind, fit.shift)
            roof = evidence.roofs[fit.look - 1] if fit.look else evidence.deck
            for part, density in ((Part.WALL, evidence.wall), (Part.DECK, evidence.deck), (Part.ROOF, roof)):
                np.copyto(into, place.patch(density, fit.shift), where=parts == part)
        return numbers, behind

    def _fit(self, k: int, evidence: _Evidence, behind: Floats, numbers: npt.NDArray[np.int16]) -> _Fit:
        """Compare all hypotheses roughly, then the likely ones closely."""
        place, hypotheses = self._places[k], self._kind.hypotheses
        nearer = np.array([False] + [each.distance < place.distance for each in self._places])
        scores = np.full((len(hypotheses), len(self._looks)), -np.inf)
        shifts = np.zeros((*scores.shape, 2), np.intp)
        rough = [h for h, hypothesis in enumerate(hypotheses) if hypothesis.turn == 0.0]
        steps = (-_REACH, 0, _REACH)
        self._compare(k, rough, list(product(steps, steps)), 2, evidence, behind, numbers, nearer, scores, shifts)
        best = scores.max(axis=1)
        likely = [h for h in rough if best[h] > best.max() - _CLOSE]
        likely = sorted(likely, key=lambda h: -best[h])[:_MOST_CLOSE]
        close = [j for h in likely for j in self._turned[h]]
        around = {tuple(shifts[h, int(scores[h].argmax())]) for h in likely}
        fine = {(r + dr, c + dc) for r, c in around for dr, dc in product((-1, 0, 1), repeat=2)}
        fine = {(r, c) for r, c in fine if max(abs(r), abs(c)) <= _REACH}
        scores[close] = -np.inf
        self._compare(k, close, sorted(fine), 1, evidence, behind, numbers, nearer, scores, shifts)
        table = np.full((len(self._kind.piece.labels), len(self._looks)), -np.inf)
        for h, hypothesis in enumerate(hypotheses):
            columns = self._columns[hypothesis.rider]
            row = hypothesis.count - 1
            table[row, columns] = np.maximum(table[row, columns], scores[h, columns])
        h, look = (int(v) for v in np.unravel_index(int(scores.argmax()), scores.shape))
        return _Fit(table, h, look, (int(shifts[h, look, 0]), int(shifts[h, look, 1])))

    def _compare(
        self, k: int, chosen: Sequence[int], moves: Sequence[tuple[int, int]], stride: int,
        evidence: _Evidence, behind: Floats, numbers: npt.NDArray[np.int16], nearer: npt.NDArray[np.bool_],
        scores: Doubles, shifts: npt.NDArray[np.intp],
    ) -> None:  # fmt: skip
        """Raise the scores of some hypotheses to their best over some shifts, looking at every `stride`-th pixel."""
        place = self._places[k]
        parts = np.stack([self._parts_of(k, h)[::stride, ::stride].ravel() for h in chosen])
        walls, decks, roofs = ((parts == part).astype(np.float32) for part in (Part.WALL, Part.DECK, Part.ROOF))
        worth = _MODEL * place.area * stride**2 / CORRELATION
        for move in moves:
            seen = ~nearer[place.patch(numbers, move)[::stride, ::stride]]
            weight = np.where(seen, np.float32(worth), np.float32(0))
            under = place.patch(behind, move)[::stride, ::stride]

            wall, deck, *tops = (
                ((place.patch(density, move)[::stride, ::stride] - under) * weight).ravel()
                for density in (evidence.wall, evidence.deck, *evidence.roofs)
            )
            body = walls @ wall + decks @ deck
            roof = roofs @ np.array(tops).T
            found = np.concatenate([body[:, None], body[:, None] + roof], axis=1)
            for row, h in enumerate(chosen):
                columns = self._columns[self._kind.hypotheses[h].rider]
                better = [c for c in columns if found[row, c] > scores[h, c]]
                scores[h, better] = found[row, better]
                shifts[h, better] = move

    def _posteriors(self, place: _Place, fit: _Fit | None, tile: float) -> dict[str, Mapping[str, float]]:
        """Probabilities of the labels of the stack's and its riders' spots at a place."""
        site, counts = place.spot.site, self._kind.piece.labels
        table = np.full((len(counts), len(self._looks)), -60.0)
        if fit is not None:
            table = np.maximum(fit.scores + _PRIOR - math.log(table.size), -60.0)
        shares = softmax(np.concatenate([[0.0, max(tile, -60.0)], table.ravel()]))
        none = float(shares[:2].sum())
        grid = self._blurred(shares[2:].reshape(table.shape), place)
        result: dict[str, Mapping[str, float]] = {place.spot.name: _spread([none, *grid.sum(axis=1)], (EMPTY, *counts))}
        for rider in self._kind.riders:
            columns = self._columns[rider.name]
            own = grid[:, columns].sum(axis=0)
            result[f"{rider.name} {site}"] = _spread([1.0 - own.sum(), *own], (EMPTY, *rider.labels))
        return result

    def _blurred(self, grid: Doubles, place: _Place) -> Doubles:
        """Share the probability of counts (rows) with their neighbours as far as the view tells them apart badly."""
        apart = self._kind.piece.height * place.distance / self._height
        leak = math.exp(-0.5 * (apart / _OUT_OF_FORM) ** 2)
        spread = grid.copy()
        spread[1:] += leak * grid[:-1]
        spread[:-1] += leak * grid[1:]
        return np.asarray(spread * (grid.sum() / max(float(spread.sum()), 1e-12)))

    def _is_bare(self, place: _Place, sheet: Floats, numbers: npt.NDArray[np.int16]) -> bool:
        """Whether a place that can be seen looks as it was printed."""
        seen = place.foot & (place.patch(numbers) == 0)
        return bool(seen.any()) and float(place.patch(sheet)[seen].mean()) > _PLAIN

    def _hidden(self, k: int, numbers: npt.NDArray[np.int16]) -> float:
        """The part of a place that other stacks hide."""
        there = self._places[k].patch(numbers)[self._places[k].foot]
        return float(((there != 0) & (there != k + 1)).mean()) if there.size else 1.0

    def _stand(self, pose: BoardPose) -> None:
        """Work out what depends on the pose."""
        self._pose = pose
        self._before, self._fits = None, {}
        middle = np.array([[self._board.size[0] / 2 + dx, self._board.size[1] / 2, 0.0] for dx in (-50, 50)])
        per_mm = float(np.linalg.norm(np.diff(pose.project(middle), axis=0))) / 100
        self._scale = min(1.0, _RESOLUTION / per_mm)
        width, height = (round(side * self._scale) for side in (pose.camera.width, pose.camera.height))
        self._ground = _ground(pose, width, height, self._scale)
        within = (self._ground >= 0) & (self._ground <= np.array(self._board.size))
        self._on_sheet = np.asarray(within.all(axis=-1), bool)
        eye = pose.eye
        self._height = float(eye[2])
        self._places = [
            self._place(spot, pose, (height, width), math.dist(spot.centre, eye[:2])) for spot in self._kind.spots
        ]
        turned: dict[tuple[int, str, str], list[int]] = {}
        for h, each in enumerate(self._kind.hypotheses):
            turned.setdefault((each.count, each.rider, each.form), []).append(h)
        self._parts = {}
        self._turned = [turned[each.count, each.rider, each.form] for each in self._kind.hypotheses]

    def _place(self, spot: Spot, pose: BoardPose, shape: tuple[int, int], distance: float) -> _Place:
        own = np.array(spot.outline)
        kind = self._kind
        highest = kind.piece.height * len(kind.piece.labels) + max((r.height for r in kind.riders), default=0.0)
        wide = (own - own.mean(axis=0)) * 1.2 + own.mean(axis=0)
        ends = np.concatenate([np.column_stack([wide, np.full(len(wide), z)]) for z in (0.0, highest)])
        pixels = pose.project(ends) * self._scale
        limits = np.array(shape[::-1]) - _REACH
        low = np.clip(np.floor(pixels.min(axis=0)).astype(int), _REACH, limits)
        high = np.clip(np.ceil(pixels.max(axis=0)).astype(int) + 1, low, limits)
        size = (int(high[1] - low[1]), int(high[0] - low[0]))
        foot = np.zeros(size, np.uint8)
        if 0 not in size:
            draw_stack(foot, pose, own, 0.0, None, low, self._scale)
        flat = pose.project(np.column_stack([own, np.zeros(len(own))])) * self._scale
        covered = abs(float(cv2.contourArea(flat.astype(np.float32))))
        area = float(cv2.contourArea(own.astype(np.float32))) / max(covered, 1.0)
        return _Place(spot, (int(low[1]), int(low[0])), size, distance, area, foot > 0)

    def _parts_of(self, k: int, h: int) -> npt.NDArray[np.uint8]:
        """What each pixel (rows, columns) of a place's patch shows under a hypothesis, as `Part`."""
        if (k, h) not in self._parts and self._pose is not None:
            place, kind, hypothesis = self._places[k], self._kind, self._kind.hypotheses[h]
            height, rider = kind.piece.height * hypothesis.count, None
            if hypothesis.rider:
                there = np.array(self._board.spots[f"{hypothesis.rider} {place.spot.site}"].outline)
                rise = self._board.pieces[hypothesis.rider].height
                rider = rider_points(hypothesis.form, _turned(there, hypothesis.turn), height, rise)
            parts, low = np.zeros(place.size, np.uint8), np.array(place.corner[::-1])
            outline = _turned(np.array(place.spot.outline), hypothesis.turn)
            draw_stack(parts, self._pose, outline, height, rider, low, self._scale)
            self._parts[k, h] = parts
        return self._parts[k, h]


def _stands(fit: _Fit, tile: float) -> bool:
    """Whether a stack explains a place better than the bare sheet and than a tile."""
    return bool(fit.scores.max() + _PRIOR > max(0.0, tile))


def _turned(outline: Doubles, degrees: float) -> Doubles:
    middle = outline.mean(axis=0)
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.asarray((outline - middle) @ np.array([[cosine, sine], [-sine, cosine]]) + middle)


def _ground(pose: BoardPose, width: int, height: int, scale: float) -> Floats:
    """The board places (rows, columns, 2) that the pixels of the reduced picture show."""
    step = 8
    rows, columns = (np.arange(0, side + step, step) for side in (height, width))
    grid = np.stack(np.meshgrid(columns, rows), axis=-1)
    coarse = pose.to_board(((grid.reshape(-1, 2) + 0.5) / scale - 0.5).astype(np.float64)).reshape(*grid.shape)
    x, y = np.meshgrid(np.arange(width, dtype=np.float32) / step, np.arange(height, dtype=np.float32) / step)
    return np.asarray(cv2.remap(coarse, x, y, cv2.INTER_LINEAR), np.float32)


def _mean(faces: Sequence[Face]) -> npt.NDArray[np.float64]:
    """The mean BGR of faces."""
    means = np.array([cv2.mean(face.image, face.mask)[:3] for face in faces], np.float64)
    return np.asarray(means.mean(axis=0))


def _shaded(colour: npt.NDArray[np.float64]) -> tuple[Floats, Floats]:
    """Least and most Lab (3,) of a body of this BGR colour, whichever way its surface slopes."""
    lab = to_lab(np.round(colour).astype(np.uint8)[None])[0]
    ends = np.stack([lab * _SHADE[0], lab * _SHADE[1]])
    return ends.min(axis=0), ends.max(axis=0)


def _bounds(faces: Sequence[Face]) -> tuple[Floats, Floats]:
    """Least and most Lab (3,) of what is printed on faces, in light or in shadow."""
    lab = np.concatenate([to_lab(face.image[face.mask > 127]) for face in faces])
    low, high = np.percentile(lab, (5, 95), axis=0)
    return np.minimum(low, low * 0.6).astype(np.float32), np.maximum(high, high * 0.6).astype(np.float32)


def _spread(shares: Sequence[float], labels: Sequence[str]) -> Mapping[str, float]:
    doubted = np.maximum(np.array(shares), 0.0) + _DOUBT
    return dict(zip(labels, (doubted / doubted.sum()).tolist(), strict=True))
