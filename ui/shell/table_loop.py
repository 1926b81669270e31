"""One table's evening put together: presenter, camera and boxes, drained on one thread by `tick`."""

from __future__ import annotations

import logging
import queue
import threading
from collections import deque
from collections.abc import Callable

from companion.errors import StoreError
from companion.session.cutouts import CutOuts
from companion.session.entries import Entry
from companion.session.observation import Observation
from companion.session.tracker import ProposalState
from companion.wording.sentences import translated
from ui.hardware.boxes import TableBoxes
from ui.hardware.camera import CameraClient
from ui.services.kept_clock import KeptClock
from ui.services.text import _
from ui.table.composing import CAMERA
from ui.table.presenter import Presenter
from ui.view_models.play_view import PlayView
from vision.reader_process import CameraReport

log = logging.getLogger(__name__)

_MOST_PER_TICK = 50


class TableLoop:
    """Hands the devices' news to the presenter and the presenter's state to the lamps. One thread calls `tick`."""

    def __init__(
        self,
        presenter: Presenter,
        camera: CameraClient | None = None,
        boxes: TableBoxes | None = None,
        cut_outs: CutOuts | None = None,
        kept_clock: KeptClock | None = None,
    ) -> None:
        self.presenter = presenter
        self._cut_outs, session = cut_outs, presenter.session
        self._kept_clock = kept_clock
        self._look = session.game.appearance(session.state)
        session.observe(self._on_entry)
        self.camera, self.boxes = camera, boxes
        self._confirmed_at: int | None = None
        self._heard: deque[CameraReport] = deque()
        self.report: CameraReport | None = None
        """the latest that the camera said"""
        self.view: PlayView = presenter.view()
        """what the screen shows, as of the last tick; may be read from any thread"""
        self.serve_phones: Callable[[TableLoop], None] | None = None
        """called at the end of each tick, where nothing else looks after the phones at this table"""
        self.publish: Callable[[TableLoop], None] | None = None
        """called at the end of each tick, where nothing else tells an organiser about this table"""
        self._inbox: queue.Queue[Callable[[], object]] = queue.Queue()

    def _on_entry(self, entry: Entry) -> None:
        """Have what the camera saw of an action cut out and kept, and the players' clock kept."""
        self.presenter.play_goes_on()
        self.keep_clock()
        session, before = self.presenter.session, self._look
        self._look = session.game.appearance(session.state)
        if self.camera is not None and self._cut_outs is not None and entry.source == CAMERA:
            self.camera.cut_out(entry.number, sorted({spot for spot, _label in before.items() ^ self._look.items()}))

    def _keep_cut_outs(self, camera: CameraClient, cut_outs: CutOuts) -> None:
        while not camera.cut_outs.empty():
            answer = camera.cut_outs.get()
            try:
                cut_outs.keep(answer.key, answer.data)
            except StoreError as error:
                log.warning("a cut-out was not kept: %s", error)

    def post(self, call: Callable[[], object]) -> None:
        """Have a call made on the table's thread; may be called from any thread."""
        self._inbox.put(call)

    def start(self) -> None:
        """Start the camera; the boxes were opened before."""
        if self.camera is not None:
            self.presenter.devices.tell(CAMERA, _("starting"), ok=True)
            self.camera.start()

    def use_camera(self, camera: CameraClient | None) -> None:
        """Look through another camera from now on, or through none; the one before is released meanwhile."""
        before, self.camera, self.report = self.camera, camera, None
        self._heard.clear()
        if before is not None:
            threading.Thread(target=before.close, name=f"leave {before.name}").start()
        if camera is None:
            self.presenter.on_camera_gone()
        else:
            self.start()

    def use_boxes(self, boxes: TableBoxes | None) -> None:
        """Listen to other boxes from now on, or to none."""
        before, self.boxes = self.boxes, boxes
        if before is not None:
            before.leave(self.presenter)

    def tick(self) -> None:
        """Take in all that has happened since the last call."""
        if self.camera is not None:
            self._drain_camera(self.camera)
            if self._cut_outs is not None:
                self._keep_cut_outs(self.camera, self._cut_outs)
        if self.boxes is not None:
            self.boxes.drain(self.presenter, self.request_read)
        for _attempt in range(_MOST_PER_TICK):
            try:
                call = self._inbox.get_nowait()
            except queue.Empty:
                break
            call()
        self.presenter.on_tick()
        self.view = self.presenter.view()
        if self.boxes is not None:
            self.boxes.show(self.presenter)
        if self.serve_phones is not None:
            self.serve_phones(self)
        if self.publish is not None:
            self.publish(self)

    def keep_clock(self) -> None:
        """Write down what the players' clock says, if there is one."""
        clock = self.presenter.turn_clock
        if self._kept_clock is not None and clock is not None:
            self._kept_clock.write(clock.seconds_left(), clock.minutes)

    def close(self) -> None:
        """Release the devices and keep the clock; the record needs no closing, it is written as it grows."""
        self.keep_clock()
        if self.camera is not None:
            self.camera.close()
        if self.boxes is not None:
            self.boxes.close()

    def request_read(self) -> None:
        """Have the camera look anew, as at a press."""
        if self.camera is not None:
            self.camera.request()

    def _drain_camera(self, camera: CameraClient) -> None:
        self._heard.extend(_waiting(camera))
        while self._heard:  # what is left where an entry cannot be stored (disk full) comes with the next tick
            report = self.report = self._heard.popleft()
            if report.reading is None:
                self._camera_lost(report.lost)
            elif report.reading.reason:
                reason = translated(report.reading.reason, _)
                self.presenter.devices.tell(CAMERA, reason, ok=False)
                self.presenter.on_camera_blinded(reason)
            else:
                self.presenter.on_camera_alive()
                self.presenter.devices.tell(CAMERA, _("ready"), ok=True)
                if report.reading.observation is not None:
                    self.presenter.on_observation(report.reading.observation)
                    self._confirm(camera, report.reading.observation)

    def _confirm(self, camera: CameraClient, observation: Observation) -> None:
        """Let the camera learn, once, from a position in which record and camera agree."""
        session, tracker = self.presenter.session, self.presenter.tracker
        agree = observation.quiet and tracker.proposal == ProposalState() and not tracker.owed
        if agree and session.state_id != self._confirmed_at:
            self._confirmed_at = session.state_id
            camera.confirm(observation.frame, session.game.appearance(session.state))

    def _camera_lost(self, why: str) -> None:
        reason = translated(why, _)
        self.presenter.devices.tell(CAMERA, reason, ok=False)
        self.presenter.on_camera_lost(reason)


def _waiting(camera: CameraClient) -> list[CameraReport]:
    """What the camera said since the last tick, but of quiet readings in a row only the last.

    To make sense of a reading takes longer than its turn on a slow machine: those that have queued up must not hold up
    the screen, nor be acted on late.
    """
    waiting: list[CameraReport] = []
    latest: int | None = None
    for _attempt in range(_MOST_PER_TICK):
        try:
            report = camera.reports.get_nowait()
        except queue.Empty:
            break
        reading = report.reading
        observation = reading.observation if reading is not None else None
        if observation is not None and observation.quiet:
            if latest is not None:
                del waiting[latest]
            latest = len(waiting)
        elif reading is None or reading.reason or observation is not None:
            latest = None
        waiting.append(report)
    return waiting
