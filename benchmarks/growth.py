"""What many past games and a very long game cost: start, lists, export, opening, an entry, by how much there is."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from benchmarks.figures import Figure, median, milliseconds, percentile
from companion.registry import GAMES, load_game, usual_table
from companion.session.record import entry_line, header_document, json_line
from companion.session.salvage import open_store
from companion.session.session import Session
from companion.session.store import Store
from ui.menus.home import home_offers
from ui.results.past_games import PastGames
from ui.shell.shell import Shell

PAST = int(os.environ.get("COMPANION_PAST_GAMES", "2000"))
LONG = int(os.environ.get("COMPANION_LONG_GAME", "5000"))
"""entries of the longest game, the most a record may have"""


def measure() -> Iterator[Figure]:
    """The figures of a database that grows and of a game that does."""
    with tempfile.TemporaryDirectory() as folder:
        for count in (PAST // 10, PAST):
            yield from _past(Path(folder) / f"past-{count}", count)
        yield from _long(Path(folder))


def fill(path: Path, count: int) -> None:
    """Fill a database with so many whole games, copies of one of each game under other ids and days."""
    with Store(path.with_name("source.sqlite3")) as store:
        logs = []
        for game_id in GAMES:
            game, random = load_game(game_id), Random(game_id)
            seats = game.info.seats[0]
            session = Session.create(store, usual_table(game_id, seats))
            while legal := session.legal_actions():
                session.submit(random.choice(legal))
            logs.append(session.log)
    Store(path).close()
    begun = datetime(2020, 1, 1, 19, 30, tzinfo=UTC)
    with closing(sqlite3.connect(path)) as connection, connection:
        for number in range(count):
            log = logs[number % len(logs)]
            name, created = f"past-{number}", (begun + timedelta(days=number)).strftime("%Y-%m-%dT%H:%M:%SZ")
            document = header_document(log.header, 0) | {"id": name, "created": created}
            row = (name, log.header.table.game, created, json_line(document))
            connection.execute("INSERT INTO games VALUES (?, ?, ?, ?)", row)
            last = len(log.entries)
            rows = ((name, entry.number, int(entry.number == last), entry_line(entry)) for entry in log.entries)
            connection.executemany("INSERT INTO entries VALUES (?, ?, ?, ?)", rows)


def _past(folder: Path, count: int) -> Iterator[Figure]:
    folder.mkdir()
    path = folder / "games.sqlite3"
    fill(path, count)
    size = f"{path.stat().st_size / 1e6:.0f} MB"
    begin = time.perf_counter()
    open_store(path)[0].close()
    read_whole = _since(begin)
    begin = time.perf_counter()
    store, _notices = open_store(path)
    yield Figure(f"{count} past games: database opened", _since(begin), "ms", 250, note=size)
    note = "every page and every entry is looked at, so by size"
    yield Figure(f"{count} past games: opened after a kill", read_whole, "ms", 250 + count * 1.5, note=note)
    with store:
        shell = Shell(store, folder)
        begin = time.perf_counter()
        home_offers(shell)
        yield Figure(f"{count} past games: the start screen's contents", _since(begin), "ms", 100)
        past = PastGames(shell)
        begin = time.perf_counter()
        past.view()
        yield Figure(f"{count} past games: Past games opened", _since(begin), "ms", 100)
        yield Figure(
            f"{count} past games: a page turned", milliseconds(lambda: (past.turn(1), past.view()), 3), "ms", 100
        )
        past.choose(f"past-{count // 2}")
        yield Figure(f"{count} past games: one exported", milliseconds(past.export), "ms", 2000)
        name = f"past-{count // 2}"
        yield Figure(f"{count} past games: one opened", milliseconds(lambda: Session.open(store, name), 3), "ms", 250)
        durations = []
        session = Session.create(store, usual_table("city_of_marble", 2))
        random = Random(5)
        for _ in range(60):
            action = random.choice(session.legal_actions())
            begin = time.perf_counter()
            session.submit(action)
            durations.append(_since(begin))
        note = f"p95 {percentile(durations, 0.95):.3g} ms"
        yield Figure(f"{count} past games: an entry recorded", median(durations), "ms", 10, count=60, note=note)


def _long(folder: Path) -> Iterator[Figure]:
    random = Random(7)
    with Store(folder / "long.sqlite3") as store:
        session = Session.create(store, usual_table("city_of_marble", 2))
        latest: list[float] = []
        for number in range(1, LONG + 1):
            legal = session.legal_actions()
            begin = time.perf_counter()
            if not legal or (session.can_undo() is not None and random.random() < 0.48):
                session.undo()
            else:
                session.submit(random.choice(legal))
            latest.append(_since(begin))
            if number in (LONG // 10, LONG):
                at = f"a game of {number} entries"
                yield Figure(f"{at}: an entry recorded", median(latest[-100:]), "ms", 20, count=100)
                yield Figure(
                    f"{at}: opened",
                    milliseconds(lambda: Session.open(store, session.id)),
                    "ms",
                    250 if number < LONG else 5000,
                )
        characters = len(json.dumps([entry_line(entry) for entry in session.log.entries]))
        yield Figure(
            "the longest game: its entries", characters / 1e6, "MB", note=f"{len(session.log.entries)} entries"
        )


def _since(begin: float) -> float:
    return (time.perf_counter() - begin) * 1e3
