"""An event is put away or deleted: after a question, and with what it leaves offered first."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from companion.event.entries import Archived, TakenOut
from companion.event.event import ClubEvent
from ui.hub.context import Context, HubPage, back_to, html, not_there
from ui.hub.event_forms import Posted, posted_file, problem_page
from ui.hub.event_list_page import ORGANISER, too_many_open
from ui.hub.event_page import MULTIPART, changed, event_of, exports
from ui.hub.event_store import MOST_OPEN
from ui.hub.frame import said_page, whole_page
from ui.hub.parts import form
from ui.hub.passwords import Role
from ui.services.text import _, plural
from ui.web.icons import icon
from ui.web.markup import Html, element


async def show(context: Context, request: Request) -> Response:
    """The question."""
    event = await event_of(context, request)
    if event is None:
        return html(said_page(request, not_there()), 404)
    back = element("p", icon("left"), element("a", event.settings.name, href=f"/event/{event.id}"), class_="back")
    keep = element(
        "section", element("h2", _("Keep what it leaves")), element("nav", *exports(event), class_="ways"),
        element("p", _("The log reads back as the whole event, with every correction."), class_="quiet"),
        class_="paper",
    )  # fmt: skip
    parts = [back, keep, _take_out_form(event) if event.is_archived else _archive_form(event)]
    title = _("Take out of the archive or delete") if event.is_archived else _("Archive or delete")
    return html(whole_page(context, request, *parts, _delete_form(event), title=title, kind="plain"))


def _archive_form(event: ClubEvent) -> Html:
    told = [_("It can still be read, and taken out again. Its tables are free.")]
    if event.open_tables and event.rounds:
        count = len(event.open_tables)
        told.append(plural(
            "{count} table has no result yet, and none is taken from it meanwhile.",
            "{count} tables have no result yet, and none is taken from them meanwhile.", count,
        ).format(count=count))  # fmt: skip
    return form(
        f"/event/{event.id}/archive", element("h2", _("Archive")), *(element("p", each) for each in told),
        element("button", _("Archive this event"), class_="button strong"), enctype=MULTIPART, class_="paper fields",
    )  # fmt: skip


def _take_out_form(event: ClubEvent) -> Html:
    return form(
        f"/event/{event.id}/take-out", element("h2", _("Take out of the archive")),
        element("p", _("It goes on as it was, with its tables.")),
        element("button", _("Take it out of the archive"), class_="button strong"), class_="paper fields",
    )  # fmt: skip


def _delete_form(event: ClubEvent) -> Html:
    count = len(event.players)
    told = plural(
        "{count} player, every round and every result of “{name}” are gone then, and nobody can bring them back.",
        "{count} players, every round and every result of “{name}” are gone then, and nobody can bring them back.",
        count,
    ).format(count=count, name=event.settings.name)
    sure = element("label", element("input", type="checkbox", name="sure", value="yes", required=True),
                   _("I have kept what I need of it."), class_="sure")  # fmt: skip
    return form(
        f"/event/{event.id}/delete", element("h2", _("Delete")), element("p", told), sure,
        element("button", _("Delete this event"), class_="button"), enctype=MULTIPART, class_="paper fields",
    )  # fmt: skip


async def archive(context: Context, request: Request) -> Response:
    """Put an event away."""
    return await changed(context, request, lambda event: [] if event.is_archived else [Archived()])


async def take_out(context: Context, request: Request) -> Response:
    """Let an event go on."""
    if await context.from_database(context.events.store.count_open) >= MOST_OPEN:
        return problem_page(context, request, too_many_open(), "/event", _("Back to the events"))
    return await changed(context, request, lambda _event: [TakenOut()])


async def delete(context: Context, request: Request) -> Response:
    """Forget an event, where who asks is sure."""
    event_id = request.path_params["event_id"][:64]
    if (await posted_file(request) or Posted()).text("sure") != "yes":
        told = _("Tick that you have kept what you need of it: nobody can bring it back.")
        return problem_page(context, request, told, f"/event/{event_id}/archive", _("Back to the question"))
    is_gone = await context.from_database(lambda: context.events.delete(event_id, ORGANISER))
    context.tell_pages()
    return back_to("/event") if is_gone else html(said_page(request, not_there()), 404)


PAGES = (
    HubPage("/event/{event_id}/archive", show, Role.ORGANISE),
    HubPage("/event/{event_id}/archive", archive, Role.ORGANISE, "POST"),
    HubPage("/event/{event_id}/take-out", take_out, Role.ORGANISE, "POST"),
    HubPage("/event/{event_id}/delete", delete, Role.ORGANISE, "POST"),
)
