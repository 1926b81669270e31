"""An Arduino Uno in software that runs the compiled firmware of `avr/`, by simavr.

`AvrBoxSimulator` keeps pace with the clock behind a pseudo-terminal, like a box at the table; `SteppedAvr` goes on only
when told to, so that hours pass in seconds and the same commands give the same bytes.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware_bridge.errors import FirmwareUnavailable
from firmware_bridge.protocol.messages import Buzz
from firmware_bridge.scratch import ScratchFolder

SOURCES = Path(__file__).parent
PACKAGES = "gcc-avr avr-libc make gcc libc6-dev libsimavr-dev libelf-dev"
"""What Debian and Ubuntu call all that is needed here."""

OSCILLATOR_HERTZ = 16_000_000
_PROGRAMS = ("make", "cc", "avr-gcc", "avr-objcopy", "avr-size")
_ENDS_WITHIN = 5.0


@dataclass(frozen=True, slots=True)
class AvrBuild:
    """A firmware for the Uno and the program that simulates one."""

    firmware: Path
    simulator: Path


def build(folder: Path, flags: str = "") -> AvrBuild:
    """Compile firmware and simulator into a folder, with further flags; what is there and up to date is kept.

    Raises FirmwareUnavailable where a compiler or library is missing.
    """
    missing = [program for program in _PROGRAMS if shutil.which(program) is None]
    if missing:
        raise FirmwareUnavailable(f"{', '.join(missing)} not found; install {PACKAGES}")
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS")}
    for source in ("avr", "simavr"):
        run = subprocess.run(
            ["make", "-s", "-C", str(SOURCES / source), f"BUILD={folder.resolve()}", f"CFLAGS={flags}"],
            capture_output=True, text=True, check=False, env=environment,
        )  # fmt: skip
        if run.returncode:
            reason = next((line for line in run.stderr.splitlines() if "error" in line), run.stderr.strip())
            raise FirmwareUnavailable(f"{source} does not compile ({reason}); install {PACKAGES}")
    return AvrBuild(folder.resolve() / "box.elf", folder.resolve() / "simulator")


class _Process:
    """A running simulator: lines in, events out."""

    def __init__(self, built: AvrBuild, *options: str) -> None:
        self._process = subprocess.Popen(
            [str(built.simulator), *options, str(built.firmware)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def say(self, command: str) -> None:
        assert self._process.stdin is not None
        try:
            os.write(self._process.stdin.fileno(), f"{command}\n".encode())
        except (OSError, ValueError) as error:
            raise FirmwareUnavailable("the simulated board has ended") from error

    def events(self) -> Iterator[dict[str, Any]]:
        """What happens, to the end."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            yield json.loads(line)

    def end(self) -> str:
        """Let it end, as it does when its input ends; gives what it complained about."""
        assert self._process.stdin is not None
        assert self._process.stderr is not None
        self._process.stdin.close()
        try:
            self._process.wait(_ENDS_WITHIN)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        return self._process.stderr.read().strip()

    def close(self) -> None:
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()


class _Pins:
    """What can be seen and heard of a board."""

    def __init__(self) -> None:
        self.lit: set[int] = set()
        self.buzzes: list[Buzz] = []

    def take(self, event: dict[str, Any]) -> None:
        match event:
            case {"ev": "led", "led": led, "on": on}:
                (self.lit.add if on else self.lit.discard)(led)
            case {"ev": "buzz", "hertz": hertz, "ms": duration}:
                # Counting a few periods of a tone rounds it; a click is no tone.
                self.buzzes.append(Buzz(0, min(max(hertz, 20), 20_000), min(max(duration, 1), 5_000)))


class _Board:
    """What can be done to a simulated board, paced or stepped."""

    def __init__(self, process: _Process) -> None:
        self._process = process

    def press(self, button: int) -> None:
        """Close the contact of a button."""
        self._process.say(f"press {button}")

    def release(self, button: int) -> None:
        """Open it again."""
        self._process.say(f"release {button}")

    def bounce(self, button: int, times: int) -> None:
        """Close it so that it opens and closes again as often, 0.4 ms each, before it is closed for good."""
        self._process.say(f"bounce {button} {times}")

    def reset(self) -> None:
        """Press the board's reset button."""
        self._process.say("reset")

    def plug(self) -> None:
        """Give the board power, and its port if it has one."""
        self._process.say("plug")

    def unplug(self) -> None:
        """Take the power away."""
        self._process.say("unplug")


