"""Changing places in the latest round by hand, before its results are in: two players swapped, or one moved."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from starlette.requests import Request
from starlette.responses import Response

from companion.event.entries import Change, EventRefused, Moved, RoundDrawn, RoundTakenBack, Swapped
from companion.event.event import MOST_TABLES, ClubEvent
from companion.event.reseating import meetings_again, move, swap
from companion.wording.sentences import sentence
from companion.wording.spelling import by_letters
from ui.hub.context import Context, HubPage, html, not_there
from ui.hub.event_forms import Posted, posted_file
from ui.hub.event_page import MULTIPART, changed, event_of
from ui.hub.event_round_part import met_before
from ui.hub.frame import said_page, whole_page
from ui.hub.parts import form, names_in_line
from ui.hub.passwords import Role
from ui.services.text import _
from ui.web.icons import icon
from ui.web.markup import Html, element


async def show(context: Context, request: Request) -> Response:
    """Who sits where in the latest round, and forms to change that."""
    event = await event_of(context, request, newest=True)
    if event is None or not event.open_tables:
        return html(said_page(request, not_there()), 404)
    back = element("a", event.settings.name, href=f"/event/{event.id}")
    note = _("A table that has a result keeps its players; what is changed is written down.")
    deeds = element(
        "section", element("p", f"{met_before(event)}. {note}", class_="quiet"), _swap_form(event), _move_form(event),
        class_="paper fields",
    )  # fmt: skip
    title = _("Places in round {number}").format(number=len(event.rounds))
    parts = [element("p", icon("left"), back, class_="back"), deeds, _seated(event)]
    return html(whole_page(context, request, *parts, title=title, kind="plain"))


def _swap_form(event: ClubEvent) -> Html:
    return form(
        f"/event/{event.id}/seats/swap", _seen(event),
        _players(event, "one", _("Player")), element("span", _("and")), _players(event, "other", _("Other player")),
        element("button", _("Swap"), class_="button"), enctype=MULTIPART, class_="deeds",
    )  # fmt: skip


def _move_form(event: ClubEvent) -> Html:
    tables = [element("option", _("table {number}").format(number=number), value=str(number))
              for number in event.open_tables]  # fmt: skip
    tables.append(element("option", _("Bye"), value="0"))
    return form(
        f"/event/{event.id}/seats/move", _seen(event),
        _players(event, "player", _("Player")), element("span", "→"),
        element("select", *tables, name="table", aria_label=_("Table")),
        element("button", _("Move"), class_="button"), enctype=MULTIPART, class_="deeds",
    )  # fmt: skip


def _latest(event: ClubEvent) -> int:
    """The number of the latest entry about who sits where."""
    about = Moved | RoundDrawn | RoundTakenBack | Swapped
    return next((entry.number for entry in reversed(event.entries) if isinstance(entry.change, about)), 0)


def _seen(event: ClubEvent) -> Html:
    """How places were when a form was made."""
    return element("input", type="hidden", name="seen", value=str(_latest(event)))


def _players(event: ClubEvent, name: str, label: str) -> Html:
    """Everybody who may change places, by name, with the table at which they sit."""
    drawn = event.rounds[-1]
    at = {player: number for number, group in enumerate(drawn.tables, 1) for player in group}
    open_tables = frozenset(event.open_tables)
    numbers = (each for each in {**at, **dict.fromkeys(event.playing)} if at.get(each, 0) in {0, *open_tables})
    no_table = {**dict.fromkeys(event.playing, "–"), **dict.fromkeys(drawn.byes, _("Bye"))}
    options = [
        element("option", f"{event.players[each].name} · {at.get(each) or no_table[each]}", value=str(each))
        for each in sorted(numbers, key=lambda each: by_letters(event.players[each].name))
    ]
    return element("select", *options, name=name, aria_label=label)


def _seated(event: ClubEvent) -> Html:
    drawn, again = event.rounds[-1], meetings_again(event)
    rows = [
        element(
            "tr", element("th", str(number)), element("td", names_in_line(event.names(group))),
            element("td", _pairs(event, again.get(number, ())), class_="quiet"),
        )
        for number, group in enumerate(drawn.tables, 1)
    ]  # fmt: skip
    if drawn.byes:
        rows.append(element("tr", element("th", _("Bye")), element("td", names_in_line(event.names(drawn.byes))),
                            element("td")))  # fmt: skip
    heads = (_("Table"), _("Players"), _("Met before"))
    return element("section", element("table", element("tr", *(element("th", each) for each in heads)), *rows),
                   class_="paper scrolled")  # fmt: skip


def _pairs(event: ClubEvent, pairs: Iterable[tuple[int, int]]) -> str:
    return ", ".join(" – ".join(event.names(pair)) for pair in pairs)


async def _reseated(
    context: Context, request: Request, posted: Posted, reseat: Callable[[ClubEvent], Change]
) -> Response:  # fmt: skip
    """Change places, unless somebody else has done so since the form was made."""

    def changes(event: ClubEvent) -> list[Change]:
        if not event.is_archived and posted.text("seen") not in ("", str(_latest(event))):
            raise EventRefused(sentence("places were changed meanwhile; look who sits where now"))
        return [reseat(event)]

    again = f"/event/{request.path_params['event_id']}/seats", _("Look at the places")
    return await changed(context, request, changes, back=again)


async def swap_places(context: Context, request: Request) -> Response:
    """Two players change places."""
    posted = await posted_file(request) or Posted()
    one, other = (posted.number(name, 1, 10_000) or 0 for name in ("one", "other"))
    return await _reseated(context, request, posted, lambda event: swap(event, one, other))


async def move_player(context: Context, request: Request) -> Response:
    """A player sits at another table."""
    posted = await posted_file(request) or Posted()
    player, table = posted.number("player", 1, 10_000) or 0, posted.number("table", 0, MOST_TABLES)
    return await _reseated(context, request, posted, lambda event: move(event, player, -1 if table is None else table))


PAGES = (
    HubPage("/event/{event_id}/seats", show, Role.ORGANISE),
    HubPage("/event/{event_id}/seats/swap", swap_places, Role.ORGANISE, "POST"),
    HubPage("/event/{event_id}/seats/move", move_player, Role.ORGANISE, "POST"),
)
