"""Learns pieces during play from positions on which record and camera agree, if that does not make reading worse.

The latest positions are held out: what is learnt from the others is used only if it reads these at least as well.
"""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

import numpy as np

from companion.board.layout import EMPTY, Board, Piece
from companion.session.observation import Observation
from vision.location.flat_pose import Projection
from vision.pictures import Image
from vision.spots.kernel_classifier import Floats
from vision.spots.spot_learning import Samples, learn, samples_of, taught_piece
from vision.spots.spot_profile import SpotProfile, TaughtPiece, save_spot_profile
from vision.spots.spot_reader import SpotFollower
from vision.spots.taught_kind import chances_of

log = logging.getLogger(__name__)

_SURE = 0.8
"""Probability of the recorded label from which a spot's sample is used."""
_MOST_ALIKE = 24
"""Most samples kept of one label; the oldest are dropped."""
_EMPTY_SPOTS = 6
"""Empty spots of each kind of piece used from a position."""
_ENOUGH = 6
"""Positions before the first learning, and between later ones."""
_HELD_OUT = 2
"""The latest positions, held out to test what was learnt."""


@dataclass(frozen=True, slots=True)
class _LabelledSpot:
    """A spot's label and description, and the number of the position it comes from."""

    label: str
    position: int
    description: Floats


class FreeLabels:
    """Learns one board's pieces from confirmed positions. `path` is the file for what was learnt, if any.

    `take` and `learnt` are called by the reader's thread; learning has a thread of its own.
    """

    def __init__(self, board: Board, profile: SpotProfile, path: Path | None = None) -> None:
        self._board, self._profile, self._path = board, profile, path
        self._dice = np.random.default_rng(0)
        self._samples: dict[str, list[_LabelledSpot]] = defaultdict(list)
        self._taken: dict[str, str] = {}
        self._positions = self._tried = 0
        self._thread: threading.Thread | None = None
        self._learnt: SpotProfile | None = None

    def take(
        self, follower: SpotFollower, image: Image, pose: Projection, seen: Observation, look: Mapping[str, str]
    ) -> bool:
        """Use a quiet picture, as it was read (`seen`), of which the record says what lies there (`look`); False where
        they differ.
        """
        labels = {spot: look.get(spot, EMPTY) for spot in seen.posteriors if spot in self._board.spots}
        if any(seen.likeliest(spot)[0] != label for spot, label in labels.items()):
            return False
        sure = {spot: label for spot, label in labels.items() if seen.posteriors[spot][label] >= _SURE}
        fresh = [spot for spot, label in sure.items() if label and self._taken.get(spot) != label]
        if not fresh:
            return True
        self._taken = sure
        chosen = [*fresh, *self._some_empty(sure)]
        for spot, description in follower.described(image, pose, chosen).items():
            kept = self._samples[self._board.spots[spot].piece]
            kept.append(_LabelledSpot(sure[spot], self._positions, description))
            alike = [sample for sample in kept if sample.label == sure[spot]]
            if len(alike) > _MOST_ALIKE:
                kept.remove(alike[0])
        self._positions += 1
        if self._positions - self._tried >= _ENOUGH and (self._thread is None or not self._thread.is_alive()):
            self._tried = self._positions
            copied = {name: tuple(kept) for name, kept in self._samples.items()}
            self._thread = threading.Thread(
                target=self._learn, args=(copied, self._positions - _HELD_OUT), name="free labels", daemon=True
            )
            self._thread.start()
        return True

    def learnt(self) -> SpotProfile | None:
        """A better profile, once, when there is one; else None."""
        profile, self._learnt = self._learnt, None
        return profile

    def finish(self) -> None:
        """Wait until learning ends."""
        if self._thread is not None:
            self._thread.join()

    def _some_empty(self, sure: Mapping[str, str]) -> list[str]:
        chosen: list[str] = []
        for piece in self._profile.pieces:
            empty = [spot for spot, label in sure.items() if not label and self._board.spots[spot].piece == piece]
            count = min(_EMPTY_SPOTS, len(empty))
            chosen += [empty[k] for k in self._dice.choice(len(empty), count, replace=False)] if count else []
        return chosen

    def _learn(self, samples: Mapping[str, tuple[_LabelledSpot, ...]], held_out_from: int) -> None:
        pieces = dict(self._profile.pieces)
        for name, taught in self._profile.pieces.items():
            old = [sample for sample in samples.get(name, ()) if sample.position < held_out_from]
            latest = [sample for sample in samples.get(name, ()) if sample.position >= held_out_from]
            if old and latest:
                pieces[name] = improved(self._board.pieces[name], taught, _together(old), _together(latest))
        if all(pieces[name] is taught for name, taught in self._profile.pieces.items()):
            return
        self._profile = replace(self._profile, pieces=MappingProxyType(pieces))
        self._learnt = self._profile
        if self._path is not None:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                save_spot_profile(self._profile, self._path)
            except OSError as error:
                log.warning("what was learnt cannot be kept: %s", error)


def improved(piece: Piece, taught: TaughtPiece, fresh: Samples, held_out: Samples) -> TaughtPiece:
    """The piece taught from old and fresh samples together, if that reads the held-out samples at least as well; else
    `taught`.
    """
    learnt, _ = learn(piece, samples_of(taught).with_others(fresh), taught.levels[0].blur)
    tried = taught_piece(learnt, taught.levels[1:], taught.light)
    wrong, loss = _judged(piece, taught, held_out)
    wrong_now, loss_now = _judged(piece, tried, held_out)
    return tried if wrong_now <= wrong and loss_now <= loss else taught


def _judged(piece: Piece, taught: TaughtPiece, samples: Samples) -> tuple[int, float]:
    """The number of misread samples and the mean log loss."""
    labels, table, _ = chances_of(piece, taught.classifier, samples.descriptions)
    truth = np.array([labels.index(label) for label in samples.labels])
    wrong = int((table.argmax(axis=1) != truth).sum())
    return wrong, -float(np.log(table[np.arange(len(truth)), truth]).mean())


def _together(samples: list[_LabelledSpot]) -> Samples:
    return Samples(
        np.stack([sample.description for sample in samples]),
        tuple(sample.label for sample in samples),
        np.array([sample.position for sample in samples], np.intp),
    )
