"""Where the camera of the simulated table stands and what its lens, its sensor and the room's light do."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.location.board_pose import BoardPose, CameraModel

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CameraView:
    """A camera `distance` mm from the board's centre, `tilt` degrees off the vertical, standing to the side `azimuth`
    (degrees; 90 is the sheet's lower edge, where the picture then has its lower edge too).

    `roll` turns the camera about its axis (degrees), `aim` shifts the point it looks at (mm), `field` is the angle of
    view across the picture (degrees), `radial` the lens's k1.
    """

    width: int = 1280
    height: int = 720
    distance: float = 720.0
    tilt: float = 20.0
    azimuth: float = 90.0
    roll: float = 0.0
    aim: tuple[float, float] = (0.0, 0.0)
    field: float = 62.0
    radial: float = 0.0

    def pose(self, board: Board) -> BoardPose:
        """The camera's true pose over a board."""
        focal = self.width / 2 / math.tan(math.radians(self.field) / 2)
        tilt, azimuth, roll = (math.radians(v) for v in (self.tilt, self.azimuth, self.roll))
        aim = np.array([board.size[0] / 2 + self.aim[0], board.size[1] / 2 + self.aim[1], 0.0])
        away = np.array([math.sin(tilt) * math.cos(azimuth), math.sin(tilt) * math.sin(azimuth), -math.cos(tilt)])
        eye = aim + self.distance * away
        forward = -away
        side = np.array([math.sin(azimuth), -math.cos(azimuth), 0.0])
        right = math.cos(roll) * side + math.sin(roll) * np.cross(forward, side)
        rotation = np.stack([right, np.cross(forward, right), forward])
        return BoardPose(
            CameraModel(self.width, self.height, focal, self.radial), rotation, -rotation @ eye, 0.0, frozenset()
        )


@dataclass(frozen=True, slots=True)
class Light:
    """The light of a room and what the sensor adds.

    `exposure` multiplies all light; `temperature` (kelvin) tints it, 5500 is neutral; `slope` is the relative change of
    brightness across the board in x and y; `direction` (degrees) is where it comes from, `elevation` its height,
    `shadow` the depth of cast shadows 0 to 1; `blur` and `noise` are standard deviations in pixels and grey levels;
    `quality` is JPEG's, 0 for none.
    """

    exposure: float = 0.9
    temperature: float = 5500.0
    slope: tuple[float, float] = (0.15, -0.1)
    direction: float = -60.0
    elevation: float = 50.0
    shadow: float = 0.4
    blur: float = 0.6
    noise: float = 2.5
    quality: int = 0

    def gains(self) -> Floats:
        """The tint as factors of linear light (3,), blue, green, red; a camera's own white balance mends half of it."""
        mired = 1e6 / self.temperature - 1e6 / 5500.0
        return self.exposure * np.array([2.0 ** (-mired / 220), 1.0, 2.0 ** (mired / 260)])
