"""One bought button by given times: which of its words are presses, at the limit of each time that decides it."""

import itertools
from types import MappingProxyType
from typing import Any

import pytest

from companion.session.intents import Intent, IntentKind
from firmware_bridge.adapters.records import ButtonSignal, Meaning, Repetition
from firmware_bridge.presses.bindings import Bindings
from firmware_bridge.presses.events import ButtonPress
from firmware_bridge.protocol.gestures import Gesture
from firmware_bridge.serving import button_device
from firmware_bridge.serving.button_device import ButtonDevice

BOX = "button:mine/a"
SINGLE, DOUBLE, LONG, BEGIN, END = Meaning.SINGLE, Meaning.DOUBLE, Meaning.LONG, Meaning.BEGIN, Meaning.END
PRESS, RELEASE, NOTHING, CONTACT = Meaning.PRESS, Meaning.RELEASE, Meaning.NOTHING, Meaning.CONTACT
STATE, BEACON = Repetition.STATE, Repetition.BEACON


class Told:
    """A device whose gestures all mean something, and of its words those in `bound`; answers with what was pressed."""

    def __init__(self, *bound: str, box: str = BOX, hears_all: bool = False) -> None:
        gestures = {(None, button, gesture): Intent(IntentKind.HELP) for button in range(1, 5) for gesture in Gesture}
        words = {(box, word): Intent(IntentKind.NEXT) for word in bound}
        bindings = Bindings(MappingProxyType(gestures), words=MappingProxyType(words))
        self.device = ButtonDevice(box, 1, True, lambda: bindings, hears_all=hears_all)
        self._numbers = itertools.count(1)

    def say(
        self,
        at: float,
        word: str,
        meaning: Meaning | None = SINGLE,
        button: int = 1,
        *,
        retained: bool = False,
        **more: Any,
    ) -> list[str]:
        signal = ButtonSignal("mine/a", word, button, meaning, **more)
        return self._written(self.device.hear(signal, retained, at, self._numbers))

    def count(self, at: float, count: int, word: str = "on", meaning: Meaning | None = SINGLE, **more: Any) -> bool:
        """Whether a word with a count is a press."""
        return bool(self.say(at, word, meaning, count=count, **more))

    def tick(self, at: float) -> list[str]:
        return self._written(self.device.tick(at, self._numbers))

    @staticmethod
    def _written(events: list[Any]) -> list[str]:
        assert all(isinstance(event, ButtonPress) for event in events)
        return [f"{event.gesture} {event.button}" if event.button else f"says {event.word}" for event in events]


@pytest.mark.parametrize(("apart", "is_new"), [(0.05, False), (0.39, False), (0.4, True), (0.5, True)])
def test_the_same_word_a_moment_later_is_a_copy(apart: float, is_new: bool) -> None:
    told = Told()
    assert told.say(0.0, "on") == ["single 1"]
    assert bool(told.say(apart, "on")) is is_new


def test_the_same_word_of_another_button_is_no_copy() -> None:
    told = Told()
    assert told.say(10.0, "on") + told.say(10.0, "on", button=2) == ["single 1", "single 2"]
    unknown = Told("odd")
    assert (
        unknown.say(10.0, "odd", None, 0, channel=1) + unknown.say(10.0, "odd", None, 0, channel=2) == ["says odd"] * 2
    )


@pytest.mark.parametrize(("apart", "is_new"), [(0.05, False), (0.099, False), (0.1, True), (0.3, True)])
def test_after_another_word_of_the_button_the_same_word_is_a_copy_for_a_shorter_time(
    apart: float, is_new: bool
) -> None:
    told = Told()
    told.say(0.0, "on")
    told.say(0.01, "twice", DOUBLE)
    assert bool(told.say(apart, "on")) is is_new
    other = Told()
    other.say(0.0, "on")
    other.say(0.01, "twice", DOUBLE, 2)  # another button
    assert other.say(apart, "on") == []


def test_a_word_that_says_no_button_stands_between_nothing_unless_it_ends_a_press() -> None:
    for meaning, is_new in ((None, False), (END, True)):
        told = Told()
        told.say(10.0, "on", None, 0)
        told.say(10.1, "odd", meaning, 0)
        told.device._hears_all = True
        assert bool(told.say(10.25, "on", None, 0)) is is_new


