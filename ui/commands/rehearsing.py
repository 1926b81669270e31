"""Before guests come: `rehearse` tries everything that an evening needs, and gives a verdict."""

from __future__ import annotations

import argparse
import select
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from companion.errors import CompanionError, InvalidDocument
from companion.registry import GAMES
from ui.commands.boxes import add_box_options, asking_report, opened_boxes, require_broker
from ui.commands.camera_options import board_in_play
from ui.commands.table_options import new_table, usual_names
from ui.commands.terminal import FAILED, FINE, WrongUse, emit_json, file_name, parser, quiet_libraries, say
from ui.hardware.likely_cameras import with_lag
from ui.hardware.taught_profiles import taught_profile
from ui.services.files import read_game
from ui.services.folders import BOARDS, data_folder
from ui.services.settings import SETTINGS_FILE, load_settings, save_settings
from ui.services.text import error_text

if TYPE_CHECKING:
    from ui.forms.rehearsal import Section, Submission
    from vision.camera.lag import LagMeasurement
    from vision.pictures import Image

BOX_SECONDS = 45.0
DELAY_SECONDS = 60.0


def rehearse(words: Sequence[str]) -> int:
    """`companion rehearse`: exit code 3 where something is not fine."""
    options = parser("rehearse", "Try everything an evening needs, in two minutes, before the guests come.")
    options.add_argument("--game", choices=tuple(GAMES), default=next(iter(GAMES)), help="the game of the evening")
    options.add_argument("--board", metavar="B", help="a board file of the game; else the profile's, or as shipped")
    options.add_argument("--profile", type=file_name, metavar="P", help="taught pieces; else as taught or shipped")
    options.add_argument("--camera", metavar="C", help="an index, device, video, folder of pictures, or address")
    options.add_argument("--lens", type=file_name, metavar="FILE", help="the camera's lens, by companion calibrate")
    options.add_argument(
        "--position",
        type=file_name,
        metavar="POSITION",
        help="what lies there; else all must be certain",
    )
    add_box_options(options)
    options.add_argument("--no-boxes", action="store_true", help="play without button boxes")
    options.add_argument("--json", action="store_true", help="print a JSON document at the end, not lines")
    chosen = options.parse_args(words)
    if chosen.no_boxes and (chosen.box or chosen.broker):
        raise WrongUse("--no-boxes leaves the boxes out, but --box or --broker names some; give one of them")
    from ui.forms.rehearsal import Result, is_ready

    sections = []
    for section in trials(chosen):
        sections.append(section)
        if not chosen.json:
            say(f"{section.title}: {section.result.upper() if section.result is Result.NOT_FINE else section.result}")
            for line in section.lines:
                say(f"  {line}")
    is_fine = is_ready(sections)
    if chosen.json:
        emit_json(
            {
                "fine": is_fine,
                "sections": [
                    {"title": section.title, "result": section.result.value, "lines": list(section.lines)}
                    for section in sections
                ],
            }
        )
    else:
        say("verdict: ready to play" if is_fine else "verdict: not ready, see above")
    return FINE if is_fine else FAILED


def trials(chosen: argparse.Namespace) -> Iterator[Section]:
    """The sections, each tried when it is asked for, in the order of the evening's set-up."""
    from ui.forms.rehearsal import Result, tried, try_game

    camera = tried("camera", partial(_try_camera, chosen))
    yield camera
    if camera.result is Result.FINE and sys.stdin.isatty() and not chosen.json:
        yield tried("delay of the camera", partial(_try_delay, chosen.camera))
    yield tried("boxes", partial(_try_boxes, chosen))
    table = new_table(chosen.game, usual_names(chosen.game), {}, {}, seed=1)
    yield tried("record and export", lambda: try_game(table, data_folder()))


def _try_camera(chosen: argparse.Namespace) -> Submission:
    from ui.forms.rehearsal import Result, try_camera
    from vision.location.camera_file import load_camera

    lens = load_camera(chosen.lens) if chosen.lens is not None else None
    expected: Mapping[str, str] | None = None
    if chosen.position is not None:
        game = read_game(str(chosen.position))
        if game.rules.info.id != chosen.game:
            raise WrongUse(f"--position {chosen.position} is of {game.rules.info.title}, not of --game {chosen.game}")
        expected = game.rules.appearance(game.state)
    board = board_in_play(chosen.game, chosen.board, chosen.profile, data_folder() / BOARDS)
    if chosen.camera is None:
        return Result.LEFT_OUT, ["no camera is named (--camera)"]
    with quiet_libraries():
        profile = chosen.profile or taught_profile(data_folder(), board)
        return try_camera(partial(_photograph, chosen.camera), board, lens, expected, profile)


def _photograph(address: str) -> Image:
    from ui.shell.devices import one_picture

    return one_picture(address)


def _try_delay(address: str) -> Submission:
    """Measure how late the camera shows a hand that comes with a touch of Enter, and keep that with the camera."""
    from ui.forms.rehearsal import Result, try_lag
    from ui.shell.devices import pictures_of
    from vision.camera.lag import TRIALS, LagMeasurement
    from vision.errors import VisionError

    say(f"press Enter and move your other hand over the board at the same moment, {TRIALS} times, some seconds apart")
    say("(any letter and Enter: go on without)")
    measured, ended = LagMeasurement(), threading.Event()
    keyboard = threading.Thread(target=_take_touches, args=(measured, ended), name="keyboard")
    keyboard.start()
    try:
        with quiet_libraries():
            return try_lag(
                measured, partial(pictures_of, address), DELAY_SECONDS, partial(_keep_lag, address), ended.is_set
            )
    except (VisionError, InvalidDocument, OSError) as error:
        return Result.NOT_FINE, [error_text(error)]
    finally:
        ended.set()
        keyboard.join()


def _take_touches(measured: LagMeasurement, ended: threading.Event) -> None:
    """Each empty line of the keyboard is a touch; any other one ends it."""
    while not ended.is_set():
        if select.select([sys.stdin], [], [], 0.05)[0]:
            moment = time.monotonic()
            if sys.stdin.readline() == "\n":
                measured.press(moment)
            else:
                ended.set()


def _keep_lag(address: str, seconds: float) -> None:
    path = data_folder() / SETTINGS_FILE
    save_settings(path, with_lag(load_settings(path), address, seconds))


def _try_boxes(chosen: argparse.Namespace) -> Submission:
    from firmware_bridge.boxes import Search
    from ui.forms.rehearsal import Result, try_boxes

    if chosen.no_boxes:
        return Result.LEFT_OUT, ["no boxes are used"]
    if chosen.broker is not None:
        try:
            require_broker(chosen.broker)
        except CompanionError as error:
            return Result.NOT_FINE, [error_text(error)]
    if not chosen.json:
        say("looking for boxes")
    search = Search(serial=True, bare_chips=chosen.all_ports, wireless=True)
    opened = partial(opened_boxes, chosen.box, chosen.broker, search)
    return try_boxes(opened, BOX_SECONDS, (lambda _: None) if chosen.json else asking_report())
