"""An event as its log says it is: players, rounds and results. Every change is checked, then added to the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import singledispatch

from companion.event.entrants import MOST_PLAYERS
from companion.event.entries import (
    Archived,
    Change,
    EndTakenBack,
    EventEntry,
    EventRefused,
    EventSettings,
    Joined,
    Left,
    Moved,
    Renamed,
    Replanned,
    ResultKnown,
    ResultTakenBack,
    Returned,
    RoundDrawn,
    RoundTakenBack,
    Swapped,
    TableNamed,
    TakenOut,
)
from companion.event.history import RoundSeats
from companion.event.places_by_hand import RoundPlaces, moved, swapped
from companion.files.documents import shown
from companion.frozen import FrozenDict
from companion.position import name_problem
from companion.wording.sentences import sentence
from companion.wording.spelling import plain

MOST_ROUNDS = 50
MOST_TABLES = 2000
MOST_POINTS = 1_000_000


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of the event."""

    number: int
    name: str
    has_left: bool = False


@dataclass(frozen=True, slots=True)
class ClubEvent:
    """An event; `entries` is its log, everything else follows from it. Results are by (round, table), both from 1."""

    id: str
    created: str
    settings: EventSettings
    entries: tuple[EventEntry, ...] = ()
    players: Mapping[int, Entrant] = field(default_factory=FrozenDict)
    rounds: tuple[RoundDrawn, ...] = ()
    results: Mapping[tuple[int, int], ResultKnown] = field(default_factory=FrozenDict)
    tables: Mapping[int, str] = field(default_factory=FrozenDict)
    """number of a table -> the published table it is"""
    made_with: EventSettings | None = None
    """the settings that the log begins with, where they were changed"""
    is_archived: bool = False

    def append(self, time: str, by: str, *changes: Change) -> ClubEvent:
        """The event with these changes at the end of its log.

        Raises EventRefused, which says what does not fit.
        """
        event = self
        for change in changes:
            if event.is_archived and not isinstance(change, TakenOut):
                raise EventRefused(sentence("the event is archived: take it out of the archive first"))
            entry = EventEntry(len(event.entries) + 1, time, by, change)
            event = replace(changed(change, event), entries=(*event.entries, entry))
        return event

    @property
    def playing(self) -> tuple[int, ...]:
        """The players who have not left."""
        return tuple(number for number, player in self.players.items() if not player.has_left)

    @property
    def seats(self) -> tuple[RoundSeats, ...]:
        """Who sat where in each round."""
        return tuple(RoundSeats(each.tables, each.byes) for each in self.rounds)

    @property
    def open_tables(self) -> tuple[int, ...]:
        """The tables of the latest round that have no result."""
        if not self.rounds:
            return ()
        latest = self.rounds[-1]
        numbers = range(1, len(latest.tables) + 1)
        return tuple(number for number in numbers if (latest.round, number) not in self.results)

    def player(self, number: int) -> Entrant:
        """A player by number.

        Raises EventRefused where there is none.
        """
        if number not in self.players:
            raise EventRefused(sentence("player {player}: there is none of this number", player=number))
        return self.players[number]

    def names(self, players: tuple[int, ...]) -> tuple[str, ...]:
        """What players are called."""
        return tuple(self.players[player].name for player in players)

    def earlier_names(self, players: tuple[int, ...]) -> tuple[frozenset[str], ...]:
        """What each of these players was called at some time since the latest round was drawn."""
        now, since = dict[int, str](), dict[int, set[str]]()
        for entry in self.entries:
            match entry.change:
                case Joined(player, name) | Renamed(player, name):
                    now[player] = name
                    since.setdefault(player, set()).add(name)
                case RoundDrawn():
                    since = {player: {name} for player, name in now.items()}
                case _:
                    pass
        return tuple(frozenset(since.get(player, ())) for player in players)


@singledispatch
def changed(change: object, event: ClubEvent) -> ClubEvent:
    """The event after a change.

    Raises EventRefused.
    """
    raise TypeError(f"{change!r} is no change of {event.settings.name}")


@changed.register
def _replanned(change: Replanned, event: ClubEvent) -> ClubEvent:
    low, high = event.settings.seats
    if not low <= change.preferred <= high:
        raise EventRefused(sentence("tables are for {low} to {high} players", low=low, high=high))
    if not (1 <= change.rounds <= MOST_ROUNDS and 0 <= change.by_lot <= MOST_ROUNDS):
        raise EventRefused(sentence("an event has 1 to {most} rounds", most=MOST_ROUNDS))
    used = max((len(drawn.tables) for drawn in event.rounds), default=1)
    if not used <= change.tables <= MOST_TABLES:
        raise EventRefused(sentence("this event has {used} to {most} tables", used=used, most=MOST_TABLES))
    settings = replace(
        event.settings,
        preferred=change.preferred,
        rounds=change.rounds,
        by_lot=change.by_lot,
        tables=change.tables,
    )
    named = {number: name for number, name in event.tables.items() if number <= change.tables}
    return replace(event, settings=settings, tables=FrozenDict(named), made_with=event.made_with or event.settings)


