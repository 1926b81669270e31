"""Before guests come: `rehearse` tries everything that an evening needs, and gives a verdict.

A section is one thing to try; those of a device are left out where the device is not used.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from companion.engine import legal_actions
from companion.registry import GAMES
from companion.session.session import Session
from companion.session.store import Store
from ui.commands.boxes import add_box_options, opened_boxes, tell
from ui.commands.terminal import FAILED, FINE, emit_json, parser, say
from ui.play import new_table

MOVES = 3
BOX_SECONDS = 45.0


class Result(StrEnum):
    """How a section went."""

    FINE = "fine"
    LEFT_OUT = "left out"
    NOT_FINE = "not fine"


@dataclass(frozen=True, slots=True)
class Section:
    """What was tried, how it went, and lines for people about it."""

    title: str
    result: Result
    lines: tuple[str, ...]
    seconds: float


Trial = Callable[[argparse.Namespace], tuple[Result, Sequence[str]]]


def rehearse(words: Sequence[str]) -> int:
    """`companion rehearse`: exit code 3 where something is not fine."""
    options = parser("rehearse", "Try everything an evening needs, in two minutes, before the guests come.")
    options.add_argument("--game", choices=tuple(GAMES), default=next(iter(GAMES)), help="the game of the evening")
    add_box_options(options)
    options.add_argument("--no-boxes", action="store_true", help="play without button boxes")
    options.add_argument("--json", action="store_true", help="print a JSON document at the end, not lines")
    chosen = options.parse_args(words)
    sections = []
    for section in trials(chosen):
        sections.append(section)
        if not chosen.json:
            say(f"{section.title}: {section.result.upper() if section.result is Result.NOT_FINE else section.result}")
            for line in section.lines:
                say(f"  {line}")
    is_fine = all(section.result is not Result.NOT_FINE for section in sections)
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
    """The sections, each tried when it is asked for."""
    for title, trial in SECTIONS.items():
        began = time.monotonic()
        result, lines = trial(chosen)
        yield Section(title, result, tuple(lines), time.monotonic() - began)


def try_boxes(chosen: argparse.Namespace) -> tuple[Result, Sequence[str]]:
    """Every box is there, and every button of it is pressed once."""
    if chosen.no_boxes:
        return Result.LEFT_OUT, ["no boxes are used"]
    from firmware_bridge.boxes import Search
    from firmware_bridge.rehearsal import rehearse as rehearse_boxes

    if not chosen.json:
        say("press every button of every box once; the lamp beside it flashes when it was heard")
    search = Search(serial=True, bare_chips=chosen.all_ports, wireless=True)
    with opened_boxes(chosen.box, chosen.broker, search) as found:
        checks = rehearse_boxes(found, BOX_SECONDS, (lambda _event: None) if chosen.json else tell)
    if not checks:
        return Result.LEFT_OUT, ["no box is there; the four buttons are on the screen"]
    result = Result.FINE if all(check.is_fine for check in checks) else Result.NOT_FINE
    return result, [f"{check.box}: {check.reason}" for check in checks]


def try_game(chosen: argparse.Namespace) -> tuple[Result, Sequence[str]]:
    """A game of three moves is recorded, undone in part, exported and opened again."""
    with tempfile.TemporaryDirectory(prefix="companion-rehearsal-") as folder, Store(Path(folder) / "games") as store:
        session = Session.create(store, new_table(chosen.game, ["Player 1", "Player 2"], {}, {}, seed=1))
        for _ in range(MOVES):
            session.submit(legal_actions(session.game, session.state)[0], source="rehearsal")
        session.undo()
        exported = [json.loads(line) for line in session.export().splitlines()]
        again = Session.open(store, session.id)
        is_same = again.state == session.state and exported[0]["entries"] == len(session.entries)
    if not is_same:
        return Result.NOT_FINE, ["the record does not open as it was written"]
    return Result.FINE, [f"{MOVES} moves recorded, one undone, exported and opened again"]


SECTIONS: dict[str, Trial] = {"boxes": try_boxes, "record and export": try_game}
"""title -> what tries it, in the order of the evening's set-up"""
