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
from vision.fiducials import Fiducial

Floats = npt.NDArray[np.float64]
Points = npt.NDArray[np.float32]

FEWEST_MARKERS = 4
FEWEST_QUADRANTS = 3
LEAST_INLIERS = 0.9
LARGEST_RMS = 0.5
"""Pixels in pictures up to 1920 wide; grows in proportion with larger ones."""

_USUAL_FOCAL = 0.78
"""Focal length over picture width of a usual webcam (65 degrees across)."""
_FOCAL_SPREAD = 0.25
"""Standard deviation of the logarithm of that ratio over cameras."""
_DISTORTION_SPREAD = 0.12
_SAME_PART = 1.5
"""Pixels by which a picture's height may be off from the measured ratio."""
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
    flipped so that the board's z points up to the camera. `rms` is the markers' residual in pixels.
    """

    camera: CameraModel
    rotation: Floats
    translation: Floats
    rms: float
    markers: frozenset[int]

    @property
    def eye(self) -> Floats:
        """The camera's centre in board millimetres (3,), z up."""
        return cast(Floats, (-self.rotation.T @ self.translation) * np.array([1.0, 1.0, -1.0]))

    def project(self, points: npt.ArrayLike) -> Points:
        """Pixels (n, 2) of board points (n, 3) in millimetres; computed in single precision where they come in it."""
        board = np.asarray(points)
        kind = np.float32 if board.dtype == np.float32 else np.float64
        matrix = (self.rotation * np.array([1.0, 1.0, -1.0])).T.astype(kind)
        camera = board.astype(kind, copy=False).reshape(-1, 3) @ matrix + self.translation.astype(kind)
        plane = camera[:, :2] / camera[:, 2:]
        square = plane[:, :1] ** 2 + plane[:, 1:] ** 2
        bent = 1.0 + (self.camera.radial + self.camera.radial2 * square) * square
        centre = self.camera.matrix[:2, 2].astype(kind)
        return np.asarray(plane * (bent * self.camera.focal) + centre, np.float32)

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

    Without a camera model focal length and distortion are estimated along, as far as the markers show them, and else
    taken to be usual; a model of pictures of other proportions is left aside. Accepted only from four markers in three
    quadrants with nine corners in ten within 0.5 px.
    """
    if camera is not None and not camera.shows(*size):
        camera = None
    known = {marker: seen[marker] for marker in sorted(seen) if marker in board.markers.centres}
    ids = frozenset(known)
    if len(ids) < FEWEST_MARKERS:
        return BoardNotFound(f"{_count(len(ids))} of the sheet's markers in view; four are needed", ids)
    if len(_quadrants(board, ids)) < FEWEST_QUADRANTS:
        return BoardNotFound(f"the {len(ids)} markers in view lie in one half of the sheet; uncover the others", ids)
    flat = np.concatenate([marker_corners(board, marker) for marker in known])
    pixels = np.concatenate([fiducial.corners for fiducial in known.values()]).astype(np.float64)
    scale = max(1.0, size[0] / 1920)
    _, mask = cv2.findHomography(flat, pixels, cv2.RANSAC, 0.02 * size[0])
    trusted = np.asarray(mask, bool).ravel()
    if trusted.sum() < LEAST_INLIERS * len(flat):
        return BoardNotFound("the markers do not lie in one plane as printed; is the sheet bent or cut?", ids)
    pose, residuals = _refine(flat[trusted], pixels[trusted], size, camera, scale)
    good = residuals < 1.5 * scale
    share = good.sum() / len(flat)
    rms = float(np.sqrt((residuals[good] ** 2).mean())) if good.any() else float("inf")
    if share < LEAST_INLIERS or rms > LARGEST_RMS * scale:
        return BoardNotFound(
            f"the markers fit badly ({share:.0%} of the corners, {rms:.2f} px); flatten the sheet, hold the camera", ids
        )
    return BoardPose(pose.camera, pose.rotation, pose.translation, rms, ids)


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


def _refine(
    flat: Floats, pixels: Floats, size: tuple[int, int], camera: CameraModel | None, scale: float
) -> tuple[BoardPose, Floats]:
    """The likeliest pose, focal length and distortion given the corners and what usual cameras are like.

    A plane is often seen alike from two sides; both are tried. Returns the pose and every corner's residual in pixels.
    """
    model = camera.scaled(*size) if camera else CameraModel(size[0], size[1], _USUAL_FOCAL * size[0])
    points = np.column_stack([flat, np.zeros(len(flat))])
    _, turns, shifts, _ = cv2.solvePnPGeneric(points, pixels, model.matrix, model.distortion, flags=cv2.SOLVEPNP_IPPE)
    found = []
    for turn, shift in zip(turns, shifts, strict=True):
        state = np.concatenate([turn.ravel(), shift.ravel(), [np.log(model.focal), model.radial]])
        found.append(_gauss_newton(points, pixels, model, state, 6 if camera else 8, scale))
    state, residuals = min(found, key=lambda each: float(np.minimum(each[1], 3 * scale).sum()))
    rotation, _ = cv2.Rodrigues(state[:3])
    pose = BoardPose(_camera_of(state, model), np.asarray(rotation, np.float64), state[3:6], 0.0, frozenset())
    return pose, residuals


def _gauss_newton(
    points: Floats, pixels: Floats, template: CameraModel, start: Floats, free: int, scale: float
) -> tuple[Floats, Floats]:
    """Minimise the reprojection error over the first `free` of: turn (3), shift (3), log focal length, k1.

    Huber weights; Gaussian priors on the last two; a step that makes things worse is damped (Levenberg-Marquardt).
    Returns the state and each corner's residual in pixels.
    """
    prior = np.array([_FOCAL_SPREAD, _DISTORTION_SPREAD]) ** -2.0
    spread = _CORNER_SPREAD * scale
    state, damping = start.copy(), 1e-3
    cost, residual, columns = _reprojection(points, pixels, template, state, start, spread, prior)
    for _ in range(30):
        length = np.linalg.norm(residual, axis=1)
        weight = np.repeat(np.minimum(1.0, 3 * spread / np.maximum(length, 1e-9)), 2) / spread**2
        normal = columns.T @ (columns * weight[:, None])
        gradient = columns.T @ (residual.ravel() * weight)
        normal[6:, 6:] += np.diag(prior)
        gradient[6:] += (start[6:] - state[6:]) * prior
        normal, gradient = normal[:free, :free], gradient[:free]
        step = np.zeros(8)
        step[:free] = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), gradient)
        after = state + step
        after[7] = np.clip(after[7], -0.6, 0.6)
        tried = _reprojection(points, pixels, template, after, start, spread, prior)
        if tried[0] > cost:
            damping *= 10
            if damping > 1e6:
                break
            continue
        gained, damping = cost - tried[0], damping / 5
        state, (cost, residual, columns) = after, tried
        if gained < 1e-6:
            break
    return state, np.linalg.norm(residual, axis=1)


def _reprojection(
    points: Floats, pixels: Floats, template: CameraModel, state: Floats, start: Floats, spread: float, prior: Floats
) -> tuple[float, Floats, Floats]:
    """Cost, residuals (n, 2) and their derivatives (2n, 8) by the state."""
    model = _camera_of(state, template)
    projected, jacobian = cv2.projectPoints(points, state[:3], state[3:6], model.matrix, model.distortion)
    residual = pixels - projected.reshape(-1, 2)
    focal_column = (jacobian[:, 6] + jacobian[:, 7]) * model.focal
    columns = np.column_stack([jacobian[:, :6], focal_column, jacobian[:, 10]])
    length = np.linalg.norm(residual, axis=1) / spread
    huber = np.where(length < 3, 0.5 * length**2, 3 * length - 4.5).sum()
    return float(huber + 0.5 * ((state[6:] - start[6:]) ** 2 * prior).sum()), residual, columns


def _camera_of(state: Floats, template: CameraModel) -> CameraModel:
    return replace(template, focal=float(np.exp(np.clip(state[6], 3, 12))), radial=float(state[7]))


def _count(number: int) -> str:
    return ("none", "only one", "only two", "only three")[number]
