"""What makes a camera's colours the sheet's: the response undone, light and mixed channels taken out (`colour_fit`).

Colours are compared in CIE Lab (L 0 to 100) as the sheet was printed; light is linear, 1.0 is full white.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from vision.colour_space import LINEAR, LUMINANCE, linear_of, linear_to_lab
from vision.colour_trim import ColourTrim
from vision.light_map import LightMap
from vision.swatches import CLIPPED, all_clipped, any_clipped

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Ceiling = tuple[float, float, float]
"""Linear BGR light, 1 of white at the most."""

_OUTSHONE = 1.25
"""The light, beside 1 of white, from which a sample is lit by more than what paper and patches tell."""
_AT_THE_CEILING = 0.05
"""How near to white, in light, the sensor's ceiling must be for samples there to be taken for white."""


@dataclass(frozen=True, slots=True)
class Response:
    """How a camera turns light into levels, beside what sRGB does: light to the power of 1 / `exponent`, then mid-tones
    spread by `contrast` (0 to 1) at the cost of the lightest and darkest.
    """

    exponent: float = 1.0
    contrast: float = 0.0

    def light_of(self, levels: npt.NDArray[np.floating]) -> Floats:
        """The linear light of levels between the whole ones, too."""
        return np.asarray(np.interp(levels, np.arange(256), self.light()), np.float32)

    def light(self) -> Floats:
        """The linear light of each level (256,), to read only."""
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
    """What makes a camera's colours the sheet's: the response undone, a fall-off of light over the board taken out, a
    3 x 4 matrix (linear BGR and 1), and what is then still to be trimmed; before these, edges of light where there are.

    `fall_off` holds the coefficients of the logarithm of the light over 1, x, y, x2, xy, y2, with x and y from -1 to 1
    over the sheet. `error` is the root mean square distance in Lab between the patches as corrected and as printed.
    """

    size: tuple[float, float]
    fall_off: Floats
    matrix: Floats
    error: float
    response: Response = Response()
    trim: ColourTrim | None = None
    edges: LightMap | None = None
    ceiling: Ceiling | None = None
    """what is lighter shows no more than this: the picture is too bright for its sensor"""

    def to_lab(self, samples: npt.NDArray[np.uint8], places: npt.NDArray[np.floating]) -> Floats:
        """Lab (..., 3) of BGR samples (..., 3) taken at board places (..., 2) in millimetres."""
        return self.lab_of(self.light(samples, places), places).reshape(samples.shape)

    def lab_of(self, light: Floats, places: npt.NDArray[np.floating]) -> Floats:
        """Lab (n, 3) of such light (n, 3) at board places, trimmed."""
        lab = linear_to_lab(light)
        if self.trim is not None:
            lab -= self.trim.off(lab, places.reshape(-1, 2))
        return lab

    def outshines(self, samples: npt.NDArray[np.uint8], light: Floats) -> Flags:
        """Which samples (..., 3), of such light (n, 3), are lighter than white would be: what lights them is none that
        was measured.

        So are those at the sensor's ceiling, unless that is white itself, as in a scan or a drawing, or less.
        """
        if self.ceiling is not None and max(self.ceiling) < 1.0:
            return np.zeros(samples.shape[:-1], bool)
        luminance = (light @ LUMINANCE).reshape(samples.shape[:-1])
        burnt = all_clipped(samples) & (np.abs(luminance - 1.0) > _AT_THE_CEILING)
        return np.asarray(burnt | (luminance > _OUTSHONE))

    def light(self, samples: npt.NDArray[np.uint8], places: npt.NDArray[np.floating]) -> Floats:
        """Linear BGR light (n, 3) of samples at places (n, 2) as under even light, untrimmed."""
        light = self.response.light()[samples.reshape(-1, 3)]
        if self.edges is not None:
            light = light / self.edges.at(places.reshape(-1, 2))
        planes = self.matrix[:, :3] @ light.T
        planes *= np.exp(-surface_of(places.reshape(-1, 2), self.size) @ self.fall_off)
        planes += self.matrix[:, 3:]
        if self.ceiling is not None:
            return np.asarray(np.minimum(planes.T, np.array(self.ceiling, np.float32)), np.float32)
        flat = samples.reshape(-1, 3)
        partly = any_clipped(flat) & ~all_clipped(flat)
        if partly.any():
            planes[:, partly] = _restored(planes[:, partly], (flat[partly] >= CLIPPED).T)
        return np.asarray(planes.T, np.float32)


def _restored(planes: Floats, burnt: Flags) -> Floats:
    """Light (3, n) with burnt channels as strong as the others on average, white at the most: what burns is pale."""
    kept = np.minimum(np.where(burnt, np.float32(0), planes).sum(axis=0) / (~burnt).sum(axis=0), np.float32(1))
    return np.where(burnt, np.maximum(planes, kept), planes)


def surface_of(places: npt.NDArray[np.floating], size: tuple[float, float]) -> Floats:
    """What the fall-off of light is linear in (n, 6) at board places (n, 2)."""
    x, y = (2.0 * places[:, axis] / size[axis] - 1.0 for axis in (0, 1))
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y]).astype(np.float32).T
