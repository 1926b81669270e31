"""What goes wrong in an evening, after actions drawn by a seed: hand, bump, light, boxes, broker, camera's process."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

from benchmarks.processes import family
from firmware_bridge.firmware.avr import AvrBoxSimulator
from firmware_bridge.firmware.unix_board import MicroPythonBoxSimulator
from ui.simulated_table.table import SimulatedTable
from ui.simulated_table.view import Light

FIRST, LAST = 6, 44
"""the actions between which it happens"""
KINDS = (
    "hand", "bump", "light", "cable pulled out", "wireless box without power", "broker killed",
    "camera's process killed",
)  # fmt: skip
HELD, PULLED_OUT = 1.5, 2.5
"""seconds that a hand stays and that a box is away"""

Mishap = Callable[[], None]


def plan(seed: int) -> dict[int, str]:
    """Action -> what goes wrong after it; every kind once."""
    random = Random(f"mishaps {seed}")
    numbers = random.sample(range(FIRST, LAST), len(KINDS))
    return dict(zip(numbers, random.sample(KINDS, len(KINDS)), strict=True))


def killed_after(seed: int) -> tuple[int, float]:
    """The action decided on after which the program is killed, and how many seconds later."""
    random = Random(f"killed {seed}")
    return random.randrange(FIRST, LAST), random.uniform(0.0, 1.5)


class Mishaps:
    """Lets happen what is planned, each on a thread of its own, while the players go on."""

    def __init__(
        self, seed: int, table: SimulatedTable, cable: AvrBoxSimulator, wireless: MicroPythonBoxSimulator
    ) -> None:
        self._random, self._table = Random(f"how {seed}"), table
        self._plan = plan(seed)
        self._deeds: Mapping[str, Mishap] = {
            "hand": lambda: table.reach(self._place(), HELD),
            "bump": self._bump,
            "light": self._light,
            "cable pulled out": lambda: _away(cable),
            "wireless box without power": lambda: _away(wireless),
            "broker killed": _kill_brokers,
            "camera's process killed": _kill_camera,
        }
        self.done: list[str] = []
        self._last: int | None = None

    def after(self, number: int) -> None:
        """Action `number` is done, and those since the last call with it: let happen what is planned now."""
        first, self._last = (number if self._last is None else self._last + 1), number
        for kind in [self._plan[each] for each in range(first, number + 1) if each in self._plan]:
            self.done.append(kind)
            threading.Thread(target=self._deeds[kind], name=kind, daemon=True).start()

    def _place(self) -> tuple[float, float]:
        width, height = self._table.scene.board.size
        return self._random.uniform(0, width), self._random.uniform(0, height)

    def _bump(self) -> None:
        view, random = self._table.scene.view, self._random
        aim = (view.aim[0] + random.uniform(-8, 8), view.aim[1] + random.uniform(-8, 8))
        tilt, azimuth = view.tilt + random.uniform(-2, 2), view.azimuth + random.uniform(-4, 4)
        self._table.change(replace(view, aim=aim, tilt=tilt, azimuth=azimuth))

    def _light(self) -> None:
        exposure, temperature = self._random.uniform(0.6, 1.0), self._random.uniform(3600, 6500)
        self._table.change(light=Light(exposure=exposure, temperature=temperature, noise=2.0))


def _away(box: AvrBoxSimulator | MicroPythonBoxSimulator) -> None:
    box.unplug()
    time.sleep(PULLED_OUT)
    box.plug()


def _kill_brokers() -> None:
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            name = (folder / "comm").read_text(encoding="utf-8").strip()
            parent = int((folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
            grandparent = int(Path(f"/proc/{parent}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        if name == "mosquitto" and os.getpid() in (parent, grandparent):
            os.kill(int(folder.name), signal.SIGKILL)


def _kill_camera() -> None:
    for process in family(os.getpid()):
        with suppress(OSError):
            if b"vision.reader_process" in Path(f"/proc/{process}/cmdline").read_bytes():
                os.kill(process, signal.SIGKILL)
