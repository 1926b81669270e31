"""Covers of cells are weighed as enumeration weighs them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from companion.board.layout import Board
from vision.printed.pieces.likelihood import (
    OUTLIER,
    allowing_shadow,
    cover_marginals,
    cover_of,
    softmax,
    weight_for_colour_error,
)


def enumerated(cells: list[list[str]], weights: np.ndarray) -> np.ndarray:
    """Exact probabilities that each spot is taken, over all choices that take no cell twice."""
    total, taken = 0.0, np.zeros(len(cells))
    for choice in product((0, 1), repeat=len(cells)):
        used = [cell for spot, is_taken in zip(cells, choice, strict=True) if is_taken for cell in spot]
        if len(used) == len(set(used)):
            chance = float(np.exp(np.dot(choice, weights)))
            total += chance
            taken += chance * np.array(choice)
    return taken / total


def probabilities(odds: np.ndarray) -> np.ndarray:
    return 1.0 / (1.0 + np.exp(-odds))


@pytest.mark.parametrize("seed", range(5))
def test_marginals_are_exact_where_the_cells_form_a_tree(seed: int) -> None:
    cells = [["a", "b"], ["b", "c"], ["c", "d"], ["b", "e"], ["a"], ["d"]]
    weights = np.random.default_rng(seed).normal(0, 3, len(cells))
    found = probabilities(cover_marginals(cover_of(cells), weights))
    assert found == pytest.approx(enumerated(cells, weights), abs=1e-3)


def test_around_a_vertex_the_sure_answers_are_right() -> None:
    ring = [[f"t{k}", f"t{(k + 1) % 6}"] for k in range(6)]
    compared = 0
    for seed in range(10):
        weights = np.random.default_rng(seed).normal(20, 12, 6)
        exact = enumerated(ring, weights)
        found = probabilities(cover_marginals(cover_of(ring), weights))
        sure = np.abs(exact - 0.5) > 0.45
        assert np.array_equal(found[sure] > 0.5, exact[sure] > 0.5)
        compared += int(sure.sum())
    assert compared > 30


def test_strong_evidence_does_not_drown_a_weaker_rival() -> None:
    cells = [["a", "b"], ["b"], ["c"]]
    found = cover_marginals(cover_of(cells), np.array([500.0, 300.0, -400.0]))
    assert found == pytest.approx([200.0, -200.0, -400.0], abs=0.1)


def test_the_whole_board_settles(board: Board) -> None:
    lattice = board.lattice
    edges = list(lattice.rhombus_sides)
    cells = [list(lattice.edge_triangles[edge]) for edge in edges]
    taken = {"G7-H7", "E9-F9", "I4-I5"}
    weights = np.array([60.0 if edge in taken else -20.0 for edge in edges])
    odds = cover_marginals(cover_of(cells), weights)
    assert {edge for edge, value in zip(edges, odds, strict=True) if value > 0} == taken


def test_softmax_keeps_large_scores_finite() -> None:
    assert softmax(np.array([1000.0, 1000.0, -1000.0])) == pytest.approx([0.5, 0.5, 0.0])


def test_badly_corrected_colours_are_worth_less_the_worse_they_are() -> None:
    worths = [float(weight_for_colour_error(error)) for error in (0.0, 3.0, 5.0, 7.0, 20.0)]
    assert worths[:3] == [1.0, 1.0, 1.0]
    assert worths[2] > worths[3] > worths[4] > 0.0


def test_deep_shadow_explains_what_is_nearly_black_and_nothing_else() -> None:
    samples = np.array([[[8.0, 1.0, 2.0], [40.0, 0.0, 0.0], [8.0, 40.0, 0.0]]], np.float32)
    unexplained = allowing_shadow(np.full((1, 3), OUTLIER, np.float32), samples)
    assert (unexplained > OUTLIER).tolist() == [[True, False, False]]
    expected = np.full((1, 3), -9.0, np.float32)
    assert np.array_equal(allowing_shadow(expected, samples), expected)