def test_copies_come_within_a_second_of_the_first() -> None:
    told = Told()
    heard = [second for second in (0.0, 0.3, 0.6, 0.8, 1.0, 1.3) if told.say(second, "on")]
    assert heard == [0.0, 1.0]


@pytest.mark.parametrize(("apart", "presses"), [(0.59, 1), (0.6, 3)])
def test_each_copy_of_a_beacon_starts_the_time_of_copies_again(apart: float, presses: int) -> None:
    told = Told()
    heard = [told.say(step * apart, "on", repetition=BEACON) for step in range(3)]
    assert sum(map(len, heard)) == presses


def test_a_beacon_with_new_counts_is_a_copy_all_the_same_and_its_last_count_an_old_press() -> None:
    told = Told()
    assert [told.count(10.0 + 0.1 * step, step, repetition=BEACON) for step in range(4)] == [True, False, False, False]
    assert not told.count(4000.0, 3, repetition=BEACON)
    assert told.count(4001.0, 4, repetition=BEACON)


def test_a_stamp_tells_an_event_however_late_it_comes_again() -> None:
    told = Told()
    stamps = ((1.0, "a"), (1.01, "b"), (9.0, "a"), (9.9, "c"))
    assert [bool(told.say(at, "on", stamp=stamp)) for at, stamp in stamps] == [True, True, False, True]
    assert told.say(9.9, "on", button=2, stamp="c")
    assert told.say(9.9, "off", DOUBLE, stamp="c")


@pytest.mark.parametrize(("since", "is_new"), [(1.0, False), (1.49, False), (1.5, True)])
def test_of_a_state_only_changes_count_and_not_those_of_a_node_that_just_came(since: float, is_new: bool) -> None:
    told = Told()
    told.say(1.0, "OFF", RELEASE, is_state=True)
    told.device.came_online(10.0, 0.0, is_change=True)
    told.say(10.0 + since, "ON", PRESS, is_state=True)
    assert bool(told.tick(20.0)) is is_new


def test_the_first_state_after_a_connection_is_no_change_nor_is_a_retained_one() -> None:
    told = Told()
    for at, is_retained in ((1.0, False), (2.0, True)):
        assert told.say(at, "ON", PRESS, is_state=True, retained=is_retained) == []
    told.say(3.0, "OFF", RELEASE, is_state=True)
    told.device.connected()
    told.say(4.0, "ON", PRESS, is_state=True)
    assert told.tick(9.0) == []
    told.say(10.0, "OFF", RELEASE, is_state=True)
    told.say(11.0, "ON", PRESS, is_state=True)
    assert told.tick(19.0) == ["long 1"]


@pytest.mark.parametrize(("word", "since", "is_new"), [
    ("on", 3.9, False), ("on", 4.0, True), ("other", 1.9, False), ("other", 2.0, True),
])  # fmt: skip
def test_what_a_bridge_that_just_came_says_again_is_old(word: str, since: float, is_new: bool) -> None:
    """The word that was said last for all of the time it announces, any other for half of it."""
    told = Told()
    told.say(1.0, "on")
    told.device.came_online(10.0, 4.0, is_change=True)
    assert bool(told.say(10.0 + since, word)) is is_new


def test_an_end_is_not_the_word_that_a_bridge_says_again() -> None:
    told = Told()
    told.say(1.0, "on")
    told.say(1.5, "up", END)
    told.say(1.6, "turn", NOTHING)
    told.device.came_online(10.0, 4.0, is_change=True)
    assert told.say(13.0, "on") == []


def test_a_count_is_a_press_once() -> None:
    told = Told()
    assert [told.count(at, count) for at, count in ((1.0, 5), (1.1, 5), (1.2, 6), (1.3, 5), (1.4, 7))] == [
        True, False, True, False, True,
    ]  # fmt: skip
    assert [told.count(at, 5) for at in (10.99, 11.3)] == [False, True]  # two gateways, and a device that began anew
    told.count(50.0, 9, retained=True)
    assert not told.count(80.0, 9)


