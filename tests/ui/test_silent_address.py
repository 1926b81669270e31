"""An address that never answers: the picture that is asked for is refused with the reason and what to check."""

from __future__ import annotations

import socket

import pytest

from ui.services.text import error_text, use_language
from ui.shell import devices
from vision.camera import frames
from vision.camera.frames import Grabber
from vision.errors import SourceUnavailable


def test_a_picture_of_an_address_that_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "FIRST_PICTURE", 0.8)
    monkeypatch.setattr(devices, "Grabber", lambda source: Grabber(source, opening=0.4))
    monkeypatch.setattr(frames.Grabber, "close", lambda grabber: grabber._stop.set())
    with socket.create_server(("127.0.0.1", 0)) as silent:
        place = f"127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(SourceUnavailable) as caught:
            devices.one_picture(f"http://{place}/")
    assert str(caught.value) == f"http://{place}/: nothing came in 0 s; is the camera on, and its address right?"
    use_language("de")
    try:
        assert (
            error_text(caught.value)
            == f"http://{place}/: in 0 s kam nichts; ist die Kamera an, und stimmt ihre Adresse?"
        )
    finally:
        use_language("en")
