"""What the truths of all photographs share: reading them, notes about unreadable ones, and shares."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure, interval
from vision.spots.spot_reader import SpotReading

BOARDS = Path(__file__).resolve().parents[2] / "tests" / "vision" / "boards"


class InvalidTruth(ValueError):
    """A file with the truth of photographs that cannot be used: what, where and why in one line."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")


def read_truth(path: Path) -> dict[str, Any]:
    """A truth of entries by name.

    Raises InvalidTruth.
    """
    try:
        truth = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise InvalidTruth(path, f"cannot be read ({error})") from error
    if not isinstance(truth, dict) or not all(isinstance(entry, dict) for entry in truth.values()):
        raise InvalidTruth(path, "must hold an entry by name for each game or photograph")
    return truth


def misread(reading: SpotReading, labels: Mapping[str, str]) -> tuple[int, int]:
    """How many spots are not read as they are labelled, and how many there are; a covered one counts as wrong."""
    wrong = sum(spot not in reading.posteriors or reading.likeliest(spot)[0] != label for spot, label in labels.items())
    return wrong, len(labels)


def share(name: str, hits: int, count: int, goal: float | None, note: str, *, at_least: bool = True) -> Figure:
    """A share in per cent with its count and its 95 % interval."""
    low, high = interval(hits, count)
    words = f"{hits} of {count}, 95 % from {100 * low:.2f} to {100 * high:.2f} %"
    value = 100 * hits / max(1, count)
    return Figure(name, value, "%", goal, at_least=at_least, count=count, note=f"{words}; {note}" if note else words)


def told(what: str, names: Sequence[str]) -> str:
    """Words about photographs by name, empty where there are none."""
    return f"{what}: {', '.join(names)}" if names else ""


def joined(*notes: str) -> str:
    """Those notes that say something."""
    return "; ".join(note for note in notes if note)


def digest(lines: Sequence[str]) -> str:
    """SHA-256 of a split; it is printed, so that any change of the split shows."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
