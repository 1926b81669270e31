"""What the start screen offers: unfinished games to resume, a rematch, and a new game. No Kivy."""

from __future__ import annotations

from datetime import datetime

from companion.errors import StoreError
from companion.files.documents import shown
from companion.registry import GAMES, known_games, load_game
from companion.session.store import GameSummary
from companion.table import Table
from ui.services.text import _, plural
from ui.shell.shell import Shell
from ui.view_models.play_view import OfferView

CONTINUE, AGAIN, NEW = "continue", "again", "new"
MOST_UNFINISHED = 2


def home_offers(shell: Shell) -> tuple[OfferView, ...]:
    """Offers in this order: unfinished games (the open one, then the latest), the latest game once more, a new game.

    Games in which nothing was played come last.
    """
    games = shell.store.games()
    at_table = shell.table_loop.presenter.session.id if shell.table_loop is not None else ""
    forgotten = {game.id for game in games[1:] if game.id != at_table and is_unplayed(shell, game)}
    unfinished = sorted(
        (game for game in games if not game.over), key=lambda game: (game.id != at_table, game.id in forgotten)
    )
    begun = [
        (
            game.id in forgotten,
            OfferView(f"{CONTINUE} {game.id}", _("Go on: {game}").format(game=title(game)), detail(shell, game)),
        )
        for game in unfinished[:MOST_UNFINISHED]
    ]
    offers = [offer for is_forgotten, offer in begun if not is_forgotten]
    latest = next((game for game in games if _table(shell, game) is not None), None)
    if latest is not None:
        names = _names(_table(shell, latest))
        offers.append(OfferView(f"{AGAIN} {latest.id}", _("Again: {game}").format(game=title(latest)), names))
    offers.append(OfferView(NEW, _("New game"), ", ".join(load_game(game).info.title for game in GAMES)))
    return (*offers, *(offer for is_forgotten, offer in begun if is_forgotten))


def is_unplayed(shell: Shell, game: GameSummary) -> bool:
    """Whether a game was only set up: nothing was played, and it was not joined under way."""
    if game.over or game.entries:
        return False
    try:
        return shell.store.header(game.id).start is None
    except StoreError:
        return False


def title(game: GameSummary) -> str:
    """The title of a stored game; its id if this program does not know the game."""
    return load_game(game.game).info.title if game.game in known_games() else shown(game.game)


def detail(shell: Shell, game: GameSummary) -> str:
    """The players, the start and the progress of a stored game; without names if it cannot be read."""
    entries = plural("{count} entry", "{count} entries", game.entries).format(count=game.entries)
    return f"{_names(_table(shell, game))} · {local_day(game.created)} · {entries}"


def local_day(time: str) -> str:
    """A day and an hour as people here write them, from a time in UTC."""
    try:
        moment = datetime.fromisoformat(time).astimezone()
    except ValueError:
        return shown(time)
    return _("{day}/{month}/{year} {hour}").format(
        day=moment.day, month=moment.month, year=moment.year, hour=f"{moment:%H:%M}"
    )


def _table(shell: Shell, game: GameSummary) -> Table | None:
    """The header of a stored game; None if it is damaged or of a later version, so that it does not hide the others."""
    try:
        return shell.store.header(game.id).table
    except StoreError:
        return None


def _names(table: Table | None) -> str:
    return ", ".join(player.name for player in table.players) if table is not None else _("cannot be read")
