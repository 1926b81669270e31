"""One table, live: its board, players, what is disputed with its rule, and what has happened."""

from __future__ import annotations

import json
import time
from datetime import datetime
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from companion.publishing.messages import JudgeWord
from companion.publishing.table_state import TableState
from companion.wording.characters import is_plain_text
from companion.wording.spelling import look_alike
from ui.hub.batches import Reason
from ui.hub.cards import deeds, entries_words, game_name, minutes, pill, players_list
from ui.hub.context import Context, Following, HubPage, Query, ShownPage, back_to, html, may_organise, not_there
from ui.hub.event_forms import problem_page
from ui.hub.frame import said_page, whole_page
from ui.hub.histories import History
from ui.hub.overview import ShownTable, Situation
from ui.hub.parts import form
from ui.hub.passwords import Role
from ui.hub.refused_page import reasons
from ui.services.text import _, plural
from ui.web.forms import form_of
from ui.web.icons import icon
from ui.web.markup import Html, element, joined

LONGEST_NAME = 60
HIGHEST_PLACE = 99_999
COPY_SHOWN = 3600.0
"""seconds for which a table's page tells that there is a copy of it, after that told something last"""
IS_BEHIND = "quiet behind"
"""the class of the note that entries are on their way: another hub may have them in a moment"""


async def show(context: Context, request: Request) -> Response:
    """The page of a table."""
    table = context.overview.table(request.path_params["table_id"])
    if table is None:
        return html(said_page(request, not_there()), 404)
    organises = may_organise(request)
    part = await table_part(context, table, organises=organises)
    query = {"table": table.table_id, "organises": "yes" if organises else ""}
    title = f"{table.place} · {table.name or table.table_id}"
    below = [_organise(context, table)] if organises else []
    return html(whole_page(context, request, part, *below, title=title, follow="table", query=query, kind="one"))


async def table_part(context: Context, table: ShownTable, *, organises: bool) -> Html:
    """All of a table's page that may change."""
    history = History()
    if table.game:
        history = await context.from_database(lambda: context.histories.history(table))
    state, faces = table.state(), context.boards.faces(table.rules, "one-")
    board = context.boards.svg(table.rules, state, faces) if table.game else Html("")
    heading = element(
        "header", element("b", str(table.place), class_="place"),
        element("h2", game_name(state.title) or table.name or table.table_id), pill(table, time.time()),
    )  # fmt: skip
    beside = [heading, players_list(table, faces), _waited_for(table, state, history), verdict_part(state, history),
              _call(table)]  # fmt: skip
    if organises:
        beside += [await _copied(context, table), deeds(table) if table.wants_help else Html("")]
    left = element("section", board or element("p", _nothing_to_draw(table)), class_="left")
    right = element("aside", *beside, class_=f"paper {table.situation}")
    return element(
        "div", left, right, _history(table, history), faces.definitions(), id="table-part", class_="one-table",
        data_at=f"{table.game}:{table.entries}",
    )  # fmt: skip


def _nothing_to_draw(table: ShownTable) -> str:
    return _("The board of this edition is not known here.") if table.game else _("No game is open at this table.")


def _waited_for(table: ShownTable, state: TableState, history: History) -> Html:
    if not table.game or table.situation is Situation.FINISHED:
        return Html("")
    told = joined(icon("clock"), element("span", minutes(time.time() - table.began)))
    return joined(prompt_part(state, history), element("p", told, class_="quiet"))


def prompt_part(state: TableState, history: History) -> Html:
    """What the table waits for: in the language in use where its record is here, else as the table says it."""
    if history.prompt:
        return element("p", history.prompt, class_="prompt")
    return element("p", state.prompt, class_="prompt", lang="en") if state.prompt else Html("")


def verdict_part(state: TableState, history: History) -> Html:
    """What the table disputes, with the rules that forbid it and their sources, likewise."""
    if history.refused is not None:
        told = history.refused.sentences
        rules = [joined(element("p", each), element("small", str(source or ""))) for each, source in told]
        heading = element("h3", icon("cross"), history.refused.headline)
        return element("div", heading, *rules, class_="verdict", role="status")
    if state.verdict is None:
        return Html("")
    rules = [
        joined(element("p", each.sentence), element("small", f"{each.rule}: {each.source}"))
        for each in state.verdict.broken
    ]
    heading = element("h3", icon("cross"), state.verdict.words)
    return element("div", heading, *rules, class_="verdict", role="status", lang="en")


