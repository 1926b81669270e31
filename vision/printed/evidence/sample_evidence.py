"""The evidence of samples for every label of kinds of pieces, recomputed only where something changed."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from vision.printed.evidence.classify import SpotKind
from vision.printed.pieces.forms import Bodies
from vision.printed.pieces.likelihood import Gains, gains_of

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.intp]

NO_LABEL = -1
"""Stands for no label in arrays of labels."""
_MATTE = 2.0
"""Nats by which samples must fit better as those of a piece that mirrors no light."""


class Evidence:
    """The gains of kinds under some weights; spots with the weights and background of `before` keep their earlier
    gains, but for those of kinds to be compared `afresh`.
    """

    def __init__(
        self, weights: Mapping[str, Floats], before: Evidence | None = None, afresh: Container[str] = ()
    ) -> None:
        self.weights, self.gains = dict(weights), dict[str, Gains]()
        self.background: dict[str, Floats] = {}
        self._before, self._afresh = before, afresh

    def compare(
        self,
        kinds: Iterable[SpotKind],
        lab: Mapping[str, Floats],
        background: Mapping[str, Floats],
        bodies: Mapping[str, Bodies],
        slack: Floats | None = None,
        matte: Mapping[str, Floats] = MappingProxyType({}),
    ) -> None:
        """Compute the gains of samples `lab` over log densities of their `background`.

        `bodies` are those of kinds with known forms; `slack` (3,) is the distance in Lab by which printed colours may
        be off. `matte` are the same samples of standing kinds where the sheet mirrors light, as they are if the piece
        mirrors none; each spot is judged by what fits better.
        """
        for kind in kinds:
            name = kind.piece.name
            weight = self.weights[name]
            self.background[name] = background[name]
            if self._before is None or name in self._afresh:
                known, rows = Gains.none(weight, kind.looks), np.flatnonzero(weight.any(axis=1))
            else:
                known = self._before.gains[name]
                changed = (weight != self._before.weights[name]) | (background[name] != self._before.background[name])
                rows = np.flatnonzero(changed.any(axis=1))
            forms = bodies[name].at(rows) if name in bodies and kind.looks.paint is not None else None
            fresh = gains_of(lab[name][rows], background[name][rows], weight[rows], kind.looks, forms, slack=slack)
            if name in matte and rows.size:
                other = gains_of(
                    matte[name][rows], background[name][rows], weight[rows], kind.looks, forms, slack=slack
                )
                lead = (_best(other, weight[rows]) - _MATTE > _best(fresh, weight[rows])).nonzero()[0]
                fresh = fresh.replaced(lead, other.of(lead))
            self.gains[name] = known.replaced(rows, fresh)


def _best(gains: Gains, weight: Floats) -> Floats:
    """The evidence (spots,) for the label that explains a spot best."""
    return np.asarray(gains.weighed(weight)[:, :-1].max(axis=1))


def gain_of_hidden(name: str, labels: Integers, whole: Evidence, rims: Evidence) -> Doubles:
    """The evidence (spots,) for `labels` of a kind from the samples that `rims` leaves out; 0 at NO_LABEL."""
    result, rows = np.zeros(len(labels)), np.flatnonzero(labels != NO_LABEL)
    for sign, evidence in ((1.0, whole), (-1.0, rims)):
        result[rows] += sign * evidence.gains[name].weighed(evidence.weights[name])[rows, labels[rows]]
    return result


def gain_by_rider(rider: str, at: Integers, beneath: Doubles, now: Evidence, before: Evidence) -> Doubles:
    """Extra evidence (nats per spot) for a carrier hidden by its rider, beyond its rim and hidden middle (`beneath`).

    The carrier's colours are modelled loosely so that it is not mistaken for the rider. `now` is the rider's evidence
    relative to that loose model, which compares rider and no rider, but not both with the ground below; `before` is
    relative to the ground. `at` are the numbers of the rider's spots on each spot of the carrier. 0 where no carrier is
    assumed.
    """
    weight = now.weights[rider]
    on_carrier, on_ground = (each.gains[rider].weighed(weight)[at, :-1] for each in (now, before))
    best = on_carrier.argmax(axis=1)[:, None]
    lead = np.take_along_axis(on_carrier, best, axis=1)[:, 0]
    whole = np.take_along_axis(on_ground, best, axis=1)[:, 0]
    return np.where((lead > 0) & (beneath != 0), np.maximum(whole - lead - beneath, 0.0), 0.0)
