"""A link and a simulated box in simulated time, with a wire between them that may lose, repeat and reorder."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.protocol.link import COMMAND_ATTEMPTS, PATIENCE, SILENCE, Edge, Link, Remark, StateChange
from firmware_bridge.protocol.messages import (
    UNACKNOWLEDGED_EDGES,
    Availability,
    Beat,
    Button,
    Buzz,
    Foreign,
    Hello,
    HostHello,
    Incoming,
    Led,
    LinkState,
    Message,
    Nak,
    NakReason,
    TextButton,
    TextHello,
)
from firmware_bridge.simulators.box import SimulatedBox

READY, LOST, HELLO = LinkState.READY, LinkState.LOST, LinkState.HELLO
STEP = 0.01


class Wire:
    """Carries messages late, twice or not at all."""

    def __init__(self, rng: random.Random, loss: float = 0.0, repeat: float = 0.0, delay: float = 0.0) -> None:
        self.loss = loss
        self._rng, self._repeat, self._delay = rng, repeat, delay
        self._under_way: list[tuple[float, Message]] = []
        self.is_cut = False
        self.sent: list[Message] = []

    def send(self, messages: list[Message], now: float) -> None:
        self.sent += messages
        for message in messages:
            copies = 2 if self._rng.random() < self._repeat else 1
            for _ in range(copies):
                if not self.is_cut and self._rng.random() >= self.loss:
                    self._under_way.append((now + self._rng.random() * self._delay, message))

    def arrived(self, now: float) -> list[Message]:
        arrived = sorted((entry for entry in self._under_way if entry[0] <= now), key=lambda entry: entry[0])
        self._under_way = [entry for entry in self._under_way if entry[0] > now]
        return [message for _, message in arrived]


class Table:
    """A host's link and a box whose clock began elsewhere, wired together."""

    def __init__(
        self, seed: int = 0, loss: float = 0.0, repeat: float = 0.0, delay: float = 0.0, *, only_listens: bool = False
    ) -> None:
        rng = random.Random(seed)
        self.now = 1000.0
        self.link = Link(retry_after=0.1, session=1, only_listens=only_listens)
        self.box = SimulatedBox(self.box_time, boot=7, first_seq=65_530)
        self.up, self.down = Wire(rng, loss, repeat, delay), Wire(rng, loss, repeat, delay)
        self.states: list[StateChange] = []
        self.edges: list[Edge] = []
        self.remarks: list[Remark] = []
        self.link.opening()
        self.link.opened(self.now)

    @property
    def box_time(self) -> float:
        return self.now * 1.0001 - 900

    def step(self) -> None:
        self.now += STEP
        for message in self.up.arrived(self.now):
            self.link.receive(message, self.now)
        for message in self.down.arrived(self.now):
            self.box.receive(message, self.box_time)
        self.link.tick(self.now)
        self.box.tick(self.box_time)
        self.up.send(self.box.take_messages(), self.now)
        self.down.send(self.link.take_messages(), self.now)
        for event in self.link.take_events():
            match event:
                case Edge():
                    self.edges.append(event)
                case StateChange():
                    self.states.append(event)
                case Remark():
                    self.remarks.append(event)

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP)):
            self.step()

    def make_ready(self) -> None:
        for _ in range(1000):
            self.step()
            if self.link.state is READY:
                return
        raise AssertionError("never ready")


def test_a_box_is_greeted_and_ready() -> None:
    table = Table()
    table.run(0.1)
    assert [change.state for change in table.states] == [LinkState.OPENING, HELLO, READY]
    assert table.link.hello is not None
    assert (table.link.hello.buttons, table.link.hello.boot) == (4, 7)


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_every_edge_arrives_once_and_in_order_over_a_bad_wire(seed: int) -> None:
    table = Table(seed, loss=0.3, repeat=0.2, delay=0.08)
    table.make_ready()
    pressed = []
    for count in range(40):
        while table.box.pending > UNACKNOWLEDGED_EDGES - 2:
            table.step()
        button = count % 4 + 1
        table.box.press(button, table.box_time)
        pressed.append((button, True, table.now))
        table.run(0.02)
        table.box.release(button, table.box_time)
        pressed.append((button, False, table.now))
        table.run(0.02)
    table.run(5.0)
    assert [(edge.button, edge.pressed) for edge in table.edges] == [(button, down) for button, down, _ in pressed]
    assert all(abs(edge.at - at) < 0.1 for edge, (_, _, at) in zip(table.edges, pressed, strict=True))
    assert table.box.overruns == 0


