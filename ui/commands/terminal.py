"""What sub-commands print: lines for people on a terminal, exact bytes for programs."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from companion.wording.characters import without_controls

FINE, DOES_NOT_HOLD, WRONG_USE, FAILED = 0, 1, 2, 3
"""exit codes"""
STANDARD_ERROR = 2
LONGEST_WORD, LONGEST_LINE = 160, 1000
"""characters of one word, and of the whole line, that a complaint repeats"""


class WrongUse(Exception):
    """The command line asks for something impossible; the text is one line for people."""


class Parser(argparse.ArgumentParser):
    """An argument parser that reports errors as WrongUse, in one line."""

    def error(self, message: str) -> NoReturn:
        """Refuse the words.

        Raises WrongUse.
        """
        raise WrongUse(f"{message} ({self.prog} --help says more)")


def parser(name: str, description: str) -> Parser:
    """The parser of a sub-command."""
    return Parser(prog=f"companion {name}", description=description, allow_abbrev=False)


def file_name(text: str) -> Path:
    """The file or folder that a word names, for `add_argument`."""
    if not text.strip():
        raise argparse.ArgumentTypeError("an empty text names no file")
    if "\0" in text:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} holds a NUL and names no file")
    return Path(text)


def whole_number(text: str) -> int:
    """The number that a word is, for `add_argument`."""
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", text.strip()):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no whole number of at most 18 digits")
    return int(text)


def printable(text: str) -> str:
    """A text on one line; names in files may hold control and direction characters, which terminals obey."""
    return without_controls(text)


def bounded(text: str) -> str:
    """Shorten a text: cut the middle out of very long words, then out of the whole."""
    return _without_middle(re.sub(r"\S+", lambda word: _without_middle(word[0], LONGEST_WORD), text), LONGEST_LINE)


def _without_middle(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest * 2 // 3]}…{text[-longest // 3 + 1 :]}"


def say(text: str = "") -> None:
    """Print a line for people."""
    print(printable(text))


def complain(text: str) -> None:
    """Print a line about a mistake or a failure."""
    print(printable(f"companion: {bounded(text)}"), file=sys.stderr)


def failure(error: OSError) -> str:
    """An OSError as one line that names the file; one of ours is a sentence already."""
    if error.errno is None and error.args:
        return str(error)
    return f"{error.filename or 'standard output'}: {error.strerror or error}"


def emit(text: str) -> None:
    """Print a text exactly as it is, in UTF-8 whatever the terminal speaks."""
    if sys.stdout is not None:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())


def emit_json(document: Mapping[str, Any]) -> None:
    """Print a JSON document."""
    emit(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


@contextmanager
def quiet_libraries() -> Iterator[None]:
    """Silence what C libraries print about damaged pictures; this program reports the failure itself."""
    try:
        terminal = os.dup(STANDARD_ERROR)
    except OSError:  # it is closed
        yield
        return
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, STANDARD_ERROR)
    os.close(null)
    try:
        yield
    finally:
        os.dup2(terminal, STANDARD_ERROR)
        os.close(terminal)


def make_streams_safe() -> None:
    """Let a stream replace characters that its encoding lacks by their codes."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
