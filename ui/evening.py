"""One table's evening put together: presenter, camera and boxes, drained on one thread by `tick`."""

from __future__ import annotations

import queue
from collections.abc import Callable

from ui.boxes import TableBoxes
from ui.camera import CameraEye
from ui.composing import CAMERA
from ui.presenter import Presenter
from ui.viewmodels import PlayView

_MOST_PER_TICK = 50


class Evening:
    """Hands the devices' news to the presenter and the presenter's state to the lamps. One thread calls `tick`."""

    def __init__(self, presenter: Presenter, camera: CameraEye | None = None, boxes: TableBoxes | None = None) -> None:
        self.presenter = presenter
        self.camera, self.boxes = camera, boxes
        self.view: PlayView = presenter.view()
        """what the screen shows, as of the last tick; may be read from any thread"""
        self._inbox: queue.Queue[Callable[[], object]] = queue.Queue()

    def post(self, call: Callable[[], object]) -> None:
        """Have a call made on the table's thread; may be called from any thread."""
        self._inbox.put(call)

    def start(self) -> None:
        """Start the camera; the boxes were opened before."""
        if self.camera is not None:
            self.presenter.on_device(CAMERA, "starting", ok=True)
            self.camera.start()

    def tick(self) -> None:
        """Take in all that has happened since the last call."""
        if self.camera is not None:
            self._drain_camera(self.camera)
        if self.boxes is not None:
            self.boxes.drain(self.presenter, self._request_read)
        for _ in range(_MOST_PER_TICK):
            try:
                call = self._inbox.get_nowait()
            except queue.Empty:
                break
            call()
        self.presenter.on_tick()
        self.view = self.presenter.view()
        if self.boxes is not None:
            self.boxes.show(self.presenter)

    def close(self) -> None:
        """Release the devices; the record needs no closing, it is written as it grows."""
        if self.camera is not None:
            self.camera.close()
        if self.boxes is not None:
            self.boxes.close()

    def _request_read(self) -> None:
        if self.camera is not None:
            self.camera.request()

    def _drain_camera(self, camera: CameraEye) -> None:
        for _ in range(_MOST_PER_TICK):
            try:
                report = camera.reports.get_nowait()
            except queue.Empty:
                return
            if report.sight is None:
                self.presenter.on_device(CAMERA, report.lost, ok=False)
                self.presenter.on_camera_lost(report.lost)
            elif report.sight.reason:
                self.presenter.on_device(CAMERA, report.sight.reason, ok=False)
                self.presenter.on_camera_lost(report.sight.reason)
            else:
                self.presenter.on_camera_alive()
                self.presenter.on_device(CAMERA, "ready", ok=True)
                if report.sight.observation is not None:
                    self.presenter.on_observation(report.sight.observation)
