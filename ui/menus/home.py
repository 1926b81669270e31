"""What the start screen offers: unfinished games to resume, a rematch, and a new game. No Kivy."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import takewhile

from companion.board.layout import Board
from companion.errors import CompanionError, StoreError
from companion.files.documents import shown
from companion.publishing.status import PublishingStatus
from companion.registry import GAMES, known_games, load_game
from companion.session.entries import DetailEntry
from companion.session.session import Session
from companion.session.store import GameSummary, Store
from companion.table import Table
from ui.printed.edition import Picture
from ui.printed.thumbnails import board_thumbnail
from ui.services.text import _, plural, translated_texts
from ui.shell.shell import Shell
from ui.table.score_sheet import compose_score
from ui.view_models.play_view import OfferView

CONTINUE, MORE, AGAIN, NEW, ASSIGNED = "continue", "more", "again", "new", "assigned"
MOST_UNFINISHED, WEEK = 2, 7


def home_offers(shell: Shell) -> tuple[OfferView, ...]:
    """Offers in this order: unfinished games (the open one, then the latest), how many more are under way, the latest
    finished game once more, a new game.

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
    more = sum(game.id not in forgotten for game in unfinished[MOST_UNFINISHED:])
    if more:
        told = plural("{count} more under way", "{count} more under way", more).format(count=more)
        offers.append(OfferView(MORE, told))
    latest = next((game for game in games if game.over and _table(shell, game) is not None), None)
    if latest is not None:
        names = _names(_table(shell, latest))
        offers.append(OfferView(f"{AGAIN} {latest.id}", _("Again: {game}").format(game=title(latest)), names))
    offers.append(OfferView(NEW, _("New game"), ", ".join(load_game(game).info.title for game in GAMES)))
    return (*offers, *(offer for is_forgotten, offer in begun if is_forgotten))


def assigned_offer(shell: Shell) -> OfferView | None:
    """What the event of an organiser has this table play next; None for nothing, or where it was begun already: a game
    of these people since the table heard of this round. The same people may meet again in a later one.
    """
    status = shell.publishing.view.status if shell.publishing is not None else PublishingStatus()
    assignment = status.assignment
    if assignment is None or assignment.game not in GAMES:
        return None
    names = tuple(each.player for each in assignment.seats)
    games = shell.store.games()
    since = (
        tuple(takewhile(lambda game: game.created >= status.assigned_at, games)) if status.assigned_at else games[:1]
    )
    tables = (_table(shell, game) for game in since if game.game == assignment.game)
    if any(table is not None and tuple(each.name for each in table.players) == names for table in tables):
        return None
    told = _("Play now · {event}, round {round}: {names}").format(
        event=assignment.event, round=assignment.round, names=", ".join(names)
    )
    return OfferView(f"{ASSIGNED} {assignment.game}", told, load_game(assignment.game).info.title)


@dataclass(frozen=True, slots=True)
class TableCard:
    """A stored game to look at: its board as it lies, and who has won how many points so far, the first in front.

    `winners` are the names of who has won; none where nobody has.
    """

    title: str
    when: str
    board: Board
    look: Mapping[str, str]
    players: tuple[tuple[str, str, int], ...]
    """(name, colour, points)"""
    winners: tuple[str, ...] = ()

    @property
    def won(self) -> str:
        """Who has won, in a few words; "" where nobody has."""
        if not self.winners:
            return ""
        names = ", ".join(self.winners)
        return plural("{names} won", "{names} won together", len(self.winners)).format(names=names)

    @property
    def points(self) -> str:
        """Who has how many points, in one line."""
        return " · ".join(f"{name}: {points}" for name, _colour, points in self.players)

    def picture(self, width: int) -> tuple[Hashable, Callable[[], Picture]]:
        """What tells the picture of the board from others, and what makes it `width` pixels wide."""
        key = self.board.digest, width, hash(frozenset(self.look.items()))
        return key, partial(board_thumbnail, self.board, self.look, width)


def table_card(shell: Shell, game_id: str) -> TableCard | None:
    """A stored game to look at; None where it cannot be read."""
    loop = shell.table_loop
    if loop is not None and loop.presenter.session.id == game_id:
        return _card_of(loop.presenter.session)
    return stored_card(shell.store, game_id)


def stored_card(store: Store, game_id: str) -> TableCard | None:
    """The same from the database alone, on any thread."""
    try:
        return _card_of(Session.open(store, game_id))
    except CompanionError:
        return None


def _card_of(session: Session) -> TableCard:
    texts, sheet = translated_texts(session.game.info.id), session.scores().won
    score = compose_score(session.game, session.state, texts, session.record_status, sheet)
    colours = {seat: player.colour for seat, player in enumerate(session.table.players, 1)}
    players = tuple((name, colours[seat], points) for seat, name, points, _rank in score.ranking)
    winners = tuple(name for _seat, name, _points, rank in score.ranking if rank == 1 and score.decided)
    look = session.game.appearance(session.state)
    when = told_time(session.entries[-1].time if session.entries else session.created)
    return TableCard(session.game.info.title, when, session.table.board, dict(look), players, winners)


def told_time(time: str, now: datetime | None = None) -> str:
    """A time in UTC as people say it: today and yesterday by name, a day of the week before by its weekday."""
    try:
        moment = datetime.fromisoformat(time).astimezone()
    except ValueError:
        return shown(time)
    days = ((now or datetime.now().astimezone()).date() - moment.date()).days
    if days in (0, 1):
        return (_("today, {hour}") if days == 0 else _("yesterday, {hour}")).format(hour=f"{moment:%H:%M}")
    if 0 < days < WEEK:
        return _("{weekday}, {hour}").format(weekday=weekday_name(moment.weekday()), hour=f"{moment:%H:%M}")
    return local_day(time)


def weekday_name(weekday: int) -> str:
    """A day of the week by its name, Monday being 0."""
    names = (_("Monday"), _("Tuesday"), _("Wednesday"), _("Thursday"), _("Friday"), _("Saturday"), _("Sunday"))
    return names[weekday]


def is_unplayed(shell: Shell, game: GameSummary) -> bool:
    """Whether a game was only set up: nothing was played, and it was not joined under way."""
    if game.over or game.entries > 1:
        return False
    try:
        if shell.store.header(game.id).start is not None:
            return False
        return not game.entries or isinstance(shell.store.read(game.id).entries[0], DetailEntry)
    except CompanionError:
        return False


def title(game: GameSummary) -> str:
    """The title of a stored game; its id if this program does not know the game."""
    return load_game(game.game).info.title if game.game in known_games() else shown(game.game)


def detail(shell: Shell, game: GameSummary, *, names: bool = True) -> str:
    """The players unless told otherwise, the start and the progress of a stored game."""
    entries = plural("{count} entry", "{count} entries", game.entries).format(count=game.entries)
    told = (_names(_table(shell, game)),) if names else ()
    return " · ".join((*told, local_day(game.created), entries))


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
