"""Whether a camera's picture is bright and sharp enough to be read, for people who set a camera up."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

from companion.wording.sentences import sentence
from vision.pictures import Gray, Image, gray_of

DARK, BRIGHT = 45.0, 225.0
"""grey levels of the picture's mean outside of which it is hard to read"""
GLARING = 0.06
"""the part of the picture that may be blown out"""
_BLOWN = 253
BLURRED = 1.9
"""the blur (standard deviation, pixels, 960 wide) of the sharpest parts from which on markers are hard to find"""
_WIDTH = 960
_SHARPEST = 0.98
_LITTLE, _MUCH = 1.0, 2.0
"""Blurs (pixels) that are added to a picture to see by how much they flatten its edges."""
_FLAT = 1e-3


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
    """`level` is the mean grey, `blown` the part that is white, `blur` that of the sharpest parts, in pixels."""

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
    """The quality of a picture (BGR) of any size, as if it were 960 wide."""
    gray = gray_of(image)
    if gray.shape[1] > _WIDTH:
        height = round(gray.shape[0] * _WIDTH / gray.shape[1])
        gray = np.asarray(cv2.resize(gray, (_WIDTH, height), interpolation=cv2.INTER_AREA), np.uint8)
    return PictureQuality(float(gray.mean()), float((gray >= _BLOWN).mean()), _blur(gray))


def _blur(gray: Gray) -> float:
    """The blur (standard deviation, pixels) of the sharpest edges, whatever their contrast: it is told by how much
    another one flattens them (Zhuo and Sim, Defocus map estimation from a single image, 2011). Infinite without edges.
    """
    once, twice = _steepness(gray, _LITTLE), _steepness(gray, _MUCH)
    sharpest = once >= np.quantile(once, _SHARPEST)
    ratio = float(np.median(once[sharpest] / np.maximum(twice[sharpest], _FLAT))) ** 2
    return math.sqrt(max(_MUCH**2 - ratio * _LITTLE**2, 0.0) / (ratio - 1.0)) if ratio > 1.0 else math.inf


def _steepness(gray: Gray, deviation: float) -> npt.NDArray[np.float32]:
    """How much neighbouring pixels differ in a blurred picture, for every other one."""
    soft = cv2.GaussianBlur(gray.astype(np.float32), (0, 0), deviation)
    across, down = (cv2.Sobel(soft, cv2.CV_32F, dx, dy) for dx, dy in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(across, down)[::2, ::2], np.float32)
