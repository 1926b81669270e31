"""One event, live: its tables of this round, standings, players, and what has been written into its log."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from http import HTTPStatus
from zlib import crc32

from starlette.requests import Request
from starlette.responses import Response

from companion.errors import InvalidDocument
from companion.event.drawing import next_round, plan_anew
from companion.event.entrants import MAXIMUM_BYTES, formula_problem, read_entrants
from companion.event.entries import Change, EventRefused, Joined, Left, Renamed, Replanned, Returned, TableNamed
from companion.event.event import MOST_ROUNDS, MOST_TABLES, ClubEvent, Entrant
from companion.position import LONGEST_NAME
from companion.wording.characters import with_plain_blanks
from companion.wording.sentences import Sentence, sentence
from companion.wording.spelling import by_letters
from ui.hub.context import Context, Following, HubPage, Query, back_to, html, may_organise, not_there
from ui.hub.event_forms import Posted, note_page, posted_file, problem_page
from ui.hub.event_list_page import ORGANISER, game_title, labelled, number_field, round_words, tables_in_order
from ui.hub.event_live import following
from ui.hub.event_log_lines import latest_lines
from ui.hub.event_round_part import round_part
from ui.hub.event_standings import standings_table
from ui.hub.frame import said_page, whole_page
from ui.hub.parts import form, names_in_line
from ui.hub.passwords import Role
from ui.services.text import _, ended, error_sentence, error_text, plural
from ui.web.icons import icon
from ui.web.markup import Html, element, joined

MOST_ROWS = 100
"""players that are shown; others are a link away"""
FORMATS = ("page.html", "standings.csv", "event.json", "log.jsonl")
MULTIPART = "multipart/form-data"


async def show(context: Context, request: Request) -> Response:
    """The page of an event."""
    event = await event_of(context, request)
    if event is None:
        return html(said_page(request, not_there()), 404)
    organises = may_organise(request) and not event.is_archived
    part = await asyncio.to_thread(event_part, context, event, organises=organises)
    query = {"event": event.id, "organises": "yes" if organises else ""}
    below = [_organise(context, event)] if organises else [_take_out(event)] if may_organise(request) else []
    return html(
        whole_page(context, request, part, *below, title=event.settings.name, follow="event", query=query, kind="plain")
    )


async def event_of(context: Context, request: Request, *, newest: bool = False) -> ClubEvent | None:
    """The event that an address names; None where there is none."""
    name = request.path_params["event_id"][:64]
    return await context.from_database(lambda: context.events.store.event(name, newest=newest))


def event_part(context: Context, event: ClubEvent, *, organises: bool) -> Html:
    """All of an event's page that may change by itself."""
    organises = organises and not event.is_archived
    told = element("p", f"{game_title(event)} · {round_words(event)}", class_="quiet")
    parts = [element("section", told, _next_step(event, organises=organises), _ways(event), class_="paper step")]
    if organises and len(context.overview) and not any(isinstance(each.change, TableNamed) for each in event.entries):
        forgotten = _("No table of this event has a tablet yet.")  # the tables registered after it was made
        parts.append(element("section", _in_order_form(event.id, forgotten), class_="paper fields"))
    if event.rounds:
        parts.append(round_part(context, event, organises=organises))
        parts.append(
            element("section", element("h2", _("Standings")), standings_table(event, MOST_ROWS), class_="paper")
        )
    parts.append(_players(event))
    parts.append(_log(context, event))
    return element("div", *parts, id="event-part", data_at=str(len(event.entries)))


def _next_step(event: ClubEvent, *, organises: bool) -> Html:
    number = len(event.rounds) + 1
    if event.is_archived:
        return element("p", _("This event is archived: nothing is changed any more, and its tables are free."))
    if event.open_tables:
        open_count = len(event.open_tables)
        told = plural("{count} table has no result yet.", "{count} tables have no result yet.", open_count)
        return element("p", told.format(count=open_count))
    if not event.playing:
        return element("p", _("Enter the players first."))
    if number > event.settings.rounds:
        over = element("p", icon("check"), element("b", _("All planned rounds are played.")))
        more = element("button", _("Draw one more round"), class_="button")
        return joined(over, form(f"/event/{event.id}/draw", more)) if organises else over
    if not organises:
        return Html("")
    draw = element("button", _("Draw round {number}").format(number=number), class_="button strong")
    return form(f"/event/{event.id}/draw", draw)


