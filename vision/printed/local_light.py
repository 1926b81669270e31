"""Finds the edges of light on a sheet, of shadows and of the sun: where other light explains what is printed.

The light is a field of levels over coarse cells, alike in neighbouring cells but for edges (`vision.level_field`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.colour import ColourCorrection
from vision.colour_space import LUMINANCE, lab_to_linear, linear_to_lab
from vision.level_field import cheapest_field
from vision.light_map import LightMap
from vision.location.board_pose import BoardPose
from vision.pictures import Image, interpolated
from vision.printed.canvas import Canvas, Expected
from vision.printed.likelihood import OUTLIER
from vision.swatches import any_clipped

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

_STEP, _SAMPLES = 5.0, 2
"""Side (mm) of the cells, and how many samples each has along a side."""
_LEVELS = np.arange(-3.0, 1.06, 0.15, dtype=np.float32)
"""Logarithms of the light, beside the usual."""
_STEP_COST, _EDGE_COST, _UNUSUAL_COST = 3.0, 8.0, 0.05
"""Nats that a step of levels costs between neighbours, the most that any edge costs, and what a cell in other light
than the usual costs.
"""
_SAMPLE_WORTH = 0.5
"""What one sample counts beside one of which nothing else nearby tells the same."""
_TINT = np.array([0.0, 6.0, 6.0], np.float32)
"""How far in Lab the colour of shadows may be from that of the light before their tint is known."""
_UNEXPLAINED = np.float32(-10.0)
"""The log density of a sample that shows something else than the canvas, in whatever light."""
_MOST_LIGHT = 1.25
"""Beside 1 of white, what nothing printed shows."""
_ODD = -12.0
"""The mean log density of cells that look unlike the canvas."""
_MUCH, _TRIED, _WELL, _FEWEST = 0.15, np.s_[::3], -9.0, 0.1
"""The part of a sheet that looks odd from which on shadows are looked for in any case; else levels that are tried
there, the log density of a sample that one of them explains, and which part must be.
"""
_PATCH = 3
"""Side (cells) of the smallest patch of these that is no piece."""
_DEEP, _PALE, _FEWEST_TINTED, _MOST_TINT = -0.5, 0.3, 50, 0.35
"""Logarithm of light from which on a shadow tells its tint, by samples whose every channel reflects so much; how many
of these are needed, and by which logarithm a channel's light may be off.
"""
_WINDOW, _ALIKE, _VARIED, _DEPTH = 17, 0.25, 0.04, 0.35
"""Side (samples) of the part of a sheet that is compared with what is printed; the correlation of both and the standard
deviation (logarithm of light) of the printed from which on it shows; and the depth of a shadow that is doubted at all.
"""
_BUMP = 0.1
"""How far a camera moves that was bumped, beside its distance from the board's corner."""
_LEAST_LIGHT = 0.01
"""Beside 1 of white, what is not told from black."""


@dataclass(frozen=True, slots=True)
class Oddness:
    """What of a sheet looks unlike the canvas: which part of it, samples (n, 3) there and their places (n, 2), and what
    is expected of them.
    """

    share: float
    samples: npt.NDArray[np.uint8]
    places: Floats
    expected: Expected

    def may_be_shadow(self, colours: ColourCorrection) -> bool:
        """Whether other light, beside the brightest on the sheet, would explain enough of it to look for shadows."""
        if self.share > _MUCH:
            return True
        light = colours.light(self.samples, self.places)
        density = self.expected.density(_TINT)
        fits = [density.log_of(linear_to_lab(light * math.exp(-level))[None])[0] for level in _LEVELS[_TRIED]]
        return bool((np.max(fits, axis=0) > _WELL).mean() > _FEWEST)


