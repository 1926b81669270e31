"""Where the camera stands over the sheet: from the markers' corners to a pose that maps millimetres to pixels.

Board frame: millimetres, x right, y down, z up from the sheet. Image frame: pixels, x right, y down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from companion.sentences import sentence
from vision.location.fiducials import Fiducial

Floats = npt.NDArray[np.float64]
Points = npt.NDArray[np.float32]

FEWEST_MARKERS = 4
FEWEST_QUADRANTS = 3
MARKERS_TO_SPARE = 6
"""For each so many markers in view, one may be left aside that does not lie as the others do: half covered, say."""
LARGEST_RMS = 0.5
"""Pixels in pictures up to 1920 wide; grows in proportion with larger ones."""
_MARKERS_FOR_MORE = 5
"""From so many markers on it is told how a picture was cropped, stretched or sheared; fewer fit anything."""
_LOOSE_RMS, _LOOSE_MILLIMETRES, _MARKERS_FOR_LOOSE = 1.5, 0.7, 7
"""What a sheared picture of at least so many markers may leave over, in pixels and on the sheet: rows are not moved by
hand at one speed, and no spot is so small that it matters."""

_USUAL_FOCAL = 0.78
"""Focal length over picture width of a usual webcam (65 degrees across)."""
_FOCAL_SPREAD = 0.25
"""Standard deviation of the logarithm of that ratio over cameras."""
_DISTORTION_SPREAD, _DISTORTION2_SPREAD = 0.12, 0.05
_CENTRE_SPREAD = 0.006
"""Standard deviation of the principal point from the picture's middle, over the picture's width."""
_BLEED_SPREAD = 0.7
"""Standard deviation, pixels, of how far light bleeds over a dark marker's sides."""
_SAME_PART = 1.5
"""Pixels by which a picture's height may be off from the measured ratio."""
_TOO_FEW = (
    sentence("none of the sheet's markers in view; four are needed"),
    sentence("only one of the sheet's markers in view; four are needed"),
    sentence("only two of the sheet's markers in view; four are needed"),
    sentence("only three of the sheet's markers in view; four are needed"),
)
_CORNER_SPREAD = 0.15
"""Standard deviation of a refined corner, pixels."""


@dataclass(frozen=True, slots=True)
class CameraModel:
    """A pinhole with square pixels and radial distortion.

    `focal` in pixels; `radial` and `radial2` are OpenCV's k1 and k2; `centre` is the principal point (pixels), the
    picture's middle where it is not known.
    """

    width: int
    height: int
    focal: float
    radial: float = 0.0
    radial2: float = 0.0
    centre: tuple[float, float] | None = None

    @property
    def matrix(self) -> Floats:
        """The 3 x 3 camera matrix."""
        x, y = self.centre or ((self.width - 1) / 2, (self.height - 1) / 2)
        return np.array([[self.focal, 0, x], [0, self.focal, y], [0, 0, 1.0]])

    @property
    def distortion(self) -> Floats:
        """OpenCV's distortion coefficients."""
        return np.array([self.radial, self.radial2, 0.0, 0.0])

    def shows(self, width: int, height: int) -> bool:
        """Whether pictures of a size show what the camera was measured for: their sides have the same ratio."""
        return abs(height - self.height * width / self.width) <= _SAME_PART

    def scaled(self, width: int, height: int) -> CameraModel:
        """The same camera giving pictures of another size with the same sides' ratio.

        Raises ValueError where the ratio differs, for then another part of the sensor is shown.
        """
        factor = width / self.width
        if not self.shows(width, height):
            raise ValueError(f"{width} x {height} pixels show another part than {self.width} x {self.height} do")
        x, y = self.centre or ((self.width - 1) / 2, (self.height - 1) / 2)
        centre = ((x + 0.5) * factor - 0.5, (y + 0.5) * factor - 0.5)
        return replace(self, width=width, height=height, focal=self.focal * factor, centre=centre)