@pytest.mark.parametrize(("after", "is_new"), [(9.99, False), (10.0, True)])
def test_a_count_that_others_followed_is_a_copy_for_ten_seconds(after: float, is_new: bool) -> None:
    told = Told()
    told.count(1.0, 5)
    told.count(1.5, 6)
    assert told.count(1.0 + after, 5) is is_new


def test_a_device_that_repeats_its_last_event_says_the_first_count_of_an_old_press() -> None:
    told = Told()
    assert not told.say(1.0, "on", repetition=STATE)  # without a count nothing tells it from the last one
    assert not told.count(2.0, 5, repetition=STATE)
    assert told.count(3.0, 6, repetition=STATE)
    told.device.connected()
    assert not told.count(4.0, 7, repetition=STATE)
    assert told.count(5.0, 8, repetition=STATE)


@pytest.mark.parametrize(("after", "is_new"), [(2.99, True), (3.0, False)])
def test_the_first_count_is_new_where_the_contact_has_just_moved(after: float, is_new: bool) -> None:
    told = Told()
    assert told.say(1.0, "1", CONTACT) == []
    assert told.count(1.0 + after, 5, repetition=STATE) is is_new
    retained = Told()
    retained.say(1.0, "1", CONTACT, retained=True)
    assert not retained.count(1.1, 5, repetition=STATE)


@pytest.mark.parametrize(
    ("before", "after", "is_new"),
    [
        (10, 11, True), (10, 9, False), (10, 1, True), (10, 0, False), (65_001, 499, True), (65_001, 500, False),
        (65_000, 499, False), (65_535, 0, True),
    ],
)  # fmt: skip
def test_a_count_that_falls_has_begun_anew_or_gone_round(before: int, after: int, is_new: bool) -> None:
    told = Told()
    told.count(1.0, before, repetition=STATE)
    assert told.count(2.0, after, repetition=STATE) is is_new


@pytest.mark.parametrize(("since", "is_new"), [(1.49, False), (1.5, True)])
def test_the_first_count_of_a_device_that_has_started_again_may_be_an_old_one(since: float, is_new: bool) -> None:
    told = Told()
    told.count(1.0, 4, repetition=STATE)
    told.device.went_offline()
    told.device.came_online(10.0, 0.0, is_change=False)
    assert told.count(10.0 + since, 5, repetition=STATE) is is_new
    assert told.count(12.0, 6, repetition=STATE)


def test_only_a_device_that_was_away_and_runs_on_the_mains_says_old_counts_at_its_start() -> None:
    for prepare, is_new in ((lambda _: None, True), (lambda device: device.went_offline(), False)):
        told = Told()
        told.count(1.0, 4, repetition=STATE)
        prepare(told.device)
        told.device.came_online(10.0, 0.0, is_change=False)
        assert told.count(10.5, 5, repetition=STATE) is is_new
    changed = Told()
    changed.count(1.0, 4, repetition=STATE)
    changed.device.came_online(9.0, 0.0, is_change=True)
    changed.device.came_online(10.0, 0.0, is_change=False)
    assert not changed.count(10.5, 5, repetition=STATE)
    for sleeper in (Told(), Told(box="button:shelly/shellybutton1-A1")):
        sleeper.device.battery = None if "shelly" in sleeper.device.presses.box else 50
        sleeper.count(1.0, 4, repetition=STATE)
        sleeper.device.went_offline()
        sleeper.device.came_online(10.0, 0.0, is_change=True)
        assert sleeper.count(10.5, 5, repetition=STATE)


def test_an_empty_word_carries_the_count_from_which_a_device_goes_on() -> None:
    told = Told()
    told.count(1.0, 7)
    assert not told.count(2.0, 0, "", NOTHING)
    assert told.count(3.0, 7)  # it counts anew
    assert told.count(3.5, 1, repetition=STATE)


def test_a_count_of_nothing_is_no_press_but_known() -> None:
    told = Told("turn")
    assert not told.count(1.0, 0, "turn", NOTHING)
    assert not told.count(2.0, 0)
    assert told.count(3.0, 1, "turn", NOTHING)
    assert not told.count(3.1, 1)
    held = Told()
    held.count(1.0, 5, repetition=BEACON)
    held.count(20.0, 6, "turn", NOTHING, repetition=BEACON)
    assert not held.count(40.0, 5, repetition=BEACON)