class LightFinder:
    """Looks for edges of light on one board under one pose.

    `edges` are those that were found last and `left` the part of the sheet that looked odd all the same; without edges
    that which no shadow explained.
    """

    def __init__(self, board: Board, pose: BoardPose) -> None:
        self.edges: LightMap | None = None
        self.left = 0.0
        self._eye = pose.eye
        columns, rows = (max(1, round(side / _STEP)) for side in board.size)
        self._shape = rows, columns
        x, y = ((np.arange(count * _SAMPLES) + 0.5) * (_STEP / _SAMPLES) for count in (columns, rows))
        self._places = np.stack(np.meshgrid(x, y), axis=-1).astype(np.float32)
        pixels = pose.project(np.concatenate([self._places, np.zeros((*self._places.shape[:2], 1))], axis=2))
        self._pixels = pixels.reshape(self._places.shape)
        column, row = self._pixels[..., 0], self._pixels[..., 1]
        within = (column >= 0) & (column <= pose.camera.width - 1) & (row >= 0) & (row <= pose.camera.height - 1)
        reach = board.markers.side / 2
        for centre in board.markers.centres.values():
            within[np.ix_(np.abs(y - centre[1]) <= reach, np.abs(x - centre[0]) <= reach)] = False
        self._within: Flags = within

    def go_on_from(self, other: LightFinder) -> None:
        """Take over what another found, if it looked from nearly the same place: a camera was bumped."""
        if np.linalg.norm(self._eye - other._eye) < _BUMP * np.linalg.norm(self._eye):
            self.edges, self.left = other.edges, other.left

    def oddness(self, image: Image, colours: ColourCorrection, canvas: Canvas) -> Oddness:
        """What of a sheet looks unlike the canvas."""
        places, within = self._places[::_SAMPLES, ::_SAMPLES], self._within[::_SAMPLES, ::_SAMPLES]
        shown = interpolated(image, self._pixels[::_SAMPLES, ::_SAMPLES])
        expected = canvas.expect(places, 1.0)
        light = colours.light(shown, places)
        density = expected.log_density(colours.lab_of(light, places).reshape(shown.shape))
        dazzled = colours.outshines(shown, light) & ~any_clipped(shown)
        density = np.where(within, np.where(dazzled, np.float32(OUTLIER), density), np.float32(0))
        odd = (cv2.blur(density, (_PATCH, _PATCH)) < _ODD).astype(np.uint8)
        at = np.asarray(cv2.morphologyEx(odd, cv2.MORPH_OPEN, np.ones((_PATCH, _PATCH), np.uint8))) > 0
        return Oddness(float(at.mean()), shown[at], places[at], expected.where(at))

    def find(self, image: Image, colours: ColourCorrection, canvas: Canvas, before: LightMap | None = None) -> LightMap:
        """The light of a picture beside that which a correction of its colours expects, where a canvas is seen.

        `before` is what was found before, whose shadows tell the tint of all.
        """
        shown = interpolated(image, self._pixels)
        usable = self._within & ~any_clipped(shown)
        expected = canvas.expect(self._places, 1.0)
        offset = colours.matrix[:, 3]
        light = colours.light(shown, self._places) - offset
        tint = np.ones(3, np.float32) if before is None else self._tint(before, light + offset, expected.middle, usable)
        density = expected.density(np.asarray(_TINT if before is None else _TINT / 2, np.float32))
        rows, columns = self._shape
        cost = np.empty((rows, columns, len(_LEVELS)), np.float32)
        for k, level in enumerate(_LEVELS):
            raised = light * np.exp(-level * tint) + offset
            lab = linear_to_lab(raised).reshape(*usable.shape, 3)
            fit = np.maximum(density.log_of(lab), _UNEXPLAINED)
            explained = usable & (np.maximum.reduce(raised.T) < _MOST_LIGHT).reshape(usable.shape)
            cost[:, :, k] = -_SAMPLE_WORTH * self._by_cell(np.where(explained, fit, _UNEXPLAINED))
        cost += np.where(np.abs(_LEVELS) < 0.08, np.float32(0), np.float32(_UNUSUAL_COST))
        return LightMap(_STEP, _LEVELS[cheapest_field(cost, _STEP_COST, _EDGE_COST)], tint)

    def _tint(self, before: LightMap, light: Floats, middle: Floats, usable: Flags) -> Floats:
        """How much more or less than on average the light of each channel (3,) changes in shadows."""
        level = np.log(before.at(self._places.reshape(-1, 2))).mean(axis=1)
        bright = lab_to_linear(middle.reshape(-1, 3))
        chosen = usable.ravel() & (level < _DEEP) & (bright.min(axis=1) > _PALE) & (light.min(axis=1) > 0)
        if chosen.sum() < _FEWEST_TINTED:
            return np.ones(3, np.float32)
        slope = np.median(np.log(light[chosen] / bright[chosen]) / level[chosen, None], axis=0)
        most = _MOST_TINT / -float(np.median(level[chosen]))
        return np.asarray(np.clip(slope / slope.mean(), 1 - most, 1 + most), np.float32)

    def borne_out(self, image: Image, colours: ColourCorrection, canvas: Canvas) -> LightMap | None:
        """The edges by which colours are corrected, without the shadows in which what is printed does not show: what
        is dark there is something else. None where there are no others.
        """
        edges = colours.edges
        if edges is None:
            return None
        shown = interpolated(image, self._pixels)
        light = colours.light(shown, self._places) @ LUMINANCE
        seen = np.log(np.maximum(light, _LEAST_LIGHT)).reshape(self._within.shape).astype(np.float32)
        middle = lab_to_linear(canvas.expect(self._places, 1.0).middle.reshape(-1, 3)) @ LUMINANCE
        printed = np.log(np.maximum(middle, _LEAST_LIGHT)).reshape(self._within.shape).astype(np.float32)
        alike, variety = _alike(seen, printed, self._within.astype(np.float32))
        strange = (alike < _ALIKE) & (variety > _VARIED)
        strange = self._by_cell(strange.astype(np.float32)) > _SAMPLES**2 / 2
        strange &= np.abs(edges.level - np.median(edges.level)) > _DEPTH
        if not strange.any():
            return edges
        level = np.where(strange, np.float32(np.median(edges.level[~strange])), edges.level)
        return replace(edges, level=level)

    def _by_cell(self, values: Floats) -> Floats:
        ways = [(down, right) for down in range(_SAMPLES) for right in range(_SAMPLES)]
        parts = [values[down::_SAMPLES, right::_SAMPLES] for down, right in ways]
        return np.asarray(np.sum(parts, axis=0, dtype=np.float32))


def _alike(seen: Floats, printed: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """The correlation of two pictures around each place, and how much the second varies there (standard deviation)."""

    def mean(values: Floats) -> Floats:
        return np.asarray(cv2.blur(values * weight, (_WINDOW, _WINDOW)) / count, np.float32)

    count = np.maximum(cv2.blur(weight, (_WINDOW, _WINDOW)), 1e-3)
    first, second = seen - mean(seen), printed - mean(printed)
    spread = np.sqrt(np.maximum(mean(second * second), 1e-9))
    return mean(first * second) / (spread * np.sqrt(np.maximum(mean(first * first), 1e-9))), spread
