"""Estimates pose and camera from the pixels of printed corners: least squares with priors for common cameras.

Frames as in `vision.location.board_pose`, except that z points down, away from the camera.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.location.board_pose import BoardPose, CameraModel
from vision.location.relief import TERMS, Relief, relief_terms

Floats = npt.NDArray[np.float64]

_USUAL_FOCAL = 0.78
"""Focal length over picture width of a common webcam (65 degrees across)."""
_FOCAL_SPREAD = 0.25
"""Standard deviation of the logarithm of that ratio over cameras."""
_DISTORTION_SPREAD = 0.12
"""Standard deviation of k1 over lenses."""
_DISTORTION2_SPREAD = 0.05
"""Standard deviation of k2 over lenses."""
_CENTRE_SPREAD = 0.006
"""Standard deviation of the principal point from the picture's middle, in parts of the picture's width."""
_BLEED_SPREAD = 0.7
"""Standard deviation (pixels) of how far light bleeds over a dark marker's sides."""
_RELIEF_SPREAD = 4.0
"""Standard deviation (mm) of each term of the relief of a sheet that is not flat."""
_SEAM_SPREAD = 0.8
"""Standard deviation (mm) of each term of the shifts of a sheet glued together from pages."""
_CORNER_SPREAD = 0.15
"""Standard deviation (pixels) of a refined corner."""


@dataclass(frozen=True, slots=True)
class Freedom:
    """What is estimated besides the pose, as the standard deviation of each prior; 0 for what is known.

    `lens`: logarithm of the focal length, k1 and k2; `centre`: principal point, in parts of the picture's width;
    `stretch`: logarithm of the pixels' height over their width; `shear` of the picture; `relief`: terms (mm) of the
    sheet's heights; `seams`: terms (mm) of its shifts. `is_loose` marks models that only approximate what happened.
    """

    lens: tuple[float, float, float] = (0.0, 0.0, 0.0)
    centre: float = 0.0
    stretch: float = 0.0
    shear: float = 0.0
    relief: float = 0.0
    seams: float = 0.0
    is_loose: bool = False

    def spreads(self, width: int) -> Floats:
        """The standard deviations of the numbers of the state after the bleed."""
        middle = (self.centre * width,) * 2
        return np.array(
            [*self.lens, *middle, self.stretch, self.shear, *(self.relief,) * TERMS, *(self.seams,) * 2 * TERMS]
        )


_LENS = (_FOCAL_SPREAD, _DISTORTION_SPREAD, _DISTORTION2_SPREAD)
USUAL = Freedom(_LENS, _CENTRE_SPREAD)
KNOWN = Freedom()
UNUSUAL = (
    Freedom(_LENS, 0.2),
    Freedom(_LENS, _CENTRE_SPREAD, stretch=0.3),
    Freedom(_LENS, _CENTRE_SPREAD, stretch=0.01, shear=0.01, is_loose=True),
    Freedom(_LENS, _CENTRE_SPREAD, relief=_RELIEF_SPREAD, is_loose=True),
    Freedom(_LENS, _CENTRE_SPREAD, seams=_SEAM_SPREAD, is_loose=True),
)
"""Alternatives tried where the usual model does not fit: cropped pictures, stretched ones, cameras that moved while
they read out their rows, sheets that are not flat, sheets not glued together exactly.
"""
MEASURED = (
    Freedom(stretch=0.01, shear=0.01, is_loose=True), Freedom(relief=_RELIEF_SPREAD, is_loose=True),
    Freedom(seams=_SEAM_SPREAD, is_loose=True),
)  # fmt: skip
"""The same for a measured camera, which is never cropped or stretched."""