def test_counts_that_are_invented_take_no_memory() -> None:
    told = Told()
    for count in range(20):
        told.count(1.0 + count / 100, count)
    assert told.count(1.5, 11)  # of the last eight alone it is known that they were heard
    assert not told.count(1.6, 13)


@pytest.mark.parametrize(("after", "pressed"), [(0.99, []), (1.0, ["single 1"])])
def test_a_press_whose_end_is_never_said_counts_after_a_while(after: float, pressed: list[str]) -> None:
    told = Told()
    assert told.say(10.0, "down", BEGIN) == []
    assert told.tick(10.0 + after) == pressed
    assert told.tick(11.5) == ([] if pressed else ["single 1"])
    assert told.tick(12.0) == []


def test_a_press_whose_end_is_said_counts_with_it_and_never_before() -> None:
    told = Told()
    told.say(10.0, "down", BEGIN)
    assert told.say(10.2, "up", END) == ["single 1"]
    told.say(20.0, "down", BEGIN)
    assert told.tick(29.0) == []  # this device says its ends
    assert told.say(29.5, "up", END) == ["single 1"]
    assert told.say(31.0, "up", END) == []


def test_a_second_beginning_without_an_end_makes_the_first_a_press() -> None:
    told = Told()
    told.say(10.0, "down", BEGIN)
    assert told.say(10.5, "down", BEGIN) == ["single 1"]
    assert told.tick(11.6) == ["single 1"]
    assert told.say(12.5, "down", BEGIN) == []  # the second has been given
    assert told.say(13.0, "up", END) == ["single 1"]
    told.say(14.0, "down", BEGIN)
    assert told.say(15.0, "down", BEGIN) == []  # it is known to say the end


def test_the_gesture_that_follows_a_beginning_is_the_press_unless_that_was_given() -> None:
    told = Told()
    told.say(10.0, "down", BEGIN)
    assert told.say(10.3, "on") == ["single 1"]
    assert told.tick(11.5) == []
    late = Told()
    late.say(10.0, "down", BEGIN)
    assert late.tick(11.0) == ["single 1"]
    assert late.say(11.5, "twice", DOUBLE) == []
    assert late.say(12.5, "twice", DOUBLE) == ["double 1"]


@pytest.mark.parametrize(("after", "pressed"), [(29.9, []), (30.0, ["single 1"])])
def test_what_began_half_a_minute_ago_has_ended_unheard(after: float, pressed: list[str]) -> None:
    told = Told()
    told.say(10.0, "down", BEGIN)
    told.tick(11.0)
    assert told.say(10.0 + after, "on") == pressed


def test_a_long_press_is_given_once_however_often_it_is_said() -> None:
    told = Told()
    assert told.say(10.0, "hold", LONG) == ["long 1"]
    assert told.say(11.19, "hold", LONG) == []
    assert told.say(12.38, "hold", LONG) == []
    assert told.say(13.59, "hold", LONG) == ["long 1"]
    assert told.say(13.8, "hold", LONG) == []  # a copy, which tells that it is held
    assert told.say(14.99, "hold", LONG) == []
    assert told.say(15.1, "up", END) == []
    assert told.say(15.6, "hold", LONG) == ["long 1"]
    assert told.say(16.1, "on") == ["single 1"]
    assert told.say(16.6, "hold", LONG) == ["long 1"]


def test_a_long_press_after_its_beginning_is_one_press() -> None:
    told = Told()
    told.say(10.0, "down", BEGIN)
    assert told.say(10.5, "hold", LONG) == ["long 1"]
    assert told.say(13.0, "hold", LONG) == []
    assert told.say(14.0, "up", END) == []
    told.say(20.0, "down", BEGIN)
    assert told.tick(21.5) == []
    assert told.say(25.0, "up", END) == ["single 1"]


