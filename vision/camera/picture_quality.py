"""Whether a camera's picture is bright and sharp enough to be read, for people who set a camera up.

The limits were chosen by hand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

from companion.wording.sentences import sentence
from vision.pictures import Gray, Image, gray_of

DARK = 45.0
"""mean grey level below which a picture is too dark"""
BRIGHT = 225.0
"""mean grey level above which a picture is too bright"""
GLARING = 0.06
"""largest share of the picture that may be saturated"""
_BLOWN = 253
"""grey level from which a pixel counts as saturated"""
BLURRED = 1.9
"""blur (standard deviation in pixels at 960 wide) of the sharpest edges above which markers are hard to find"""
_WIDTH = 960
"""width (pixels) at which pictures are judged"""
_SHARPEST = 0.98
"""quantile of steepness above which an edge counts as one of the sharpest"""
_LITTLE = 1.0
"""smaller of the two blurs (pixels) that are added to measure how much they flatten an edge"""
_MUCH = 2.0
"""larger of the two"""
_FLAT = 1e-3
"""steepness that counts as zero"""


class Flaw(StrEnum):
    """What is wrong with a picture."""

    DARK = "dark"
    BRIGHT = "bright"
    GLARE = "glare"
    BLURRED = "blurred"


ADVICE = {
    Flaw.DARK: sentence("It is too dark: light a lamp, or let the camera expose longer."),
    Flaw.BRIGHT: sentence("It is too bright: turn the light away from the camera."),
    Flaw.GLARE: sentence("Light is mirrored on the table: move the lamp or the camera."),
    Flaw.BLURRED: sentence("The picture is blurred: focus on the board, keep the camera still."),
}
"""What to do about a flaw."""


@dataclass(frozen=True, slots=True)
class PictureQuality:
    """`level` is the mean grey, `blown` the saturated share of the picture, `blur` that of its sharpest edges in
    pixels.
    """

    level: float
    blown: float
    blur: float

    @property
    def flaws(self) -> tuple[Flaw, ...]:
        """What is wrong, the worst first."""
        found = {
            Flaw.DARK: self.level < DARK,
            Flaw.BRIGHT: self.level > BRIGHT,
            Flaw.GLARE: self.blown > GLARING,
            Flaw.BLURRED: self.blur > BLURRED,
        }
        return tuple(flaw for flaw, is_so in found.items() if is_so)


def picture_quality(image: Image) -> PictureQuality:
    """The quality of a picture (BGR) of any size, measured at a width of 960 pixels."""
    gray = gray_of(image)
    if gray.shape[1] > _WIDTH:
        height = round(gray.shape[0] * _WIDTH / gray.shape[1])
        gray = np.asarray(cv2.resize(gray, (_WIDTH, height), interpolation=cv2.INTER_AREA), np.uint8)
    return PictureQuality(float(gray.mean()), float((gray >= _BLOWN).mean()), _blur(gray))


def _blur(gray: Gray) -> float:
    """The blur (standard deviation, pixels) of the sharpest edges, independent of their contrast: infinite without
    edges.

    Measured by how much added blur flattens them (Zhuo and Sim, Defocus map estimation from a single image, 2011).
    """
    once, twice = _steepness(gray, _LITTLE), _steepness(gray, _MUCH)
    sharpest = once >= np.quantile(once, _SHARPEST)
    ratio = float(np.median(once[sharpest] / np.maximum(twice[sharpest], _FLAT))) ** 2
    return math.sqrt(max(_MUCH**2 - ratio * _LITTLE**2, 0.0) / (ratio - 1.0)) if ratio > 1.0 else math.inf


def _steepness(gray: Gray, deviation: float) -> npt.NDArray[np.float32]:
    """The gradient of a picture after blurring it, at every other pixel."""
    soft = cv2.GaussianBlur(gray.astype(np.float32), (0, 0), deviation)
    across, down = (cv2.Sobel(soft, cv2.CV_32F, dx, dy) for dx, dy in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(across, down)[::2, ::2], np.float32)
