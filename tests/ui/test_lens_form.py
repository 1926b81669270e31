"""A lens is measured on the screen, from a sheet held before the camera."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.session.session import Session
from companion.session.store import Store
from tests.calibration.lens_views import CAMERA, WAYS, drawn_sheet, view
from tests.tables import table_of
from ui.forms.camera_form import CameraForm
from ui.forms.lens_form import LensForm
from ui.forms.rehearsal import Result, try_lag
from ui.services.settings import SETTINGS_FILE, Settings, load_settings, save_settings
from ui.services.speech import Speaker
from ui.shell.shell import Shell
from ui.table.composing import LENS
from ui.view_models.form_view import FormModel, Note, Picks
from ui.view_models.play_view import DeviceView
from vision.camera.lag import LagMeasurement
from vision.location.camera_file import load_camera, save_camera

HANG = 60.0
ROUNDS = 3
"""how often the views come round: a slow machine looks at some of them only"""


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    save_settings(tmp_path / SETTINGS_FILE, Settings("en"))
    with Store(tmp_path / "games.sqlite3") as store:
        shell = Shell(store, tmp_path, speaker=Speaker(None))
        yield shell
        shell.close()


def texts(form: FormModel) -> list[str]:
    return [row.text for row in form.rows() if isinstance(row, Note)]


def offered(form: LensForm) -> set[str]:
    return {each.key for row in form.rows() if isinstance(row, Picks) for each in row.picks}


def until_over(form: LensForm) -> None:
    deadline = time.monotonic() + HANG
    while "again" not in offered(form):
        assert time.monotonic() < deadline, texts(form)
        form.tick()
        time.sleep(0.005)


@pytest.mark.parametrize("text", [None, "format = 2\n", "\0"])
def test_a_lens_file_that_cannot_be_used_is_told_in_one_line(shell: Shell, tmp_path: Path, text: str | None) -> None:
    lens, folder = tmp_path / "my lens.toml", tmp_path / "views"
    folder.mkdir()
    cv2.imwrite(str(folder / "1.png"), np.zeros((48, 64, 3), np.uint8))
    save_camera(CAMERA, lens, 0.2)
    shell.devices.use_camera(str(folder))
    shell.devices.use_lens(str(lens))
    assert LENS not in devices_of(shell)
    if text is None:
        lens.unlink()
    else:
        lens.write_text(text)
    told = devices_of(shell)[LENS]
    assert (told.ok, "my lens.toml" in told.state, "\n" in told.state) == (False, True, False)
    form = CameraForm(shell, lambda board: None, lambda: None)
    assert told.state in texts(form)
    form.close()


def devices_of(shell: Shell) -> dict[str, DeviceView]:
    """What is said of the devices at a table opened anew."""
    if shell.table_loop is not None:
        shell.table_loop.close()
    shell.table_loop = shell.devices.open_table(Session.create(None, table_of("city_of_marble", 2)))
    return {device.name: device for device in shell.table_loop.presenter.view().devices}


def test_the_lag_of_a_camera_is_kept_with_it_and_not_that_of_another_one(shell: Shell, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        cv2.imwrite(str(tmp_path / name / "1.png"), np.zeros((48, 64, 3), np.uint8))
    shell.devices.use_camera(str(tmp_path / "one"))
    shell.devices.keep_lag(0.72)
    devices_of(shell)
    assert shell.table_loop is not None
    assert shell.table_loop.presenter.camera_lag == 0.72
    shell.devices.use_camera(str(tmp_path / "one"))
    assert load_settings(tmp_path / SETTINGS_FILE).camera_lags == {str(tmp_path / "one"): 0.72}
    shell.devices.use_camera(str(tmp_path / "two"))
    assert shell.table_loop.presenter.camera_lag == 0.0
    shell.devices.use_camera(str(tmp_path / "one"))
    assert shell.table_loop.presenter.camera_lag == 0.72


def test_a_camera_is_rehearsed_until_its_lag_is_known_or_somebody_goes_on() -> None:
    kept: list[float] = []
    measured = LagMeasurement()
    assert try_lag(measured, None, 30.0, kept.append, lambda: True)[0] is Result.LEFT_OUT
    for start in (10.0, 20.0, 30.0):
        measured.saw(start, moves=False)
        measured.press(start + 5.0)
        measured.saw(start + 5.6, moves=True)
    result, lines = try_lag(measured, None, 30.0, kept.append)
    assert (result, "0.6 s late" in lines[0]) == (Result.FINE, True)
    assert kept == pytest.approx([0.6])


def test_views_are_taken_until_they_suffice_and_the_lens_is_used(shell: Shell, tmp_path: Path) -> None:
    sheet, folder = drawn_sheet(), tmp_path / "views"
    folder.mkdir()
    for number, (x, y, dx, dy) in enumerate(WAYS):
        picture = view(sheet, (x, y), (dx, dy), number)
        for turn in range(ROUNDS):
            cv2.imwrite(str(folder / f"{turn}-{number:02}.jpg"), picture)
    shell.devices.use_camera(str(folder))
    form = LensForm(shell)
    until_over(form)
    assert any(text.startswith("Measured, to 0.") for text in texts(form))
    assert load_camera(form.lens_file).focal == pytest.approx(CAMERA.focal, rel=0.01)
    assert load_settings(tmp_path / SETTINGS_FILE).lens == str(form.lens_file)
    assert form.picture() is not None
    assert len(form.marks()) >= 8
    form.close()


def test_a_camera_that_is_lost_is_told_and_waited_for(shell: Shell, tmp_path: Path) -> None:
    camera = tmp_path / "camera"
    camera.mkdir()
    shell.devices.use_camera(str(camera))
    form = LensForm(shell)
    deadline = time.monotonic() + HANG
    while not any("holds no picture" in text for text in texts(form)):
        assert time.monotonic() < deadline
        form.tick()
    cv2.imwrite(str(camera / "a.png"), np.full((480, 640, 3), 128, np.uint8))
    while not any("corners of the sheet in view: 0" in text for text in texts(form)):
        assert time.monotonic() < deadline
        form.tick()
    assert not form.lens_file.exists()
    form.close()


def test_the_sheet_is_written_and_no_camera_is_said(shell: Shell) -> None:
    form = LensForm(shell)
    assert "no camera is chosen" in texts(form)
    form.touch("do", "sheet")
    assert (shell.folder / "exports" / "lens-sheet.pdf").read_bytes().startswith(b"%PDF")
    form.close()
