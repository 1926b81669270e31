"""What sub-commands print: lines for people on a terminal, exact bytes for programs."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

FINE, DOES_NOT_HOLD, WRONG_USE, FAILED = 0, 1, 2, 3
"""exit codes"""
STANDARD_ERROR = 2


class WrongUse(Exception):
    """The command line asks for something that cannot be; its text is one line for people."""


def parser(name: str, description: str) -> argparse.ArgumentParser:
    """The parser of a sub-command."""
    return argparse.ArgumentParser(prog=f"companion {name}", description=description, allow_abbrev=False)


def printable(text: str) -> str:
    """A text on one line; names in files may hold control characters, which terminals obey."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def say(text: str = "") -> None:
    """Print a line for people."""
    print(printable(text))


def complain(text: str) -> None:
    """Print a line about a mistake or a failure."""
    print(printable(f"companion: {text}"), file=sys.stderr)


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
    """Keep off the terminal what C libraries say of a damaged picture; our own line says what is wrong."""
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
    """Let a stream that cannot write a character write its code instead."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