@settings(max_examples=10)
@given(st.integers(0, 2**32))
def test_lamps_end_as_they_were_last_set_over_a_bad_wire(seed: int) -> None:
    table = Table(seed, loss=0.3, repeat=0.2, delay=0.02)
    table.make_ready()
    rng = random.Random(seed)
    lit: set[int] = set()
    for _ in range(60):
        led, on = rng.randint(1, 4), rng.random() < 0.5
        table.link.set_led(led, on)
        (lit.add if on else lit.discard)(led)
        table.run(0.03)
    table.up.loss = table.down.loss = 0.0
    table.run(2.5)
    assert table.box.lit == lit


def test_a_buzz_whose_answer_was_lost_sounds_once() -> None:
    table = Table()
    table.make_ready()
    table.up.is_cut = True
    table.link.buzz(880, 100)
    table.run(0.5)
    table.up.is_cut = False
    table.run(0.5)
    assert [(buzz.hertz, buzz.duration_ms) for buzz in table.box.buzzes] == [(880, 100)]


def test_a_command_that_is_never_answered_is_given_up() -> None:
    table = Table()
    table.make_ready()
    table.run(0.5)
    table.link.buzz(880, 100)
    sent: list[Message] = []
    for _ in range(2 * COMMAND_ATTEMPTS):
        table.now += 0.11
        table.link.receive(Beat(7, 0, 0, 0, 65_530, 0, 0), table.now)
        sent += table.link.take_messages()
    assert sum(isinstance(message, Buzz) for message in sent) == 20
    assert table.link.unanswered_commands == 1


def test_a_lamp_flashes_and_falls_back() -> None:
    table = Table()
    table.link.set_led(2, on=True)
    table.make_ready()
    table.run(0.1)
    assert table.box.lit == {2}
    table.link.flash(1, table.now + 0.4)
    table.link.flash(2, table.now + 0.4)
    table.run(0.2)
    assert table.box.lit == {1}
    table.run(0.4)
    assert table.box.lit == {2}


def test_an_led_that_the_box_has_not_is_not_asked_for() -> None:
    table = Table()
    table.link.set_led(9, on=True)
    table.make_ready()
    table.run(0.5)
    assert (table.link.refused_commands, table.link.unanswered_commands) == (0, 0)


def test_silence_is_noticed_and_lamps_return_with_the_box() -> None:
    table = Table()
    table.link.set_led(3, on=True)
    table.make_ready()
    table.run(1.0)
    table.up.is_cut = table.down.is_cut = True
    cut_at = table.now
    while table.link.state is READY:
        table.step()
    assert table.now - cut_at <= 3.5
    assert table.states[-1] == StateChange(LOST, "silent for 3 seconds")
    table.run(1.0)
    assert table.box.lit == frozenset()
    table.box.press(1, table.box_time)
    table.up.is_cut = table.down.is_cut = False
    mended_at = table.now
    table.make_ready()
    assert table.now - mended_at <= 3
    table.run(0.2)
    assert table.box.lit == {3}
    assert [(edge.button, edge.pressed) for edge in table.edges] == [(1, True)]


def test_a_box_that_missed_its_host_unnoticed_gets_its_lamps_back() -> None:
    table = Table()
    table.link.set_led(3, on=True)
    table.make_ready()
    table.run(1.0)
    table.down.is_cut = True
    table.run(4.0)
    assert table.box.lit == frozenset()
    table.down.is_cut = False
    table.run(1.5)
    assert table.box.lit == {3}
    assert table.states[-1].state is READY


def test_a_lost_port_keeps_nothing_to_be_sent_to_whatever_is_plugged_in_next() -> None:
    table = Table()
    table.make_ready()
    table.link.receive(Button(65_530, 7, 65_530, 1, True, 0), table.now)
    table.link.lost("was unplugged")
    table.link.opened(table.now)
    assert [type(message) for message in table.link.take_messages()] == [HostHello]


def test_a_lost_port_keeps_what_was_heard() -> None:
    table = Table()
    table.make_ready()
    table.box.press(1, table.box_time)
    table.down.is_cut = True  # the edge comes, its acknowledgement does not arrive
    table.run(0.1)
    table.link.lost("was unplugged")
    table.down.is_cut = False
    table.link.opened(table.now)
    table.box.release(1, table.box_time)
    table.run(0.5)
    assert [(edge.button, edge.pressed) for edge in table.edges] == [(1, True), (1, False)]
    assert table.link.duplicates > 0
    assert [change.state for change in table.states[-2:]] == [LOST, READY]


