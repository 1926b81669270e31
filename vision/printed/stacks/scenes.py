"""What a picture shows with given stacks in some places, some hiding others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.printed.pieces.likelihood import CORRELATION
from vision.printed.pieces.solids import Part
from vision.printed.stacks.colours import StackEvidence
from vision.printed.stacks.forms import REACH, StackForms, StackPlace

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int16]
Shift = tuple[int, int]
Window = tuple[slice, slice]

MODEL = 0.35
"""Weight of a nat of evidence: neighbouring pixels err together, and modelled shapes are approximate."""
PRIOR = -2.0
"""Prior log odds of a stack."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well each count (rows) with each look on top (columns, the first for none) explains a place, in nats.

    Also the best of them: its hypothesis, look and shift (pixels). `walls` is the contrast of its walls (nats per
    pixel; None: not measured), `trust` the trust in the reading.
    """

    scores: Doubles
    hypothesis: int
    look: int
    shift: Shift
    walls: float | None = None
    trust: float = 1.0

    def stands(self, tile: float) -> bool:
        """Whether a stack explains the place better than the bare sheet and than a tile, whose gain is `tile`."""
        return bool(self.scores.max() + PRIOR > max(0.0, tile))


class StackScene:
    """The order and overlap of the places under one pose. Stacks are identified by the index of their place."""

    def __init__(self, forms: StackForms) -> None:
        self.forms = forms
        away = np.array([place.distance for place in forms.places])
        self.order = [int(k) for k in np.argsort(-away, kind="stable")]
        """indices of all places, the farthest from the camera first"""
        self.rank = {k: n for n, k in enumerate(self.order)}
        self.overlapping = _overlapping(forms.places, self.order)
        """for each place the places with overlapping patches, the farthest first"""
        self._densities: dict[int, tuple[Fit, StackEvidence, Flags, Floats]] = {}
        ends = np.zeros((len(away), 1), bool), np.ones((len(away), 1), bool)
        self._nearer = np.concatenate([ends[0], away[None] < away[:, None], ends[1]], axis=1)
        self._hidden_number = np.int16(len(away) + 1)
        self._hidden: Flags | None = None

    @property
    def hidden(self) -> Flags | None:
        """Where (rows, columns) glare or a foreign object hides everything; None where nothing does."""
        return self._hidden

    def hide(self, hidden: Flags | None) -> None:
        """Treat these pixels as hidden by something in front of all stacks."""
        self._hidden = hidden

    def near(self, pixels: Flags, places: Iterable[int]) -> set[int]:
        """The places around which some of these pixels (rows, columns) lie, and all places whose patches overlap
        theirs.
        """
        near = {k for k in places if pixels[self.forms.places[k].around].any()}
        return near.union(*(self.overlapping[k] for k in near))

    def shown(self, standing: Mapping[int, Fit]) -> tuple[Numbers, Flags]:
        """The stack that each pixel shows, as 1 + the index of its place or 0, and which pixels show walls.

        Hidden pixels have a number above all places'.
        """
        numbers, walls = np.zeros(self.forms.shape, np.int16), np.zeros(self.forms.shape, bool)
        for k in sorted(standing, key=self.rank.__getitem__):
            place, fit = self.forms.places[k], standing[k]
            parts = self.forms.parts(k, fit.hypothesis)
            own = parts > 0
            np.copyto(place.patch(numbers, fit.shift), np.int16(k + 1), where=own)
            np.copyto(place.patch(walls, fit.shift), parts == Part.WALL, where=own)
        if self._hidden is not None:
            numbers[self._hidden] = self._hidden_number
            walls &= ~self._hidden
        return numbers, walls

    def drawn(self, standing: Mapping[int, Fit], evidence: StackEvidence) -> tuple[Numbers, Floats]:
        """The stack that each pixel shows, as in `shown`, and the log density of the picture with these stacks."""
        whole = slice(0, self.forms.shape[0]), slice(0, self.forms.shape[1])
        best, numbers = self._composed(whole, sorted(standing, key=self.rank.__getitem__), standing, evidence)
        return numbers, best

    def behind(self, k: int, standing: Mapping[int, Fit], evidence: StackEvidence) -> tuple[Floats, Numbers]:
        """The log density of the pixels around a place with the other stacks, and which of them each pixel shows.

        Both (rows, columns) of the place's patch and `REACH` around it.
        """
        others = [j for j in self.overlapping[k] if j in standing]
        return self._composed(self.forms.places[k].around, others, standing, evidence)

    def in_view(self, k: int, numbers: Numbers) -> Flags:
        """Which pixels, showing stacks with these numbers, leave a place's stack in view."""
        return np.asarray(~self._nearer[k][numbers], bool)

    def seen(self, k: int, fit: Fit | None, numbers: Numbers) -> float:
        """The visible share of the stack in a place; without a stack, that of the place or of the lowest possible
        stack, whichever is larger.
        """
        place = self.forms.places[k]
        if fit is None:
            foot = numbers.ravel()[place.foot]
            if foot.size and not foot.any():
                return 1.0
            bodies = [foot, place.patch(numbers)[self.forms.parts(k, 0) > 0]]
        else:
            bodies = [place.patch(numbers, fit.shift)[self.forms.parts(k, fit.hypothesis) > 0]]
        return max(float(((there == 0) | (there == k + 1)).mean()) if there.size else 0.0 for there in bodies)

    def lost(self, k: int, fit: Fit | None) -> float:
        """The share of a place, or of its stack (else the lowest possible), whichever is larger, that glare or a
        foreign object hides.
        """
        place = self.forms.places[k]
        if self._hidden is None or not place.foot.size or not self._hidden[place.around].any():
            return 0.0
        shift, hypothesis = ((0, 0), 0) if fit is None else (fit.shift, fit.hypothesis)
        body = place.patch(self._hidden, shift)[self.forms.parts(k, hypothesis) > 0]
        return max(float(part.mean()) for part in (self._hidden.ravel()[place.foot], body) if part.size)

    def explained(self, around: Iterable[int], standing: Mapping[int, Fit], evidence: StackEvidence) -> float:
        """The log density of the picture around some places with these stacks."""
        windows = [self.forms.places[k].around for k in around]
        window = tuple(
            slice(min(w[axis].start for w in windows), max(w[axis].stop for w in windows)) for axis in (0, 1)
        )
        others = sorted(standing, key=self.rank.__getitem__)
        best, _ = self._composed((window[0], window[1]), others, standing, evidence)
        return float(best.sum(dtype=np.float64))

    def evidence_of(self, k: int, nats: float) -> float:
        """The evidence (nats) of a log density of pixels around a place."""
        return nats * MODEL * self.forms.places[k].area / CORRELATION

    def _composed(
        self, window: Window, others: Sequence[int], standing: Mapping[int, Fit], evidence: StackEvidence
    ) -> tuple[Floats, Numbers]:
        """The log density of a window's pixels with these stacks, and which of them each pixel shows."""
        best = evidence.sheet[window].copy()
        numbers = np.zeros(best.shape, np.int16)
        for other in others:
            place, fit = self.forms.places[other], standing[other]
            row, column = (place.corner[axis] + fit.shift[axis] for axis in (0, 1))
            top, left = max(row, window[0].start), max(column, window[1].start)
            bottom = min(row + place.size[0], window[0].stop)
            right = min(column + place.size[1], window[1].stop)
            if bottom <= top or right <= left:
                continue
            row_before, column_before = (side.start for side in window)
            here = slice(top - row_before, bottom - row_before), slice(left - column_before, right - column_before)
            own, density = self._drawn(other, fit, evidence)
            theirs = slice(top - row, bottom - row), slice(left - column, right - column)
            np.copyto(numbers[here], np.int16(other + 1), where=own[theirs])
            np.copyto(best[here], density[theirs], where=own[theirs])
        if self._hidden is not None:
            hidden = self._hidden[window]
            best[hidden], numbers[hidden] = 0.0, self._hidden_number
        return best, numbers

    def _drawn(self, k: int, fit: Fit, evidence: StackEvidence) -> tuple[Flags, Floats]:
        """The pixels of a place's shifted patch that its stack covers, and their log density."""
        known = self._densities.get(k)
        if known is None or known[0] is not fit or known[1] is not evidence:
            place, parts = self.forms.places[k], self.forms.parts(k, fit.hypothesis)
            density = place.patch(evidence.of(Part.WALL, fit.look), fit.shift).copy()
            for part in (Part.DECK, Part.ROOF) if fit.look else (Part.DECK,):
                np.copyto(density, place.patch(evidence.of(part, fit.look), fit.shift), where=parts == part)
            known = self._densities[k] = fit, evidence, parts > 0, density
        return known[2:]


def _overlapping(places: Sequence[StackPlace], order: Sequence[int]) -> list[list[int]]:
    low = np.array([place.corner for place in places]) - 2 * REACH
    high = low + np.array([place.size for place in places]) + 4 * REACH
    meet = ((low[:, None] < high[None]) & (low[None] < high[:, None])).all(axis=2)
    np.fill_diagonal(meet, False)
    return [[j for j in order if row[j]] for row in meet]
