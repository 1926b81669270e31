"""A table as a card among others, or as a row where there are many."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from enum import StrEnum

from companion.publishing.table_state import PublishedPlayer
from ui.hub.boards import Boards
from ui.hub.overview import ShownTable, Situation, by_urgency
from ui.hub.parts import element_id, form, laurel_sign
from ui.services.text import _, language_in_use, plural
from ui.web.faces import Faces
from ui.web.icons import icon
from ui.web.markup import Html, element, joined

FEW, SOME = 24, 120
"""tables that are shown with their boards, and as cards at all"""
ALL_COUNT = 200
"""tables of which all count minutes on open pages"""
MOST_KEPT = 4000
SIGNS = {
    Situation.HELP: "hand",
    Situation.DISPUTED: "exclaim",
    Situation.SILENT: "eye-off",
    Situation.PLAYING: "arrow",
    Situation.FINISHED: "check",
    Situation.FREE: "rest",
}


def situation_words() -> dict[Situation, str]:
    """What each situation is called."""
    return {
        Situation.HELP: _("help"),
        Situation.DISPUTED: _("disputed"),
        Situation.SILENT: _("silent"),
        Situation.PLAYING: _("playing"),
        Situation.FINISHED: _("finished"),
        Situation.FREE: _("no game"),
    }


COUNTED = (Situation.SILENT, Situation.HELP)
"""situations whose sign counts the minutes"""


class Size(StrEnum):
    """How much a card shows."""

    LARGE = "large"
    SMALL = "small"
    ROW = "row"


def size_for(count: int) -> Size:
    """The size of cards with which so many fit."""
    return Size.LARGE if count <= FEW else Size.SMALL if count <= SOME else Size.ROW


def with_minutes(tables: list[ShownTable]) -> list[ShownTable]:
    """The tables whose cards count minutes on open pages though nothing else happens there: of many those only that
    call or say nothing, the most urgent first.
    """
    if len(tables) <= ALL_COUNT:
        return tables
    waiting = [table for table in tables if table.situation in COUNTED]
    return sorted(waiting, key=by_urgency)[:SOME]


class HubCards:
    """Makes cards; each is made once for all pages that show the same."""

    def __init__(
        self,
        boards: Boards,
        clock: Callable[[], float] = time.time,
        is_taken: Callable[[str, str], bool] = lambda _table, _game: False,
    ) -> None:
        """`is_taken` tells whether a table's game is the result of a round."""
        self._boards, self._clock, self._is_taken = boards, clock, is_taken
        self._made: OrderedDict[tuple[str, Size, bool], tuple[tuple[object, ...], Html]] = OrderedDict()

    def card(self, table: ShownTable, size: Size, *, organises: bool) -> Html:
        """The card of a table, with the deeds of who organises."""
        key, of = (table.table_id, size, organises), self._made_of(table, size)
        known = self._made.pop(key, None)
        if known is None or known[0] != of:
            known = of, self._make(table, size, organises=organises)
        self._made[key] = known
        if len(self._made) > MOST_KEPT:
            self._made.popitem(last=False)
        return known[1]

    def _made_of(self, table: ShownTable, size: Size) -> tuple[object, ...]:
        """What a card is made of, as plain values: where none of them has changed the card is the same."""
        board = self._boards.board(table.rules) if table.rules and size is Size.LARGE else None
        art = self._boards.art(board) if board is not None else None
        situation = table.situation
        return (
            table.number,
            situation,
            table.name,
            table.place,
            table.is_judge_coming,
            table.since,
            id(art),
            self._minute(table, situation),
            table.heard // 60 if situation is Situation.SILENT else None,
            situation is Situation.FINISHED and self._is_taken(table.table_id, table.game),
            language_in_use(),
        )

    def _minute(self, table: ShownTable, situation: Situation) -> int:
        """The minutes that the card counts; 0 where it counts none."""
        if situation is Situation.PLAYING:
            return int((self._clock() - table.began) // 60)
        if situation in COUNTED:
            return int((self._clock() - table.since) // 60)
        return 0

    def _make(self, table: ShownTable, size: Size, *, organises: bool) -> Html:
        faces = self._boards.faces(table.rules, f"{element_id(table.table_id)}-")
        situation = table.situation
        head = element(
            "header", element("b", str(table.place), class_="place"),
            element("h2", element("a", _title(table), href=f"/table/{table.table_id}")),
            pill(table, self._clock()),
        )  # fmt: skip
        parts = [head]
        if size is Size.LARGE:
            board = self._boards.svg(table.rules, table.state(), faces) if table.game else Html("")
            seats = players_list(table, faces)
            parts.append(element("div", board, seats, class_="inside"))
        elif size is Size.SMALL:
            parts.append(element("div", players_list(table, faces), class_="inside"))
        else:
            parts.append(element("span", _seats_in_line(table), class_="line"))
        deed = deeds(table) if organises and situation is Situation.HELP else Html("")
        parts.append(element("footer", self._words(table), deed))
        if size is Size.LARGE:
            parts.append(faces.definitions())
        urgency = "-".join(f"{part:014.3f}" for part in by_urgency(table))
        return element(
            "article", *parts, id=element_id(table.table_id), class_=f"table {situation} {size}",
            data_order=urgency, data_at=f"{table.game}:{table.entries}",
        )  # fmt: skip

    def _words(self, table: ShownTable) -> Html:
        """What happened, or for how long it has gone on."""
        now = self._clock()
        match table.situation:
            case Situation.HELP:
                at = time.strftime("%H:%M", time.localtime(table.since))
                told = _("The judge is coming") if table.is_judge_coming else _("asks for the judge since {time}")
                return joined(icon("hand"), element("span", told.format(time=at)))
            case Situation.DISPUTED:
                words = table.refused or _("board and record differ")
                return joined(icon("cross"), element("span", words, class_="refused"))
            case Situation.SILENT:
                if not table.heard:
                    return joined(icon("clock"), element("span", _("not heard yet")))
                at = time.strftime("%H:%M", time.localtime(table.heard))
                return joined(icon("clock"), element("span", _("last heard {time}").format(time=at)))
            case Situation.FINISHED:
                told = _("played to its end") if table.is_final else _("ended early")
                if self._is_taken(table.table_id, table.game):
                    told = _("result taken")
                return joined(icon("check"), element("span", told))
            case Situation.FREE:
                return Html("")
            case Situation.PLAYING:
                return joined(icon("clock"), element("span", minutes(now - table.began)))


def pill(table: ShownTable, now: float) -> Html:
    """The situation: a sign, a word and a frame, so that none of them alone matters."""
    word = situation_words()[table.situation]
    if table.situation in COUNTED and now - table.since >= 60:
        word = f"{word} {minutes(now - table.since)}"
    return element("span", icon(SIGNS[table.situation]), element("span", word), class_=f"pill {table.situation}")


def minutes(seconds: float) -> str:
    """A length of time, as "59 min" or "2 h 5 min"."""
    whole = max(0, int(seconds // 60))
    if whole < 60:
        return _("{minutes} min").format(minutes=whole)
    return _("{hours} h {minutes} min").format(hours=whole // 60, minutes=whole % 60)


def deeds(table: ShownTable) -> Html:
    """How a call for help is answered: to come, and then that it is settled."""
    if table.is_judge_coming:
        return form(f"/table/{table.table_id}/settled", element("button", _("Settled"), class_="button"))
    return form(f"/table/{table.table_id}/coming", element("button", _("I’m coming"), class_="button strong"))


def players_list(table: ShownTable, faces: Faces) -> Html:
    """Who plays, with points; who acts is bold, who has won bears the laurel."""
    rows = [_player(each, faces, has_won=each.seat in table.winners) for each in table.players]
    return element("ol", *rows, class_="players") if rows else Html("")


def _player(player: PublishedPlayer, faces: Faces, *, has_won: bool) -> Html:
    looks = [name for name, holds in (("acts", player.acts), ("won", has_won), ("left", player.left)) if holds]
    return element(
        "li", faces.seal(player.colour) or element("span", class_="seal"),
        element("span", player_name(player), class_="who"), laurel_sign() if has_won else "",
        element("b", str(player.points)), class_=" ".join(looks) or None,
    )  # fmt: skip


def player_name(player: PublishedPlayer) -> str:
    """A player's name, or the colour where the table does not tell names."""
    return player.name or _(player.colour)


def _seats_in_line(table: ShownTable) -> Html:
    told = [
        element(
            "span", element("bdi", player_name(each)), " ", element("b", str(each.points)),
            class_="acts" if each.acts else None,
        )
        for each in table.players
    ]  # fmt: skip
    return joined(*told)


def _title(table: ShownTable) -> str:
    if not table.game:
        return table.name or table.table_id
    return game_name(table.title) or table.rules


def game_name(title: str) -> str:
    """What a game is called among others: without the series that it belongs to."""
    return _(title).rpartition(": ")[2] if title else ""


def entries_words(count: int) -> str:
    """How many entries a game has."""
    return plural("{count} entry", "{count} entries", count).format(count=count)
