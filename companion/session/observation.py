"""What a camera reports: for every spot of a board a distribution over what may lie there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from companion.board.layout import Board

MOMENT = 0.4
"""seconds of quiet after which another quiet observation counts as a separate moment"""


class CameraStatus(StrEnum):
    """What a camera is doing, always shown by name. A reader alone never gets to PROPOSED and OUT_OF_STEP."""

    WATCHING = "watching"
    HAND = "hand"
    SETTLING = "settling"
    PROPOSED = "proposed"
    OUT_OF_STEP = "out of step"
    PAUSED = "paused"


@dataclass(frozen=True)
class Observation:
    """One reading of a board.

    `posteriors` maps a spot's name to label -> probability (summing to 1; the label "" means empty). Spots in `covered`
    are hidden (a hand, glare, out of view) and carry no posterior. `time` is monotonic seconds of the frame's grab;
    `quiet` says that nothing moved before the camera when it was taken.
    """

    board: str
    frame: int
    time: float
    posteriors: Mapping[str, Mapping[str, float]]
    covered: frozenset[str] = frozenset()
    quiet: bool = True

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """The likeliest label of each spot that was read."""
        return {spot: max(each, key=each.__getitem__) for spot, each in self.posteriors.items() if each}

    def likeliest(self, spot: str) -> tuple[str, float]:
        """The likeliest label of a spot and its probability; ("", 0.0) where the spot is covered or not read."""
        label = self.labels.get(spot)
        return ("", 0.0) if label is None else (label, self.posteriors[spot][label])


def unread_spots(board: Board, observation: Observation) -> frozenset[str]:
    """The spots that an observation has not read, on those sheets of the board on which it has read others."""
    read = observation.posteriors.keys()
    sheets = (sheet for sheet in board.sheets if not read.isdisjoint(sheet.spots))
    return frozenset(spot for sheet in sheets for spot in sheet.spots.keys() - read)
