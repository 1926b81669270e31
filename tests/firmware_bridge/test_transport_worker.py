"""The worker of a transport by a given clock: when it opens, greets, claims, gives way, and what it says of that."""

import itertools
from types import SimpleNamespace

import pytest

from firmware_bridge.errors import NotAuthorised, TransportLost, TransportUnavailable
from firmware_bridge.presses.bindings import default_bindings
from firmware_bridge.presses.events import BoxEvent, BoxState, ButtonPress, Notice
from firmware_bridge.protocol.addresses import BoxAddress
from firmware_bridge.protocol.messages import (
    Availability,
    Beat,
    Button,
    Foreign,
    Hello,
    HostBeat,
    HostHello,
    Incoming,
    LinkState,
    NakReason,
    TextButton,
    TextHello,
)
from firmware_bridge.serving import transport_worker
from firmware_bridge.serving.served import ServedBox
from firmware_bridge.serving.transport_worker import TransportWorker
from firmware_bridge.transports.transport import Received
from tests.firmware_bridge.scripted import Clock, Happening, ScriptedTransport, without_threads

HELLO = Hello(1, 1, 256, 4, 4, 0, 0, 7, 0, 1000, b"12345678")
PORT = "serial:/dev/ttyACM0"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    monkeypatch.setattr(transport_worker, "secrets", SimpleNamespace(randbelow=lambda _limit: 500))
    return without_threads(monkeypatch, transport_worker)


class Served:
    """A worker that has run to its end, with all that it delivered and when."""

    def __init__(
        self, clock: Clock, transport: ScriptedTransport, *addresses: str, until: float | None = None, **options
    ) -> None:
        if until is not None:
            clock.until = clock.now + until
        self.clock, self.transport = clock, transport
        self.boxes = [ServedBox(BoxAddress.parse(one), default_bindings, 0.1) for one in addresses]
        self.events: list[tuple[float, BoxEvent]] = []
        self.worker = TransportWorker(transport, self.boxes, self.deliver, itertools.count(1), **options)

    def deliver(self, event: BoxEvent) -> None:
        self.events.append((self.clock.passed, event))

    def run(self) -> "Served":
        self.worker.start()
        return self

    @property
    def states(self) -> list[tuple[LinkState, str]]:
        return [(event.state, event.reason) for _, event in self.events if isinstance(event, BoxState)]

    @property
    def notices(self) -> list[str]:
        return [event.text for _, event in self.events if isinstance(event, Notice)]

    @property
    def presses(self) -> list[tuple[str, int]]:
        return [(event.box, event.button) for _, event in self.events if isinstance(event, ButtonPress)]

    def seconds_of(self, state: LinkState) -> list[float]:
        return [at for at, event in self.events if isinstance(event, BoxState) and event.state is state]


def press(seq: int, button: int = 1, boot: int = 7) -> Button:
    return Button(seq, boot, seq, button, True, 2000 + seq)


def rivals(box: str, *seconds: float) -> list[Happening]:
    return [(second, Received(box, HostBeat(), "table-2")) for second in seconds]


def test_a_port_is_tried_again_after_waits_that_double_and_begin_anew_after_a_success(clock: Clock) -> None:
    away, gone = TransportUnavailable(PORT, "is not there"), TransportLost(PORT, "was unplugged")
    transport = ScriptedTransport(
        clock, (7.0, gone), (7.5, gone), (8.0, gone), name=PORT, is_shared=False, refusals=[away] * 5
    )
    served = Served(clock, transport, f"{PORT}@1", until=9.0).run()
    assert transport.opened == [0.0, 0.25, 0.75, 1.75, 3.75, 5.75, 7.25, 7.75, 8.25]
    assert clock.waits == [0.25, 0.5, 1.0, 2.0, 2.0, 0.25, 0.25, 0.25, None]
    assert transport.closed == len(transport.opened)
    assert served.states == [
        (LinkState.OPENING, ""), (LinkState.LOST, "is not there"), (LinkState.LOST, "was unplugged"),
        (LinkState.CLOSED, ""),
    ]  # fmt: skip
    assert served.worker.failure is gone


def test_what_a_broker_refuses_for_good_is_not_tried_again(clock: Clock) -> None:
    refusal = NotAuthorised("broker house:1883", "Not authorized; check the user name and the password")
    transport = ScriptedTransport(clock, refusals=[refusal])
    served = Served(clock, transport, "mqtt:blue@1").run()
    assert (transport.opened, transport.closed, clock.waits) == ([0.0], 1, [None])
    assert served.states == [
        (LinkState.OPENING, ""),
        (LinkState.LOST, "broker house:1883: Not authorized; check the user name and the password"),
        (LinkState.CLOSED, ""),
    ]


