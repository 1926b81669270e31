"""Draws attention to a refusal: a low tone, or a flash along the window's edge where nothing can be heard."""

from __future__ import annotations

import math
import struct
import tempfile
import wave
from functools import cache
from pathlib import Path
from typing import Any

from kivy.animation import Animation
from kivy.graphics import Color, Rectangle
from kivy.properties import NumericProperty
from kivy.uix.widget import Widget

from ui.drawing import theme
from ui.widgets.scale import scale

RATE = 22050
"""samples a second"""
NOTES = ((392.0, 0.12), (294.0, 0.2))
"""hertz and seconds, one after the other"""
LOUDNESS = 0.35
EDGE = 12
"""design pixels that the flash is wide"""
FADES_IN = 0.9
"""seconds; one flash only, which is safe for eyes that flicker troubles"""


class Flash(Widget):
    """A coloured edge that fades."""

    strength = NumericProperty(0.0)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        with self.canvas:
            self._colour = Color(*theme.NO, 0)
            self._sides = [Rectangle() for _side in range(4)]
        self.bind(pos=self._lay_out, size=self._lay_out, strength=self._fade)

    def begin(self) -> None:
        """Flash once."""
        Animation.cancel_all(self, "strength")
        self.strength = 1.0
        Animation(strength=0.0, duration=FADES_IN, transition="in_quad").start(self)

    def on_touch_down(self, touch: Any) -> bool:
        """What lies below is touched."""
        return False

    def _fade(self, *_: Any) -> None:
        self._colour.a = self.strength

    def _lay_out(self, *_: Any) -> None:
        edge, (x, y), (width, height) = scale.unit * EDGE, self.pos, self.size
        for side, (left, low, wide, high) in zip(
            self._sides,
            (
                (x, y, width, edge),
                (x, y + height - edge, width, edge),
                (x, y, edge, height),
                (x + width - edge, y, edge, height),
            ),
            strict=True,
        ):
            side.pos, side.size = (left, low), (wide, high)


def sound_refusal() -> bool:
    """Play the tone; False where there is nothing to hear it with."""
    sound = _tone()
    if sound is None:
        return False
    sound.stop()
    sound.play()
    return bool(sound.state == "play")


@cache
def _tone() -> Any:
    from kivy.core.audio import SoundLoader  # noqa: PLC0415  # opening the sound device takes time

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "refused.wav"
        write_tone(path)
        return SoundLoader.load(str(path))


def write_tone(path: Path) -> None:
    """The tone as a sound file: 16 bits, one channel."""
    samples: list[int] = []
    for hertz, seconds in NOTES:
        count = round(RATE * seconds)
        samples += [
            round(32767 * LOUDNESS * math.sin(2 * math.pi * hertz * n / RATE) * math.sin(math.pi * n / count))
            for n in range(count)
        ]
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(RATE)
        sound.writeframes(struct.pack(f"<{len(samples)}h", *samples))
