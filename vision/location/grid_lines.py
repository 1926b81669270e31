"""Refines a pose on the printed lines of a grid, and measures how many of the lines support it.

Every stretch of a line between two crossings is probed across; where pieces hide some, the others decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.grid import SquareGrid
from vision.location.flat_pose import FlatPose, normalised
from vision.pictures import Gray, Image, gray_of, interpolated

Floats = npt.NDArray[np.float64]

_ALONG = np.linspace(0.15, 0.85, 7)
"""Where along a stretch between two crossings it is probed, in parts of its length."""
_PROBES = 33
"""Samples of one probe across a stretch."""
_AT_ONCE = 32
"""Stretches probed at once, so that intermediate arrays stay in the processor's cache."""
_REACHES = (0.3, 0.2, 0.12, 0.08, 0.08)
"""Distance to both sides at which a line is searched, in parts of a cell, round by round."""
_LEAST_REACH = 4.0
"""Smallest such distance (pixels): below, there is no room for the line and both its sides."""
_NEAR = 0.06
"""Distance of its line, in parts of a cell, up to which a stretch supports the pose."""
_NEAR_RIM = 0.2
"""The same for the outermost lines."""
_FAINT = 0.2
"""Strength of an outermost line, relative to the others' median, below which it does not count."""
_PLAIN = 0.6
"""Relative strength from which it counts in full."""
_WIDTHS = (2, 4)
"""Half widths of a line, in probe samples, that are tried."""
_UNSEEN = 0.1
"""Supported share of its stretches below which a line counts as not seen."""
_CLEARLY = 1.5
"""Edges are measured instead of lines where they agree better by this factor."""
_CLEAR = 4.0
"""Strength of a line over its usual level from which it counts."""
_MOST_BENT = 0.15
"""Largest bend of a lens (`FlatPose.radial`) that is tried."""
_BEND_SPREAD = 0.03
"""Standard deviation of the bend over lenses."""


@dataclass(frozen=True, slots=True)
class LineFit:
    """A pose and the share of the stretches of printed line (0 to 1) that lie where it puts them."""

    pose: FlatPose
    support: float
    standing: float
    """The support, raised if the outermost lines are seen, lowered if similar lines continue beyond the grid."""
    seen: float = 1.0
    """The share of lines with anything visible: about half where the grid was assumed too fine."""


@dataclass(frozen=True, slots=True)
class _Stretches:
    """Stretches of line: `ends` (n, 2, 2) in millimetres; `across` (n, 2) the direction across each, one cell long;
    `rim` (n,) 0 within the grid, 1 on its outermost lines, 2 on the lines that would follow beyond; `line` (n,) the
    line's number.
    """

    ends: Floats
    across: Floats
    rim: npt.NDArray[np.intp]
    line: npt.NDArray[np.intp]

    def within(self) -> _Stretches:
        inside = self.rim < 2
        return _Stretches(self.ends[inside], self.across[inside], self.rim[inside], self.line[inside])


def line_views(image: Image) -> Iterator[Gray]:
    """The picture in grey, then each of its channels: coloured lines may be as light as their background."""
    yield gray_of(image)
    for channel in range(3):
        yield np.ascontiguousarray(image[..., channel])


def fit_lines(gray: Gray, grid: SquareGrid, start: FlatPose) -> LineFit:
    """The pose near `start` (within a third of a cell) with the most support from the printed lines."""
    stretches = _stretches(grid).within()
    pose, least = start, _LEAST_REACH / _smallest_cell(grid, start)
    for reach in _REACHES:
        offset, strength = _measure(gray, stretches, pose, min(max(reach, least), _REACHES[0]))
        pose = _adjusted(stretches, pose, offset, (strength > 0).astype(np.float64))
    return weigh_lines(gray, grid, pose)


def _smallest_cell(grid: SquareGrid, pose: FlatPose) -> float:
    """The side in pixels of the cells at the grid's farthest side."""
    x, y = line_places(grid)
    corners = pose.project_flat(np.array([[x[0], y[0]], [x[-1], y[0]], [x[-1], y[-1]], [x[0], y[-1]]]))
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    counts = np.array([len(x), len(y), len(x), len(y)]) - 1
    return max(1.0, float((sides / np.maximum(counts, 1)).min()))


