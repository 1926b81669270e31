"""The whole way, from a finger on a simulated box to an intent, over real ports and brokers."""

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from companion.session.intents import Intent, IntentKind
from firmware_bridge import boxes as module
from firmware_bridge.boxes import Boxes
from firmware_bridge.errors import BrokerUnavailable, InvalidBoxAddress
from firmware_bridge.mqtt.broker import Broker, OwnIotcore, OwnMosquitto
from firmware_bridge.mqtt.codec import Publication, publication
from firmware_bridge.mqtt.connection import MqttConnection
from firmware_bridge.mqtt.transport import read_box
from firmware_bridge.presses import interpreter as press_interpreter
from firmware_bridge.presses.bindings import load_bindings
from firmware_bridge.protocol import gestures
from firmware_bridge.protocol.addresses import BoxAddress, BrokerAddress
from firmware_bridge.protocol.gestures import Gesture
from firmware_bridge.protocol.messages import Button, Hello, LinkState
from firmware_bridge.serial.codec import encode
from firmware_bridge.simulators.mqtt_box import MqttBoxSimulator
from firmware_bridge.simulators.serial_box import SerialBoxSimulator
from firmware_bridge.transports.reconnect import SHORTEST_WAIT
from firmware_bridge.transports.transport import Dropped
from tests.firmware_bridge.far_ends import SerialFarEnd
from tests.firmware_bridge.waiting import Listener, eventually

READY, LOST = LinkState.READY, LinkState.LOST


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def serial_box() -> Iterator[SerialBoxSimulator]:
    with SerialBoxSimulator() as simulator:
        yield simulator


@pytest.fixture
def wireless_box(broker: Broker) -> Iterator[MqttBoxSimulator]:
    with MqttBoxSimulator(broker.address, "blue") as simulator:
        yield simulator


def opened(stack: ExitStack, *addresses: str, broker: Broker | None = None) -> Listener:
    parsed = [BoxAddress.parse(address) for address in addresses]
    return Listener(stack.enter_context(Boxes(parsed, broker=broker.address if broker else None)))


def ready(stack: ExitStack, *addresses: str, broker: Broker | None = None) -> Listener:
    listener = opened(stack, *addresses, broker=broker)
    listener.ready()
    return listener


def test_a_press_on_a_serial_box_is_an_intent(stack: ExitStack, serial_box: SerialBoxSimulator) -> None:
    listener = ready(stack, f"serial:{serial_box.path}@2")
    kinds = [IntentKind.DONE, IntentKind.NO, IntentKind.NEXT, IntentKind.HELP]
    for number, kind in enumerate(kinds, 1):
        serial_box.tap(number)
        press = listener.press()
        assert (press.number, press.seat, press.button, press.gesture) == (number, 2, number, Gesture.SINGLE)
        assert press.intent == Intent(kind, seat=2)
    eventually(lambda: serial_box.pending() == 0)


def test_a_press_on_a_wireless_box_is_an_intent(
    stack: ExitStack, broker: Broker, wireless_box: MqttBoxSimulator
) -> None:
    listener = ready(stack, "mqtt:blue@1", broker=broker)
    wireless_box.tap(1)
    assert listener.press().intent == Intent(IntentKind.DONE, seat=1)
    eventually(lambda: wireless_box.pending() == 0)


def test_the_first_to_press_is_known_across_wires(
    stack: ExitStack, broker: Broker, serial_box: SerialBoxSimulator, wireless_box: MqttBoxSimulator
) -> None:
    listener = ready(stack, f"serial:{serial_box.path}@1", "mqtt:blue@2", broker=broker)
    wireless_box.press(1)
    eventually(lambda: wireless_box.pending() == 0)
    serial_box.press(1)
    presses = [listener.press(), listener.press()]
    assert [press.seat for press in sorted(presses, key=lambda press: press.at)] == [2, 1]


def test_a_lamp_lights_only_when_the_program_accepts(stack: ExitStack, serial_box: SerialBoxSimulator) -> None:
    listener = ready(stack, f"serial:{serial_box.path}")
    serial_box.tap(3)
    press = listener.press()
    eventually(lambda: serial_box.pending() == 0)
    assert serial_box.lit() == frozenset()
    listener.boxes.accept(press)
    eventually(lambda: serial_box.lit() == {3})
    eventually(lambda: serial_box.lit() == frozenset())
    listener.boxes.refuse(press)
    eventually(lambda: len(serial_box.buzzes()) == 1)