def test_a_box_on_a_port_of_its_own_is_greeted_at_once(clock: Clock) -> None:
    transport = ScriptedTransport(clock, (0.1, ("7", HELLO)), name=PORT, is_shared=False)
    served = Served(clock, transport, f"{PORT}@1", until=0.5).run()
    assert transport.sent[0][:2] == (0.0, "0")
    assert isinstance(transport.sent[0][2], HostHello)
    assert served.seconds_of(LinkState.READY) == [0.1]
    assert {box for at, box, _ in transport.sent if at > 0.1} == {"7"}  # the number that answered first
    assert (served.worker.has_answered, served.worker.is_over) == (True, True)


def test_a_box_on_a_broker_is_claimed_before_it_is_greeted_or_heard(clock: Clock) -> None:
    transport = ScriptedTransport(clock, (0.1, ("blue", HELLO)), (0.2, ("blue", press(0))), (0.6, ("blue", HELLO)))
    served = Served(clock, transport, "mqtt:blue@1", until=1.0).run()
    assert transport.sent[0] == (0.0, "blue", HostBeat())
    assert transport.sent[1][0] == pytest.approx(0.4, abs=0.021)
    assert isinstance(transport.sent[1][2], HostHello)
    assert served.seconds_of(LinkState.READY) == [pytest.approx(0.6, abs=0.021)]
    assert served.presses == []
    assert transport.introduced == [("blue", HELLO)]


def test_a_box_that_another_table_has_is_left_and_claimed_again_when_that_is_silent(clock: Clock) -> None:
    transport = ScriptedTransport(clock, *rivals("blue", 0.2, 1.2, 2.2), (3.0, ("blue", press(0))))
    served = Served(clock, transport, "mqtt:blue@1", until=6.0).run()
    assert served.states[:2] == [(LinkState.OPENING, ""), (LinkState.LOST, "another table looks after it")]
    beats = transport.sent_of(HostBeat)
    assert beats[0] == 0.0
    assert beats[1] == pytest.approx(2.2 + 2.5 + 0.5, abs=0.041)  # seconds of silence, and those that were drawn
    assert transport.sent_of(HostHello)[0] == pytest.approx(beats[1] + 0.4, abs=0.041)
    assert served.presses == []


def test_a_box_that_was_left_to_another_table_is_left_in_peace(clock: Clock) -> None:
    transport = ScriptedTransport(clock, *rivals("blue", *(0.2 + second for second in range(9))))
    served = Served(clock, transport, "mqtt:blue@1", until=9.0).run()
    assert transport.sent == [(0.0, "blue", HostBeat())]
    assert served.notices == []


def test_a_table_that_has_a_box_answers_another_one_at_once_and_says_it_once(clock: Clock) -> None:
    tries = (10.005, 10.1, 10.21, 10.35, 10.45)
    beating = [(second, ("blue", Beat(7, 1000 * second, 0, 0, 0, 0, 0))) for second in range(1, 12)]
    transport = ScriptedTransport(clock, (0.5, ("blue", HELLO)), *beating, *rivals("blue", *tries))
    served = Served(clock, transport, "mqtt:blue@1", until=10.48).run()
    answers = [at for at in transport.sent_of(HostBeat) if at in tries]
    assert answers == [10.005, 10.21, 10.45]
    assert served.notices == ["another table tries to look after it too; let one of them forget it"]
    assert LinkState.LOST not in [state for state, _ in served.states]


@pytest.mark.parametrize(("first", "left_at"), [(0.5, 2.25), (3.6, 5.35), (3.8, None)])
def test_only_a_newcomer_leaves_a_box_to_a_table_that_goes_on_looking_after_it(
    clock: Clock, first: float, left_at: float | None
) -> None:
    """It draws 1.65 seconds for which it bears a rival, and has the box from 0.4 seconds on."""
    beating = [(second, ("blue", Beat(7, 1000 * second, 0, 0, 0, 0, 0))) for second in range(1, 8)]
    heard = rivals("blue", *(first + 0.25 * step for step in range(20)))
    transport = ScriptedTransport(clock, (0.45, ("blue", HELLO)), *beating, *heard)
    served = Served(clock, transport, "mqtt:blue@1", until=7.0).run()
    assert served.seconds_of(LinkState.LOST) == ([] if left_at is None else [pytest.approx(left_at)])


@pytest.mark.parametrize(("drawn", "seconds"), [(0, 0.8), (500, 1.65), (999, 2.4983)])
def test_how_long_a_newcomer_bears_a_rival_is_drawn(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, drawn: int, seconds: float
) -> None:
    monkeypatch.setattr(transport_worker, "secrets", SimpleNamespace(randbelow=lambda limit: min(drawn, limit - 1)))
    heard = [1.0 + step * 0.02 for step in range(190)]
    transport = ScriptedTransport(clock, (0.5, ("blue", HELLO)), *rivals("blue", *heard))
    served = Served(clock, transport, "mqtt:blue@1", until=5.0).run()
    assert served.seconds_of(LinkState.LOST)[0] == pytest.approx(1.0 + seconds, abs=0.03)


