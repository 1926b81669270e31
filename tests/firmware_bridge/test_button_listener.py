"""Buttons that others made, over a real broker: from a word on a topic to an intent."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from companion.session.intents import Intent, IntentKind
from firmware_bridge.boxes import Boxes, Search
from firmware_bridge.mqtt.broker import Broker
from firmware_bridge.mqtt.codec import Publication
from firmware_bridge.mqtt.connection import MqttConnection
from firmware_bridge.presses.bindings import Bindings, default_bindings
from firmware_bridge.protocol.addresses import BoxAddress
from firmware_bridge.protocol.gestures import Gesture
from firmware_bridge.protocol.messages import LinkState
from firmware_bridge.transports.transport import Dropped
from tests.firmware_bridge.waiting import HANG, Listener, eventually

KITCHEN = "button:zigbee2mqtt/kitchen"
Publish = Callable[..., None]


ECHO = "device/echo"


def topic_of(topic: str, _payload: bytes, _retained: bool) -> str:
    return topic


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def publish(broker: Broker, stack: ExitStack) -> Publish:
    """Returns when the broker has it, which answers in order."""
    connection = MqttConnection("device", broker.address, (ECHO,), Dropped(), topic_of)
    connection.open()
    stack.callback(connection.close)

    def send(topic: str, payload: object, *, retain: bool = False) -> None:
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        connection.publish(Publication(topic, data, retain=retain))
        connection.publish(Publication(ECHO, b""))
        assert connection.receive(HANG) == ECHO

    return send


Opened = Callable[..., Listener]


@pytest.fixture
def opened(stack: ExitStack, broker: Broker) -> Opened:
    def open_boxes(*addresses: str, bindings: Bindings | None = None, learning: bool = False) -> Listener:
        parsed = [BoxAddress.parse(address) for address in addresses]
        search = Search(buttons=learning)
        listener = Listener(stack.enter_context(Boxes(parsed, bindings, broker.address, search)))
        if addresses:
            listener.state(LinkState.READY)
        return listener

    return open_boxes


def test_a_word_of_a_paired_device_is_an_intent(opened: Opened, publish: Publish) -> None:
    listener = opened(f"{KITCHEN}@2")
    publish("zigbee2mqtt/cellar", {"action": "single"})
    publish("zigbee2mqtt/kitchen", {"action": "2_single", "battery": 90})
    press = listener.press()
    assert (press.box, press.button, press.word) == (KITCHEN, 2, "2_single")
    assert press.intent == Intent(IntentKind.NO, seat=2)
    listener.boxes.accept(press)  # it has no lamp; nothing happens
    listener.boxes.set_led(KITCHEN, 1, True)


def test_what_is_left_in_a_battery_is_told_when_it_changes(opened: Opened, publish: Publish) -> None:
    listener = opened(f"{KITCHEN}@2")
    for button, battery in ((1, 90), (2, 90), (3, 12)):
        publish("zigbee2mqtt/kitchen", {"action": f"{button}_single", "battery": battery})
        listener.press()
        publish("zigbee2mqtt/kitchen", {"action": f"{button}_double"})
        listener.press()
    assert [state.battery for state in listener.states if state.battery is not None] == [90, 12]
    assert listener.boxes.states[KITCHEN].battery == 12


def test_a_retained_press_and_an_echo_are_ignored(opened: Opened, publish: Publish) -> None:
    publish("zigbee2mqtt/kitchen", {"action": "3_single"}, retain=True)
    listener = opened(KITCHEN)
    publish("zigbee2mqtt/kitchen", {"action": "1_single"})
    publish("zigbee2mqtt/kitchen", {"action": "1_single", "linkquality": 3})
    publish("zigbee2mqtt/kitchen", {"action": "2_single"})
    assert [listener.press().button, listener.press().button] == [1, 2]


def test_a_number_of_its_own_tells_a_repetition(opened: Opened, publish: Publish) -> None:
    for button, count in ((0, 4), (1, 8)):
        publish(f"shellies/one/input_event/{button}", {"event": "S", "event_cnt": count}, retain=True)
    listener = opened("button:shelly/one")
    for count, event in ((5, "S"), (5, "S"), (6, "S"), (7, "L")):
        publish("shellies/one/input_event/0", {"event": event, "event_cnt": count})
    publish("shellies/one/input_event/1", {"event": "S", "event_cnt": 9})
    presses = [listener.press() for _ in range(4)]
    assert [(press.button, press.gesture) for press in presses] == [
        (1, Gesture.SINGLE), (1, Gesture.SINGLE), (1, Gesture.LONG), (2, Gesture.SINGLE),
    ]  # fmt: skip


def test_of_a_retained_state_only_changes_count(opened: Opened, publish: Publish) -> None:
    publish("desk/binary_sensor/green/state", b"ON", retain=True)
    listener = opened("button:esphome/desk/green@1")
    for state in (b"ON", b"OFF", b"ON", b"ON", b"OFF"):
        publish("desk/binary_sensor/green/state", state, retain=True)
    publish("desk/event/other/state", {"event_type": "press"})
    press = listener.press()
    assert press.intent == Intent(IntentKind.DONE, seat=1)
    publish("desk/binary_sensor/green/state", b"ON", retain=True)
    listener.press()
    assert len(listener.presses) == 2


def test_an_unknown_word_means_what_it_was_bound_to(opened: Opened, publish: Publish) -> None:
    undo = Intent(IntentKind.UNDO)
    bindings = default_bindings().with_seat(KITCHEN, 3).with_word(KITCHEN, "brightness_move_up", undo)
    listener = opened(bindings=bindings)
    listener.state(LinkState.READY)
    publish("zigbee2mqtt/kitchen", {"action": "brightness_stop"})
    publish("zigbee2mqtt/kitchen", {"action": "brightness_move_up"})
    press = listener.press()
    assert (press.button, press.word, press.intent) == (0, "brightness_move_up", Intent(IntentKind.UNDO, seat=3))


def test_a_device_that_home_assistant_knows_is_listened_to(opened: Opened, publish: Publish) -> None:
    trigger = {
        "automation_type": "trigger", "type": "button_short_press", "subtype": "button_4", "payload": "4",
        "topic": "strange/topic", "device": {"identifiers": ["gw 7"]},
    }  # fmt: skip
    publish("homeassistant/device_automation/gw/four/config", trigger, retain=True)
    listener = opened("button:homeassistant/gw 7@1")

    def is_heard() -> bool:
        publish("strange/topic", b"4")
        return not listener.boxes.events.empty()

    eventually(is_heard)
    assert listener.press().intent == Intent(IntentKind.HELP, seat=1)


def test_a_device_that_announces_only_that_its_button_was_let_go_is_heard(opened: Opened, publish: Publish) -> None:
    trigger = {
        "automation_type": "trigger", "type": "button_short_release", "subtype": "button_2", "payload": "up",
        "topic": "strange/topic", "device": {"identifiers": ["gw 8"]},
    }  # fmt: skip
    publish("homeassistant/device_automation/gw/two/config", trigger, retain=True)
    listener = opened("button:homeassistant/gw 8@1")

    def is_heard() -> bool:
        publish("strange/topic", b"up")
        return not listener.boxes.events.empty()

    eventually(is_heard)
    assert listener.press().intent == Intent(IntentKind.NO, seat=1)


def test_learning_hears_every_device_and_acts_on_none(opened: Opened, publish: Publish) -> None:
    listener = opened(learning=True)

    def heard_all() -> bool:
        publish("zigbee2mqtt/kitchen", {"action": "toggle_lamp"})
        publish("stat/bell/RESULT", {"Button1": {"Action": "SINGLE"}})
        publish("homie/5/box/keys/red", b"SHORT_PRESSED")
        return len(listener.boxes.states) == 3

    eventually(heard_all)
    assert set(listener.boxes.states) == {KITCHEN, "button:tasmota/bell", "button:homie/box/keys/red"}
    press = listener.press()
    assert (press.is_paired, press.intent) == (False, None)
    listener.boxes.assign_seat("button:tasmota/bell", 1)
    publish("stat/bell/RESULT", {"Button2": {"Action": "SINGLE"}})
    while press.button != 2:
        press = listener.press()
    assert press.intent == Intent(IntentKind.NO, seat=1)


def test_hostile_payloads_are_said_once_and_the_device_goes_on(opened: Opened, publish: Publish) -> None:
    listener = opened(KITCHEN)
    for payload in (b"\xff" * 100, b"{" * 300, b"[" * 4000, b'{"action":' * 300, b'{"action":{"action":1}}'):
        publish("zigbee2mqtt/kitchen", payload)
        publish("zigbee2mqtt/kitchen", payload)
    publish("zigbee2mqtt/kitchen", {"action": "1_single"})
    assert listener.press().button == 1
    listener.notice()
    publish("zigbee2mqtt/kitchen", b"\xff")
    publish("zigbee2mqtt/kitchen", {"action": "2_single"})
    assert listener.press().button == 2
    assert len(listener.notices) == 1
    assert "it was ignored" in listener.notices[0].text


def test_a_broker_that_goes_is_said_of_each_device(broker: Broker, opened: Opened, publish: Publish) -> None:
    listener = opened(KITCHEN)
    broker.stop()
    assert "connection ended" in listener.state(LinkState.LOST, KITCHEN).reason
    broker.start()
    listener.state(LinkState.READY, KITCHEN)


def test_a_last_will_is_said_at_once_and_its_end_too(opened: Opened, publish: Publish) -> None:
    name = "button:esphome/desk/bell"
    listener = opened(f"{name}@1")
    publish("desk/status", b"offline", retain=True)
    assert "offline" in listener.state(LinkState.LOST, name).reason
    publish("desk/status", b"online", retain=True)
    listener.state(LinkState.READY, name)


def test_a_bridge_that_is_gone_is_said_of_its_devices_and_of_no_others(opened: Opened, publish: Publish) -> None:
    bell = "button:tasmota/bell"
    listener = opened(KITCHEN, bell)
    listener.ready()
    publish("zigbee2mqtt/bridge/state", {"state": "offline"}, retain=True)
    assert listener.state(LinkState.LOST).box == KITCHEN
    assert listener.boxes.states[KITCHEN].reason == "its bridge is offline"
    assert listener.boxes.states[bell].state is LinkState.READY
    publish("zigbee2mqtt/bridge/state", {"state": "online"}, retain=True)
    listener.state(LinkState.READY, KITCHEN)


def test_a_device_on_a_battery_that_says_goodbye_is_asleep_and_shows_when_it_was_heard(
    opened: Opened, publish: Publish
) -> None:
    name = "button:shelly/panel7"
    listener = opened(f"{name}@1")
    publish("shellies/panel7/sensor/battery", b"64")
    publish("shellies/panel7/input_event/0", {"event": "S", "event_cnt": 4}, retain=True)
    publish("shellies/panel7/online", b"false", retain=True)
    publish("shellies/panel7/input_event/0", {"event": "S", "event_cnt": 5})
    press = listener.press()
    state = listener.boxes.states[name]
    assert (state.state, state.battery, state.heard_at) == (LinkState.READY, 64, press.at)


@pytest.mark.parametrize("template", [{"value_template": "{{ value_json.keys | map(attribute='n') | first }}"}, {}])
def test_an_announcement_that_is_not_understood_is_never_called_ready(
    template: dict[str, str], opened: Opened, publish: Publish
) -> None:
    name = "button:homeassistant/gw"
    listener = opened()
    trigger = {
        "type": "odd", "subtype": "odder", "topic": "gw/keys", "payload": "1", "device": {"identifiers": ["gw"]},
        **template,
    }  # fmt: skip
    publish("homeassistant/device_automation/gw/k/config", trigger, retain=True)
    listener = opened_without_waiting(listener, opened, name)
    state = listener.state(LinkState.HELLO, name)
    while "not understood" not in state.reason:
        state = listener.state(LinkState.HELLO, name)
    assert all(state.state is not LinkState.READY for state in listener.states if state.box == name)


def test_a_device_that_tells_movements_only_is_not_understood_until_it_tells_a_press(
    opened: Opened, publish: Publish
) -> None:
    name = "button:shelly/panel7"
    listener = opened(f"{name}@1")
    for word in (b"1", b"0") * 3:
        publish("shellies/panel7/input/0", word)
        publish("shellies/panel7/longpush/0", word)
    assert "not that they are pressed" in listener.state(LinkState.HELLO, name).reason
    publish("shellies/panel7/input/0", b"1")
    publish("shellies/panel7/input_event/0", {"event": "S", "event_cnt": 5})
    assert listener.press().gesture is Gesture.SINGLE
    listener.state(LinkState.READY, name)


def opened_without_waiting(listener: Listener, opened: Opened, name: str) -> Listener:
    """Boxes with a remembered device, which need not become ready."""
    listener.boxes.close()
    return opened(bindings=default_bindings().with_seat(name, 1))


def test_a_device_whose_buttons_were_taught_is_ready_and_heard(opened: Opened, publish: Publish) -> None:
    name = "button:homeassistant/gw"
    trigger = {
        "type": "odd", "subtype": "odder", "topic": "gw/keys", "payload": "1", "device": {"identifiers": ["gw"]},
        "value_template": "{{ value_json.action | replace('_', ' ') }}",
    }  # fmt: skip
    publish("homeassistant/device_automation/gw/k/config", trigger, retain=True)
    bindings = default_bindings().with_seat(name, 1).with_word(name, "wiggle", Intent(IntentKind.NEXT))
    listener = opened(bindings=bindings)
    listener.state(LinkState.READY, name)

    def is_heard() -> bool:
        publish("gw/keys", {"action": "wiggle"})
        return not listener.boxes.events.empty()

    eventually(is_heard)
    assert listener.press().intent == Intent(IntentKind.NEXT, seat=1)


def test_large_messages_are_read(opened: Opened, publish: Publish) -> None:
    devices = [{"friendly_name": f"lamp {number}", "definition": {"model": "x" * 1000}} for number in range(1500)]
    devices.append({"friendly_name": "kitchen", "definition": {"model": "8718699693985"}})
    publish("zigbee2mqtt/bridge/devices", devices, retain=True)
    listener = opened(KITCHEN)
    publish("zigbee2mqtt/kitchen", {"action": "off", "update": {"latest_release_notes": "n" * 60_000}})
    assert listener.press().button == 1  # the model says that on and off are one key
    publish("zigbee2mqtt/kitchen", {"action": "double", "update": {"latest_release_notes": "n" * 70_000}})
    assert "65536 are read" in listener.notice().text
