"""The listener for bought buttons by a given clock: its topics, when it tries again, what it says of whom."""

import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest

from companion.session.intents import Intent, IntentKind
from firmware_bridge.adapters.presence import PresenceReader, Scope
from firmware_bridge.adapters.record_files import Adapter, shipped_adapters
from firmware_bridge.adapters.records import DeviceWord, Meaning, TopicReader
from firmware_bridge.errors import NotAuthorised, TransportUnavailable
from firmware_bridge.presses.bindings import Bindings, default_bindings
from firmware_bridge.presses.events import BoxEvent, BoxState, ButtonPress, Notice
from firmware_bridge.protocol.addresses import BrokerAddress
from firmware_bridge.protocol.gestures import Gesture
from firmware_bridge.protocol.messages import LinkState
from firmware_bridge.serving import button_listener
from firmware_bridge.serving.button_listener import ButtonListener
from tests.firmware_bridge.scripted import START, Clock, Happening, ScriptedBroker, lost, without_threads

READY, LOST, HELLO = LinkState.READY, LinkState.LOST, LinkState.HELLO
KITCHEN, BELL = "button:zigbee2mqtt/kitchen", "button:tasmota/bell"
MINE = Adapter(
    "mine",
    "devices with every kind of presence",
    (TopicReader("mine", "mine/{device}", ("word",), (DeviceWord("on", 1, Meaning.SINGLE),), battery_path=("left",)),),
    (
        PresenceReader("mine", "mine/{device}/there", Scope.DEVICE),
        PresenceReader("mine", "mine/{node}/node", Scope.NODE, 2.0),
        PresenceReader("mine", "mine/bridge/state", Scope.BRIDGE),
    ),
)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return without_threads(monkeypatch, button_listener)


class Heard:
    """A listener that has run to its end on a scripted broker."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        clock: Clock,
        *happenings: Happening,
        boxes: dict[str, int | None],
        until: float = 60.0,
        refusals: tuple[Exception, ...] = (),
        bindings: Bindings | None = None,
        starts: bool = True,
        **options: Any,
    ) -> None:
        clock.now, clock.until, clock.waits = START, START + until, []
        self.clock = clock
        self.broker = ScriptedBroker(clock, *happenings, refusals=refusals)
        monkeypatch.setattr(button_listener, "MqttConnection", self.broker)
        self.events: list[tuple[float, BoxEvent]] = []
        self.noted: list[BoxState] = []
        self.listener = ButtonListener(
            BrokerAddress("house"), boxes, lambda: bindings or default_bindings(), self.deliver, itertools.count(1),
            options.pop("adapters", (*shipped_adapters(), MINE)), note=self.noted.append, **options,
        )  # fmt: skip
        if starts:
            self.listener.start()

    def deliver(self, event: BoxEvent) -> None:
        self.events.append((self.clock.passed, event))

    def states(self, box: str) -> list[tuple[LinkState, str]]:
        return [(one.state, str(one.reason)) for _, one in self.events if isinstance(one, BoxState) and one.box == box]

    @property
    def presses(self) -> list[tuple[float, int]]:
        return [(at, event.button) for at, event in self.events if isinstance(event, ButtonPress)]

    @property
    def notices(self) -> list[str]:
        return [event.text for _, event in self.events if isinstance(event, Notice)]


Hear = Callable[..., Heard]


@pytest.fixture
def hear(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Hear:
    return lambda *happenings, **options: Heard(monkeypatch, clock, *happenings, **options)


def said(at: float, topic: str, payload: object, *, retained: bool = False) -> Happening:
    return at, (topic, payload if isinstance(payload, bytes) else json.dumps(payload).encode(), retained)


def event(at: float, name: str, topic: str, *, retained: bool = True, **more: object) -> Happening:
    """Home Assistant's announcement of a device with one event."""
    configuration = {"state_topic": topic, "event_types": ["press"], "device": {"identifiers": [name]}} | more
    return said(at, f"homeassistant/event/{name}/bell/config", configuration, retained=retained)


