"""The standings as a table of a page. All pages that show an event share the rows, which are made once an entry."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from companion.event.event import ClubEvent
from companion.event.exports import decimal
from companion.event.page import tie_break_words
from companion.event.standings import Standing, standings
from ui.hub.parts import laurel_sign
from ui.services.text import _, language_in_use, plural
from ui.web.markup import Html, element, joined

_KEPT = 4


@dataclass(frozen=True, slots=True)
class _Of:
    """An event as its log stands, in a language: what rows are kept by."""

    event_id: str
    entries: int
    language: str
    event: ClubEvent = field(compare=False, repr=False)


def standings_table(event: ClubEvent, most: int | None = None, first: int = 0, *, links: bool = True) -> Html:
    """The players in their order, with the points of each round: all, or so many from one on, with a link to all."""
    heads = [
        element("th", _("Rank"), class_="number"), element("th", _("Player")),
        element("th", _("Table points"), class_="number"), element("th", _("Game points"), class_="number"),
        element("th", _("Opponents"), class_="number"), element("th", _("Won"), class_="number"),
        *(element("th", str(drawn.round), class_="number") for drawn in event.rounds),
    ]  # fmt: skip
    rows = _rows(_Of(event.id, len(event.entries), language_in_use(), event))
    table = element(
        "table",
        element("thead", element("tr", *heads)),
        element("tbody", *rows[first : None if most is None else first + most]),
    )
    parts = [element("div", table, class_="scrolled")]
    if links and most is not None and len(rows) > most:
        told = plural("and {count} player more", "and {count} players more", len(rows) - most)
        link = element("a", told.format(count=len(rows) - most), href=f"/event/{event.id}/standings")
        parts.append(element("p", link))
    return joined(*parts, element("p", tie_break_words(_), class_="quiet"))


@lru_cache(_KEPT)
def _rows(of: _Of) -> tuple[Html, ...]:
    event = of.event
    is_over = len(event.rounds) >= event.settings.rounds and not event.open_tables
    return tuple(_row(row, is_over=is_over) for row in standings(event))


def _row(row: Standing, *, is_over: bool) -> Html:
    name = [element("bdi", row.name)] + ([element("small", f" {_('left')}")] if row.has_left else [])
    laurel = laurel_sign() if row.rank == 1 and is_over else Html("")
    numbers = (
        str(row.table_points), _decimal(row.game_points), _decimal(row.opponents_points), str(row.wins),
        *("–" if points is None else str(points) for points in row.by_round),
    )  # fmt: skip
    cells = [
        element("td", text, class_="number strong-number" if at == 0 else "number") for at, text in enumerate(numbers)
    ]
    return element(
        "tr", element("td", str(row.rank), class_="number"), element("td", laurel, *name, class_="who"), *cells
    )


def _decimal(value: Fraction) -> str:
    """A value with one decimal as the language in use writes it."""
    return decimal(value).replace(".", "." if language_in_use() == "en" else ",")
