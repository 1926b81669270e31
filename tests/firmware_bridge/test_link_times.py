"""A link message by message, without a box: its greetings, beats, resends and lamps at the limits of their times."""

import pytest

from firmware_bridge.presses.bindings import default_bindings
from firmware_bridge.presses.events import ButtonPress
from firmware_bridge.presses.interpreter import PressInterpreter
from firmware_bridge.protocol.link import Edge, Link, Remark, StateChange
from firmware_bridge.protocol.messages import (
    Ack,
    Availability,
    Beat,
    Button,
    Buzz,
    Foreign,
    Hello,
    HostBeat,
    HostHello,
    Led,
    LinkState,
    Message,
    Nak,
    NakReason,
    TextButton,
    TextHello,
)

READY, LOST = LinkState.READY, LinkState.LOST
HELLO = Hello(1, 1, 256, 4, 4, 0, 0, 7, 10, 1000, b"12345678")


class Host:
    """A link that was opened at second 0, with what it said at which second."""

    def __init__(self, *, only_listens: bool = False, is_ready: bool = True) -> None:
        self.link = Link(0.1, session=5, only_listens=only_listens)
        self.said: list[tuple[float, Message]] = []
        self.events: list[object] = []
        self.link.opening()
        self.link.opened(0.0)
        self.take(0.0)
        if is_ready:
            self.hear(0.0, HELLO)

    def take(self, now: float) -> list[Message]:
        messages = self.link.take_messages()
        self.said += [(now, message) for message in messages]
        self.events += self.link.take_events()
        return messages

    def hear(self, now: float, content: object) -> list[Message]:
        self.link.receive(content, now)
        return self.take(now)

    def tick(self, now: float) -> list[Message]:
        self.link.tick(now)
        return self.take(now)

    def settle(self, now: float = 0.0) -> None:
        """Answer whatever was commanded."""
        for _, message in [*self.said]:
            if isinstance(message, Led | Buzz):
                self.hear(now, Ack(message.seq, 7))

    def run(self, first: float, last: float, step: float = 0.0625) -> None:
        for count in range(round((last - first) / step) + 1):
            self.tick(first + count * step)

    def seconds_of(self, kind: type) -> list[float]:
        return [round(now, 3) for now, message in self.said if isinstance(message, kind)]


def beat(uptime_ms: int = 2000, *, pressed: int = 0, lit: int = 0, oldest: int = 10, pending: int = 0) -> Beat:
    return Beat(7, uptime_ms, pressed, lit, oldest, pending, 0)


def edge(seq: int, button: int = 1, pressed: bool = True, oldest: int | None = None, t_ms: int = 1500) -> Button:
    return Button(seq, 7, seq if oldest is None else oldest, button, pressed, t_ms)


def test_a_box_is_greeted_often_at_first_and_then_once_a_second() -> None:
    host = Host(is_ready=False)
    host.run(0.0, 7.0)
    assert host.seconds_of(HostHello) == [*(0.25 * count for count in range(16)), 4.75, 5.75, 6.75]
    assert host.said[0][1] == HostHello(1, 1, 5)


@pytest.mark.parametrize(("now", "is_reported"), [(3.99, False), (4.0, True)])
def test_a_box_that_does_not_answer_is_reported_after_four_seconds(now: float, is_reported: bool) -> None:
    host = Host(is_ready=False)
    host.tick(now)
    wanted = "no box answers; is it switched on, and does it speak this protocol?" if is_reported else ""
    assert host.link.reason == wanted
    host.tick(now)
    assert len([event for event in host.events if isinstance(event, StateChange)]) == 2 + is_reported


def test_greetings_never_come_closer_than_a_quarter_of_a_second() -> None:
    host = Host(is_ready=False)
    for now in (0.1, 0.24, 0.25, 0.3, 0.5):
        host.hear(now, Availability(online=True))
    assert host.seconds_of(HostHello) == [0.0, 0.25, 0.5]