def test_a_broker_is_tried_again_after_waits_that_double_and_begin_anew_after_a_success(
    hear: Hear, clock: Clock
) -> None:
    away = TransportUnavailable("broker house:1883", "Connection refused")
    heard = hear((5.0, lost()), (6.0, lost()), boxes={BELL: 1}, refusals=(away,) * 4, until=8.0)
    assert [each.opened_at for each in heard.broker.connections] == [0.0, 0.25, 0.75, 1.75, 3.75, 5.25, 6.25]
    assert clock.waits == [0.25, 0.5, 1.0, 2.0, 0.25, 0.25, None]
    assert all(each.is_closed for each in heard.broker.connections)
    assert heard.states(BELL) == [
        (LinkState.OPENING, ""), (LOST, "Connection refused"), (READY, ""),
        (LOST, "the connection ended (Keep alive timeout)"), (READY, ""),
        (LOST, "the connection ended (Keep alive timeout)"), (READY, ""), (LinkState.CLOSED, ""),
    ]  # fmt: skip


def test_a_refused_password_is_said_and_not_tried_again(hear: Hear, clock: Clock) -> None:
    heard = hear(boxes={BELL: 1}, refusals=(NotAuthorised("broker house:1883", "Not authorized"),))
    assert (len(heard.broker.connections), clock.waits) == (1, [None])
    assert heard.states(BELL) == [(LinkState.OPENING, ""), (LOST, "Not authorized"), (LinkState.CLOSED, "")]


def test_what_is_subscribed_to_for_the_devices_of_a_table(hear: Hear) -> None:
    topics = set(hear(boxes={"button:mine/a": 1}, adapters=(MINE,)).broker.connections[0].topics)
    assert topics == {"mine/a", "mine/a/there", "mine/a/node", "mine/bridge/state"}


def test_what_is_subscribed_to_besides_for_devices_of_gateways(hear: Hear) -> None:
    only_kitchen = hear(boxes={KITCHEN: 1}).broker.connections[0].topics
    assert {"+/bridge/devices", "+/+/bridge/devices"} <= set(only_kitchen)
    assert not [topic for topic in only_kitchen if topic.startswith("homeassistant/")]
    announced = hear(boxes={"button:homeassistant/gw": 1}).broker.connections[0].topics
    assert announced == ["homeassistant/+/+/config", "homeassistant/+/+/+/config"]
    first_presses = hear(boxes={"button:homeassistant/zigbee2mqtt_0x1": 1}).broker.connections[0].topics
    assert {"zigbee2mqtt/+", "zigbee2mqtt/+/+", "homeassistant/+/+/config", "+/bridge/devices"} <= set(first_presses)
    assert hear(boxes={}).broker.connections[0].topics == []


def test_while_choosing_every_device_is_listened_to(hear: Hear) -> None:
    topics = hear(boxes={}, adapters=(MINE,), hears_all=True).broker.connections[0].topics
    assert hear(boxes={}).broker.connections[0].options == {"inbox_size": 5000}
    assert set(topics) == {
        "mine/+", "homeassistant/+/+/config", "homeassistant/+/+/+/config", "+/bridge/devices", "+/+/bridge/devices",
    }  # fmt: skip


def test_held_keys_are_forgotten_with_the_connection(hear: Hear) -> None:
    """The release that was said meanwhile is unknown: what is held no longer is no long press."""
    down = said(1.0, "desk/binary_sensor/green/state", b"ON")
    before = said(0.5, "desk/binary_sensor/green/state", b"OFF")
    bindings = default_bindings().with_intent("button:esphome/desk/green", 1, Gesture.LONG, Intent(IntentKind.UNDO))
    heard = hear(before, down, (1.2, lost()), boxes={"button:esphome/desk/green": 1}, bindings=bindings, until=5.0)
    assert heard.presses == []
    held = hear(before, down, boxes={"button:esphome/desk/green": 1}, bindings=bindings, until=5.0)
    assert held.presses == [(pytest.approx(1.6, abs=0.03), 1)]


@pytest.mark.parametrize(
    ("topic", "reason"),
    [
        ("mine/a/there", "the broker says that the box is offline"),
        ("mine/a/node", "the broker says that the box is offline"),
        ("mine/bridge/state", "its bridge is offline"),
    ],
)
def test_who_is_said_to_be_gone_and_there_again(hear: Hear, topic: str, reason: str) -> None:
    a, b = "button:mine/a", "button:mine/b"
    words = ((0.5, b"offline"), (0.7, b"offline"), (0.9, b"odd"), (1.0, b"online"))
    heard = hear(*(said(at, topic, word) for at, word in words), boxes={a: 1, b: 2}, until=2.0)
    assert heard.states(a)[2:] == [(LOST, reason), (READY, ""), (LinkState.CLOSED, "")]
    assert [at for at, one in heard.events if isinstance(one, BoxState) and one.box == a][2:4] == [0.5, 1.0]
    assert len(heard.states(b)) == (5 if "bridge" in topic else 3)


