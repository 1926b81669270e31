"""The players' clock of a game, kept in a file while the game goes on, so that it lasts beyond the program."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from companion.errors import InvalidDocument
from companion.files.documents import parse_json, read_text

FOLDER = "clocks"
_LONGEST = 1_000_000.0
"""seconds, either way; a file that says more was not written by this program"""


class KeptClock:
    """The seconds that each seat of one game has left, in `folder`/clocks. Nothing here raises."""

    def __init__(self, folder: Path, game_id: str) -> None:
        self._path = folder / FOLDER / f"{game_id}.json"
        self._written: tuple[int, ...] | None = None

    def read(self, seats: int, minutes: int) -> tuple[float, ...] | None:
        """The seconds left by seat; None if none were kept for this number of seats and minutes a player.

        Who chose other minutes since then begins with these, as at an open table.
        """
        try:
            document = parse_json(read_text(self._path), self._path.name, "clock")
            left = document.sequence("left", longest=seats)
            if document.integer("minutes", default=minutes) != minutes:
                return None
        except (InvalidDocument, OSError):
            return None
        if len(left) != seats or not all(_is_seconds(value) for value in left):
            return None
        return tuple(map(float, left))

    def write(self, left: Sequence[float], minutes: int) -> None:
        """Keep the seconds left by seat of clocks of this many minutes, where a whole second has changed."""
        rounded = (minutes, *map(round, left))
        if rounded == self._written:
            return
        self._written = rounded
        draft = self._path.with_suffix(".partial")
        with suppress(OSError):  # the clock informs and forces nothing; a full disk shows where entries are written
            self._path.parent.mkdir(exist_ok=True)
            draft.write_text(json.dumps({"minutes": minutes, "left": rounded[1:]}), encoding="utf-8")
            draft.replace(self._path)

    def forget(self) -> None:
        """The game was deleted."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def _is_seconds(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _LONGEST
