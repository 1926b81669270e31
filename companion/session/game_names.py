"""What games are called in messages: by title, players and the hour at which they were begun, never by id."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from companion.files.documents import shown
from companion.registry import known_games, load_game
from companion.session.header_salvage import told_players
from companion.session.log import Log
from companion.session.stored_lines import StoredGame

MOST_NAMED = 4
"""games, or runs of entries, that a message names"""


def named(title: str, players: Sequence[str], begun: str) -> str:
    """A game by what is known of it; `begun` is a time in UTC, "" where it is not known."""
    told = "; ".join(filter(None, (", ".join(players), local_hour(begun))))
    return f"{title} ({told})" if told else title


def stored_name(stored: StoredGame) -> str:
    """The name of a stored game, as far as its row, which may be damaged, tells it."""
    return named(title_of(stored.game), told_players(stored), stored.created)


def log_name(log: Log) -> str:
    """The name of a game that can be read."""
    return named(log.game.info.title, [player.name for player in log.header.table.players], log.header.created)


def title_of(game: str) -> str:
    """The title of a game; what the row says where no such game is known."""
    if game in known_games():
        return load_game(game).info.title
    return shown(game, 40) if game else ""


def local_hour(time: str) -> str:
    """A time in UTC as day and hour here, like "2026-11-30 20:15", for every language; "" for what is no time."""
    try:
        return f"{datetime.fromisoformat(time).astimezone():%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):
        return ""


def listed(names: Sequence[str]) -> str:
    """The first names of a list, with a sign that there are more."""
    return ", ".join((*names[:MOST_NAMED], *("…" for _more in names[MOST_NAMED : MOST_NAMED + 1])))


def told_numbers(numbers: Sequence[int]) -> str:
    """Numbers in ascending order, those that follow one another as from where to where: "3, 7–9"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return listed([str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs])
