"""What a damaged database still holds: the other games, and of a damaged game every entry that can be kept.

A damaged entry costs itself and those that cannot have happened without it. The log says which they are (`LostEntry`),
and the database is kept aside as it was found, before anything is written.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.errors import DamagedDatabase, InvalidDocument, SessionError, StoreError, UnreadableGame
from companion.files.documents import parse_json
from companion.registry import known_games
from companion.session.acknowledged import AcknowledgedEntries, Shortfall
from companion.session.entries import LostEntry
from companion.session.first_page import has_header, replace_first_page
from companion.session.game_names import listed, log_name, named, stored_name, title_of, told_numbers
from companion.session.header_salvage import is_damaged, reconstructed, told_players
from companion.session.log import IMPOSSIBLE, Header, Log, begin, check_position
from companion.session.page_scan import scattered_entries, scattered_games
from companion.session.record import appended, header_from
from companion.session.store import Store
from companion.session.stored_lines import (
    DAMAGE,
    StoredGame,
    games_of_entries,
    stored_entries,
    stored_game,
    stored_games,
)
from companion.wording.sentences import Sentence, sentence

_PARTS = ("", "-wal", "-shm")
"""endings of the files that make a database"""
_HEAD = 100
"""bytes of the header of a database: the size of a page from byte 16 on, the number of pages from byte 28 on"""
_MOST_MISSING = 2**28
"""bytes that a file which was cut short may lack; a header that counts more pages is taken to be damaged itself"""
_MOST_GUESSED = 10
"""games of which nothing says what they are that are put together again; each takes some two seconds"""
IMPOSSIBLE_WITHOUT = "cannot have happened without what is missing"
"""how the reason begins why an entry is lost that could be read"""


@dataclass(frozen=True, slots=True)
class LostGame:
    """A game that cannot be read, and what is known of it: what, whose and when it was, how many entries it had."""

    id: str
    title: str
    players: tuple[str, ...]
    begun: str
    entries: int


@dataclass(frozen=True, slots=True)
class Salvage:
    """What was brought back of a damaged database, which is kept as it was found in `kept_aside`."""

    kept_aside: Path
    games: int
    lost_games: tuple[LostGame, ...]
    lost_entries: int
    """how many entries the games that open lack, as far as that is known"""
    incomplete: tuple[str, ...] = ()
    """the names of the games that open but lack entries"""

    @property
    def notice(self) -> Sentence:
        """The same for people."""
        file = self.kept_aside.name
        if self.games:
            return sentence(
                "The database of games was damaged. Games that open: {games}; games lost: {lost}; entries lost from "
                "games that open: {entries}. The damaged database is kept as {file}.",
                games=self.games, lost=self._told_lost(), entries=self._told_entries(), file=file,
            )  # fmt: skip
        if self.lost_games:
            return sentence(
                "The database of games was damaged, and no game could be read. Games lost: {lost}. A new database was "
                "begun; the damaged one is kept as {file}.",
                lost=self._told_lost(), file=file,
            )  # fmt: skip
        return sentence(
            "The database of games was damaged, and no game was found in it. A new one was begun; the damaged one is "
            "kept as {file}.",
            file=file,
        )

    def _told_lost(self) -> str:
        """How many games are lost, with how many entries and whose they were where that is known."""
        count, entries = len(self.lost_games), sum(game.entries for game in self.lost_games)
        known = [named(game.title, game.players, game.begun) for game in self.lost_games if game.title]
        if known:
            return sentence("{count} (entries: {entries}): {games}", count=count, entries=entries, games=listed(known))
        return sentence("{count} (entries: {entries})", count=count, entries=entries) if entries else str(count)

    def _told_entries(self) -> str:
        """How many entries are lost of games that open, and of which."""
        if not self.incomplete:
            return str(self.lost_entries)
        return sentence("{count}, of {games}", count=self.lost_entries, games=listed(self.incomplete))


def open_store(path: Path) -> tuple[Store, tuple[Sentence, ...]]:
    """The database at `path`, and what people must know about it.

    Where it is damaged it is kept aside, and what can be read of it is taken into a new one. Raises StoreError.
    """
    notices: list[Sentence] = []
    lost: set[str] = set()
    is_salvaged = False
    try:
        store = Store(path)
    except DamagedDatabase:
        salvage = salvaged_database(path)
        notices.append(salvage.notice)
        lost, is_salvaged = {game.id for game in salvage.lost_games}, True
        store = Store(path)
    shortfalls = [each for each in store.shortfalls if each.game_id not in lost]
    notices += _shortfall_notices(store, shortfalls, is_salvaged=is_salvaged)
    store.accept_shortfalls()
    notices += _mended_games(store)
    return store, tuple(notices)


def _shortfall_notices(store: Store, shortfalls: Sequence[Shortfall], *, is_salvaged: bool) -> Iterator[Sentence]:
    """One notice of all games that are gone, and one of all that lack their latest entries.

    Where the database itself was damaged, that is why, and a notice of its own has told it.
    """
    gone = [each for each in shortfalls if each.kept is None]
    if gone:
        yield sentence(
            "Games missing from the database: {count} (entries: {acknowledged}). If {file} or a file next to it was "
            "moved, bring it back.",
            count=len(gone), acknowledged=sum(each.acknowledged for each in gone), file=store.path.name,
        )  # fmt: skip
    cut = [each for each in shortfalls if each.kept is not None]
    if not cut:
        return
    games = listed([_game_named(store, each.game_id) for each in cut])
    acknowledged = sum(each.acknowledged for each in cut)
    kept = sum(each.kept for each in cut if each.kept is not None)
    if is_salvaged:
        yield sentence(
            "The latest entries are gone of {games} (recorded: {acknowledged}, left: {kept}). Look at the table "
            "and record what is missing.",
            games=games, acknowledged=acknowledged, kept=kept,
        )  # fmt: skip
    else:
        yield sentence(
            "The latest entries are gone of {games} (recorded: {acknowledged}, left: {kept}). {file} was "
            "changed, or a file beside it was lost. Look at the table and record what is missing.",
            games=games, acknowledged=acknowledged, kept=kept, file=store.path.name,
        )  # fmt: skip


def _game_named(store: Store, game_id: str) -> str:
    return stored_name(store.lines(game_id)[0])


def _mended_games(store: Store) -> Iterator[Sentence]:
    """Mend the games with entries that are plainly damaged, and say so.

    In a database that is as it was left, such a game is mended where it is opened.
    """
    damaged: tuple[str, ...] = ()
    with suppress(StoreError):
        damaged = store.games_with_damaged_entries() if store.was_read_whole else ()
    for game_id in damaged:
        try:
            store.header(game_id)
            yield mended_game(store, game_id)[1]
        except UnreadableGame as error:
            yield error.notice
        except StoreError:  # told where the game is opened
            pass


def mended_game(store: Store, game_id: str) -> tuple[Log, Sentence]:
    """A game without its damaged entries, its header put together again if need be.

    The database before the change is kept aside; the store keeps the notice until the game's table has taken it.

    Raises UnreadableGame where too little remains of the header, which leaves the game in the copy only, StoreError
    where the disk is full.
    """
    stored, lines = store.lines(game_id)
    source = f"{store.path}: game {game_id}"
    try:
        log, is_reconstructed = _mended(stored, lines, source), False
    except InvalidDocument as error:
        if not is_damaged(stored):
            raise DamagedDatabase(f"{error}; the database is damaged") from error
        found = reconstructed(stored, lines, partial(salvaged_log, source=source))
        if found is None:
            aside = _free_name(store.path)
            store.copy_to(aside)
            store.delete(game_id)
            why = f"{error}; the game cannot be put together again from what remains, and is kept in {aside.name} only"
            unreadable = UnreadableGame(why, _unreadable_notice(stored, aside))
            store.keep_notice(game_id, unreadable.notice)
            raise unreadable from error
        log, is_reconstructed = found, True
    aside = _free_name(store.path)
    store.copy_to(aside)
    store.replace(log)
    named = _game_named(store, game_id)
    notice = _reconstructed_notice(named, aside) if is_reconstructed else _mended_notice(named, _lost(log), aside)
    store.keep_notice(game_id, notice)
    return log, notice


def _unreadable_notice(stored: StoredGame, aside: Path) -> Sentence:
    return sentence(
        "{game} can be read no more: the database was damaged, and too little of the game remains. It is kept in "
        "{file} only.",
        game=stored_name(stored), file=aside.name,
    )  # fmt: skip


def _mended_notice(game: str, lost: Sequence[int], aside: Path) -> Sentence:
    if lost:
        return _lost_notice(game, lost, aside)
    return sentence(
        "Entries of {game} stood in wrong places of the database and were put right; none is lost. The damaged "
        "database is kept as {file}.",
        game=game, file=aside.name,
    )  # fmt: skip


def _reconstructed_notice(game: str, aside: Path) -> Sentence:
    return sentence(
        "The header of {game} could not be read; it was put together again from what remains. Check players, "
        "colours and rulings. The damaged database is kept as {file}.",
        game=game, file=aside.name,
    )  # fmt: skip


def _lost_notice(game: str, numbers: Sequence[int], aside: Path) -> Sentence:
    if len(numbers) == 1:
        return sentence(
            "Entry {number} of {game} is lost: the database was damaged. Hands and stocks may differ from the table; "
            "correct them in the history. The damaged database is kept as {file}.",
            number=numbers[0], game=game, file=aside.name,
        )  # fmt: skip
    return sentence(
        "Entries {numbers} of {game} are lost: the database was damaged. Hands and stocks may differ from the table; "
        "correct them in the history. The damaged database is kept as {file}.",
        numbers=told_numbers(numbers), game=game, file=aside.name,
    )  # fmt: skip


def _mended(stored: StoredGame, lines: Mapping[int, str | None], source: str) -> Log:
    """The log of a game under its own header. Raises InvalidDocument where that is damaged."""
    header = header_from(parse_json(stored.header, source, "header"))
    if header.id != stored.id:
        raise InvalidDocument(source, "header.id", f"is {header.id!r}")
    return salvaged_log(header, lines, source)


def salvaged_log(header: Header, lines: Mapping[int, str | None], source: str) -> Log:
    """The log of stored lines (number -> line, None where it cannot be read), a lost one for each that cannot be kept.

    Raises InvalidDocument where the header's start is no position of the game.
    """
    log = begin(header, source)
    time = header.created
    for number in range(1, max(lines, default=0) + 1):
        line, reason = lines.get(number), "cannot be read"
        if line is not None:
            try:
                followed = appended(log, parse_json(line, source, f"entry {number}"))
                if followed.point is not log.point:
                    check_position(followed.game, followed.state)
            except (InvalidDocument, SessionError, *IMPOSSIBLE) as error:
                reason = _reason(error)
            else:
                log, time = followed, followed.entries[-1].time
                continue
        log = log.append(LostEntry(number=number, time=time, reason=reason))
    return log


def _reason(error: Exception) -> str:
    if isinstance(error, InvalidDocument) and not isinstance(error.__cause__, SessionError):
        return f"does not hold: {error.entry}: {error.reason}"[:300]
    return f"{IMPOSSIBLE_WITHOUT}: {error.__cause__ or error}"[:300]


def salvaged_database(path: Path) -> Salvage:
    """Take what can be read of a damaged database into a new one in its place; the damaged files are kept aside.

    Raises StoreError where the folder cannot be written.
    """
    try:
        with TemporaryDirectory(prefix="salvage-", dir=path.parent) as folder:
            damaged, mended = Path(folder) / "damaged.sqlite3", Path(folder) / "mended.sqlite3"
            for part in _PARTS:
                if path.with_name(path.name + part).exists():
                    shutil.copyfile(path.with_name(path.name + part), damaged.with_name(damaged.name + part))
            acknowledged = AcknowledgedEntries(path).numbers()
            logs, lost_games = _found(damaged, acknowledged)
            with Store(mended) as store:
                for log in logs:
                    store.create(log)
            aside = _free_name(path)
            for part in _PARTS:
                if path.with_name(path.name + part).exists():
                    path.with_name(path.name + part).replace(aside.with_name(aside.name + part))
            mended.replace(path)
    except OSError as error:
        raise StoreError(f"{path}: the database is damaged and cannot be mended ({error.strerror or error})") from error
    missing = {
        log.header.id: len(_lost(log)) + max(0, acknowledged.get(log.header.id, 0) - len(log.entries)) for log in logs
    }
    incomplete = tuple(log_name(log) for log in logs if missing[log.header.id])
    return Salvage(aside, len(logs), lost_games, sum(missing.values()), incomplete)


def _found(path: Path, acknowledged: Mapping[str, int]) -> tuple[list[Log], tuple[LostGame, ...]]:
    """What can be read of a damaged database, which is changed for that, with another first page if need be."""
    if has_header(path):
        _fill_up(path)
        found = _readable(path, acknowledged)
        if found[0]:
            return found
    replace_first_page(path)
    return _readable(path, acknowledged)


def _fill_up(path: Path) -> None:
    """Add the pages that a database's header counts and its file lacks, empty: without them SQLite reads none of it."""
    with path.open("r+b") as file:
        head = file.read(_HEAD)
        page, count = int.from_bytes(head[16:18], "big"), int.from_bytes(head[28:32], "big")
        if path.stat().st_size < page * count <= path.stat().st_size + _MOST_MISSING:
            file.truncate(page * count)


