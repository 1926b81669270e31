"""When a picture was taken: by its source's word, else by how it came."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from vision.camera.frames import CameraFrame
from vision.camera.lag import EARLY, LONGEST, TRIALS, LagMeasurement
from vision.camera.picture_times import LONGEST_KEPT, OLDEST, PictureTimes


class Camera:
    """Ten pictures a second; `given` is when its driver says that the latest was taken."""

    period = 0.1

    def __init__(self) -> None:
        self.given: float | None = None

    def taken(self) -> float | None:
        return self.given


def times_of(reads: Sequence[tuple[float, float]], opening: float = 0.0) -> list[float]:
    """The times of pictures that were asked for and came at these moments."""
    times = PictureTimes(Camera())
    times.opening(opening)
    return [times.taken(began, came) for began, came in reads]


def test_what_comes_at_once_after_the_opening_is_as_old_as_that_and_what_is_waited_for_is_fresh() -> None:
    reads = [(1.0, 1.01), (1.01, 1.02), (1.02, 1.03), (1.03, 1.11), (1.12, 1.21)]
    assert times_of(reads) == pytest.approx([0.0, 0.1, 0.2, 1.11, 1.21])


def test_what_piled_up_while_nobody_read_is_as_old_as_it_is() -> None:
    fresh = [(0.0, 0.1), (0.1, 0.2), (0.2, 0.3)]
    after_a_pause = [(2.0, 2.01), (2.01, 2.02), (2.02, 2.03), (2.03, 2.13)]
    assert times_of([*fresh, *after_a_pause])[3:] == pytest.approx([0.4, 0.5, 0.6, 2.13])


def test_times_never_fall_nor_lie_ahead_nor_stay_back_for_ever() -> None:
    reads = [(second, second + 0.001) for second in range(60)]
    found = times_of(reads)
    assert found == sorted(found)
    assert all(came - LONGEST_KEPT <= taken <= came for taken, (_began, came) in zip(found, reads, strict=True))


@pytest.mark.parametrize(("age", "is_believed"), [(0.4, True), (OLDEST + 1, False), (-1.0, False)])
def test_the_time_that_a_source_gives_is_believed_where_it_can_be_one(age: float, is_believed: bool) -> None:
    camera = Camera()
    times = PictureTimes(camera)
    times.opening(90.0)
    camera.given = 100.0 - age
    assert times.taken(99.9, 100.0) == (100.0 - age if is_believed else 95.0)


def test_a_source_that_is_not_live_is_as_old_as_it_comes() -> None:
    times = PictureTimes(object())
    times.opening(0.0)
    assert times.taken(4.0, 4.001) == 4.001


def test_the_lag_is_the_median_from_press_to_hand() -> None:
    measured = LagMeasurement()
    for trial, lag in enumerate((0.9, 0.2, 0.7)):
        assert measured.lag is None
        start = 10.0 * trial
        measured.press(start + 5.0)
        for step in range(90):
            moment = start + step / 10
            measured.saw(moment, moves=start + 5.0 + lag <= moment + 0.001 < start + 6.5)
    assert measured.lag == pytest.approx(0.7)
    assert len(measured.lags) == TRIALS


def test_a_hand_long_before_or_after_a_press_does_not_belong_to_it() -> None:
    for apart in (-EARLY - 1.0, LONGEST + 1.0):
        measured = LagMeasurement()
        measured.saw(0.0, moves=False)
        measured.press(10.0)
        measured.saw(10.0 + apart, moves=True)
        assert measured.lags == ()


def test_a_quicker_hand_than_the_press_is_no_lag() -> None:
    measured = LagMeasurement()
    measured.saw(0.0, moves=False)
    measured.press(10.0)
    measured.saw(9.8, moves=True)
    assert measured.lags == (0.0,)


def test_a_hand_is_seen_in_pictures() -> None:
    measured = LagMeasurement()
    dark, light = np.zeros((90, 160, 3), np.uint8), np.zeros((90, 160, 3), np.uint8)
    light[20:60, 40:90] = 200
    measured.press(2.0)
    for number in range(40):
        is_hand = number >= 24
        measured.look(CameraFrame(light if is_hand else dark, number / 10, number))
    assert measured.lags == pytest.approx((0.4,))