def test_of_several_that_are_gone_the_bridge_is_named_until_all_are_back(hear: Hear) -> None:
    heard = hear(
        said(0.5, "mine/a/node", b"offline"), said(0.6, "mine/bridge/state", b"offline"),
        said(0.7, "mine/a/node", b"online"), said(0.8, "mine/bridge/state", b"online"),
        boxes={"button:mine/a": 1}, until=1.0,
    )  # fmt: skip
    assert heard.states("button:mine/a")[2:5] == [
        (LOST, "the broker says that the box is offline"), (LOST, "its bridge is offline"), (READY, ""),
    ]  # fmt: skip


def test_who_was_gone_is_unknown_after_a_new_connection(hear: Hear) -> None:
    heard = hear(said(0.5, "mine/a/there", b"offline"), (1.0, lost()), boxes={"button:mine/a": 1}, until=2.0)
    assert [state for state, _ in heard.states("button:mine/a")[2:5]] == [LOST, LOST, READY]


def test_a_device_on_a_battery_that_says_goodbye_is_there_but_not_without_its_node(hear: Hear) -> None:
    a = "button:mine/a"
    heard = hear(
        said(0.1, "mine/a", {"left": 71}), said(0.5, "mine/a/there", b"offline"), said(0.7, "mine/a/node", b"offline"),
        boxes={a: 1}, until=1.0,
    )  # fmt: skip
    assert [state for state, _ in heard.states(a)] == [LinkState.OPENING, READY, READY, LOST, LinkState.CLOSED]
    batteries = [one.battery for _, one in heard.events if isinstance(one, BoxState)]
    assert batteries == [None, None, 71, 71, 71]


def test_a_node_that_is_gone_leaves_no_key_held_be_it_on_a_battery_or_not(hear: Hear) -> None:
    """A goodbye of the device itself says nothing of one on a battery."""
    held = Adapter("mine", "", (reader_of(Meaning.BEGIN),), MINE.presence)
    down = said(1.0, "mine/a", {"word": "on", "left": 50})
    for topic, is_heard in (("mine/a/node", False), ("mine/bridge/state", False), ("mine/a/there", True)):
        gone = said(1.5, topic, b"offline")
        heard = hear(down, gone, boxes={"button:mine/a": 1}, adapters=(held,), until=4.0)
        assert bool(heard.presses) is is_heard


def reader_of(meaning: Meaning) -> TopicReader:
    return TopicReader("mine", "mine/{device}", ("word",), (DeviceWord("on", 1, meaning),), battery_path=("left",))


def test_an_announced_device_whose_bridge_is_gone_is_said_so(hear: Hear) -> None:
    gw = "button:homeassistant/gw/bell"
    announced = event(1.0, "gw", "hall/bell", availability_topic="hall/bridge/state")
    heard = hear(announced, said(2.0, "hall/bridge/state", b"offline"), boxes={gw: 1}, until=3.0)
    assert heard.states(gw)[3] == (LOST, "its bridge is offline")
    announced = event(1.0, "gw", "hall/bell", availability_topic="hall/there")
    heard = hear(announced, said(2.0, "hall/there", b"offline"), boxes={gw: 1}, until=3.0)
    assert heard.states(gw)[3] == (LOST, "the broker says that the box is offline")


def test_the_battery_of_nobody_here_changes_nothing(hear: Hear) -> None:
    heard = hear(said(0.1, "mine/a", {"left": 71}), boxes={"button:mine/b": 1}, hears_all=True, until=0.5)
    assert all(one.battery is None for _, one in heard.events if isinstance(one, BoxState))
    assert heard.notices == []


@pytest.mark.parametrize(("at", "presses"), [(1.5, 0), (1.99, 0), (2.01, 1)])
def test_after_a_node_came_online_it_may_say_old_words_again(hear: Hear, at: float, presses: int) -> None:
    """Its node says old words for two seconds, those that it said last for the whole of them."""
    online = said(0.0, "mine/a/node", b"online")
    before = said(-1.0, "mine/a", {"word": "on"}, retained=True)
    heard = hear(before, online, said(at, "mine/a", {"word": "on"}), boxes={"button:mine/a": 1}, until=4.0)
    assert len(heard.presses) == presses


