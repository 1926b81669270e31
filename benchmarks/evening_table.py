"""One life of the program in an evening: `python -m benchmarks.evening_table GAME SEED FOLDER`, until the game is over.

The real app's window, a camera over the simulated table, the Uno's firmware in its simulator at the first seat, the
MicroPython one on a broker at the second, a phone at the third. What the players do is written to `truth.txt` before it
is done, each action with its number, and `seen` with how many moves the record has afterwards; how it went to
`life.json`.
"""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.evening_phone import EveningPhone
from benchmarks.mishaps import Mishaps
from benchmarks.processes import own_memory
from companion.files.whole_files import write_whole
from companion.registry import usual_table
from companion.session.session import Session
from companion.session.store import Store
from firmware_bridge.firmware.avr import AvrBoxSimulator, build
from firmware_bridge.firmware.unix_board import MicroPythonBoxSimulator
from firmware_bridge.mqtt.broker import start_broker
from firmware_bridge.protocol.addresses import BoxAddress
from ui.hardware.boxes import TableBoxes
from ui.shell.table_loop import TableLoop
from ui.simulated_table.demo_devices import open_camera
from ui.simulated_table.demo_pictures import Pictures
from ui.simulated_table.demo_window import show
from ui.simulated_table.director import Director
from ui.table.presenter import Presenter
from ui.web.service import PhoneService

SEATS = 3
BUTTONS = ("done", "no", "next", "help")


class Evening:
    """The table of one life, its devices, and what is written down of it in `folder`; `stack` ends what it begins."""

    def __init__(self, session: Session, seed: int, folder: Path, stack: ExitStack) -> None:
        self.session, self._folder = session, folder
        camera = open_camera(session.table.board, session.game.appearance(session.state), seed)
        if camera is None:
            raise RuntimeError(f"{session.table.game} has no profile")
        self._truth = stack.enter_context((folder / "truth.txt").open("a", encoding="utf-8"))
        broker = start_broker(prefer="own")
        stack.callback(broker.stop)
        cable = stack.enter_context(AvrBoxSimulator(build(folder.parent / "firmware")))
        wireless = stack.enter_context(MicroPythonBoxSimulator(broker.address))
        addresses = [BoxAddress.parse(f"serial:{cable.path}@1"), BoxAddress.parse("mqtt:blue@2")]
        self._boxes = (cable, wireless)
        self.loop = TableLoop(Presenter(session), camera.eye, TableBoxes(addresses, broker.address))
        stack.callback(self.loop.close)
        self._service = PhoneService(folder)
        stack.callback(self._service.close)
        self._service.open("127.0.0.1")
        self.loop.serve_phones = self._service.tick
        self._phone, self._sits = EveningPhone(folder / "phone-key", SEATS), False
        self._mishaps = Mishaps(seed, camera.table, cable, wireless)
        self.director = Director(
            self.loop, camera.table, self._press, seed=seed,
            on_action=self._acted, on_telling=self._telling, touch=self._touch,
        )  # fmt: skip
        self.pictures = Pictures(folder, camera.eye)

    def _write(self, line: str) -> None:
        self._truth.write(line + "\n")
        self._truth.flush()

    def _telling(self, number: int, action: Any) -> None:
        if not self._sits:
            self._phone.come(self._service.url, self.loop)
            self._sits = True
        self._write(f"{number} {action.text}")

    def _press(self, seat: int, button: int) -> None:
        if seat == SEATS:
            self._phone.press(BUTTONS[button - 1])
        else:
            self._boxes[seat - 1].tap(button)

    def _touch(self, seat: int, action: Any) -> None:
        if seat == SEATS:
            self._phone.choose(action.text)
        else:
            self.loop.post(lambda: self.loop.presenter.on_choice(action.text))

    def _acted(self, number: int) -> None:
        self._write(f"seen {len(self.session.moves)}")
        self.tell()
        self._mishaps.after(number)

    def tell(self) -> None:
        """Write down how this life goes."""
        told = {
            "tally": asdict(self.director.tally), "mishaps": self._mishaps.done, "posts": self._phone.posts,
            "moves": len(self.session.moves), "memory": own_memory(), "failure": self.director.failure,
        }  # fmt: skip
        write_whole(self._folder / "life.json", json.dumps(told).encode())


def play(game: str, seed: int, folder: Path) -> int:
    """Play on from what the record has to the end of the game; gives the exit code."""
    with ExitStack() as stack:
        store = stack.enter_context(Store(folder / "games.sqlite3"))
        unfinished = store.latest_unfinished(game)
        session = Session.open(store, unfinished) if unfinished else Session.create(store, usual_table(game, SEATS))
        evening = Evening(session, seed, folder, stack)
        evening.loop.start()
        evening.director.start()
        stack.callback(evening.director.stop)
        show(evening.loop, evening.director, evening.pictures, 0.0)
        evening.tell()
        return 0 if session.is_over and not evening.director.failure else 1


if __name__ == "__main__":
    sys.exit(play(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])))
