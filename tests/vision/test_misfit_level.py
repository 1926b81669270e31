"""Something foreign is what fits worse than the picture's own pieces do."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.printed.evidence.misfit_level import beyond_misfit_level
from vision.printed.pieces.likelihood import softmax

LABELS = 4


def evidence(leads: list[float], label: int = 1) -> npt.NDArray[np.float64]:
    """Spots of one clear label over which something foreign leads by so many nats."""
    nats = np.zeros((len(leads), LABELS + 1))
    nats[:, label] = 20.0
    nats[:, -1] = 20.0 + np.array(leads)
    return nats


def surest(nats: npt.NDArray[np.floating]) -> list[int]:
    return [int(best) if share > 0.9 else -1 for best, share in zip(nats.argmax(1), softmax(nats).max(1), strict=True)]


def test_pieces_that_all_fit_badly_are_pieces() -> None:
    nats = evidence([-3.0, -1.0, 0.0, 1.0, 2.0, 4.0, -2.0])
    assert -1 in surest(nats)
    assert surest(beyond_misfit_level(nats)) == [1] * 7


def test_what_fits_far_worse_than_the_other_pieces_is_foreign() -> None:
    nats = evidence([-9.0, -8.0, -10.0, -9.5, -8.5, -9.0, 14.0])
    assert surest(beyond_misfit_level(nats))[-1] == LABELS


def test_pieces_that_fit_well_stay_as_they_are() -> None:
    nats = evidence([-60.0, -55.0, -58.0, -61.0, -57.0, -59.0])
    np.testing.assert_array_equal(beyond_misfit_level(nats), nats)


def test_a_few_spots_or_a_hand_over_all_of_them_tell_nothing_of_pieces() -> None:
    for nats in (evidence([1.0, 2.0, 3.0]), evidence([25.0, 40.0, 30.0, 35.0, 28.0, 33.0, 38.0])):
        np.testing.assert_array_equal(beyond_misfit_level(nats), nats)


def test_spots_that_look_like_no_label_in_particular_are_left_alone() -> None:
    nats = np.concatenate([evidence([0.0, 1.0, -1.0, 2.0, 0.5, -0.5]), np.full((1, LABELS + 1), 12.0)])
    np.testing.assert_array_equal(beyond_misfit_level(nats)[-1], nats[-1])


def test_a_kind_of_one_label_is_left_alone() -> None:
    nats = evidence([0.0] * 8)[:, [1, -1]]
    np.testing.assert_array_equal(beyond_misfit_level(nats), nats)


def test_pieces_of_one_colour_that_all_fit_badly_are_pieces_beside_others_that_fit_well() -> None:
    nats = np.concatenate([evidence([1.0, 2.0, 0.0, 3.0, 1.5, 2.5], label=0), evidence([-40.0, -30.0] * 5, label=2)])
    assert -1 in surest(nats)
    assert surest(beyond_misfit_level(nats)) == [0] * 6 + [2] * 10
