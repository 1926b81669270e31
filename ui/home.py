"""What the start screen offers: the games that can be gone on with, and a way to a new one. No Kivy."""

from __future__ import annotations

from datetime import datetime

from companion.registry import GAMES, load_game
from companion.session.store import GameSummary
from companion.table import Table
from ui.shell import Shell
from ui.text import _, plural
from ui.viewmodels import OfferView

CONTINUE, AGAIN, NEW = "continue", "again", "new"
MOST_UNFINISHED = 2


def home_offers(shell: Shell) -> tuple[OfferView, ...]:
    """Unfinished games, the latest first; the latest game once more with the same people; a new one."""
    games = shell.store.games()
    offers = [
        OfferView(f"{CONTINUE} {game.id}", _("Go on: {game}").format(game=title(game)), detail(shell, game))
        for game in [game for game in games if not game.over][:MOST_UNFINISHED]
    ]
    if games:
        latest = games[0]
        names = _names(shell.store.header(latest.id).table)
        offers.append(OfferView(f"{AGAIN} {latest.id}", _("Again: {game}").format(game=title(latest)), names))
    offers.append(OfferView(NEW, _("New game"), ", ".join(load_game(game).info.title for game in GAMES)))
    return tuple(offers)


def title(game: GameSummary) -> str:
    """What a stored game is called."""
    return load_game(game.game).info.title


def detail(shell: Shell, game: GameSummary) -> str:
    """Who plays since when, and how far they are."""
    entries = plural("{count} entry", "{count} entries", game.entries).format(count=game.entries)
    return f"{_names(shell.store.header(game.id).table)} · {local_day(game.created)} · {entries}"


def local_day(time: str) -> str:
    """A day and an hour as people here write them, from a time in UTC."""
    moment = datetime.fromisoformat(time).astimezone()
    return _("{day}/{month}/{year} {hour}").format(
        day=moment.day, month=moment.month, year=moment.year, hour=f"{moment:%H:%M}"
    )


def _names(table: Table) -> str:
    return ", ".join(player.name for player in table.players)
