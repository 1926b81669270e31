"""Finds a sheet's printed markers and their corners with subpixel accuracy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Markers
from vision.location.marker_sets import MarkerCandidate, MarkerSet, are_alike, displaced, once_only, sheets_among
from vision.pictures import Gray, interpolated

MarkerCorners = npt.NDArray[np.float32]

_MODULES = 6
"""Modules along a side of a 4 x 4 marker, its black border included."""
_HALVED_FROM = 1600
"""Picture width (pixels) from which half the size is searched first, and the full size only if a marker is missing."""
_ENOUGH = 4
"""Number of markers below which the picture is enlarged and searched again for small ones."""
_ENLARGED_TO = 3000
"""Largest picture width (pixels) that is enlarged."""
_ENLARGED = 2
"""Factor of the enlargement."""
_LOCATING = 2
"""Number of markers from which the positions of the others can be computed."""
_MAY_BE_HIDDEN = 2
"""Number of markers that may be missing without a search at their computed positions."""
_AROUND = 1.5
"""Size of the surroundings searched for a missing marker, in sides of a marker."""
_CLEAR = 48.0
"""Side (pixels) to which a missing marker's surroundings are scaled for the search."""
_LIKE_ITS_PATTERN = 0.8
"""Correlation with its pattern from which a square at a computed position is accepted as the marker."""
_ALONG = np.linspace(0.12, 0.88, 20)
"""Where along a side it is probed, in parts of its length."""
_LEAST_SHARE = 0.2
"""Smallest ratio of a marker's extent across a side to that along it."""
_ACROSS = np.linspace(-0.75, 0.75, 16)
"""Where across a side it is probed, in modules outwards."""


@dataclass(frozen=True, slots=True)
class Fiducial:
    """A marker in a picture: four corners (pixels, from the top left as printed, clockwise) and its contrast.

    `contrast` is the difference in grey levels (0 to 255) between its white and its black.
    """

    id: int
    corners: MarkerCorners
    contrast: float