@changed.register
def _joined(change: Joined, event: ClubEvent) -> ClubEvent:
    if change.player != len(event.players) + 1:
        raise EventRefused(
            sentence(
                "player {player}: the next one has number {next}", player=change.player, next=len(event.players) + 1
            )
        )
    if change.player > MOST_PLAYERS:
        raise EventRefused(
            sentence("player {player}: an event may have {most} players", player=change.player, most=MOST_PLAYERS)
        )
    return _named(event, change.player, change.name, Entrant(change.player, change.name))


@changed.register
def _renamed(change: Renamed, event: ClubEvent) -> ClubEvent:
    return _named(event, change.player, change.name, replace(event.player(change.player), name=change.name))


def _named(event: ClubEvent, number: int, name: str, entrant: Entrant) -> ClubEvent:
    problem = name_problem(name, ())
    if problem:
        raise EventRefused(sentence("player {player}: the name {problem}", player=number, problem=problem))
    if any(plain(other.name) == plain(name) for other in event.players.values() if other.number != number):
        raise EventRefused(
            sentence("player {player}: {name} is there already; tell them apart", player=number, name=shown(name))
        )
    return _with_player(event, entrant)


@changed.register
def _left(change: Left, event: ClubEvent) -> ClubEvent:
    player = event.player(change.player)
    if player.has_left:
        raise EventRefused(sentence("{name} has left already", name=player.name))
    return _with_player(event, replace(player, has_left=True))


@changed.register
def _returned(change: Returned, event: ClubEvent) -> ClubEvent:
    player = event.player(change.player)
    if not player.has_left:
        raise EventRefused(sentence("{name} has not left", name=player.name))
    return _with_player(event, replace(player, has_left=False))


@changed.register
def _table_named(change: TableNamed, event: ClubEvent) -> ClubEvent:
    if not 1 <= change.table <= event.settings.tables:
        raise EventRefused(
            sentence("table {table}: the event has tables 1 to {most}", table=change.table, most=event.settings.tables)
        )
    others = {number: identity for number, identity in event.tables.items() if number != change.table}
    if not change.identity:
        return replace(event, tables=FrozenDict(others))
    if change.identity in others.values():
        raise EventRefused(
            sentence(
                "table {table}: {identity} is another table of this event already",
                table=change.table,
                identity=shown(change.identity),
            )
        )
    return replace(event, tables=FrozenDict(others | {change.table: change.identity}))


@changed.register
def _round_drawn(change: RoundDrawn, event: ClubEvent) -> ClubEvent:
    if change.round != len(event.rounds) + 1 or change.round > MOST_ROUNDS:
        raise EventRefused(
            sentence(
                "round {round}: the next one is {next} of {most} at most",
                round=change.round,
                next=len(event.rounds) + 1,
                most=MOST_ROUNDS,
            )
        )
    if event.open_tables:
        raise EventRefused(
            sentence(
                "round {round}: table {table} of the round before has no result yet",
                round=change.round,
                table=event.open_tables[0],
            )
        )
    if len(change.tables) > event.settings.tables or not change.tables:
        raise EventRefused(
            sentence(
                "round {round}: has {tables} of 1 to {most} tables",
                round=change.round,
                tables=len(change.tables),
                most=event.settings.tables,
            )
        )
    low, high = event.settings.seats
    if any(not low <= len(table) <= high for table in change.tables):
        raise EventRefused(
            sentence(
                "round {round}: has a table of other than {low} to {high} players",
                round=change.round,
                low=low,
                high=high,
            )
        )
    drawn = sorted([player for table in change.tables for player in table] + list(change.byes))
    if drawn != sorted(event.playing):
        raise EventRefused(sentence("round {round}: does not have every player who is there once", round=change.round))
    return replace(event, rounds=(*event.rounds, change))


@changed.register
def _round_taken_back(change: RoundTakenBack, event: ClubEvent) -> ClubEvent:
    if change.round != len(event.rounds) or not event.rounds:
        raise EventRefused(sentence("round {round}: only the latest one can be taken back", round=change.round))
    if any(number == change.round for number, _table in event.results):
        raise EventRefused(sentence("round {round}: has results; take these back first", round=change.round))
    return replace(event, rounds=event.rounds[:-1])


