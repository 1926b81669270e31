"""A lens is measured from the printed sheet, and bad sets of pictures are refused with what to do."""

from __future__ import annotations

import socket
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.errors import LensError
from calibration.lens import COLUMNS, ROWS, SQUARE, LensMeasurement
from companion.errors import InvalidDocument
from tests.calibration.lens_views import CAMERA, SCALE, WAYS, drawn_sheet, view
from ui.command_line import main
from ui.commands import calibrating
from vision.camera import sources, stills
from vision.location.camera_file import load_camera, save_camera
from vision.pictures import Gray


@pytest.fixture(scope="module")
def sheet() -> Gray:
    return drawn_sheet()


def test_focal_length_middle_and_distortion_are_found(sheet: Gray) -> None:
    measurement = LensMeasurement()
    assert "tilt" in _after(measurement, sheet, WAYS[:2])
    for number, (x, y, dx, dy) in enumerate(WAYS[2:]):
        assert measurement.add(view(sheet, (x, y), (dx, dy), number)) == ""
    assert measurement.advice() == ""
    lens = measurement.measure()
    assert lens.rms < 0.5
    assert lens.camera.focal == pytest.approx(CAMERA.focal, rel=0.005)
    assert lens.camera.centre == pytest.approx((652.0, 351.0), abs=3.0)
    assert lens.camera.radial == pytest.approx(CAMERA.radial, abs=0.02)


def _after(measurement: LensMeasurement, sheet: Gray, ways: list[tuple[float, float, int, int]]) -> str:
    for x, y, dx, dy in ways:
        measurement.add(view(sheet, (x, y), (dx, dy)))
    return measurement.advice()


def test_pictures_that_tell_nothing_are_refused_with_the_reason(sheet: Gray) -> None:
    measurement = LensMeasurement()
    assert "in view: 0;" in measurement.add(np.full((720, 1280), 128, np.uint8))
    flat = view(sheet, (0.0, 0.0), (0.0, 0.0))
    assert "blurred" in measurement.add(np.asarray(cv2.GaussianBlur(flat, (0, 0), 2.0), np.uint8))
    assert measurement.add(flat) == ""
    assert "another picture does" in measurement.add(flat)
    assert "640 x 360" in measurement.add(np.asarray(cv2.resize(flat, (640, 360)), np.uint8))
    with pytest.raises(LensError, match="1 usable picture does not suffice"):
        measurement.measure()


def test_pictures_that_do_not_agree_are_refused(sheet: Gray) -> None:
    measurement = LensMeasurement()
    for number, (x, y, dx, dy) in enumerate(WAYS):
        measurement.add(view(sheet, (x, y), (dx, dy), number))
    random = np.random.default_rng(1)
    for found in measurement.views:
        found.pixels[:] += random.normal(0, 3, found.pixels.shape)
    with pytest.raises(LensError, match="fit badly"):
        measurement.measure()


def test_the_command_writes_a_file_that_the_reader_takes(
    sheet: Gray, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, (x, y, dx, dy) in enumerate(WAYS):
        cv2.imwrite(str(tmp_path / f"{number:02}.png"), view(sheet, (x, y), (dx, dy), number))
    of_another_camera = cv2.resize(view(sheet, (0.0, 0.0), (0.0, 0.0)), (960, 540))
    cv2.imwrite(str(tmp_path / "00-before-all-others.png"), of_another_camera)
    out = tmp_path / "camera.toml"
    assert main(["calibrate", str(tmp_path), "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert "00-before-all-others.png: is 960 x 540 pixels, the others are 1280 x 720" in told
    assert "10 pictures used" in told
    camera = load_camera(out)
    assert camera.focal == pytest.approx(CAMERA.focal, rel=0.005)
    assert camera.scaled(640, 360).focal == pytest.approx(CAMERA.focal / 2, rel=0.005)
    with pytest.raises(ValueError, match="another part"):
        camera.scaled(640, 480)
    (tmp_path / "few").mkdir()
    alone = tmp_path / "few" / "a.png"
    cv2.imwrite(str(alone), view(sheet, (0.0, 0.0), (0.0, 0.0)))
    for source in (alone.parent, alone):
        assert main(["calibrate", str(source), "--out", str(out)]) == 1
        assert f"{source}: 1 usable picture does not suffice" in capsys.readouterr().err


def test_a_video_that_ends_too_soon_is_refused_with_what_is_missing(
    sheet: Gray, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    video, out = tmp_path / "short.avi", tmp_path / "camera.toml"
    frames = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"MJPG"), 25.0, (CAMERA.width, CAMERA.height))
    for turn, shift in (((0.0, 0.0), (0.0, 0.0)), ((0.5, 0.0), (40.0, 20.0))):
        shown = cv2.cvtColor(view(sheet, turn, shift), cv2.COLOR_GRAY2BGR)
        for _frame in range(15):
            frames.write(shown)
    frames.release()
    assert main(["calibrate", str(video), "--out", str(out)]) == 1
    told = capsys.readouterr()
    assert "picture 1: used" in told.out
    assert f"{video}: " in told.err
    assert "not suffice; tilt the sheet" in told.err
    assert not out.exists()


def test_an_address_that_never_answers_is_waited_for_until_the_reason_is_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "OPEN_SECONDS", 1.0)
    monkeypatch.setattr(stills, "_TIMEOUT", 0.5)
    monkeypatch.setattr(calibrating, "_PATIENCE_AT_FIRST", 4.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/video"
        assert main(["calibrate", address, "--out", str(tmp_path / "camera.toml")]) == 3
    told = capsys.readouterr().err
    assert told.startswith(f"companion: {address}: cannot be opened; is the camera on")
    assert told.count("\n") == 1


def test_a_damaged_camera_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "camera.toml"
    save_camera(CAMERA, path, 0.2)
    assert load_camera(path) == CAMERA
    for old, new, reason in [
        ("focal = 1010.000", "focal = 5", "focal"), ("format = 1", "format = 2", "reads format 1"),
        ("centre = [652.000, 351.000]", "centre = [652]", "two numbers"), ("width = 1280", "width = true", "width"),
    ]:  # fmt: skip
        save_camera(CAMERA, path, 0.2)
        path.write_text(path.read_text().replace(old, new))
        with pytest.raises(InvalidDocument, match=reason):
            load_camera(path)


def test_the_sheet_fits_its_paper(sheet: Gray) -> None:
    assert sheet.shape == (round(210 * SCALE), round(297 * SCALE))
    assert COLUMNS * SQUARE < 270
    assert ROWS * SQUARE < 190
