"""Finds a regular grid of known size in a picture without help: lines, their two vanishing points, two combs of lines.

Each of a grid's two families of lines meets in a vanishing point. The homography that sends these points to infinity
along x and y leaves a lattice of rectangles, whose lines are then found along one axis at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.grid import SquareGrid
from vision.location.flat_pose import FlatPose, normalised
from vision.location.grid_lines import LineFit, fit_lines, line_places, line_views, weigh_lines
from vision.pictures import Gray, Image

Floats = npt.NDArray[np.float64]

_WORKING_SIDE = 1000
"""Longer side (pixels) at which pictures are searched: the working size."""
_SHORTEST = 10.0
"""Shortest line segment (working pixels) whose direction is precise enough."""
_AIM = np.sin(np.radians(1.2))
"""Sine of the angle by which a segment may miss its vanishing point."""
_TRIALS = 600
"""Random pairs of segments tried for a vanishing point."""
_STARTS = 4
"""Families of lines from which the search starts."""
_ROUNDS = 2
"""Times that each family is searched again in the region of the other."""
_STRAY = 0.02
"""Share of a family's segments, at either end, that is ignored when its region is computed."""
_SLACK = 0.08
"""Part of its size by which that region is widened."""
_COMBS = 4
"""Combs of each family that are tried with those of the other."""
_TOOTH = 0.08
"""Distance, in parts of the comb's period, by which a line may miss its position in the comb."""
LEAST_SUPPORT = 0.35
"""Smallest share of a grid's stretches of line that must be where expected."""
_LEAST_SEEN = 0.8
"""Smallest share of whole lines with something visible."""
_LEAST_RIM = 0.1
"""Smallest excess of `LineFit.standing` over the support: outermost lines seen, none beyond."""
_BEYOND_DOUBT = 1.15
"""`LineFit.standing` from which the search ends at once."""
_ELSEWHERE = 0.3
"""Distance (cells) from which two poses count as different."""
_RIVAL = 0.9
"""A different pose with this share of the best one's standing makes the result ambiguous."""
_ROUGH = 0.2
"""Distance (cells) by which lines may miss a rough pose."""
_FITTED = 3
"""Number of the best rough poses that are refined."""
_STEPS = 3
"""Number of times that the best pose is tried shifted by one cell."""


@dataclass(frozen=True, slots=True)
class _Pieces:
    """Straight line segments: homogeneous `lines` (n, 3), unit directions `ways` and `middles` (n, 2), `length`
    (n,).
    """

    lines: Floats
    ways: Floats
    middles: Floats
    length: Floats

    def chosen(self, mask: npt.NDArray[np.bool_]) -> _Pieces:
        return _Pieces(self.lines[mask], self.ways[mask], self.middles[mask], self.length[mask])

    def around(self, mask: npt.NDArray[np.bool_]) -> _Pieces:
        """The segments in the region that holds most of the masked ones."""
        if not mask.any():
            return self
        low, high = np.quantile(self.middles[mask], [_STRAY, 1 - _STRAY], axis=0)
        slack = _SLACK * (high - low)
        return self.chosen(((self.middles > low - slack) & (self.middles < high + slack)).all(axis=1))


def find_grid(image: Image, grid: SquareGrid) -> list[LineFit]:
    """The grid's most likely poses, best first; none where no such grid is seen or two places fit equally.

    The orientation stays open. The colour channels are searched too where grey is ambiguous.
    """
    best: list[LineFit] = []
    for view in line_views(image):
        found = _find_in(view, grid)
        if found and (not best or found[0].standing > best[0].standing):
            best = found
        if best and best[0].standing > _BEYOND_DOUBT:
            break
    return best