class AvrBoxSimulator(_Board):
    """A box at the table: behind a port at `path`, powered by it. Methods may be called from any thread.

    The same as `simulators.serial_box.SerialBoxSimulator` with one box, but the firmware is the real one.
    `seed` stands for what makes each board another; its EEPROM lasts as long as this object. Raises FirmwareUnavailable
    where the simulator does not start.
    """

    def __init__(self, built: AvrBuild, seed: int = 1) -> None:
        self._folder = ScratchFolder("box")
        self.path = str(self._folder.path / "port")
        self._pins = _Pins()
        self._changed = threading.Condition()
        self._is_plugged = self._has_ended = self._is_closed = False
        super().__init__(_Process(built, "-p", self.path, "-e", str(self._folder.path / "eeprom"), "-s", str(seed)))
        self._thread = threading.Thread(target=self._listen, name=f"board at {self.path}", daemon=True)
        self._thread.start()
        self._await(is_plugged=True)

    def tap(self, button: int) -> None:
        """Press and release; the contact is closed long enough for the board to notice."""
        self.press(button)
        self.release(button)

    def lit(self) -> frozenset[int]:
        """The LEDs that are on."""
        with self._changed:
            return frozenset(self._pins.lit)

    def buzzes(self) -> tuple[Buzz, ...]:
        """What the buzzer has sounded, each as its pin moved; a tone is known when it has ended."""
        with self._changed:
            return tuple(self._pins.buzzes)

    def plug(self) -> None:
        """Give the port and the board power."""
        super().plug()
        self._await(is_plugged=True)

    def unplug(self) -> None:
        """Take the port away, board and all."""
        super().unplug()
        self._await(is_plugged=False)

    def close(self) -> None:
        """Unplug for good."""
        self._end()

    def __enter__(self) -> AvrBoxSimulator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _listen(self) -> None:
        for event in self._process.events():
            with self._changed:
                self._pins.take(event)
                if event["ev"] in ("plugged", "unplugged"):
                    self._is_plugged = event["ev"] == "plugged"
                self._changed.notify_all()
        with self._changed:
            self._has_ended = True
            self._changed.notify_all()

    def _await(self, *, is_plugged: bool) -> None:
        with self._changed:
            arrived = self._changed.wait_for(
                lambda: self._is_plugged is is_plugged or self._has_ended, timeout=_ENDS_WITHIN
            )
        if not arrived or self._has_ended:
            raise FirmwareUnavailable(self._end() or "the simulated board has ended")

    def _end(self) -> str:
        if self._is_closed:
            return ""
        self._is_closed = True
        complaint = self._process.end()
        self._thread.join()
        self._process.close()
        self._folder.close()
        return complaint


class SteppedAvr(_Board):
    """A board whose time goes on only by `run`; bytes are exchanged by `send` and what `run` gives.

    `seconds` is its time as an exact clock sees it, whatever `oscillator_hertz` makes of it. Raises FirmwareUnavailable
    where the simulator does not start or the firmware crashes.
    """

    def __init__(
        self, built: AvrBuild, *, eeprom: Path | None = None, seed: int = 1, oscillator_hertz: int = OSCILLATOR_HERTZ
    ) -> None:
        self.seconds = 0.0
        self._is_closed = False
        self._pins = _Pins()
        keep = () if eeprom is None else ("-e", str(eeprom))
        super().__init__(_Process(built, *keep, "-s", str(seed), "-f", str(oscillator_hertz)))
        self._events = self._process.events()

    def lit(self) -> frozenset[int]:
        """The LEDs that are on."""
        return frozenset(self._pins.lit)

    def buzzes(self) -> tuple[Buzz, ...]:
        """What the buzzer has sounded, as its pin moved."""
        return tuple(self._pins.buzzes)

    def run(self, seconds: float, *, to_frame: bool = False) -> bytes:
        """Let time go on, with `to_frame` no further than to the end of one; gives what the board has sent."""
        event = self._ask(f"{'listen' if to_frame else 'run'} {round(seconds * 1e6)}", "ran")
        self.seconds = event["us"] / 1e6
        return bytes.fromhex(event["sent"])

    def send(self, data: bytes) -> None:
        """Let bytes come in on the serial line from now on, at its speed."""
        if data:
            self._process.say(f"send {data.hex()}")

    def unused_memory(self) -> int:
        """How many bytes of its memory the board has never touched since it was plugged in."""
        return int(self._ask("stat", "stat")["unused_sram"])

    def close(self) -> None:
        """Unplug for good."""
        self._end()

    def __enter__(self) -> SteppedAvr:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, command: str, answer: str) -> dict[str, Any]:
        with suppress(FirmwareUnavailable):
            self._process.say(command)
            for event in self._events:
                if event["ev"] == answer:
                    return event
                self._pins.take(event)
        raise FirmwareUnavailable(self._end() or "the simulated board has ended")

    def _end(self) -> str:
        if self._is_closed:
            return ""
        self._is_closed = True
        complaint = self._process.end()
        self._process.close()
        return complaint
