"""One reading of two: a spot is sure only where the reader of print and form and the network agree."""

from __future__ import annotations

from collections.abc import Mapping

from vision.learned.network import COVERED, Shares

_HIDDEN = 0.9
"""Probability of *covered* by a network above which the other reader is not believed, however sure: it takes hands for
pieces.
"""
_ALONE = 0.97
"""Probability from which a network is believed where the other reader calls the spot covered."""


def both_readings(learned: Mapping[str, Shares], found: Mapping[str, Shares], covered: set[str]) -> dict[str, Shares]:
    """The probabilities of the spots that networks read; those they are sure of are taken off `covered`, and those that
    they surely call covered are added.
    """
    result: dict[str, Shares] = {}
    for spot, shares in learned.items():
        if spot not in covered:
            if shares[COVERED] > _HIDDEN:
                covered.add(spot)
            else:
                result[spot] = agreed(found[spot], shares)
        elif (alone := told_alone(shares)) is not None:
            result[spot] = alone
            covered.discard(spot)
    return result


def agreed(found: Shares, learned: Shares) -> dict[str, float]:
    """The probabilities of a spot's labels by both readers.

    Where both find the same likeliest they confirm one another, else each is half believed.
    """
    seen = 1.0 - learned[COVERED]
    other = {label: learned[label] / max(seen, 1e-9) for label in found}
    if max(found, key=found.__getitem__) == max(other, key=other.__getitem__):
        joint = {label: (found[label] * other[label]) ** 0.5 for label in found}
    else:
        joint = {label: 0.5 * (found[label] + other[label]) for label in found}
    total = sum(joint.values())
    return {label: share / total for label, share in joint.items()}


def told_alone(learned: Shares) -> dict[str, float] | None:
    """What a network tells of a spot that the other reader calls covered; None where it is not sure enough."""
    best = max(learned, key=learned.__getitem__)
    if best == COVERED or learned[best] < _ALONE:
        return None
    total = 1.0 - learned[COVERED]
    return {label: share / total for label, share in learned.items() if label != COVERED}
