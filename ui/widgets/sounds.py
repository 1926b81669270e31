"""Plays the app's sounds (`ui/sounds/`, made by `scripts/sounds.py`)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial
from pathlib import Path
from typing import Any

from kivy.clock import Clock

from ui.services.sound_device import has_sound_device
from ui.table.cues import Cue

FOLDER = Path(__file__).parents[1] / "sounds"
APART = 0.12
"""seconds from one sound to the next"""


def play(cue: Cue) -> bool:
    """Play a sound from its start; False where there is nothing to hear it with."""
    sound = _loaded(cue)
    if sound is None:
        return False
    sound.stop()
    sound.play()
    return bool(sound.state == "play")


def play_all(cues: Iterable[Cue]) -> bool:
    """Play sounds one after the other; False where there is nothing to hear the first one with."""
    is_heard = False
    for place, cue in enumerate(cues):
        if place:
            Clock.schedule_once(partial(_play, cue), place * APART)
        else:
            is_heard = play(cue)
    return is_heard


def _play(cue: Cue, _elapsed: float) -> None:
    play(cue)


@cache
def _loaded(cue: Cue) -> Any:
    """A sound ready to be played; None without a sound device, which is looked for once."""
    if not has_sound_device():  # the libraries would say so in a dozen lines
        return None
    from kivy.core.audio import SoundLoader  # noqa: PLC0415  # opening the sound device takes time

    if cue is not Cue.STONE and _loaded(Cue.STONE) is None:
        return None
    return SoundLoader.load(str(FOLDER / f"{cue}.wav"))
