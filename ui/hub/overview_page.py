"""All tables, the most urgent first, in tabs by situation or found by a player's or a table's name."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from companion.event.event import ClubEvent
from companion.wording.spelling import finding
from ui.hub.cards import SIGNS, Size, situation_words, size_for
from ui.hub.context import Context, Following, HubPage, Query, ShownPage, Unreachable, html, may_organise
from ui.hub.frame import count_line, way, whole_page
from ui.hub.overview import ShownTable, Situation, by_urgency
from ui.hub.parts import element_id, laurel_sign, several
from ui.hub.passwords import Role
from ui.hub.seated_players import seated_part
from ui.services.text import _, capitalised
from ui.web.icons import icon
from ui.web.markup import Html, element

MOST_SHOWN = 400
"""tables on one page; the others are found by situation or by name"""
A_SECOND = 1.0
"""seconds after which a card may change again on a page"""
LONGEST_SEARCH = 80


async def show(context: Context, request: Request) -> Response:
    """The overview."""
    situation = situation_named(request.query_params.get("situation", ""))
    words = request.query_params.get("words", "").strip()[:LONGEST_SEARCH]
    now, before = _found(context.overview.all(), situation, words, await _played(context, words))
    found = len(now) + len(before)
    size, organises = size_for(found), may_organise(request)
    now = sorted(now, key=by_urgency)[:MOST_SHOWN]
    before = sorted(before, key=by_urgency)[: MOST_SHOWN - len(now)]

    def grid_of(tables: Sequence[ShownTable], **more: str) -> Html:
        cards = (context.cards.card(table, size, organises=organises) for table in tables)
        return element("section", *cards, class_=f"tables {size}", **more)

    query = {"situation": situation or "", "words": words, "size": size.value, "shown": str(len(now) + len(before))}
    query |= {"organises": "yes" if organises else "", "before": " ".join(table.table_id for table in before)}
    more = [tabs(context, situation), grid_of(now, id="tables")]
    if before:
        more += [element("h2", _("In an earlier game at these tables")), grid_of(before)]
    if found > MOST_SHOWN:
        more.append(element("p", _("and {count} more: search, or choose what they are doing").format(
            count=found - MOST_SHOWN), class_="more"))  # fmt: skip
    events = await _open_events(context)
    seated = seated_part(events, words) if words and situation is None else Html("")
    if seated:
        more.insert(1, seated)
    elif not found:
        none = _none_yet(context, is_sought=bool(words), organises=organises)
        more.append(element("div", *none, class_="paper narrow none"))
    event = _only_played(events)
    first = [] if event is None else [way(f"/event/{event.id}/standings", laurel_sign(), _("Standings"))]
    page = whole_page(
        context, request, *more, title=_("Many tables") if event is None else event.settings.name, follow="overview",
        query=query, search=words, kind="overview", first=first,
    )  # fmt: skip
    return html(page)


async def _open_events(context: Context) -> list[ClubEvent]:
    """The events that are not archived, as this hub knows them; none where it has just begun and cannot ask."""
    store = context.events.store
    known = store.known_open()
    if known is not None:
        return known
    try:
        return await context.from_database(store.open)
    except Unreachable:
        return []


def _only_played(events: Iterable[ClubEvent]) -> ClubEvent | None:
    """The event that is played, whose evening it is then; None where there is none, or more than one."""
    played = [event for event in events if event.rounds]
    return played[0] if len(played) == 1 else None


def tabs(context: Context, chosen: Situation | None) -> Html:
    """The situations with how many tables are in each; those of which there are none are left out."""
    counts, words = context.overview.counts(), situation_words()
    all_ = element(
        "a", _("All"), element("b", str(sum(counts.values()))), href="/", aria_current=None if chosen else "page"
    )  # fmt: skip
    others = [
        element(
            "a", icon(SIGNS[each]), element("span", capitalised(words[each])), element("b", str(counts[each])),
            href=f"/?{urlencode({'situation': each.value})}", aria_current="page" if each is chosen else None,
        )
        for each in Situation
        if counts[each] or each is chosen
    ]  # fmt: skip
    return element("nav", all_, *others, class_="tabs", id="tabs", aria_label=_("Situations"))


def situation_named(name: str) -> Situation | None:
    """The situation of a name in an address; None for all."""
    return Situation(name) if name in Situation.__members__.values() else None


def follow(context: Context, query: Query) -> Following:
    """What changes on an overview: the tabs, and each card at most once a second."""
    situation = situation_named(query.get("situation", ""))
    words, organises = query.get("words", "")[:LONGEST_SEARCH], query.get("organises") == "yes"
    size = Size(query["size"]) if query.get("size") in Size.__members__.values() else Size.ROW
    run, _dash, have = query.get("have", "").rpartition("-")
    revision = int(have) if run == context.run and have.isdecimal() else 0
    before = frozenset(query.get("before", "").split()[:MOST_SHOWN])
    found, others = _found(context.overview.all(), situation, words, before)
    on_page = {table.table_id for each in (found, others) for table in sorted(each, key=by_urgency)[:MOST_SHOWN]}
    fits = _fitting(situation, words)
    sent: dict[str, float] = {}
    waiting: set[str] = set()
    at, counted, state = revision, "", ""

    def current() -> ShownPage:
        nonlocal at, counted, state
        at, changed, removed = context.overview.changed_since(at)
        now = time.monotonic()
        waiting.update(table.table_id for table in changed)
        parts = [element("article", id=element_id(each), hx_swap_oob="delete") for each in removed if each in on_page]
        on_page.difference_update(removed)
        for table_id in sorted(waiting):
            if now - sent.get(table_id, -A_SECOND) < A_SECOND:
                continue
            waiting.discard(table_id)
            table = context.overview.table(table_id)
            if table is None:
                continue
            sent[table_id] = now
            if fits(table) or (table_id in before and _is_in(table, situation)):
                card = context.cards.card(table, size, organises=organises)
                parts.append(_replacing(card) if table_id in on_page else _added(card))
                on_page.add(table_id)
            elif table_id in on_page:
                on_page.discard(table_id)
                parts.append(element("article", id=element_id(table_id), hx_swap_oob="delete"))
        told = tabs(context, situation)
        if told != counted:
            counted = told
            parts.append(_replacing(told, "nav"))
        line = count_line(context, replaces=True)
        if line != state:
            state = line
            parts.append(line)
        return f"{context.run}-{at}.{len(waiting)}.{hash(state)}", several(*parts)

    return current


def _replacing(part: Html, tag: str = "article") -> Html:
    return Html(part.replace(f"<{tag} ", f'<{tag} hx-swap-oob="true" ', 1))


def _added(card: Html) -> Html:
    return element("div", card, hx_swap_oob="beforeend:#tables")


async def _played(context: Context, words: str) -> frozenset[str]:
    """The tables at which somebody of a name has played before."""
    if not words:
        return frozenset()
    return frozenset(await context.from_database(lambda: context.storing.tables_with(words)))


def _found(
    tables: Iterable[ShownTable], situation: Situation | None, words: str, played: Collection[str]
) -> tuple[list[ShownTable], list[ShownTable]]:
    """The tables in a situation that are found by what they show now, and those by who has played there before."""
    fits, now, before = _fitting(situation, words), [], []
    for table in tables:
        if fits(table):
            now.append(table)
        elif table.table_id in played and _is_in(table, situation):
            before.append(table)
    return now, before


def _fitting(situation: Situation | None, words: str) -> Callable[[ShownTable], bool]:
    """Whether a table is in a situation and shows what is looked for."""
    is_sought = finding(words)

    def fits(table: ShownTable) -> bool:
        told = (table.name, table.title, str(table.place), *(player.name for player in table.players))
        return _is_in(table, situation) and (not words or any(map(is_sought, told)))

    return fits


def _is_in(table: ShownTable, situation: Situation | None) -> bool:
    return situation is None or table.situation is situation


def _none_yet(context: Context, *, is_sought: bool, organises: bool) -> list[Html]:
    if is_sought or len(context.overview):
        return [element("p", _("No table is like that."))]
    if not organises:
        return [element("p", _("No table is registered yet."))]
    told = element("p", _("No table is registered yet: New table shows the code that registers one."))
    return [told, element("p", element("a", _("New table"), href="/register", class_="button"))]


PAGES = (HubPage("/", show, Role.WATCH),)
LIVE = {"overview": follow}
