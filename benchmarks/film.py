"""A film of a table at rest: `python -m benchmarks.film FILE SECONDS`.

It runs as a process of its own, so that the memory for drawing is not counted as the app's.
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2

from companion.registry import print_and_play_board
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView, Light

RATE = 20.0
SIZE = (1920, 1080)
PICTURES = 6
"""frames that are drawn, each with its own noise, and repeated"""


def film(path: Path, seconds: int) -> None:
    """Write an empty board of City of Marble as a camera films it."""
    scene = Scene(print_and_play_board("city_of_marble"), CameraView(*SIZE), Light())
    frames = [scene.frame({}) for _ in range(PICTURES)]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), RATE, SIZE)
    for number in range(round(RATE * seconds)):
        writer.write(frames[number % len(frames)])
    writer.release()


if __name__ == "__main__":
    film(Path(sys.argv[1]), int(sys.argv[2]))
