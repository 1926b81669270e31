"""What of an upright piece's samples shows it, by its form and the way it stands."""

from __future__ import annotations

import numpy as np
import pytest

from companion.board.layout import Board
from companion.registry import print_and_play_board
from ui.simulated_table.view import CameraView
from vision.printed.pieces.appearance import Placement
from vision.printed.pieces.forms import Bodies, laid_before, shown_before
from vision.printed.pieces.patches import PatchView, look_at, plan_patches

ROWS = np.array([0, 40])
UPRIGHT, CORE, CONE, PAWN = 0, 9, 18, 27
"""The first way, without a shift, of each form of a pawn."""


@pytest.fixture(scope="module")
def board() -> Board:
    return print_and_play_board("city_of_marble")


def view_of(board: Board, name: str, tilt: float) -> PatchView:
    return look_at(plan_patches(board, board.pieces[name]), CameraView(tilt=tilt).pose(board))


@pytest.mark.parametrize("tilt", [5.0, 55.0])
def test_every_sample_of_a_cylinder_shows_it(board: Board, tilt: float) -> None:
    view = view_of(board, "magistrate", tilt)
    bodies = Bodies(board.pieces["magistrate"], view).at(ROWS)
    inner = np.hypot(*view.plan.local.T) < 4.0
    assert bodies[:, UPRIGHT, inner].min() > 0.9
    seen = view.weight[ROWS] > 0
    assert bodies[:, UPRIGHT][seen & (np.arange(seen.shape[1]) >= view.plan.top_points)].min() > 0.3


@pytest.mark.parametrize("form", [CORE, CONE, PAWN])
def test_narrower_forms_show_less_and_never_more(board: Board, form: int) -> None:
    bodies = Bodies(board.pieces["magistrate"], view_of(board, "magistrate", 55.0)).at(ROWS)
    assert (bodies[:, form] <= bodies[:, UPRIGHT] + 1e-3).all()
    assert bodies[:, form].mean() < 0.8 * bodies[:, UPRIGHT].mean()


def test_a_cone_is_as_wide_at_its_foot_as_a_cylinder(board: Board) -> None:
    view = view_of(board, "magistrate", 55.0)
    bodies = Bodies(board.pieces["magistrate"], view).at(ROWS)
    low = (view.plan.places[ROWS][..., 2] < 5.0) & (view.weight[ROWS] > 8.0)
    assert bodies[:, CONE][low].mean() > 0.9
    assert bodies[:, CONE][:, : view.plan.top_points].mean() < 0.3


def test_a_cube_hides_what_is_behind_it_and_nothing_before_it(board: Board) -> None:
    view = view_of(board, "cube", 55.0)
    centre = np.array([*board.spots[view.plan.spots[0].name].centre, 4.0])
    away = np.append(centre[:2] - view.eye[:2], 0.0)
    away /= np.linalg.norm(away)
    places = np.array([centre + away * step for step in (-9.0, 0.0, 9.0, 30.0)], np.float32)[None]
    hidden = shown_before(board.pieces["cube"], view, np.array([0]), np.array([0]), places)[0]
    assert (hidden > 0.5).tolist() == [False, True, True, False]


@pytest.mark.parametrize("name", ["cube", "magistrate"])
def test_a_printed_piece_hides_what_lies_behind_it_as_it_is_laid(board: Board, name: str) -> None:
    piece, view = board.pieces[name], view_of(board, name, 55.0)
    places = view.plan.places[ROWS]
    straight = laid_before(piece, view, ROWS, [Placement(0.0, (0.0, 0.0))] * 2, places)
    assert straight == pytest.approx(shown_before(piece, view, ROWS, np.array([0, 0]), places), abs=1e-4)
    apart = np.array([[np.cos(heading), np.sin(heading), 0.0] for heading in view.plan.headings[ROWS]], np.float32)
    shifted = laid_before(piece, view, ROWS, [Placement(0.0, (2.0, 0.0))] * 2, places + 2 * apart[:, None])
    assert shifted == pytest.approx(straight, abs=1e-3)


def test_what_was_found_is_kept_and_the_same_in_any_order(board: Board) -> None:
    view = view_of(board, "cube", 55.0)
    once, twice = (Bodies(board.pieces["cube"], view) for _ in range(2))
    twice.at(ROWS[1:])
    assert np.array_equal(once.at(ROWS), twice.at(ROWS))
    assert np.array_equal(twice.at(ROWS[::-1]), once.at(ROWS)[::-1])


@pytest.mark.parametrize("name", ["cube", "magistrate"])
def test_a_piece_hides_its_own_surface_in_the_way_it_stands(board: Board, name: str) -> None:
    view, ways = view_of(board, name, 55.0), np.array([7, 19])
    hidden = shown_before(board.pieces[name], view, ROWS, ways, view.plan.places[ROWS])
    assert hidden == pytest.approx(Bodies(board.pieces[name], view).at(ROWS)[[0, 1], ways], abs=1e-4)


def test_of_flat_and_edged_pieces_only_the_outline_is_known(board: Board) -> None:
    assert not Bodies.are_known_of(board.pieces["building"])
