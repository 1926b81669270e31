"""Button boxes: the delay from press to intent, and the effects of noise, floods, killed brokers and pulled plugs."""

from __future__ import annotations

import queue
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure, median, percentile
from firmware_bridge.boxes import Boxes
from firmware_bridge.errors import BrokerUnavailable, FirmwareUnavailable
from firmware_bridge.firmware.avr import AvrBoxSimulator, build
from firmware_bridge.firmware.unix_board import MicroPythonBoxSimulator
from firmware_bridge.mqtt.broker import KeptBroker, OwnMosquitto, start_broker
from firmware_bridge.presses.events import BoxState, ButtonPress
from firmware_bridge.protocol.addresses import BoxAddress
from firmware_bridge.protocol.link import Edge, Link
from firmware_bridge.protocol.messages import Button, LinkState
from firmware_bridge.serial.codec import Decoder, SerialFrame, encode
from firmware_bridge.simulators.box import SimulatedBox
from firmware_bridge.simulators.mqtt_box import MqttBoxSimulator
from firmware_bridge.simulators.serial_box import SerialBoxSimulator

PRESSES = 200
THROUGH_KILLED_BROKERS = 2000
KILLS = 3
DAMAGED_FRAMES = 400_000
FUZZED_BYTES = 10_000_000
HOURS = 24.0
FLOOD_RATE, FLOOD_SECONDS = 10_000, 3.0
HANG = 30.0
PATIENT_PENDING = 12
KEEP_ALIVE = 5
"""seconds; a broker takes a connection for lost after one and a half times that"""
NAME = "blue"
STRANGER = f"""
import sys, time
from firmware_bridge.protocol.addresses import BrokerAddress
from firmware_bridge.mqtt.codec import Publication
from firmware_bridge.mqtt.connection import MqttConnection
from firmware_bridge.transports.transport import Dropped
host, port, user, password = sys.argv[1:]
address = BrokerAddress(host, int(port), user, password)
stranger = MqttConnection("stranger", address, (), Dropped(), lambda *_: None)
stranger.open()
hostile = Publication("tabletop/red/event/button_1", b"[" * 300, qos=0)
print("begins", flush=True)
sent, begin = 0, time.perf_counter()
while (elapsed := time.perf_counter() - begin) < {FLOOD_SECONDS}:
    for _ in range(int(elapsed * {FLOOD_RATE}) - sent):
        stranger.publish(hostile)
        sent += 1
    time.sleep(0.001)
print(sent)
stranger.close()
"""


