"""The games of the store: resume, review, export, or delete after a question. No Kivy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from companion.session.cutouts import cut_outs_of
from companion.session.session import Session
from companion.session.store import GameSummary, Store
from companion.wording.spelling import finding
from ui.menus.home import TableCard, detail, is_unplayed, local_day, stored_card, title
from ui.results.reports import RECORD, write_reports
from ui.services.background import Background
from ui.services.kept_clock import KeptClock
from ui.services.text import _, plural
from ui.shell.shell import EXPORTS, Shell


@dataclass(frozen=True, slots=True)
class PastGameView:
    """One stored game. `points` are told, and `card` shows its board, as soon as it has been read."""

    id: str
    title: str
    detail: str
    state: str
    over: bool
    chosen: bool
    points: str = ""
    card: TableCard | None = None


@dataclass(frozen=True, slots=True)
class PastView:
    """A page of games, the last message, and the open question, if any."""

    games: tuple[PastGameView, ...]
    page: str
    can_turn_back: bool
    can_turn_on: bool
    note: str
    question: str = ""
    empty: str = ""
    unplayed: int = 0
    """games in which nothing was played"""
    can_search: bool = False
    """whether there are more games than a page shows"""


class PastGames:
    """The list's state: page, words searched for, chosen game, games about to be deleted. A page shows `page_size`
    games.
    """

    def __init__(self, shell: Shell, page_size: int = 5) -> None:
        self._shell, self.page_size = shell, page_size
        self.page, self.chosen = 0, ""
        self._asked: tuple[str, ...] = ()
        self._note = ""
        self._words: tuple[str, ...] = ()
        self._players: dict[str, tuple[str, ...]] = {}
        """of the games when the words were typed: reading them takes a look at every game"""
        self._cards: dict[tuple[str, int], TableCard | None] = {}
        self._reading: Background[tuple[tuple[str, int], TableCard | None]] = Background()

    def view(self) -> PastView:
        """What the screen shows."""
        stored = self._shell.store.games()
        games = self._found(stored)
        pages = max(1, -(-len(games) // self.page_size))
        self.page = min(self.page, pages - 1)
        shown = self._on_page(games)
        asked = [game for game in stored if game.id in self._asked]
        empty = _("No game has all these words.") if stored else _("No game has been played yet.")
        return PastView(
            tuple(map(self._row, shown)),
            _("Page {page} of {pages}").format(page=self.page + 1, pages=pages) if pages > 1 else "",
            self.page > 0, self.page < pages - 1, self._note,
            self._question(asked), "" if games else empty, len(self._unplayed(stored)), len(stored) > self.page_size,
        )  # fmt: skip

    def look_up(self) -> bool:
        """Read another game of the page in the background, who has how many points and what lies on its board; False
        once all of them are read.
        """
        found = self._reading.poll()
        if found is not None:
            self._cards[found[0]] = found[1]
        missing = next(
            (key for key in map(_key, self._on_page(self._found(self._shell.store.games()))) if key not in self._cards),
            None,
        )
        if missing is not None:
            self._reading.start(partial(_read, self._shell.store, missing))
        return missing is not None or self._reading.busy

    @property
    def read(self) -> int:
        """How many games have been read."""
        return len(self._cards)

    def _on_page(self, games: Sequence[GameSummary]) -> Sequence[GameSummary]:
        return games[self.page * self.page_size :][: self.page_size]

    def search(self, text: str) -> None:
        """Show only games whose title, players or day have all the words of a text; all games for a blank one."""
        words = tuple(text.casefold().split())
        if words != self._words:
            self._words, self.page, self.chosen, self._asked, self._note = words, 0, "", (), ""
            self._players = self._shell.store.players() if words else {}

    def _found(self, games: Sequence[GameSummary]) -> Sequence[GameSummary]:
        if not self._words:
            return games
        found, sought = [], [finding(word) for word in self._words]
        for game in games:
            text = " ".join((title(game), local_day(game.created), *self._players.get(game.id, ())))
            if all(is_sought(text) for is_sought in sought):
                found.append(game)
        return found

    def turn(self, pages: int) -> None:
        """Turn pages forwards, or backwards for a negative number."""
        self.page = max(0, self.page + pages)

    def choose(self, game_id: str) -> None:
        """Choose a game; an open question about another one is dropped."""
        self.chosen, self._asked, self._note = game_id, (), ""

    def export(self) -> Path:
        """Write record and score sheets of the chosen game to a folder of its own, and show the folder's name.

        Raises CompanionError or OSError.
        """
        session = Session.open(self._shell.store, self.chosen)
        folder = self._shell.folder / EXPORTS / f"{session.created[:10]}-{session.table.game}-{session.id[:8]}"
        write_reports(session, folder)
        cut_outs_of(self._shell.folder, session.id).copy_to(folder / RECORD)
        self._note = _("Written to {folder}").format(folder=folder)
        return folder

    def ask_to_delete(self) -> None:
        """Ask whether to delete the chosen game; the open one is never deleted."""
        loop = self._shell.table_loop
        if loop is not None and loop.presenter.session.id == self.chosen:
            self._shell.leave_table()
        self._asked = (self.chosen,) if self.chosen else ()

    def ask_to_clear(self) -> None:
        """Ask whether to delete all games in which nothing was played; the open one is never deleted."""
        self.chosen, self._asked, self._note = "", self._unplayed(self._shell.store.games()), ""

    def answer(self, *, delete: bool) -> None:
        """The answer to the question."""
        if self._asked and delete:
            for game_id in self._asked:
                self._shell.store.delete(game_id)
                cut_outs_of(self._shell.folder, game_id).discard()
                KeptClock(self._shell.folder, game_id).forget()
            self.chosen, self._note = "", _("Deleted.")
        self._asked = ()

    def _question(self, asked: Sequence[GameSummary]) -> str:
        if not asked:
            return ""
        if asked[0].id != self.chosen:
            return plural(
                "Delete {count} game in which nothing was played?",
                "Delete {count} games in which nothing was played?",
                len(asked),
            ).format(count=len(asked))
        return _("Delete {game} of {day} for good?").format(game=title(asked[0]), day=local_day(asked[0].created))

    def _unplayed(self, stored: Sequence[GameSummary]) -> tuple[str, ...]:
        loop = self._shell.table_loop
        at_table = loop.presenter.session.id if loop is not None else ""
        games = (game for game in stored if is_unplayed(self._shell, game))
        return tuple(game.id for game in games if game.id != at_table)

    def _row(self, game: GameSummary) -> PastGameView:
        card, state = self._cards.get(_key(game)), _("finished") if game.over else _("not finished")
        if card is not None and game.over:
            state = card.won or _("Ended early")
        points = " · ".join(f"{name}: {_signed(points)}" for name, _colour, points in card.players) if card else ""
        return PastGameView(
            game.id, title(game), detail(self._shell, game, names=not points), state, game.over,
            game.id == self.chosen, points, card,
        )  # fmt: skip


def _signed(points: int) -> str:
    return f"–{-points}" if points < 0 else str(points)


def _key(game: GameSummary) -> tuple[str, int]:
    return game.id, game.entries


def _read(store: Store, key: tuple[str, int]) -> tuple[tuple[str, int], TableCard | None]:
    return key, stored_card(store, key[0])