def _find_in(gray: Gray, grid: SquareGrid) -> list[LineFit]:
    """The poses found in one channel."""
    size = (gray.shape[1], gray.shape[0])
    factor = min(1.0, _WORKING_SIDE / max(size))
    small = np.asarray(cv2.resize(gray, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    pieces = _line_pieces(small)
    enlarge = np.array([[1 / factor, 0, 0.5 / factor - 0.5], [0, 1 / factor, 0.5 / factor - 0.5], [0, 0, 1.0]])
    fits: list[LineFit] = []
    for families in _families(pieces, small.shape):
        for family, first, second in families:
            fits += _borne_out(gray, small, grid, enlarge, _lattices(family, first, second, grid, small.shape))
            if any(fit.standing > _BEYOND_DOUBT for fit in fits):
                break
        if fits:
            break
    fits.sort(key=lambda fit: -fit.standing)
    others = [fit for fit in fits[1:] if _apart(fits[0].pose, fit.pose, grid) > _ELSEWHERE]
    return fits if not others or others[0].standing < _RIVAL * fits[0].standing else []


def _borne_out(
    gray: Gray, small: Gray, grid: SquareGrid, enlarge: Floats, lattices: Iterable[Floats]
) -> Iterator[LineFit]:
    """The best of rough homographies into the working picture, refined in the full one, if its lines are seen.

    `enlarge` takes pixels of the working picture to those of the full one.
    """
    full, size = (gray.shape[1], gray.shape[0]), (small.shape[1], small.shape[0])
    poses = [pose for lattice in lattices if _is_seen(pose := FlatPose(size, normalised(lattice)), grid)]
    roughs = [weigh_lines(small, grid, pose, near=_ROUGH) for pose in poses]
    roughs = sorted((fit for fit in roughs if fit.seen >= _LEAST_SEEN), key=lambda fit: -fit.standing)
    roughs = [*_stepped(small, grid, roughs[0]), *roughs] if roughs else []
    for rough in roughs[:_FITTED]:
        fit = fit_lines(gray, grid, FlatPose(full, normalised(enlarge @ rough.pose.homography)))
        is_borne_out = fit.support >= LEAST_SUPPORT and fit.seen >= _LEAST_SEEN
        if is_borne_out and fit.standing > fit.support + _LEAST_RIM and _is_seen(fit.pose, grid):
            yield fit


def _stepped(gray: Gray, grid: SquareGrid, rough: LineFit) -> list[LineFit]:
    """Poses one cell beside a rough one, and from there on, each with a higher standing than the one before; best
    first.
    """
    better: list[LineFit] = []
    for _ in range(_STEPS):
        here = better[0] if better else rough
        beside = []
        for x, y in ((grid.side, 0.0), (-grid.side, 0.0), (0.0, grid.side), (0.0, -grid.side)):
            shift = np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])
            pose = FlatPose(here.pose.size, normalised(here.pose.homography @ shift), here.pose.radial)
            if _is_seen(pose, grid):
                beside.append(weigh_lines(gray, grid, pose, near=_ROUGH))
        best = max(beside, key=lambda fit: fit.standing, default=here)
        if best.standing <= here.standing:
            break
        better.insert(0, best)
    return better


def _line_pieces(gray: Gray) -> _Pieces:
    found = cv2.createLineSegmentDetector().detect(gray)[0]
    # OpenCV returns None where it finds nothing, which its type stubs leave out.
    ends = np.array(found if np.ndim(found) else [], np.float64).reshape(-1, 4)
    way = ends[:, 2:] - ends[:, :2]
    length = np.linalg.norm(way, axis=1)
    ends, way, length = ends[length > _SHORTEST], way[length > _SHORTEST], length[length > _SHORTEST]
    ones = np.ones((len(ends), 1))
    lines = np.cross(np.hstack([ends[:, :2], ones]), np.hstack([ends[:, 2:], ones]))
    return _Pieces(lines, way / np.maximum(length, 1e-9)[:, None], (ends[:, :2] + ends[:, 2:]) / 2, length)


def _families(pieces: _Pieces, shape: tuple[int, ...]) -> Iterator[Iterator[tuple[_Pieces, Floats, Floats]]]:
    """The results of `_crossing` for the strongest family of lines, then for weaker ones: stripes, or other boards on
    the table, may have more lines than the grid.
    """
    dice = np.random.default_rng(0)
    left = pieces
    for _ in range(_STARTS):
        first = _meeting_point(left, dice, shape)
        if first is None:
            return
        yield _crossing(pieces, first, dice, shape)
        left = left.chosen(~_aimed(left, first))


def _crossing(
    pieces: _Pieces, first: Floats | None, dice: np.random.Generator, shape: tuple[int, ...]
) -> Iterator[tuple[_Pieces, Floats, Floats]]:
    """Line segments and the vanishing points (3,) of two families of them, the more horizontal family's first.

    A table's grain may have more lines than the board, but not where the board's other lines are: each family is
    searched again in the region of the other.
    """
    second: Floats | None = None
    middle = np.array([[shape[1] / 2, shape[0] / 2]])
    for _ in range(_ROUNDS):
        if first is None:
            return
        around = pieces.around(_aimed(pieces, first))
        second = _meeting_point(around.chosen(~_aimed(around, first)), dice, shape, across=first)
        if second is None:
            return
        within = around.around(_aimed(around, second))
        level = [abs(float(_way_to(point, middle)[0, 0])) for point in (first, second)]
        yield (within, first, second) if level[0] > level[1] else (within, second, first)
        around = pieces.around(_aimed(pieces, second))
        first = _meeting_point(around.chosen(~_aimed(around, second)), dice, shape, across=second)


