"""What counts as something to be heard with."""

from __future__ import annotations

from pathlib import Path

import pytest

from ui.services import sound_device
from ui.services.sound_device import has_sound_device


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A Linux machine without sound; gives the file that lists its cards."""
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("SDL_AUDIODRIVER", "PULSE_SERVER", "PIPEWIRE_REMOTE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr(sound_device, "CARDS", tmp_path / "cards")
    return tmp_path / "cards"


def test_a_machine_without_sound_is_not_asked_to_play(bare: Path) -> None:
    assert not has_sound_device()
    bare.write_text("--- no soundcards ---\n")
    assert not has_sound_device()


def test_a_card_a_server_or_a_named_driver_may_be_heard(
    bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare.write_text(" 0 [PCH            ]: HDA-Intel - HDA Intel PCH\n")
    assert has_sound_device()
    bare.unlink()
    (tmp_path / "pipewire-0").touch()
    assert has_sound_device()
    (tmp_path / "pipewire-0").unlink()
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    assert has_sound_device()


def test_other_systems_are_taken_to_have_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    assert has_sound_device()