def test_the_host_beats_once_a_second_from_the_greeting_on() -> None:
    host = Host()
    for second in (1.0, 1.99, 2.0, 3.0):
        host.hear(second, beat())
    assert host.seconds_of(HostBeat) == [0.0, 1.0, 2.0, 3.0]
    silent = Host(only_listens=True)
    silent.run(0.0, 3.0)
    assert silent.seconds_of(HostBeat) == []


@pytest.mark.parametrize(("now", "state"), [(3.2, READY), (3.21, LOST)])
def test_a_box_is_lost_that_was_silent_for_a_little_more_than_three_beats(now: float, state: LinkState) -> None:
    host = Host()
    host.tick(now)
    assert host.link.state is state
    assert host.link.reason == ("" if state is READY else "silent for 3 seconds")


def test_a_box_that_is_lost_is_greeted_again() -> None:
    host = Host()
    host.said.clear()
    host.run(3.25, 6.0)
    assert host.seconds_of(HostHello) == [3.25, 3.5, 3.75, 4.75, 5.75]
    host.hear(6.0, HELLO)
    assert host.link.state is READY


def test_a_command_is_sent_again_until_it_is_answered() -> None:
    host = Host()
    host.settle()
    host.said.clear()
    host.link.buzz(440, 200)
    for now in (1.0, 1.05, 1.1, 1.15, 1.25):
        host.hear(now, beat())
    assert host.seconds_of(Buzz) == [1.0, 1.1, 1.25]
    (seq,) = {message.seq for _, message in host.said if isinstance(message, Buzz)}
    host.hear(1.3, Ack(seq, 8))  # of another start of the box
    host.hear(1.3, Ack(seq + 1, 7))
    assert host.seconds_of(Buzz)[-1] == 1.25
    host.hear(1.35, beat())
    assert host.seconds_of(Buzz)[-1] == 1.35
    host.hear(1.4, Ack(seq, 7))
    host.hear(2.0, beat())
    assert host.seconds_of(Buzz)[-1] == 1.35
    assert (host.link.refused_commands, host.link.unanswered_commands) == (0, 0)


def test_a_command_that_is_refused_is_counted_and_not_sent_again() -> None:
    host = Host()
    host.settle()
    host.link.buzz(440, 200)
    host.tick(1.0)
    seq = host.said[-1][1].seq
    host.hear(1.0, Nak(seq, 8, NakReason.REFUSED))
    assert host.link.refused_commands == 0
    host.hear(1.0, Nak(seq, 7, NakReason.REFUSED))
    host.hear(1.0, Nak(seq, 7, NakReason.REFUSED))
    assert host.link.refused_commands == 1
    host.said.clear()
    host.hear(2.0, beat())
    assert host.seconds_of(Buzz) == []


def test_a_tone_is_for_a_box_that_is_there_and_not_for_one_that_was_lost() -> None:
    host = Host(is_ready=False)
    host.link.buzz(440, 200)
    host.hear(0.5, HELLO)
    host.tick(1.0)
    assert host.seconds_of(Buzz) == []
    host.settle()
    host.link.buzz(440, 200)
    host.link.set_led(2, True)
    host.link.lost("was unplugged")
    host.link.opened(2.0)
    host.hear(2.0, HELLO)
    host.tick(2.1)
    assert host.seconds_of(Buzz) == []


def test_nothing_is_done_while_the_port_is_away() -> None:
    host = Host()
    host.link.lost("was unplugged")
    host.said.clear()
    host.run(0.0, 10.0)
    host.link.set_led(1, True)
    host.run(10.0, 12.0)
    assert host.said == []
    assert host.link.reason == "was unplugged"
    host.link.close()
    assert (host.tick(20.0), host.link.state, host.link.reason) == ([], LinkState.CLOSED, "")


def test_each_lamp_is_commanded_by_a_number_of_its_own() -> None:
    host = Host()
    leds = [message for _, message in host.said if isinstance(message, Led)]
    assert [(message.led, message.on, message.seq) for message in leds] == [(led, False, led) for led in (1, 2, 3, 4)]


