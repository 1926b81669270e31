"""From frames to observations: registration, stillness and reading put together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from companion.board.layout import Board
from companion.session.observation import Observation
from vision.fiducials import Corners, Fiducial, FiducialFinder
from vision.frames import Frame
from vision.pictures import Gray, Image, gray_of
from vision.profile import Profile
from vision.reading import BoardReader, Reading
from vision.registration import BoardNotFound, BoardPose, CameraModel, expected_corners, register
from vision.stability import WIDTH, EyeState, MotionGate, Stillness

_STEADY = 0.5
"""Pixels (at 1920 across) that the markers may stray from the pose before it is taken anew."""
_SEARCH_AGAIN = 1.0
"""Seconds between searches of the whole picture for markers that are missing."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a frame shows. `pose` is the last good one; `reason` says why the eye is paused, else it is empty.

    `observation` says what lies where if the frame was read (then it is quiet), or only what a hand covers (then it
    is not quiet); None if there is nothing new to say.
    """

    state: EyeState
    reason: str
    pose: BoardPose | None
    observation: Observation | None
    beside: Mapping[str, BoardPose] = field(default_factory=dict)
    """the poses of further sheets in view, by their boards' ids"""


class TableReader:
    """Follows one board before one camera. Used by one thread.

    A quiet table is read once it has settled, then every `refresh` seconds, and whenever `request` was called.
    """

    def __init__(self, board: Board, profile: Profile, camera: CameraModel | None = None, refresh: float = 0.5) -> None:
        self.board = board
        self._reader = BoardReader(board, profile)
        self._finder = FiducialFinder(board.markers)
        self._gate = MotionGate(board)
        self._camera, self._refresh = camera, refresh
        self._pose: BoardPose | None = None
        self._reason = ""
        self._searched = self._read = float("-inf")

    def request(self) -> None:
        """Read the next quiet frame whatever was read before."""
        self._read = float("-inf")

    def look(self, image: Image) -> Reading | BoardNotFound:
        """Read one picture on its own."""
        size = (image.shape[1], image.shape[0])
        pose = register(self.board, self._finder.find(gray_of(image)), size, self._camera)
        if isinstance(pose, BoardNotFound):
            return pose
        return self._reader.read(image, pose)

    def see(self, frame: Frame) -> Sight:
        """Take in the next frame of a camera."""
        gray = gray_of(frame.image)
        self._register(gray, frame.time)
        if self._pose is None or self._reason:
            self._read = float("-inf")
            return Sight(EyeState.PAUSED, self._reason, self._pose, None)
        stillness = self._gate.update(gray, self._pose, frame.time)
        if stillness.state is not EyeState.WATCHING:
            self._read = float("-inf")
            covered = self._covered(stillness, self._pose)
            moving = Observation(self.board.id, frame.id, frame.time, {}, covered, quiet=False)
            return Sight(stillness.state, "", self._pose, moving)
        if frame.time - self._read < self._refresh:
            return Sight(EyeState.WATCHING, "", self._pose, None)
        self._read = frame.time
        reading = self._reader.read(frame.image, self._pose)
        return Sight(EyeState.WATCHING, "", self._pose, reading.observation(self.board, frame))

    def _register(self, gray: Gray, time: float) -> None:
        """Keep the pose while the markers stay where it says, else take it anew; say why where that fails."""
        size = (gray.shape[1], gray.shape[0])
        pose = self._pose
        if pose is not None and (pose.camera.width, pose.camera.height) == size:
            expected = expected_corners(self.board, pose)
            seen = self._finder.follow(gray, expected)
            strays = _strays(seen, expected)
            if strays is not None and strays < _STEADY * max(1.0, size[0] / 1920):
                self._reason = ""
                return
            if strays is not None and self._take(register(self.board, seen, size, pose.camera)):
                return
        if self._reason and time - self._searched < _SEARCH_AGAIN / 4:
            return
        self._searched = time
        self._take(register(self.board, self._finder.find(gray), size, self._camera))

    def _take(self, found: BoardPose | BoardNotFound) -> bool:
        if isinstance(found, BoardNotFound):
            self._reason = found.reason
            return False
        self._pose, self._reason = found, ""
        return True

    def _covered(self, stillness: Stillness, pose: BoardPose) -> frozenset[str]:
        """The spots that move or lie under an arm."""
        spots = tuple(self.board.spots.values())
        middles = pose.project([[*spot.centre, spot.base + spot.height] for spot in spots])
        scale = WIDTH / pose.camera.width
        height, width = stillness.mask.shape
        columns = np.clip((middles[:, 0] * scale).astype(int), 0, width - 1)
        rows = np.clip((middles[:, 1] * scale).astype(int), 0, height - 1)
        under = stillness.mask[rows, columns]
        return frozenset(spot.name for spot, hidden in zip(spots, under, strict=True) if hidden)


def _strays(seen: Mapping[int, Fiducial], expected: Mapping[int, Corners]) -> float | None:
    """The median distance (pixels) of the corners seen from where they were expected; None if no marker was seen."""
    if not seen:
        return None
    off = [np.linalg.norm(fiducial.corners - expected[marker], axis=1) for marker, fiducial in seen.items()]
    return float(np.median(np.concatenate(off)))