@dataclass(frozen=True, slots=True)
class BoardPose:
    """The camera over the sheet. `rotation` (3 x 3) and `translation` (mm) take board to camera coordinates, y and z
    flipped so that the board's z points up to the camera; both hold the shear or stretch of a picture that shows one,
    and `rotation` is then no pure one. `rms` is the markers' residual in pixels, `bleed` by how many
    pixels their sides seem to lie farther in than printed: a blurred edge between light and dark looks lighter.
    """

    camera: CameraModel
    rotation: Floats
    translation: Floats
    rms: float
    markers: frozenset[int]
    bleed: float = 0.0

    @property
    def size(self) -> tuple[int, int]:
        """The picture's width and height in pixels."""
        return self.camera.width, self.camera.height

    @property
    def eye(self) -> Floats:
        """The camera's centre in board millimetres (3,), z up."""
        return cast(Floats, (-np.linalg.inv(self.rotation) @ self.translation) * np.array([1.0, 1.0, -1.0]))

    def project(self, points: npt.ArrayLike) -> Points:
        """Pixels (n, 2) of board points (n, 3) in millimetres; computed in single precision where they come in it."""
        board = np.asarray(points)
        kind = np.float32 if board.dtype == np.float32 else np.float64
        matrix = (self.rotation * np.array([1.0, 1.0, -1.0])).T.astype(kind)
        across, down, away = (
            matrix.T @ board.astype(kind, copy=False).reshape(-1, 3).T + self.translation.astype(kind)[:, None]
        )
        x, y = across / away, down / away
        square = x * x + y * y
        scale = (1.0 + (self.camera.radial + self.camera.radial2 * square) * square) * self.camera.focal
        middle = self.camera.matrix[:2, 2].astype(kind)
        pixels = np.empty((len(x), 2), np.float32)
        pixels[:, 0], pixels[:, 1] = x * scale + middle[0], y * scale + middle[1]
        return pixels

    def to_board(self, pixels: npt.ArrayLike, height: float = 0.0) -> Points:
        """Board points (n, 2) in millimetres that pixels (n, 2) show, if they lie at `height` mm over the sheet."""
        distorted = np.asarray(pixels, np.float64).reshape(-1, 2)
        if not distorted.size:
            return np.zeros((0, 2), np.float32)
        plane = cv2.undistortPoints(distorted[:, None], self.camera.matrix, self.camera.distortion).reshape(-1, 2)
        result = cv2.perspectiveTransform(plane[:, None], np.linalg.inv(self.homography(height))).reshape(-1, 2)
        return np.asarray(result, np.float32)

    def homography(self, height: float = 0.0) -> Floats:
        """The 3 x 3 map from board x, y (mm) at a height (mm) to the undistorted plane at unit distance."""
        return np.column_stack(
            [self.rotation[:, 0], self.rotation[:, 1], self.translation - height * self.rotation[:, 2]]
        )


@dataclass(frozen=True, slots=True)
class BoardNotFound:
    """Why a picture gives no pose; `seen` are the ids of the sheet's markers that were found."""

    reason: str
    seen: frozenset[int]


def register(
    board: Board,
    seen: Mapping[int, Fiducial],
    size: tuple[int, int],
    camera: CameraModel | None = None,
) -> BoardPose | BoardNotFound:
    """The camera's pose from markers found in a picture of `size` (width, height) pixels.

    Without a camera model focal length, distortion and principal point are estimated along, as far as the markers show
    them, and else taken to be usual; a model of pictures of other proportions is left aside. Accepted only from four
    markers in three quadrants, of which hardly any may be left aside, within 0.5 px. Only where they do not fit, and
    only with markers to spare, the picture is taken to be cropped, stretched or sheared by a rolling shutter.
    """
    if camera is not None and not camera.shows(*size):
        camera = None
    known = {marker: seen[marker] for marker in sorted(seen) if marker in board.markers.centres}
    ids = frozenset(known)
    if len(ids) < FEWEST_MARKERS:
        return BoardNotFound(_TOO_FEW[len(ids)], ids)
    if len(_quadrants(board, ids)) < FEWEST_QUADRANTS:
        told = sentence("the {count} markers in view lie in one half of the sheet; uncover the others", count=len(ids))
        return BoardNotFound(told, ids)
    flat = np.stack([marker_corners(board, marker) for marker in known])
    pixels = np.stack([fiducial.corners for fiducial in known.values()]).astype(np.float64)
    _, mask = cv2.findHomography(flat.reshape(-1, 2), pixels.reshape(-1, 2), cv2.RANSAC, 0.02 * size[0])
    trusted = np.asarray(np.asarray(mask, bool).reshape(-1, 4).all(axis=1), bool)
    if (~trusted).sum() > len(ids) // MARKERS_TO_SPARE:
        return BoardNotFound(sentence("the markers do not lie in one plane as printed; is the sheet bent or cut?"), ids)
    fit = _fitted(flat, pixels, trusted, size, camera)
    if not fit.is_good and len(ids) >= _MARKERS_FOR_MORE:
        others = [_fitted(flat, pixels, trusted, size, camera, given) for given in (_MEASURED if camera else _UNUSUAL)]
        fit = min((each for each in others if each.is_good), key=lambda each: each.cost, default=fit)
    good, rms = fit.good, fit.rms
    used = frozenset(marker for marker, kept in zip(known, good, strict=True) if kept)
    if not fit.is_good:
        told = sentence(
            "the markers fit badly ({good} of {all}, {rms} px); flatten the sheet, hold the camera",
            good=int(good.sum()), all=len(ids), rms=f"{rms:.2f}",
        )  # fmt: skip
        return BoardNotFound(told, ids)
    if len(_quadrants(board, used)) < FEWEST_QUADRANTS:
        told = sentence(
            "the {count} markers that fit lie in one half of the sheet; uncover the others", count=len(used)
        )
        return BoardNotFound(told, ids)
    return replace(fit.pose, rms=rms, markers=ids)


