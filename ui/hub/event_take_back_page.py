"""The latest round of an event is taken back, after a question: it is drawn otherwise the next time."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from companion.event.entries import RoundTakenBack
from companion.event.event import ClubEvent
from ui.hub.context import Context, HubPage, html, not_there
from ui.hub.event_page import changed, event_of
from ui.hub.event_round_part import plays_round
from ui.hub.frame import said_page, whole_page
from ui.hub.parts import form
from ui.hub.passwords import Role
from ui.services.text import _, plural
from ui.web.icons import icon
from ui.web.markup import element


async def show(context: Context, request: Request) -> Response:
    """The question."""
    event = await event_of(context, request, newest=True)
    if event is None or not event.rounds:
        return html(said_page(request, not_there()), 404)
    told = [_("Drawn again, others may sit together. What is taken back stays in the log.")]
    playing = _tables_playing(context, event)
    if playing:
        told.append(plural(
            "{count} table plays it already: its game gives no result then.",
            "{count} tables play it already: their games give no result then.", playing,
        ).format(count=playing))  # fmt: skip
    back = element("p", icon("left"), element("a", event.settings.name, href=f"/event/{event.id}"), class_="back")
    asked = form(
        f"/event/{event.id}/back", *(element("p", each) for each in told),
        element("button", _("Take this round back"), class_="button strong"), class_="paper fields",
    )  # fmt: skip
    title = _("Take round {number} back?").format(number=len(event.rounds))
    return html(whole_page(context, request, back, asked, title=title, kind="plain"))


def _tables_playing(context: Context, event: ClubEvent) -> int:
    """How many tables play the game of the latest round just now."""
    shown = {number: context.overview.table(event.tables.get(number, "")) for number in event.open_tables}
    drawn = context.events.drawn(event)
    return sum(table is not None and plays_round(event, number, table, drawn) for number, table in shown.items())


async def take_back(context: Context, request: Request) -> Response:
    """Take the latest round back."""
    return await changed(context, request, lambda event: [RoundTakenBack(len(event.rounds), "")])


PAGES = (
    HubPage("/event/{event_id}/back", show, Role.ORGANISE),
    HubPage("/event/{event_id}/back", take_back, Role.ORGANISE, "POST"),
)