def _ways(event: ClubEvent) -> Html:
    ways = [element("a", _("Standings for the big screen"), href=f"/event/{event.id}/screen")]
    if event.rounds:
        ways.append(element("a", _("Table cards to print"), href=f"/event/{event.id}/cards/{len(event.rounds)}"))
    return element("nav", *ways, *exports(event), class_="ways")


def exports(event: ClubEvent) -> list[Html]:
    """The ways to what an event leaves: a page, standings, everything, the log."""
    names = dict(zip(FORMATS, (_("Page to print"), "CSV", "JSON", _("Log")), strict=True))
    return [element("a", name, href=f"/event/{event.id}/{file}", download=True) for file, name in names.items()]


def _players(event: ClubEvent) -> Html:
    count = len(event.playing)
    gone = len(event.players) - count
    told = plural("{count} player", "{count} players", count).format(count=count)
    if gone:
        told += " · " + plural("{count} has left", "{count} have left", gone).format(count=gone)
    names = names_in_line(player.name for player in event.players.values() if not player.has_left)
    summary = element("summary", element("h2", _("Players")), element("span", told, class_="quiet"))
    return element(
        "details", summary, element("p", names), class_="paper folded", open=not event.rounds and bool(names)
    )


def _log(context: Context, event: ClubEvent) -> Html:
    lines = [element("li", told, value=str(number)) for number, told in latest_lines(event, context.overview.name_of)]
    summary = element("summary", element("h2", _("What was written down")))
    return element("details", summary, element("ol", *lines, class_="log"), class_="paper history folded")


def _organise(context: Context, event: ClubEvent) -> Html:
    """What an organiser may change; outside of what is replaced, so that nothing is lost while somebody types."""
    add = _players_form(event.id)
    leave = _choice(event.id, "leave", _("Has left"), [each for each in event.players.values() if not each.has_left])
    come = _choice(event.id, "return", _("Is back"), [each for each in event.players.values() if each.has_left])
    tables = _tables_forms(context, event)
    rename = _choice(event.id, "rename", _("Rename"), event.players.values(), element(
        "input", name="name", maxlength=str(LONGEST_NAME), required=True, aria_label=_("Name")
    ))  # fmt: skip
    summary = element("summary", element("h2", _("Organise")))
    return element(
        "details",
        summary,
        add,
        leave,
        come,
        rename,
        tables,
        _replan_form(event),
        element("p", _away(event)),
        class_="paper organise folded",
        open=not event.players,
    )


def _away(event: ClubEvent) -> Html:
    words = _("Delete") if event.is_archived else _("Archive or delete")
    return element("a", words, href=f"/event/{event.id}/archive", class_="button")


def _take_out(event: ClubEvent) -> Html:
    """What an organiser may do with an archived event."""
    out = form(f"/event/{event.id}/take-out", element("button", _("Take it out of the archive"), class_="button"))
    return element("section", out, _away(event), class_="paper deeds")


def _players_form(event_id: str, names: str = "") -> Html:
    return form(
        f"/event/{event_id}/players",
        element("textarea", names, name="names", rows="6", aria_label=_("Names, one a line"),
                placeholder=_("Names, one a line")),
        element("label", element("span", _("or a file (CSV)")), element("input", type="file", name="file",
                accept=".csv,.txt,text/csv,text/plain")),
        element("button", _("Add players"), class_="button"), enctype=MULTIPART, class_="fields",
    )  # fmt: skip


def _in_order_form(event_id: str, words: str, *, disabled: bool = False) -> Html:
    take = element("button", _("Take the registered tables by their numbers"), class_="button", disabled=disabled)
    return form(f"/event/{event_id}/tables", element("p", words), take, enctype=MULTIPART)