def test_lamps_and_buzzer_of_a_wireless_box(stack: ExitStack, broker: Broker, wireless_box: MqttBoxSimulator) -> None:
    listener = opened(stack, "mqtt:blue", broker=broker)
    listener.boxes.set_led("mqtt:blue", 2, True)  # before anybody is there
    listener.ready()
    eventually(lambda: wireless_box.lit() == {2})
    listener.boxes.buzz("mqtt:blue", 880, 100)
    eventually(lambda: [(buzz.hertz, buzz.duration_ms) for buzz in wireless_box.buzzes()] == [(880, 100)])
    with pytest.raises(KeyError):
        listener.boxes.set_led("mqtt:red", 1, True)
    with pytest.raises(ValueError, match="is not from 1 to 16"):
        listener.boxes.set_led("mqtt:blue", 17, True)
    with pytest.raises(ValueError, match="is not from 20 to 20000"):
        listener.boxes.buzz("mqtt:blue", 0, 100)


def test_300_presses_arrive_once_and_in_order_with_2_percent_of_bytes_damaged(stack: ExitStack) -> None:
    simulator = stack.enter_context(SerialBoxSimulator(noise_rate=0.02, seed=300))
    listener = ready(stack, f"serial:{simulator.path}")
    pressed = [count * 7 % 4 + 1 for count in range(300)]
    for button in pressed:
        eventually(lambda: simulator.pending() <= 12)
        simulator.tap(button)
    presses = [listener.press() for _ in pressed]
    assert [press.button for press in presses] == pressed
    assert [press.number for press in presses] == list(range(1, 301))
    eventually(lambda: simulator.pending() == 0)
    assert simulator.damaged_bytes > 200


def test_an_unplugged_box_is_said_and_comes_back_with_its_lamps(
    stack: ExitStack, serial_box: SerialBoxSimulator
) -> None:
    name = f"serial:{serial_box.path}"
    listener = ready(stack, name)
    listener.boxes.set_led(name, 1, True)
    serial_box.tap(1)
    listener.press()
    for number in (2, 3):
        eventually(lambda: serial_box.pending() == 0)
        serial_box.unplug()
        assert listener.state(LOST).reason == "was unplugged"
        serial_box.plug()
        listener.state(READY)
        eventually(lambda: serial_box.lit() == {1})
        serial_box.tap(number)
        assert listener.press().button == number
    assert [press.button for press in listener.presses] == [1, 2, 3]
    assert listener.notices == []


def test_a_box_plays_on_the_broker_that_the_program_brings(stack: ExitStack) -> None:
    try:
        broker = OwnIotcore()
    except BrokerUnavailable as error:
        pytest.skip(str(error))
    broker.start()
    stack.callback(broker.stop)
    box = stack.enter_context(MqttBoxSimulator(broker.address, "blue"))
    listener = ready(stack, "mqtt:blue@1", broker=broker)
    box.tap(1)
    assert listener.press().intent == Intent(IntentKind.DONE, seat=1)
    listener.boxes.set_led("mqtt:blue", 2, True)
    eventually(lambda: box.lit() == {2})
    box.unplug()
    assert "offline" in listener.state(LOST).reason
    box.plug()
    listener.state(READY)


def test_a_button_held_while_its_box_is_unplugged_means_nothing(
    stack: ExitStack, serial_box: SerialBoxSimulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gestures, "LONG_HOLD", 0.1)
    own = tmp_path / "bindings.toml"
    own.write_text('format = 1\n[[binding]]\nbutton = 1\ngesture = "long"\nintent = "undo"\n', encoding="ascii")
    address = BoxAddress.parse(f"serial:{serial_box.path}")
    listener = Listener(stack.enter_context(Boxes([address], load_bindings(own))))
    listener.ready()
    serial_box.press(1)
    assert listener.press().intent == Intent(IntentKind.UNDO)
    serial_box.release(1)
    eventually(lambda: serial_box.pending() == 0)
    serial_box.press(1)
    eventually(lambda: serial_box.pending() == 0)
    serial_box.unplug()
    listener.state(LOST)
    serial_box.plug()
    listener.state(READY)
    serial_box.tap(2)
    listener.press()
    assert [press.button for press in listener.presses] == [1, 2]


def test_another_box_may_be_plugged_in(stack: ExitStack, tmp_path: Path) -> None:
    port_end = SerialFarEnd(tmp_path)
    stack.callback(port_end.close)
    listener = opened(stack, f"serial:{tmp_path / 'port'}")
    for number, boot in (("7", 1), ("9", 2)):
        port_end.box = number
        assert port_end.read()  # the greeting
        port_end.say(Hello(1, 1, 256, 4, 4, 0, 0, boot, 0, 1000, bytes(8)))
        listener.state(READY)
        port_end.vanish()
        listener.state(LOST)
        port_end.come_back()


