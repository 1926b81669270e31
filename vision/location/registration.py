"""The camera's pose over the sheet from its markers: which of them are used, and whether they agree.

Frames as in `vision.location.board_pose`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from companion.wording.sentences import sentence
from vision.location.board_pose import BoardNotFound, BoardPose, CameraModel
from vision.location.fiducials import Fiducial
from vision.location.pose_fit import KNOWN, MEASURED, UNUSUAL, USUAL, Freedom, refined_pose

Floats = npt.NDArray[np.float64]

FEWEST_MARKERS = 4
"""Fewest markers for a pose: with three, the grid error grew from 0.15 to 0.98 px (95th percentile, rendered
scenes).
"""
FEWEST_QUADRANTS = 3
"""Fewest quadrants of the sheet that must hold a marker."""
MARKERS_TO_SPARE = 6
"""One marker for each this many in view may be left out if it does not fit, as when half covered."""
LARGEST_RMS = 0.5
"""Largest residual (pixels) in pictures up to 1920 wide; grows in proportion for larger ones."""
_MARKERS_FOR_MORE = 5
"""Fewest markers from which cropping, stretch or shear is estimated; with fewer, anything fits."""
_LOOSE_RMS = 1.5
"""Largest residual (pixels) of a loose model: rows do not move at one constant speed."""
_LOOSE_MILLIMETRES = 0.7
"""The same on the sheet (mm): smaller than any spot."""
_MARKERS_FOR_LOOSE = 7
"""Fewest markers for a loose model."""

_TOO_FEW = (
    sentence("none of the sheet's markers in view; four are needed"),
    sentence("only one of the sheet's markers in view; four are needed"),
    sentence("only two of the sheet's markers in view; four are needed"),
    sentence("only three of the sheet's markers in view; four are needed"),
)


def register(
    board: Board,
    seen: Mapping[int, Fiducial],
    size: tuple[int, int],
    camera: CameraModel | None = None,
) -> BoardPose | BoardNotFound:
    """The camera's pose from markers found in a picture of `size` (width, height) pixels.

    Without a camera model, focal length, distortion and principal point are estimated too, with priors for common
    cameras; a model for pictures of other proportions is ignored. A pose needs four markers in three quadrants and a
    residual of at most 0.5 px, and hardly any marker may be left out. Only where that fails, and only with markers to
    spare, the picture may be cropped, stretched or sheared by a rolling shutter, or the sheet bent or glued together
    inexactly.
    """
    if camera is not None and not camera.shows(*size):
        camera = None
    known = {marker: seen[marker] for marker in sorted(seen) if marker in board.markers.centres}
    ids = frozenset(known)
    if len(ids) < FEWEST_MARKERS:
        return BoardNotFound(_TOO_FEW[len(ids)], ids)
    if len(_quadrants(board, ids)) < FEWEST_QUADRANTS:
        reason = sentence(
            "the {count} markers in view lie in one half of the sheet; uncover the others", count=len(ids)
        )
        return BoardNotFound(reason, ids)
    flat = np.stack([marker_corners(board, marker) for marker in known])
    pixels = np.stack([fiducial.corners for fiducial in known.values()]).astype(np.float64)
    _, mask = cv2.findHomography(flat.reshape(-1, 2), pixels.reshape(-1, 2), cv2.RANSAC, 0.02 * size[0])
    trusted = np.asarray(np.asarray(mask, bool).reshape(-1, 4).all(axis=1), bool)
    if (~trusted).sum() > len(ids) // MARKERS_TO_SPARE:
        return BoardNotFound(sentence("the markers do not lie in one plane as printed; is the sheet bent or cut?"), ids)
    fit = _fitted(board.size, flat, pixels, trusted, size, camera)
    if not fit.is_good and len(ids) >= _MARKERS_FOR_MORE:
        others = [
            _fitted(board.size, flat, pixels, trusted, size, camera, given)
            for given in (MEASURED if camera else UNUSUAL)
            if not given.seams or len(ids) >= _MARKERS_FOR_LOOSE
        ]
        fit = min((each for each in others if each.is_good), key=lambda each: each.cost, default=fit)
    good, rms = fit.good, fit.rms
    used = frozenset(marker for marker, kept in zip(known, good, strict=True) if kept)
    if not fit.is_good:
        reason = sentence(
            "the markers fit badly ({good} of {all}, {rms} px); flatten the sheet, hold the camera",
            good=int(good.sum()), all=len(ids), rms=f"{rms:.2f}",
        )  # fmt: skip
        return BoardNotFound(reason, ids)
    if len(_quadrants(board, used)) < FEWEST_QUADRANTS:
        reason = sentence(
            "the {count} markers that fit lie in one half of the sheet; uncover the others", count=len(used)
        )
        return BoardNotFound(reason, ids)
    return replace(fit.pose, rms=rms, markers=ids)


def marker_corners(board: Board, marker: int) -> Floats:
    """The corners (4, 2) of a printed marker in board millimetres, in the order they are detected."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * board.markers.side / 2
    return np.asarray(board.markers.centres[marker] + corners, np.float64)


def _quadrants(board: Board, ids: frozenset[int]) -> set[tuple[bool, bool]]:
    """The quadrants of the sheet that hold one of the markers; one on an axis counts for both sides."""
    quadrants = set()
    slack = board.markers.side / 2
    for marker in ids:
        x, y = board.markers.centres[marker]
        for right in {x + slack > board.size[0] / 2, x - slack > board.size[0] / 2}:
            for low in {y + slack > board.size[1] / 2, y - slack > board.size[1] / 2}:
                quadrants.add((right, low))
    return quadrants


@dataclass(frozen=True, slots=True)
class _Fit:
    """A pose, the markers (n,) used for it, the residual (pixels), and the total cost (smaller is likelier)."""

    pose: BoardPose
    good: npt.NDArray[np.bool_]
    rms: float
    cost: float
    is_good: bool


def _fitted(
    board_size: tuple[float, float],
    flat: Floats,
    pixels: Floats,
    trusted: npt.NDArray[np.bool_],
    size: tuple[int, int],
    camera: CameraModel | None,
    given: Freedom | None = None,
) -> _Fit:
    """The pose of the trusted markers (n, 4, 2), leaving out the few that do not fit."""
    freedom = given or (KNOWN if camera else USUAL)
    scale = max(1.0, size[0] / 1920)
    largest = LARGEST_RMS * scale
    spared = len(flat) // MARKERS_TO_SPARE
    if freedom.is_loose and len(flat) >= _MARKERS_FOR_LOOSE:
        one = np.linalg.norm(np.diff(pixels[trusted], axis=1), axis=2).mean() / np.abs(flat[0, 1] - flat[0, 0]).max()
        largest, spared = max(largest, min(_LOOSE_RMS * scale, _LOOSE_MILLIMETRES * float(one))), 0
    pose, residuals, cost = refined_pose(board_size, flat[trusted], pixels[trusted], size, camera, freedom)
    off = np.full(len(flat), np.inf)
    off[trusted] = residuals.max(axis=1)
    good = trusted & (off < 3 * largest)
    if good.sum() < trusted.sum() and (~good).sum() <= spared:
        pose, residuals, cost = refined_pose(board_size, flat[good], pixels[good], size, camera, freedom)
    rms = float(np.sqrt((residuals**2).mean()))
    return _Fit(pose, good, rms, cost, bool((~good).sum() <= spared and rms <= largest))
