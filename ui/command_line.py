"""The `companion` command: finds the sub-command, and says in one line what went wrong, whatever it was."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from companion.errors import CompanionError, NotationError
from companion.registry import UnknownGame
from ui.commands.terminal import (
    FAILED,
    FINE,
    WRONG_USE,
    Parser,
    WrongUse,
    complain,
    failure,
    make_streams_safe,
    printable,
)

COMMANDS: dict[str, tuple[str, str]] = {
    "judge": ("ui.commands.rules:judge", "is this action legal, which rule does it break, what follows"),
    "legal": ("ui.commands.rules:legal", "the legal actions of a position"),
    "check": ("ui.commands.records:check", "judge a whole record again"),
    "score": ("ui.commands.scoring:score", "the score sheet, also as JSON, CSV, HTML or a BG Stats link"),
    "games": ("ui.commands.rules:games", "the games, their rulings and set-ups"),
    "simulate": ("ui.commands.records:simulate", "the record of a random legal game"),
    "print": ("ui.commands.printing:print_game", "board and pieces as PDF and PNG"),
    "calibrate": ("ui.commands.calibrating:calibrate", "measure a camera's lens from a printed sheet"),
    "score-photo": ("ui.commands.score_photo.command:score_photo", "the final score from one photograph"),
    "teach": ("ui.commands.teaching:teach", "learn what pieces look like from photographs"),
    "recheck": ("ui.commands.rechecking:recheck", "read again what the camera saw of each action"),
    "look": ("ui.commands.looking:look", "what lies where in a picture of a board"),
    "demo": ("ui.simulated_table.demo:main", "a whole game on a simulated table"),
    "boxes": ("ui.commands.boxes:boxes", "button boxes: list, test, learn, simulate"),
    "rehearse": ("ui.commands.rehearsing:rehearse", "before guests come: everything tried in two minutes"),
    "hub": ("ui.hub.command:hub", "many tables in one view"),
    "play": ("ui.application.play:play", "play with a camera and button boxes"),
}
"""name -> the function that does it, imported when it is asked for, and what it does"""
WINDOW = "ui.application.play:main"
"""what runs without a sub-command"""

HELP = ("-h", "--help", "help")
INTERRUPTED, BROKEN_PIPE = 130, 141
LOG_FILE = "errors.log"
_LARGEST_LOG = 1 << 20


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; gives the exit code and never raises."""
    make_streams_safe()
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")  # our own line says what is wrong with a camera
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # and of a stream
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = _run(words)
        if sys.stdout is not None:
            sys.stdout.flush()
    except SystemExit as exit_request:
        code = exit_request.code if isinstance(exit_request.code, int) else FINE
    except KeyboardInterrupt:
        complain("interrupted")
        code = INTERRUPTED
    except BrokenPipeError:
        code = BROKEN_PIPE
    except (WrongUse, NotationError, UnknownGame) as error:
        complain(str(error))
        code = WRONG_USE
    except CompanionError as error:
        complain(str(error))
        code = FAILED
    except OSError as error:
        complain(failure(error))
        code = FAILED
    except Exception as error:  # noqa: BLE001  # the last resort: nobody at a table can use a traceback
        complain(_unexpected(error))
        code = FAILED
    return _closed(code)


def _run(words: list[str]) -> int:
    code: int
    if not words:
        code = _function(WINDOW)()
        return code
    if words == ["--fullscreen"]:
        code = _function(WINDOW)(fullscreen=True)
        return code
    if words[0] in COMMANDS:
        code = _function(COMMANDS[words[0]][0])(words[1:])
        return code
    if words[0] == "--version":
        from importlib.metadata import version

        print(f"roman-table-companion {version('roman-table-companion')}")
        return FINE
    if words[0] not in HELP:
        known = ", ".join(COMMANDS)
        raise WrongUse(f"no command is called {words[0]!r}; there are {known} (companion --help says more)")
    parser = Parser(
        prog="companion", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="A companion for Roman building games at a real table; without a command it opens the app.",
        epilog="commands:\n" + "\n".join(f"  {name:11} {summary}" for name, (_, summary) in COMMANDS.items()),
    )  # fmt: skip
    parser.add_argument("command", metavar="COMMAND", help="see below; COMMAND --help says more")
    parser.add_argument("--fullscreen", action="store_true", help="open the app on the whole screen (F11 goes back)")
    parser.add_argument("--version", action="store_true", help="say which version this is")
    parser.print_help()
    return FINE


def _function(place: str) -> Callable[..., Any]:
    module, _, name = place.partition(":")
    try:
        function: Callable[..., Any] = getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise WrongUse("this version cannot do that yet") from error
    return function


def _unexpected(error: Exception) -> str:
    """One line for people; the rest goes to a file."""
    line = f"something went wrong that should not have: {type(error).__name__}: {error}"
    from ui.services.folders import state_folder

    try:
        path = state_folder() / LOG_FILE
        _note(path)
    except (OSError, CompanionError):
        return line
    return f"{line}; details are in {path}"


def _note(path: Path) -> None:
    import traceback
    from datetime import UTC, datetime

    if path.exists() and path.stat().st_size > _LARGEST_LOG:
        path.replace(path.with_suffix(".old.log"))
    with path.open("a", encoding="utf-8", errors="backslashreplace") as stream:
        stream.write(f"{datetime.now(UTC).isoformat(timespec='seconds')} {printable(' '.join(sys.argv))}\n")
        stream.write(traceback.format_exc() + "\n")


def _closed(code: int) -> int:
    """The exit code after everything printed has left, or the failure that it could not."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        code = BROKEN_PIPE
        _discard_output()
    except OSError as error:
        complain(f"standard output: {error.strerror or error}")
        code = FAILED
        _discard_output()
    return code


def _discard_output() -> None:
    """Give the interpreter somewhere to flush to at its end."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)


if __name__ == "__main__":
    sys.exit(main())
