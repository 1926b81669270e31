"""Turns edges, gestures and words of one box into presses with a seat and an intent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from companion.session.intents import Intent
from companion.wording.sentences import sentence
from firmware_bridge.presses.bindings import Bindings
from firmware_bridge.presses.events import BoxEvent, ButtonPress, Notice
from firmware_bridge.protocol.gestures import Gesture, GestureRecogniser, Performed
from firmware_bridge.transports.rate_limit import RateLimit

STALE_AFTER = 5.0
PRESS_RATE, PRESS_BURST = 200.0, 400.0
"""Presses a second, and at once, that a box may give: more than fingers can, and few enough for the program."""

_PAIRING_GESTURES = frozenset({Gesture.SINGLE, Gesture.LONG})
"""The gestures that are recognised of a box that belongs to nobody yet."""


class PressInterpreter:
    """Interprets one box. `seat` and `is_paired` may be changed at any time and hold for later presses."""

    def __init__(self, box: str, seat: int | None, is_paired: bool, bindings: Callable[[], Bindings]) -> None:
        self.box, self.seat, self.is_paired = box, seat, is_paired
        self._bindings = bindings
        self._gestures = GestureRecogniser(self._wanted)
        self._rate_limit = RateLimit(PRESS_RATE, PRESS_BURST)
        self._said: set[str] = set()

    def edge(self, button: int, pressed: bool, at: float, now: float, numbers: Iterator[int]) -> list[BoxEvent]:
        """A button went down or up at the second `at`; we heard of it at `now`."""
        return self._all(self._gestures.edge(button, pressed, at), now, numbers)

    def tick(self, now: float, numbers: Iterator[int]) -> list[BoxEvent]:
        """What is decided by `now` because nothing more came."""
        return self._all(self._gestures.tick(now), now, numbers)

    def gesture(self, button: int, gesture: Gesture, word: str, now: float, numbers: Iterator[int]) -> list[BoxEvent]:
        """The device itself recognised a gesture and said so with a word."""
        return self._press(Performed(button, gesture, now), now, numbers, word)

    def word(self, word: str, now: float, numbers: Iterator[int]) -> list[BoxEvent]:
        """The device said a word that no record knows."""
        return self._press(Performed(0, Gesture.SINGLE, now), now, numbers, word)

    def reset(self) -> None:
        """Forget buttons held down and presses half done: the box is out of reach."""
        self._gestures.reset()

    def notice(self, text: str) -> list[BoxEvent]:
        """Something a person should know of this box, if it has not been said."""
        if text in self._said:
            return []
        self._said.add(text)
        return [Notice(self.box, text)]

    def _wanted(self, button: int) -> frozenset[Gesture]:
        wanted = self._bindings().gestures(self.box, button)
        return wanted if self.is_paired else wanted | _PAIRING_GESTURES

    def _all(self, performed: Iterable[Performed], now: float, numbers: Iterator[int]) -> list[BoxEvent]:
        return [event for gesture in performed for event in self._press(gesture, now, numbers)]

    def _press(self, performed: Performed, now: float, numbers: Iterator[int], word: str = "") -> list[BoxEvent]:
        if not self._rate_limit.take(self.box, now):
            return self.notice(sentence("it is pressed faster than fingers can; that is not acted on"))
        is_stale = now - performed.at > STALE_AFTER
        return [
            ButtonPress(
                number=next(numbers),
                box=self.box,
                seat=self.seat,
                button=performed.button,
                gesture=performed.gesture,
                intent=self._intent(performed, word) if self.is_paired and not is_stale else None,
                at=performed.at,
                is_stale=is_stale,
                is_paired=self.is_paired,
                word=word,
            )
        ]

    def _intent(self, performed: Performed, word: str) -> Intent | None:
        bindings = self._bindings()
        bound = bindings.intent_of_word(self.box, word, self.seat) if word else None
        return bound or bindings.intent(self.box, performed.button, performed.gesture, self.seat)
