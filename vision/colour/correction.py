"""The correction from a camera's colours to the printed sheet's: camera response, uneven light and channel mixing.

Colours are compared in CIE Lab (L 0 to 100) as the sheet was printed; light is linear, 1.0 is full white.
`vision.colour.fit` estimates the correction.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from vision.colour.light_map import LightMap
from vision.colour.sheen import Sheen
from vision.colour.space import LINEAR, LUMINANCE, linear_of, linear_to_lab
from vision.colour.swatches import CLIPPED, all_clipped, any_clipped
from vision.colour.trim import ColourTrim
from vision.colour.veils import Veils

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Ceiling = tuple[float, float, float]
"""Linear BGR light at which each channel of the sensor saturates; 1 is the white of the paper."""

_OUTSHONE = 1.25
"""Corrected light (1 is white) above which a sample must be lit by a light that was not measured, such as a reflection.
Chosen by hand.
"""
_AT_THE_CEILING = 0.05
"""Largest difference (linear light) from white at which saturated samples are still taken for white paper. Chosen by
hand.
"""


@dataclass(frozen=True, slots=True)
class Response:
    """A camera's tone curve relative to sRGB: light to the power of 1 / `exponent`, then an S-curve that spreads the
    mid-tones by `contrast` (0 to 1) and compresses the lightest and darkest tones.
    """

    exponent: float = 1.0
    contrast: float = 0.0

    def light_of(self, levels: npt.NDArray[np.floating]) -> Floats:
        """The linear light of levels (0 to 255), interpolated between whole ones."""
        return np.asarray(np.interp(levels, np.arange(256), self.light()), np.float32)

    def light(self) -> Floats:
        """The linear light of each level (256,); a shared array, not to be written to."""
        return _light(self.exponent, self.contrast)


@lru_cache
def _light(exponent: float, contrast: float) -> Floats:
    if not contrast:
        return np.asarray(LINEAR**exponent, np.float32)
    levels = np.arange(256) / 255.0
    spread = levels + contrast * (levels**2 * (3 - 2 * levels) - levels)
    return np.asarray(linear_of(np.interp(levels, spread, levels)) ** exponent, np.float32)


@dataclass(frozen=True, slots=True)
class ColourCorrection:
    """Converts a camera's colours to those of the printed sheet.

    Applied in this order: `response` (levels to linear light), `sheen` and `edges` (shadows) if any, `fall_off` (uneven
    light over the board), `matrix` (3 x 4, of linear BGR and 1) and `trim` (the error that remains, in Lab). `fall_off`
    holds the coefficients of the logarithm of the light over 1, x, y, x2, xy, y2, with x and y from -1 to 1 over the
    sheet. `error` is the root mean square distance (Lab) between the patches as corrected and as printed.
    """

    size: tuple[float, float]
    fall_off: Floats
    matrix: Floats
    error: float
    response: Response = Response()
    trim: ColourTrim | None = None
    edges: LightMap | None = None
    ceiling: Ceiling | None = None
    """set where the picture is overexposed: corrected light is clipped to this"""
    sheen: Sheen | None = None
    veils: Veils | None = None
    """light over single tiles, taken off corrected light"""

    def to_lab(self, samples: npt.NDArray[np.uint8], places: npt.NDArray[np.floating]) -> Floats:
        """Lab (..., 3) of BGR samples (..., 3) taken at board places (..., 2) in millimetres."""
        return self.lab_of(self.light(samples, places), places).reshape(samples.shape)

    def lab_of(self, light: Floats, places: npt.NDArray[np.floating]) -> Floats:
        """Lab (n, 3) of corrected light (n, 3) at board places, trimmed."""
        lab = linear_to_lab(light)
        if self.trim is not None:
            lab -= self.trim.off(lab, places.reshape(-1, 2))
        return lab

    def outshines(self, samples: npt.NDArray[np.uint8], light: Floats) -> Flags:
        """Which samples (..., 3), of corrected light (n, 3), are lighter than white, so that some unmeasured light
        falls on them.

        Saturated samples count too, unless saturation is white itself, as in a scan or a drawing, or below white.
        """
        if self.ceiling is not None and max(self.ceiling) < 1.0:
            return np.zeros(samples.shape[:-1], bool)
        luminance = (light @ LUMINANCE).reshape(samples.shape[:-1])
        burnt = all_clipped(samples) & (np.abs(luminance - 1.0) > _AT_THE_CEILING)
        return np.asarray(burnt | (luminance > _OUTSHONE))

    def mirrored(self, places: npt.NDArray[np.floating]) -> Floats:
        """The light (n,) that the sheet mirrors at places (..., 2), on the scale of corrected light."""
        flat = places.reshape(-1, 2)
        if self.sheen is None:
            return np.zeros(len(flat), np.float32)
        light = self.sheen.at(flat) @ self.matrix[:, :3].T
        return np.asarray(light.mean(axis=1) * np.exp(-surface_of(flat, self.size) @ self.fall_off), np.float32)

    def light(self, samples: npt.NDArray[np.uint8], places: npt.NDArray[np.floating]) -> Floats:
        """Linear BGR light (n, 3) of samples at places (n, 2) as under even light, before the trim."""
        light = self.response.light()[samples.reshape(-1, 3)]
        if self.sheen is not None:
            light = light - self.sheen.at(places.reshape(-1, 2))
        if self.edges is not None:
            light = light / self.edges.at(places.reshape(-1, 2))
        planes = self.matrix[:, :3] @ light.T
        planes *= np.exp(-surface_of(places.reshape(-1, 2), self.size) @ self.fall_off)
        planes += self.matrix[:, 3:]
        if self.veils is not None:
            planes -= self.veils.at(places.reshape(-1, 2)).T
        if self.ceiling is not None:
            return np.asarray(np.minimum(planes.T, np.array(self.ceiling, np.float32)), np.float32)
        flat = samples.reshape(-1, 3)
        partly = any_clipped(flat) & ~all_clipped(flat)
        if partly.any():
            planes[:, partly] = _restored(planes[:, partly], (flat[partly] >= CLIPPED).T)
        return np.asarray(planes.T, np.float32)


def _restored(planes: Floats, burnt: Flags) -> Floats:
    """Light (3, n) with each saturated channel raised to the mean of the unsaturated ones, at most white: surfaces that
    saturate are pale.
    """
    kept = np.minimum(np.where(burnt, np.float32(0), planes).sum(axis=0) / (~burnt).sum(axis=0), np.float32(1))
    return np.where(burnt, np.maximum(planes, kept), planes)


def surface_of(places: npt.NDArray[np.floating], size: tuple[float, float]) -> Floats:
    """The terms (n, 6) at board places (n, 2) in which the logarithm of the light's fall-off is linear."""
    x, y = (2.0 * places[:, axis] / size[axis] - 1.0 for axis in (0, 1))
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y]).astype(np.float32).T
