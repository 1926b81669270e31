"""The games of a table that no hub is known to have whole: which they are, and which of their entries are due."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from companion.errors import DamagedDatabase, InvalidDocument, NoSuchGame, StoreError
from companion.publishing.kept import KeptPublishing
from companion.publishing.messages import HEADER, NOTHING, GameNumber, Gap
from companion.session.log import Log

STALLED = 15.0
"""seconds without an acknowledgement after which entries are sent again"""
WINDOW = 50
"""entries of a game that may be on their way"""
MOST_WANTED = 200
"""entries that wait to be sent again because a hub asked"""
MOST_BACKLOG = 20
"""games that are published at the same time"""
KEEP_PAUSE = 1.0
"""seconds after which what was acknowledged is written down: lost, it is only told once more"""

ReadGame = Callable[[str], Log | None]
"""The log of a game by its id; None or NoSuchGame where there is none any more. Raises StoreError, InvalidDocument."""


class Backlog:
    """`open`, `begin` and what only asks may be called from any thread, everything else is for the one that has the
    connection. `now` is in monotonic seconds.
    """

    def __init__(self, table: str, kept: KeptPublishing, read_game: ReadGame) -> None:
        self._table, self._kept, self._read_game = table, kept, read_game
        self._acknowledged = kept.games(table)
        """the games that are published, in the order in which they were begun"""
        self._waiting = dict[str, int]()
        """those that are too many to be published at the same time"""
        self._unkept = dict[str, int]()
        self._kept_at = float("-inf")
        self._lock = threading.Lock()
        """over these"""
        self._open: Log | None = None
        self._followed = ""
        """the game that was open when it was followed last"""
        self._logs: dict[str, Log] = {}
        self.forget_sent()

    @property
    def games(self) -> dict[str, int]:
        """The games that are published, in the order in which they were begun: id -> what is acknowledged."""
        with self._lock:
            return dict(self._acknowledged)

    @property
    def behind(self) -> int:
        """How many entries no hub has acknowledged, as far as the games are at hand."""
        return max(0, sum(self._latest(game) - number for game, number in self.games.items()))

    @property
    def numbers(self) -> tuple[GameNumber, ...]:
        """The games that are published, each with the number of its latest entry; -1 for one that is not at hand."""
        return tuple(GameNumber(game, self._latest(game)) for game in self.games)

    def open(self, log: Log | None) -> None:
        """This is the table's open game from now on, as it stands."""
        self._open = log

    def begin(self) -> None:
        """Publish the open game; it is told even if it gives way to another one before there is a connection."""
        if self._open is None:
            return
        game = self._open.header.id
        with self._lock:
            if game in self._acknowledged:
                return
            is_new = game not in self._waiting
            self._acknowledged[game] = self._waiting.pop(game, NOTHING)
        if is_new:
            try:
                self._kept.begin(self._table, game)
            except StoreError:
                self._unkept.setdefault(game, NOTHING)

    def tell_again(self) -> None:
        """Publish all games again that have arrived: perhaps with a hub that has nothing of them. Raises StoreError."""
        self._kept.tell_again(self._table)
        kept = self._kept.games(self._table)
        with self._lock:
            self._waiting = {game: number for game, number in kept.items() if game not in self._acknowledged}

    def acknowledge(self, told: Iterable[GameNumber]) -> None:
        """A hub has all up to these numbers, which may be lower than before; it is believed as far as there is more."""
        for each in told:
            number = min(each.number, self._latest(each.game))
            with self._lock:
                if self._acknowledged.get(each.game, number) == number:
                    continue
                self._acknowledged[each.game] = self._unkept[each.game] = number
            self._progress_at.pop(each.game, None)

    def want(self, gap: Gap) -> None:
        """A hub asks for entries once more."""
        if gap.game not in self.games:
            return
        numbers = range(gap.first, min(gap.last, self._latest(gap.game)) + 1)
        for number in numbers[: max(0, MOST_WANTED - len(self._wanted))]:
            if (gap.game, number) not in self._wanted:
                self._wanted.append((gap.game, number))

    def forget_sent(self) -> None:
        """A new connection begins: nothing is on its way."""
        self._sent, self._progress_at = dict[str, int](), dict[str, float]()
        self._wanted = deque[tuple[str, int]]()

    def follow(self) -> bool:
        """Take up the open game as it stands, and leave those of which all has arrived or that are no more; whether
        others had their turn for that. Raises StoreError.

        A game that has given way is read once more: since it was followed last it may have gone on.
        """
        log, games = self._open, self.games
        current = log.header.id if log is not None else ""
        if self._followed != current:
            if self._followed in games and (gone_on := self._read(self._followed)) is not None:
                self._logs[self._followed] = gone_on
            self._followed = current
        if log is not None and current in games:
            self._logs[current] = log
        for game, acknowledged in games.items():
            if game == current:
                continue
            if game not in self._logs and (found := self._read(game)) is not None:
                self._logs[game] = found
            if game not in self._logs or acknowledged >= self._latest(game):
                self._leave(game)
        return self._take_turns(current)

    def _leave(self, game: str) -> None:
        leave = self._kept.forget if self._logs.pop(game, None) is None else self._kept.arrive
        with self._lock:
            for noted in (self._acknowledged, self._unkept):
                noted.pop(game, None)
        self._sent.pop(game, None)
        self._progress_at.pop(game, None)
        leave(self._table, game)

    def _take_turns(self, current: str) -> bool:
        with self._lock:
            while len(self._acknowledged) > MOST_BACKLOG:
                oldest = next(game for game in self._acknowledged if game != current)
                self._waiting[oldest] = self._acknowledged.pop(oldest)
                self._logs.pop(oldest, None)
            had_turns = False
            while self._waiting and len(self._acknowledged) < MOST_BACKLOG:
                game = next(iter(self._waiting))
                self._acknowledged[game] = self._waiting.pop(game)
                had_turns = True
            return had_turns

    def keep(self, now: float | None = None) -> None:
        """Write down what was acknowledged; with `now` only where that was not done a moment ago. Raises StoreError."""
        if not self._unkept or (now is not None and now < self._kept_at + KEEP_PAUSE):
            return
        self._kept_at = self._kept_at if now is None else now
        with self._lock:
            unkept, self._unkept = self._unkept, {}
        try:
            self._kept.acknowledge(self._table, unkept)
        except StoreError:
            with self._lock:
                self._unkept = unkept | self._unkept
            raise

    def due(self, now: float) -> Iterator[tuple[Log, int]]:
        """The entries that are to be sent now, each by its game's log and its number."""
        while self._wanted:
            wanted, number = self._wanted.popleft()
            if (found := self._logs.get(wanted)) is not None and number <= len(found.entries):
                yield found, number
        for game, acknowledged in self.games.items():
            log = self._logs.get(game)
            if log is not None:
                yield from self._due_of(game, log, acknowledged, now)

    def _due_of(self, game: str, log: Log, acknowledged: int, now: float) -> Iterator[tuple[Log, int]]:
        sent = max(self._sent.get(game, NOTHING), acknowledged)
        if sent > acknowledged and now >= self._progress_at.setdefault(game, now) + STALLED:
            sent = acknowledged
            self._progress_at[game] = now
        for number in range(max(HEADER, sent + 1), min(len(log.entries), acknowledged + WINDOW) + 1):
            self._sent[game] = number
            self._progress_at.setdefault(game, now)
            yield log, number

    def _read(self, game: str) -> Log | None:
        try:
            return self._read_game(game)
        except (NoSuchGame, DamagedDatabase, InvalidDocument):
            return None

    def _latest(self, game: str) -> int:
        """The number of a game's latest entry; -1 for a game that is not at hand."""
        log = self._open
        if log is None or log.header.id != game:
            log = self._logs.get(game)
        return NOTHING if log is None else len(log.entries)