def test_what_is_asked_of_a_box_out_of_reach_does_not_pile_up(stack: ExitStack, tmp_path: Path) -> None:
    name = f"serial:{tmp_path / 'port'}"
    boxes = opened(stack, name).boxes
    for count in range(100):
        boxes.set_led(name, 1, count % 2 == 0)
    eventually(boxes._stations[name]._commands.empty)


def test_a_box_plugged_in_later_is_waited_for(stack: ExitStack, serial_box: SerialBoxSimulator) -> None:
    serial_box.unplug()
    listener = opened(stack, f"serial:{serial_box.path}")
    assert listener.state(LOST).reason == "is not there"
    serial_box.plug()
    listener.state(READY)
    assert [state.state for state in listener.states] == [LinkState.OPENING, LOST, READY]


def test_several_boxes_behind_one_port(stack: ExitStack) -> None:
    simulator = stack.enter_context(SerialBoxSimulator(boxes=3))
    listener = ready(stack, f"serial:{simulator.path}#2@1", f"serial:{simulator.path}@2")
    simulator.tap(4, box=2)
    assert listener.press().seat == 1
    simulator.tap(4, box=1)
    assert listener.press().seat == 2
    listener.boxes.set_led(f"serial:{simulator.path}#2", 1, True)
    eventually(lambda: simulator.lit(box=2) == {1})
    assert simulator.lit(box=1) == frozenset()
    assert f"it is used when it is named serial:{simulator.path}#3" in listener.notice().text


def test_a_ten_line_sketch_is_a_box(stack: ExitStack, tmp_path: Path) -> None:
    sketch = SerialFarEnd(tmp_path)
    stack.callback(sketch.close)
    listener = opened(stack, f"serial:{tmp_path / 'port'}@1")
    listener.state(LinkState.HELLO)
    sketch.write(b"hello\r\nBTN 2 DOWN\r\nBTN 2 UP\r\n")
    assert listener.press().intent == Intent(IntentKind.NO, seat=1)
    assert listener.states[-1].state is READY
    listener.boxes.set_led(f"serial:{tmp_path / 'port'}", 1, True)
    said = b""
    while b"LED 1 ON\n" not in said:
        said += sketch.read()


def test_presses_survive_a_killed_broker(stack: ExitStack, mosquitto: OwnMosquitto) -> None:
    box = stack.enter_context(MqttBoxSimulator(mosquitto.address, "blue"))
    listener = ready(stack, "mqtt:blue", broker=mosquitto)
    pressed = []
    for _ in range(2):
        for button in (1, 2, 3, 4, 1, 2, 3):
            box.tap(button)
            pressed.append(button)
        os.kill(mosquitto.process.pid, signal.SIGKILL)
        mosquitto.process.wait()
        box.tap(4)
        pressed.append(4)
        listener.state(LOST)
        mosquitto.start()
        listener.state(READY)
        eventually(lambda: box.pending() == 0)
    while len(listener.presses) < len(pressed):
        listener.press()
    assert [press.button for press in listener.presses] == pressed
    assert not any(press.is_stale for press in listener.presses)


def test_a_wireless_box_that_loses_its_network_keeps_its_presses(
    stack: ExitStack, broker: Broker, wireless_box: MqttBoxSimulator
) -> None:
    listener = ready(stack, "mqtt:blue", broker=broker)
    wireless_box.unplug()
    assert "offline" in listener.state(LOST).reason
    wireless_box.tap(3)
    wireless_box.plug()
    listener.state(READY)
    assert listener.press().intent == Intent(IntentKind.NEXT)


