"""Limits the messages of each sender, so that a flood from one leaves room for the others."""

from __future__ import annotations

MOST_SENDERS = 256


class RateLimit:
    """At most `rate` messages a second from each sender, `burst` at once; times are monotonic seconds.

    Senders are forgotten in the order of their appearance when there are more than 256 of them.
    """

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, sender: str, now: float) -> bool:
        """Whether one more message of the sender is within its limit at the second `now`."""
        left, since = self._left.get(sender, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        if sender not in self._left and len(self._left) >= MOST_SENDERS:
            del self._left[next(iter(self._left))]
        self._left[sender] = (left - 1 if left >= 1 else left, now)
        return left >= 1