def test_a_rival_that_was_silent_for_long_is_met_anew(clock: Clock) -> None:
    beating = [(second, ("blue", Beat(7, 1000 * second, 0, 0, 0, 0, 0))) for second in range(1, 5)]
    transport = ScriptedTransport(clock, (0.5, ("blue", HELLO)), *beating, *rivals("blue", 0.6, 3.2, 4.0))
    served = Served(clock, transport, "mqtt:blue@1", until=4.05).run()
    assert LinkState.LOST not in [state for state, _ in served.states]
    assert len(served.notices) == 1


def unnamed(worker: TransportWorker, received: Received) -> ServedBox:
    return ServedBox(BoxAddress.parse(f"mqtt:{received.box}"), default_bindings, 0.1, is_paired=False)


def test_a_box_that_nobody_named_is_watched_before_it_is_taken_up(clock: Clock) -> None:
    seconds = (0.0, 1.0, 2.0, 2.4, 2.6)
    transport = ScriptedTransport(clock, *((second, ("green", HELLO)) for second in seconds))
    served = Served(clock, transport, adopt=unnamed, until=3.0).run()
    assert set(served.seconds_of(LinkState.READY)) == {2.6}
    assert transport.introduced == []  # it belongs to nobody yet
    assert transport.sent_of(HostBeat) == []  # nor is it claimed


def test_a_box_whose_table_was_heard_a_moment_ago_is_not_taken_up(clock: Clock) -> None:
    transport = ScriptedTransport(
        clock, *rivals("green", 1.0, 3.0), *((second, ("green", HELLO)) for second in (0.0, 2.6, 5.4, 5.6))
    )
    assert set(Served(clock, transport, adopt=unnamed, until=6.0).run().seconds_of(LinkState.READY)) == {5.6}


def test_on_a_port_of_our_own_a_box_is_taken_up_at_once(clock: Clock) -> None:
    transport = ScriptedTransport(clock, (0.1, ("3", HELLO)), name=PORT, is_shared=False)
    served = Served(clock, transport, adopt=unnamed, until=1.0).run()
    assert set(served.seconds_of(LinkState.READY)) == {0.1}
    assert served.boxes == []  # the worker has a list of its own


@pytest.mark.parametrize(
    ("content", "is_introduction"),
    [
        (HELLO, True), (Beat(7, 1, 0, 0, 0, 0, 0), True), (TextHello(2), True), (TextButton(1, True), True),
        (Availability(online=True), True), (Availability(online=False), False), (press(0), False),
        (Foreign(1, NakReason.TYPE), False), (HostBeat(), False),
    ],
)  # fmt: skip
def test_what_shows_that_a_box_is_there(clock: Clock, content: Incoming, is_introduction: bool) -> None:
    transport = ScriptedTransport(clock, (0.1, ("3", content)), name=PORT, is_shared=False)
    served = Served(clock, transport, adopt=unnamed, until=0.3).run()
    assert bool(served.states) is is_introduction


def test_of_many_boxes_the_first_are_taken_up_and_the_others_said_once(clock: Clock) -> None:
    seen = [(0.01 * number, (f"box{number}", HELLO)) for number in range(18)]
    transport = ScriptedTransport(clock, *seen, name=PORT, is_shared=False)
    served = Served(clock, transport, adopt=unnamed, until=1.0).run()
    assert len({event.box for _, event in served.events if isinstance(event, BoxState)}) == 16
    assert served.notices == ["more than 16 boxes; the others are left alone"]


