"""The camera's process: it reads what the app draws or an address names, and comes back when it dies."""

from __future__ import annotations

import errno
import os
import queue
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.errors import StoreError
from companion.registry import print_and_play_board
from companion.session.cutouts import CutOuts
from companion.session.observation import CameraStatus, Observation
from companion.session.session import Session
from tests.full_disk import no_room_for_more_than
from tests.tables import sight, table_of
from ui.hardware.camera import CameraClient
from ui.shell.table_loop import TableLoop
from ui.simulated_table.scene import Scene
from ui.simulated_table.table import SimulatedTable
from ui.simulated_table.view import CameraView
from ui.table.presenter import Presenter
from vision.camera.shared_pictures import SharedPictures
from vision.errors import InvalidProfile, SourceUnavailable
from vision.reader import FrameReading
from vision.reader_process import CameraReport, CutAnswer

BOARD = print_and_play_board("city_of_marble")
LOOK = {"ward E8-F8": "red", "ward J3-J4": "blue"}
LONGEST = 30.0


@pytest.fixture
def eye() -> Iterator[CameraClient]:
    table = SimulatedTable(BOARD, LOOK, seed=1, view=CameraView())
    camera = CameraClient(table.source(), BOARD)
    camera.start()
    yield camera
    camera.close()


def heard(eye: CameraClient, wanted: Callable[[CameraReport], bool]) -> CameraReport:
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        try:
            report = eye.reports.get(timeout=1.0)
        except queue.Empty:
            continue
        if wanted(report):
            return report
    raise AssertionError("the camera's process did not say it")


def test_an_interruption_of_the_program_does_not_reach_the_camera_that_is_being_started(
    eye: CameraClient, capfd: pytest.CaptureFixture[str]
) -> None:
    """A terminal tells every process of Ctrl-C, also one that is still importing."""
    reports: list[CameraReport] = []
    until = time.monotonic() + LONGEST
    while not reports and time.monotonic() < until:
        if eye.process_id is not None:
            os.kill(eye.process_id, signal.SIGINT)
        with suppress(queue.Empty):
            reports.append(eye.reports.get(timeout=0.05))
    assert reports
    assert "its process ended" not in reports[0].lost
    assert "KeyboardInterrupt" not in capfd.readouterr().err


SHARED = Path("/dev/shm")


@pytest.mark.skipif(not SHARED.is_dir(), reason="shared memory is kept in files only on Linux")
def test_the_memory_of_the_pictures_is_there_from_the_start() -> None:
    """What the system has merely promised ends the program, without a word, when it is written to and is not there."""
    pictures = SharedPictures(1080, 1920)
    file = SHARED / pictures.name
    found = file.stat()
    assert found.st_blocks * 512 >= found.st_size >= 3 * 1080 * 1920 * 3
    pictures.close()
    assert not file.exists()


@pytest.mark.skipif(not SHARED.is_dir(), reason="shared memory is kept in files only on Linux")
def test_no_room_for_the_pictures_is_told_and_nothing_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Path] = []

    def once(descriptor: int, _start: int, size: int) -> None:
        os.truncate(descriptor, size)
        asked.append(Path(f"/proc/self/fd/{descriptor}").readlink())
        if len(asked) > 1:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", once)
    with pytest.raises(SourceUnavailable, match=r"no room for 18 MiB of pictures \(No space left on device\)"):
        CameraClient(SimulatedTable(BOARD, LOOK, seed=1, view=CameraView()).source(), BOARD)
    assert len(asked) == 2
    assert not any(file.exists() for file in asked)


def is_read(report: CameraReport) -> bool:
    return report.reading is not None and report.reading.observation is not None and report.reading.observation.quiet


def seen(report: CameraReport) -> dict[str, str]:
    assert report.reading is not None
    assert report.reading.observation is not None
    likeliest = {
        spot: max(shares, key=shares.__getitem__) for spot, shares in report.reading.observation.posteriors.items()
    }
    return {spot: label for spot, label in likeliest.items() if label}


