"""`companion calibrate` before a camera that goes away."""

from pathlib import Path

import numpy as np
import pytest

from ui.command_line import main
from ui.commands import calibrating
from vision.camera import sources
from vision.errors import SourceLost, SourceUnavailable
from vision.pictures import Image


class OnePicture:
    """A camera that is unplugged after its first picture."""

    name, live, patience = "camera 0", True, 1.0

    def __init__(self) -> None:
        self._given = False

    def open(self) -> None:
        if self._given:
            raise SourceUnavailable(self.name, "cannot be opened")

    def read(self) -> Image:
        if self._given:
            raise SourceLost(self.name, "gave no picture")
        self._given = True
        return np.full((480, 640, 3), 90, np.uint8)

    def close(self) -> None:
        """Nothing to release."""


def test_a_camera_that_does_not_come_back_is_a_device_that_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sources, "open_source", lambda _address: OnePicture())
    monkeypatch.setattr(calibrating, "_LONGEST", 2.0)
    monkeypatch.setattr(calibrating, "_PATIENCE", 0.5)
    out = tmp_path / "lens.toml"
    out.write_text("as before")
    assert main(["calibrate", "0", "--out", str(out)]) == 3
    told = capsys.readouterr()
    assert told.out.count("it is waited for") == 1
    assert told.err == "companion: camera 0: cannot be opened\n"
    assert out.read_text() == "as before"