def measure() -> Iterator[Figure]:
    """The figures of the bridge, with the real firmware where a compiler or interpreter for it is there."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        yield from _serial(folder)
        yield from _wireless()
        yield from _bought()
        yield _noise()
        yield from _killed_brokers()
        yield from _floods()
        yield from _codec()
        yield from _long_time()


BOUGHT = f"""
import sys
from paho.mqtt.client import CallbackAPIVersion, Client
host, port, user, password = sys.argv[1:]
device = Client(CallbackAPIVersion.VERSION2, "bell")
device.username_pw_set(user, password)
device.will_set("desk/status", "offline", 1, True)
device.on_connect = lambda *_: device.publish("desk/status", "online", 1, True)
device.connect(host, int(port), {KEEP_ALIVE})
device.loop_forever()
"""
"""a device that keeps its connection, as the firmware of bought ones does"""


class Program:
    """The bridge as a program uses it, with the events it received."""

    def __init__(self, stack: ExitStack, *addresses: str, broker: Any = None) -> None:
        parsed = [BoxAddress.parse(address) for address in addresses]
        self.boxes = stack.enter_context(Boxes(parsed, broker=broker.address if broker else None))
        self.presses: list[ButtonPress] = []

    def next(self) -> ButtonPress | BoxState | None:
        event = self.boxes.events.get(timeout=HANG)
        if isinstance(event, ButtonPress):
            self.presses.append(event)
        return event if isinstance(event, ButtonPress | BoxState) else None

    def state(self, wanted: LinkState) -> float:
        while True:
            event = self.next()
            if isinstance(event, BoxState) and event.state is wanted:
                return time.monotonic()

    def press(self, button: int) -> float:
        while True:
            event = self.next()
            if isinstance(event, ButtonPress) and event.button == button:
                return time.perf_counter()

    def drain(self, seconds: float) -> None:
        try:
            while True:
                event = self.boxes.events.get(timeout=seconds)
                if isinstance(event, ButtonPress):
                    self.presses.append(event)
        except queue.Empty:
            return


def _serial(folder: Path) -> Iterator[Figure]:
    with ExitStack() as stack:
        box: AvrBoxSimulator | SerialBoxSimulator
        try:
            box, note = stack.enter_context(AvrBoxSimulator(build(folder))), "the Uno's program in simavr"
        except FirmwareUnavailable as error:
            box, note = stack.enter_context(SerialBoxSimulator()), f"box in Python ({error})"
        program = Program(stack, f"serial:{box.path}")
        program.state(LinkState.READY)
        durations = _press_times(program, box)
        yield Figure(
            "press to intent, serial", median(durations), "ms", 30, count=PRESSES, note=_spread(durations, note)
        )
        if isinstance(box, AvrBoxSimulator):
            program.presses.clear()
            for button in (1, 2, 3, 4):
                box.bounce(button, 15)
                program.press(button)
                box.release(button)
            program.drain(0.5)
            wrong = _differences([1, 2, 3, 4], [press.button for press in program.presses])
            yield Figure("presses lost or doubled by 15 bounces", wrong, "", 0, count=4, note=note)
        yield from _plugged(program, box.unplug, box.plug, "USB box", 1.0)


def _wireless() -> Iterator[Figure]:
    with ExitStack() as stack:
        broker = start_broker("own")
        stack.callback(broker.stop)
        note = broker.name
        board: Any
        try:
            board = stack.enter_context(MicroPythonBoxSimulator(broker.address, NAME))
            note += ", MicroPython's Unix port"
        except FirmwareUnavailable:
            board = stack.enter_context(MqttBoxSimulator(broker.address, NAME))
            note += ", box in Python"
        program = Program(stack, f"mqtt:{NAME}", broker=broker)
        program.state(LinkState.READY)
        durations = _press_times(program, board)
        yield Figure("press to intent, MQTT", median(durations), "ms", 30, count=PRESSES, note=_spread(durations, note))
        if isinstance(board, MicroPythonBoxSimulator):
            yield from _plugged(program, board.freeze, board.thaw, "wireless box that falls silent", 3.5)


def _bought() -> Iterator[Figure]:
    """A device that others made, with a last will: how long until it is shown that it is gone."""
    with ExitStack() as stack:
        broker = start_broker("own")
        stack.callback(broker.stop)
        program = Program(stack, "button:esphome/desk/bell", broker=broker)
        for what, ending in (("killed", signal.SIGKILL), (f"frozen, keep-alive {KEEP_ALIVE} s", signal.SIGSTOP)):
            noticed = []
            for _ in range(3):
                device = _begin_device(broker)
                program.state(LinkState.READY)
                time.sleep(1.0)
                begin = time.monotonic()
                device.send_signal(ending)
                noticed.append(program.state(LinkState.LOST) - begin)
                device.kill()
                device.wait()
            goal = 7.5 if ending == signal.SIGKILL else None  # of a silent one the broker decides
            yield Figure(f"bought device {what}: noticed (longest)", max(noticed), "s", goal, count=3, note=broker.name)


def _begin_device(broker: OwnMosquitto) -> subprocess.Popen[bytes]:
    address = broker.address
    given = (address.host, address.port, address.username, address.password)
    return subprocess.Popen([sys.executable, "-c", BOUGHT, *map(str, given)])


def _press_times(program: Program, box: Any) -> list[float]:
    """Milliseconds from the press to the intent; the table is quiet between presses."""
    durations = []
    for count in range(PRESSES):
        button = count % 4 + 1
        begin = time.perf_counter()
        box.press(button)
        durations.append((program.press(button) - begin) * 1e3)
        time.sleep(0.02)
        box.release(button)
        time.sleep(0.02)
    return durations


def _spread(durations: list[float], note: str) -> str:
    return f"p95 {percentile(durations, 0.95):.3g} ms; {note}"


def _plugged(
    program: Program, unplug: Callable[[], None], plug: Callable[[], None], what: str, goal: float
) -> Iterator[Figure]:
    noticed, back = [], []
    for _ in range(3):
        time.sleep(1.2)
        begin = time.monotonic()
        unplug()
        noticed.append(program.state(LinkState.LOST) - begin)
        time.sleep(0.5)
        begin = time.monotonic()
        plug()
        back.append(program.state(LinkState.READY) - begin)
    yield Figure(f"{what}: noticed (longest)", max(noticed), "s", goal, count=3)
    yield Figure(f"{what}: back (longest)", max(back), "s", 3.0, count=3)


def _noise() -> Figure:
    """Presses lost, doubled or reordered while bytes are damaged in transmission."""
    with ExitStack() as stack:
        box = stack.enter_context(SerialBoxSimulator(noise_rate=0.02, seed=300))
        program = Program(stack, f"serial:{box.path}")
        program.state(LinkState.READY)
        pressed = [count * 7 % 4 + 1 for count in range(300)]
        for button in pressed:
            _wait(lambda: box.pending() <= PATIENT_PENDING)
            box.tap(button)
        _wait(lambda: box.pending() == 0)
        program.drain(0.5)
        note = f"{box.damaged_bytes} bytes damaged"
    wrong = _differences(pressed, [press.button for press in program.presses])
    return Figure("presses lost, doubled or out of order, 2 % of bytes damaged", wrong, "", 0, count=300, note=note)


def _killed_brokers() -> Iterator[Figure]:
    try:
        own = OwnMosquitto()
    except BrokerUnavailable:
        return
    with ExitStack() as stack:
        broker = KeptBroker(own)
        broker.start()
        stack.callback(broker.stop)
        box = stack.enter_context(MqttBoxSimulator(broker.address, NAME))
        program = Program(stack, f"mqtt:{NAME}", broker=broker)
        program.state(LinkState.READY)
        pressed, rng, returns = [], random.Random(3), []
        kill_at = {THROUGH_KILLED_BROKERS * (kill + 1) // (KILLS + 1) for kill in range(KILLS)}
        for count in range(THROUGH_KILLED_BROKERS):
            _wait(lambda: box.pending() <= PATIENT_PENDING)
            pressed.append(rng.randint(1, 4))
            box.tap(pressed[-1])
            program.drain(0.004)
            if count in kill_at:
                assert own.process is not None
                own.process.kill()
                begin = time.monotonic()
                program.state(LinkState.LOST)
                returns.append(program.state(LinkState.READY) - begin)
        _wait(lambda: box.pending() == 0)
        program.drain(0.5)
    wrong = _differences(pressed, [press.button for press in program.presses])
    name = f"presses lost or doubled, broker killed {KILLS} times"
    yield Figure(name, wrong, "", 0, count=len(pressed), note=f"{broker.restarts} restarts")
    yield Figure("killed broker: boxes back (longest)", max(returns), "s", 3.0, count=KILLS)


def _floods() -> Iterator[Figure]:
    """The delay of a box's press while another sender publishes ten thousand messages a second."""
    with ExitStack() as stack:
        broker = start_broker("own")
        stack.callback(broker.stop)
        box = stack.enter_context(MqttBoxSimulator(broker.address, NAME))
        program = Program(stack, f"mqtt:{NAME}", "mqtt:red", broker=broker)
        program.state(LinkState.READY)
        where = broker.address
        arguments = (sys.executable, "-c", STRANGER, where.host, where.port, where.username, where.password)
        stranger = subprocess.Popen([str(word) for word in arguments], stdout=subprocess.PIPE, text=True)
        assert stranger.stdout is not None
        stranger.stdout.readline()
        durations: list[float] = []
        while stranger.poll() is None:
            button = len(durations) % 4 + 1
            pressed_at = time.perf_counter()
            box.tap(button)
            durations.append((program.press(button) - pressed_at) * 1e3)
            time.sleep(0.1)
        sent = int(stranger.stdout.readline())
    note = f"{sent / FLOOD_SECONDS:.0f} a second; p95 {percentile(durations, 0.95):.3g} ms"
    yield Figure("press to intent beside a flood", median(durations), "ms", 100, count=len(durations), note=note)