def test_what_is_retained_of_a_node_that_is_there_makes_no_word_an_old_one(hear: Hear) -> None:
    online = said(0.0, "mine/a/node", b"online", retained=True)
    assert len(hear(online, said(0.5, "mine/a", {"word": "on"}), boxes={"button:mine/a": 1}, until=2.0).presses) == 1


def test_a_device_that_is_heard_again_is_noted_and_not_told(hear: Hear) -> None:
    words = [said(second, "mine/a", {"word": "on"}) for second in (1.0, 2.0, 3.0)]
    heard = hear(*words, boxes={"button:mine/a": 1}, until=4.0)
    assert [round(state.heard_at - START, 6) for state in heard.noted if state.heard_at is not None] == [1.0, 2.0, 3.0]
    assert len(heard.states("button:mine/a")) == 3
    assert [at for at, _ in heard.presses] == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(("early", "is_heard"), [(0.01, True), (0.99, True), (1.0, False)])
def test_a_press_a_moment_before_the_announcement_of_its_device_is_heard(
    hear: Hear, early: float, is_heard: bool
) -> None:
    gw = {"button:homeassistant/gw/bell": 1, "button:homeassistant/zigbee2mqtt_0x1": 1}
    press = said(5.0 - early, "zigbee2mqtt/bell", {"action": "single"})
    heard = hear(press, event(5.0, "gw", "zigbee2mqtt/bell", retained=False), boxes=gw, until=7.0)
    assert bool(heard.presses) is is_heard
    old = hear(press, event(5.0, "gw", "zigbee2mqtt/bell", retained=True), boxes=gw, until=7.0)
    assert old.presses == []
    twice = [event(second, "gw", "zigbee2mqtt/bell", retained=False) for second in (1.0, 5.0)]
    again = hear(*twice, press, boxes=gw, until=7.0)
    assert len(again.presses) == 1


def test_a_device_that_is_announced_is_subscribed_to_and_ready(hear: Hear) -> None:
    gw = "button:homeassistant/gw/bell"
    heard = hear(event(1.0, "gw", "hall/bell"), said(2.0, "hall/bell", {"event_type": "press"}), boxes={gw: 1})
    assert heard.states(gw)[1:3] == [(HELLO, "is not announced on the broker"), (READY, "")]
    assert len(heard.presses) == 1
    assert heard.broker.connections[0].topics == [
        "homeassistant/+/+/config", "homeassistant/+/+/+/config", "hall/bell",
    ]  # fmt: skip


def test_an_announcement_of_somebody_else_is_not_subscribed_to(hear: Hear) -> None:
    heard = hear(event(1.0, "other", "hall/bell"), boxes={"button:homeassistant/gw": 1})
    assert "hall/bell" not in heard.broker.connections[0].topics


def test_an_announcement_that_is_withdrawn_leaves_its_device_unannounced(hear: Hear) -> None:
    gw = "button:homeassistant/gw/bell"
    withdrawn = said(2.0, "homeassistant/event/gw/bell/config", b"", retained=False)
    heard = hear(event(1.0, "gw", "hall/bell"), withdrawn, boxes={gw: 1}, until=4.0)
    assert [state for state, _ in heard.states(gw)] == [LinkState.OPENING, HELLO, READY, HELLO, LinkState.CLOSED]


def test_what_does_not_hold_in_an_announcement_is_said(hear: Hear) -> None:
    odd = event(1.0, "gw", "hall/#")
    heard = hear(odd, boxes={"button:homeassistant/gw": 1}, until=2.0)
    (notice,) = heard.notices
    assert "is no topic that can be listened to" in notice
    assert notice.endswith("; it was ignored, as others like it will be")