def marker_corners(board: Board, marker: int) -> Floats:
    """The corners (4, 2) of a printed marker in board millimetres, in the order they are detected."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * board.markers.side / 2
    return np.asarray(board.markers.centres[marker] + corners, np.float64)


def _quadrants(board: Board, ids: frozenset[int]) -> set[tuple[bool, bool]]:
    """The quadrants of the sheet that hold one of the markers; one on an axis counts for both its sides."""
    quadrants = set()
    slack = board.markers.side / 2
    for marker in ids:
        x, y = board.markers.centres[marker]
        for right in {x + slack > board.size[0] / 2, x - slack > board.size[0] / 2}:
            for low in {y + slack > board.size[1] / 2, y - slack > board.size[1] / 2}:
                quadrants.add((right, low))
    return quadrants


@dataclass(frozen=True, slots=True)
class _Freedom:
    """What is estimated of a camera and its picture, as standard deviations: of the logarithm of the focal length, k1,
    k2, the principal point (parts of the picture's width), the logarithm of the pixels' height over their width, and
    the picture's shear; 0 for what is known. `is_loose` where it only comes near to what happened.
    """

    lens: tuple[float, float, float] = (0.0, 0.0, 0.0)
    centre: float = 0.0
    stretch: float = 0.0
    shear: float = 0.0
    is_loose: bool = False

    def spreads(self, width: int) -> Floats:
        """One for each number of the state after the bleed."""
        return np.array([*self.lens, self.centre * width, self.centre * width, self.stretch, self.shear])


_LENS = (_FOCAL_SPREAD, _DISTORTION_SPREAD, _DISTORTION2_SPREAD)
_USUAL = _Freedom(_LENS, _CENTRE_SPREAD)
_KNOWN = _Freedom()
_UNUSUAL = (
    _Freedom(_LENS, 0.2),
    _Freedom(_LENS, _CENTRE_SPREAD, stretch=0.3),
    _Freedom(_LENS, _CENTRE_SPREAD, stretch=0.01, shear=0.01, is_loose=True),
)
"""Cropped pictures, stretched ones, and those of a camera that moved while it read row after row."""
_MEASURED = (_Freedom(stretch=0.01, shear=0.01, is_loose=True),)
"""The same for a measured camera, which is never cropped or stretched."""


@dataclass(frozen=True, slots=True)
class _Fit:
    """A pose, which markers (n,) it was fitted to, how well, and the cost of it all (smaller is likelier)."""

    pose: BoardPose
    good: npt.NDArray[np.bool_]
    rms: float
    cost: float
    is_good: bool


def _fitted(
    flat: Floats,
    pixels: Floats,
    trusted: npt.NDArray[np.bool_],
    size: tuple[int, int],
    camera: CameraModel | None,
    given: _Freedom | None = None,
) -> _Fit:
    """The pose of the trusted markers (n, 4, 2), leaving aside those few that do not fit."""
    freedom = given or (_KNOWN if camera else _USUAL)
    scale = max(1.0, size[0] / 1920)
    largest = LARGEST_RMS * scale
    spared = len(flat) // MARKERS_TO_SPARE
    if freedom.is_loose and len(flat) >= _MARKERS_FOR_LOOSE:
        one = np.linalg.norm(np.diff(pixels[trusted], axis=1), axis=2).mean() / np.abs(flat[0, 1] - flat[0, 0]).max()
        largest, spared = max(largest, min(_LOOSE_RMS * scale, _LOOSE_MILLIMETRES * float(one))), 0
    pose, residuals, cost = _refine(flat[trusted], pixels[trusted], size, camera, freedom)
    off = np.full(len(flat), np.inf)
    off[trusted] = residuals.max(axis=1)
    good = trusted & (off < 3 * largest)
    if good.sum() < trusted.sum() and (~good).sum() <= spared:
        pose, residuals, cost = _refine(flat[good], pixels[good], size, camera, freedom)
    rms = float(np.sqrt((residuals**2).mean()))
    return _Fit(pose, good, rms, cost, bool((~good).sum() <= spared and rms <= largest))


def _refine(
    flat: Floats, pixels: Floats, size: tuple[int, int], camera: CameraModel | None, freedom: _Freedom
) -> tuple[BoardPose, Floats, float]:
    """The likeliest pose, camera and bleed given the corners (markers, 4, 2) and what cameras are like.

    A plane is often seen alike from two sides; both are tried. Returns the pose, every corner's residual (markers, 4)
    in pixels, and the cost.
    """
    scale = max(1.0, size[0] / 1920)
    model = camera.scaled(*size) if camera else CameraModel(size[0], size[1], _USUAL_FOCAL * size[0])
    spreads = np.concatenate([np.full(6, np.inf), [_BLEED_SPREAD * scale], freedom.spreads(size[0])])
    view = _View(
        np.dstack([flat, np.zeros(flat.shape[:2])]).reshape(-1, 3), pixels.reshape(-1, 2),
        _outwards(pixels).reshape(-1, 2), model, _CORNER_SPREAD * scale, spreads,
    )  # fmt: skip
    _, turns, shifts, _ = cv2.solvePnPGeneric(
        view.points, view.pixels, model.matrix, model.distortion, flags=cv2.SOLVEPNP_IPPE
    )
    found = []
    for turn, shift in zip(turns, shifts, strict=True):
        state = np.concatenate([turn.ravel(), shift.ravel(), np.zeros(_STATE - 6)])
        found.append(_gauss_newton(view, state))
    state, residuals, cost = min(found, key=lambda each: float(np.minimum(each[1], 3 * scale).sum()))
    rotation, _ = cv2.Rodrigues(state[:3])
    bent, sheared = _camera_of(state, model), _shear_of(state)
    pose = BoardPose(bent, sheared @ rotation, sheared @ state[3:6], 0.0, frozenset(), float(state[6]))
    return pose, residuals.reshape(-1, 4), cost


_STATE = 14
"""turn (3), shift (3), bleed; log focal length, k1, k2, principal point (2); log height over width of pixels, shear"""
_STEEPEST = 0.6
"""No lens bends more than this (k1)."""


@dataclass(frozen=True, slots=True)
class _View:
    """Board points (n, 3), the pixels (n, 2) that show them, the pixels' shift for a bleed of one pixel, the camera to
    start from, the standard deviation of a corner, and those of the state: 0 for what is known, infinite for the pose.
    """

    points: Floats
    pixels: Floats
    outwards: Floats
    camera: CameraModel
    spread: float
    spreads: Floats

    @property
    def free(self) -> npt.NDArray[np.bool_]:
        """Which numbers of the state are to be found."""
        return self.spreads > 0

    @property
    def prior(self) -> Floats:
        """The precision of the state around zero."""
        return np.where(self.free, np.maximum(self.spreads, 1e-9) ** -2.0, 0.0)


def _outwards(quads: npt.NDArray[np.floating]) -> Floats:
    """How far the corners of quadrilaterals (n, 4, 2) move when each side moves outwards by one pixel."""
    along = np.roll(quads, -1, axis=1) - quads
    along = along / np.maximum(np.linalg.norm(along, axis=2, keepdims=True), 1e-9)
    before = np.roll(along, 1, axis=1)
    cross = before[..., 0] * along[..., 1] - before[..., 1] * along[..., 0]
    firm = np.where(np.abs(cross) < 0.1, 0.1, cross)[..., None]
    return np.asarray((before - along) / np.abs(firm), np.float64)


def _gauss_newton(view: _View, start: Floats) -> tuple[Floats, Floats, float]:
    """Minimise the reprojection error over the free numbers of the state.

    Huber weights; Gaussian priors on all but the pose; a step that makes things worse is damped (Levenberg-Marquardt).
    Returns the state, each corner's residual in pixels and the cost.
    """
    state, damping, spread, prior, free = start.copy(), 1e-3, view.spread, view.prior, view.free
    cost, residual, columns = _reprojection(view, state)
    for _ in range(30):
        length = np.linalg.norm(residual, axis=1)
        weight = np.repeat(np.minimum(1.0, 3 * spread / np.maximum(length, 1e-9)), 2) / spread**2
        normal = (columns.T @ (columns * weight[:, None]) + np.diag(prior))[free][:, free]
        gradient = (columns.T @ (residual.ravel() * weight) - state * prior)[free]
        step = np.zeros(_STATE)
        step[free] = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), gradient)
        after = state + step
        after[8] = np.clip(after[8], -_STEEPEST, _STEEPEST)
        tried = _reprojection(view, after)
        if tried[0] > cost:
            damping *= 10
            if damping > 1e6:
                break
            continue
        gained, damping = cost - tried[0], damping / 5
        state, (cost, residual, columns) = after, tried
        if gained < 1e-6:
            break
    return state, np.linalg.norm(residual, axis=1), cost


def _reprojection(view: _View, state: Floats) -> tuple[float, Floats, Floats]:
    """Cost, residuals (n, 2) and the derivatives (2n, 14), by the state, of what they are taken from."""
    model, shear = _camera_of(state, view.camera), _shear_of(state)
    rotation, turning = cv2.Rodrigues(state[:3])
    before = view.points @ rotation.T + state[3:6]
    projected, jacobian = cv2.projectPoints(before @ shear.T, _NOWHERE, _NOWHERE, model.matrix, model.distortion)
    residual = view.pixels + state[6] * view.outwards - projected.reshape(-1, 2)
    by_place = jacobian[:, 3:6].reshape(-1, 2, 3)
    by_shift = by_place @ shear
    turned = view.points @ np.asarray(turning).reshape(3, 3, 3).transpose(0, 2, 1)
    by_turn = by_shift @ turned.transpose(1, 2, 0)
    by_stretch = by_place[:, :, 1] * (before[:, 1:2] * shear[1, 1])
    by_shear = by_place[:, :, 0] * before[:, 1:2]
    focal = (jacobian[:, 6] + jacobian[:, 7]) * model.focal
    columns = np.column_stack([
        by_turn.reshape(-1, 3), by_shift.reshape(-1, 3), -view.outwards.ravel(), focal, jacobian[:, 10:12],
        jacobian[:, 8:10], by_stretch.ravel(), by_shear.ravel(),
    ])  # fmt: skip
    length = np.linalg.norm(residual, axis=1) / view.spread
    huber = np.where(length < 3, 0.5 * length**2, 3 * length - 4.5).sum()
    return float(huber + 0.5 * (state**2 @ view.prior)), residual, columns


_NOWHERE = np.zeros(3)


def _shear_of(state: Floats) -> Floats:
    """What a picture's stretch and shear do to points (3,) before the camera."""
    return np.array([[1.0, state[13], 0.0], [0.0, np.exp(np.clip(state[12], -1, 1)), 0.0], [0.0, 0.0, 1.0]])


def _camera_of(state: Floats, template: CameraModel) -> CameraModel:
    """The camera that a state says, starting from one that is usual or measured."""
    x, y = template.matrix[:2, 2] + state[10:12]
    focal = template.focal * float(np.exp(np.clip(state[7], -3, 3)))
    radial, radial2 = template.radial + float(state[8]), template.radial2 + float(state[9])
    return replace(template, focal=focal, radial=radial, radial2=radial2, centre=(float(x), float(y)))