def test_numbers_of_commands_go_round() -> None:
    host = Host()
    host.settle()
    host.link._next_command = 65_534
    for led in (1, 2, 3):
        host.link.set_led(led, True)
    host.said.clear()
    host.tick(0.5)
    assert [message.seq for _, message in host.said if isinstance(message, Led)] == [65_535, 0, 1]


@pytest.mark.parametrize(("now", "is_over"), [(1.39, False), (1.4, True)])
def test_a_flash_ends_at_its_second(now: float, is_over: bool) -> None:
    host = Host()
    host.settle()
    host.link.flash(3, 1.4)
    host.hear(1.0, beat())
    host.settle(1.0)
    host.said.clear()
    host.tick(now)
    assert [(message.led, message.on) for _, message in host.said if isinstance(message, Led)] == (
        [(3, False)] if is_over else []
    )


def test_a_lamp_blinks_twice_a_second_and_is_told_only_when_it_changes() -> None:
    host = Host()
    host.settle()
    host.link.blink(2, True)
    host.link.blink(2, True)
    host.said.clear()
    shown: list[tuple[float, bool]] = []
    for step in range(60):
        now = 0.01 + step * 0.05
        for message in host.hear(now, beat(lit=2 if shown and shown[-1][1] else 0)):
            if isinstance(message, Led):
                assert message.led == 2
                shown.append((round(now, 2), message.on))
                host.hear(now, Ack(message.seq, 7))
    assert shown[-4:] == [(1.01, True), (1.51, False), (2.01, True), (2.51, False)]
    host.link.blink(2, False)
    host.link.blink(2, False)
    host.run(3.0, 4.0)
    assert host.link._blinking == set()


def test_a_lamp_that_the_box_shows_wrongly_is_set_right_unless_it_is_being_set() -> None:
    host = Host()
    host.settle()
    host.said.clear()
    host.hear(1.0, beat(lit=0b0101))
    assert [(message.led, message.on) for _, message in host.said if isinstance(message, Led)] == [
        (1, False),
        (3, False),
    ]
    seqs = [message.seq for _, message in host.said if isinstance(message, Led)]
    host.said.clear()
    host.hear(1.2, beat(lit=0b0101))  # these are still on their way
    assert [message.seq for _, message in host.said if isinstance(message, Led)] == seqs


def test_only_a_box_that_is_quiet_about_a_button_is_believed_that_it_came_up() -> None:
    host = Host()
    host.hear(0.5, edge(10))
    host.hear(0.6, edge(11, 2))
    host.events.clear()
    host.hear(1.0, beat(pressed=0b10, oldest=12, pending=1))
    assert host.events == []
    host.hear(1.1, beat(pressed=0b10, oldest=13))
    assert host.events == [Edge(1, False, 1.1)]
    host.hear(1.2, beat(pressed=0b10, oldest=13))
    assert len(host.events) == 1
    host.hear(1.3, edge(14, 3, oldest=13))
    host.hear(1.4, beat(oldest=13))  # an edge is missing
    assert len(host.events) == 1


def test_an_edge_of_an_unknown_start_is_not_taken_and_the_box_greeted() -> None:
    host = Host()
    host.events.clear()
    assert host.hear(1.0, Button(0, 8, 0, 1, True, 0))[0] == HostHello(1, 1, 5)
    host.hear(2.0, Beat(8, 0, 0, 0, 0, 0, 0))
    assert host.events == []
    assert host.seconds_of(HostHello)[1:] == [1.0, 2.0]


def test_edges_are_acknowledged_each_time_but_not_by_who_only_listens() -> None:
    host = Host()
    for now in (1.0, 1.1):
        assert Ack(10, 7) in host.hear(now, edge(10))
    assert host.link.duplicates == 1
    silent = Host(only_listens=True)
    assert silent.hear(1.0, edge(10)) == []


def test_an_edge_lies_where_the_clock_of_its_box_says() -> None:
    host = Host()
    host.hear(2.0, edge(10, t_ms=1500))
    host.hear(2.0, edge(11, 1, False, t_ms=1600))
    assert [event.at for event in host.events if isinstance(event, Edge)] == pytest.approx([0.5, 0.6])
    host.hear(3.0, Hello(1, 1, 256, 4, 4, 0, 0, 8, 0, 50, b"12345678"))
    host.hear(4.0, Button(0, 8, 0, 2, True, 150))
    assert host.events[-1].at == pytest.approx(3.1)


