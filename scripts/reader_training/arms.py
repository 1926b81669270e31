"""Arms laid over pictures, so that networks learn what hides a spot."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from scripts.reader_training.examples import FOREIGN
from vision.pictures import Image

Numbers = npt.NDArray[np.uint16]


def with_arm(picture: Image, seed: int) -> tuple[Image, Numbers]:
    """The picture with a sleeve, a hand and fingers that reach in from one side; and FOREIGN where they are."""
    dice = np.random.default_rng([seed, 2])
    height, width = picture.shape[:2]
    target = np.array([dice.uniform(0.3, 0.7) * width, dice.uniform(0.3, 0.7) * height])
    angle = dice.uniform(0, 2 * np.pi)
    way = np.array([np.cos(angle), np.sin(angle)])
    size = dice.uniform(0.05, 0.085) * width
    """half the hand's width"""
    wrist = target + way * 1.4 * size
    sleeve, skin = np.zeros((height, width), np.uint8), np.zeros((height, width), np.uint8)
    _limb(sleeve, wrist + way * 0.8 * size, wrist + way * 2 * width, 1.3 * size)
    _limb(skin, target, wrist + way * 1.2 * size, 0.9 * size)
    cv2.ellipse(skin, (*_whole(target),), tuple(_whole([1.1 * size, 0.9 * size])), np.degrees(angle), 0, 360, 255, -1)
    for finger in range(5):
        turn = angle + np.pi + (finger - 2) * dice.uniform(0.2, 0.4)
        tip = target + np.array([np.cos(turn), np.sin(turn)]) * size * dice.uniform(1.6, 2.3)
        _limb(skin, target, tip, 0.24 * size)
    tone = np.array([130, 160, 205]) * dice.uniform(0.35, 1.1) * np.exp(dice.normal(0, 0.08, 3))
    cloth = dice.uniform(15, 220, 3)
    result = picture.astype(np.float32)
    rows, columns = np.mgrid[0:height, 0:width]
    shade = 0.8 + 0.35 * np.sin((columns * np.cos(angle + 1) + rows * np.sin(angle + 1)) / size + dice.uniform(0, 6))
    grain = cv2.resize(dice.standard_normal((height // 6, width // 6)).astype(np.float32), (width, height))
    for mask, colour in ((sleeve, cloth), (skin, tone)):
        soft = cv2.GaussianBlur(mask, (0, 0), 1.2).astype(np.float32)[..., None] / 255
        near = cv2.GaussianBlur(mask, (0, 0), 0.5 * size).astype(np.float32)[..., None] / 255
        result *= 1 - 0.5 * near
        painted = colour * (shade + 0.06 * grain)[..., None]
        result = result * (1 - soft) + painted * soft
    numbers = np.where((sleeve | skin) > 0, np.uint16(FOREIGN), np.uint16(0))
    return np.clip(result, 0, 255).astype(np.uint8), numbers


def _limb(mask: npt.NDArray[np.uint8], start: npt.ArrayLike, end: npt.ArrayLike, half: float) -> None:
    cv2.line(mask, _whole(start), _whole(end), 255, max(2, round(2 * half)), cv2.LINE_AA)


def _whole(values: npt.ArrayLike) -> tuple[int, ...]:
    return tuple(round(float(value)) for value in np.asarray(values))
