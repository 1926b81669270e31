"""Compares all possible stacks of one place: first at low resolution, then the likely ones at full resolution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from vision.printed.pieces.likelihood import CORRELATION
from vision.printed.pieces.solids import Part
from vision.printed.stacks.colours import StackEvidence
from vision.printed.stacks.forms import REACH, STRIDE, TURNS, ShownParts, StackForms, StackKind, StackPlace
from vision.printed.stacks.roof_light import largest, ridged
from vision.printed.stacks.scenes import MODEL, Fit

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.intp]

_ASTRAY = 1.2
"""Standard deviation (mm) of a stack's position from the middle of its place."""
_CLOSE = 40.0
"""Nats behind the best up to which hypotheses and looks are compared at full resolution."""
_MOST_CLOSE = 5
"""Largest number of hypotheses compared at full resolution."""
_WORTH = MODEL / CORRELATION
"""Nats per unit of log density and square millimetre."""
_SLOPES, _SLOPING = 0.0, 60.0
_ROUND, _ROUNDING = -0.6, 60.0
"""Factors of e above and below which the light on a roof speaks for slopes or for a dome, and nats for each beyond. In
eight path-traced pictures none of 63 domes lay above 0, and one of 62 gables below -0.32: at -0.47, between a window
and a lamp.
"""
_MOST_LIT = 25.0
"""Most nats by which light speaks against a form."""
_AROUND = 5
"""Side (pixels) of the square by which a roof is widened where its colours are looked for: it may stand aside."""
_ROUGH_MOVES = np.array(list(product(range(1 - REACH, REACH, STRIDE), repeat=2)))
"""Shifts (rows, columns) tried at low resolution."""
_FINE_MOVES = tuple(product((-1, 0, 1), repeat=2))
"""Shifts tried around the best of these."""


@dataclass(frozen=True, slots=True)
class _Table:
    """The best score (hypotheses, looks) of each, and the shift (hypotheses, looks, 2) that gives it."""

    scores: Doubles
    shifts: Integers