@pytest.mark.parametrize(("apart", "answers"), [(0.24, 1), (0.25, 2)])
def test_what_is_not_understood_is_answered_four_times_a_second_at_most(apart: float, answers: int) -> None:
    host = Host()
    host.said.clear()
    for now in (1.0, 1.0 + apart):
        host.hear(now, Foreign(9, NakReason.VERSION))
    assert [message for _, message in host.said if isinstance(message, Nak)] == [Nak(9, 7, NakReason.VERSION)] * answers


def test_a_box_of_plain_text_is_not_beaten_out_by_silence_nor_asked_twice() -> None:
    host = Host(is_ready=False)
    host.hear(0.5, TextHello(2))
    assert host.link.reason == "plain text, without acknowledgement"
    host.link.set_led(1, True)
    host.link.buzz(440, 100)
    host.said.clear()
    host.run(1.0, 10.0)
    assert [message.on for _, message in host.said if isinstance(message, Led)] == [True]
    assert len(host.seconds_of(Buzz)) == 1
    assert host.link.state is READY


def test_an_edge_of_plain_text_counts_where_it_changes_the_button() -> None:
    host = Host(is_ready=False)
    for now, pressed in ((1.0, False), (1.1, True), (1.2, True), (1.3, False), (1.4, False)):
        host.hear(now, TextButton(3, pressed))
    assert [event for event in host.events if isinstance(event, Edge)] == [Edge(3, True, 1.1), Edge(3, False, 1.3)]


def test_another_box_takes_the_place_of_one_that_is_silent_and_not_before() -> None:
    host = Host()
    other = Hello(1, 1, 256, 2, 2, 0, 0, 9, 0, 5, b"another!")
    host.hear(3.2, other)
    assert host.link.hello.uid == b"12345678"
    assert [event.text for event in host.events if isinstance(event, Remark)] == [
        "another box uses its name; only the first is listened to"
    ]
    host.hear(3.21, other)
    assert (host.link.state, host.link.reason) == (LOST, "silent for 3 seconds")
    host.hear(3.5, other)
    assert (host.link.state, host.link.hello.uid) == (READY, b"another!")


@pytest.mark.parametrize(("first", "last", "state"), [(1, 1, READY), (0, 1, READY), (1, 9, READY), (2, 9, LOST)])
def test_a_box_that_speaks_this_version_too_is_understood(first: int, last: int, state: LinkState) -> None:
    host = Host(is_ready=False)
    host.hear(0.5, Hello(first, last, 256, 4, 4, 0, 0, 7, 0, 0, b"12345678"))
    assert host.link.state is state


def interpreter() -> PressInterpreter:
    return PressInterpreter("mqtt:blue", 2, True, default_bindings)


@pytest.mark.parametrize(("late", "is_stale"), [(5.0, False), (5.01, True)])
def test_a_press_that_was_long_on_its_way_is_shown_and_asks_for_nothing(late: float, is_stale: bool) -> None:
    (press,) = interpreter().edge(1, True, 100.0, 100.0 + late, iter([1]))
    assert (press.is_stale, press.intent is None, press.at) == (is_stale, is_stale, 100.0)


def test_presses_faster_than_fingers_can_are_said_once_and_not_acted_on() -> None:
    presses, numbers = interpreter(), iter(range(1, 2000))
    events = [event for _ in range(405) for event in presses.gesture(1, "single", "on", 10.0, numbers)]
    assert [type(event) for event in events].count(ButtonPress) == 400
    assert [event.text for event in events if not isinstance(event, ButtonPress)] == [
        "it is pressed faster than fingers can; that is not acted on"
    ]
    later = [event for _ in range(150) for event in presses.gesture(1, "single", "on", 10.5, numbers)]
    assert len(later) == 100
