"""The simulated table: its pieces, the hand that moves them, and the camera's frames."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from types import MappingProxyType

from companion.board.layout import EMPTY, Board
from ui.simulated_table.hand import Hand
from ui.simulated_table.lying import Sloppiness
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView, Light
from vision.camera.frames import FrameSource, Image
from vision.camera.sources import CallableSource

VISIT = 0.36
"""seconds a hand is over the board"""
_RATE = 20.0


class SimulatedTable:
    """The pieces as they lie. `move` is called by the simulated players, `draw` by the camera's thread.

    `beside` lays sheets beside the board, as for a `Scene`; what lies on others is out of the camera's view.
    """

    def __init__(
        self,
        board: Board,
        look: Mapping[str, str],
        *,
        seed: int,
        view: CameraView | None = None,
        beside: Mapping[str, tuple[float, float]] = MappingProxyType({}),
    ) -> None:
        self._light, self._sloppiness, self._beside = Light(noise=2.0, quality=0), Sloppiness(seed=seed), beside
        self.scene = Scene(board, view or CameraView(), self._light, self._sloppiness, beside)
        self._centres = {name: spot.centre for name, spot in board.spots.items()}
        for name, (x, y) in beside.items():
            spots = board.beside[name].spots
            self._centres |= {spot: (x + at.centre[0], y + at.centre[1]) for spot, at in spots.items()}
        self._lock = threading.Lock()
        self._look = self._next_look = self.in_view(look)
        self._reach: tuple[float, float] = (0.0, 0.0)
        self._began = float("-inf")

    @property
    def look(self) -> dict[str, str]:
        """Spot -> label of what lies there now."""
        with self._lock:
            return dict(self._next_look)

    def source(self) -> FrameSource:
        """The camera over this table."""
        return CallableSource(self.draw, "simulated camera", _RATE)

    def move(self, look: Mapping[str, str]) -> None:
        """Let a hand come, change the pieces to `look` and go; returns when it has gone."""
        look, before = self.in_view(look), self.look
        changed = {spot for spot in {*look, *before} if look.get(spot, EMPTY) != before.get(spot, EMPTY)}
        if not changed:
            return
        centres = [self._centres[spot] for spot in changed]
        with self._lock:
            self._reach = (sum(x for x, _ in centres) / len(centres), sum(y for _, y in centres) / len(centres))
            self._next_look, self._began = look, time.monotonic()
        time.sleep(VISIT)

    def reach(self, place: tuple[float, float], seconds: float = VISIT) -> None:
        """Hold a hand over a place (mm on the board) that changes nothing; returns when it has gone."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            with self._lock:
                self._reach, self._began = place, time.monotonic() - VISIT / 3
            time.sleep(VISIT / 3)
        with self._lock:
            self._began = time.monotonic() - VISIT / 2
        time.sleep(VISIT / 2)

    def change(self, view: CameraView | None = None, light: Light | None = None) -> None:
        """Have the camera stand elsewhere, or the light be another, from the next frame on."""
        self._light = light or self._light
        self.scene = Scene(self.scene.board, view or self.scene.view, self._light, self._sloppiness, self._beside)

    def in_view(self, look: Mapping[str, str]) -> dict[str, str]:
        """The part of a look that lies on the sheets before the camera."""
        return {spot: label for spot, label in look.items() if spot in self._centres}

    def draw(self) -> Image:
        """The camera's next frame; drawn again where the players have moved meanwhile, so that it shows no past."""
        while True:
            with self._lock:
                began = self._began
                phase = (time.monotonic() - began) / VISIT
                if phase >= 0.5:
                    self._look = self._next_look
                look, reach = self._look, self._reach
            picture = self.scene.frame(look, Hand(reach, phase) if 0.0 < phase < 1.0 else None)
            with self._lock:
                if began == self._began:
                    return picture
