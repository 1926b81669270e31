"""Spots that are read now as one thing, now as another, while nothing moves: doubtful, whatever they show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from companion.board.layout import EMPTY

STEADY = 8.0
"""seconds without a change after which a spot that flickered is believed again"""


@dataclass(frozen=True, slots=True)
class _Reading:
    """The label a spot shows, the one before it, whether it was read once only, and when the spot last flickered."""

    label: str
    before: str | None = None
    is_single: bool = True
    flickered: float | None = None


class FlickerMemory:
    """What each spot showed in the quiet readings since a hand was last over it.

    A spot flickers when another label than the expected one was read once only and then gave way to the expected one
    again: a hand that nobody saw does not lay a piece and take it up again between two readings.
    """

    def __init__(self) -> None:
        self._readings: dict[str, _Reading] = {}

    def observe(self, labels: Mapping[str, str], expected: Mapping[str, str], time: float) -> frozenset[str]:
        """Take in the labels of a quiet reading at `time` (monotonic seconds); gives the spots that flicker.

        `expected` are the labels that the record says.
        """
        for spot, label in labels.items():
            last = self._readings.get(spot)
            if last is None:
                self._readings[spot] = _Reading(label)
            elif last.label == label:
                if last.is_single:
                    self._readings[spot] = replace(last, is_single=False)
            else:
                is_flicker = last.is_single and last.before == label == expected.get(spot, EMPTY)
                since = time if is_flicker or last.flickered is not None else None
                self._readings[spot] = _Reading(label, last.label, flickered=since)
        return frozenset(
            spot
            for spot, reading in self._readings.items()
            if reading.flickered is not None and time - reading.flickered < STEADY
        )

    def forget(self, spots: Iterable[str]) -> None:
        """A hand was there, or a person said what lies there: what these spots showed before no longer counts."""
        for spot in spots:
            self._readings.pop(spot, None)
