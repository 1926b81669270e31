"""How much later than it happens a camera shows something: a hand shown at the moment of a press, several times over.

The press comes at once, the hand as late as the camera shows it; what is between them is the camera's lag.
"""

from __future__ import annotations

from statistics import median

import cv2
import numpy as np

from vision.camera.frames import CameraFrame
from vision.pictures import gray_of

TRIALS = 3
LONGEST = 5.0
"""seconds that a camera may lag"""
EARLY = 0.4
"""seconds by which the hand may be quicker than the press"""
STILL = 0.5
"""seconds without motion after which motion is a hand that comes, not one that goes on"""
_SIZE = (96, 54)
_CHANGE, _SHARE = 18.0, 0.02
"""grey levels by which a pixel changes, and share of the picture that does, where a hand moves"""


class LagMeasurement:
    """Takes presses and pictures, or whatever else shows motion; all times are monotonic seconds.

    Times of pictures are those of `CameraFrame`: what is measured is the lag that they leave out.
    """

    def __init__(self) -> None:
        self._presses: list[float] = []
        self._hands: list[float] = []
        self._moved_at = float("-inf")
        self._began: float | None = None
        self._before: np.ndarray | None = None

    @property
    def lags(self) -> tuple[float, ...]:
        """The lag of each press whose hand was seen (seconds)."""
        found, hands = [], list(self._hands)
        for press in self._presses:
            hand = next((hand for hand in hands if -EARLY <= hand - press <= LONGEST), None)
            if hand is not None:
                hands.remove(hand)
                found.append(max(0.0, hand - press))
        return tuple(found)

    @property
    def lag(self) -> float | None:
        """The median of the lags (seconds) once there are enough."""
        lags = self.lags
        return median(lags) if len(lags) >= TRIALS else None

    def press(self, moment: float) -> None:
        """Somebody pressed and moved a hand over the board."""
        self._presses.append(moment)

    def look(self, frame: CameraFrame) -> None:
        """Look at the next picture."""
        small = np.asarray(cv2.resize(gray_of(frame.image), _SIZE, interpolation=cv2.INTER_AREA), np.float32)
        before, self._before = self._before, small
        if before is not None:
            share = float(np.mean(np.abs(small - before) > _CHANGE))
            self.saw(frame.time, moves=share > _SHARE)

    def saw(self, moment: float, *, moves: bool) -> None:
        """A picture taken at this moment shows motion, or none."""
        if self._began is None:
            self._began = moment
        if not moves:
            return
        if moment - max(self._moved_at, self._began) >= STILL:
            self._hands.append(moment)
        self._moved_at = moment
