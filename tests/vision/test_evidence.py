"""What a carrier gains where a rider shows before it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.printed.evidence import Evidence, gain_by_rider
from vision.printed.likelihood import CORRELATION, Gains


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
