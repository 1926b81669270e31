"""A table as after some evenings: games played and begun, people known, a camera's pictures, a button box."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import cv2

from companion.position import parse_position
from companion.registry import print_and_play_board
from companion.session.session import Session
from companion.session.store import Store
from firmware_bridge.boxes import Search
from firmware_bridge.serving.discovery import UsbPort
from firmware_bridge.simulators.serial_box import SerialBoxSimulator
from ui.services.settings import SETTINGS_FILE, Settings, save_settings
from ui.services.speech import Speaker
from ui.setup.wizard import Wizard
from ui.shell.devices import Devices
from ui.shell.shell import Shell
from ui.simulated_table.players import seated
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView

NAMES = ("Giulia", "Tiberio", "Claudia", "Massimiliano")
SEED = 7
MOST_ACTIONS = 1000
GAMES = (
    ("thurn_and_taxis", 4, 210, {"modules": "both"}),
    ("aqua_romana", 3, 90, {}),
    ("capitol", 3, 120, {}),
    ("city_of_marble", 3, 95, {}),
)
"""game, players, the action after which the unfinished one is photographed, what the set-up turned up"""

END = """
game = "city_of_marble"
players = [{ name = "Giulia", colour = "purple" }, { name = "Tiberio", colour = "white" }]
wards = ["F7-G7 green", "G7-H6 blue", "G7-G8 green"]
buildings = ["G7 temple 1", "H7 baths 2"]
fountains = ["F8"]
stage = "over"
"""
"""what lies on the board of the photograph"""


@dataclass(frozen=True, slots=True)
class Prepared:
    """`begun` and `over` map a game to its record in the store; `photographs` is a folder with `end.png`."""

    shell: Shell
    begun: dict[str, str]
    over: dict[str, str]
    photographs: Path
    box: SerialBoxSimulator


@contextmanager
def prepared(folder: Path, *, language: str = "en", whole: bool = True) -> Iterator[Prepared]:
    """The app's data in an empty folder; without `whole` games, only City of Marble is played to its end."""
    save_settings(folder / SETTINGS_FILE, Settings(language))
    photographs = folder / "photographs"
    photographs.mkdir()
    take_photograph(photographs / "end.png")
    box = SerialBoxSimulator()
    port = UsbPort(box.path, 0x2341, 0x0043)
    devices = partial(Devices, search=Search(serial=True, ports=lambda: [port]))
    with Store(folder / "games.sqlite3") as store:
        over, begun = {}, {}
        for game, players, middle, outcomes in GAMES:
            name = game.replace("_", "-")
            session = new_game(store, folder, game, players, outcomes, f"{name}-over")
            if not whole and game != "city_of_marble":
                play(session, middle)
                over[game] = begun[game] = session.id
                continue
            play(session, MOST_ACTIONS)
            unfinished = Session.create(store, session.table, clock=evening_clock(27), game_id=f"{name}-begun")
            for entry in session.entries[:middle]:
                unfinished.submit(session.game.parse_action(entry.action, unfinished.state))
            over[game], begun[game] = session.id, unfinished.id
        shell = Shell(store, folder, devices=devices, speaker=Speaker(None))
        try:
            yield Prepared(shell, begun, over, photographs, box)
        finally:
            shell.close()
            box.close()


def take_photograph(path: Path) -> None:
    """A picture of a City of Marble board at the end of a short game."""
    position = parse_position(END, "end")
    scene = Scene(print_and_play_board("city_of_marble"), CameraView())
    cv2.imwrite(str(path), scene.frame(position.game.appearance(position.state)))


def new_game(store: Store, folder: Path, game: str, players: int, outcomes: dict[str, str], name: str) -> Session:
    """A game at its set-up."""
    wizard = Wizard(store, folder / "boards", random=Random(SEED))
    wizard.choose_game(game)
    while len(wizard.draft.names) < players:
        wizard.add_seat()
    for seat in range(1, players + 1):
        wizard.choose_seat(seat)
        wizard.rename(f"{seat}")
    for seat, person in enumerate(NAMES[:players], 1):
        wizard.choose_seat(seat)
        wizard.rename(person)
    for option, value in outcomes.items():
        wizard.choose_outcome(option, value)
    for open_one in filter(wizard.outcome_problem, wizard.draft.options):
        wizard.draw_outcome(open_one.name)
    return Session.create(store, wizard.table(), clock=evening_clock(20), game_id=name)


def play(session: Session, most: int) -> None:
    """Let simulated players play so many actions, or to the end."""
    random = Random(SEED)
    players: Any = seated(session.game, session.state, random)
    for _action in range(most):
        if session.is_over:
            return
        before, action = session.state, players.choose(session.state, random)
        session.submit(action)
        players = players.after(before, action, session.state)


def evening_clock(day: int) -> Any:
    """A clock of an evening in November 2026 that goes on by half a minute each time it is looked at."""
    steps = count()
    return lambda: datetime(2026, 11, day, 19, 30, tzinfo=UTC) + timedelta(seconds=30 * next(steps))
