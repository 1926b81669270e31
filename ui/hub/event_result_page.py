"""The result of one table, entered or corrected by hand; whatever was written before stays to be seen."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from companion.event.entries import Change, EventRefused, ResultKnown, ResultTakenBack
from companion.event.event import MOST_POINTS, ClubEvent
from companion.event.log_text import LONGEST_REASON
from companion.event.results import ranked_against_points, ranks_of
from companion.wording.characters import without_controls
from companion.wording.sentences import sentence
from ui.hub.context import Context, HubPage, html, not_there
from ui.hub.event_forms import Posted, posted_file
from ui.hub.event_list_page import labelled
from ui.hub.event_log_lines import line_of, result_entries
from ui.hub.event_page import MULTIPART, changed, event_of
from ui.hub.frame import said_page, whole_page
from ui.hub.parts import form
from ui.hub.passwords import Role
from ui.services.text import _
from ui.web.icons import icon
from ui.web.markup import Html, element


async def show(context: Context, request: Request) -> Response:
    """The form of a table's result, with its trail."""
    event, where = await event_of(context, request), _where(request)
    if event is None or where is None or not _was_drawn(event, *where):
        return html(said_page(request, not_there()), 404)
    number, table = where
    result = event.results.get(where)
    address = f"/event/{event.id}/result/{number}/{table}"
    entry = element("section", _entry_form(event, number, table, _fields(result)), class_="paper")
    back = element("a", event.settings.name, href=f"/event/{event.id}")
    parts = [element("p", icon("left"), back, class_="back"), entry]
    entries, name_of = result_entries(event, number, table), context.overview.name_of
    lines = [element("li", line_of(event, entry, name_of), value=str(entry.number)) for entry in entries]
    if result and number == len(event.rounds):
        why = element("input", name="reason", maxlength=str(LONGEST_REASON), required=True)
        deed, known = element("button", _("Take the result back"), class_="button"), _seen(event, number, table)
        asked = labelled(_("Why"), why)
        parts.append(form(f"{address}/back", known, asked, deed, enctype=MULTIPART, class_="paper fields"))
    if lines:
        parts.append(element("section", element("h2", _("What was written down")), element("ol", *lines, class_="log"),
                             class_="paper history"))  # fmt: skip
    title = _("Round {round}, table {table}").format(round=number, table=table)
    return html(whole_page(context, request, *parts, title=title, kind="plain"))


def _entry_form(event: ClubEvent, number: int, table: int, fields: Mapping[str, str]) -> Html:
    """The form for points and ranks, with what stands in its fields."""
    has_result = (number, table) in event.results
    rows = [
        element("tr", element("td", name), element("td", _points(seat, fields)), element("td", _rank(seat, fields)))
        for seat, name in enumerate(event.names(event.rounds[number - 1].tables[table - 1]), 1)
    ]
    points, ranks = (_numbers(fields, name, len(rows)) for name in ("points", "rank"))
    meant = Html("")
    if ranked_against_points(points, ranks) is not None:
        meant = element("label", element("input", type="checkbox", name="meant", value="yes"),
                        element("span", _("The ranks are meant so, though others have more points")))  # fmt: skip
    heads = element("tr", element("th", _("Player")), element("th", _("Points")), element("th", _("Rank")))
    reason = element(
        "input", name="reason", value=fields.get("reason", ""), maxlength=str(LONGEST_REASON), required=has_result
    )
    return form(
        f"/event/{event.id}/result/{number}/{table}", _seen(event, number, table), element("table", heads, *rows),
        element("p", _("Leave the ranks empty where the points decide."), class_="quiet"), meant,
        labelled(_("Why it is corrected"), reason) if has_result else Html(""),
        element("button", _("Correct") if has_result else _("Enter the result"), class_="button strong"),
        enctype=MULTIPART, class_="fields",
    )  # fmt: skip


def _latest(event: ClubEvent, number: int, table: int) -> int:
    """The number of the latest entry about the result of a table; 0 for none."""
    return max((entry.number for entry in result_entries(event, number, table)), default=0)


def _seen(event: ClubEvent, number: int, table: int) -> Html:
    """What had been written about a result when its form was made."""
    return element("input", type="hidden", name="seen", value=str(_latest(event, number, table)))


def _check_seen(posted: Posted, event: ClubEvent, number: int, table: int) -> None:
    """Refuse what was written without knowing the latest result: somebody else, or the table, was faster."""
    if event.is_archived or posted.text("seen") in ("", str(_latest(event, number, table))):
        return
    result = event.results.get((number, table))
    points = " : ".join(map(str, result.points)) if result else "–"
    told = sentence(
        "meanwhile the result has become {points}; write yours once more if it holds all the same", points=points
    )
    raise EventRefused(told)


