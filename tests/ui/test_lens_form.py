"""A lens is measured on the screen, from a sheet held before the camera."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.session.store import Store
from tests.calibration.lens_views import CAMERA, WAYS, drawn_sheet, view
from ui.forms.lens_form import LensForm
from ui.services.settings import SETTINGS_FILE, Settings, load_settings, save_settings
from ui.services.speech import Speaker
from ui.shell.shell import Shell
from ui.view_models.form_view import Note, Picks
from vision.location.camera_file import load_camera

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


def texts(form: LensForm) -> list[str]:
    return [row.text for row in form.rows() if isinstance(row, Note)]


def offered(form: LensForm) -> set[str]:
    return {each.key for row in form.rows() if isinstance(row, Picks) for each in row.picks}


def until_over(form: LensForm) -> None:
    deadline = time.monotonic() + HANG
    while "again" not in offered(form):
        assert time.monotonic() < deadline, texts(form)
        form.tick()
        time.sleep(0.005)


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
    while not any("shows 0 corners" in text for text in texts(form)):
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
