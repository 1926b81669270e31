"""A camera is remembered by what it is; another one in its place is asked about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.session.store import Store
from ui.forms.camera_form import CameraForm
from ui.hardware import likely_cameras
from ui.hardware.likely_cameras import MOST_LAGS, identity_of, kept_lag, stable_address, with_lag
from ui.services.settings import SETTINGS_FILE, Settings, load_settings
from ui.services.speech import Speaker
from ui.shell import devices
from ui.shell.shell import Shell
from ui.view_models.form_view import Note
from vision.errors import SourceUnavailable


class Machine:
    """A folder that looks like /sys/class/video4linux and /dev/v4l of a machine."""

    def __init__(self, folder: Path) -> None:
        self.devices, self.links, self._nodes = folder / "sys", folder / "v4l", folder / "dev"
        for each in (self.devices, self.links / "by-id", self.links / "by-path", self._nodes):
            each.mkdir(parents=True)

    def plug(self, number: int, name: str, *, serial: str = "", place: str = "1-2", by_id: str = "") -> None:
        usb = self.devices.parent / "usb" / place
        interface = usb / f"{place}:1.0"
        interface.mkdir(parents=True, exist_ok=True)
        (usb / "idVendor").write_text("046d\n")
        (usb / "idProduct").write_text("0825\n")
        if serial:
            (usb / "serial").write_text(f"{serial}\n")
        folder = self.devices / f"video{number}"
        folder.mkdir()
        (folder / "index").write_text("0\n")
        (folder / "name").write_text(f"{name}: {name}\n")
        (folder / "device").symlink_to(interface)
        node = self._nodes / f"video{number}"
        node.touch()
        (self.links / "by-path" / f"pci-usb-{place}-video-index0").symlink_to(node)
        if by_id:
            (self.links / "by-id" / by_id).symlink_to(node)

    def unplug_all(self) -> None:
        for folder in self.devices.iterdir():
            for file in folder.iterdir():
                file.unlink()
            folder.rmdir()
        for link in self.links.glob("*/*"):
            link.unlink()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine(tmp_path / "machine")
    monkeypatch.setattr(devices, "stable_address", lambda address: stable_address(address, machine.links))
    monkeypatch.setattr(devices, "identity_of", lambda address: identity_of(address, machine.devices))
    return machine


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    with Store(tmp_path / "games.sqlite3") as store:
        yield Shell(store, tmp_path, speaker=Speaker(None))


def test_cameras_are_listed_by_addresses_that_stay(machine: Machine) -> None:
    machine.plug(0, "Webcam", by_id="usb-Maker_Webcam_77-video-index0")
    machine.plug(2, "Other", place="1-4")
    found = likely_cameras.likely_cameras(machine.devices, machine.links)
    assert [(Path(address).name, name) for address, name in found] == [
        ("usb-Maker_Webcam_77-video-index0", "Webcam"), ("pci-usb-1-4-video-index0", "Other"),
    ]  # fmt: skip
    assert stable_address("7", machine.links) == "7"
    assert stable_address("http://phone/video", machine.links) == "http://phone/video"


def test_a_camera_is_known_by_serial_number_or_else_by_its_place(machine: Machine) -> None:
    machine.plug(0, "Webcam", serial="77")
    machine.plug(1, "Webcam", place="1-4")
    assert identity_of("0", machine.devices) == "Webcam 046d:0825 serial 77"
    assert identity_of("/dev/video1", machine.devices) == "Webcam 046d:0825 at 1-4"
    linked = str(machine.links / "by-path" / "pci-usb-1-4-video-index0")
    assert identity_of(linked, machine.devices) == identity_of("1", machine.devices)
    assert identity_of("http://phone/video", machine.devices) == identity_of("5", machine.devices) == ""


def test_a_camera_that_comes_back_under_another_number_is_the_same(machine: Machine, shell: Shell) -> None:
    machine.plug(0, "Webcam", serial="77", by_id="usb-Webcam_77-video-index0")
    shell.devices.use_camera("0")
    assert Path(shell.settings.camera).name == "usb-Webcam_77-video-index0"
    machine.unplug_all()
    machine.plug(3, "Webcam", serial="77", place="1-6", by_id="usb-Webcam_77-video-index0")
    board = CameraForm(shell, lambda _board: None, lambda: None)
    assert not [row for row in board.rows() if isinstance(row, Note) and " was; " in row.text]
    board.close()


def test_another_camera_in_its_place_is_asked_about(machine: Machine, shell: Shell, tmp_path: Path) -> None:
    machine.plug(0, "Webcam", place="1-2")
    shell.devices.use_camera("0")
    address = shell.settings.camera
    machine.unplug_all()
    machine.plug(0, "Doorbell", place="1-2")
    form = CameraForm(shell, lambda _board: None, lambda: None)
    notes = [row.text for row in form.rows() if isinstance(row, Note)]
    assert any(
        "Doorbell 046d:0825 at 1-2: is where Webcam 046d:0825 at 1-2 was; choose it on the camera screen" in note
        for note in notes
    ), notes
    with pytest.raises(SourceUnavailable, match="Doorbell"):
        shell.devices.photograph()
    form.touch("camera", f"={address}")
    assert load_settings(tmp_path / SETTINGS_FILE).camera_identity.startswith("Doorbell")
    assert not [row for row in form.rows() if isinstance(row, Note) and " was; " in row.text]
    form.close()


def test_a_lag_belongs_to_the_camera_it_was_measured_of() -> None:
    settings = with_lag(Settings(camera="rtsp://hall/live"), "rtsp://kitchen/live", 0.7)
    assert kept_lag(settings, "rtsp://kitchen/live") == 0.7
    assert kept_lag(settings, "rtsp://hall/live") == 0.0
    settings = with_lag(with_lag(settings, "rtsp://hall/live", 0.1), "rtsp://kitchen/live", 0.4)
    assert settings.camera_lags == {"rtsp://hall/live": 0.1, "rtsp://kitchen/live": 0.4}


def test_the_lags_of_the_latest_cameras_are_kept() -> None:
    settings = Settings()
    for number in range(MOST_LAGS + 5):
        settings = with_lag(settings, f"rtsp://{number}/live", 0.5)
    assert list(settings.camera_lags) == [f"rtsp://{number}/live" for number in range(5, MOST_LAGS + 5)]