class FiducialFinder:
    """Finds the markers of one sheet; markers with other ids are ignored."""

    def __init__(self, markers: Markers) -> None:
        parameters = cv2.aruco.DetectorParameters()
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, markers.dictionary))
        reach = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * markers.side / 2
        self._printed = {marker: np.array(centre) + reach for marker, centre in markers.centres.items()}
        self._detector = cv2.aruco.ArucoDetector(dictionary, parameters)
        self._patterns = {
            marker: np.asarray(cv2.aruco.generateImageMarker(dictionary, marker, _MODULES), np.float64)
            for marker in self._printed
        }

    def find(self, gray: Gray) -> dict[int, Fiducial]:
        """The markers of the sheet in a grey picture; none if two sheets show equally well.

        Of several markers with one id the one at the sheet's position is taken.
        """
        sheets = self.find_sheets(gray)
        return sheets[0] if len(sheets) == 1 else {}

    def find_sheets(self, gray: Gray) -> tuple[dict[int, Fiducial], ...]:
        """The markers of the sheet that shows best, and of a second one if it shows about as well."""
        if gray.shape[1] >= _HALVED_FROM:
            half = np.asarray(cv2.resize(gray, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
            candidates = [(marker, 2.0 * quad + np.float32(0.5)) for marker, quad in self._detect(half)]
            sheets = self._sheets(gray, candidates)
            if sheets and len(sheets[0]) >= max(_ENOUGH, len(self._printed) - _MAY_BE_HIDDEN):
                return self._refined_sheets(gray, sheets, candidates)
        candidates = self._detect(gray)
        sheets = self._sheets(gray, candidates)
        if (not sheets or len(sheets[0]) < _ENOUGH) and gray.shape[1] <= _ENLARGED_TO:
            size = gray.shape[1] * _ENLARGED, gray.shape[0] * _ENLARGED
            large = np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_CUBIC), np.uint8)
            middle = np.float32((1 / _ENLARGED - 1) / 2)
            for marker, quad in self._detect(large):
                here = np.asarray(quad / _ENLARGED + middle, np.float32)
                if not any(marker == other and _overlap(here, there) for other, there in candidates):
                    candidates.append((marker, here))
            sheets = self._sheets(gray, candidates)
        return self._refined_sheets(gray, sheets, candidates)

    def _sheets(self, gray: Gray, candidates: Sequence[MarkerCandidate]) -> tuple[MarkerSet, ...]:
        """The sheets formed by the candidates, with markers found by searching at computed positions."""
        sheets = sheets_among(candidates, self._printed, gray.shape[1])
        return tuple(self._with_sought(gray, sheet) for sheet in sheets)

    def _refined_sheets(
        self, gray: Gray, sheets: tuple[MarkerSet, ...], candidates: Sequence[MarkerCandidate]
    ) -> tuple[dict[int, Fiducial], ...]:
        """The sheets that may be meant, with refined corners, including markers out of place, so that the caller
        notices a bent or cut sheet.
        """
        if not sheets:
            return ()
        if len(sheets) > 1 and are_alike(*sheets):
            return tuple(_refined(gray, sheet) for sheet in sheets)
        best = sheets[0]
        if len(best) < _ENOUGH:
            return (_refined(gray, once_only(candidates) | best),)
        return (_refined(gray, best | displaced(best, candidates, self._printed)),)

    def _with_sought(self, gray: Gray, found: MarkerSet) -> MarkerSet:
        """The markers found, and those found at the positions that these imply; small ones are enlarged for it."""
        found = dict(found)
        fresh = len(found) >= _LOCATING
        while fresh:
            fresh = False
            printed = np.concatenate([self._printed[marker] for marker in found])
            plane, _ = cv2.findHomography(printed, np.concatenate(list(found.values())).astype(np.float64))
            if plane is None:
                break
            for marker in self._printed.keys() - found.keys():
                quad = cv2.perspectiveTransform(self._printed[marker][None], plane)[0]
                here = self._look_at(gray, quad, marker)
                if here is not None:
                    found[marker], fresh = here, True
        return found

    def _look_at(self, gray: Gray, quad: npt.NDArray[np.float64], marker: int) -> MarkerCorners | None:
        """One marker near its computed corners (4, 2); None where it is not found."""
        height, width = gray.shape
        low, high = quad.min(axis=0), quad.max(axis=0)
        side = float((high - low).max())
        left, top = np.maximum(low - _AROUND * side, 0).astype(int).tolist()
        right, bottom = (np.minimum(high + _AROUND * side, (width, height)).astype(int)).tolist()
        if right - left < side or bottom - top < side or side < _MODULES:
            return None
        factor = max(1, round(_CLEAR / side))
        size = (right - left) * factor, (bottom - top) * factor
        part = cv2.resize(gray[top:bottom, left:right], size, interpolation=cv2.INTER_CUBIC)
        certain, _, others = self._detector.detectMarkers(part)
        best, likeness = None, _LIKE_ITS_PATTERN
        for each in (*certain, *others):
            here = (np.asarray(each, np.float64).reshape(4, 2) + 0.5) / factor - 0.5 + np.array([left, top])
            turned = min((np.roll(here, turn, axis=0) for turn in range(4)), key=lambda turn: np.abs(turn - quad).sum())
            alike = _correlation(_modules(gray, turned[None])[0], self._patterns[marker].ravel())
            if alike > likeness:
                best, likeness = turned.astype(np.float32), alike
        return best

    def follow(self, gray: Gray, expected: Mapping[int, MarkerCorners]) -> dict[int, Fiducial]:
        """The markers near their expected corners; searching only there is several times faster than `find`."""
        height, width = gray.shape
        found: dict[int, MarkerCorners] = {}
        for marker, quad in expected.items():
            low, high = quad.min(axis=0), quad.max(axis=0)
            margin = 0.4 * float((high - low).max())
            left, top = (max(0, int(v)) for v in low - margin)
            right, bottom = min(width, int(high[0] + margin) + 1), min(height, int(high[1] + margin) + 1)
            if right - left < 16 or bottom - top < 16:
                continue
            corner = np.array([left, top], np.float32)
            seen = self._detect(np.ascontiguousarray(gray[top:bottom, left:right]))
            here = [other + corner for number, other in seen if number == marker]
            if here:
                found[marker] = min(here, key=lambda other: float(np.abs(other - quad).sum()))
        return _refined(gray, found)

    def _detect(self, gray: Gray) -> list[MarkerCandidate]:
        """All candidates for markers of the sheet; an id may occur several times."""
        corners, ids, _ = self._detector.detectMarkers(gray)
        # OpenCV returns None where it finds nothing, which its type stubs leave out.
        numbers = [int(number) for number in np.ravel(ids)] if len(corners) else []
        return [
            (marker, np.asarray(quad, np.float32).reshape(4, 2))
            for marker, quad in zip(numbers, corners, strict=True)
            if marker in self._printed
        ]


def _overlap(one: MarkerCorners, other: MarkerCorners) -> bool:
    """Whether two squares (4, 2) are one, detected twice."""
    return bool(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)) < np.linalg.norm(one[0] - one[2]) / 2)


def _refined(gray: Gray, rough: Mapping[int, MarkerCorners]) -> dict[int, Fiducial]:
    """The markers with each corner at the crossing of lines fitted to its sides.

    Three times as exact here as OpenCV's corner refinement, which the sheet's own rim 4 mm away distorts: only a step
    from dark to light, outwards, counts as a side.
    """
    if not rough:
        return {}
    quads = np.stack(list(rough.values())).astype(np.float64)
    for _ in range(2):
        quads = _meet_lines(gray, quads)
    inner = _contrasts(gray, quads)
    return {
        marker: Fiducial(marker, quad.astype(np.float32), float(contrast))
        for marker, quad, contrast in zip(rough, quads, inner, strict=True)
    }


