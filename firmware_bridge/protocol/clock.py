"""A box's own milliseconds on the host's clock, so that "who pressed first" holds across boxes and resends."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

_WRAP_MS = 2**32
_SPAN = 8.0
_SPANS = 8
_RECENT = 2
_LARGEST_RATE = 0.01


@dataclass(frozen=True, slots=True)
class _Sample:
    time: float
    offset: float


class BoxClock:
    """Maps a box's 32-bit milliseconds to the host's monotonic seconds by the least delayed messages.

    Every message with the box's time of sending is a sample: arrival minus sending is the offset of the clocks plus a
    delay, and the smallest offset of 8 s has little delay. The smallest offsets of eight such spans give the error of
    the box's oscillator (ceramic ones: up to 0.5 %), by which samples of different age are corrected.
    """

    def __init__(self) -> None:
        self._last_ms: int | None = None
        self._epoch_ms = 0
        self._span_start = float("-inf")
        self._rate = 0.0
        self._current: _Sample | None = None
        self._spans: deque[_Sample] = deque(maxlen=_SPANS)

    def sample(self, t_ms: int, now: float) -> None:
        """A message sent at `t_ms` of the box arrived at `now`."""
        if now - self._span_start >= _SPAN:
            self._end_span(now)
        sample = _Sample(now, now - self._unwrapped(t_ms) / 1000)
        if self._current is None or sample.offset < self._at(self._current, now):
            self._current = sample

    def to_host(self, t_ms: int, now: float) -> float:
        """The host's second of the box's `t_ms`, which arrived at `now`; never in the future."""
        samples = list(self._spans)[-_RECENT + 1 :] + ([self._current] if self._current else [])
        if not samples:
            return now
        return min(now, self._unwrapped(t_ms) / 1000 + min(self._at(sample, now) for sample in samples))

    def _end_span(self, now: float) -> None:
        if self._current is not None:
            self._spans.append(self._current)
        self._current, self._span_start = None, now
        if len(self._spans) > _RECENT:
            first, last = self._spans[0], self._spans[-1]
            rate = (last.offset - first.offset) / (last.time - first.time)
            self._rate = max(-_LARGEST_RATE, min(_LARGEST_RATE, rate))

    def _at(self, sample: _Sample, now: float) -> float:
        """The offset of a sample, corrected for the time that has passed since."""
        return sample.offset + self._rate * (now - sample.time)

    def _unwrapped(self, t_ms: int) -> int:
        if self._last_ms is None:
            self._last_ms = t_ms
        delta = (t_ms - self._last_ms + _WRAP_MS // 2) % _WRAP_MS - _WRAP_MS // 2
        total = self._epoch_ms + delta
        if delta > 0:
            self._last_ms, self._epoch_ms = t_ms, total
        return total