def test_a_box_that_starts_anew_is_heard_at_once() -> None:
    table = Table()
    table.make_ready()
    table.box.press(1, table.box_time)
    table.run(0.1)
    table.box = SimulatedBox(table.box_time, boot=8)
    table.box.press(2, table.box_time)  # its greeting was lost: the unknown start is asked for
    table.run(1.5)
    assert [(edge.button, edge.pressed) for edge in table.edges] == [(1, True), (2, True), (1, False)]
    assert table.edges[1].at - table.edges[0].at == pytest.approx(0.1, abs=0.05)  # its clock has started anew too
    assert table.link.state is READY


def test_a_release_that_the_box_had_to_drop_is_mended_by_its_beat() -> None:
    table = Table()
    table.make_ready()
    table.box.press(1, table.box_time)
    table.run(0.1)
    table.up.is_cut = True
    table.box.release(1, table.box_time)
    for _ in range(UNACKNOWLEDGED_EDGES // 2):
        table.box.press(2, table.box_time)
        table.box.release(2, table.box_time)
    assert table.box.overruns == 1
    table.step()
    table.up.is_cut = False
    table.run(2.0)
    assert (table.edges[0].pressed, table.edges[-1]) == (True, Edge(1, False, table.edges[-1].at))
    assert sum(edge.pressed for edge in table.edges if edge.button == 2) == UNACKNOWLEDGED_EDGES // 2


@pytest.mark.parametrize(
    ("oldest", "newest", "reason"),
    [
        (2, 3, "the box speaks protocol 2-3 and this program 1-1; update the program"),
        (0, 0, "the box speaks protocol 0-0 and this program 1-1; update the box"),
    ],
)
def test_a_box_of_another_protocol_is_refused_in_words(oldest: int, newest: int, reason: str) -> None:
    table = Table()
    hello = Hello(oldest, newest, 0, 4, 4, 0, 0, 7, 0, 0, bytes(8))
    table.link.receive(hello, table.now)
    table.link.receive(Button(0, 7, 0, 1, True, 0), table.now)
    table.link.take_events()
    assert table.link.state is LOST
    assert table.link.reason == reason


def test_a_box_that_speaks_this_protocol_among_others_is_ready() -> None:
    table = Table()
    table.link.receive(Hello(0, 3, 0, 4, 4, 0, 0, 7, 0, 0, bytes(8)), table.now)
    assert table.link.state is READY


def test_a_box_that_never_answers_is_excused_first_and_reported_once() -> None:
    table = Table()
    table.down.is_cut = True
    table.run(PATIENCE - 0.1)
    assert table.link.reason == ""
    table.run(30.0)
    assert [change.state for change in table.states] == [LinkState.OPENING, HELLO, HELLO]
    assert "no box answers" in table.states[-1].reason
    table.down.is_cut = False
    table.run(1.5)
    assert table.link.state is READY


def test_the_broker_knows_that_a_box_is_gone() -> None:
    table = Table()
    table.make_ready()
    table.link.receive(Availability(online=False), table.now)
    assert table.link.state is LOST
    table.run(SILENCE)
    assert table.link.state is READY  # it still answers: what the box says itself counts more


def test_what_is_not_understood_is_answered_but_not_in_a_storm() -> None:
    link = Link(0.1, session=1)
    link.opened(0.0)
    for _ in range(1000):
        link.receive(Foreign(5, NakReason.TYPE), 1.0)
    assert [message for message in link.take_messages() if not isinstance(message, HostHello)] == [
        Nak(5, 0, NakReason.TYPE)
    ]


def test_plain_text_needs_no_greeting_and_stays_while_silent() -> None:
    link = Link(0.1, session=1)
    link.opening()
    link.opened(0.0)
    edges = [TextButton(1, pressed=True), TextButton(1, pressed=True), TextButton(1, pressed=False)]
    for second, edge in enumerate(edges):
        link.receive(edge, float(second))
    link.tick(3600.0)
    events = link.take_events()
    assert [event for event in events if isinstance(event, Edge)] == [Edge(1, True, 0.0), Edge(1, False, 2.0)]
    assert link.state is READY
    assert "plain text" in link.reason
    link.receive(TextButton(2, pressed=True), 3600.0)
    link.lost("was unplugged")
    link.opened(3600.0)
    link.receive(TextButton(2, pressed=True), 3600.0)
    assert link.take_events()[-1] == Edge(2, True, 3600.0)
    link.take_messages()
    link.set_led(1, on=True)
    link.tick(3601.0)
    link.tick(3700.0)
    assert [message.on for message in link.take_messages() if isinstance(message, Led)] == [True]


@pytest.mark.parametrize("loss", [0.0, 0.2])
def test_hours_of_beats_and_presses_leave_nothing_behind(loss: float) -> None:
    table = Table(3, loss=loss, delay=0.005)
    table.make_ready()
    for minute in range(20):
        table.box.press(minute % 4 + 1, table.box_time)
        table.run(0.1)
        table.box.release(minute % 4 + 1, table.box_time)
        table.run(9.9)
    assert len(table.edges) == 40
    assert all(change.state is READY for change in table.states[2:])
    sizes = (len(table.link._commands), len(table.link._flashes), len(table.link._order._held), table.box.pending)
    assert sizes == (0, 0, 0, 0)


u9 = st.integers(0, 9)
contents: st.SearchStrategy[Incoming] = st.one_of(
    st.builds(Availability, st.booleans()),
    st.builds(Foreign, st.integers(0, 65535), st.sampled_from(NakReason)),
    st.builds(TextButton, st.integers(1, 16), st.booleans()),
    st.builds(lambda seq, boot: Button(seq, boot, seq, 1, True, 0), st.integers(0, 65535), st.integers(0, 2)),
    st.builds(lambda boot, low, high: Hello(low, low + high, 0, 4, 4, 0, 0, boot, 0, 0, bytes(8)),
              st.integers(0, 2), st.integers(0, 2), st.integers(0, 2)),
    st.builds(Beat, st.integers(0, 2), u9, u9, u9, u9, st.just(0), st.just(0)),
)  # fmt: skip


@given(st.lists(contents, max_size=30))
def test_whatever_a_box_says_no_edge_comes_before_its_greeting(said: list[Incoming]) -> None:
    link = Link(0.1, session=1)
    link.opening()
    link.opened(0.0)
    state = HELLO
    for count, content in enumerate(said):
        link.receive(content, count / 10)
    for event in link.take_events():
        if isinstance(event, StateChange):
            state = event.state
        else:
            assert state is READY
    assert len(link.take_messages()) < 20 * (len(said) + 1)


def test_a_lamp_blinks_until_it_is_told_otherwise() -> None:
    table = Table()
    table.link.set_led(2, on=True)
    table.make_ready()
    table.link.blink(1, on=True)
    table.link.blink(2, on=True)
    seen = set()
    for _ in range(30):
        table.run(0.1)
        seen.add(table.box.lit)
    assert seen == {frozenset(), frozenset({1, 2})}
    table.link.blink(1, on=False)
    table.link.blink(2, on=False)
    table.run(0.2)
    assert table.box.lit == {2}


def hello_of(uid: bytes, boot: int) -> Hello:
    return Hello(1, 1, 0, 4, 4, 0, 0, boot, 0, 0, uid)


def test_a_box_that_takes_the_name_of_another_is_not_listened_to_and_said_once() -> None:
    table = Table()
    table.make_ready()
    table.run(0.2)
    for _ in range(5):
        table.link.receive(hello_of(b"impostor", 99), table.now)
        table.link.receive(Button(0, 99, 0, 4, True, 0), table.now)
        table.run(0.2)
    table.box.press(1, table.box_time)
    table.run(0.2)
    assert [(edge.button, edge.pressed) for edge in table.edges] == [(1, True)]
    assert [event.text for event in table.remarks] == ["another box uses its name; only the first is listened to"]
    assert table.states[-1].state is READY


def test_an_impostor_does_not_hide_that_the_box_is_gone_and_may_then_take_its_place() -> None:
    table = Table()
    table.make_ready()
    table.up.is_cut = True
    for _ in range(50):
        table.link.receive(hello_of(b"follower", 99), table.now)
        table.link.receive(Button(0, 99, 0, 4, True, 0), table.now)
        table.run(0.1)
    assert LOST in [change.state for change in table.states]
    assert table.link.hello.uid == b"follower"
    assert table.states[-1].state is READY


def test_a_link_that_only_listens_takes_no_press_away_and_lights_no_lamp() -> None:
    table = Table(only_listens=True)
    table.link.set_led(1, on=True)
    table.make_ready()
    table.box.press(2, table.box_time)
    table.run(5.0)
    assert [(edge.button, edge.pressed) for edge in table.edges] == [(2, True)]
    assert (table.box.pending, table.box.lit) == (1, frozenset())
    assert table.states[-1].state is READY
    table.link.take_charge()
    table.run(0.5)
    assert (table.box.pending, table.box.lit) == (0, {1})
    assert len(table.edges) == 1


def test_a_sketch_may_say_hello() -> None:
    link = Link(0.1, session=1)
    link.opening()
    link.opened(0.0)
    link.receive(TextHello(2), 1.0)
    assert link.state is READY
    link.receive(TextHello(2), 2.0)
    assert not [event for event in link.take_events() if isinstance(event, Edge)]