def weigh_lines(gray: Gray, grid: SquareGrid, pose: FlatPose, near: float = _NEAR) -> LineFit:
    """The pose unchanged, with its support from the lines."""
    stretches = _stretches(grid)
    offset, strength = _measure(gray, stretches, pose, 0.3)
    within = stretches.rim < 2
    usual = float(np.median(strength[within & (strength > 0)])) if (strength[within] > 0).any() else 0.0
    borne_out, line = ((np.abs(offset) < near) & (strength > 0))[within], stretches.line[within]
    of_lines = np.bincount(line, borne_out)[np.unique(line)] / np.bincount(line)[np.unique(line)]
    support, seen = float(borne_out.mean()), float((of_lines > _UNSEEN).mean())
    # The outermost lines are often thicker or doubled; it only matters that there is one.
    plain = np.clip((strength / max(usual, 1e-9) - _FAINT) / (_PLAIN - _FAINT), 0.0, 1.0)
    present = np.where(np.abs(offset) < _NEAR_RIM, plain, 0.0)
    rim, beyond = (float(present[stretches.rim == kind].mean()) for kind in (1, 2))
    return LineFit(pose, support, support + 0.5 * (rim - beyond), seen)


def line_places(grid: SquareGrid) -> tuple[Floats, Floats]:
    """The x of the vertical lines and the y of the horizontal ones, in millimetres."""
    shift, more = (0.5, 0) if grid.lines == "through" else (0.0, 1)
    x, y = grid.corner
    upright = x + (np.arange(grid.columns + more) + shift) * grid.side
    level = y + (np.arange(grid.rows + more) + shift) * grid.side
    return upright.astype(np.float64), level.astype(np.float64)


def _stretches(grid: SquareGrid) -> _Stretches:
    """The grid's lines and those that would follow beyond, cut at their crossings."""
    columns, rows = line_places(grid)
    ends, across, rim, line = [], [], [], []
    for axis, (lines, crossings) in enumerate(((columns, rows), (rows, columns))):
        places = np.concatenate([[lines[0] - grid.side], lines, [lines[-1] + grid.side]])
        for number, place in enumerate(places):
            for start, end in pairwise(crossings):
                ends.append([[place, start], [place, end]] if axis == 0 else [[start, place], [end, place]])
                across.append([grid.side, 0.0] if axis == 0 else [0.0, grid.side])
                rim.append(max(0, 2 - min(number, len(places) - 1 - number)))
                line.append(number if axis == 0 else len(columns) + 2 + number)
    return _Stretches(
        np.array(ends, np.float64), np.array(across, np.float64), np.array(rim, np.intp), np.array(line, np.intp)
    )


def _measure(gray: Gray, stretches: _Stretches, pose: FlatPose, reach: float) -> tuple[Floats, Floats]:
    """The offset (cells) of each stretch's line, and its strength, 0 where none is clear."""
    steps = np.linspace(-reach, reach, _PROBES)
    parts = [_profiles(gray, stretches, pose, steps, k) for k in range(0, len(stretches.line), _AT_ONCE)]
    profile, inside = (np.concatenate(each) for each in zip(*parts, strict=True))
    dark, light = (np.max([_ridge(sign * profile, width) for width in _WIDTHS], axis=0) for sign in (1, -1))
    # Lines are either all darker or all lighter than their surroundings.
    offset, peak = _peaks(max(dark, light, key=lambda ridge: float(np.median(ridge.max(axis=1)))), steps)
    # Squares of two colours meet without a line; then the offsets of edges agree better.
    edges = _peaks(_edge(profile, _WIDTHS[0]), steps)
    if _concord(*edges) > _CLEARLY * _concord(offset, peak):
        offset, peak = edges
    return offset, np.where(inside, peak, 0.0)


