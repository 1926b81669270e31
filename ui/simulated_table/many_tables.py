"""`companion demo --tables N`: simulated tables without windows, published on a broker for a hub, at a steady pace."""

from __future__ import annotations

import heapq
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from random import Random

from companion.errors import CompanionError, InvalidDocument
from companion.frozen import FrozenDict
from companion.publishing.kept import FILE, KeptPublishing
from companion.publishing.messages import COPIED, Assignment
from companion.publishing.published_table import REGISTERING, PublishedNow, PublishedTable
from companion.publishing.signing import parse_code
from companion.registry import GAMES, load_game, print_and_play_board
from companion.session.log import Log
from companion.session.record import utc
from companion.session.salvage import open_store
from companion.session.session import Session
from companion.session.store import Store
from companion.table import Player, Table
from firmware_bridge.errors import InvalidBrokerAddress
from firmware_bridge.mqtt.broker import LOCAL
from firmware_bridge.mqtt.table_identity import TABLE_FILE, claim_table, written_name
from firmware_bridge.protocol.addresses import BrokerAddress
from firmware_bridge.publishing.publisher import TablePublisher
from ui.commands.terminal import FAILED, FINE, WrongUse, complain, file_name, parser, whole_number
from ui.services.interruption import ended_by
from ui.simulated_table.unheard import Unheard
from ui.table.why_not_here import illegal_gestures

NAMES = (
    "Giulia", "Tiberio", "Claudia", "Adriano", "Livia", "Marco", "Flavia", "Tullio", "Silvia", "Bruno", "Ottavia",
    "Dario", "Emilia", "Fausto", "Grazia", "Nerio", "Petra", "Quinto", "Rosa", "Sesto", "Tea", "Ugo", "Vera", "Zeno",
)  # fmt: skip
SECONDS_AN_ENTRY = 4.0
"""the usual pace of a table"""
MOST_TABLES = 5000
OWN_CONNECTIONS, SHARED_BY = 50, 100
"""tables up to which each has a connection of its own, and tables that share one where there are more"""
REST = 3
"""turns of its pace that a table shows a finished game before it begins another"""
DISPUTE, CALL, CALL_LASTS = 0.01, 0.004, 12
"""how often an action is refused instead, or the judge is called; after how many entries a table calls no more"""
STORE = "tables.sqlite3"


IN_TURN, LONGEST_TURN = 40, 1.0
"""tables that register one after the other, each waited for so many seconds at most"""


@dataclass(frozen=True, slots=True)
class ManyOptions:
    """The command-line options. `rate` are the entries a second of all tables, `seconds` and `games` when to stop, 0
    for never; with `assigned` nothing is played but what an event assigns.
    """

    tables: int
    broker: BrokerAddress
    code: str
    game: str | None
    rate: float
    seconds: int
    games: int
    assigned: bool
    shows_names: bool
    seed: int
    out: Path