def _meeting_point(
    pieces: _Pieces, dice: np.random.Generator, shape: tuple[int, ...], across: Floats | None = None
) -> Floats | None:
    """The point (3,) that the largest total length of segments points at; with `across`, in a clearly different
    direction from that point.
    """
    if len(pieces.length) < 8:
        return None
    chance = pieces.length / pieces.length.sum()
    pairs = dice.choice(len(chance), (_TRIALS, 2), p=chance)
    middle = np.array([[shape[1] / 2, shape[0] / 2]])
    best, most = None, 0.0
    for one, other in pairs:
        point = np.cross(pieces.lines[one], pieces.lines[other])
        norm = float(np.linalg.norm(point))
        if norm < 1e-9 or one == other:
            continue
        point = point / norm
        way = _way_to(point, middle)[0]
        if across is not None and abs(float(way @ _way_to(across, middle)[0])) > 0.75:
            continue
        if abs(point[2]) > 1e-12 and np.linalg.norm(point[:2] / point[2] - middle[0]) < max(shape) / 2:
            continue
        score = float(pieces.length[_aimed(pieces, point)].sum())
        if score > most:
            best, most = point, score
    if best is None:
        return None
    for _ in range(3):
        aimed = pieces.chosen(_aimed(pieces, best))
        if len(aimed.length) < 4:
            return None
        scale = np.array([max(shape), max(shape), 1.0])
        lines = aimed.lines * scale
        lines = lines / np.linalg.norm(lines[:, :2], axis=1, keepdims=True) * aimed.length[:, None]
        best = np.linalg.svd(lines, full_matrices=False)[2][-1] * scale
        best = best / np.linalg.norm(best)
    return best


def _way_to(point: Floats, places: Floats) -> Floats:
    """Unit vectors (n, 2) from places towards a homogeneous point."""
    way = point[:2] - places * point[2]
    return np.asarray(way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-12))


def _aimed(pieces: _Pieces, point: Floats) -> npt.NDArray[np.bool_]:
    """Which segments point at a homogeneous point."""
    way = _way_to(point, pieces.middles)
    off = np.abs(way[:, 0] * pieces.ways[:, 1] - way[:, 1] * pieces.ways[:, 0])
    return np.asarray(off < _AIM)


def _lattices(
    pieces: _Pieces, level: Floats, upright: Floats, grid: SquareGrid, shape: tuple[int, ...]
) -> Iterator[Floats]:
    """Homographies (3 x 3) from board millimetres to the working picture for which combs of lines form the grid."""
    middle = np.array([shape[1] / 2, shape[0] / 2])
    sides = [point * _sign(point, middle, axis) for axis, point in enumerate((level, upright))]
    frame = np.column_stack([*sides, np.append(middle, 1.0)])
    if abs(np.linalg.det(frame)) < 1e-12:
        return
    flatten = np.linalg.inv(frame)
    x, y = line_places(grid)
    combs = []
    for point, axis, places in ((upright, 0, x), (level, 1, y)):
        family = pieces.chosen(_aimed(pieces, point))
        flat = np.column_stack([family.middles, np.ones(len(family.middles))]) @ flatten.T
        if not len(flat) or (np.abs(flat[:, 2]) < 1e-12).any():
            return
        combs.append(_combs(flat[:, axis] / flat[:, 2], family.length, len(places)))
    for first_x, step_x in combs[0]:
        for first_y, step_y in combs[1]:
            scale_x, scale_y = step_x / grid.side, step_y / grid.side
            lattice = np.array(
                [[scale_x, 0, first_x - x[0] * scale_x], [0, scale_y, first_y - y[0] * scale_y], [0, 0, 1.0]]
            )
            yield frame @ lattice


def _sign(point: Floats, middle: Floats, axis: int) -> float:
    """The sign that makes a vanishing point's direction from the middle lead right (axis 0) or down (axis 1)."""
    return 1.0 if (point[:2] - middle * point[2])[axis] >= 0 else -1.0


