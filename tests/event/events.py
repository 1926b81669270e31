"""Events played by dice, for tests."""

from random import Random

from companion.event.drawing import next_round
from companion.event.entries import BY_TABLE, EventSettings, Joined, ResultKnown
from companion.event.event import ClubEvent
from companion.event.results import ranks_of

TIME = "2026-11-30T19:30:00Z"
NAMES = (
    "Anna", "Bea", "Cleo", "Dario", "Elena", "Fabio", "Giulia", "Hugo", "Ida", "Jonas", "Karla", "Livia", "Marco",
    "Nora", "Otto", "Paola",
)  # fmt: skip


def new_event(players: int = 12, preferred: int = 3, rounds: int = 3, **others: object) -> ClubEvent:
    settings = {"tables": 100, "by_lot": 1, "seed": "ides", **others}
    event = ClubEvent("evening-1", TIME, EventSettings("Evening", "capitol", preferred, rounds, **settings))
    joining = (Joined(number, f"{NAMES[number % 16 - 1]} {number}") for number in range(1, players + 1))
    return event.append(TIME, "organiser", *joining)


def drawn(event: ClubEvent) -> ClubEvent:
    return event.append(TIME, "organiser", next_round(event))


def played(event: ClubEvent, seed: int = 1) -> ClubEvent:
    chance = Random(f"{seed} {len(event.entries)}")
    number = len(event.rounds)
    for table in event.open_tables:
        points = tuple(chance.randrange(20, 60) for _ in event.rounds[-1].tables[table - 1])
        event = event.append(TIME, "table", ResultKnown(number, table, points, ranks_of(points), BY_TABLE, "g"))
    return event


def whole_event(players: int = 12, preferred: int = 3, rounds: int = 3, **others: object) -> ClubEvent:
    event = new_event(players, preferred, rounds, **others)
    for _ in range(rounds):
        event = played(drawn(event))
    return event
