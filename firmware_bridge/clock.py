"""A box's own milliseconds on the host's clock, so that "who pressed first" holds across boxes and resends."""

from __future__ import annotations

_WRAP_MS = 2**32
_SPAN = 8.0


class BoxClock:
    """Maps a box's 32-bit milliseconds to the host's monotonic seconds by the smallest delay seen lately.

    Every message that tells the box's time of sending is a sample: arrival minus sending is the clocks' offset plus a
    delay, and the smallest of the last 8 to 16 seconds has the least delay. The span bounds what the box's oscillator
    may drift in it: 80 ms at the 0.5 % of a ceramic resonator, under 1 ms for a crystal.
    """

    def __init__(self) -> None:
        self._last_ms: int | None = None
        self._epoch_ms = 0
        self._span_start = 0.0
        self._current: float | None = None
        self._previous: float | None = None

    def sample(self, t_ms: int, now: float) -> None:
        """A message sent at `t_ms` of the box arrived at `now`."""
        if now - self._span_start >= _SPAN:
            self._previous, self._current = self._current, None
            self._span_start = now
        offset = now - self._unwrapped(t_ms) / 1000
        self._current = offset if self._current is None else min(self._current, offset)

    def to_host(self, t_ms: int, now: float) -> float:
        """The host's time of `t_ms`, which the box told at `now`; never in the future."""
        offsets = [offset for offset in (self._current, self._previous) if offset is not None]
        return min(now, self._unwrapped(t_ms) / 1000 + min(offsets)) if offsets else now

    def _unwrapped(self, t_ms: int) -> int:
        if self._last_ms is None:
            self._last_ms = t_ms
        delta = (t_ms - self._last_ms + _WRAP_MS // 2) % _WRAP_MS - _WRAP_MS // 2
        total = self._epoch_ms + delta
        if delta > 0:
            self._last_ms, self._epoch_ms = t_ms, total
        return total
