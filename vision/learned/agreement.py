"""One reading of two: a spot is sure only where the reader of print and form and the network agree."""

from __future__ import annotations

from collections.abc import Container, Mapping

from companion.board.layout import EMPTY
from vision.learned.network import COVERED, Shares

_HIDDEN = 0.9
"""Probability of *covered* by a network above which the other reader is not believed, however sure: it takes hands for
pieces.
"""
_ALONE = 0.97
"""Probability from which a network is believed where the other reader calls the spot covered."""
_PIECE_ALONE = 0.99
"""The same for a piece to be sure: of 59 pieces of path-traced pictures that were told so one was wrong, of 28 told by
less four, and of 3,300 empty spots one.
"""
_LIKELY = 0.85
"""The probability of a piece told by less."""
_CONFIRMED = 0.85
"""Probability from which a network confirms that a spot is empty: of 23 spots for magistrates in path-traced pictures
that it called empty by less, and the other reader surely, four were not.
"""
_CONFIRMED_IN_LINES = 0.5
"""The same where lines tell, too."""
_GUESS, _SURE = 0.6, 0.95
"""Probabilities of its label up to which a network that contradicts the other reader is half believed, and from which
it is believed most: in path-traced pictures it was right in 48 of 101 such spots below 0.7, in 266 of 278 from 0.95 on.
"""
_BELIEVED = 0.79
"""The most a network that does not confirm is believed: so that nothing comes to 0.9 on which both do not agree."""


def both_readings(
    learned: Mapping[str, Shares],
    found: Mapping[str, Shares],
    covered: set[str],
    unlike: Container[str] = (),
    in_lines: Container[str] = (),
) -> dict[str, Shares]:
    """The probabilities of the spots that networks read; those they are sure of are taken off `covered`, and those that
    they surely call covered are added.

    Of spots `unlike` what the networks learned from they tell only whether something is there. Whether spots `in_lines`
    are empty is told by what lies beside them, too: there a network need not be so sure of it.
    """
    result: dict[str, Shares] = {}
    for spot, shares in learned.items():
        if spot in unlike:
            other = whether_taken(shares, found[spot])
            if spot not in covered:
                result[spot] = agreed(found[spot], other, most=0.5)
            elif other[EMPTY] >= _ALONE:
                result[spot] = told_alone(other) or found[spot]
                covered.discard(spot)
        elif spot not in covered:
            if shares[COVERED] > _HIDDEN:
                covered.add(spot)
            else:
                result[spot] = agreed(found[spot], shares, _CONFIRMED_IN_LINES if spot in in_lines else _CONFIRMED)
        elif (alone := told_alone(shares)) is not None:
            result[spot] = alone
            covered.discard(spot)
    return result


def whether_taken(learned: Shares, found: Shares) -> dict[str, float]:
    """What a network tells of a spot being empty, with the labels by the other reader."""
    empty, taken = learned[EMPTY] / max(1.0 - learned[COVERED], 1e-9), max(1.0 - found[EMPTY], 1e-9)
    labels = {label: (1.0 - empty) * share / taken for label, share in found.items() if label != EMPTY}
    return {EMPTY: empty, **labels, COVERED: 0.0}


def agreed(found: Shares, learned: Shares, confirmed: float = 0.0, most: float = _BELIEVED) -> dict[str, float]:
    """The probabilities of a spot's labels by both readers.

    Where both find the same likeliest they confirm one another; else a network that sees something is believed the more
    the surer it is, but no more than `most`; one that sees nothing is half believed, for a printed face has explained
    what lies there. Where they find nothing and the network gives that less than `confirmed`, it is not sure.
    """
    seen = 1.0 - learned[COVERED]
    other = {label: learned[label] / max(seen, 1e-9) for label in found}
    best = max(other, key=other.__getitem__)
    alike = best == max(found, key=found.__getitem__)
    if alike and not (best == EMPTY and other[EMPTY] < confirmed):
        joint = {label: (found[label] * other[label]) ** 0.5 for label in found}
    else:
        belief = most if alike else 0.5 if best == EMPTY else _belief(other[best], most)
        joint = {label: (1.0 - belief) * found[label] + belief * other[label] for label in found}
    total = sum(joint.values())
    return {label: share / total for label, share in joint.items()}


def _belief(sure: float, most: float) -> float:
    """How far a network is believed that gives `sure` to a label which the other reader does not find."""
    part = min(max((sure - _GUESS) / (_SURE - _GUESS), 0.0), 1.0)
    return 0.5 + part * (most - 0.5)


def told_alone(learned: Shares) -> dict[str, float] | None:
    """What a network tells of a spot that the other reader calls covered; None where it is not sure enough.

    A piece is surely told only by a network that is surer still.
    """
    best = max(learned, key=learned.__getitem__)
    if best == COVERED or learned[best] < _ALONE:
        return None
    shares = {label: share / (1.0 - learned[COVERED]) for label, share in learned.items() if label != COVERED}
    doubt = 0.0 if best == EMPTY or learned[best] >= _PIECE_ALONE else shares[best] - _LIKELY
    spread = doubt / (len(shares) - 1)
    return {label: share - doubt if label == best else share + spread for label, share in shares.items()}