def _tables_forms(context: Context, event: ClubEvent) -> Html:
    """Which published table each table of the event is."""
    registered = {table.table_id: table for table in sorted(context.overview.all(), key=lambda each: each.place)}
    told = context.overview.name_of
    named = ", ".join(f"{number} → {told(identity)}" for number, identity in sorted(event.tables.items()))
    words = _("Tablets: {names}").format(names=named) if named else _("No table of this event has a tablet yet.")
    places = {number: registered[identity].place for number, identity in event.tables.items() if identity in registered}
    if places == {number: number for number in range(1, event.settings.tables + 1)}:
        words = _("Each table is the tablet with its number.")
    in_order = _in_order_form(event.id, words, disabled=not registered)
    if not registered:
        return in_order
    options = [element("option", told(identity), value=identity) for identity in registered]
    options.append(element("option", _("no tablet"), value=""))
    one = form(
        f"/event/{event.id}/table",
        labelled(_("Table"), number_field("table", 1, event.settings.tables)),
        element("span", "→"), element("select", *options, name="identity", aria_label=_("Tablet")),
        element("button", _("Take this tablet"), class_="button"), enctype=MULTIPART, class_="deeds",
    )  # fmt: skip
    return joined(in_order, one)


def _replan_form(event: ClubEvent) -> Html:
    settings, drawn = event.settings, len(event.rounds)
    low, high = settings.seats
    return form(
        f"/event/{event.id}/replan",
        labelled(_("Players at a table"), number_field("preferred", settings.preferred, high, low)),
        labelled(_("Tables"), number_field("tables", settings.tables, MOST_TABLES)),
        labelled(_("Rounds"), number_field("rounds", max(settings.rounds, drawn), MOST_ROUNDS, max(1, drawn))),
        labelled(_("Rounds drawn by lot"), number_field("by_lot", settings.by_lot, MOST_ROUNDS, 0)),
        element("button", _("Plan anew"), class_="button"),
        enctype=MULTIPART,
        class_="fields",
    )


def _choice(event_id: str, deed: str, words: str, players: Iterable[Entrant], *more: Html) -> Html:
    players = sorted(players, key=lambda each: by_letters(each.name))
    options = [element("option", player.name, value=str(player.number)) for player in players]
    if not options:
        return Html("")
    chosen = element("select", *options, name="player", aria_label=_("Player"))
    return form(
        f"/event/{event_id}/{deed}", chosen, *more, element("button", words, class_="button"), enctype=MULTIPART
    )


def follow(context: Context, query: Query) -> Following:
    """What changes on an event's page."""
    organises = query.get("organises") == "yes"
    return following(
        context,
        query.get("event", "")[:64],
        lambda event: _signature(context, event),
        lambda event: event_part(context, event, organises=organises),
    )


def _signature(context: Context, event: ClubEvent) -> str:
    """What tells two states of the page apart: the log, and what its tables are doing."""
    told = []
    for number in event.open_tables:
        shown = context.overview.table(event.tables.get(number, ""))
        told.append(f"{shown.situation[0] if shown else ''}{shown.game if shown else ''}")
        told.append("!" if context.events.problem(event, number) else "")
    told += [str(context.events.other_result(event, number)) for _round, number in event.results]
    return f"{len(event.entries)}-{crc32(' '.join(told).encode())}"


async def changed(
    context: Context, request: Request, made: object, again: Html | None = None, back: tuple[str, str] | None = None
) -> Response:
    """Change the event of an address, and show it; `made` gives the changes of an event as it stands. `again` is a form
    with what was written, for who must mend it, `back` the address to which the refusal leads, and what it is called.
    """
    event_id = request.path_params["event_id"]
    try:
        event = await context.from_database(lambda: context.events.change(event_id, ORGANISER, made))  # type: ignore[arg-type]
    except EventRefused as error:
        address, words = back or (f"/event/{event_id}", "")
        return problem_page(context, request, error_sentence(error), address, words, again)
    except InvalidDocument as error:  # begins with the name of a file
        return problem_page(context, request, error_text(error), f"/event/{event_id}", again=again)
    context.tell_pages()
    return html(said_page(request, not_there()), 404) if event is None else back_to(f"/event/{event_id}")


async def draw(context: Context, request: Request) -> Response:
    """Draw the next round."""
    return await changed(context, request, lambda event: [next_round(event)])