def refined_pose(
    board_size: tuple[float, float],
    flat: Floats,
    pixels: Floats,
    size: tuple[int, int],
    camera: CameraModel | None,
    freedom: Freedom,
) -> tuple[BoardPose, Floats, float]:
    """The most likely pose, camera and bleed given the corners (markers, 4, 2) and the priors.

    A plane often looks alike from two sides; both are tried. Returns the pose, every corner's residual (markers, 4) in
    pixels, and the cost.
    """
    scale = max(1.0, size[0] / 1920)
    model = camera.scaled(*size) if camera else CameraModel(size[0], size[1], _USUAL_FOCAL * size[0])
    spreads = np.concatenate([np.full(6, np.inf), [_BLEED_SPREAD * scale], freedom.spreads(size[0])])
    view = _Problem(
        np.dstack([flat, np.zeros(flat.shape[:2])]).reshape(-1, 3), pixels.reshape(-1, 2),
        _outwards(pixels).reshape(-1, 2), model, _CORNER_SPREAD * scale, spreads,
        relief_terms(flat.reshape(-1, 2), board_size),
    )  # fmt: skip
    _, turns, shifts, _ = cv2.solvePnPGeneric(
        view.points, view.pixels, model.matrix, model.distortion, flags=cv2.SOLVEPNP_IPPE
    )
    found = list[tuple[Floats, Floats, float]]()
    for turn, shift in zip(turns, shifts, strict=True):
        state = np.concatenate([turn.ravel(), shift.ravel(), np.zeros(_STATE - 6)])
        found.append(_gauss_newton(view, state, _HOPELESS * min((cost for *_, cost in found), default=math.inf)))
    state, residuals, cost = min(found, key=lambda each: float(np.minimum(each[1], 3 * scale).sum()))
    rotation, _ = cv2.Rodrigues(state[:3])
    bent, sheared = _camera_of(state, model), _shear_of(state)
    bent_by, shifted_by = state[14 : 14 + TERMS], state[14 + TERMS :]
    relief = None
    if freedom.relief or freedom.seams:
        relief = Relief(board_size, tuple(bent_by.tolist()), tuple(shifted_by.tolist()))
    pose = BoardPose(bent, sheared @ rotation, sheared @ state[3:6], 0.0, frozenset(), float(state[6]), relief)
    return pose, residuals.reshape(-1, 4), cost


_STATE = 14 + 3 * TERMS
"""length of the state: turn (3), shift (3), bleed; log focal length, k1, k2, principal point (2); log height over width
of pixels, shear; terms of the relief, of shifts to the right, of shifts down
"""
_ROUNDS = 30
"""Most iterations towards a pose."""
_EARLY = 8
"""Iterations after which a hopeless start is abandoned."""
_GAINED = 1e-3
"""Decrease of the cost below which the iteration ends."""
_HOPELESS = 100.0
"""A start that costs this many times as much as another one is hopeless."""
_STEEPEST = 0.6
"""Largest k1 of any lens."""


@dataclass(frozen=True, slots=True)
class _Problem:
    """The input of the fit: board points (n, 3), the pixels (n, 2) that show them, the pixels' shift per pixel of
    bleed, the start camera, the standard deviation of a corner, and those of the state (0 for what is known, infinite
    for the pose); `relief` are the relief terms (n, 5) at the points.
    """

    points: Floats
    pixels: Floats
    outwards: Floats
    camera: CameraModel
    spread: float
    spreads: Floats
    relief: npt.NDArray[np.floating]

    @property
    def free(self) -> npt.NDArray[np.bool_]:
        """Which numbers of the state are estimated."""
        return self.spreads > 0

    @property
    def prior(self) -> Floats:
        """The precision of the state's prior around zero."""
        return np.where(self.free, np.maximum(self.spreads, 1e-9) ** -2.0, 0.0)


def _outwards(quads: npt.NDArray[np.floating]) -> Floats:
    """The movement of the corners of quadrilaterals (n, 4, 2) when each side moves outwards by one pixel."""
    along = np.roll(quads, -1, axis=1) - quads
    along = along / np.maximum(np.linalg.norm(along, axis=2, keepdims=True), 1e-9)
    before = np.roll(along, 1, axis=1)
    cross = before[..., 0] * along[..., 1] - before[..., 1] * along[..., 0]
    firm = np.where(np.abs(cross) < 0.1, 0.1, cross)[..., None]
    return np.asarray((before - along) / np.abs(firm), np.float64)


