"""`companion play` and the app itself: a table of people, with a camera and boxes where there are any."""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from companion.errors import CompanionError
from companion.frozen import FrozenDict
from companion.position import name_problem
from companion.registry import GAMES, load_game, print_and_play_board
from companion.session.cutouts import cut_outs_of
from companion.session.session import Session
from companion.session.store import Store
from companion.spelling import plain, spellings
from companion.table import Player, Table
from ui.commands.terminal import FAILED, FINE, WrongUse, complain, parser
from ui.devices import Devices
from ui.evening import Evening
from ui.folders import cache_folder, data_folder, state_folder
from ui.presenter import Presenter
from ui.shell import Shell

GAMES_FILE = "games.sqlite3"
ERROR_LOG = "errors.log"


def play(words: Sequence[str]) -> int:
    """`companion play`: goes on with the last unfinished game unless a new one is asked for."""
    options = parser("play", "Play at a real table, with a camera and button boxes where there are any.")
    options.add_argument("--game", choices=tuple(GAMES), default=next(iter(GAMES)))
    options.add_argument("--new", action="store_true", help="begin a new game even if one is unfinished")
    options.add_argument("--players", nargs="+", default=["Player 1", "Player 2"], metavar="NAME", help="in seat order")
    options.add_argument(
        "--set-up", action="append", default=[], metavar="NAME=A,B,C", help="what the set-up turned up"
    )
    options.add_argument("--ruling", action="append", default=[], metavar="NAME=READING", help="see companion games")
    options.add_argument("--camera", metavar="C", help="an index, device, video, folder of pictures, or address")
    options.add_argument("--lens", type=Path, metavar="FILE", help="the camera's lens, by companion calibrate")
    options.add_argument(
        "--box", action="append", default=[], metavar="B", help="serial:/dev/ttyACM0@1, mqtt:blue@2; others are found"
    )
    options.add_argument("--broker", metavar="HOST[:PORT]", help="the MQTT broker of wireless boxes")
    chosen = options.parse_args(words)
    with Store(data_folder() / GAMES_FILE) as store:
        unfinished = None if chosen.new else store.latest_unfinished(chosen.game)
        if unfinished is not None:
            session = Session.open(store, unfinished)
        else:
            table = new_table(chosen.game, chosen.players, pairs(chosen.set_up), pairs(chosen.ruling))
            session = Session.create(store, table)
        return _show_table(session, chosen.camera, chosen.lens, chosen.box, chosen.broker)


def main() -> int:
    """The app: begins at the start screen."""
    with Store(data_folder() / GAMES_FILE) as store:
        shell = Shell(store, data_folder(), devices=partial(Devices, with_boxes=True))
        app = _prepared_app()(None, shell.tick, shell.close, shell=shell, error_log=state_folder() / ERROR_LOG)
        _run(app)
    return FINE


def new_table(
    game_id: str, names: Sequence[str], set_up: Mapping[str, str], rulings: Mapping[str, str], seed: int | None = None
) -> Table:
    """A table of these players; set-up outcomes that are not told are drawn, by `seed` or at random.

    Raises WrongUse.
    """
    game, board = load_game(game_id), print_and_play_board(game_id)
    fewest, most = game.info.seats
    if not fewest <= len(names) <= most:
        raise WrongUse(f"{game.info.title} is for {fewest} to {most} players, not {len(names)}")
    for seat, name in enumerate(names, 1):
        problem = name_problem(name, names[: seat - 1])
        if problem:
            raise WrongUse(f"the name of player {seat} {problem}")
    players = tuple(Player(name, colour) for name, colour in zip(names, board.palette, strict=False))
    try:
        bare = Table(game_id, players, game.rulebook.chosen(rulings), FrozenDict(), board)
    except ValueError as error:
        raise WrongUse(str(error)) from error
    random, outcomes = Random(seed), {}
    options = {option.name: option for option in game.options(bare)}
    for name in set_up:
        if name not in options:
            raise WrongUse(f"{game.info.title} has no set-up {name!r}; it has {', '.join(options) or 'none'}")
    for name, option in options.items():
        known = spellings(option.names)
        parts = (part.strip() for part in set_up[name].split(",")) if name in set_up else None
        told = tuple(known.get(plain(part), part) for part in parts) if parts is not None else None
        if told is not None and (len(set(told)) != option.count or not set(told) <= set(option.names)):
            raise WrongUse(f"{name} must be {option.count} of {', '.join(option.names)}")
        outcomes[name] = told or tuple(sorted(random.sample(option.names, option.count), key=option.names.index))
    return Table(game_id, players, bare.rulings, FrozenDict(outcomes), board)


def pairs(texts: Sequence[str]) -> dict[str, str]:
    """Texts like `name=value` as a mapping.

    Raises WrongUse.
    """
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise WrongUse(f"{text!r} must be like name=value")
        found[name.strip()] = value.strip()
    return found


def _show_table(
    session: Session, camera: str | None, lens: Path | None, boxes: Sequence[str], broker: str | None
) -> int:
    from firmware_bridge.errors import BridgeError
    from vision.errors import VisionError

    try:
        with ExitStack() as stack:
            cut_outs = cut_outs_of(data_folder(), session.id)
            evening = Evening(
                Presenter(session), _camera(session, camera, lens), _boxes(boxes, broker, stack), cut_outs
            )
            stack.callback(evening.close)
            evening.start()
            _run(_prepared_app()(evening.presenter, evening.tick, error_log=state_folder() / ERROR_LOG))
    except (BridgeError, VisionError, CompanionError) as error:
        complain(str(error))
        return FAILED
    return FINE


def _camera(session: Session, text: str | None, lens: Path | None) -> Any:
    if text is None:
        return None
    from ui.devices import camera_at
    from vision.camera_file import load_camera

    return camera_at(text, session.table.board, load_camera(lens) if lens is not None else None)


def _boxes(texts: Sequence[str], broker: str | None, stack: ExitStack) -> Any:
    from firmware_bridge.errors import InvalidBoxAddress, InvalidBrokerAddress
    from ui.boxes import BINDINGS_FILE, open_boxes

    try:
        return open_boxes(texts, broker, data_folder() / BINDINGS_FILE, stack)
    except (InvalidBoxAddress, InvalidBrokerAddress) as error:
        raise WrongUse(str(error)) from error


def _run(app: Any) -> None:
    """Run the app; what was made up to its first frame lasts, and the collector need not look at it again."""
    app.bind(on_start=lambda _app: gc.freeze())
    app.run()


def _prepared_app() -> Any:
    from ui import bootstrap

    bootstrap.prepare(cache_folder() / "kivy")
    from ui.app import CompanionApp

    return CompanionApp
