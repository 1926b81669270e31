"""Detects whether the table is quiet: nothing moves over the sheet and no arm reaches in. Pixels off the sheet are
ignored.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from companion.session.observation import CameraStatus
from vision.location.flat_pose import Projection
from vision.pictures import Gray

Floats = npt.NDArray[np.float32]

WIDTH = 320
"""Width (pixels) at which frames are compared: fine enough for a fingertip, coarse enough to be cheap."""
_LEAST_CHANGE = 12.0
"""Grey levels by which a pixel must change to count as motion; noise stays below."""
_MOTION_AREA = 250.0
"""Changed surface (mm² of board) between two frames from which it is motion."""
_ARM_AREA = 1500.0
"""Surface (mm² of board) of a patch, changed since the last quiet frame and touching the sheet's rim, from which it is
an arm.
"""


@dataclass(frozen=True, slots=True)
class Stillness:
    """What a frame says about motion: the state, the number of quiet frames in a row, and the mask of its pixels (at
    `WIDTH`) that move or lie under an arm.
    """

    state: CameraStatus
    quiet_frames: int
    mask: npt.NDArray[np.bool_]


class MotionGate:
    """Compares each frame with the one before and with the last quiet one.

    After motion the table counts as quiet again once `settle_frames` quiet frames span `settle_time` seconds. An arm
    that stays in place counts as a hand for `patience` seconds; after that it is ignored and the table is read as it
    looks.
    """

    def __init__(self, board: Board, settle_frames: int = 3, settle_time: float = 0.15, patience: float = 8.0) -> None:
        self._board = board
        self._settle_frames, self._settle_time, self._patience = settle_frames, settle_time, patience
        self._pose: Projection | None = None
        self._sheet = np.zeros((0, 0), bool)
        self._area = 1.0
        self._before: Floats | None = None
        self._quiet_look: Floats | None = None
        self._quiet_frames, self._quiet_since, self._moved = 0, 0.0, True
        self._arm_since: float | None = None

    def update(self, gray: Gray, pose: Projection, time: float) -> Stillness:
        """Process a frame (grey) taken at `time` seconds with the sheet under this pose."""
        size = (WIDTH, WIDTH * gray.shape[0] // gray.shape[1])
        small = cv2.resize(gray, size, interpolation=cv2.INTER_AREA)
        look = np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.float32)
        if pose is not self._pose:
            self._watch(pose, look.shape)
        moving = self._changed(self._before, look)
        self._before = look
        arm = self._arm(look, time)
        if moving.sum() * self._area > _MOTION_AREA:
            self._quiet_frames, self._moved = 0, True
        else:
            if self._quiet_frames == 0:
                self._quiet_since = time
            self._quiet_frames += 1
        settled = self._quiet_frames > self._settle_frames and time - self._quiet_since >= self._settle_time
        if arm.any():
            state = CameraStatus.HAND
        elif self._quiet_frames == 0:
            state = CameraStatus.HAND if self._reaches_in(moving) else CameraStatus.SETTLING
        elif self._moved and not settled:
            state = CameraStatus.SETTLING
        else:
            state = CameraStatus.WATCHING
            self._moved = False
            self._quiet_look = look
        return Stillness(state, self._quiet_frames, moving | arm)

    def _watch(self, pose: Projection, shape: tuple[int, ...]) -> None:
        """Start over with a new pose: the sheet lies elsewhere in the picture."""
        width, height = self._board.size
        scale = shape[1] / pose.size[0]
        corners = pose.project(np.array([[0, 0, 0], [width, 0, 0], [width, height, 0], [0, height, 0]])) * scale
        mask = np.zeros(shape, np.uint8)
        limit = 8.0 * WIDTH
        cv2.fillConvexPoly(mask, np.clip(corners, -limit, limit).round().astype(np.int32), 1)
        self._sheet = mask > 0
        self._area = width * height / max(1.0, float(cv2.contourArea(corners)))
        self._pose, self._before, self._quiet_look, self._moved = pose, None, None, True
        self._quiet_frames = 0

    def _changed(self, before: Floats | None, look: Floats) -> npt.NDArray[np.bool_]:
        """The pixels of the sheet that differ, after a common change of brightness (auto-exposure, a cloud) is divided
        out.
        """
        if before is None or not self._sheet.any():
            return np.zeros(look.shape, bool)
        gain = np.median(look[self._sheet] / np.maximum(before[self._sheet], 1.0))
        return np.asarray((np.abs(look - gain * before) > _LEAST_CHANGE) & self._sheet)

    def _arm(self, look: Floats, time: float) -> npt.NDArray[np.bool_]:
        """The mask of what reaches in from the sheet's rim since the last quiet frame; empty once it has been there for
        `patience` seconds.
        """
        nothing = np.zeros(look.shape, bool)
        changed = self._changed(self._quiet_look, look)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(changed.astype(np.uint8), connectivity=8)
        rim = self._rim()
        arms = [
            k for k in range(1, count)
            if stats[k, cv2.CC_STAT_AREA] * self._area > _ARM_AREA and (labels[rim] == k).any()
        ]  # fmt: skip
        if not arms:
            self._arm_since = None
            return nothing
        if self._arm_since is None:
            self._arm_since = time
        return np.isin(labels, arms) if time - self._arm_since < self._patience else nothing

    def _reaches_in(self, moving: npt.NDArray[np.bool_]) -> bool:
        return bool((moving & self._rim()).any())

    def _rim(self) -> npt.NDArray[np.bool_]:
        eroded = cv2.erode(np.pad(self._sheet, 1).astype(np.uint8), np.ones((5, 5), np.uint8))[1:-1, 1:-1]
        return np.asarray(self._sheet & (eroded == 0))
