"""Makes the app's sounds anew: `python -m scripts.sounds` writes ui/sounds/*.wav (16 bits, one channel, 22,050 Hz).

Each is at most 40 kB and a quarter as loud as it could be (-12 dB).
"""

from __future__ import annotations

import sys
import wave
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.float64]

RATE = 22_050
"""samples a second"""
PEAK = 10 ** (-12 / 20)
"""of the loudest that can be written: -12 dB"""
FOLDER = Path(__file__).parents[1] / "ui" / "sounds"
_TUNE = ((392.0, 0.0), (523.25, 0.3), (493.88, 0.55), (587.33, 0.85))
"""hertz and second at which each note of the end begins"""


def stone() -> Samples:
    """A low knock of 70 ms."""
    at = _time(0.07)
    return np.sin(2 * np.pi * 190 * at * (1 - 2 * at)) * np.exp(-at / 0.014) + 0.25 * _noise(at, 1) * np.exp(
        -at / 0.004
    )


def card() -> Samples:
    """Soft noise of 120 ms that comes and goes."""
    at = _time(0.12)
    return _softened(_noise(at, 2), 6) * np.sin(np.pi * at / 0.12) ** 2


def coin() -> Samples:
    """A bright ring of 90 ms."""
    at = _time(0.09)
    return (np.sin(2 * np.pi * 2_350 * at) + 0.6 * np.sin(2 * np.pi * 3_710 * at)) * np.exp(-at / 0.022) * _begin(at)


def turn() -> Samples:
    """A tick of 60 ms."""
    at = _time(0.06)
    return np.sin(2 * np.pi * 1_050 * at) * np.exp(-at / 0.009) * _begin(at)


def refused() -> Samples:
    """A dull double knock of 160 ms."""
    knock = stone()
    result = np.zeros(len(_time(0.16)))
    for start, share in ((0.0, 1.0), (0.085, 0.9)):
        first = round(start * RATE)
        result[first : first + len(knock)] += share * _softened(knock, 9)[: len(result) - first]
    return result


def ask() -> Samples:
    """One rising note of 200 ms."""
    at = _time(0.2)
    return np.sin(2 * np.pi * (440 * at + 0.5 * 700 * at**2)) * np.sin(np.pi * at / 0.2) ** 2


def again() -> Samples:
    """The stone backwards."""
    return stone()[::-1]


def end() -> Samples:
    """Four plucked notes in 0.9 s that ring out."""
    result = np.zeros(len(_time(0.9)))
    for hertz, start in _TUNE:
        at = _time(0.9 - start)
        note = (
            sum(np.sin(2 * np.pi * hertz * part * at) / part**1.5 for part in (1, 2, 3))
            * np.exp(-at / 0.3)
            * _begin(at)
        )
        result[len(result) - len(note) :] += note
    return result * np.minimum(1.0, (len(result) - np.arange(len(result))) / (0.05 * RATE))


SOUNDS: dict[str, Callable[[], Samples]] = {
    each.__name__: each for each in (stone, card, coin, turn, refused, ask, again, end)
}


def written(samples: Samples, path: Path) -> None:
    """Write a sound, as loud as all are."""
    levels = (samples / np.abs(samples).max() * PEAK * 32_767).round().astype("<i2")
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(RATE)
        sound.writeframes(levels.tobytes())


def _time(seconds: float) -> Samples:
    return np.arange(round(seconds * RATE)) / RATE


def _noise(at: Samples, seed: int) -> Samples:
    return np.random.default_rng(seed).uniform(-1, 1, len(at))


def _softened(samples: Samples, width: int) -> Samples:
    return np.convolve(samples, np.ones(width) / width, mode="same")


def _begin(at: Samples) -> Samples:
    """No click at the start: the first 2 ms come in."""
    return np.minimum(1.0, at / 0.002)


def main() -> int:
    """Write all sounds."""
    FOLDER.mkdir(exist_ok=True)
    for name, sound in SOUNDS.items():
        written(sound(), FOLDER / f"{name}.wav")
        print(f"{FOLDER / name}.wav")
    return 0


if __name__ == "__main__":
    sys.exit(main())
