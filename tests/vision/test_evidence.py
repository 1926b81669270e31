"""What a carrier gains where a rider shows before it, and pieces that mirror nothing where the sheet does."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from companion.registry import print_and_play_board
from ui.simulated_table.view import CameraView
from vision.printed.evidence.classify import planned_kinds, taught_kinds
from vision.printed.evidence.sample_evidence import Evidence, gain_by_rider
from vision.printed.pieces.likelihood import CORRELATION, Gains
from vision.printed.pieces.patches import look_at
from vision.printed.pieces.profile import load_profile, shipped_profile


def _evidence(*nats: float) -> Evidence:
    """Of one cube on one spot, seen by one sample that counts in full: the nats of two labels and of anything else."""
    weight = np.full((1, 1), CORRELATION, np.float32)
    found = Evidence({"cube": weight})
    none = np.zeros((1, len(nats)), np.intp)
    found.gains["cube"] = Gains(np.array(nats, np.float32).reshape(1, -1, 1), none, none > 0, none)
    return found


@pytest.mark.parametrize(
    ("on_carrier", "beneath", "gained"),
    [
        pytest.param(5.0, 3.0, 12.0, id="what the carrier, taken to look like much, does not tell"),
        pytest.param(-1.0, 3.0, 0.0, id="nothing where the carrier alone tells more"),
        pytest.param(5.0, 0.0, 0.0, id="nothing where no carrier is held to lie"),
        pytest.param(19.0, 3.0, 0.0, id="nothing where both tell enough"),
    ],
)
def test_a_rider_speaks_for_its_carrier(on_carrier: float, beneath: float, gained: float) -> None:
    now, before = _evidence(-9.0, on_carrier, 30.0), _evidence(1.0, 20.0, 30.0)
    found = gain_by_rider("cube", np.array([0]), np.array([beneath]), now, before)
    assert found.tolist() == [pytest.approx(gained)]


def test_a_dark_house_that_mirrors_nothing_is_told_where_the_sheet_does() -> None:
    board = print_and_play_board("thurn_and_taxis")
    kind = taught_kinds(planned_kinds(board)[0], load_profile(shipped_profile(board), board))[0]
    view = look_at(kind.plan, CameraView(tilt=30.0).pose(board))
    blue = kind.looks.labels.index("blue")
    as_it_is = np.broadcast_to(kind.looks.mean(blue, 0), (*view.weight.shape, 3)).astype(np.float32)
    darkened = as_it_is * np.float32(0.3)
    background = np.full(view.weight.shape, -14.0, np.float32)

    def lead(matte: dict[str, npt.NDArray[np.float32]]) -> float:
        evidence = Evidence({"house": view.weight})
        evidence.compare([kind], {"house": darkened}, {"house": background}, {}, matte=matte)
        nats = evidence.gains["house"].weighed(view.weight)
        return float((nats[:, blue] - nats[:, -1]).min())

    assert lead({}) < 0.0
    assert lead({"house": as_it_is}) > 8.0
