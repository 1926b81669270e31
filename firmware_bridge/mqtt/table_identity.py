"""The name of a table on brokers: drawn once, kept in its data folder, so that two tables on one broker keep apart."""

from __future__ import annotations

import secrets
from contextlib import ExitStack
from pathlib import Path

from companion.files.documents import parse_toml, read_text
from companion.files.file_lock import take
from firmware_bridge.protocol.addresses import MQTT_NAME

TABLE_FILE = "table.toml"
FORMAT = 1
MOST_TABLES = 9
"""Tables of one data folder at the same time."""


def drawn_name() -> str:
    """A name that no other table has."""
    return f"table-{secrets.token_hex(4)}"


def claim_table(folder: Path, stack: ExitStack, purpose: str = "table") -> str:
    """The name of the table of a data folder, which is drawn and written at the first time.

    A second program that uses it for the same purpose gets the name with a number, until `stack` ends. Raises
    companion.errors.InvalidDocument for a file that does not hold, OSError where it cannot be read or written.
    """
    file = folder / TABLE_FILE
    if not file.exists():
        file.write_text(f'format = {FORMAT}\nname = "{drawn_name()}"\n', encoding="utf-8")
    name = written_name(file)
    for number in range(1, MOST_TABLES + 1):
        lock = stack.enter_context((folder / f"{purpose}-{number}.lock").open("ab"))
        if take(lock):
            return name if number == 1 else f"{name[:29]}-{number}"
    return drawn_name()


def written_name(file: Path) -> str:
    """The name that a file has for its table; raises as `claim_table`."""
    document = parse_toml(read_text(file), str(file))
    if document.integer("format") != FORMAT:
        raise document.invalid("format", f"is {document.integer('format')}; this program reads format {FORMAT}")
    document.only("format", "name")
    name = document.text("name", longest=32)
    if not MQTT_NAME.fullmatch(name):
        raise document.invalid("name", "is 1 to 32 of A-Z a-z 0-9 _ -")
    return name