def _readable(path: Path, acknowledged: Mapping[str, int]) -> tuple[list[Log], tuple[LostGame, ...]]:
    """The logs that can be read of a damaged database, and the games that cannot."""
    logs, lost_games = [], []
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        with suppress(*DAMAGE):
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        game_ids = tuple(dict.fromkeys((*stored_games(connection), *games_of_entries(connection), *acknowledged)))
        scattered, rows = scattered_entries(path, game_ids), scattered_games(path, game_ids)
        guesses = iter(range(_MOST_GUESSED))
        for game_id in game_ids:
            stored, source = stored_game(connection, game_id), str(path)
            lines = stored_entries(connection, game_id, acknowledged.get(game_id, 0))
            lines |= {number: line for number, line in scattered[game_id].items() if lines.get(number) is None}
            lines = _without_missing_end(lines)
            try:
                logs.append(_mended(stored, lines, source))
            except InvalidDocument:
                log = _put_together(rows.get(game_id, stored), lines, source, guesses)
                if log is None:
                    entries = max(acknowledged.get(game_id, 0), sum(line is not None for line in lines.values()))
                    title, players = title_of(stored.game), told_players(stored)
                    lost_games.append(LostGame(game_id, title, players, stored.created, entries))
                else:
                    logs.append(log)
    return logs, tuple(lost_games)


