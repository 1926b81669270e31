"""Kills a process that writes games, again and again at random moments; every entry it was told of must be there.

A program of its own, because it forks: `python -m tests.session.killed_writer FOLDER RUNS SEED` prints a JSON object.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
import traceback
from pathlib import Path
from random import Random

from companion.session.rejudging import verify
from companion.session.session import Session
from companion.session.store import Store
from tests.session.evenings import GAME
from tests.tables import table_of

TABLES = [table_of(GAME, seats) for seats in (2, 3, 4)]
RUNS_PER_DATABASE = 5
LONGEST = 0.1
"""seconds that a writer lives after it began"""


def write(path: Path, game_id: str, seed: int, told: int) -> None:
    """Play a game and acknowledge each entry with a byte, until killed; undo now and then."""
    random = Random(seed)
    os.write(told, b"b")
    with Store(path) as store:
        session = Session.create(store, TABLES[seed % 3], game_id=game_id)
        os.write(told, b"c")
        while True:
            legal = session.legal_actions()
            if not legal or (session.can_undo() and random.random() < 0.1):
                session.undo()
            else:
                session.submit(random.choice(legal))
            os.write(told, b"e")


def run_once(path: Path, game_id: str, seed: int) -> bytes:
    """What a writer acknowledged before it was killed; every second one lives until it has kept an entry."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            write(path, game_id, seed, writing)
        finally:
            traceback.print_exc()
            os._exit(1)
    os.close(writing)
    told = os.read(reading, 1)
    while seed % 2 and b"e" not in told and (part := os.read(reading, 4096)):
        told += part
    time.sleep(Random(seed).uniform(0, LONGEST))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the writer ended by itself"
    while select.select([reading], [], [], 0)[0] and (part := os.read(reading, 4096)):
        told += part
    os.close(reading)
    return told


def check(path: Path, told: dict[str, bytes]) -> None:
    """Everything acknowledged is there, at most one entry more, nothing is reported lost, and every game opens."""
    with Store(path) as store:
        assert store.shortfalls == (), f"a false alarm: {store.shortfalls}"
        games = {summary.id: summary.entries for summary in store.games()}
        for game_id, bytes_told in told.items():
            if b"c" not in bytes_told:
                continue
            entries = bytes_told.count(b"e")
            assert games[game_id] in (entries, entries + 1), f"{game_id}: {entries} told, {games[game_id]} kept"
        latest = max(games, default=None)
        if latest is not None:
            log = store.read(latest)
            assert len(log.entries) == games[latest]
            assert verify(log) == []


def main() -> None:
    """Run and report."""
    folder, runs, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    told: dict[Path, dict[str, bytes]] = {}
    for run in range(runs):
        path, game_id = folder / f"games-{run // RUNS_PER_DATABASE}.sqlite3", f"run-{run:05}"
        told.setdefault(path, {})[game_id] = run_once(path, game_id, seed + run)
        check(path, told[path])
    every = [each for database in told.values() for each in database.values()]
    entries, begun = sum(each.count(b"e") for each in every), sum(b"c" in each for each in every)
    json.dump({"runs": runs, "games": begun, "acknowledged": entries}, sys.stdout)


if __name__ == "__main__":
    main()
