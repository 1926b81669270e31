"""`companion demo`: a whole evening on the simulated table, through the real camera, serial and MQTT code."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import cv2

from companion.errors import CompanionError
from companion.frozen import FrozenDict
from companion.registry import GAMES, load_game, print_and_play_board
from companion.session.session import Session
from companion.session.store import Store
from companion.table import Player, Table
from firmware_bridge.addresses import BoxAddress
from firmware_bridge.broker import start_broker
from firmware_bridge.errors import BridgeError
from firmware_bridge.mqtt_simulator import MqttBoxSimulator
from firmware_bridge.serial_simulator import SerialBoxSimulator
from ui.boxes import TableBoxes
from ui.camera import CameraEye
from ui.evening import Evening
from ui.presenter import Presenter
from ui.reports import write_reports
from ui.simulated_table.director import Director
from ui.simulated_table.table import SimulatedTable
from ui.simulated_table.view import View
from vision.errors import VisionError
from vision.profile import load_profile, shipped_profile

NAMES = ("Giulia", "Tiberio", "Claudia", "Adriano")
PERIOD = 1 / 30
"""seconds between the ticks of the headless demo"""
SEED = 77


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """What the command line asks for."""

    game: str
    headless: bool
    out: Path
    seed: int
    fresh: bool
    actions: int | None = None


def parse(arguments: Sequence[str]) -> DemoOptions:
    """The options of the command line; exits with 2 and a usage line on a mistake."""
    parser = argparse.ArgumentParser(prog="companion demo", description="play a whole game on the simulated table")
    parser.add_argument("--game", choices=playable(), default="city_of_marble")
    parser.add_argument("--headless", action="store_true", help="without the window")
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the results (default: out)")
    parser.add_argument("--seed", type=int, default=SEED, help="another seed plays another game")
    parser.add_argument("--fresh", action="store_true", help="begin anew instead of resuming an unfinished demo")
    parser.add_argument("--actions", type=_count, metavar="N", help="stop after N actions; the next demo goes on there")
    options = parser.parse_args(arguments)
    return DemoOptions(options.game, options.headless, options.out, options.seed, options.fresh, options.actions)


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of actions")
    return int(text)


def playable() -> tuple[str, ...]:
    """The games that the simulated table can play: those with simulated players and taught pieces."""
    return tuple(game for game in GAMES if find_spec(f"ui.simulated_table.players.{game}") is not None)


def main(arguments: Sequence[str] = ()) -> int:
    """Play the demo; gives the exit code."""
    options = parse(arguments)
    try:
        return play(options)
    except (CompanionError, BridgeError, VisionError, OSError) as error:
        print(f"companion demo: {error}", file=sys.stderr)
        return 3


def play(options: DemoOptions) -> int:
    """Play one game to its end, resuming an unfinished one.

    Raises CompanionError, BridgeError, VisionError or OSError where something cannot be had.
    """
    if options.out.exists() and not options.out.is_dir():
        raise NotADirectoryError(f"{options.out} is a file; --out must name a folder")
    options.out.mkdir(parents=True, exist_ok=True)
    board = print_and_play_board(options.game)
    with ExitStack() as stack:
        store = stack.enter_context(Store(options.out / "demo.sqlite3"))
        session = open_session(store, options)
        broker = start_broker(prefer="own")
        stack.callback(broker.stop)
        serial = stack.enter_context(SerialBoxSimulator(seed=options.seed))
        wireless = stack.enter_context(MqttBoxSimulator(broker.address, "blue"))
        addresses = [BoxAddress.parse(f"serial:{serial.path}@1"), BoxAddress.parse("mqtt:blue@2")]
        boxes = TableBoxes(addresses, broker.address)
        look = session.game.appearance(session.state)
        table = SimulatedTable(board, look, seed=options.seed, view=View(distance=640.0))
        camera = CameraEye(table.source(), board, load_profile(shipped_profile(board), board))
        evening = Evening(Presenter(session), camera, boxes)
        stack.callback(evening.close)
        pictures = Pictures(options.out, camera)

        def press(seat: int, button: int) -> None:
            (serial if seat == 1 else wireless).tap(button)

        director = Director(
            evening,
            table,
            press,
            seed=options.seed,
            actions=options.actions,
            on_refusal=pictures.refused,
            on_action=pictures.acted,
        )
        print(f"broker: {broker.name}; boxes: {', '.join(map(str, addresses))}; camera: {camera.name}", flush=True)
        began = time.monotonic()
        evening.start()
        director.start()
        stack.callback(director.stop)
        if options.headless:
            run_headless(evening, director)
        else:
            run_in_window(evening, director, pictures)
        return finish(options, session, director, pictures, boxes, time.monotonic() - began)


def open_session(store: Store, options: DemoOptions) -> Session:
    """The unfinished demo game of the store, or a new one."""
    if not options.fresh:
        unfinished = store.latest_unfinished(options.game)
        if unfinished is not None:
            session = Session.open(store, unfinished)
            print(f"resuming the demo at entry {len(session.entries)}", flush=True)
            return session
    game, board = load_game(options.game), print_and_play_board(options.game)
    players = tuple(Player(name, colour) for name, colour in zip(NAMES[:2], board.palette, strict=False))
    bare = Table(options.game, players, game.rulebook.chosen({}), FrozenDict(), board)
    outcomes = FrozenDict({option.name: option.names[: option.count] for option in game.options(bare)})
    return Session.create(store, Table(options.game, players, bare.rulings, outcomes, board))


class Pictures:
    """Pictures of the demo: two camera frames with what was read, and the window if there is one."""

    FRAME_AT = 60

    def __init__(self, out: Path, camera: CameraEye) -> None:
        self._out, self._camera = out, camera
        self.screenshot: Callable[[Path], None] = lambda path: None
        """takes a picture of the window, if there is one, and returns when it is taken"""
        self.written: list[Path] = []
        self._refusals = 0
        self._middle_taken = False

    def acted(self, number: int) -> None:
        """Called by the players after each action."""
        if number >= self.FRAME_AT and not self._middle_taken:
            self._middle_taken = True
            self._frame("camera-middle.png")
            self._window("window-middle.png")

    def refused(self) -> None:
        """Called by the players when the companion has refused something."""
        self._refusals += 1
        if self._refusals == 1:
            self._frame("camera-refusal.png")
        self._window(f"window-refusal-{self._refusals}.png")

    @property
    def score_path(self) -> Path:
        """Where the picture of the final score belongs."""
        return self._out / "window-score.png"

    def _frame(self, name: str) -> None:
        picture = self._camera.picture()
        if picture is not None:
            cv2.imwrite(str(self._out / name), picture)
            self.written.append(self._out / name)

    def _window(self, name: str) -> None:
        self.screenshot(self._out / name)


def run_headless(evening: Evening, director: Director) -> None:
    """Tick until the simulated players are done, printing the log and every refusal."""
    shown, said = 0, ""
    while not director.done.is_set():
        evening.tick()
        for line in evening.view.log:
            if line.number > shown:
                shown = line.number
                print(f"{line.number:4d}  {line.text}", flush=True)
        verdict = evening.view.verdict
        if verdict is not None and verdict.sentences and verdict.headline != said:
            said = verdict.headline
            print(f"      {said}: {verdict.sentences[0][0]} ({verdict.sentences[0][1]})", flush=True)
        time.sleep(PERIOD)
    evening.tick()


def run_in_window(evening: Evening, director: Director, pictures: Pictures) -> None:
    """Show the evening in the app's window until it is closed or the demo has been over for a while."""
    from ui.demo_window import show

    show(evening, director, pictures)


def finish(
    options: DemoOptions,
    session: Session,
    director: Director,
    pictures: Pictures,
    boxes: TableBoxes,
    seconds: float,
) -> int:
    """Write the score sheet and say how it went."""
    written = write_reports(session, options.out)
    tally = director.tally
    print(
        f"{len(session.entries)} entries in {seconds:.0f} s: {tally.seen} moves read by the camera, "
        f"{tally.pressed} ended by a box, {tally.touched} touched, {tally.refused} refused on purpose, "
        f"{tally.helped} misread and mended; {boxes.presses} presses"
    )
    for path in (*written, *pictures.written):
        print(f"wrote {path}")
    if director.failure:
        print(f"companion demo: {director.failure}", file=sys.stderr)
        return 3
    return 0 if session.is_over or options.actions is not None else 1