def _put_together(
    stored: StoredGame, lines: Mapping[int, str | None], source: str, guesses: Iterator[int]
) -> Log | None:
    """The log of a game with a damaged row, or with one that was found in another place; of a game of which nothing
    says what it is, that of the only one by whose rules its entries can have happened. None where too little remains.

    Each game that is guessed takes one of `guesses`, which may run out.
    """
    with suppress(InvalidDocument):
        return _mended(stored, lines, source)
    replay = partial(salvaged_log, source=source)
    if stored.game in known_games():
        return reconstructed(stored, lines, replay)
    if not any(lines.values()) or next(guesses, None) is None:
        return None
    possible = (replace(stored, game=game, created="", header="") for game in known_games())
    found = [log for each in possible if (log := reconstructed(each, lines, replay)) is not None]
    return found[0] if len(found) == 1 else None


def _without_missing_end(lines: dict[int, str | None]) -> dict[int, str | None]:
    """Without the unreadable entries after the last that can be read: nobody knows whether there were any."""
    latest = max((number for number, line in lines.items() if line is not None), default=0)
    return {number: line for number, line in lines.items() if number <= latest}


def _lost(log: Log) -> list[int]:
    return [entry.number for entry in log.entries if isinstance(entry, LostEntry)]


def _free_name(path: Path) -> Path:
    """A name next to the database that no file has yet, with the time of the damage."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    names = (f"{path.stem}-damaged-{stamp}{more}{path.suffix}" for more in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(each for name in names if not (each := path.with_name(name)).exists())
