"""Before guests come: `rehearse` tries everything that an evening needs, and gives a verdict."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from companion.registry import GAMES
from ui.commands.boxes import add_box_options, opened_boxes, report
from ui.commands.camera_options import board_in_play
from ui.commands.table_options import new_table, usual_names
from ui.commands.terminal import FAILED, FINE, WrongUse, emit_json, file_name, parser, quiet_libraries, say
from ui.hardware.taught_profiles import taught_profile
from ui.services.files import read_game
from ui.services.folders import BOARDS, data_folder

if TYPE_CHECKING:
    from ui.forms.rehearsal import Section, Submission
    from vision.pictures import Image

BOX_SECONDS = 45.0


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
    from ui.forms.rehearsal import tried, try_game

    yield tried("camera", partial(_try_camera, chosen))
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


def _try_boxes(chosen: argparse.Namespace) -> Submission:
    from firmware_bridge.boxes import Search
    from ui.forms.rehearsal import Result, try_boxes

    if chosen.no_boxes:
        return Result.LEFT_OUT, ["no boxes are used"]
    if not chosen.json:
        say("press every button of every box once; the lamp beside it flashes when it was heard")
    search = Search(serial=True, bare_chips=chosen.all_ports, wireless=True)
    opened = partial(opened_boxes, chosen.box, chosen.broker, search)
    return try_boxes(opened, BOX_SECONDS, (lambda _: None) if chosen.json else report)