def _codec() -> Iterator[Figure]:
    rng = random.Random(6)
    sound = encode(1, Button(41, 0xA3F1, 40, 2, True, 12345))
    accepted = 0
    for _ in range(DAMAGED_FRAMES):
        noisy = bytearray(sound)
        for place in rng.sample(range(1, len(sound) - 1), rng.randint(1, 4)):
            noisy[place] ^= rng.randrange(1, 256)
        accepted += bool(Decoder().feed(bytes(noisy)))
    yield Figure("damaged frames accepted", accepted, "", 20, count=DAMAGED_FRAMES)
    decoder, missed, fed = Decoder(), 0, 0
    begin = time.perf_counter()
    while fed < FUZZED_BYTES:
        noise = rng.randbytes(rng.randint(0, 20_000))
        expected = SerialFrame(1, Button(41, 0xA3F1, 40, 2, True, 12345))
        frames = decoder.feed(noise) + decoder.feed(sound)
        missed += frames[-1:] != [expected]
        fed += len(noise) + len(sound)
    rate = fed / (time.perf_counter() - begin) / 1e6
    yield Figure("sound frames missed after random bytes", missed, "", 0, count=fed, note=f"{rate:.1f} MB a second")


def _long_time() -> Iterator[Figure]:
    """A box whose ceramic oscillator is 0.5 % slow and its host, beats and a press a minute, in simulated time."""
    step = 0.05
    now, link = 1000.0, Link(retry_after=0.1, session=1)
    box = SimulatedBox(now, boot=7)
    link.opening()
    link.opened(now)
    presses, edges, errors = 0, 0, []
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = now
    while now < begin + HOURS * 3600:
        now += step
        box_time = begin + (now - begin) * 0.995
        for sent in link.take_messages():
            box.receive(sent, box_time)
        box.tick(box_time)
        if now - begin >= (presses + 1) * 60.0:
            presses += 1
            box.press(1, box_time)
            box.release(1, box_time)
        for said in box.take_messages():
            link.receive(said, now)
        link.tick(now)
        for event in link.take_events():
            if isinstance(event, Edge):
                edges += 1
                errors.append(abs(event.at - now))
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 1024
    note = f"{presses} presses, {edges} edges, {grown:.1f} MB grown"
    yield Figure("24 simulated hours: edges lost or doubled", abs(edges - 2 * presses), "", 0, count=edges, note=note)
    yield Figure("24 simulated hours: clock off by at most", max(errors) * 1e3, "ms", 100, count=edges)


def _differences(wanted: list[int], got: list[int]) -> int:
    return sum(one != other for one, other in zip(wanted, got, strict=False)) + abs(len(wanted) - len(got))


def _wait(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + HANG
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("it never came true")
        time.sleep(0.001)