def test_what_the_app_draws_is_read_and_shown(eye: CameraClient) -> None:
    assert seen(heard(eye, is_read)) == LOOK
    small = eye.preview()
    assert small is not None
    assert small.image.shape == (540, 960, 3)
    assert eye.preview(small.number + 1000) is None
    whole = eye.picture()
    assert whole is not None
    assert whole.shape == (720, 1280, 3)


def test_a_process_that_dies_is_told_and_started_again(eye: CameraClient) -> None:
    heard(eye, is_read)
    assert eye.process_id is not None
    os.kill(eye.process_id, signal.SIGKILL)
    assert "its process ended" in heard(eye, lambda report: bool(report.lost)).lost
    assert seen(heard(eye, is_read)) == LOOK


def test_readings_that_have_queued_up_are_not_each_made_sense_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a slow machine they would hold up the screen; a hand among them is still heard of."""
    session = Session.create(None, table_of(BOARD.game, 2))
    camera = CameraClient("0", session.table.board)
    presenter, times = Presenter(session), list[float]()
    monkeypatch.setattr(presenter, "on_observation", lambda observation: times.append(observation.time))
    evening = TableLoop(presenter, camera)
    look = session.game.appearance(session.state)
    for moment, quiet in enumerate((True, True, None, True, False, True, None, None, True, True, None)):
        seen = None if quiet is None else sight(session.table.board, look, time=moment, quiet=quiet)
        camera.reports.put(CameraReport(FrameReading(CameraStatus.WATCHING, "", None, seen)))
        if moment == 5:
            camera.reports.put(CameraReport(FrameReading(CameraStatus.PAUSED, "no board", None, None)))
    evening.tick()
    assert times == [3, 4, 5, 9]
    assert camera.reports.empty()
    camera.close()


def test_what_the_camera_said_is_told_later_where_something_could_not_be_recorded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = Session.create(None, table_of(BOARD.game, 2))
    camera = CameraClient("0", session.table.board)
    presenter = Presenter(session)

    def full(_observation: Observation) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(presenter, "on_observation", full)
    evening = TableLoop(presenter, camera)
    camera.reports.put(CameraReport(FrameReading(CameraStatus.WATCHING, "", None, sight(session.table.board, {}))))
    camera.reports.put(CameraReport(None, "unplugged"))
    with pytest.raises(StoreError):
        evening.tick()
    evening.tick()
    assert evening.report == CameraReport(None, "unplugged")
    camera.close()


def test_a_cut_out_that_cannot_be_kept_is_told_in_one_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A log that nobody set up is what the user sees in the terminal."""
    session = Session.create(None, table_of(BOARD.game, 2))
    camera = CameraClient("0", session.table.board)
    evening = TableLoop(Presenter(session), camera, None, CutOuts(tmp_path / "cutouts"))
    camera.cut_outs.put(CutAnswer(1, bytes(5000)))
    with no_room_for_more_than(1000):
        evening.tick()
    (record,) = caplog.records
    assert "File too large" in record.getMessage()
    assert not record.exc_info
    camera.close()


def test_a_process_that_cannot_be_started_is_told_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), Scene(BOARD, CameraView()).frame(LOOK))
    start, failures = subprocess.Popen, [OSError(errno.EAGAIN, "Resource temporarily unavailable")]

    def refused_once(*command: Any, **options: Any) -> subprocess.Popen[bytes]:
        if failures:
            raise failures.pop()
        return start(*command, **options)

    monkeypatch.setattr(subprocess, "Popen", refused_once)
    eye = CameraClient(str(tmp_path), BOARD)
    eye.start()
    why = heard(eye, lambda report: bool(report.lost)).lost
    assert "its process cannot be started (Resource temporarily unavailable)" in why
    heard(eye, lambda report: report.reading is not None)
    eye.close()


def test_a_folder_of_pictures_is_read_by_its_address(tmp_path: Path) -> None:
    picture = Scene(BOARD, CameraView()).frame(LOOK)
    for number in range(6):
        cv2.imwrite(str(tmp_path / f"{number:02}.png"), picture)
    eye = CameraClient(str(tmp_path), BOARD)
    eye.start()
    assert seen(heard(eye, is_read)) == LOOK
    eye.close()


def test_a_board_without_taught_pieces_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(InvalidProfile, match="cannot be read"):
        CameraClient("0", BOARD, tmp_path / "missing.zip")
