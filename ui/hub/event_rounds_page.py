"""A round of an event with all its tables and results, also one that is over: from here each can be corrected."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from companion.event.event import ClubEvent
from ui.hub.context import Context, HubPage, html, may_organise, not_there
from ui.hub.event_page import event_of
from ui.hub.frame import said_page, whole_page
from ui.hub.parts import names_in_line
from ui.services.text import _
from ui.web.icons import icon
from ui.web.markup import Html, element, joined


async def show(context: Context, request: Request) -> Response:
    """The tables of a round."""
    event, number = await event_of(context, request), request.path_params["round"]
    if event is None or not number.isdecimal() or len(number) > 3 or not 1 <= int(number) <= len(event.rounds):
        return html(said_page(request, not_there()), 404)
    organises = may_organise(request) and not event.is_archived
    back = element("p", icon("left"), element("a", event.settings.name, href=f"/event/{event.id}"), class_="back")
    part = await asyncio.to_thread(_tables, event, int(number), organises=organises)
    title = _("Round {number}").format(number=number)
    return html(whole_page(context, request, back, part, title=title, kind="plain"))


def _tables(event: ClubEvent, number: int, *, organises: bool) -> Html:
    drawn = event.rounds[number - 1]
    heads = element("tr", *(element("th", each) for each in (_("Table"), _("Players"), "", "")))
    rows = [_row(event, number, table, organises=organises) for table in range(1, len(drawn.tables) + 1)]
    byes = Html("")
    if drawn.byes:
        byes = element("p", names_in_line(event.names(drawn.byes), _("Bye: {names}")), class_="quiet")
    return element("section", element("table", heads, *rows), byes, class_="paper scrolled")


def _row(event: ClubEvent, number: int, table: int, *, organises: bool) -> Html:
    names, result = event.names(event.rounds[number - 1].tables[table - 1]), event.results.get((number, table))
    if result is None:
        told = names_in_line(names)
    else:
        told = Html(
            ", ".join(
                joined(element("bdi", name), " ", element("b", str(points)))
                for name, points in zip(names, result.points, strict=True)
            )
        )
    by_hand = _("by hand") if result is not None and not result.record else ""
    words = _("Correct") if result is not None else _("Enter the result")
    deed = element("a", words, href=f"/event/{event.id}/result/{number}/{table}") if organises else ""
    return element(
        "tr", element("th", str(table)), element("td", told), element("td", by_hand, class_="quiet"),
        element("td", deed),
    )  # fmt: skip


PAGES = (HubPage("/event/{event_id}/rounds/{round}", show),)
