"""How a sheet differs from the plane it is printed for: curled, folded to be carried, or glued together of pages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

TERMS = 5
"""What eight markers around a sheet tell of its form beside its plane."""


def relief_terms(places: npt.NDArray[np.floating], size: tuple[float, float]) -> npt.NDArray[np.floating]:
    """What heights and shifts (n,) at board places (n, 2) in millimetres are linear in: (n, 5).

    The terms that an eight-node serendipity element has beyond a plane, so that the middle goes by the sides, as it
    does on paper, which bends and does not stretch (Zienkiewicz and Taylor, The Finite Element Method, 8.4).
    """
    x, y = (2.0 * places[:, axis] / size[axis] - 1.0 for axis in (0, 1))
    return np.stack([x * x, x * y, y * y, x * x * y, x * y * y], axis=1)


FLAT = (0.0,) * TERMS
_DEGREE = 5
"""Of the polynomials that bulges are made of: waves down to half a sheet long."""


def bulge_terms(places: npt.NDArray[np.floating], size: tuple[float, float]) -> Floats:
    """What a bulge's heights (n,) at board places (n, 2) in millimetres are linear in: Legendre polynomials."""
    x, y = (2.0 * np.asarray(places[:, axis], np.float64) / size[axis] - 1.0 for axis in (0, 1))
    by_x, by_y = (np.polynomial.legendre.legvander(each, _DEGREE) for each in (x, y))
    pairs = [(i, j) for i in range(_DEGREE + 1) for j in range(_DEGREE + 1 - i)]
    return np.stack([by_x[:, i] * by_y[:, j] for i, j in pairs], axis=1)


@dataclass(frozen=True, slots=True)
class Relief:
    """The heights of a sheet of a size (mm), in millimetres of each of the `relief_terms`; and how far it is shifted,
    to the right and then down, as pages are that were not glued exactly.
    """

    size: tuple[float, float]
    terms: tuple[float, ...]
    shifts: tuple[float, ...] = (0.0,) * (2 * TERMS)
    bulge: tuple[float, ...] = ()
    """how far it rises beside that, in millimetres of each of the `bulge_terms`, if it is known to"""

    def heights(self, places: npt.ArrayLike) -> npt.NDArray[np.floating]:
        """How far (mm) the sheet rises at board places (n, 2) in millimetres; beyond its rim as at the rim.

        Computed in single precision where places come in it.
        """
        found = self._linear(places, self.terms)
        if not self.bulge:
            return found
        at = np.clip(np.asarray(places), 0.0, np.array(self.size))
        return np.asarray(found + bulge_terms(at, self.size) @ np.array(self.bulge), found.dtype)

    def shifted(self, places: npt.ArrayLike) -> npt.NDArray[np.floating]:
        """How far (n, 2), mm, what is printed at board places (n, 2) lies beside them; beyond the rim as at the rim."""
        return self._linear(places, tuple(zip(self.shifts[:TERMS], self.shifts[TERMS:], strict=True)))

    def _linear(self, places: npt.ArrayLike, of: tuple[object, ...]) -> npt.NDArray[np.floating]:
        at = np.asarray(places)
        inside = np.clip(at, 0.0, np.array(self.size, at.dtype))
        return np.asarray(relief_terms(inside, self.size) @ np.array(of, at.dtype))