def test_a_press_too_old_is_shown_and_asks_for_nothing(
    stack: ExitStack, broker: Broker, wireless_box: MqttBoxSimulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(press_interpreter, "STALE_AFTER", 0.2)
    listener = ready(stack, "mqtt:blue", broker=broker)
    wireless_box.unplug()
    listener.state(LOST)
    wireless_box.tap(1)
    time.sleep(0.3)
    wireless_box.plug()
    press = listener.press()
    assert (press.is_stale, press.intent, press.button) == (True, None, 1)


def test_hostile_publications_are_said_once_and_the_boxes_go_on(
    stack: ExitStack, broker: Broker, wireless_box: MqttBoxSimulator
) -> None:
    listener = opened(stack, "mqtt:blue", "mqtt:red", broker=broker)
    listener.state(READY, "mqtt:blue")
    stranger = MqttConnection("stranger", broker.address, [], Dropped(), read_box)
    stranger.open()
    stack.callback(stranger.close)
    press = b'{"event_type":"press","seq":%d,"boot":"ffff","oldest":0,"t_ms":1}'
    for count in range(100):
        stranger.publish(Publication("tabletop/blue/event/button_1", b"\xff" * 300, qos=0))
        stranger.publish(Publication("tabletop/red/hello", b"[" * 400, qos=0))
        stranger.publish(Publication("tabletop/blue/event/button_4", press % count, qos=0))  # of no start we know
    wireless_box.tap(2)
    assert listener.press().button == 2
    wireless_box.tap(3)
    assert listener.press().button == 3
    assert len(listener.notices) == 1
    assert "it was ignored" in listener.notices[0].text
    assert listener.boxes.states["mqtt:blue"].state is READY


@pytest.mark.parametrize("wire", ["serial", "mqtt"])
def test_a_flood_from_one_box_leaves_room_for_the_other(
    stack: ExitStack, broker: Broker, serial_box: SerialBoxSimulator, wire: str, tmp_path: Path
) -> None:
    if wire == "serial":
        flooding = SerialFarEnd(tmp_path)
        stack.callback(flooding.close)
        name = f"serial:{tmp_path / 'port'}"
        listener = opened(stack, name, f"serial:{serial_box.path}@2")
        assert flooding.read()
        hello = encode(7, Hello(1, 1, 256, 4, 4, 0, 0, 1, 0, 1000, bytes(8)))
        press = [encode(7, Button(seq, 1, seq, 1, seq % 2 == 0, 1000)) for seq in range(5000)]
        send = flooding.write
    else:
        name = "mqtt:red"
        listener = opened(stack, name, f"serial:{serial_box.path}@2", broker=broker)
        listener.state(LinkState.HELLO, name)
        stranger = MqttConnection("stranger", broker.address, [], Dropped(), read_box)
        stranger.open()
        stack.callback(stranger.close)
        hello = publication("red", Hello(1, 1, 256, 4, 4, 0, 0, 1, 0, 1000, bytes(8)), by_host=False)
        edges = [publication("red", Button(seq, 1, seq, 1, seq % 2 == 0, 1000), by_host=False) for seq in range(5000)]
        press = [replace(edge, qos=0) for edge in edges]
        send = stranger.publish
    send(hello)
    listener.ready()
    for message in press:
        send(message)
    serial_box.tap(3)
    while listener.press().box == name:
        pass
    assert listener.presses[-1].intent == Intent(IntentKind.NEXT, seat=2)
    assert sum(press.box == name for press in listener.presses) < 1500
    eventually(lambda: listener.boxes.events.empty() or listener.next())
    assert len(listener.notices) <= 2


def test_a_wrong_password_is_said_and_does_not_hold_up_the_end(mosquitto: OwnMosquitto) -> None:
    address = BrokerAddress("127.0.0.1", mosquitto.address.port, "table", "guess")
    with Boxes([BoxAddress.parse("mqtt:blue")], broker=address) as boxes:
        reason = Listener(boxes).state(LOST).reason
    assert "Not authorized; check the user name and the password" in reason
    assert boxes.states["mqtt:blue"].state is LinkState.CLOSED


def test_a_refused_password_is_not_tried_again() -> None:
    attempts = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def refuse() -> None:
            while True:
                try:
                    wire, _ = server.accept()
                except OSError:
                    return
                with wire:
                    wire.recv(1000)
                    wire.sendall(b"\x20\x02\x00\x05")  # CONNACK: not authorized
                    attempts.append(1)
                    wire.recv(1000)

        threading.Thread(target=refuse, daemon=True).start()
        address = BrokerAddress("127.0.0.1", server.getsockname()[1])
        with Boxes([BoxAddress.parse("mqtt:blue")], broker=address) as boxes:
            Listener(boxes).state(LOST)
            time.sleep(4 * SHORTEST_WAIT)
        assert attempts == [1]
        server.shutdown(socket.SHUT_RDWR)


def test_boxes_that_were_never_started_can_be_closed() -> None:
    Boxes([BoxAddress.parse("serial:/dev/nothing")]).close()


def test_boxes_that_cannot_be_meant_are_refused() -> None:
    blue = BoxAddress.parse("mqtt:blue@1")
    with pytest.raises(InvalidBoxAddress, match="is named twice"):
        Boxes([blue, BoxAddress.parse("mqtt:blue@2")], broker=BrokerAddress("127.0.0.1"))
    with pytest.raises(InvalidBoxAddress, match="there is none"):
        Boxes([blue])


def test_events_that_nobody_takes_are_bounded(
    stack: ExitStack, serial_box: SerialBoxSimulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAXIMUM_EVENTS", 20)
    listener = ready(stack, f"serial:{serial_box.path}")
    boxes = listener.boxes
    for count in range(boxes.events.maxsize + 5):
        eventually(lambda: serial_box.pending() <= 8)
        serial_box.tap(count % 4 + 1)
    eventually(lambda: serial_box.pending() == 0)
    assert boxes.events.full()
