"""The pins of a board: buttons to ground, LEDs, a buzzer; and its clock."""

import os
import time

import machine

DEBOUNCE_MS = 8


class Board:
    """What settings.json says is connected where, by the numbers of the pins."""

    def __init__(self, settings: dict) -> None:
        self.button_pins = [machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP) for pin in settings["buttons"]]
        self.led_pins = [machine.Pin(pin, machine.Pin.OUT, value=0) for pin in settings["leds"]]
        self.buzzer = None
        if "buzzer" in settings:
            self.buzzer = machine.PWM(machine.Pin(settings["buzzer"]), freq=440, duty_u16=0)
        self.buttons, self.leds = len(self.button_pins), len(self.led_pins)
        self.uid = (machine.unique_id() + bytes(8))[:8]
        self.reset_cause = machine.reset_cause() & 0xFF

    def contacts(self) -> list:
        """Which contacts are closed at this moment, bouncing and all."""
        return [not pin.value() for pin in self.button_pins]

    def show(self, mask: int) -> None:
        """Light the LEDs in the mask and no others; bit 0 is LED 1."""
        for led, pin in enumerate(self.led_pins):
            pin.value(mask >> led & 1)

    def tone(self, hertz: int) -> None:
        """Sound the buzzer until the next call; 0 is silence."""
        if self.buzzer is None:
            return
        if hertz:
            self.buzzer.freq(hertz)
        self.buzzer.duty_u16(32768 if hertz else 0)


class Debouncer:
    """Contacts that bounce to buttons that do not: a button follows its contact when that was steady for 8 ms."""

    def __init__(self, buttons: int) -> None:
        self.pressed = [False] * buttons
        self.since = [None] * buttons

    def update(self, contacts: list, now: int) -> list:
        """The edges (button from 1, pressed, since when) that are now certain."""
        edges = []
        for at, closed in enumerate(contacts):
            if closed == self.pressed[at]:
                self.since[at] = None
            elif self.since[at] is None:
                self.since[at] = now
            elif (now - self.since[at]) & 0xFFFFFFFF >= DEBOUNCE_MS:
                edges.append((at + 1, closed, self.since[at]))
                self.pressed[at], self.since[at] = closed, None
        return edges


class Clock:
    """Milliseconds since the start, wrapping at 2**32, where the board's own counter wraps much sooner."""

    def __init__(self) -> None:
        self.last, self.total = time.ticks_ms(), 0

    def milliseconds(self) -> int:
        """Now; to be asked at least every few days."""
        ticks = time.ticks_ms()
        self.total = (self.total + time.ticks_diff(ticks, self.last)) & 0xFFFFFFFF
        self.last = ticks
        return self.total


def drawn_boot() -> int:
    """A number for this start."""
    low, high = os.urandom(2)
    return low | high << 8