def parse(words: Sequence[str]) -> ManyOptions:
    """The options of the command line.

    Raises WrongUse.
    """
    options = parser("demo", "Let simulated tables play, published on a broker for a hub.")
    options.add_argument("--tables", type=whole_number, required=True, metavar="N", help="how many")
    options.add_argument("--broker", default=str(LOCAL), metavar="HOST[:PORT]", help=f"(default: {LOCAL})")
    options.add_argument("--code", default="", metavar="CODE", help="the code that the hub shows, to register")
    options.add_argument("--game", choices=tuple(GAMES), help="all of them by turns, unless told")
    options.add_argument("--rate", type=float, metavar="R", help="entries a second of all tables (default: N / 4)")
    options.add_argument("--seconds", type=whole_number, default=0, metavar="S", help="stop after so long")
    options.add_argument("--games", type=whole_number, default=0, metavar="G", help="stop after so many at each table")
    options.add_argument("--assigned", action="store_true", help="play only what an event assigns")
    options.add_argument("--show-names", action="store_true", help="let the hub show the players' names")
    options.add_argument("--seed", type=whole_number, default=77, help="another seed plays other games")
    options.add_argument("--out", type=file_name, default=Path("out/tables"), help="folder for games and keys")
    chosen = options.parse_args(words)
    if not 1 <= chosen.tables <= MOST_TABLES:
        raise WrongUse(f"--tables {chosen.tables} is not from 1 to {MOST_TABLES}")
    rate = chosen.tables / SECONDS_AN_ENTRY if chosen.rate is None else chosen.rate
    if not 0 < rate <= 10_000:
        raise WrongUse("--rate is a number of entries a second above 0")
    try:
        broker, code = BrokerAddress.parse(chosen.broker), parse_code(chosen.code) if chosen.code else ""
    except (InvalidBrokerAddress, InvalidDocument) as error:
        raise WrongUse(str(error)) from error
    return ManyOptions(
        chosen.tables, broker, code, chosen.game, rate, chosen.seconds, chosen.games, chosen.assigned,
        chosen.show_names, chosen.seed, chosen.out,
    )  # fmt: skip


class PublishedSimulation:
    """A table whose players do something legal at random, one entry at a time."""

    def __init__(self, name: str, number: int, options: ManyOptions, store: Store, kept: KeptPublishing) -> None:
        self._options, self._store, self._random = options, store, Random(f"{options.seed} {number}")
        self._name, self._number, self._begun = name, number, 0
        self.published = PublishedTable(
            name, kept, self._read, called=f"Table {number}", shows_names=options.shows_names,
            version=version("roman-table-companion"), moment=lambda: utc(datetime.now(UTC)),
            least_number=lambda: time.time_ns() // 1_000_000,
        )  # fmt: skip
        self.session: Session | None = None
        self.finished = self.entries = 0
        self._played: Assignment | None = None
        self._resumed: Table | None = None
        """what was played last before this program was started, until something is begun"""
        self._resting, self._calls_until = 0, 0

    def resume(self, games: Sequence[tuple[str, bool]]) -> None:
        """Go on with this table's games of the store: ids in the order in which they were begun, and whether over."""
        self._begun = len(games)
        if games:
            self._resumed = self._store.read(games[-1][0]).header.table
            if not games[-1][1]:
                self.session = Session.open(self._store, games[-1][0])
                self._show()

    def play(self) -> None:
        """Do one thing: an action, or what leads to the next one."""
        session = self.session
        if session is None or session.is_over or self._is_laid_aside(session):
            self._next_game()
            return
        refused = self._refused(session) if self._random.random() < DISPUTE else None
        if refused is None:
            session.submit(self._random.choice(session.legal_actions()), source="simulation")
            self.entries += 1
        self._call()
        self.finished += session.is_over
        self._show(refused)

    @property
    def is_done(self) -> bool:
        """Whether it has played as many games as it should."""
        return bool(self._options.games) and self.finished >= self._options.games

    def _is_laid_aside(self, session: Session) -> bool:
        """Whether an event assigns another game than the one that is open, to a table that plays what is assigned."""
        assignment = self.published.status.assignment
        if not self._options.assigned or assignment is None or assignment.game not in GAMES:
            return False
        return assignment != self._played and not _is_of(session.table, assignment)

    def _next_game(self) -> None:
        assignment = self.published.status.assignment
        if assignment is not None and self._resumed is not None and _is_of(self._resumed, assignment):
            self._played = assignment  # before this program was started
        if assignment is not None and assignment != self._played and assignment.game in GAMES:
            self._begin(assignment.game, [each.player for each in assignment.seats])
            self._played = assignment
        elif assignment is None and not self._options.assigned and not self.is_done:
            self._resting += 1
            if self.session is None or self._resting > REST:
                game = self._options.game or tuple(GAMES)[(self._number + self._begun) % len(GAMES)]
                fewest, most = load_game(game).info.seats
                self._begin(game, self._random.sample(NAMES, self._random.randint(fewest, most)))

    def _begin(self, game_id: str, names: Sequence[str]) -> None:
        game, board = load_game(game_id), print_and_play_board(game_id)
        players = tuple(Player(name, colour) for name, colour in zip(names, board.palette, strict=False))
        bare = Table(game_id, players, game.rulebook.chosen({}), FrozenDict(), board)
        options = {option.name: tuple(self._random.sample(option.names, option.count)) for option in game.options(bare)}
        table = Table(game_id, players, bare.rulings, FrozenDict(options), board)
        self._begun, self._resting, self._resumed = self._begun + 1, 0, None
        self.session = Session.create(self._store, table, game_id=f"{self._name}-{self._begun}")
        self._show()

    def _refused(self, session: Session) -> object:
        """An action that is not allowed now, at some place of the board; None where none is found."""
        sites = sorted({spot.site for spot in session.table.board.spots.values()})
        return next((action for action, _verdict in illegal_gestures(session, self._random.choice(sites))), None)

    def _call(self) -> None:
        if self._calls_until and self.entries >= self._calls_until:
            self._calls_until = 0
            self.published.call_help(asked=False)
        elif not self._calls_until and self._random.random() < CALL:
            self._calls_until = self.entries + CALL_LASTS
            self.published.call_help(asked=True)

    def _show(self, refused: object = None) -> None:
        assert self.session is not None
        self.published.show(PublishedNow(self.session.log, refused))

    def _read(self, game_id: str) -> Log:
        return self._store.read(game_id)