def _gauss_newton(view: _Problem, start: Floats, hopeless: float) -> tuple[Floats, Floats, float]:
    """Minimise the reprojection error over the free numbers of the state.

    Huber weights; Gaussian priors on all but the pose; Levenberg-Marquardt damping of steps that increase the cost. A
    start that after some iterations still costs more than `hopeless` is abandoned. Returns the state, each corner's
    residual in pixels and the cost.
    """
    state, damping, spread, prior, free = start.copy(), 1e-3, view.spread, view.prior, view.free
    cost, residual, columns = _reprojection(view, state)
    for again in range(_ROUNDS):
        if again >= _EARLY and cost > hopeless:
            break
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
        if gained < _GAINED:
            break
    return state, np.linalg.norm(residual, axis=1), cost


def _reprojection(view: _Problem, state: Floats) -> tuple[float, Floats, Floats]:
    """Cost, residuals (n, 2), and the derivatives (2n, 29) of the projected pixels by the state."""
    model, shear = _camera_of(state, view.camera), _shear_of(state)
    rotation, turning = cv2.Rodrigues(state[:3])
    heights, right, down = (view.relief @ terms for terms in np.split(state[14:], 3))
    points = view.points + np.column_stack([right, down, -heights])
    before = points @ rotation.T + state[3:6]
    projected, jacobian = cv2.projectPoints(before @ shear.T, _NOWHERE, _NOWHERE, model.matrix, model.distortion)
    residual = view.pixels + state[6] * view.outwards - projected.reshape(-1, 2)
    by_place = jacobian[:, 3:6].reshape(-1, 2, 3)
    by_shift = by_place @ shear
    turned = points @ np.asarray(turning).reshape(3, 3, 3).transpose(0, 2, 1)
    by_turn = by_shift @ turned.transpose(1, 2, 0)
    by_stretch = by_place[:, :, 1] * (before[:, 1:2] * shear[1, 1])
    by_shear = by_place[:, :, 0] * before[:, 1:2]
    by_relief = [
        (by_shift @ way)[:, :, None] * view.relief[:, None] for way in (-rotation[:, 2], rotation[:, 0], rotation[:, 1])
    ]
    focal = (jacobian[:, 6] + jacobian[:, 7]) * model.focal
    columns = np.column_stack([
        by_turn.reshape(-1, 3), by_shift.reshape(-1, 3), -view.outwards.ravel(), focal, jacobian[:, 10:12],
        jacobian[:, 8:10], by_stretch.ravel(), by_shear.ravel(), *(each.reshape(-1, TERMS) for each in by_relief),
    ])  # fmt: skip
    length = np.linalg.norm(residual, axis=1) / view.spread
    huber = np.where(length < 3, 0.5 * length**2, 3 * length - 4.5).sum()
    return float(huber + 0.5 * (state**2 @ view.prior)), residual, columns


_NOWHERE = np.zeros(3)


def _shear_of(state: Floats) -> Floats:
    """The matrix (3, 3) that applies a picture's stretch and shear to points in front of the camera."""
    return np.array([[1.0, state[13], 0.0], [0.0, np.exp(np.clip(state[12], -1, 1)), 0.0], [0.0, 0.0, 1.0]])


def _camera_of(state: Floats, template: CameraModel) -> CameraModel:
    """The camera described by a state, starting from `template`."""
    x, y = template.matrix[:2, 2] + state[10:12]
    focal = template.focal * float(np.exp(np.clip(state[7], -3, 3)))
    radial, radial2 = template.radial + float(state[8]), template.radial2 + float(state[9])
    return replace(template, focal=focal, radial=radial, radial2=radial2, centre=(float(x), float(y)))
