"""One device that somebody else made: which of the words that it says are presses.

Such a device greets nobody and answers nothing. Its words come again as copies, as retained messages, when its bridge
starts and as long as a key is held; docs/hardware.md gives the signs by which a new press is known. No MQTT client and
no clock in here: signals and monotonic seconds go in, events come out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from firmware_bridge.adapters.records import ButtonSignal, Meaning, Repetition
from firmware_bridge.presses.bindings import Bindings
from firmware_bridge.presses.events import BoxEvent
from firmware_bridge.presses.interpreter import PressInterpreter
from firmware_bridge.protocol.gestures import Gesture

COPY_SECONDS = 0.4
"""The same word of the same button within this time is a copy, unless another word of that button came between: copies
were seen from 1 to 380 ms apart, and a finger needs about as long for a second press that is meant."""
SURE_COPY_SECONDS = 0.1
"""Within this time it is a copy whatever came between."""
COPIES_SECONDS = 1.0
"""All copies of a press come within this time of the first."""
BEACON_SECONDS = 0.6
"""The same for devices that send as long as a key is held; each copy starts the time again."""
HOLD_SECONDS = 1.2
"""A held key says so again within this time (a Hue dimmer about every 0.8 s)."""
BEGIN_SECONDS = 1.0
"""A press whose end is not heard counts after this time: some firmware never says the end."""
LONGEST_PRESS_SECONDS = 30.0
"""A press is not held longer; what began before that has ended unheard."""
STATE_REPLAY_SECONDS = 1.5
"""After a node came online its states are the old ones, or those of pins that settle."""
CONTACT_SECONDS = 3.0
"""An event this long after the contact moved belongs to that movement."""
MOVEMENTS = 3
"""So many movements without a word about a press, and the device is known to say none."""
COUNTS_KEPT = 8
COUNT_SECONDS = 10.0
"""A count heard within this time is a copy although others came between (two gateways hear one device)."""
MOST_WORDS_KEPT = 200
_WRAPS_FROM, _WRAPS_TO = 65_000, 500
"""A 16-bit count that falls from above the one to below the other has begun again without a restart."""

_Key = tuple[int, str]


@dataclass(slots=True)
class _Said:
    """A word of a button: when it was said last and first in a row, and whether another word came after it."""

    at: float
    since: float
    is_followed: bool = False


@dataclass(slots=True)
class _OpenPress:
    """A press that began and has not ended; with `is_counted` it has been given as a gesture already."""

    began: float
    is_counted: bool = False


@dataclass(slots=True)
class _Numbering:
    """The counts of one button, newest last, with the seconds at which they were heard."""

    counts: deque[tuple[int, float]] = field(default_factory=lambda: deque(maxlen=COUNTS_KEPT))
    is_confirmed: bool = False
    """whether a count was heard since we connected"""
    pressed: int | None = None
    """the count of the newest press, which a beacon may send again hours later"""


class ButtonDevice:
    """Decides for one device what is a press, and whose. `hears_all` gives words that mean nothing yet as well.

    Times are monotonic seconds. `battery` is percent, None where the device has not said it.
    """

    def __init__(
        self,
        name: str,
        seat: int | None,
        is_paired: bool,
        bindings: Callable[[], Bindings],
        *,
        hears_all: bool = False,
    ) -> None:
        self.presses = PressInterpreter(name, seat, is_paired, bindings)
        self.battery: int | None = None
        self.heard_at: float | None = None
        self.models: set[str] = set()
        """what a bridge says of it: model numbers, and the words that it can say"""
        self._bindings, self._hears_all = bindings, hears_all
        self._words: set[str] = set()
        self._said: dict[_Key, _Said] = {}
        self._newest: dict[int, str] = {}
        """the newest word of each button, as replays repeat it"""
        self._numbering: dict[int, _Numbering] = {}
        self._stamps: deque[tuple[int, str, str]] = deque(maxlen=32)
        self._states: dict[int, str] = {}
        self._states_confirmed: set[int] = set()
        self._contacts: dict[int, float] = {}
        self._movements, self._says_presses = 0, False
        self._open: dict[int, _OpenPress] = {}
        self._held: dict[int, float] = {}
        self._online_at = float("-inf")
        self._replays = 0.0
        self._was_offline = False

    @property
    def is_sleeper(self) -> bool:
        """Whether it runs on a battery, so that its silence or its goodbye says nothing."""
        return self.battery is not None or "shellybutton" in self.presses.box

    @property
    def only_moves(self) -> bool:
        """Whether it says that its inputs move and never that they are pressed (older firmware, or set to switches)."""
        return self._movements >= MOVEMENTS and not self._says_presses

    def _is_bound(self, signal: ButtonSignal) -> bool:
        """Whether somebody gave a meaning to this word of the device."""
        words = (signal.word, signal.name)
        return any(word and self._bindings().intent_of_word(self.presses.box, word, None) is not None for word in words)

    def connected(self) -> None:
        """We have connected to the broker; what was said while we were away is unknown."""
        self._states_confirmed.clear()
        for numbering in self._numbering.values():
            numbering.is_confirmed = False
        self.presses.reset()
        self._open.clear()
        self._held.clear()

    def came_online(self, at: float, replays: float, *, is_change: bool) -> None:
        """Its node or bridge says that it is there; for `replays` seconds it may say old words again.

        `is_change` is whether it was offline or unknown before.
        """
        self._online_at, self._replays = at, replays
        self._was_offline = self._was_offline or is_change

    def went_offline(self) -> None:
        """Its node or bridge says that it has gone."""
        self._was_offline = True
        self.presses.reset()
        self._open.clear()
        self._held.clear()

    def hear(self, signal: ButtonSignal, is_retained: bool, at: float, numbers: Iterator[int]) -> list[BoxEvent]:
        """What a signal at `at` means; `is_retained` is the flag with which the broker delivered it."""
        self.heard_at = at if not is_retained else self.heard_at
        signal = self._decided(signal)
        if signal.meaning is Meaning.CONTACT:
            if not is_retained:
                self._contacts[signal.button] = at
                self._movements += 1
            return []
        if signal.meaning not in (None, Meaning.NOTHING) or self._is_bound(signal):
            self._says_presses = True
        if signal.is_state:
            is_new = self._is_new_state(signal, is_retained, at)
        else:
            is_new = self._is_new_event(signal, is_retained, at)
        if not is_new or not signal.word:
            if signal.meaning is Meaning.LONG and not is_retained and signal.button in self._held:
                self._held[signal.button] = at
            return []
        return self._perform(signal, at, numbers)

    def tick(self, now: float, numbers: Iterator[int]) -> list[BoxEvent]:
        """What is decided by `now` because nothing more came."""
        events: list[BoxEvent] = []
        for button, press in self._open.items():
            if not press.is_counted and now - press.began >= BEGIN_SECONDS and not self._says_ends:
                press.is_counted = True
                events += self.presses.gesture(button, Gesture.SINGLE, "", now, numbers)
        return events + self.presses.tick(now, numbers)

    @property
    def _says_ends(self) -> bool:
        """Whether this device is known to say the end of a press; then a beginning alone is no press."""
        return "(end)" in self._words

    def _decided(self, signal: ButtonSignal) -> ButtonSignal:
        """The signal with the meaning that its word has on this device."""
        for needs, button, meaning in signal.alternatives:
            if not needs or not self._words.isdisjoint(needs) or not self.models.isdisjoint(needs):
                signal = replace(signal, button=button, meaning=meaning)
                break
        if signal.word and len(self._words) < MOST_WORDS_KEPT:
            self._words.add(signal.word)
        return signal

    def _is_new_state(self, signal: ButtonSignal, is_retained: bool, at: float) -> bool:
        """Whether a state has changed while we listened; the first one heard after a connection has not."""
        before = self._states.get(signal.button)
        is_known = signal.button in self._states_confirmed
        self._states[signal.button] = signal.word
        self._states_confirmed.add(signal.button)
        if is_retained or not is_known or signal.word == before:
            return False
        return at - self._online_at >= STATE_REPLAY_SECONDS

    def _is_new_event(self, signal: ButtonSignal, is_retained: bool, at: float) -> bool:
        """Whether an event is said for the first time."""
        is_replay = not is_retained and self._is_replay(signal, at)
        if signal.count is None and signal.repetition is Repetition.STATE:
            return False  # its last event told again looks the same
        if signal.count is not None:
            is_new = self._is_new_count(signal, signal.count, is_retained, at)
            if is_new and signal.repetition is Repetition.BEACON:
                is_new = not self._is_copy(signal, at)
            else:
                self._is_copy(signal, at)
        elif signal.stamp is not None:
            stamp = (signal.button or signal.channel, signal.word, signal.stamp)
            is_new = stamp not in self._stamps
            self._stamps.append(stamp)
        else:
            is_new = is_retained or not self._is_copy(signal, at)
        if signal.word and signal.meaning not in (Meaning.END, Meaning.NOTHING):
            self._newest[signal.button] = signal.word
        return is_new and not is_retained and not is_replay

    def _is_replay(self, signal: ButtonSignal, at: float) -> bool:
        """Whether a bridge that has just come online says again what was said before."""
        since = at - self._online_at
        if signal.count is not None:
            return False
        return since < (self._replays if self._newest.get(signal.button) == signal.word else self._replays / 2)

    def _is_new_count(self, signal: ButtonSignal, count: int, is_retained: bool, at: float) -> bool:
        button = signal.button or signal.channel
        numbering = self._numbering.setdefault(button, _Numbering())
        was_confirmed, numbering.is_confirmed = numbering.is_confirmed, True
        known = numbering.counts
        last, last_at = known[-1] if known else (None, float("-inf"))
        if not signal.word or (count == 0 and signal.meaning is Meaning.NOTHING):
            if not signal.word:
                known.clear()  # the device has started again and counts from here
                numbering.pressed = None
            known.append((count, at))
            return False
        is_recent = any(count == other and at - when < COUNT_SECONDS for other, when in known)
        is_old = is_recent or count in (last, numbering.pressed)
        if not is_old:
            known.append((count, at))
        if not is_old and signal.meaning is not Meaning.NOTHING:
            numbering.pressed = count
        if is_old or is_retained:
            return False
        has_moved = at - self._contacts.get(button, float("-inf")) < CONTACT_SECONDS
        if signal.repetition is not Repetition.STATE or has_moved:
            return True
        has_fallen = last is not None and count < last and not (last > _WRAPS_FROM and count < _WRAPS_TO)
        is_first = last_at < self._online_at
        said_at_start = (
            self._was_offline and is_first and not self.is_sleeper and at - self._online_at < STATE_REPLAY_SECONDS
        )
        return was_confirmed and not said_at_start and (not has_fallen or count == 1)

    def _is_copy(self, signal: ButtonSignal, at: float) -> bool:
        """Whether this word of this button was said a moment ago, with nothing else of that button in between."""
        channel = signal.button or signal.channel
        key = (channel, signal.word)
        said = self._said.get(key)
        is_separator = channel > 0 or signal.meaning is Meaning.END
        if signal.word and is_separator:
            for (button, word), other in self._said.items():
                if word != signal.word and button == channel:
                    other.is_followed = True
        if len(self._said) >= MOST_WORDS_KEPT:
            self._said.clear()
        if said is None:
            self._said[key] = _Said(at, at)
            return False
        apart = at - said.at
        if signal.repetition is Repetition.BEACON:
            is_copy = apart < BEACON_SECONDS
        elif apart < SURE_COPY_SECONDS:
            is_copy = True
        else:
            is_copy = apart < COPY_SECONDS and not said.is_followed and at - said.since < COPIES_SECONDS
        self._said[key] = _Said(at, said.since if is_copy else at, said.is_followed and is_copy)
        return is_copy

    def _perform(self, signal: ButtonSignal, at: float, numbers: Iterator[int]) -> list[BoxEvent]:
        """The events of a signal that is new."""
        box, button, word = self.presses.box, signal.button, signal.word
        is_bound = self._bindings().intent_of_word(box, word, None) is not None
        events: list[BoxEvent] = []
        match signal.meaning:
            case None:
                if signal.name and not is_bound:
                    word = signal.name
                    is_bound = self._bindings().intent_of_word(box, word, None) is not None
                return self.presses.word(word, at, numbers) if is_bound or self._hears_all else []
            case Meaning.NOTHING:
                return self.presses.word(word, at, numbers) if is_bound else []
            case Meaning.PRESS | Meaning.RELEASE:
                return self.presses.edge(button, signal.meaning is Meaning.PRESS, at, at, numbers)
            case Meaning.BEGIN:
                return self._begin(button, at, numbers)
            case Meaning.END:
                events = self._end(button, word, at, numbers)
                return events or (self.presses.word(word, at, numbers) if is_bound else [])
            case Meaning.LONG:
                return self._long(button, word, at, numbers)
            case Meaning.SINGLE | Meaning.DOUBLE:
                press = self._open.pop(button, None)
                self._held.pop(button, None)
                if press is not None:
                    self._words.add("(end)")
                    if press.is_counted and at - press.began < LONGEST_PRESS_SECONDS:
                        return []
                gesture = Gesture.SINGLE if signal.meaning is Meaning.SINGLE else Gesture.DOUBLE
                return self._given(button, gesture, word, at, numbers)
        return events

    def _begin(self, button: int, at: float, numbers: Iterator[int]) -> list[BoxEvent]:
        before = self._open.get(button)
        self._open[button] = _OpenPress(at)
        self._held.pop(button, None)
        if before is None or before.is_counted or self._says_ends:
            return []
        return self.presses.gesture(button, Gesture.SINGLE, "", at, numbers)

    def _end(self, button: int, word: str, at: float, numbers: Iterator[int]) -> list[BoxEvent]:
        self._held.clear()
        press = self._open.pop(button, None)
        if press is None:
            return []
        self._words.add("(end)")
        return [] if press.is_counted else self._given(button, Gesture.SINGLE, word, at, numbers)

    def _long(self, button: int, word: str, at: float, numbers: Iterator[int]) -> list[BoxEvent]:
        press = self._open.get(button)
        held_at = self._held.get(button)
        self._held[button] = at
        if press is not None:
            self._words.add("(end)")
            was_counted, press.is_counted = press.is_counted, True
            if was_counted:
                return []
        elif held_at is not None and at - held_at < HOLD_SECONDS:
            return []
        return self._given(button, Gesture.LONG, word, at, numbers)

    def _given(self, button: int, gesture: Gesture, word: str, at: float, numbers: Iterator[int]) -> list[BoxEvent]:
        """A gesture; or its word, where somebody gave a meaning to the word itself."""
        if self._bindings().intent_of_word(self.presses.box, word, None) is not None:
            return self.presses.word(word, at, numbers)
        return self.presses.gesture(button, gesture, word, at, numbers)