async def players(context: Context, request: Request) -> Response:
    """Add players from a list or a file."""
    posted, event_id = await posted_file(request), request.path_params["event_id"]
    if posted is None:
        told = _("That is larger than {size} KiB, which no list of players needs.").format(size=MAXIMUM_BYTES >> 10)
        return problem_page(context, request, told, f"/event/{event_id}")
    written = [(_("list"), posted.text("names").encode()), (posted.file_name, posted.file)]
    lists = [(source, data) for source, data in written if data] or [(posted.file_name or _("list"), b"")]

    understood: dict[str, Sentence] = {}

    def joining(event: ClubEvent) -> list[Change]:
        there, names = [player.name for player in event.players.values()], list[str]()
        for source, data in lists:
            found = read_entrants(data, source, [*there, *names])
            names += found.names
            if found.understood is not None:
                understood[source] = found.understood
        return [Joined(number, name) for number, name in enumerate(names, len(event.players) + 1)]

    again = _players_form(event_id, posted.text("names")) if not posted.file else None
    answer = await changed(context, request, joining, again)
    if answer.status_code != HTTPStatus.SEE_OTHER or not understood:
        return answer
    notes = [ended(f"{source}: {error_text(ValueError(told))}") for source, told in understood.items()]
    return note_page(context, request, _("The players were added"), notes, f"/event/{event_id}")


async def leave(context: Context, request: Request) -> Response:
    """A player plays no further rounds."""
    number = (await posted_file(request) or Posted()).number("player", 1, 10_000) or 0
    return await changed(context, request, lambda _event: [Left(number)])


async def come_back(context: Context, request: Request) -> Response:
    """A player plays again."""
    number = (await posted_file(request) or Posted()).number("player", 1, 10_000) or 0
    return await changed(context, request, lambda _event: [Returned(number)])


async def rename(context: Context, request: Request) -> Response:
    """A player is called otherwise."""
    posted = await posted_file(request) or Posted()
    number, name = posted.number("player", 1, 10_000) or 0, with_plain_blanks(posted.text("name"))

    def renamed(_event: ClubEvent) -> list[Change]:
        if problem := formula_problem(name):
            raise EventRefused(sentence("player {player}: the name {problem}", player=number, problem=problem))
        return [Renamed(number, name)]

    return await changed(context, request, renamed)


async def replan(context: Context, request: Request) -> Response:
    """Change how many tables, players at each and rounds there are from now on."""
    posted = await posted_file(request) or Posted()
    given = [posted.number(name, 0, MOST_TABLES) for name in ("preferred", "rounds", "by_lot", "tables")]
    wanted = Replanned(*(-1 if number is None else number for number in given))
    return await changed(context, request, lambda event: [plan_anew(event, wanted)])


async def tables(context: Context, request: Request) -> Response:
    """Let the registered tables be those of the event, by their numbers."""
    return await changed(context, request, lambda event: tables_in_order(context, event))


async def name_table(context: Context, request: Request) -> Response:
    """Let one table of the event be another registered one, or none; where it was another table, these change."""
    posted = await posted_file(request) or Posted()
    number, identity = posted.number("table", 1, MOST_TABLES) or 0, posted.text("identity")

    def named(event: ClubEvent) -> list[Change]:
        if identity and context.overview.table(identity) is None:
            raise EventRefused(not_there())
        other = next((each for each, name in event.tables.items() if name == identity and each != number), 0)
        freed = [TableNamed(other, ""), TableNamed(number, identity)] if other else [TableNamed(number, identity)]
        before = event.tables.get(number, "")
        return [*freed, TableNamed(other, before)] if other and before else list[Change](freed)

    return await changed(context, request, named)


PAGES = (
    HubPage("/event/{event_id}", show),
    HubPage("/event/{event_id}/table", name_table, Role.ORGANISE, "POST"),
    HubPage("/event/{event_id}/draw", draw, Role.ORGANISE, "POST"),
    HubPage("/event/{event_id}/players", players, Role.ORGANISE, "POST"),
    HubPage("/event/{event_id}/leave", leave, Role.ORGANISE, "POST"),
    HubPage("/event/{event_id}/return", come_back, Role.ORGANISE, "POST"),
    HubPage("/event/{event_id}/rename", rename, Role.ORGANISE, "POST"),
    HubPage("/event/{event_id}/replan", replan, Role.ORGANISE, "POST"),
    HubPage("/event/{event_id}/tables", tables, Role.ORGANISE, "POST"),
)
LIVE = {"event": follow}
