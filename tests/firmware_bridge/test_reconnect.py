from firmware_bridge.transports.reconnect import BackOff


def test_waits_double_up_to_the_longest_and_begin_again_after_a_success() -> None:
    back_off = BackOff(shortest=0.25, longest=2.0)
    assert [back_off.next_wait() for _ in range(6)] == [0.25, 0.5, 1.0, 2.0, 2.0, 2.0]
    back_off.reset()
    assert back_off.next_wait() == 0.25