def _call(table: ShownTable) -> Html:
    if not table.wants_help:
        return Html("")
    told = _("The judge is coming") if table.is_judge_coming else _("The table asks for the judge.")
    return element("p", icon("hand"), told, class_="call", role="status")


async def _copied(context: Context, table: ShownTable) -> Html:
    """That two devices speak as this table, while that is not long ago."""
    at = await context.from_database(lambda: context.storing.copied_at(table.table_id))
    if time.time() - at > COPY_SHOWN:
        return Html("")
    told = f"{datetime.fromtimestamp(at).astimezone():%H:%M}: {reasons()[Reason.COPIED]}"
    return element("p", icon("cross"), element("a", told, href="/refused"), class_="problem", role="status")


def _organise(context: Context, table: ShownTable) -> Html:
    """What an organiser may change; outside of what is replaced, so that nothing is lost while somebody types."""
    namesake = _namesake(context, table.table_id, table.name)
    told = (
        _("Table {number} is called {name}, too.").format(number=namesake.place, name=namesake.name) if namesake else ""
    )
    called = element(
        "input", name="name", value=table.name, maxlength=str(LONGEST_NAME), aria_label=_("Name of the table")
    )  # fmt: skip
    place = element(
        "input", name="place", value=str(table.place), maxlength="5", inputmode="numeric",
        aria_label=_("Number of the table"), class_="short",
    )  # fmt: skip
    rename = form(f"/table/{table.table_id}/rename", place, called, element("button", _("Rename"), class_="button"),
                  class_="rename")  # fmt: skip
    forget = element("p", element("a", _("Take this table away …"), href=f"/table/{table.table_id}/forget",
                                  class_="button"))  # fmt: skip
    summary = element("summary", element("h2", _("Organise")))
    note = element("p", told, class_="problem") if told else Html("")
    return element("details", summary, note, rename, forget, class_="paper organise folded", open=bool(told))


def _namesake(context: Context, table_id: str, name: str) -> ShownTable | None:
    """Another registered table that is called alike, with the least number; whatever nobody has named is not."""
    wanted = look_alike(name)
    alike = [each for each in context.overview.all() if each.table_id != table_id and look_alike(each.name) == wanted]
    return min(alike, key=lambda each: each.place, default=None) if wanted else None


def _history(table: ShownTable, history: History) -> Html:
    if not table.game:
        return Html("")
    lines = [
        element("li", line.told, value=str(line.number), class_="undone" if line.undone else None)
        for line in history.lines
    ]
    missing = table.entries - history.entries
    note = Html("")
    if missing > 0:
        note = element("p", _("still on the way: {entries}").format(entries=entries_words(missing)), class_=IS_BEHIND)
    heading = element("h3", _("History"), element("small", entries_words(history.entries)))
    return element("section", heading, note, element("ol", *lines, class_="log"), class_="history paper")


def follow(context: Context, query: Query) -> Following:
    """What changes on a table's page: all of it."""
    table_id, organises = query.get("table", "")[:64], query.get("organises") == "yes"
    last, shown = 0, ""

    async def current() -> ShownPage:
        nonlocal last, shown
        revision, table = context.overview.revision_of(table_id), context.overview.table(table_id)
        if table is None:
            return None
        if revision != last or IS_BEHIND in shown:
            part = await table_part(context, table, organises=organises)
            last, shown = revision, part.replace("<div ", '<div hx-swap-oob="true" ', 1)
        return f"{context.run}-{revision}.{hash(shown)}", shown

    return current


async def coming(context: Context, request: Request) -> Response:
    """The judge says to be coming."""
    table_id = request.path_params["table_id"]

    def said() -> None:
        context.storing.tables.change(table_id, call_taken_at=context.storing.database.now_text())
        context.say(table_id, judge=json.dumps(JudgeWord(_("I’m coming")).document(), ensure_ascii=False))

    await context.from_database(said)
    await context.changed(table_id)
    return back_to(_came_from(request))


async def settled(context: Context, request: Request) -> Response:
    """What the table called for is settled."""
    table_id = request.path_params["table_id"]

    def said() -> None:
        context.storing.tables.change(table_id, call_taken_at="")
        context.say(table_id, judge=json.dumps(JudgeWord("", answered=True).document(), ensure_ascii=False))

    await context.from_database(said)
    await context.changed(table_id)
    return back_to(_came_from(request))