def test_the_same_announcement_is_read_once_and_invented_ones_are_bounded(
    hear: Hear, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(button_listener, "MOST_ANNOUNCED", 3)
    gw = "button:homeassistant/g2/bell"
    many = [event(1.0 + 0.01 * number, f"g{number}", f"hall/{number}") for number in range(5)]
    heard = hear(*many, many[2], event(2.0, "g2", "hall/new"), boxes={gw: 1}, until=3.0)
    assert list(heard.listener.announced) == [f"homeassistant/event/g{number}/bell/config" for number in range(3)]
    assert heard.broker.connections[0].topics[2:] == ["hall/2", "hall/new"]  # a known one may still change


def test_devices_that_are_invented_take_no_memory(hear: Hear, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(button_listener, "MOST_DEVICES", 3)
    words = [said(1.0 + 0.1 * number, f"mine/{number}", {"word": "on"}) for number in range(5)]
    heard = hear(*words, boxes={"button:mine/x": 1}, hears_all=True, until=3.0)
    pressed = {event.box for _, event in heard.events if isinstance(event, ButtonPress)}
    assert pressed == {"button:mine/0", "button:mine/1"}


def test_a_model_says_which_words_are_keys_until_the_list_changes(hear: Hear) -> None:
    def listing(at: float, model: str) -> Happening:
        return said(at, "zigbee2mqtt/bridge/devices", [{"friendly_name": "kitchen", "definition": {"model": model}}])

    heard = hear(
        listing(1.0, "8718699693985"), said(2.0, "zigbee2mqtt/kitchen", {"action": "off"}), listing(3.0, "none"),
        said(4.0, "zigbee2mqtt/kitchen", {"action": "off"}), boxes={KITCHEN: 1}, until=5.0,
    )  # fmt: skip
    assert [button for _, button in heard.presses][:1] == [1]
    assert heard.presses[1:] != [(4.0, 1)]


def test_a_list_that_does_not_hold_is_said(hear: Hear) -> None:
    payloads = ((1.0, b"["), (1.1, b"["), (1.2, b"{"))
    lists = [said(second, "zigbee2mqtt/bridge/devices", payload) for second, payload in payloads]
    heard = hear(*lists, boxes={KITCHEN: 1}, until=2.0)
    assert heard.listener.dropped.count == 2  # the same list is read once
    assert heard.notices == ["zigbee2mqtt/bridge/devices: is not JSON; it was ignored, as others like it will be"]


def test_a_bridge_speaks_for_the_devices_that_are_heard_beneath_it(hear: Hear) -> None:
    gone = said(2.0, "zigbee2mqtt/bridge/state", {"state": "offline"})
    elsewhere = said(1.5, "second/bridge/state", {"state": "offline"})
    first = said(1.0, "zigbee2mqtt/kitchen", {"action": "1_single"})
    heard = hear(first, elsewhere, gone, boxes={KITCHEN: 1}, until=3.0)
    assert [at for at, one in heard.events if isinstance(one, BoxState) and one.state is LOST] == [2.0]


def test_a_listener_that_never_ran_can_be_stopped_and_one_that_ran_is_waited_for(hear: Hear, clock: Clock) -> None:
    idle = ButtonListener(BrokerAddress("house"), {}, default_bindings, lambda _: None, itertools.count(1), ())
    idle.stop()
    heard = hear(boxes={BELL: 1})
    heard.listener.stop()
    assert heard.listener._thread.joined == [5.0]


def test_who_gets_a_seat_is_of_the_table_and_who_is_unknown_is_left(hear: Hear) -> None:
    def give() -> None:
        heard.listener.assign_seat("button:mine/a", 4)
        heard.listener.assign_seat("button:mine/nobody", 4)

    words = [said(second, "mine/a", {"word": "on"}) for second in (1.0, 3.0)]
    heard = hear(*words, (2.0, give), boxes={}, hears_all=True, until=4.0, starts=False)
    heard.listener.start()
    presses = [event for _, event in heard.events if isinstance(event, ButtonPress)]
    assert [(press.seat, press.is_paired, press.intent is None) for press in presses] == [
        (None, False, True), (4, True, False),
    ]  # fmt: skip


GUESSED = "{{ value_json.action | int + 1 }}"
"""a template that leads nowhere in particular, though it names the entry of Zigbee2MQTT"""


def word(pattern: str, button: int = 1, meaning: Meaning = Meaning.SINGLE) -> DeviceWord:
    return DeviceWord(pattern, button, meaning)


def test_what_one_reader_knows_goes_before_what_another_only_hears(hear: Hear) -> None:
    readers = (
        TopicReader("mine", "mine/{device}", ("word",), (word("off"),)),
        TopicReader("mine", "mine/{device}", ("word",), (word("on"),)),
        TopicReader("mine", "mine/{device}", ("word",), (word("on"),)),
    )
    adapters = (Adapter("mine", "", readers),)
    words = [said(second, "mine/a", {"word": each}) for second, each in ((1.0, "on"), (2.0, "odd"))]
    heard = hear(*words, boxes={"button:mine/a": 1}, adapters=adapters, hears_all=True, until=3.0)
    presses = [(one.button, one.word) for _, one in heard.events if isinstance(one, ButtonPress)]
    assert presses == [(1, "on"), (0, "odd")]


def test_a_word_whose_meaning_another_word_decides_is_known_all_the_same(hear: Hear) -> None:
    needy = (DeviceWord("on", 2, Meaning.DOUBLE, ("twin",)),)
    readers = (
        TopicReader("mine", "mine/{device}", ("word",), (word("off"),)),
        TopicReader("mine", "mine/{device}", ("word",), needy),
    )
    words = [said(second, "mine/a", {"word": each}) for second, each in ((1.0, "twin"), (2.0, "on"))]
    heard = hear(*words, boxes={"button:mine/a": 1}, adapters=(Adapter("mine", "", readers),), until=3.0)
    assert heard.presses == [(2.0, 2)]


def test_events_of_one_message_are_heard_in_their_order_whoever_reads_them(hear: Hear) -> None:
    readers = (
        TopicReader("mine", "mine/{device}", ("b",), (word("on", 2),), list_path=("all",)),
        TopicReader("mine", "mine/{device}", ("a",), (word("on", 1),), list_path=("all",)),
    )
    events = said(1.0, "mine/a", {"all": [{"a": "on"}, {"b": "on"}]})
    heard = hear(events, boxes={"button:mine/a": 1}, adapters=(Adapter("mine", "", readers),), until=3.0)
    assert [button for _, button in heard.presses] == [1, 2]


@pytest.mark.parametrize(("boxes", "batteries"), [({}, [None, 30]), ({"button:mine/a": 1}, [40, 30])])
def test_a_battery_is_noted_of_a_device_of_the_table_and_of_one_that_was_pressed(
    hear: Hear, boxes: dict[str, int | None], batteries: list[int | None]
) -> None:
    found: list[int | None] = []

    def look() -> None:
        found.append(heard.listener._served["button:mine/a"].device.battery)

    heard = hear(
        said(1.0, "mine/a", {"word": "odd", "left": 40}, retained=True), (1.5, look),
        said(2.0, "mine/a", {"word": "on", "left": 30}), (2.5, look),
        boxes=boxes, adapters=(Adapter("mine", "", (reader_of(Meaning.SINGLE),)),), until=3.0, hears_all=True,
        starts=False,
    )  # fmt: skip
    heard.listener._take_batteries = lambda _publication: None
    heard.listener.start()
    assert found == batteries


def test_a_device_that_only_moves_is_said_to_be_set_wrongly(hear: Hear) -> None:
    contact = Adapter("mine", "", (reader_of(Meaning.CONTACT),))
    moves = [said(second, "mine/a", {"word": "on"}) for second in (1.0, 2.0, 3.0)]
    heard = hear(*moves, boxes={"button:mine/a": 1}, adapters=(contact,), until=4.0)
    wrong = "it says that its inputs move, but not that they are pressed; on the device, set them to buttons"
    assert heard.states("button:mine/a")[2] == (HELLO, wrong)
    stranger = hear(*moves, boxes={}, adapters=(contact,), hears_all=True, until=4.0)
    assert stranger.states("button:mine/a")[:1] == [(HELLO, wrong)]


def test_what_is_announced_and_not_understood_is_ready_once_it_was_taught(hear: Hear) -> None:
    gw = "button:homeassistant/gw"
    trigger = {"type": "odd", "subtype": "odd", "topic": "gw/keys", "payload": "1", "device": {"identifiers": ["gw"]}}
    odd = said(1.0, "homeassistant/device_automation/gw/k/config", trigger)
    heard = hear(odd, boxes={gw: 1}, until=2.0)
    assert heard.states(gw)[1:3] == [
        (HELLO, "is not announced on the broker"),
        (HELLO, "what it announces is not understood; teach its buttons by pressing them"),
    ]
    taught = default_bindings().with_word(gw, "keys", Intent(IntentKind.NEXT))
    pressed = hear(odd, said(1.5, "gw/keys", b"1"), boxes={gw: 1}, bindings=taught, until=3.0)
    assert pressed.states(gw)[1] == (READY, "")
    assert len(pressed.presses) == 1
    guessed = said(1.0, "homeassistant/device_automation/gw/k/config", trigger | {"value_template": GUESSED})
    assert hear(guessed, boxes={gw: 1}, until=2.0).states(gw)[2][1].startswith("what it announces is not understood")
    other = default_bindings().with_word("button:homeassistant/gw2", "keys", Intent(IntentKind.NEXT))
    assert hear(odd, boxes={gw: 1}, bindings=other, until=2.0).states(gw)[1][0] is HELLO
