"""Doubt about spots on which nothing was found."""

from __future__ import annotations

import numpy as np

from vision.printed.evidence.doubt import doubt_of, doubted, strangeness, support_of

SPOTS, POINTS = 40, 30


def picture(noise: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Log densities of empty spots that fit with some noise, weights, whole surfaces and chances of being empty."""
    dice = np.random.default_rng(4)
    fits = np.repeat(-9.5 + noise * dice.standard_normal((SPOTS, 1)), POINTS, axis=1).astype(np.float32)
    weight = np.full((SPOTS, POINTS), 2.0, np.float32)
    return fits, weight, weight.sum(axis=1), np.full(SPOTS, 0.999)


def test_a_spot_that_fits_far_worse_than_the_others_is_doubted() -> None:
    fits, weight, whole, empty = picture(0.2)
    fits[7] = -12.5
    doubt = doubt_of(strangeness(fits, weight, whole, empty))
    assert doubt[7] == 0.5
    assert np.delete(doubt, 7).max() < 0.05


def test_the_same_misfit_is_nothing_strange_in_a_picture_where_all_spots_fit_badly() -> None:
    fits, weight, whole, empty = picture(1.0)
    fits[7] = -12.0
    assert doubt_of(strangeness(fits, weight, whole, empty))[7] < 0.1


def test_what_is_hidden_is_not_strange() -> None:
    fits, weight, whole, empty = picture(0.2)
    fits[7], weight[7, 8:] = -16.0, 0.0
    assert strangeness(fits, weight, whole, empty)[7] == 0.0


def test_what_every_piece_explains_far_worse_than_nothing_is_not_doubted() -> None:
    support = support_of(np.array([3.0, -2.0, -13.0, -25.0]))
    assert support[:2].min() > 0.99
    assert support[2] == 0.5
    assert support[3] < 0.01


def test_doubt_goes_to_the_labels_that_fit_best() -> None:
    table = np.array([[0.99, 0.004, 0.004, 0.002], [0.99, 0.004, 0.004, 0.002]])
    nats = np.array([[-3.0, -9.0, 0.0], [-3.0, -9.0, 0.0]])
    result = doubted(table, nats, np.array([0.4, 0.0]))
    assert np.allclose(result.sum(axis=1), 1.0)
    assert result[0, 0] == 0.99 * 0.6
    assert result[0, 1] > 0.9 * 0.4 > 0.1 > result[0, 2]
    assert np.array_equal(result[1], table[1])