def _is_of(table: Table, assignment: Assignment) -> bool:
    """Whether a game was that of an assignment."""
    names = [each.player for each in assignment.seats]
    return table.game == assignment.game and [player.name for player in table.players] == names


class ManyTables:
    """Simulated tables with their store, keys and connections. `clock` gives monotonic seconds."""

    def __init__(self, options: ManyOptions, stack: ExitStack, clock: Callable[[], float] = time.monotonic) -> None:
        """Raises CompanionError or OSError where the folder cannot be used."""
        options.out.mkdir(parents=True, exist_ok=True)
        self._options, name = options, claim_table(options.out, stack)
        self._is_beside_another = name != written_name(options.out / TABLE_FILE)
        store, notices = open_store(options.out / STORE)
        stack.enter_context(store)
        for notice in notices:
            complain(notice)
        kept = KeptPublishing(options.out / FILE)
        stack.callback(kept.close)
        self._clock, self._pace = clock, options.tables / options.rate
        self.tables = [
            PublishedSimulation(f"{name[:26]}-{number}", number, options, store, kept)
            for number in range(1, options.tables + 1)
        ]
        self.published = [table.published for table in self.tables]
        self._resume(store)
        for table in self.tables:
            if options.code:
                table.published.register(options.code)
        in_turn = bool(options.code) and options.tables <= IN_TURN
        size = 1 if options.tables <= OWN_CONNECTIONS else SHARED_BY
        self.publishers: list[TablePublisher] = []
        stack.callback(self._close)
        for start in range(0, len(self.tables), size):
            together = self.published[start : start + size]
            self.publishers.append(TablePublisher(options.broker, together))
            if in_turn:  # so that the hub's numbers are those of their names
                in_turn = self._had_turn(together[0], self.publishers[-1])

    def _had_turn(self, table: PublishedTable, publisher: TablePublisher) -> bool:
        """Let a table register before the next one does; False where waiting for that is no use."""
        until = self._clock() + LONGEST_TURN
        while not table.status.registered and self._clock() < until:
            if table.status.refused in REGISTERING or publisher.problem:
                return False
            time.sleep(0.01)
        return publisher.connected

    def run(self, seconds: float, stop: threading.Event) -> None:
        """Play at the steady pace for so long (0: until stopped), or until every table has played its games."""
        began = self._clock()
        step = self._pace / len(self.tables)
        waiting = [(began + at * step, at) for at in range(len(self.tables))]
        while waiting and not stop.is_set():
            when, at = heapq.heappop(waiting)
            if seconds and when > began + seconds:
                return
            if stop.wait(max(0.0, when - self._clock())):
                return
            table = self.tables[at]
            table.play()
            if not table.is_done:
                heapq.heappush(waiting, (when + self._pace, at))

    def settle(self, seconds: float, stop: threading.Event) -> None:
        """Wait until a hub has everything, at most so long."""
        until = self._clock() + seconds
        while self.behind and self._clock() < until and not stop.wait(0.1):
            pass

    @property
    def behind(self) -> int:
        """Entries that no hub has acknowledged."""
        return sum(table.published.status.behind for table in self.tables)

    @property
    def unregistered(self) -> str:
        """That tables are not registered, and where; "" where all are."""
        count = sum(not table.status.registered for table in self.published)
        if not count:
            return ""
        told = f"{count} of the {len(self.published)} tables in {self._options.out} are not registered"
        return f"another program plays as the tables there, {told}" if self._is_beside_another else told

    @property
    def is_refused(self) -> bool:
        """Whether a hub does not believe tables."""
        return any(table.status.refused not in ("", COPIED) for table in self.published)

    @property
    def summary(self) -> str:
        """What they have played and how much of it has arrived, in one line."""
        statuses = [table.published.status for table in self.tables]
        registered = sum(status.registered for status in statuses)
        refused = sorted({status.refused for status in statuses if status.refused})
        problems = sorted({publisher.problem for publisher in self.publishers if publisher.problem})
        told = [
            f"{registered} of {len(self.tables)} tables registered",
            f"{sum(table.entries for table in self.tables)} entries and {sum(t.finished for t in self.tables)} games",
            f"{sum(status.behind for status in statuses)} entries not yet acknowledged",
            *(f"refused: {why}" for why in refused),
            *problems,
        ]
        return "; ".join(told)

    def _resume(self, store: Store) -> None:
        by_table: dict[str, list[tuple[str, bool]]] = {}
        for game in sorted(store.games(), key=lambda each: (each.created, each.id)):
            by_table.setdefault(game.id.rpartition("-")[0], []).append((game.id, game.over))
        for table in self.tables:
            games = by_table.get(table.published.name, [])
            table.resume(sorted(games, key=lambda each: int(each[0].rpartition("-")[2])))

    def _close(self) -> None:
        leaving = [threading.Thread(target=publisher.close) for publisher in self.publishers]
        for thread in leaving:
            thread.start()
        for thread in leaving:
            thread.join()


def main(words: Sequence[str]) -> int:
    """Let the tables play until they are stopped; gives the exit code.

    Raises WrongUse, CompanionError, OSError.
    """
    options = parse(words)
    with ExitStack() as stack:
        tables = ManyTables(options, stack)
        pace = f"{options.rate:g} entries a second in all"
        print(f"{options.tables} tables at {options.broker}, {pace}; games and keys in {options.out}", flush=True)
        if not options.code and tables.unregistered:
            raise CompanionError(f"{tables.unregistered}; give the code that the hub shows, --code ABCD-…")
        unheard = Unheard(options.broker, options.out, tables.published, tables.publishers)
        stack.callback(unheard.stop)
        with _stopped() as stop:
            tables.run(options.seconds, stop)
            tables.settle(10, stop)
        unheard.stop()
        print(tables.summary, flush=True)
        if tables.is_refused:
            return FAILED  # each reason was told
        if tables.unregistered:
            raise CompanionError(f"{tables.unregistered}: no hub has answered at {options.broker}")
    return FINE


@contextmanager
def _stopped() -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set, so that the tables say goodbye."""
    stop = threading.Event()
    with ended_by(stop.set, signal.SIGINT, signal.SIGTERM):
        yield stop
