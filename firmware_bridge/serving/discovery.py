"""Serial ports behind which a box may be, chosen by what USB says of them: opening a port resets what is behind it.

`likely_ports.toml` lists vendor and product numbers of the boards that boxes are built on. Those of bare USB-serial
chips are in all sorts of devices, printers and receivers among them, and are tried only where somebody asks.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from serial.tools import list_ports

from companion.files.documents import parse_toml, read_text
from companion.wording.sentences import sentence
from firmware_bridge.presses.events import BoxEvent, Notice
from firmware_bridge.serving.transport_worker import TransportWorker

FORMAT = 1
SCAN_SECONDS = 0.5
BUSY_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class UsbPort:
    """A serial port as the system lists it; `vid` and `pid` are None for one that is not USB."""

    path: str
    vid: int | None = None
    pid: int | None = None
    serial_number: str = ""


@dataclass(frozen=True, slots=True)
class LikelyBoard:
    """A kind of USB device that may be a box; `pid` None is every product of the vendor."""

    name: str
    vid: int
    pid: int | None
    is_bare_chip: bool

    def matches(self, port: UsbPort) -> bool:
        """Whether the port is of this kind."""
        return port.vid == self.vid and self.pid in (None, port.pid)


def system_ports() -> list[UsbPort]:
    """The serial ports of this machine."""
    return [UsbPort(port.device, port.vid, port.pid, port.serial_number or "") for port in list_ports.comports()]


@cache
def likely_boards() -> tuple[LikelyBoard, ...]:
    """The kinds in the list that comes with the program."""
    return load_boards(Path(__file__).with_name("likely_ports.toml"))


def load_boards(path: Path) -> tuple[LikelyBoard, ...]:
    """The kinds in a file.

    Raises companion.errors.InvalidDocument.
    """
    document = parse_toml(read_text(path), str(path))
    if document.integer("format") != FORMAT:
        raise document.invalid("format", f"is {document.integer('format')}; this program reads format {FORMAT}")
    document.only("format", "board")
    boards = []
    for entry in document.tables("board", longest=500):
        entry.only("name", "vid", "pid", "bare_chip")
        pid = entry.integer("pid", 0, 0xFFFF) if "pid" in entry else None
        bare_chip = entry.flag("bare_chip", default=False)
        boards.append(LikelyBoard(entry.text("name", longest=60), entry.integer("vid", 0, 0xFFFF), pid, bare_chip))
    return tuple(boards)


def board_of(port: UsbPort) -> LikelyBoard | None:
    """What kind of likely board a port is, None for a port that is not to be opened."""
    return next((board for board in likely_boards() if board.matches(port)), None)


class SerialSearch:
    """Keeps a port at work on every likely serial port, as they are plugged in and out.

    A port on which nothing answers is left and not opened again until it is plugged in again. `open_port` makes the
    port for a path; `taken` are paths that somebody named and that are looked after already.
    """

    def __init__(
        self,
        open_port: Callable[[str], TransportWorker],
        taken: Iterable[str],
        deliver: Callable[[BoxEvent], None],
        ports: Callable[[], Iterable[UsbPort]] = system_ports,
        *,
        bare_chips: bool = False,
    ) -> None:
        self._open_port, self._deliver, self._list = open_port, deliver, ports
        self._taken = {str(Path(path).resolve()) for path in taken}
        self._bare_chips = bare_chips
        self._ports: dict[str, TransportWorker] = {}
        self._left: set[str] = set()
        self._again: dict[str, float] = {}
        self._said: set[tuple[str, str]] = set()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="search for boxes", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more and leave all that was found."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join()
        for port in self._ports.values():
            port.stop()

    def _run(self) -> None:
        scans = 0
        while not self._stopping.is_set():
            self._scan(scans * SCAN_SECONDS)
            scans += 1
            self._stopping.wait(SCAN_SECONDS)

    def _scan(self, now: float) -> None:
        likely = {}
        try:
            ports = list(self._list())
        except OSError as error:
            self._tell("", sentence("the serial ports cannot be listed ({why})", why=error.strerror or str(error)))
            return
        for port in ports:
            board = board_of(port)
            if board is not None and (self._bare_chips or not board.is_bare_chip):
                likely[port.path] = board
        self._left &= likely.keys()
        for path in list(self._ports):
            if path not in likely or self._ports[path].is_over:
                self._leave(path, likely.get(path), now)
        for path in likely.keys() - self._ports.keys() - self._left:
            if str(Path(path).resolve()) not in self._taken and now >= self._again.get(path, 0.0):
                self._ports[path] = self._open_port(path)
                self._ports[path].start()

    def _leave(self, path: str, board: LikelyBoard | None, now: float) -> None:
        port = self._ports.pop(path)
        port.stop()
        if board is None or port.has_answered:
            return
        if port.failure is not None:
            self._again[path] = now + BUSY_SECONDS
            self._say(path, board, port.failure.reason)
        else:
            self._left.add(path)
            self._say(path, board, sentence("no box answers; it is left alone until it is plugged in again"))

    def _say(self, path: str, board: LikelyBoard, reason: str) -> None:
        self._tell(path, sentence("{board}: {reason}", board=board.name, reason=reason))

    def _tell(self, source: str, text: str) -> None:
        if (source, text) not in self._said:
            self._said.add((source, text))
            self._deliver(Notice(source or "USB", text))
