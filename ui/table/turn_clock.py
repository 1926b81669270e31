"""A clock for each player: it informs and forces nothing. No Kivy."""

from __future__ import annotations

from collections.abc import Callable, Sequence


class TurnClock:
    """Counts down for the one seat that is to act; while several act at once, or it is paused, for nobody.

    `clock` gives monotonic seconds. With `left`, the seconds that each seat had left when the game was put away,
    nothing is counted until `play_goes_on`: the table is only looked at.
    """

    def __init__(
        self, minutes: int, seats: int, clock: Callable[[], float], left: Sequence[float] | None = None
    ) -> None:
        self.minutes = minutes
        """what each player began with"""
        self._left = [minutes * 60.0] * seats if left is None else list(left)
        self._clock = clock
        self._since = clock()
        self._running: int | None = None
        self._is_paused = False
        self._is_put_away = left is not None

    @property
    def is_paused(self) -> bool:
        """Whether the table stopped it."""
        return self._is_paused

    def play_goes_on(self) -> None:
        """Somebody at the table did something: a game that had been put away is played again."""
        if self._is_put_away:
            self._charge()
            self._is_put_away = False

    def seconds_left(self) -> tuple[float, ...]:
        """What each seat has left."""
        self._charge()
        return tuple(self._left)

    def run(self, actors: tuple[int, ...]) -> None:
        """These seats are to act from now on."""
        self._charge()
        self._running = actors[0] if len(actors) == 1 else None

    def pause(self, *, paused: bool) -> None:
        """Stop it, or let it go on."""
        self._charge()
        self._is_paused = paused

    def left(self, seat: int) -> float:
        """The seconds a seat has left; less than nothing once it has taken more."""
        self._charge()
        return self._left[seat - 1]

    def text(self, seat: int) -> str:
        """The same in minutes and seconds."""
        seconds = self.left(seat)
        minutes, rest = divmod(int(abs(seconds)), 60)
        return f"{'−' if seconds <= -1 else ''}{minutes}:{rest:02}"

    def _charge(self) -> None:
        now = self._clock()
        if self._running is not None and not self._is_paused and not self._is_put_away:
            self._left[self._running - 1] -= now - self._since
        self._since = now