def _profiles(
    gray: Gray, stretches: _Stretches, pose: FlatPose, steps: Floats, first: int
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Levels (n, probes) across stretches from number `first` on, and whether each (n,) is entirely in the picture."""
    ends, across = (each[first : first + _AT_ONCE] for each in (stretches.ends, stretches.across))
    start, way = ends[:, 0], ends[:, 1] - ends[:, 0]
    feet = start[:, None] + way[:, None] * _ALONG[:, None]
    places = feet[:, :, None] + across[:, None, None] * steps[:, None]
    pixels = pose.project_flat(places.reshape(-1, 2)).astype(np.float32).reshape(len(feet), -1, 2)
    levels = interpolated(gray, pixels).reshape(len(feet), len(_ALONG), _PROBES)
    inside = ((pixels >= 0) & (pixels < np.array(pose.size, np.float32))).all(axis=(1, 2))
    return np.median(levels, axis=1).astype(np.float64), np.asarray(inside)


def _concord(offset: Floats, peak: Floats) -> float:
    """A score: how many stretches show something, and how well their offsets agree."""
    clear = peak > 0
    if not clear.any():
        return 0.0
    spread = float(np.median(np.abs(offset[clear] - np.median(offset[clear]))))
    return float(clear.mean()) / (spread + _NEAR)


def _peaks(strength: Floats, steps: Floats) -> tuple[Floats, Floats]:
    """The subpixel position of the peak of each row of strengths (n, probes), and its height, 0 where not clear."""
    usual = np.median(strength, axis=1) + 1.0
    best = strength.argmax(axis=1)
    rows = np.arange(len(best))
    left, right = np.maximum(best - 1, 0), np.minimum(best + 1, _PROBES - 1)
    around = strength[rows, left] - strength[rows, right]
    curve = strength[rows, left] + strength[rows, right] - 2 * strength[rows, best]
    part = np.clip(0.5 * around / np.where(curve < -1e-9, curve, -1e9), -0.5, 0.5)
    peak = strength[rows, best]
    clear = (peak > _CLEAR * usual) & (best > 1) & (best < _PROBES - 2)
    return steps[best] + part * (steps[1] - steps[0]), np.where(clear, peak, 0.0)


def _edge(profile: Floats, width: int) -> Floats:
    """How much the levels differ between both sides of each probe, `width` probes away."""
    padded = np.pad(profile, ((0, 0), (width, width)), "edge")
    return np.asarray(np.abs(padded[:, 2 * width :] - padded[:, : -2 * width]), np.float64)


def _ridge(profile: Floats, width: int) -> Floats:
    """How much darker each probe is than both its sides, `width` probes away."""
    padded = np.pad(
        cv2.GaussianBlur(profile, (0, 1), 0.5 * width) if width > 2 else profile, ((0, 0), (width, width)), "edge"
    )
    return np.maximum(np.minimum(padded[:, : -2 * width], padded[:, 2 * width :]) - padded[:, width:-width], 0.0)


def _adjusted(stretches: _Stretches, pose: FlatPose, offset: Floats, weight: Floats) -> FlatPose:
    """The pose that puts the stretches where they were measured.

    Gauss-Newton with Cauchy weights over the eight elements of the homography and the lens's bend.
    """
    middles = stretches.ends.mean(axis=1)
    targets = pose.project_flat(middles + offset[:, None] * stretches.across)
    scale = _spans(middles)
    frame = np.array([[scale[1], 0, scale[0][0]], [0, scale[1], scale[0][1]], [0, 0, 1.0]])
    places = (middles - scale[0]) / scale[1]
    homography, radial = normalised(pose.homography @ frame), pose.radial
    ahead = pose.project_flat(middles + 0.01 * stretches.across) - pose.project_flat(middles)
    length = np.linalg.norm(ahead, axis=1)
    normal = ahead / length[:, None]
    cell = 100 * length
    residual = np.zeros(len(middles))
    for _ in range(4):
        residual, columns = _residuals(places, targets, normal, homography, radial, pose.size)
        spread = max(1.5 * float(np.median(np.abs(residual[weight > 0]))) if (weight > 0).any() else 1.0, 0.3)
        trust = weight / (1.0 + (residual / spread) ** 2) / spread**2
        normal_matrix = columns.T @ (columns * trust[:, None])
        gradient = columns.T @ (residual * trust)
        # Priors decide what few lines leave open: very weak ones on the homography, that of common lenses on the bend.
        normal_matrix += np.diag([1e-6] * 8 + [_BEND_SPREAD**-2.0])
        gradient[8] -= radial * _BEND_SPREAD**-2.0
        step = np.linalg.solve(normal_matrix, gradient)
        homography = homography + np.append(step[:8], 0.0).reshape(3, 3)
        radial = float(np.clip(radial + step[8], -_MOST_BENT, _MOST_BENT))
    near = (weight > 0) & (np.abs(residual) < 0.1 * cell)
    rms = float(np.sqrt((residual[near] ** 2).mean())) if near.any() else float("inf")
    return FlatPose(pose.size, normalised(homography @ np.linalg.inv(frame)), radial, rms)


def _residuals(
    places: Floats, targets: Floats, normal: Floats, homography: Floats, radial: float, size: tuple[int, int]
) -> tuple[Floats, Floats]:
    """Residuals (n,) across the lines in pixels and their numerical derivatives (n, 9) by the pose."""

    def shown(matrix: Floats, bent: float) -> Floats:
        here = FlatPose(size, matrix, bent)
        return here.project_flat(places)

    now = shown(homography, radial)
    columns = []
    for k in range(9):
        matrix, bent = homography.copy(), radial
        if k < 8:
            step = 1e-6 * max(1.0, abs(float(matrix.flat[k])))
            matrix.flat[k] += step
        else:
            step = 1e-6
            bent += step
        columns.append((((shown(matrix, bent) - now) / step) * normal).sum(axis=1))
    return ((targets - now) * normal).sum(axis=1), np.stack(columns, axis=1)


def _spans(places: Floats) -> tuple[Floats, float]:
    middle = places.mean(axis=0)
    return middle, float(np.abs(places - middle).max())
