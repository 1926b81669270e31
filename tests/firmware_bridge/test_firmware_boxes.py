"""Boards in software at the table, as the program serves them: behind ports and on a broker, in the clock's time."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Protocol

import pytest

from companion.session.intents import IntentKind
from firmware_bridge.boxes import Boxes
from firmware_bridge.errors import FirmwareUnavailable
from firmware_bridge.firmware.avr import AvrBoxSimulator, AvrBuild, SteppedAvr
from firmware_bridge.firmware.unix_board import MicroPythonBoxSimulator
from firmware_bridge.mqtt.broker import Broker, OwnMosquitto
from firmware_bridge.protocol.addresses import BoxAddress, BrokerAddress
from firmware_bridge.protocol.messages import Buzz, LinkState
from tests.firmware_bridge.waiting import Listener, eventually

pytestmark = pytest.mark.hardware


class Board(Protocol):
    def press(self, button: int) -> None: ...
    def release(self, button: int) -> None: ...
    def tap(self, button: int) -> None: ...
    def plug(self) -> None: ...
    def unplug(self) -> None: ...
    def lit(self) -> frozenset[int]: ...
    def buzzes(self) -> tuple[Buzz, ...]: ...


@contextmanager
def listening(*addresses: str, broker: BrokerAddress | None = None) -> Iterator[Listener]:
    with Boxes([BoxAddress.parse(address) for address in addresses], broker=broker) as boxes:
        listener = Listener(boxes)
        listener.ready()
        yield listener


def play(listener: Listener, board: Board, box: str) -> None:
    """Every button means its intent, lamps are lit, and a box that was away is the same as before."""
    kinds = []
    for button in (1, 2, 3, 4):
        board.press(button)
        if button == 4:  # held, it calls the judge
            board.release(button)
        press = listener.press()
        assert (press.box, press.button, press.seat) == (box, button, 2)
        listener.boxes.set_led(box, button, True)
        eventually(lambda button=button: board.lit() == frozenset(range(1, button + 1)))
        board.release(button)
        kinds.append(press.intent.kind)
    assert kinds == [IntentKind.DONE, IntentKind.NO, IntentKind.NEXT, IntentKind.HELP]
    listener.boxes.refuse(press)
    eventually(board.buzzes)

    board.unplug()
    listener.state(LinkState.LOST, box)
    board.plug()
    listener.state(LinkState.READY, box)
    eventually(lambda: board.lit() == {1, 2, 3, 4})
    for _ in range(3):
        board.tap(1)
    assert [listener.press().button for _ in range(3)] == [1, 1, 1]


def test_an_uno_behind_a_port(avr_build: AvrBuild) -> None:
    with AvrBoxSimulator(avr_build) as board, listening(f"serial:{board.path}@2") as listener:
        play(listener, board, f"serial:{board.path}")


def test_a_pico_behind_a_port(micropython: str) -> None:
    with MicroPythonBoxSimulator() as board, listening(f"serial:{board.path}@2") as listener:
        play(listener, board, f"serial:{board.path}")


def test_an_esp32_on_a_broker(micropython: str, mosquitto: OwnMosquitto) -> None:
    with (
        MicroPythonBoxSimulator(mosquitto.address) as board,
        listening("mqtt:blue@2", broker=mosquitto.address) as listener,
    ):
        play(listener, board, "mqtt:blue")


def test_who_pressed_first_is_known_across_boards(avr_build: AvrBuild, micropython: str, broker: Broker) -> None:
    with (
        AvrBoxSimulator(avr_build) as uno,
        MicroPythonBoxSimulator(broker.address) as esp32,
        listening(f"serial:{uno.path}@1", "mqtt:blue@2", broker=broker.address) as listener,
    ):
        uno.press(1)
        first = listener.press()
        esp32.press(1)
        second = listener.press()
        assert (first.seat, second.seat) == (1, 2)
        assert first.at < second.at


def test_a_board_that_hangs_is_lost_and_comes_back(micropython: str, mosquitto: OwnMosquitto) -> None:
    with (
        MicroPythonBoxSimulator(mosquitto.address) as board,
        listening("mqtt:blue@1", broker=mosquitto.address) as listener,
    ):
        board.freeze()
        listener.state(LinkState.LOST)
        board.thaw()
        listener.state(LinkState.READY)
        board.press(3)
        assert listener.press().button == 3


def test_a_board_that_does_not_start_says_why(avr_build: AvrBuild) -> None:
    broken = replace(avr_build, firmware=avr_build.firmware.with_name("none.elf"))
    for start in (AvrBoxSimulator, SteppedAvr):
        with pytest.raises(FirmwareUnavailable, match="the firmware cannot be read"):
            start(broken).run(1.0)
