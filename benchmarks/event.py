"""Drawing the rounds of an event of 2,000 players on one core, and the repeats beside the fewest possible."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random

from benchmarks.figures import Figure
from companion.event.drawing import next_round
from companion.event.entries import BY_TABLE, EventSettings, Joined, ResultKnown
from companion.event.event import ClubEvent
from companion.event.history import history_of
from companion.event.log_text import event_text, read_event
from companion.event.results import ranks_of
from companion.event.standings import standings

PLAYERS, ROUNDS, GOAL = 2000, 6, 30
TIME = "2026-11-30T19:30:00Z"


def measure() -> Iterator[Figure]:
    """A round of 2,000 players at tables of four, of three and of two, and of 16 players; then the standings."""
    for players, size in ((PLAYERS, 4), (PLAYERS - 1, 3), (PLAYERS, 2), (16, 4)):
        yield from _figures(players, size)


def _figures(players: int, size: int) -> Iterator[Figure]:
    event = ClubEvent("event", TIME, EventSettings("Event", "capitol", size, ROUNDS, 1, 1000, "1"))
    event = event.append(TIME, "o", *(Joined(number, f"Player {number}") for number in range(1, players + 1)))
    seconds, repeats, at_least = list[float](), 0, 0
    for number in range(1, ROUNDS + 1):
        begin = time.process_time()
        drawn = next_round(event)
        seconds.append(time.process_time() - begin)
        repeats, at_least = repeats + drawn.repeats, at_least + drawn.at_least
        event = _played(event.append(TIME, "o", drawn), Random(number))
    what = f"{players} players at tables of {size}"
    yield Figure(f"draw a round: {what}", max(seconds), "s", GOAL, count=ROUNDS, note="slowest, one core")
    yield Figure(f"repeats in {ROUNDS} rounds: {what}", repeats, "meetings", at_least, note=f"at least {at_least}")
    seats = history_of(event.seats).seats
    begun = [seats.get(player, {}).get(1, 0) for player in event.players]
    yield Figure(f"games begun, most less fewest: {what}", max(begun) - min(begun), "games")
    if players == PLAYERS and size == 4:
        begin = time.process_time()
        standings(event)
        yield Figure("standings of 2,000 players", (time.process_time() - begin) * 1000, "ms")
        text, begin = event_text(event), time.process_time()
        read_event(text, "log")
        yield Figure("log of that event read", time.process_time() - begin, "s", note=f"{len(text) // 1024} KiB")


def _played(event: ClubEvent, chance: Random) -> ClubEvent:
    drawn = event.rounds[-1]
    results = []
    for number, table in enumerate(drawn.tables, 1):
        points = tuple(chance.randrange(20, 80) for _ in table)
        results.append(ResultKnown(drawn.round, number, points, ranks_of(points), BY_TABLE, "game"))
    return event.append(TIME, "o", *results)