@changed.register
def _result_known(change: ResultKnown, event: ClubEvent) -> ClubEvent:
    where = sentence("round {round}, table {table}", round=change.round, table=change.table)
    table = _table(event, change.round, change.table)
    if len(change.points) != len(table) or len(change.ranks) != len(table):
        raise EventRefused(
            sentence(
                "{where}: has {players} players and needs as many points and ranks", where=where, players=len(table)
            )
        )
    if any(abs(points) > MOST_POINTS for points in change.points):
        raise EventRefused(sentence("{where}: more than {most} points are no result", where=where, most=MOST_POINTS))
    if any(rank != 1 + sum(other < rank for other in change.ranks) for rank in change.ranks):
        raise EventRefused(
            sentence(
                "{where}: the ranks {ranks} are none that players can share",
                where=where,
                ranks=", ".join(map(str, change.ranks)),
            )
        )
    earlier = event.results.get((change.round, change.table))
    if earlier and not change.reason.strip():
        raise EventRefused(sentence("{where}: has a result; say why it was not right", where=where))
    return replace(event, results=FrozenDict({**event.results, (change.round, change.table): change}))


@changed.register
def _result_taken_back(change: ResultTakenBack, event: ClubEvent) -> ClubEvent:
    where = change.round, change.table
    if where not in event.results:
        raise EventRefused(
            sentence("round {round}, table {table}: has no result", round=change.round, table=change.table)
        )
    if not change.reason.strip():
        raise EventRefused(
            sentence(
                "round {round}, table {table}: say why its result is taken back", round=change.round, table=change.table
            )
        )
    _only_latest(event, change.round)
    return _without_result(event, where)


def _only_latest(event: ClubEvent, number: int) -> None:
    if number != len(event.rounds):
        raise EventRefused(
            sentence("round {round}: later rounds were drawn from its results; correct it instead", round=number)
        )


def _without_result(event: ClubEvent, where: tuple[int, int]) -> ClubEvent:
    return replace(event, results=FrozenDict({key: kept for key, kept in event.results.items() if key != where}))


@changed.register
def _end_taken_back(change: EndTakenBack, event: ClubEvent) -> ClubEvent:
    where = change.round, change.table
    _table(event, *where)
    _only_latest(event, change.round)
    known = event.results.get(where)
    if known is None or known.record != change.record:
        return event
    return _without_result(event, where)


@changed.register
def _archived(_change: Archived, event: ClubEvent) -> ClubEvent:
    return replace(event, is_archived=True)


@changed.register
def _taken_out(_change: TakenOut, event: ClubEvent) -> ClubEvent:
    if not event.is_archived:
        raise EventRefused(sentence("the event is not archived"))
    return replace(event, is_archived=False)


def _table(event: ClubEvent, round_number: int, table: int) -> tuple[int, ...]:
    if not 1 <= round_number <= len(event.rounds):
        raise EventRefused(sentence("round {round}: was not drawn", round=round_number))
    tables = event.rounds[round_number - 1].tables
    if not 1 <= table <= len(tables):
        raise EventRefused(
            sentence(
                "round {round}: has tables 1 to {last}, not {table}", round=round_number, last=len(tables), table=table
            )
        )
    return tables[table - 1]


def _with_player(event: ClubEvent, player: Entrant) -> ClubEvent:
    return replace(event, players=FrozenDict({**event.players, player.number: player}))


@changed.register
def _swapped(change: Swapped, event: ClubEvent) -> ClubEvent:
    return _seated_otherwise(event, swapped(change, _latest_round(event, change.round)), change.repeats)


@changed.register
def _moved(change: Moved, event: ClubEvent) -> ClubEvent:
    drawn = _latest_round(event, change.round)
    places = moved(change, drawn, has_left=event.player(change.player).has_left)
    return _seated_otherwise(event, places, change.repeats)


def _latest_round(event: ClubEvent, number: int) -> RoundDrawn:
    if number != len(event.rounds) or not event.rounds:
        raise EventRefused(sentence("round {round}: only in the latest one players can change places", round=number))
    return event.rounds[-1]


def _seated_otherwise(event: ClubEvent, places: RoundPlaces, repeats: int) -> ClubEvent:
    tables, byes = places
    drawn, (low, high) = event.rounds[-1], event.settings.seats
    new = [number for number, group in enumerate(tables, 1) if group != drawn.tables[number - 1]]
    if not new:
        raise EventRefused(sentence("round {round}: nobody would sit elsewhere", round=drawn.round))
    for number in new:
        where = sentence("round {round}, table {table}", round=drawn.round, table=number)
        if (drawn.round, number) in event.results:
            raise EventRefused(sentence("{where}: has a result; take it back first", where=where))
        if not low <= len(tables[number - 1]) <= high:
            raise EventRefused(sentence("{where}: {low} to {high} can play there", where=where, low=low, high=high))
        for player in map(event.player, tables[number - 1]):
            if player.has_left and player.number not in drawn.tables[number - 1]:
                raise EventRefused(sentence("{name} has left already", name=player.name))
    anew = replace(drawn, tables=tables, byes=byes, repeats=repeats, plan=())
    return replace(event, rounds=(*event.rounds[:-1], anew))
