"""Simulated boxes behind a serial port: a pseudo-terminal that pyserial opens like any other port."""

from __future__ import annotations

import os
import random
import secrets
import select
import threading
import time
from contextlib import suppress
from pathlib import Path

from firmware_bridge.protocol.messages import BOX_NUMBERS, EVERY_BOX, Buzz
from firmware_bridge.pseudo_terminal import open_pseudo_terminal
from firmware_bridge.scratch import ScratchFolder
from firmware_bridge.serial.codec import Decoder, encode
from firmware_bridge.simulators.box import SimulatedBox

TICK = 0.01


class Noise:
    """Replaces bytes by random ones at a rate from 0 to 1, the same ones for the same seed and data."""

    def __init__(self, rate: float, seed: int) -> None:
        self.damaged = 0
        self._rate = rate
        self._random = random.Random(seed)

    def __call__(self, data: bytes) -> bytes:
        """The data as they arrive."""
        noisy = bytearray(data)
        for index in range(len(noisy)):
            if self._random.random() < self._rate:
                noisy[index] = self._random.randrange(256)
                self.damaged += 1
        return bytes(noisy)


class SerialBoxSimulator:
    """Boxes 1 to `boxes` behind one port at `path`, powered by it: unplugged and plugged in, they restart.

    `noise_rate` of the bytes are damaged in either direction. Methods may be called from any thread.
    """

    def __init__(self, boxes: int = 1, *, buttons: int = 4, noise_rate: float = 0.0, seed: int = 0) -> None:
        self._numbers = BOX_NUMBERS[:boxes]
        self._buttons = buttons
        self._noise_in, self._noise_out = Noise(noise_rate, 2 * seed), Noise(noise_rate, 2 * seed + 1)
        self._folder = ScratchFolder("box")
        self.path = str(self._folder.path / "port")
        self._uid = secrets.token_bytes(7)
        self._lock = threading.Lock()
        self._boxes: dict[int, SimulatedBox] = {}
        self._master = self._slave = -1
        self._wake_read, self._wake_write = os.pipe()
        self._thread: threading.Thread | None = None
        self.plug()

    @property
    def damaged_bytes(self) -> int:
        """How many bytes the noise has replaced."""
        return self._noise_in.damaged + self._noise_out.damaged

    def uid(self, box: int = 1) -> bytes:
        """By what a box is known on any port."""
        return self._uid + bytes([box])

    def press(self, button: int, box: int = 1) -> None:
        """Hold a button down; nothing happens while unplugged."""
        with self._lock:
            if box in self._boxes:
                self._boxes[box].press(button, time.monotonic())
                self._send()

    def release(self, button: int, box: int = 1) -> None:
        """Let a button come up."""
        with self._lock:
            if box in self._boxes:
                self._boxes[box].release(button, time.monotonic())
                self._send()

    def tap(self, button: int, box: int = 1) -> None:
        """Press and release."""
        self.press(button, box)
        self.release(button, box)

    def lit(self, box: int = 1) -> frozenset[int]:
        """The LEDs that are on."""
        with self._lock:
            return self._boxes[box].lit if box in self._boxes else frozenset()

    def buzzes(self, box: int = 1) -> tuple[Buzz, ...]:
        """What the buzzer has sounded since the box was plugged in."""
        with self._lock:
            return tuple(self._boxes[box].buzzes) if box in self._boxes else ()

    def pending(self, box: int = 1) -> int:
        """How many edges no host has acknowledged."""
        with self._lock:
            return self._boxes[box].pending if box in self._boxes else 0

    def plug(self) -> None:
        """Give the port and its boxes power."""
        if self._thread is not None:
            return
        self._master, self._slave = open_pseudo_terminal(Path(self.path))
        with self._lock:
            now = time.monotonic()
            self._boxes = {
                number: SimulatedBox(now, buttons=self._buttons, uid=self.uid(number)) for number in self._numbers
            }
            for box in self._boxes.values():
                box.introduce(now)
            self._send()
        self._thread = threading.Thread(target=self._run, name=f"boxes at {self.path}", daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        """Take the port away, boxes and all."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        with self._lock:
            self._boxes.clear()
        os.write(self._wake_write, b"x")
        thread.join()
        Path(self.path).unlink()
        os.close(self._slave)
        os.close(self._master)

    def close(self) -> None:
        """Unplug for good."""
        self.unplug()
        if self._wake_read >= 0:
            os.close(self._wake_read)
            os.close(self._wake_write)
            self._wake_read = self._wake_write = -1
        self._folder.close()

    def __enter__(self) -> SerialBoxSimulator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        decoder = Decoder()
        while True:
            ready, _, _ = select.select([self._master, self._wake_read], [], [], TICK)
            if self._wake_read in ready:
                os.read(self._wake_read, 1)
                return
            data = os.read(self._master, 4096) if ready else b""
            with self._lock:
                now = time.monotonic()
                for frame in decoder.feed(self._noise_in(data)):
                    for number, box in self._boxes.items():
                        if frame.box in (number, EVERY_BOX):
                            box.receive(frame.message, now)
                for box in self._boxes.values():
                    box.tick(now)
                self._send()

    def _send(self) -> None:
        for number, box in self._boxes.items():
            data = b"".join(encode(number, message) for message in box.take_messages())
            # A full port loses bytes, as a UART without a listener does.
            with suppress(BlockingIOError):
                os.write(self._master, self._noise_out(data))