def _combs(values: Floats, weights: Floats, teeth: int) -> list[tuple[float, float]]:
    """First tooth and period of the combs with this number of teeth that fit the weighted values best."""
    order = np.argsort(values)
    values, weights = values[order], weights[order]
    spread = float(np.quantile(values, 0.98) - np.quantile(values, 0.02))
    if spread <= 0 or len(values) < teeth // 2:
        return []
    places, strengths = _peaks(values, weights, spread / (12 * teeth))
    if len(places) < 3:
        return []
    cap = float(np.median(np.sort(strengths)[-teeth:]))
    capped = np.minimum(strengths, cap)
    found: list[tuple[float, float, float]] = []
    for i in range(len(places)):
        for j in range(i + 1, len(places)):
            for between in (1, 2, 3, teeth - 1):
                period = (places[j] - places[i]) / between
                if not spread / (3 * teeth) < period < 1.3 * spread / (teeth - 1):
                    continue
                found.extend(_placed(places, capped, cap, places[i], period, teeth))
    found.sort(reverse=True)
    chosen: list[tuple[float, float]] = []
    for _, first, period in found:
        if all(
            abs(first - other[0]) > 0.3 * period or abs(period - other[1]) > 0.3 * period / teeth for other in chosen
        ):
            chosen.append((first, period))
        if len(chosen) == _COMBS:
            break
    return chosen


def _placed(
    places: Floats, strengths: Floats, cap: float, anchor: float, period: float, teeth: int
) -> list[tuple[float, float, float]]:
    """The best placements of a comb of this period with a tooth at `anchor`: score, first tooth, period."""
    where = (places - anchor) / period
    number = np.round(where)
    hit = np.abs(where - number) < _TOOTH
    if hit.sum() < teeth // 2:
        return []
    low = int(number.min())
    row = np.zeros(int(number.max()) - low + 1 + 2 * teeth)
    np.maximum.at(row, (number[hit] - low).astype(int) + teeth, strengths[hit])
    window = np.convolve(row, np.ones(teeth), "valid")
    inside_miss = np.array(
        [strengths[~hit & (where > k + low - teeth) & (where < k + low - 1)].sum() for k in range(len(window))]
    )
    score = window - 0.5 * inside_miss / max(1.0, 0.1 * teeth)
    results = []
    for k in np.argsort(-score)[:2]:
        first = k + low - teeth
        slots = [n for n in range(teeth) if row[k + n] > 0]
        if len(slots) < max(3, teeth // 3):
            continue
        on = hit & (number >= first) & (number < first + teeth)
        step, start = np.polyfit(number[on], places[on], 1, w=np.sqrt(strengths[on]))
        results.append((float(score[k]) / (cap * teeth), float(start + step * first), float(step)))
    return results


def _peaks(values: Floats, weights: Floats, width: float) -> tuple[Floats, Floats]:
    """The positions where weighted values are densest, and the weight there."""
    low = values[0] - 4 * width
    bins = int((values[-1] - low) / (width / 4)) + 16
    if bins > 200_000:
        keep = (values > np.quantile(values, 0.02) - 200 * width) & (values < np.quantile(values, 0.98) + 200 * width)
        values, weights = values[keep], weights[keep]
        low = values[0] - 4 * width
        bins = int((values[-1] - low) / (width / 4)) + 16
    histogram = np.bincount(((values - low) / (width / 4)).astype(int), weights, bins)
    smooth = cv2.GaussianBlur(histogram[None], (0, 1), 3.0)[0]
    top = (smooth[1:-1] > smooth[:-2]) & (smooth[1:-1] >= smooth[2:])
    index = np.flatnonzero(top) + 1
    index = index[np.argsort(-smooth[index])][:70]
    index = np.sort(index[smooth[index] > 0.05 * smooth[index].max(initial=0.0)])
    return low + (index + 0.5) * (width / 4), smooth[index]


def _is_seen(pose: FlatPose, grid: SquareGrid) -> bool:
    """Whether the whole grid lies in the picture and is not mirrored."""
    x, y = line_places(grid)
    pixels = pose.project_flat(np.array([[x[0], y[0]], [x[-1], y[0]], [x[-1], y[-1]], [x[0], y[-1]]]))
    margin = 0.05 * max(pose.size)
    inside = (pixels > -margin) & (pixels < np.array(pose.size) + margin)
    return bool(inside.all()) and cv2.contourArea(pixels.astype(np.float32), True) > 0


def _apart(one: FlatPose, other: FlatPose, grid: SquareGrid) -> float:
    """The distance (cells of the first) between two poses at the corner where it is largest."""
    x, y = line_places(grid)
    corners = np.array([[x[0], y[0]], [x[-1], y[0]], [x[-1], y[-1]], [x[0], y[-1]]])
    here, there = one.project_flat(corners), other.project_flat(corners)
    cell = np.linalg.norm(here[1] - here[0]) / max(1, len(x) - 1)
    return float(np.linalg.norm(here - there, axis=1).max() / cell)
