"""Whether a camera's picture is bright and sharp enough to be read, for people who set a camera up."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from companion.sentences import sentence
from vision.pictures import Image, gray_of

DARK, BRIGHT = 45.0, 225.0
"""grey levels of the picture's mean outside of which it is hard to read"""
GLARING = 0.06
"""the part of the picture that may be blown out"""
_BLOWN = 253
BLURRED = 0.25
"""the part of the picture's contrast by which neighbouring pixels of its sharpest parts must differ, 960 wide"""
_WIDTH = 960
_SHARPEST = 0.98


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
    """`level` is the mean grey, `blown` the part that is white, `sharpness` the steepest edges over the contrast."""

    level: float
    blown: float
    sharpness: float

    @property
    def flaws(self) -> tuple[Flaw, ...]:
        """What is wrong, the worst first."""
        found = {
            Flaw.DARK: self.level < DARK,
            Flaw.BRIGHT: self.level > BRIGHT,
            Flaw.GLARE: self.blown > GLARING,
            Flaw.BLURRED: self.sharpness < BLURRED,
        }
        return tuple(flaw for flaw, is_so in found.items() if is_so)


def picture_quality(image: Image) -> PictureQuality:
    """The quality of a picture (BGR) of any size."""
    gray = gray_of(image)
    if gray.shape[1] > _WIDTH:
        height = round(gray.shape[0] * _WIDTH / gray.shape[1])
        gray = np.asarray(cv2.resize(gray, (_WIDTH, height), interpolation=cv2.INTER_AREA), np.uint8)
    across, down = (cv2.Sobel(gray, cv2.CV_32F, dx, dy, scale=1 / 8) for dx, dy in ((1, 0), (0, 1)))
    steep = float(np.quantile(cv2.magnitude(across, down)[::2, ::2], _SHARPEST))
    contrast = max(1.0, float(gray.std()))
    return PictureQuality(float(gray.mean()), float((gray >= _BLOWN).mean()), steep / contrast)
