"""Photographs as another evening would have taken them: bumps, shadows, sharpness, exposure, white balance, JPEG."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Image, read_picture

Dice = np.random.Generator
Light = npt.NDArray[np.float32]

_SHIFT, _TURN, _CLOSER = 0.03, 3.0, 0.03
"""A bump moves the picture by up to this part of its longer side, turns it by degrees and brings it nearer by parts."""


def altered_reader(seed: int) -> Callable[[Path], Image]:
    """Reads picture files, each altered by dice of its own from a seed and its name."""

    def read(path: Path) -> Image:
        return altered(read_picture(path), np.random.default_rng([seed, *path.name.encode()]))

    return read


def altered(image: Image, dice: Dice) -> Image:
    """A picture after a bump, and with each of the other alterations in one of two cases."""
    image = _bumped(image, dice)
    light = (image.astype(np.float32) / 255) ** 2.2
    for change in (_shadowed, _balanced, _exposed):
        if dice.random() < 0.5:
            light = change(light, dice)
    if dice.random() < 0.5:
        light = _sharpness_changed(light, dice)
    picture = (np.clip(light, 0, 1) ** (1 / 2.2) * 255).round().astype(np.uint8)
    quality = int(dice.integers(40, 96))
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1), np.uint8)


def _bumped(image: Image, dice: Dice) -> Image:
    height, width = image.shape[:2]
    reach = _SHIFT * max(width, height)
    turn, scale = dice.uniform(-_TURN, _TURN), 1 + dice.uniform(-_CLOSER, _CLOSER)
    motion = cv2.getRotationMatrix2D((width / 2, height / 2), turn, scale)
    motion[:, 2] += dice.uniform(-reach, reach, 2)
    return np.asarray(
        cv2.warpAffine(image, motion, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT), np.uint8
    )


def _shadowed(light: Light, dice: Dice) -> Light:
    """On one side of a line a part of the light is left, behind an edge of some pixels."""
    height, width = light.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    way, soft = dice.uniform(0, 2 * np.pi), dice.uniform(2, 60)
    off = (x - dice.uniform(0.25, 0.75) * width) * np.cos(way) + (y - dice.uniform(0.25, 0.75) * height) * np.sin(way)
    left = np.float32(dice.uniform(0.3, 0.7))
    return np.asarray(light * (left + (1 - left) * np.clip(off / soft + 0.5, 0, 1))[..., None], np.float32)


def _balanced(light: Light, dice: Dice) -> Light:
    """Other gains of blue and red."""
    return light * np.exp(dice.uniform(-0.3, 0.3, 3) * [1.0, 0.2, 1.0]).astype(np.float32)


def _exposed(light: Light, dice: Dice) -> Light:
    """From half to four thirds of the light, and the noise of the sensor."""
    gain = np.float32(np.exp(dice.uniform(np.log(0.5), np.log(1.35))))
    return np.asarray(light * gain + dice.normal(0, 0.004, light.shape).astype(np.float32), np.float32).clip(0)


def _sharpness_changed(light: Light, dice: Dice) -> Light:
    """Out of focus by up to a thousandth and a half of the longer side, or sharpened."""
    if dice.random() < 0.7:
        return np.asarray(cv2.GaussianBlur(light, (0, 0), dice.uniform(0.3, 1.5) * max(light.shape) / 1000), np.float32)
    soft = cv2.GaussianBlur(light, (0, 0), 1.5)
    return np.asarray(np.clip(light + dice.uniform(0.3, 1.0) * (light - soft), 0, None), np.float32)
