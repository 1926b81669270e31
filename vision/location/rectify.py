"""The board, or a part of it, as seen from straight above."""

from __future__ import annotations

import math

import numpy as np

from vision.location.registration import BoardPose
from vision.pictures import Image, interpolated


def rectified(
    image: Image, pose: BoardPose, region: tuple[float, float, float, float], scale: float, height: float = 0.0
) -> Image:
    """The part of the board from x0, y0 to x1, y1 (mm), `height` mm over the sheet, at `scale` pixels a millimetre.

    What is outside the picture is black.
    """
    x0, y0, x1, y1 = region
    columns, rows = max(1, math.ceil((x1 - x0) * scale)), max(1, math.ceil((y1 - y0) * scale))
    x, y = np.meshgrid(x0 + (np.arange(columns) + 0.5) / scale, y0 + (np.arange(rows) + 0.5) / scale)
    pixels = pose.project(np.stack([x, y, np.full_like(x, height)], axis=-1)).reshape(rows, columns, 2)
    result = interpolated(image, pixels)
    limits = np.array([pose.camera.width - 1, pose.camera.height - 1])
    result[((pixels < 0) | (pixels > limits)).any(axis=-1)] = 0
    return result
