"""The events of this hub, and a form for a new one."""

from __future__ import annotations

import secrets

from starlette.requests import Request
from starlette.responses import Response

from companion.event.entries import EventSettings, TableNamed
from companion.event.event import MOST_ROUNDS, MOST_TABLES, ClubEvent
from companion.event.table_sizes import FEWEST, MOST
from companion.position import LONGEST_NAME
from companion.registry import GAMES, load_game
from companion.wording.characters import is_plain_text
from ui.hub.context import Context, HubPage, back_to, html, may_organise
from ui.hub.event_forms import Posted, posted_file, problem_page
from ui.hub.event_store import MOST_OPEN
from ui.hub.frame import whole_page
from ui.hub.parts import form
from ui.hub.passwords import Role
from ui.services.text import _, plural
from ui.web.markup import Html, element

ORGANISER = "organiser"


async def show(context: Context, request: Request) -> Response:
    """All events, the newest first."""
    store = context.events.store
    rows = [_row(event) for event in await context.from_database(store.open)]
    archived = [_row(event) for event in await context.from_database(store.archived)]
    none = _("No event is going on.") if archived else _("There is no event yet.")
    listed = element("ul", *rows, class_="events") if rows else element("p", none)
    parts = [element("section", listed, class_="paper")]
    if may_organise(request):
        parts.append(_new_form(len(context.overview)))
    if archived:
        summary = element("summary", element("h2", _("Archive")), element("span", str(len(archived)), class_="quiet"))
        parts.append(element("details", summary, element("ul", *archived, class_="events"), class_="paper folded"))
    return html(whole_page(context, request, *parts, title=_("Events"), kind="plain"))


def _row(event: ClubEvent) -> Html:
    players = plural("{count} player", "{count} players", len(event.players)).format(count=len(event.players))
    told = f"{game_title(event)} · {players} · {round_words(event)}"
    link = element("a", event.settings.name, href=f"/event/{event.id}")
    return element("li", element("b", link), element("span", told, class_="quiet"), element("time", event.created[:10]))


def _new_form(tables: int) -> Html:
    games = [element("option", _(load_game(game).info.title), value=game) for game in GAMES]
    sizes = [element("option", str(size), value=str(size), selected=size == 3) for size in range(FEWEST, MOST + 1)]
    return form(
        "/event/create",
        element("h2", _("A new event")),
        labelled(_("Name"), element("input", name="name", maxlength=str(LONGEST_NAME), required=True)),
        labelled(_("Game"), element("select", *games, name="game")),
        labelled(_("Players at a table"), element("select", *sizes, name="preferred")),
        labelled(_("Tables"), number_field("tables", tables or 4, MOST_TABLES)),
        labelled(_("Rounds"), number_field("rounds", 3, MOST_ROUNDS)),
        labelled(_("Rounds drawn by lot"), number_field("by_lot", 1, MOST_ROUNDS, 0)),
        element("button", _("Create"), class_="button strong"),
        class_="paper fields",
        enctype="multipart/form-data",
    )


def labelled(words: str, field: Html) -> Html:
    """A field with what it is."""
    return element("label", element("span", words), field)


def number_field(name: str, value: int, most: int, least: int = 1) -> Html:
    """A field for a whole number from `least` to `most`."""
    return element(
        "input",
        name=name,
        type="number",
        min=str(least),
        max=str(most),
        value=str(value),
        class_="short",
        required=True,
    )


def round_words(event: ClubEvent) -> str:
    """How far an event has come."""
    if not event.rounds:
        return _("not begun")
    most = max(event.settings.rounds, len(event.rounds))
    return _("round {number} of {count}").format(number=len(event.rounds), count=most)


def game_title(event: ClubEvent) -> str:
    """What the game of an event is called."""
    game = event.settings.game
    return _(load_game(game).info.title) if game in GAMES else game


async def create(context: Context, request: Request) -> Response:
    """Make an event, and let its tables be the registered ones in the order of their numbers."""
    posted = await posted_file(request) or Posted()
    settings = _settings(posted)
    if settings is None:
        told = _(
            "Give a name of at most {longest} characters, a game, {few} to {most} at a table, 1 to {tables} tables, "
            "1 to {rounds} rounds."
        )
        told = told.format(longest=LONGEST_NAME, few=FEWEST, most=MOST, tables=MOST_TABLES, rounds=MOST_ROUNDS)
        return problem_page(context, request, told, "/event", _("Back to the events"))

    def made() -> str:
        if context.events.store.count_open() >= MOST_OPEN:
            return ""
        event = context.events.store.create(settings)
        context.events.change(event.id, ORGANISER, lambda event: tables_in_order(context, event))
        return event.id

    event_id = await context.from_database(made)
    if not event_id:
        return problem_page(context, request, too_many_open(), "/event", _("Back to the events"))
    return back_to(f"/event/{event_id}")


def too_many_open() -> str:
    """That there are as many events as may go on beside one another."""
    told = _("There are {count} events already: archive or delete those that are over, so that another fits.")
    return told.format(count=MOST_OPEN)


def _settings(posted: Posted) -> EventSettings | None:
    name, game = posted.text("name"), posted.text("game")
    tables, rounds = posted.number("tables", 1, MOST_TABLES), posted.number("rounds", 1, MOST_ROUNDS)
    preferred, by_lot = posted.number("preferred", FEWEST, MOST), posted.number("by_lot", 0, MOST_ROUNDS)
    if not name or len(name) > LONGEST_NAME or not is_plain_text(name) or game not in GAMES:
        return None
    if tables is None or rounds is None or preferred is None or by_lot is None:
        return None
    few, most = load_game(game).info.seats
    seats = max(few, FEWEST), min(most, MOST)
    return EventSettings(
        name, game, min(max(preferred, seats[0]), seats[1]), rounds, by_lot, tables, secrets.token_hex(6), seats
    )  # fmt: skip


def tables_in_order(context: Context, event: ClubEvent) -> list[TableNamed]:
    """The registered tables as tables 1, 2, ... of an event, in the order of their numbers; those that play a round of
    another event come last.
    """
    elsewhere = context.events.elsewhere(event)
    tables = sorted(context.overview.all(), key=lambda each: (each.table_id in elsewhere, each.place))
    registered = [table.table_id for table in tables]
    wanted = dict(enumerate(registered[: event.settings.tables], 1))
    changed = [number for number in event.tables if event.tables[number] != wanted.get(number)]
    return [
        *(TableNamed(number, "") for number in changed),
        *(TableNamed(number, name) for number, name in wanted.items() if event.tables.get(number) != name),
    ]


PAGES = (
    HubPage("/event", show),
    HubPage("/event/create", create, Role.ORGANISE, "POST"),
)
