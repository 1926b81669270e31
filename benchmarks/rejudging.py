"""How long it takes to judge a whole record again: when it is checked, and after an early action was amended."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from benchmarks.engine import modules
from benchmarks.figures import Figure, median
from companion.engine import legal_actions
from companion.registry import GAMES, load_game, print_and_play_board, usual_table
from companion.session.rejudging import verify
from companion.session.session import Session
from companion.session.store import Store

ENTRIES, GOAL = 200, 150
"""the entries of the record judged, and the milliseconds it may take"""
AMENDED, ALTERNATIVES = 20, 3
"""how many of the first actions are amended, each to so many others in turn"""
REPEATED = 5


def measure() -> Iterator[Figure]:
    """The figures of every game."""
    for game_id in GAMES:
        with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "rejudging.sqlite3") as store:
            yield from _figures(_played(game_id, store))


def _played(game_id: str, store: Store) -> Session:
    """A random game of the largest table; if it ends too early, actions are undone and others played."""
    game, board, random = load_game(game_id), print_and_play_board(game_id), Random(2)
    table = usual_table(game_id, game.info.seats[1], outcomes=modules(game, board, 3))
    session = Session.create(store, table)
    while len(session.entries) < ENTRIES:
        actions = legal_actions(game, session.state)
        if actions:
            session.submit(random.choice(actions))
        else:
            session.undo()
    return session


def _figures(session: Session) -> Iterator[Figure]:
    game_id = session.game.info.id
    checked = min(_processor_milliseconds(lambda: verify(session.log)) for _ in range(REPEATED))
    note = f"{len(session.moves)} actions stand"
    yield Figure(f"{game_id}: {ENTRIES} entries checked", checked, "ms", GOAL, count=REPEATED, note=note)
    durations = []
    for number, text in _amendments(session):
        action = session.game.parse_action(text, session.log.before(number).state)
        durations.append(_processor_milliseconds(lambda n=number, a=action: session.amend(n, a)))
        session.undo()
    yield Figure(
        f"{game_id}: an early action amended, all after it judged again (slowest)", max(durations), "ms", GOAL,
        count=len(durations), note=f"median {median(durations):.3g} ms",
    )  # fmt: skip


def _amendments(session: Session) -> Iterator[tuple[int, str]]:
    """Early entries that are actions, with other actions that were legal then."""
    random = Random(3)
    for move in session.moves[:AMENDED]:
        others = legal_actions(session.game, session.log.before(move.number).state)
        for action in random.sample(others, min(ALTERNATIVES, len(others))):
            if action.text != move.action:
                yield move.number, action.text


def _processor_milliseconds(call: Callable[[], object]) -> float:
    """Milliseconds of the processor in this process: what the disk takes to keep the entry is left out."""
    begin = time.process_time()
    call()
    return (time.process_time() - begin) * 1e3
