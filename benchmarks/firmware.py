"""The boxes' programs run unchanged: how fast and how safe they are, and whether they change in a day."""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Protocol

from benchmarks.figures import Figure, median, percentile
from firmware_bridge.boxes import Boxes
from firmware_bridge.errors import FirmwareUnavailable
from firmware_bridge.firmware.avr import OSCILLATOR_HERTZ, AvrBoxSimulator, AvrBuild, SteppedAvr, build
from firmware_bridge.firmware.unix_board import MicroPythonBoxSimulator
from firmware_bridge.mqtt.broker import start_broker
from firmware_bridge.presses.events import BoxState, ButtonPress
from firmware_bridge.protocol.addresses import BoxAddress, BrokerAddress
from firmware_bridge.protocol.link import Edge, Link
from firmware_bridge.protocol.messages import EVERY_BOX, Beat, HostBeat, HostHello, LinkState
from firmware_bridge.serial.codec import Decoder, encode
from firmware_bridge.simulators.serial_box import Noise

PRESSES = 100
NOISY_PRESSES = 300
NOISE_RATE = 0.02
HOURS = float(os.environ.get("COMPANION_FIRMWARE_HOURS", "1"))
UNPLUGGINGS = 5
SLOW_STEP, FAST_STEP = 0.25, 0.005
OSCILLATOR_ERROR = 0.005
HANG = 20.0


class Board(Protocol):
    def press(self, button: int) -> None: ...
    def release(self, button: int) -> None: ...
    def plug(self) -> None: ...
    def unplug(self) -> None: ...


def measure() -> Iterator[Figure]:
    """The figures of the Uno's binary in simavr and of MicroPython's Unix port."""
    for figures in (_uno, _micropython):
        try:
            yield from figures()
        except FirmwareUnavailable as error:
            print(f"left out: {error}", file=sys.stderr)


def _uno() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        built = build(Path(folder))
        with AvrBoxSimulator(built) as board:
            yield from _latency("Uno, serial", board, f"serial:{board.path}")
            yield from _unplugging("Uno, serial", board, f"serial:{board.path}")
        yield from _noise(built)
        yield from _day(built)


def _micropython() -> Iterator[Figure]:
    with MicroPythonBoxSimulator() as pico:
        yield from _latency("MicroPython, serial", pico, f"serial:{pico.path}")
    broker = start_broker("own")
    with MicroPythonBoxSimulator(broker.address) as esp32:
        yield from _latency("MicroPython, MQTT", esp32, "mqtt:blue", broker.address)
        yield from _unplugging("MicroPython, MQTT", esp32, "mqtt:blue", broker.address)
        yield _silence(esp32, broker.address)
    broker.stop()


def _next(boxes: Boxes, wanted: Callable[[object], bool]) -> float:
    """The time at which a wanted event came."""
    while not wanted(boxes.events.get(timeout=HANG)):
        pass
    return time.monotonic()


def _is_press(event: object) -> bool:
    return isinstance(event, ButtonPress)


def _is_in(state: LinkState) -> Callable[[object], bool]:
    return lambda event: isinstance(event, BoxState) and event.state is state


def _latency(name: str, board: Board, address: str, broker: BrokerAddress | None = None) -> Iterator[Figure]:
    random, durations = Random(1), []
    with Boxes([BoxAddress.parse(address)], broker=broker) as boxes:
        _next(boxes, _is_in(LinkState.READY))
        for _ in range(PRESSES):
            time.sleep(random.uniform(0.03, 0.06))
            begin = time.monotonic()
            board.press(1)
            durations.append((_next(boxes, _is_press) - begin) * 1e3)
            board.release(1)
    note = f"p95 {percentile(durations, 0.95):.3g} ms, 8 ms of debouncing in it"
    yield Figure(f"{name}: press to intent (median)", median(durations), "ms", 30, count=PRESSES, note=note)


def _unplugging(name: str, board: Board, address: str, broker: BrokerAddress | None = None) -> Iterator[Figure]:
    gone, back = [], []
    with Boxes([BoxAddress.parse(address)], broker=broker) as boxes:
        _next(boxes, _is_in(LinkState.READY))
        for _ in range(UNPLUGGINGS):
            begin = time.monotonic()
            board.unplug()
            gone.append(_next(boxes, _is_in(LinkState.LOST)) - begin)
            time.sleep(0.5)
            begin = time.monotonic()
            board.plug()
            back.append(_next(boxes, _is_in(LinkState.READY)) - begin)
    yield Figure(f"{name}: unplugged until noticed (worst)", max(gone), "s", 1, count=UNPLUGGINGS)
    yield Figure(f"{name}: plugged in until ready (worst)", max(back), "s", 3, count=UNPLUGGINGS)


