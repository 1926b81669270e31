import random

import pytest

from firmware_bridge.protocol.clock import BoxClock

DAY = 24 * 3600


def test_without_a_sample_the_arrival_is_all_that_is_known() -> None:
    assert BoxClock().to_host(123, 50.0) == 50.0


def test_the_least_delayed_sample_counts() -> None:
    clock = BoxClock()
    for t_ms, delay in ((1000, 0.080), (2000, 0.002), (3000, 0.150)):
        clock.sample(t_ms, 100 + t_ms / 1000 + delay)
    assert clock.to_host(3500, 104.0) == pytest.approx(103.502)


def test_no_press_lies_in_the_future() -> None:
    clock = BoxClock()
    clock.sample(1000, 10.0)
    assert clock.to_host(5000, 11.0) == 11.0


def test_who_pressed_first_holds_though_the_first_was_resent() -> None:
    left, right = BoxClock(), BoxClock()
    left.sample(500_000, 10.001)
    right.sample(7_000, 10.002)
    resent_for_a_second = left.to_host(502_000, 13.1)
    at_once = right.to_host(9_050, 12.06)
    assert resent_for_a_second < at_once


# 0.5 % is a ceramic resonator at its worst, 0.005 % a crystal.
@pytest.mark.parametrize(("drift", "error"), [(0.005, 0.03), (-0.005, 0.03), (0.00005, 0.03), (-0.00005, 0.03)])
def test_a_day_of_beats_does_not_drift(drift: float, error: float) -> None:
    clock = BoxClock()
    rng = random.Random(1)
    worst = 0.0
    start_ms = 2**32 - 3_600_000  # the box's clock wraps within the day
    for second in range(DAY):
        t_ms = int(start_ms + second * 1000 * (1 + drift)) % 2**32
        arrival = second + 0.001 + rng.expovariate(100)
        clock.sample(t_ms, arrival)
        if second > 60 and second % 10 == 0:
            worst = max(worst, abs(clock.to_host(t_ms, second + 1.0) - second))
    assert worst < error
