"""The judge's list: the tables that ask for help or dispute something, each with position, last moves and verdict."""

from __future__ import annotations

import time
from zlib import crc32

from starlette.requests import Request
from starlette.responses import Response

from ui.hub.cards import deeds, game_name, pill, players_list
from ui.hub.context import Context, Following, HubPage, Query, ShownPage, html, may_organise
from ui.hub.frame import whole_page
from ui.hub.histories import History
from ui.hub.one_table_page import prompt_part, verdict_part
from ui.hub.overview import ShownTable, Situation, by_urgency
from ui.hub.parts import element_id
from ui.services.text import _
from ui.web.markup import Html, element, joined

MOST = 12
"""tables that are shown with all this; the others wait below"""
LAST_MOVES = 6


async def show(context: Context, request: Request) -> Response:
    """The tables that wait for the judge, the longest first."""
    organises = may_organise(request)
    part = await judge_part(context, organises=organises)
    query = {"organises": "yes" if organises else ""}
    return html(whole_page(context, request, part, title=_("Judge"), follow="judge", query=query, kind="judge"))


def waiting(context: Context) -> list[ShownTable]:
    """The tables that ask for help, then those that dispute something."""
    wanted = (Situation.HELP, Situation.DISPUTED)
    return sorted((table for table in context.overview.all() if table.situation in wanted), key=by_urgency)


async def judge_part(context: Context, *, organises: bool) -> Html:
    """All of the list that may change."""
    tables = waiting(context)
    shown = [await _table(context, table, organises=organises) for table in tables[:MOST]]
    rest = [element("li", element("a", f"{table.place} · {table.name}", href=f"/table/{table.table_id}"))
            for table in tables[MOST:]]  # fmt: skip
    none = element("p", _("No table waits for the judge."), class_="paper none") if not tables else Html("")
    return element("div", none, *shown, element("ul", *rest, class_="events") if rest else "", id="judge-part",
                   class_="judged")  # fmt: skip


async def _table(context: Context, table: ShownTable, *, organises: bool) -> Html:
    state, history = table.state(), History()
    if table.game:
        history = await context.from_database(lambda: context.histories.history(table))
    faces = context.boards.faces(table.rules, f"judge-{element_id(table.table_id)}-")
    board = context.boards.svg(table.rules, state, faces) if table.game else Html("")
    heading = element(
        "header", element("b", str(table.place), class_="place"),
        element("h2", element("a", table.name or table.table_id, href=f"/table/{table.table_id}")),
        element("span", game_name(state.title), class_="quiet"), pill(table, time.time()),
    )  # fmt: skip
    moves = [
        element("li", line.told, value=str(line.number), class_="undone" if line.undone else None)
        for line in history.lines[:LAST_MOVES]
    ]
    told = joined(element("h3", _("Last moves")), element("ol", *moves, class_="moves")) if moves else Html("")
    answer = deeds(table) if organises and table.wants_help else Html("")
    beside = element(
        "div", players_list(table, faces), prompt_part(state, history), verdict_part(state, history), told, answer,
        class_="beside",
    )  # fmt: skip
    return element(
        "article", heading, element("div", board, beside, class_="inside"), faces.definitions(),
        class_=f"paper judged-table {table.situation}",
    )  # fmt: skip


def follow(context: Context, query: Query) -> Following:
    """What changes on the judge's list."""
    organises = query.get("organises") == "yes"
    last, shown = "", ""

    async def current() -> ShownPage:
        nonlocal last, shown
        signs = [f"{context.overview.revision_of(table.table_id)}" for table in waiting(context)]
        number = f"{context.run}-{crc32(' '.join(signs).encode())}"
        if number != last:
            part = await judge_part(context, organises=organises)
            last, shown = number, part.replace("<div ", '<div hx-swap-oob="true" ', 1)
        return last, shown

    return current


PAGES = (HubPage("/judge", show),)
LIVE = {"judge": follow}