def _fields(result: ResultKnown | None) -> dict[str, str]:
    """What stands in the fields of a result; ranks only where the points do not decide."""
    if result is None:
        return {}
    ranks = result.ranks if result.ranks != ranks_of(result.points) else ()
    points = {f"points-{seat}": str(each) for seat, each in enumerate(result.points, 1)}
    return points | {f"rank-{seat}": str(each) for seat, each in enumerate(ranks, 1)}


def _numbers(fields: Mapping[str, str], name: str, count: int) -> list[int]:
    """The points or ranks that stand in the fields of a form; none where one of them is no number."""
    found = [Posted(fields).number(f"{name}-{seat}", -MOST_POINTS, MOST_POINTS) for seat in range(1, count + 1)]
    return [each for each in found if each is not None] if None not in found else []


def _points(seat: int, fields: Mapping[str, str]) -> Html:
    value = fields.get(f"points-{seat}", "")
    return element(
        "input", name=f"points-{seat}", value=value, inputmode="numeric", class_="short", required=True,
        aria_label=_("Points"), maxlength="8",
    )  # fmt: skip


def _rank(seat: int, fields: Mapping[str, str]) -> Html:
    value = fields.get(f"rank-{seat}", "")
    return element(
        "input", name=f"rank-{seat}", value=value, inputmode="numeric", class_="short", aria_label=_("Rank"),
        maxlength="1",
    )  # fmt: skip


def _where(request: Request) -> tuple[int, int] | None:
    texts = request.path_params["round"], request.path_params["table"]
    if not all(text.isdecimal() and len(text) <= 4 for text in texts):
        return None
    return int(texts[0]), int(texts[1])


def _was_drawn(event: ClubEvent, number: int, table: int) -> bool:
    return 1 <= number <= len(event.rounds) and 1 <= table <= len(event.rounds[number - 1].tables)


async def enter(context: Context, request: Request) -> Response:
    """Write a result down."""
    posted, where = await posted_file(request) or Posted(), _where(request)

    def entered(event: ClubEvent) -> list[Change]:
        if where is None or not _was_drawn(event, *where):
            raise EventRefused(not_there())
        _check_seen(posted, event, *where)
        seats = range(1, len(event.rounds[where[0] - 1].tables[where[1] - 1]) + 1)
        points = [posted.number(f"points-{seat}", -MOST_POINTS, MOST_POINTS) for seat in seats]
        ranks = [posted.number(f"rank-{seat}", 1, len(seats)) for seat in seats]
        known = [each for each in points if each is not None]
        given = [each for each in ranks if each is not None]
        asked = [seat for seat in seats if posted.text(f"rank-{seat}")]
        if len(known) != len(seats):
            players = event.rounds[where[0] - 1].tables[where[1] - 1]
            names = event.names(tuple(player for player, each in zip(players, points, strict=True) if each is None))
            told = sentence(
                "{names}: write whole points, from -{most} to {most}", names=", ".join(names), most=MOST_POINTS
            )
            raise EventRefused(told)
        if asked and len(given) != len(seats):
            raise EventRefused(sentence("write ranks from 1 to {last} for all players, or for none", last=len(seats)))
        against = ranked_against_points(known, given)
        if against is not None and not posted.text("meant"):
            better, worse = event.names(tuple(event.rounds[where[0] - 1].tables[where[1] - 1][at] for at in against))
            told = sentence(
                "{better} has fewer points than {worse}, and no worse rank; empty the ranks where the points decide, "
                "or say that it is meant", better=better, worse=worse,
            )  # fmt: skip
            raise EventRefused(told)
        reason = without_controls(posted.text("reason"))[:LONGEST_REASON]
        return [ResultKnown(*where, tuple(known), tuple(given) or ranks_of(known), reason=reason)]

    event = await event_of(context, request)
    known = event is not None and where is not None and _was_drawn(event, *where)
    again = _entry_form(event, *where, posted.fields) if known and event is not None and where is not None else None
    return await changed(context, request, entered, again)


async def take_back(context: Context, request: Request) -> Response:
    """Write down that a table has no result after all."""
    posted, where = await posted_file(request) or Posted(), _where(request) or (0, 0)
    reason = without_controls(posted.text("reason"))[:LONGEST_REASON]

    def taken_back(event: ClubEvent) -> list[Change]:
        _check_seen(posted, event, *where)
        return [ResultTakenBack(*where, reason)]

    return await changed(context, request, taken_back)


PAGES = (
    HubPage("/event/{event_id}/result/{round}/{table}", show, Role.ORGANISE),
    HubPage("/event/{event_id}/result/{round}/{table}", enter, Role.ORGANISE, "POST"),
    HubPage("/event/{event_id}/result/{round}/{table}/back", take_back, Role.ORGANISE, "POST"),
)
