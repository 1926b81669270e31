"""The big screen: leafs through the tables that play or have finished, for everybody to see."""

from __future__ import annotations

import time

from starlette.requests import Request
from starlette.responses import Response

from ui.hub.cards import game_name, pill, players_list
from ui.hub.context import Context, Following, HubPage, Query, ShownPage, html
from ui.hub.frame import whole_page
from ui.hub.overview import ShownTable, Situation
from ui.services.text import _
from ui.web.markup import Html, element

SECONDS_EACH = 12.0
SHOWN = (Situation.PLAYING, Situation.DISPUTED, Situation.HELP, Situation.FINISHED)
"""calls and disputes are nobody's business: such a table is shown as one that plays"""


async def show(context: Context, request: Request) -> Response:
    """The big screen."""
    part = screen_part(context, time.monotonic())
    return html(whole_page(context, request, part, title=_("Many tables"), follow="screen", kind="screen"))


def table_at(tables: list[ShownTable], moment: float) -> ShownTable | None:
    """The table whose turn it is at a moment (seconds)."""
    shown = sorted((each for each in tables if each.situation in SHOWN and each.game), key=lambda each: each.place)
    return shown[int(moment / SECONDS_EACH) % len(shown)] if shown else None


def screen_part(context: Context, moment: float) -> Html:
    """What the big screen shows at a moment."""
    table = table_at(context.overview.all(), moment)
    if table is None:
        return element("div", element("p", _("No table is playing just now."), class_="prompt"), id="screen-part")
    faces = context.boards.faces(table.rules, "big-")
    board = context.boards.svg(table.rules, table.state(), faces)
    shown_pill = pill(table, time.time()) if table.situation is Situation.FINISHED else Html("")
    words = element(
        "section", element("b", str(table.place), class_="place"),
        element("h2", game_name(table.title)), shown_pill, players_list(table, faces),
        class_="beside",
    )  # fmt: skip
    return element("div", board, words, faces.definitions(), id="screen-part", class_="big")


def follow(context: Context, _query: Query) -> Following:
    """The table whose turn it is, as it changes."""

    def current() -> ShownPage:
        moment = time.monotonic()
        table = table_at(context.overview.all(), moment)
        told = "" if table is None else f"{table.table_id}.{context.overview.revision_of(table.table_id)}"
        part = screen_part(context, moment)
        return f"{context.run}-{told}", part.replace("<div ", '<div hx-swap-oob="true" ', 1)

    return current


PAGES = (HubPage("/screen", show),)
LIVE = {"screen": follow}