async def rename(context: Context, request: Request) -> Response:
    """The organiser gives a table another name or number, one that no other table has."""
    table = context.overview.table(request.path_params["table_id"])
    if table is None:
        return html(said_page(request, not_there()), 404)
    table_id, given = request.path_params["table_id"], await form_of(request) or {}
    name, place = " ".join(given.get("name", [""])[0].split()), given.get("place", [""])[0].strip()
    number = int(place) if place.isdecimal() and len(place) <= len(str(HIGHEST_PLACE)) else 0
    others = [each for each in context.overview.all() if each.table_id != table_id]
    has_it = next((each for each in others if each.place == number), None)
    namesake = _namesake(context, table_id, name)
    problem = ""
    if not 1 <= number <= HIGHEST_PLACE:
        problem = _("A table has a number from 1 to {most}.").format(most=HIGHEST_PLACE)
    elif has_it is not None:
        told = _("{table} has number {number} already; give that table another one first.")
        problem = told.format(table=has_it.name or has_it.table_id, number=number)
    elif not name and table.name:
        problem = _("The name is blank; write what people call the table.")
    elif len(name) > LONGEST_NAME:
        problem = _("The name has {count} characters; at most {most} fit.").format(count=len(name), most=LONGEST_NAME)
    elif not is_plain_text(name):
        problem = _("The name holds a control character or a line break; write it plainly.")
    elif namesake is not None:
        problem = _("Table {number} is called {name} already.").format(number=namesake.place, name=namesake.name)
    if problem:
        return problem_page(context, request, problem, f"/table/{table_id}", _("Back to the table"))
    await context.from_database(lambda: context.storing.tables.change(table_id, given_name=name, place=number))
    await context.changed(table_id)
    return back_to(f"/table/{table_id}")


async def ask_to_forget(context: Context, request: Request) -> Response:
    """What goes with a table that is taken away, before that is done."""
    table = context.overview.table(request.path_params["table_id"])
    if table is None:
        return html(said_page(request, not_there()), 404)
    games, entries = await context.from_database(lambda: context.storing.amounts(table.table_id))
    going = plural("{count} game", "{count} games", games).format(count=games)
    told = _("With it go its key and what the hub has of it: {games}, {entries}. Results of events stay.")
    later = _("With a code it may register anew, and then tells all its games again.")
    back = element("a", _("Back to the table"), href=f"/table/{table.table_id}", class_="button")
    asked = element(
        "section", element("p", told.format(games=going, entries=entries_words(entries))),
        element("p", later, class_="quiet"),
        form(f"/table/{table.table_id}/forget", back, element("button", _("Take this table away"), class_="button"),
             class_="deeds"),
        class_="paper fields",
    )  # fmt: skip
    title = _("Take {table} away?").format(table=f"{table.place} · {table.name or table.table_id}")
    return html(whole_page(context, request, asked, title=title, kind="plain"))


async def forget(context: Context, request: Request) -> Response:
    """The organiser takes a table away."""
    table_id = request.path_params["table_id"]
    if context.overview.table(table_id) is None:
        return html(said_page(request, not_there()), 404)
    await context.from_database(lambda: context.storing.tables.forget(table_id))
    await context.changed(table_id)
    return back_to("/")


def _came_from(request: Request) -> str:
    """The own page from which a form was sent: the table's, the judge's or the overview as it was searched."""
    sent = urlsplit(request.headers.get("referer", ""))
    if sent.path in ("/judge", f"/table/{request.path_params['table_id']}"):
        return sent.path
    return f"/?{sent.query}" if sent.path == "/" and sent.query else "/"


PAGES = (
    HubPage("/table/{table_id}", show),
    HubPage("/table/{table_id}/coming", coming, Role.ORGANISE, "POST"),
    HubPage("/table/{table_id}/settled", settled, Role.ORGANISE, "POST"),
    HubPage("/table/{table_id}/rename", rename, Role.ORGANISE, "POST"),
    HubPage("/table/{table_id}/forget", ask_to_forget, Role.ORGANISE),
    HubPage("/table/{table_id}/forget", forget, Role.ORGANISE, "POST"),
)
LIVE = {"table": follow}
