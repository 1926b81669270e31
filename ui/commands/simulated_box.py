"""A button box in software, played with the keyboard: `boxes simulate`."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from ui.commands.terminal import FINE, WrongUse, parser, say, whole_number

if TYPE_CHECKING:
    from firmware_bridge.simulators.mqtt_box import MqttBoxSimulator
    from firmware_bridge.simulators.serial_box import SerialBoxSimulator

LONG_SECONDS, DOUBLE_SECONDS = 0.8, 0.1
_LAMP_SECONDS = 0.05


def simulate(words: Sequence[str]) -> int:
    """`companion boxes simulate`: a box in software, played with the keyboard."""
    options = parser("boxes simulate", "A box in software that speaks the real protocol on a port or a broker.")
    options.add_argument("--broker", metavar="HOST[:PORT]", help="a wireless box on this broker, not a serial one")
    options.add_argument("--name", default="simulated", metavar="NAME", help="the wireless box's name (simulated)")
    options.add_argument(
        "--buttons", type=whole_number, default=4, choices=range(1, 17), metavar="N", help="1 to 16 (4)"
    )
    chosen = options.parse_args(words)
    from firmware_bridge.errors import BridgeError, InvalidBoxAddress, InvalidBrokerAddress
    from firmware_bridge.protocol.addresses import BoxAddress

    try:
        with ExitStack() as stack:
            box: SerialBoxSimulator | MqttBoxSimulator
            if chosen.broker is None:
                from firmware_bridge.simulators.serial_box import SerialBoxSimulator

                box = stack.enter_context(SerialBoxSimulator(buttons=chosen.buttons))
                say(f"the box is at serial:{box.path}")
            else:
                from firmware_bridge.mqtt.transport import check_broker
                from firmware_bridge.protocol.addresses import BrokerAddress
                from firmware_bridge.simulators.mqtt_box import MqttBoxSimulator

                address = BrokerAddress.parse(chosen.broker)
                name = BoxAddress.parse(f"mqtt:{chosen.name}").location
                check_broker(address)
                box = stack.enter_context(MqttBoxSimulator(address, name, buttons=chosen.buttons))
                say(f"the box is mqtt:{name}")
            say("type the number of a button; also: 2 long, 2 double, 2 down, 2 up, unplug, plug; Ctrl-D ends")
            _play_with(box, chosen.buttons)
    except (InvalidBoxAddress, InvalidBrokerAddress) as error:
        raise WrongUse(str(error)) from error
    except BridgeError as error:
        raise CompanionError(str(error)) from error
    return FINE


def _play_with(box: SerialBoxSimulator | MqttBoxSimulator, buttons: int) -> None:
    ended = threading.Event()
    lamps = threading.Thread(target=_tell_lamps, args=(box, ended), daemon=True)
    lamps.start()
    for line in sys.stdin:
        told = line.split()
        match told:
            case [("unplug" | "plug") as word]:
                (box.unplug if word == "unplug" else box.plug)()
            case [number, *how] if number.isdecimal() and 1 <= int(number) <= buttons:
                _do(box, int(number), " ".join(how))
            case []:
                pass
            case _:
                say(f"there is no {line.strip()!r}; a button is a number from 1 to {buttons}")
    ended.set()
    lamps.join()


def _do(box: SerialBoxSimulator | MqttBoxSimulator, button: int, how: str) -> None:
    match how:
        case "":
            box.tap(button)
        case "down":
            box.press(button)
        case "up":
            box.release(button)
        case "long":
            box.press(button)
            time.sleep(LONG_SECONDS)
            box.release(button)
        case "double":
            box.tap(button)
            time.sleep(DOUBLE_SECONDS)
            box.tap(button)
        case _:
            say(f"there is no {how!r}; it is long, double, down or up")


def _tell_lamps(box: SerialBoxSimulator | MqttBoxSimulator, ended: threading.Event) -> None:
    lit, heard = box.lit(), 0
    while not ended.wait(_LAMP_SECONDS):
        now, buzzes = box.lit(), box.buzzes()
        for led in sorted(now ^ lit):
            say(f"LED {led} {'on' if led in now else 'off'}")
        for buzz in buzzes[heard:]:
            say(f"buzzer {buzz.hertz} Hz, {buzz.duration_ms} ms")
        lit, heard = now, len(buzzes)