class StackFitter:
    """Fits stacks of one kind, with one of `looks` on top; the first look is nothing."""

    def __init__(self, kind: StackKind, looks: Sequence[tuple[str, str]]) -> None:
        riders = [name for name, _ in looks]
        self._possible = np.array([[name == each.rider for name in riders] for each in kind.hypotheses])
        self._looks = tuple(looks)
        self._tops = {rider.top: rider.name for rider in kind.riders if rider.top in ("dome", "ridge")}
        self._counts = len(kind.piece.labels)
        self._unturned = np.arange(0, len(kind.hypotheses), len(TURNS))

    def fit(
        self, forms: StackForms, k: int, evidence: StackEvidence, behind: Floats, in_view: Flags, closely: bool = True
    ) -> Fit:
        """The stack that explains a place best; its shift is only rough unless `closely`.

        `behind` and `in_view` (rows, columns) cover the place's patch and `REACH` around it: log densities without this
        stack, and whether the nearer stacks leave the pixel in view.
        """
        looks = self._possible.shape[1]
        table = _Table(np.full(self._possible.shape, -np.inf), np.zeros((*self._possible.shape, 2), np.intp))
        place = forms.places[k]
        rough = tuple(slice(side.start + 1, side.stop, STRIDE) for side in place.around)
        gains = np.concatenate([evidence.body[:, *rough], evidence.roofs[:, *rough]])
        gains -= behind[1::STRIDE, 1::STRIDE]
        gains *= in_view[1::STRIDE, 1::STRIDE]
        parts = forms.rough(k)
        rows, columns = parts.size
        at = (_ROUGH_MOVES + REACH - 1) // STRIDE
        seen = np.stack([gains[:, row : row + rows, column : column + columns] for row, column in at], axis=1)
        self._compare(_WORTH * STRIDE**2, place, seen, parts, self._unturned, np.arange(looks), _ROUGH_MOVES, table)
        if closely:
            self._look_closely(forms, k, evidence, behind, in_view, table)
        best = int(table.scores.argmax())
        h, look = divmod(best, looks)
        shift = int(table.shifts[h, look, 0]), int(table.shifts[h, look, 1])
        return Fit(table.scores.reshape(self._counts, -1, looks).max(axis=1), h, look, shift)

    def _look_closely(
        self, forms: StackForms, k: int, evidence: StackEvidence, behind: Floats, in_view: Flags, table: _Table
    ) -> None:
        """Compare the likeliest hypotheses and looks at full resolution, also turned, around their best shifts."""
        scores, place = table.scores, forms.places[k]
        best = scores[self._unturned].max(axis=1)
        first = np.argsort(-best, kind="stable")[:_MOST_CLOSE]
        likely = self._unturned[first[best[first] > best.max() - _CLOSE]]
        looks = np.flatnonzero(scores[likely].max(axis=0) > best.max() - _CLOSE)
        fitting = {tuple(table.shifts[h, scores[h].argmax()].tolist()) for h in likely}
        fine = {(row + down, column + right) for row, column in fitting for down, right in _FINE_MOVES}
        moves = np.array(sorted(move for move in fine if max(map(abs, move)) <= REACH))
        close = (likely[:, None] + np.arange(len(TURNS))).ravel()
        parts, (top, left) = forms.close(k, close.tolist())
        rows, columns = parts.size
        roofs = looks[looks > 0] - 1
        around = place.around
        gains = np.concatenate([evidence.body[:, *around], evidence.roofs[:, *around][roofs]])
        own = np.s_[top : top + rows + 2 * REACH, left : left + columns + 2 * REACH]
        gains = (gains[:, *own] - behind[own]) * in_view[own]
        seen = np.stack(
            [gains[:, row : row + rows, column : column + columns] for row, column in moves + REACH], axis=1
        )
        scores[close] = -np.inf
        self._compare(_WORTH, place, seen, parts, close, np.concatenate([[0], roofs + 1]), moves, table)
        self._compare_light(forms, k, evidence, in_view, table)

    def _compare_light(self, forms: StackForms, k: int, evidence: StackEvidence, in_view: Flags, table: _Table) -> None:
        """Where the likeliest rider has a form that the light on it speaks against, lower the scores of that form."""
        scores, place = table.scores, forms.places[k]
        h, look = divmod(int(scores.argmax()), scores.shape[1])
        label = self._looks[look][1]
        if len(self._tops) < 2 or not look or not all((name, label) in self._looks for name in self._tops.values()):
            return
        shift = int(table.shifts[h, look, 0]), int(table.shifts[h, look, 1])
        rows, columns = place.size
        seen = in_view[REACH + shift[0] :, REACH + shift[1] :][:rows, :columns]
        other = np.maximum(evidence.body.max(axis=0), evidence.sheet)
        roofs = [
            place.patch(evidence.roofs[at - 1], shift) for at, each in enumerate(self._looks) if at and each[1] == label
        ]
        coloured = np.max(roofs, axis=0) > place.patch(other, shift)
        near = cv2.dilate((forms.parts(k, h) == Part.ROOF).astype(np.uint8), np.ones((_AROUND, _AROUND), np.uint8)) > 0
        roof = largest(coloured & near & seen)
        told = ridged(place.patch(evidence.lightness, shift), roof, forms.ridges(k))
        against = {"dome": _SLOPING * (told - _SLOPES), "ridge": _ROUNDING * (_ROUND - told)}
        for top, nats in against.items():
            scores[:, self._looks.index((self._tops[top], label))] -= min(max(nats, 0.0), _MOST_LIT)

    def _compare(
        self, worth: float, place: StackPlace, seen: Floats, parts: ShownParts, chosen: Integers, looks: Integers,
        moves: Integers, table: _Table,
    ) -> None:  # fmt: skip
        """Set the scores of some hypotheses and looks to their best over some shifts.

        `seen` (2 + roofs, moves, rows, columns) are the gains of each sample as wall, deck or roof.
        """
        seen = seen.reshape(len(seen), len(moves), -1)
        body = parts.walls @ seen[0].T + parts.decks @ seen[1].T
        tops = parts.roofs @ seen[2:].reshape(-1, seen.shape[2]).T
        tops = tops.reshape(len(chosen), -1, len(moves))
        found = np.concatenate([body[:, None], body[:, None] + tops], axis=1)
        away = np.linalg.norm(moves @ place.steps, axis=1)
        found = found * (worth * place.area) - 0.5 * (away / _ASTRAY) ** 2
        best = found.argmax(axis=2)
        at = np.ix_(chosen, looks)
        scores = np.take_along_axis(found, best[..., None], axis=2)[..., 0]
        table.scores[at] = np.where(self._possible[at], scores, -np.inf)
        table.shifts[at] = moves[best]
