"""What of an event is printed, shown big or taken away: table cards, standings, files."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from companion.event.event import ClubEvent
from companion.event.exports import event_document, standings_csv
from companion.event.log_text import event_text
from companion.event.page import event_page
from companion.exports.score_exports import BYTE_ORDER_MARK
from companion.wording.spelling import slug
from ui.hub.context import NEVER, Context, Following, HubPage, Query, html, not_there
from ui.hub.event_list_page import game_title, round_words
from ui.hub.event_live import following
from ui.hub.event_page import event_of
from ui.hub.event_standings import standings_table
from ui.hub.frame import said_page, whole_page
from ui.hub.screen_page import SECONDS_EACH
from ui.services.text import _, language_in_use
from ui.web.markup import Html, element

PLAYERS_EACH = 10
"""players that the big screen shows at a time, so that nobody has to scroll there"""
KINDS = {
    "page.html": "text/html",
    "standings.csv": "text/csv",
    "event.json": "application/json",
    "log.jsonl": "application/jsonl",
}


async def cards(context: Context, request: Request) -> Response:
    """A card for each table of a round: who sits where, and who begins."""
    event, number = await event_of(context, request), request.path_params["round"]
    if event is None or not number.isdecimal() or len(number) > 3 or not 1 <= int(number) <= len(event.rounds):
        return html(said_page(request, not_there()), 404)
    drawn = event.rounds[int(number) - 1]

    def made() -> Html:
        tables = range(1, len(drawn.tables) + 1)
        return element("div", *(_card(event, int(number), table) for table in tables), class_="cards")

    title = f"{event.settings.name} · {_('Round {number}').format(number=number)}"
    return html(whole_page(context, request, await asyncio.to_thread(made), title=title, kind="plain printed"))


def _card(event: ClubEvent, number: int, table: int) -> Html:
    names = event.names(event.rounds[number - 1].tables[table - 1])
    rows = [
        element("li", element("span", name, class_="who"), element("small", _("begins")) if seat == 1 else Html(""))
        for seat, name in enumerate(names, 1)
    ]
    told = f"{event.settings.name} · {_('Round {number}').format(number=number)} · {game_title(event)}"
    return element(
        "article", element("b", str(table), class_="place"), element("p", told, class_="quiet"), element("ol", *rows),
        element("p", _("In turn order, clockwise from the first player."), class_="quiet"), class_="card-to-print",
    )  # fmt: skip


async def whole(context: Context, request: Request) -> Response:
    """The standings alone, with all players, live."""
    return await _standings_page(context, request, "standings", _standings_part)


async def big(context: Context, request: Request) -> Response:
    """The standings for a big screen, which leafs through the players."""
    return await _standings_page(context, request, "big", _big_part)


async def _standings_page(
    context: Context, request: Request, live: str, make: Callable[[ClubEvent], Html]
) -> Response:  # fmt: skip
    event = await event_of(context, request)
    if event is None:
        return html(said_page(request, not_there()), 404)
    part, query = await asyncio.to_thread(make, event), {"event": event.id}
    return html(
        whole_page(context, request, part, title=event.settings.name, follow=live, query=query,
                   kind="plain printed standings")
    )  # fmt: skip


def _standings_part(event: ClubEvent) -> Html:
    heading = element("p", f"{game_title(event)} · {round_words(event)}", class_="quiet")
    return element("section", heading, standings_table(event), class_="paper", id="standings-part")


def _first_shown(event: ClubEvent) -> int:
    """Of the players in their order, how many come before those whose turn it is on the big screen now."""
    leaves = max(1, -(-len(event.players) // PLAYERS_EACH))
    return int(time.monotonic() / SECONDS_EACH) % leaves * PLAYERS_EACH


def _big_part(event: ClubEvent) -> Html:
    first, count = _first_shown(event), len(event.players)
    told = [game_title(event), round_words(event)]
    if count > PLAYERS_EACH:
        told.append(f"{first + 1}–{min(count, first + PLAYERS_EACH)} / {count}")
    heading = element("p", " · ".join(told), class_="quiet")
    table = standings_table(event, PLAYERS_EACH, first, links=False)
    return element("section", heading, table, class_="paper", id="standings-part")


def follow(context: Context, query: Query) -> Following:
    """What changes of the standings."""
    return following(context, query.get("event", "")[:64], lambda event: str(len(event.entries)), _standings_part)


def follow_big(context: Context, query: Query) -> Following:
    """Likewise on the big screen, and whose turn it is there."""
    event_id = query.get("event", "")[:64]
    return following(context, event_id, lambda event: f"{len(event.entries)}-{_first_shown(event)}", _big_part)


async def file(context: Context, request: Request) -> Response:
    """A file to take away."""
    event, name = await event_of(context, request, newest=True), request.path_params["file"]
    if event is None or name not in KINDS:
        return html(said_page(request, not_there()), 404)
    words = slug(event.settings.name, "-") or "event"
    headers = {**NEVER, "content-disposition": f'attachment; filename="{words}-{name}"'}
    text = await asyncio.to_thread(_text, event, name)
    return Response(text, headers=headers, media_type=f"{KINDS[name]}; charset=utf-8")


def _text(event: ClubEvent, name: str) -> str:
    match name:
        case "page.html":
            return event_page(event, game_title(event), language_in_use(), _)
        case "standings.csv":
            return BYTE_ORDER_MARK + standings_csv(event)
        case "event.json":
            return json.dumps(event_document(event), indent=2, ensure_ascii=False) + "\n"
        case _:
            return event_text(event)


PAGES = (
    HubPage("/event/{event_id}/cards/{round}", cards),
    HubPage("/event/{event_id}/standings", whole),
    HubPage("/event/{event_id}/screen", big),
    HubPage("/event/{event_id}/{file}", file),
)
LIVE = {"standings": follow, "big": follow_big}
