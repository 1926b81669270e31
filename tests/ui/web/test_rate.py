"""How often somebody may come: a burst, then so many a second, whatever is refused meanwhile."""

from ui.web.guard import Rate


def test_a_rate_refills_with_time_and_forgets_who_is_gone():
    now = [0.0]
    rate = Rate(1.0, 2.0, lambda: now[0])
    assert [rate.allows("a") for _again in range(3)] == [True, True, False]
    now[0] = 1.0
    assert [rate.allows("a"), rate.allows("a")] == [True, False]
    assert rate.wait("a") == 1.0
    for quarter in range(1, 5):
        now[0] = 1.0 + quarter / 4
        assert rate.allows("a") == (quarter == 4)  # who asks too early loses nothing
    for number in range(2000):
        rate.allows(str(number))
    assert len(rate._left) <= 512
