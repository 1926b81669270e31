"""A damaged database of games: what is brought back of it, and whether something else is, of which nobody is told."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.figures import Figure
from companion.errors import CompanionError
from companion.registry import GAMES, usual_table
from companion.session.entries import Entry, LostEntry
from companion.session.salvage import open_store
from companion.session.session import Session
from companion.session.store import Store

DAMAGES = int(os.environ.get("COMPANION_DAMAGES", "20"))
"""of each kind"""
SEATS, ENTRIES = 3, 40
HEAD = 100
"""bytes of the header of a database"""
Pages = list[bytes]
What = tuple[Any, ...]
"""what an entry says that was done: seat, action and events"""
Games = dict[str, list[What]]


def measure() -> Iterator[Figure]:
    """What remains after each kind of damage, of the games and of their entries."""
    with tempfile.TemporaryDirectory() as name:
        sound = Path(name) / "sound"
        sound.mkdir()
        games = _fill(sound / "games.sqlite3")
        data = (sound / "games.sqlite3").read_bytes()
        size = int.from_bytes(data[16:18], "big")
        pages = [data[at : at + size] for at in range(0, len(data), size)]
        count = sum(map(len, games.values()))
        for kind, damage in KINDS.items():
            opened, kept, silent, refused = 0, 0, 0, []
            for seed in range(DAMAGES):
                folder = Path(name) / f"{kind} {seed}"
                shutil.copytree(sound, folder)
                (folder / "games.sqlite3").write_bytes(damage(pages, Random(f"{kind} {seed}")))
                try:
                    found = _opened(folder / "games.sqlite3")
                except CompanionError as error:
                    refused.append(str(error))
                    continue
                finally:
                    shutil.rmtree(folder)
                opened += len(found)
                for game_id, (entries, is_told) in found.items():
                    right = sum(what in games[game_id][number - 1 : number] for number, what in entries.items())
                    kept, silent = kept + right, silent + (0 if is_told else len(entries) - right)
            note = f"{100 * opened / DAMAGES / len(games):.0f} % of games open; {count} entries in {len(pages)} pages"
            yield Figure(f"{kind}: entries brought back", 100 * kept / DAMAGES / count, "%", count=DAMAGES, note=note)
            yield Figure(f"{kind}: entries changed without a word", silent, "", 0, count=DAMAGES * count)
            yield Figure(
                f"{kind}: databases not opened", len(refused), "", 0, count=DAMAGES, note="; ".join(refused[:1])
            )


def _fill(path: Path) -> Games:
    """Begin a game of each kind twice in a database, and play it at random."""
    games = {}
    with Store(path) as store:
        for number, game_id in enumerate([*GAMES, *GAMES]):
            random = Random(number)
            session = Session.create(store, usual_table(game_id, SEATS))
            while len(session.entries) < ENTRIES and (legal := session.legal_actions()):
                session.submit(random.choice(legal))
            games[session.log.header.id] = [_what(entry) for entry in session.entries]
    return games


def _opened(path: Path) -> dict[str, tuple[dict[int, What], bool]]:
    """The games that open, each with what its entries say that are not lost, by number, and whether the table is told
    that something of the game is lost or does not agree.

    Raises StoreError.
    """
    store, _notices = open_store(path)
    found = {}
    with store:
        for summary in store.games():
            try:
                session = Session.open(store, summary.id)
            except CompanionError:
                continue
            there = [entry for entry in session.entries if not isinstance(entry, LostEntry)]
            is_told = bool(session.doubtful) or len(there) < len(session.entries)
            found[summary.id] = {entry.number: _what(entry) for entry in there}, is_told
    return found


def _what(entry: Entry) -> What:
    return entry.seat, entry.action, entry.events


def _head(pages: Pages, random: Random) -> bytes:
    data = bytearray(b"".join(pages))
    for _ in range(random.randrange(1, 30)):
        data[random.randrange(HEAD)] = random.randrange(256)
    return bytes(data)


def _cut(pages: Pages, random: Random) -> bytes:
    data = b"".join(pages)
    return data[: random.randrange(len(data))]


def _swapped(pages: Pages, random: Random) -> bytes:
    pages = list(pages)
    one, other = random.sample(range(1, len(pages)), 2)
    pages[one], pages[other] = pages[other], pages[one]
    return b"".join(pages)


def _copied(pages: Pages, random: Random) -> bytes:
    pages = list(pages)
    one, other = random.sample(range(1, len(pages)), 2)
    pages[one] = pages[other]
    return b"".join(pages)


def _overwritten(pages: Pages, random: Random) -> bytes:
    pages = list(pages)
    one = random.randrange(1, len(pages))
    pages[one] = random.choice((bytes(len(pages[one])), random.randbytes(len(pages[one]))))
    return b"".join(pages)


def _turned(pages: Pages, random: Random) -> bytes:
    data = bytearray(b"".join(pages))
    for _ in range(random.randrange(1, 20)):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return bytes(data)


def _shifted(pages: Pages, random: Random) -> bytes:
    data = b"".join(pages)
    at, lost = random.randrange(len(data)), random.randrange(1, 5000)
    return data[:at] + random.choice((random.randbytes(lost) + data[at:], data[at + lost :]))


KINDS: dict[str, Callable[[Pages, Random], bytes]] = {
    "bytes of the file's header changed": _head,
    "cut short anywhere": _cut,
    "two pages exchanged": _swapped,
    "a page in another one's place": _copied,
    "a page overwritten": _overwritten,
    "1 to 19 bits turned": _turned,
    "bytes put in or taken out": _shifted,
}