def _meet_lines(gray: Gray, quads: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """One step of refinement of corners (markers, 4, 2)."""
    start, end = quads, np.roll(quads, -1, axis=1)
    side = end - start
    length = np.linalg.norm(side, axis=2, keepdims=True)
    normal = np.stack([side[..., 1], -side[..., 0]], axis=2) / length
    # At a slant, a module is shorter across a side than along it.
    middle = (start + end) / 2
    across = ((np.roll(middle, 2, axis=1) - middle) * normal).sum(axis=2, keepdims=True)
    module = np.maximum(np.abs(across), _LEAST_SHARE * length) / _MODULES
    feet = start[:, :, None] + side[:, :, None] * _ALONG[:, None]
    probes = feet[:, :, :, None] + (normal * module)[:, :, None, None] * _ACROSS[:, None]
    levels = interpolated(gray, probes.reshape(-1, len(_ACROSS), 2).astype(np.float32))
    rise = np.maximum(np.diff(levels.reshape(probes.shape[:4]).astype(np.float64), axis=3), 0.0)
    # Squared, so that the one steep step outweighs the noise around it.
    strength = rise**2
    middles = (_ACROSS[1:] + _ACROSS[:-1]) / 2
    total = strength.sum(axis=3)
    offset = (strength * middles).sum(axis=3) / np.maximum(total, 1e-9)
    along = (_ALONG - 0.5)[None, None]
    weight = np.sqrt(total)
    slope, level = _fit(along, offset, weight)
    stray = np.abs(offset - slope[..., None] * along - level[..., None])
    slope, level = _fit(along, offset, np.where(stray > 0.1, 0.1 * weight, weight))
    first = start + normal * module * (level - 0.5 * slope)[..., None]
    second = end + normal * module * (level + 0.5 * slope)[..., None]
    corners = _crossing(np.roll(first, 1, axis=1), np.roll(second, 1, axis=1), first, second)
    far = np.linalg.norm(corners - quads, axis=2, keepdims=True) > 1.0 * module
    return np.where(far, quads, corners)


def _fit(
    along: npt.NDArray[np.float64], offset: npt.NDArray[np.float64], weight: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Slope and level of weighted least-squares lines over the last axis."""
    total = np.maximum(weight.sum(axis=-1), 1e-9)
    mean_along = (weight * along).sum(axis=-1) / total
    mean_offset = (weight * offset).sum(axis=-1) / total
    off = along - mean_along[..., None]
    spread = np.maximum((weight * off * off).sum(axis=-1), 1e-9)
    slope = (weight * off * (offset - mean_offset[..., None])).sum(axis=-1) / spread
    return slope, mean_offset - slope * mean_along


def _crossing(
    a: npt.NDArray[np.float64], b: npt.NDArray[np.float64], c: npt.NDArray[np.float64], d: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Where the lines a-b and c-d meet, over arrays of points (..., 2)."""
    one, two, between = b - a, d - c, c - a
    cross = one[..., 0] * two[..., 1] - one[..., 1] * two[..., 0]
    part = (between[..., 0] * two[..., 1] - between[..., 1] * two[..., 0]) / np.where(np.abs(cross) < 1e-9, 1e-9, cross)
    return np.asarray(a + one * part[..., None])


def _contrasts(gray: Gray, quads: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The grey-level difference between light and dark modules of each marker."""
    levels = _modules(gray, quads)
    return np.asarray(np.percentile(levels, 90, axis=1) - np.percentile(levels, 10, axis=1))


def _correlation(levels: npt.NDArray[np.float64], pattern: npt.NDArray[np.float64]) -> float:
    """The correlation (-1 to 1) of levels (n,) with a pattern (n,); 0 without contrast."""
    one, other = levels - levels.mean(), pattern - pattern.mean()
    return float(one @ other / max(float(np.linalg.norm(one) * np.linalg.norm(other)), 1e-9))


def _modules(gray: Gray, quads: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The levels (markers, modules) at the centres of the modules of markers (n, 4, 2), row by row."""
    steps = (np.arange(_MODULES) + 0.5) / _MODULES
    down, right = np.meshgrid(steps, steps, indexing="ij")
    weights = np.stack([(1 - right) * (1 - down), right * (1 - down), right * down, (1 - right) * down])
    places = np.einsum("cyx,mcp->myxp", weights, quads)
    return interpolated(gray, places.reshape(len(quads), -1, 2).astype(np.float32)).astype(np.float64)
