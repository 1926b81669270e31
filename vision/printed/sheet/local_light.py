"""Finds edges of light on a sheet (shadows, sunlight): regions where another light explains what is printed.

The light is a field of levels over coarse cells, equal in neighbouring cells except at edges
(`vision.colour.level_field`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.colour.correction import ColourCorrection
from vision.colour.level_field import cheapest_field
from vision.colour.light_map import LightMap
from vision.colour.space import LUMINANCE, lab_to_linear, linear_to_lab
from vision.colour.swatches import any_clipped
from vision.location.board_pose import BoardPose
from vision.pictures import Image, interpolated
from vision.printed.pieces.likelihood import OUTLIER
from vision.printed.sheet.canvas import Canvas, Expected

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

_STEP = 5.0
"""Side (mm) of the cells."""
_SAMPLES = 2
"""Samples of a cell along a side."""
_LEVELS = np.arange(-3.0, 1.06, 0.15, dtype=np.float32)
"""Light levels tried: natural logarithms relative to the usual light."""
_STEP_COST = 3.0
"""Nats for each step of levels between neighbouring cells."""
_EDGE_COST = 8.0
"""Most nats for any edge between neighbouring cells."""
_UNUSUAL_COST = 0.05
"""Nats for a cell in other than the usual light."""
_SAMPLE_WORTH = 0.5
"""Weight of a sample, as neighbouring samples err together."""
_TINT = np.array([0.0, 6.0, 6.0], np.float32)
"""Distance in Lab by which the colour of shadows may differ from that of the light while their tint is unknown."""
_UNEXPLAINED = np.float32(-10.0)
"""Log density of a sample that shows something else than the canvas, in any light."""
_MOST_LIGHT = 1.25
"""Light (1 is white) that no print shows."""
_ODD_CELL = -12.0
"""Mean log density below which a cell looks unlike the canvas."""
_MUCH = 0.15
"""Share of odd-looking sheet from which shadows are looked for in any case."""
_TRIED = np.s_[::3]
"""Levels that are tried otherwise: every third."""
_WELL = -9.0
"""Log density from which a level explains a sample."""
_FEWEST = 0.1
"""Share of the odd samples that must be explained by some level."""
_PATCH = 3
"""Side (cells) of the smallest odd patch; smaller ones are pieces."""
_DEEP = -0.5
"""Natural logarithm of light below which a shadow is deep enough to measure its tint."""
_PALE = 0.3
"""Reflectance (linear, every channel) of the samples used for that."""
_FEWEST_TINTED = 50
"""Fewest such samples."""
_MOST_TINT = 0.35
"""Natural logarithm by which a channel's light in a shadow may differ from the mean."""
_WINDOW = 17
"""Side (samples) of the region in which the picture is correlated with the print."""
_ALIKE = 0.25
"""Correlation from which the print shows through a shadow."""
_VARIED = 0.04
"""Standard deviation of the print (natural logarithm of light) needed for that test."""
_DEPTH = 0.35
"""Depth (natural logarithm of light) of a shadow from which it is tested."""
_BUMP = 0.1
"""Movement of a bumped camera, relative to its distance from the board's corner."""
_LEAST_LIGHT = 0.01
"""Light (1 is white) below which it counts as black."""


@dataclass(frozen=True, slots=True)
class Oddness:
    """The part of a sheet that looks unlike the canvas: its share, samples (n, 3) there, their places (n, 2) and
    expected colours.
    """

    share: float
    samples: npt.NDArray[np.uint8]
    places: Floats
    expected: Expected

    def may_be_shadow(self, colours: ColourCorrection) -> bool:
        """Whether another light would explain enough of it to look for shadows."""
        if self.share > _MUCH:
            return True
        light = colours.light(self.samples, self.places)
        density = self.expected.density(_TINT)
        fits = [density.log_of(linear_to_lab(light * math.exp(-level))[None])[0] for level in _LEVELS[_TRIED]]
        return bool((np.max(fits, axis=0) > _WELL).mean() > _FEWEST)


class LightFinder:
    """Finds edges of light on one board under one pose.

    `edges` are those found last, `sheen` is whether sheen was taken off before. `left` is the share of the sheet that
    looked odd all the same; without edges, the share that no shadow explained.
    """

    def __init__(self, board: Board, pose: BoardPose) -> None:
        self.edges: LightMap | None = None
        self.left = 0.0
        self.sheen = False
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
        """Take over the results of another finder if it looked from nearly the same position: the camera was bumped."""
        if np.linalg.norm(self._eye - other._eye) < _BUMP * np.linalg.norm(self._eye):
            self.edges, self.left, self.sheen = other.edges, other.left, other.sheen

    def oddness(self, image: Image, colours: ColourCorrection, canvas: Canvas) -> Oddness:
        """The part of a sheet that looks unlike the canvas."""
        places, within = self._places[::_SAMPLES, ::_SAMPLES], self._within[::_SAMPLES, ::_SAMPLES]
        shown = interpolated(image, self._pixels[::_SAMPLES, ::_SAMPLES])
        expected = canvas.expect(places, 1.0)
        light = colours.light(shown, places)
        density = expected.log_density(colours.lab_of(light, places).reshape(shown.shape))
        dazzled = colours.outshines(shown, light) & ~any_clipped(shown)
        density = np.where(within, np.where(dazzled, np.float32(OUTLIER), density), np.float32(0))
        odd = (cv2.blur(density, (_PATCH, _PATCH)) < _ODD_CELL).astype(np.uint8)
        at = np.asarray(cv2.morphologyEx(odd, cv2.MORPH_OPEN, np.ones((_PATCH, _PATCH), np.uint8))) > 0
        return Oddness(float(at.mean()), shown[at], places[at], expected.where(at))

    def find(self, image: Image, colours: ColourCorrection, canvas: Canvas, before: LightMap | None = None) -> LightMap:
        """The light of a picture relative to the light its colour correction assumes, where the canvas is visible.

        `before` is an earlier result, whose shadows show the tint of all.
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
        """The factor (3,) per channel on the logarithm of light in shadows; 1 on average."""
        level = np.log(before.at(self._places.reshape(-1, 2))).mean(axis=1)
        bright = lab_to_linear(middle.reshape(-1, 3))
        chosen = usable.ravel() & (level < _DEEP) & (bright.min(axis=1) > _PALE) & (light.min(axis=1) > 0)
        if chosen.sum() < _FEWEST_TINTED:
            return np.ones(3, np.float32)
        slope = np.median(np.log(light[chosen] / bright[chosen]) / level[chosen, None], axis=0)
        most = _MOST_TINT / -float(np.median(level[chosen]))
        return np.asarray(np.clip(slope / slope.mean(), 1 - most, 1 + most), np.float32)

    def borne_out(self, image: Image, colours: ColourCorrection, canvas: Canvas) -> LightMap | None:
        """The edges of the colour correction without shadows in which the print does not show: something else is dark
        there. None where there are no edges.
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
    """The correlation of two pictures around each place, and the standard deviation of the second there."""

    def mean(values: Floats) -> Floats:
        return np.asarray(cv2.blur(values * weight, (_WINDOW, _WINDOW)) / count, np.float32)

    count = np.maximum(cv2.blur(weight, (_WINDOW, _WINDOW)), 1e-3)
    first, second = seen - mean(seen), printed - mean(printed)
    spread = np.sqrt(np.maximum(mean(second * second), 1e-9))
    return mean(first * second) / (spread * np.sqrt(np.maximum(mean(first * first), 1e-9))), spread
