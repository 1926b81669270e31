"""What uneven sides say against a piece."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from companion.board.layout import Board
from ui.simulated_table.view import CameraView
from vision.printed.evidence.classify import SpotKind, planned_kinds, taught_kinds
from vision.printed.evidence.sample_evidence import Evidence
from vision.printed.evidence.side_uniformity import uneven_side_penalty
from vision.printed.pieces.patches import PatchView, look_at
from vision.printed.pieces.profile import Profile

Doubles = npt.NDArray[np.float64]

STANDING = range(0, 60, 3)
ODD = 30
WHITE = 1
"""the label's number"""
BARE = np.float32(-14.0)


@pytest.fixture(scope="module")
def seen(board: Board, profile: Profile) -> tuple[SpotKind, PatchView]:
    kinds = [kind for kind in planned_kinds(board)[1] if kind.piece.name == "cube"]
    kind = taught_kinds(kinds, profile)[0]
    return kind, look_at(kind.plan, CameraView(tilt=50.0).pose(board))


def against(seen: tuple[SpotKind, PatchView], usual: float, odd: float) -> Doubles:
    """What is said against cubes whose sides vary so much (Lab), and against another whose sides vary otherwise."""
    kind, view = seen
    dice = np.random.default_rng(1)
    lab = np.zeros((*view.weight.shape, 3), np.float32)
    for k in STANDING:
        lab[k] = kind.looks.mean(WHITE, 0)
        sides = lab[k, kind.plan.top_points :]
        sides += dice.normal(0.0, odd if k == ODD else usual, sides.shape).astype(np.float32)
    weight = np.where(np.isin(np.arange(len(lab)), STANDING)[:, None], view.weight, np.float32(0))
    evidence = Evidence({"cube": weight})
    evidence.compare([kind], {"cube": lab}, {"cube": np.full(view.weight.shape, BARE)}, {})
    standing = [kind.plan.spots[k] for k in STANDING]
    return uneven_side_penalty([kind], evidence, {"cube": lab}, {}, standing)["cube"]


def test_even_sides_say_nothing(seen: tuple[SpotKind, PatchView]) -> None:
    assert against(seen, 3.0, 3.0).max() < 0.1


def test_sides_more_uneven_than_those_of_other_pieces_speak_against_a_piece(seen: tuple[SpotKind, PatchView]) -> None:
    nats = against(seen, 3.0, 14.0)
    assert nats[ODD] > 8.0
    assert np.delete(nats, ODD).max() < 0.1


def test_where_all_sides_are_uneven_they_say_little(seen: tuple[SpotKind, PatchView]) -> None:
    assert against(seen, 14.0, 14.0).max() < 2.0


def test_empty_places_have_nothing_against_them(seen: tuple[SpotKind, PatchView]) -> None:
    nats = against(seen, 3.0, 14.0)
    assert not nats[~np.isin(np.arange(len(nats)), STANDING)].any()