def test_boxes_that_are_there_too_are_named_each_once_and_not_without_end(clock: Clock) -> None:
    seen = [(0.1 + 0.01 * number, (str(number // 2 + 1), HELLO)) for number in range(60)]
    transport = ScriptedTransport(clock, *seen, name=PORT, is_shared=False)
    served = Served(clock, transport, f"{PORT}#1@1", until=1.5).run()
    assert served.notices == [
        f"box {number} is there too; it is used when it is named {PORT}#{number}" for number in range(2, 18)
    ]


def test_what_nobody_understands_does_not_make_a_box_the_one_meant(clock: Clock) -> None:
    foreign = (0.1, ("9", Foreign(1, NakReason.TYPE)))
    transport = ScriptedTransport(clock, foreign, (0.2, ("4", HELLO)), name=PORT, is_shared=False)
    served = Served(clock, transport, f"{PORT}@1", until=0.5).run()
    assert served.boxes[0].wire == "4"
    assert served.seconds_of(LinkState.READY) == [0.2]


def test_a_port_where_nothing_answers_is_greeted_for_a_while_and_left(clock: Clock) -> None:
    transport = ScriptedTransport(clock, name=PORT, is_shared=False)
    served = Served(clock, transport, adopt=unnamed, lasts=False).run()
    greeted = [at for at, box, message in transport.sent if isinstance(message, HostHello) and box == "0"]
    assert len(greeted) == pytest.approx(16, abs=1)
    assert greeted[:3] == pytest.approx([0.0, 0.26, 0.52], abs=0.021)
    assert clock.passed == pytest.approx(4.0, abs=0.03)
    assert (transport.opened, transport.closed) == ([0.0], 1)
    assert (served.worker.has_answered, served.worker.failure, served.worker.is_over) == (False, None, True)


def test_a_found_port_is_left_when_it_is_pulled_and_its_boxes_are_lost(clock: Clock) -> None:
    transport = ScriptedTransport(
        clock, (0.1, ("3", HELLO)), (8.0, TransportLost(PORT, "was unplugged")), name=PORT, is_shared=False
    )
    served = Served(clock, transport, adopt=unnamed, lasts=False).run()
    assert served.states[-1] == (LinkState.LOST, "was unplugged")
    assert (clock.passed, transport.opened, clock.waits) == (8.0, [0.0], [])


def test_a_box_left_to_another_table_is_not_lost_twice_by_its_wire(clock: Clock) -> None:
    transport = ScriptedTransport(clock, (1.0, TransportLost("broker house:1883", "the connection ended")))
    served = Served(clock, transport, "mqtt:blue@1", "mqtt:red@2", until=1.1).run()
    reasons = {event.reason for _, event in served.events if isinstance(event, BoxState) and event.state == "lost"}
    assert reasons == {"broker house:1883: the connection ended"}


def test_commands_reach_the_box_that_they_name_and_no_other(clock: Clock) -> None:
    transport = ScriptedTransport(clock, name=PORT, is_shared=False)
    served = Served(clock, transport, f"{PORT}#1", f"{PORT}#2", until=0.1)
    done: list[tuple[str, float]] = []
    for box in (f"{PORT}#2", f"{PORT}#3", f"{PORT}#1"):
        served.worker.command(box, lambda box, now: done.append((box.name, now - 1000.0)))
    served.run()
    assert done == [(f"{PORT}#2", 0.0), (f"{PORT}#1", 0.0)]


def test_a_box_that_gets_a_seat_is_announced_and_told(clock: Clock) -> None:
    def give() -> None:
        served.worker.assign_seat("mqtt:3", 2)

    transport = ScriptedTransport(clock, (0.1, ("3", HELLO)), (0.3, give), name=PORT, is_shared=False)
    served = Served(clock, transport, adopt=unnamed, until=2.0)
    served.run()
    seated = [event for _, event in served.events if isinstance(event, BoxState) and event.state is LinkState.READY][-1]
    assert (seated.seat, seated.is_paired) == (2, True)
    assert transport.introduced == [("3", HELLO)]
    assert transport.sent_of(HostBeat) == [pytest.approx(1.1, abs=0.03)]


def test_what_was_dropped_is_said_once_with_its_reason(clock: Clock) -> None:
    transport = ScriptedTransport(clock, name=PORT, is_shared=False)
    transport.dropped.add("a frame from box 255")
    served = Served(clock, transport, f"{PORT}@1", until=1.0).run()
    assert served.notices == ["a frame from box 255; it was ignored, as others like it will be"]
    assert [event.source for _, event in served.events if isinstance(event, Notice)] == [PORT]


def test_workers_that_share_what_was_said_say_it_once(clock: Clock) -> None:
    said: set[str] = set()
    for count in range(2):
        clock.until = clock.now + 0.1
        transport = ScriptedTransport(clock)
        transport.dropped.add("noise")
        served = Served(clock, transport, "mqtt:blue@1", said=said).run()
        assert len(served.notices) == 1 - count


def test_hosts_and_boxes_that_are_invented_take_no_memory(clock: Clock) -> None:
    many = [(0.001 * number, Received(f"box{number}", HostBeat(), "x")) for number in range(300)]
    seen = [(0.5 + 0.001 * number, (f"box{number}", HELLO)) for number in range(300)]
    served = Served(clock, ScriptedTransport(clock, *many, *seen), adopt=unnamed, until=1.0).run()
    assert len(served.worker._hosts) < 257
    assert len(served.worker._seen) < 258


def test_a_worker_that_never_ran_can_be_stopped_and_one_that_ran_is_waited_for(clock: Clock) -> None:
    served = Served(clock, ScriptedTransport(clock), "mqtt:blue@1", until=0.1)
    served.worker.stop()
    assert not served.worker.is_over
    served.run()
    served.worker.stop()
    assert served.worker._thread.joined == [5.0]
    assert served.worker.retry_after == 0.1