@pytest.mark.parametrize("forget", [ButtonDevice.connected, ButtonDevice.went_offline])
def test_what_was_held_is_forgotten_when_the_wire_or_the_device_goes(forget: Any) -> None:
    told = Told()
    told.say(10.0, "hold", LONG, 2)
    told.say(10.1, "down", BEGIN)
    told.say(10.1, "ON", PRESS, 3)
    forget(told.device)
    assert told.tick(12.0) == []
    assert told.say(10.9, "hold", LONG, 2) == ["long 2"]
    assert told.say(13.0, "up", END) == []


def test_a_word_that_means_something_by_itself_goes_before_its_gesture() -> None:
    told = Told("on", "hold", "up", "turn", "odd")
    assert told.say(1.0, "on") == ["says on"]
    assert told.say(2.0, "hold", LONG) == ["says hold"]
    assert told.say(3.0, "up", END) == ["says up"]
    assert told.say(4.0, "turn", NOTHING) == ["says turn"]
    assert told.say(5.0, "odd", None, 0) == ["says odd"]
    told.say(6.0, "down", BEGIN)
    assert told.say(6.5, "up", END) == ["says up"]


def test_words_without_a_meaning_are_heard_only_by_who_chooses() -> None:
    assert Told().say(1.0, "odd", None, 0) == []
    assert Told().say(1.0, "turn", NOTHING) == []
    assert Told(hears_all=True).say(1.0, "odd", None, 0) == ["says odd"]
    assert Told(hears_all=True).say(1.0, "turn", NOTHING) == []
    assert Told(hears_all=True).say(1.0, "", None, 0) == []


def test_a_word_that_says_nothing_is_called_by_its_topic_unless_it_means_something() -> None:
    assert Told("key").say(1.0, "1", None, 0, name="key") == ["says key"]
    assert Told("1").say(1.0, "1", None, 0, name="key") == ["says 1"]
    assert Told(hears_all=True).say(1.0, "1", None, 0, name="key") == ["says key"]
    assert Told().say(1.0, "1", None, 0, name="key") == []


def test_a_word_has_the_meaning_that_other_words_or_the_model_give_it() -> None:
    alternatives = ((("twin",), 2, DOUBLE), (("X 1",), 3, LONG), ((), 1, SINGLE))
    told = Told()
    assert told.say(1.0, "on", alternatives=alternatives) == ["single 1"]
    told.device.models = {"X 1"}
    assert told.say(2.0, "on", alternatives=alternatives) == ["long 3"]
    told.say(3.0, "twin", NOTHING)
    assert told.say(4.0, "on", alternatives=alternatives) == ["double 2"]


def test_a_device_that_only_moves_is_known_by_three_movements_without_a_press() -> None:
    told = Told("odd", "")
    only_moves = []
    for second in range(4):
        told.say(float(second), "1", CONTACT)
        only_moves.append(told.device.only_moves)
    assert only_moves == [False, False, True, True]
    told.say(5.0, "turn", NOTHING)
    told.say(6.0, "odder", None, 0)
    assert told.device.only_moves
    told.say(7.0, "odd", None, 0)
    assert not told.device.only_moves
    retained = Told()
    for second in range(4):
        retained.say(float(second), "1", CONTACT, retained=True)
    assert not retained.device.only_moves


def test_when_it_was_heard_last_and_that_a_retained_word_is_no_sign_of_life() -> None:
    told = Told()
    told.say(1.0, "on", retained=True)
    assert told.device.heard_at is None
    told.say(2.0, "on")
    told.say(3.0, "on", retained=True)
    assert told.device.heard_at == 2.0


def test_words_that_are_invented_take_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(button_device, "MOST_WORDS_KEPT", 5)
    told = Told()
    for number in range(20):
        told.say(1.0 + number / 1000, f"word {number}", None, 0)
    assert len(told.device._said) <= 5
    assert len(told.device._words) == 5


def test_presses_have_numbers_and_the_second_at_which_they_were_heard() -> None:
    told = Told()
    signal = ButtonSignal("mine/a", "on", 2, SINGLE)
    (press,) = told.device.hear(signal, False, 12.5, itertools.count(41))
    assert (press.number, press.at, press.seat, press.word) == (41, 12.5, 1, "on")
