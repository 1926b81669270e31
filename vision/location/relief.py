"""The deviation of a sheet from its plane: curled, folded for carrying, or glued together from pages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

TERMS = 5
"""Terms, beyond a plane, that eight markers around a sheet determine."""


def relief_terms(places: npt.NDArray[np.floating], size: tuple[float, float]) -> npt.NDArray[np.floating]:
    """The terms (n, 5) at board places (n, 2) in millimetres in which heights and shifts are linear.

    Those of an eight-node serendipity element beyond a plane: the middle follows the sides, as on paper, which bends
    but does not stretch (Zienkiewicz and Taylor, The Finite Element Method, 8.4).
    """
    x, y = (2.0 * places[:, axis] / size[axis] - 1.0 for axis in (0, 1))
    return np.stack([x * x, x * y, y * y, x * x * y, x * y * y], axis=1)


FLAT = (0.0,) * TERMS
_DEGREE = 5
"""Degree of the polynomials of bulges: waves down to half a sheet long."""
_PAIRS = [(i, j) for i in range(_DEGREE + 1) for j in range(_DEGREE + 1 - i)]
"""The polynomials along the sheet and down it whose products bulges are made of."""
_POWERS = np.array(
    [np.pad(np.polynomial.legendre.leg2poly([0.0] * k + [1.0]), (0, _DEGREE - k)) for k in range(_DEGREE + 1)]
)
"""The coefficients (polynomials, powers) of each Legendre polynomial."""


def bulge_terms(places: npt.NDArray[np.floating], size: tuple[float, float]) -> Floats:
    """The terms at board places (n, 2) in millimetres in which a bulge's heights are linear: Legendre polynomials."""
    x, y = (2.0 * np.asarray(places[:, axis], np.float64) / size[axis] - 1.0 for axis in (0, 1))
    by_x, by_y = (np.polynomial.legendre.legvander(each, _DEGREE) for each in (x, y))
    return np.stack([by_x[:, i] * by_y[:, j] for i, j in _PAIRS], axis=1)


def _bulging(bulge: tuple[float, ...], places: npt.NDArray[np.floating], size: tuple[float, float]) -> Floats:
    """The same terms weighted by the coefficients of a bulge and summed, from powers by Horner's rule: (n,)."""
    x, y = (2.0 * np.asarray(places[:, axis], np.float64) / size[axis] - 1.0 for axis in (0, 1))
    shares = np.zeros((_DEGREE + 1, _DEGREE + 1))
    shares[tuple(zip(*_PAIRS, strict=True))] = bulge
    rows = _POWERS.T @ shares @ _POWERS
    result = np.zeros(len(places))
    for down in reversed(range(_DEGREE + 1)):
        along = np.full(len(places), rows[_DEGREE - down, down])
        for power in reversed(range(_DEGREE - down)):
            along *= x
            along += rows[power, down]
        result *= y
        result += along
    return result


@dataclass(frozen=True, slots=True)
class Relief:
    """The heights of a sheet of `size` (mm): `terms` are the coefficients (mm) of the `relief_terms`; `shifts` are
    those of its displacement to the right, then down, for pages not glued exactly.
    """

    size: tuple[float, float]
    terms: tuple[float, ...]
    shifts: tuple[float, ...] = (0.0,) * (2 * TERMS)
    bulge: tuple[float, ...] = ()
    """coefficients (mm) of the `bulge_terms` of a further rise, empty if none is known"""

    def heights(self, places: npt.ArrayLike) -> npt.NDArray[np.floating]:
        """The rise (mm) of the sheet at board places (n, 2) in millimetres; beyond the rim that at the rim.

        In single precision where the places are.
        """
        found = self._linear(places, self.terms)
        if not self.bulge:
            return found
        at = np.clip(np.asarray(places), 0.0, np.array(self.size))
        return np.asarray(found + _bulging(self.bulge, at, self.size), found.dtype)

    def shifted(self, places: npt.ArrayLike) -> npt.NDArray[np.floating]:
        """The displacement (n, 2), mm, of what is printed at board places (n, 2); beyond the rim that at the rim."""
        return self._linear(places, tuple(zip(self.shifts[:TERMS], self.shifts[TERMS:], strict=True)))

    def _linear(self, places: npt.ArrayLike, of: tuple[object, ...]) -> npt.NDArray[np.floating]:
        at = np.asarray(places)
        shares = np.array(of, at.dtype)
        if not shares.any():
            return np.zeros((len(at), *shares.shape[1:]), at.dtype)
        inside = np.clip(at, 0.0, np.array(self.size, at.dtype))
        return np.asarray(relief_terms(inside, self.size) @ shares)
