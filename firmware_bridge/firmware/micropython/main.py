"""A button box on an ESP32 or a Raspberry Pi Pico: settings.json says which pins it has and how it is connected.

Who holds button 1 down as the board starts gets the interactive prompt instead.
"""

import json
import sys
import time

import machine
from board import Board, Clock, Debouncer, drawn_boot
from box import Box

REST_MS = 1


def opened_wire(settings: dict):
    """The wire that the settings name."""
    if settings["wire"] == "mqtt":
        from mqtt_wire import MqttWire

        return MqttWire(settings)
    from serial_wire import SerialWire

    return SerialWire(settings)


def run(board: Board, wire) -> None:
    """Be a box, for ever."""
    clock, debouncer = Clock(), Debouncer(board.buttons)
    box = Box(board, wire, drawn_boot())
    box.introduce()
    while True:
        now = clock.milliseconds()
        for edge in debouncer.update(board.contacts(), now):
            box.edge(*edge)
        box.tick(now)
        for message in wire.receive():
            box.hear(*message)
        if wire.is_new():
            box.introduce()
        wire.wait(REST_MS)


def main() -> None:
    """Read the settings and run; start again after an unforeseen error."""
    with open("settings.json") as file:
        settings = json.load(file)
    board = Board(settings)
    if board.contacts()[0]:
        return
    wire = opened_wire(settings)
    try:
        run(board, wire)
    except Exception as error:
        sys.print_exception(error, sys.stderr)
        time.sleep(1)
        machine.reset()


main()