def _silence(board: MicroPythonBoxSimulator, broker: BrokerAddress) -> Figure:
    with Boxes([BoxAddress.parse("mqtt:blue")], broker=broker) as boxes:
        _next(boxes, _is_in(LinkState.READY))
        time.sleep(1.5)
        begin = time.monotonic()
        board.freeze()
        noticed = _next(boxes, _is_in(LinkState.LOST)) - begin
        board.thaw()
    return Figure("MicroPython, MQTT: a box that hangs until noticed", noticed, "s", 3.5)


class _Bench:
    """The Uno's binary and our link in simulated time."""

    def __init__(self, built: AvrBuild, noise_rate: float = 0.0, oscillator_hertz: int = OSCILLATOR_HERTZ) -> None:
        self.board = SteppedAvr(built, oscillator_hertz=oscillator_hertz)
        self.link = Link(0.1, session=1)
        self.decoder = Decoder()
        self.beat: Beat | None = None
        self._noise_in, self._noise_out = Noise(noise_rate, 1), Noise(noise_rate, 2)
        self.link.opening()
        self.link.opened(0.0)
        while self.link.state is not LinkState.READY:
            self.step(FAST_STEP)

    def step(self, seconds: float) -> list[Edge]:
        """Simulate up to the next frame, at most for the given time; return the button edges that the link reports."""
        for message in self.link.take_messages():
            box = EVERY_BOX if isinstance(message, HostHello | HostBeat) else 1
            self.board.send(self._noise_in(encode(box, message)))
        data = self.board.run(seconds, to_frame=True)
        for frame in self.decoder.feed(self._noise_out(data)):
            if frame.box == 1:
                self.link.receive(frame.message, self.board.seconds)
                self.beat = frame.message if isinstance(frame.message, Beat) else self.beat
        self.link.tick(self.board.seconds)
        return [event for event in self.link.take_events() if isinstance(event, Edge)]


def _noise(built: AvrBuild) -> Iterator[Figure]:
    bench = _Bench(built, NOISE_RATE)
    wrong = 0
    for press in range(NOISY_PRESSES):
        for move, is_pressed in ((bench.board.press, True), (bench.board.release, False)):
            move(1 + press % 4)
            given: list[Edge] = []
            begin = bench.board.seconds
            while not given and bench.board.seconds < begin + HANG:
                given = bench.step(FAST_STEP)
            wrong += [(edge.button, edge.pressed) for edge in given] != [(1 + press % 4, is_pressed)]
    bench.board.close()
    damaged = sum(bench.decoder.counts.damaged.values())
    yield Figure(
        "Uno: edges lost, doubled or out of order at 2 % damaged bytes both ways", wrong, "", 0,
        count=2 * NOISY_PRESSES, note=f"{damaged} damaged frames heard, {bench.link.duplicates} repeats dropped",
    )  # fmt: skip


def _day(built: AvrBuild) -> Iterator[Figure]:
    """Hours of beats and presses with an oscillator that is half a percent fast."""
    bench = _Bench(built, oscillator_hertz=round(OSCILLATOR_HERTZ * (1 + OSCILLATOR_ERROR)))
    random, errors, wrong, presses = Random(24), [], 0, 0
    unused = kibibytes = 0
    begin, end = time.monotonic(), HOURS * 3600
    while bench.board.seconds < end:
        _rest(bench, random.uniform(10, 60))
        button = random.randint(1, 4)
        for move, is_pressed in ((bench.board.press, True), (bench.board.release, False)):
            moved_at = bench.board.seconds
            move(button)
            given = _rest(bench, random.uniform(0.1, 0.9), FAST_STEP)
            wrong += [(edge.button, edge.pressed) for edge in given] != [(button, is_pressed)]
            errors += [abs(edge.at - moved_at) * 1e3 for edge in given]
        presses += 1
        if not unused and bench.board.seconds > end / 10:
            unused, kibibytes = bench.board.unused_memory(), _largest_memory()
    elapsed = time.monotonic() - begin
    grown = unused - bench.board.unused_memory()
    bench.board.close()
    hours = f"{HOURS:g} simulated hours"
    yield Figure(f"{hours}: edges lost or doubled", wrong, "", 0, count=2 * presses, note=f"took {elapsed:.0f} s")
    yield Figure(
        f"{hours}: largest error of an edge's time", max(errors), "ms", 100, count=2 * presses,
        note=f"median {median(errors):.2g} ms; the oscillator is 0.5 % fast",
    )  # fmt: skip
    yield Figure(f"{hours}: memory that the Uno came to use", grown, "byte", 0, note=f"{unused} of 2048 never touched")
    yield Figure(f"{hours}: memory that the host came to use", (_largest_memory() - kibibytes) / 1024, "MB", 5)
    overruns = bench.beat.overruns if bench.beat else -1
    yield Figure(f"{hours}: edges and bytes that the Uno could not keep", overruns, "", 0)


def _rest(bench: _Bench, seconds: float, step: float = SLOW_STEP) -> list[Edge]:
    given: list[Edge] = []
    end = bench.board.seconds + seconds
    while bench.board.seconds < end:
        given += bench.step(min(step, end - bench.board.seconds + 1e-6))
    return given


def _largest_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
