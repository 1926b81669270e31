"""The standings as a table of a page."""

from __future__ import annotations

from companion.event.event import Event
from companion.event.exports import decimal
from companion.event.page import tie_break_words
from companion.event.standings import Standing, standings
from ui.hub.parts import laurel_sign
from ui.services.text import _
from ui.web.markup import Html, element, joined


def standings_table(event: Event) -> Html:
    """All players in their order, with the points of each round."""
    heads = [
        element("th", _("Rank"), class_="number"), element("th", _("Player")),
        element("th", _("Table points"), class_="number"), element("th", _("Game points"), class_="number"),
        element("th", _("Opponents"), class_="number"), element("th", _("Won"), class_="number"),
        *(element("th", str(drawn.round), class_="number") for drawn in event.rounds),
    ]  # fmt: skip
    rows = [_row(event, row) for row in standings(event)]
    table = element("table", element("thead", element("tr", *heads)), element("tbody", *rows))
    return joined(element("div", table, class_="scrolled"), element("p", tie_break_words(_), class_="quiet"))


def _row(event: Event, row: Standing) -> Html:
    is_over = len(event.rounds) >= event.settings.rounds and not event.open_tables
    name = [row.name] + ([element("small", f" {_('left')}")] if row.has_left else [])
    laurel = laurel_sign() if row.rank == 1 and is_over else Html("")
    numbers = (
        str(row.table_points), decimal(row.game_points), decimal(row.opponents_points), str(row.wins),
        *("–" if points is None else str(points) for points in row.by_round),
    )  # fmt: skip
    cells = [element("td", text, class_="number strong-number" if at == 0 else "number")
             for at, text in enumerate(numbers)]  # fmt: skip
    return element(
        "tr", element("td", str(row.rank), class_="number"), element("td", laurel, *name, class_="who"), *cells
    )
