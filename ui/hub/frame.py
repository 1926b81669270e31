"""The whole page around what it says: head, title, the way to other pages. `NAVIGATION` lists those ways."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request

from ui.drawing.fonts import BOLD, MARBLE_SERIF, REGULAR, SEMI_BOLD
from ui.hub.context import Context, may_organise, role_of
from ui.hub.intake import IntakeProblem
from ui.hub.parts import laurel_sign
from ui.services.text import _, language_in_use, plural
from ui.web.htmx import CONFIGURATION, SECONDS_WITHOUT_SCRIPT
from ui.web.icons import icon
from ui.web.markup import Html, element
from ui.web.static_files import FONT, SHARED, StaticFiles

OWN = Path(__file__).parent / "static"
WAYS_SHOWN = 3
"""ways to other pages that stand beside one another; further ones are folded up"""
SCRIPTS = ("htmx.min.js", "sse.min.js", "hub.js")


class FrameWay(NamedTuple):
    """A way to another page; `label` gives its words in the language in use."""

    address: str
    icon: str
    label: Callable[[], str]
    for_organisers: bool = False


NAVIGATION: list[FrameWay] = [
    FrameWay("/", "home", lambda: _("Tables")),
    FrameWay("/screen", "expand", lambda: _("Big screen")),
    FrameWay("/event", "people", lambda: _("Events")),
    FrameWay("/judge", "hand", lambda: _("Judge")),
    FrameWay("/register", "plus", lambda: _("New table"), for_organisers=True),
    FrameWay("/refused", "eye-off", lambda: _("Not believed"), for_organisers=True),
]


@dataclass(frozen=True, slots=True)
class FrameLook:
    """Style and scripts that all pages share."""

    style: str
    files: StaticFiles


@cache
def look() -> FrameLook:
    """The look of the hub's pages; read once."""
    fonts = (SHARED / FONT, MARBLE_SERIF, REGULAR, SEMI_BOLD, BOLD)
    files = StaticFiles([*(SHARED / name for name in SCRIPTS[:2]), OWN / SCRIPTS[2], *fonts])
    style = (SHARED / "tokens.css").read_text(encoding="utf-8") + "".join(
        (OWN / name).read_text(encoding="utf-8") for name in ("hub.css", "event.css")
    )
    for path in fonts:
        style = style.replace(path.name, files.name(path.name))
    return FrameLook(style, files)


def whole_page(
    context: Context,
    request: Request,
    *contents: Html,
    title: str,
    follow: str = "",
    query: dict[str, str] | None = None,
    search: str = "",
    kind: str = "",
    first: Sequence[Html] = (),
) -> str:
    """A page. With `follow` (a name in a module's LIVE) it follows what changes, asked with `query`; `kind` is a class
    of its body, `first` are ways to other pages that stand before those of all pages.
    """
    live: dict[str, str | bool | None] = {}
    news = Html("")
    if follow:
        asked = {"follow": follow, "have": f"{context.run}-{context.overview.revision}", **(query or {})}
        live = {"hx_ext": "sse", "sse_connect": f"/events?{urlencode(asked)}"}
        news = element("div", id="news", sse_swap="page", hx_swap="none", hidden=True)
    gone = element("p", _("The connection is lost: back in a moment."), class_="gone", role="status")
    body = element(
        "body", gone, news, _header(context, request, title, search, first), element("main", *contents, id="page"),
        class_=kind or None, **live,
    )  # fmt: skip
    return _document(request, title, body, follows=bool(follow))


def bare_page(request: Request, *contents: Html, title: str, kind: str = "bare") -> str:
    """A page without ways to others."""
    return _document(request, title, element("body", element("main", *contents, id="page"), class_=kind), follows=False)


def said_page(request: Request, sentence: str) -> str:
    """A page that says one sentence."""
    back = element("p", element("a", _("Back to the tables"), href="/", class_="button"))
    said = element("section", element("h1", _heading()), element("p", sentence), back, class_="paper narrow")
    return bare_page(request, said, title=sentence)


def ways(context: Context, request: Request) -> Sequence[Html]:
    """The ways to other pages that are open to who asks."""
    here = request.url.path
    return [
        way(each.address, icon(each.icon), each.label())
        for each in NAVIGATION
        if each.address != here and (may_organise(request) or not each.for_organisers)
    ]


def _heading() -> str:
    return _("Many tables")


def count_line(context: Context, *, replaces: bool = False) -> Html:
    """How many tables there are, or what is wrong with the hub itself."""
    count, intake = len(context.overview), context.intake
    told = plural("{count} table", "{count} tables", count).format(count=count)
    problem = ""
    if not intake.is_connected:
        problem = _("The broker cannot be reached: this is how the tables were.")
    elif intake.problem is IntakeProblem.FULL:
        problem = _("The disk of the database is full: make room on it. Nothing is lost.")
    elif intake.problem:
        problem = _("The database cannot be reached; nothing is lost.")
    return element(
        "p", problem or told, id="table-count", class_="problem" if problem else None,
        hx_swap_oob="true" if replaces else None,
    )  # fmt: skip


def way(address: str, sign: Html, words: str) -> Html:
    """A way to another page."""
    return element("a", sign, element("span", words), href=address, class_="way")


def _header(context: Context, request: Request, title: str, search: str, first: Sequence[Html]) -> Html:
    asked = element(
        "form", icon("search"),
        element("input", type="search", name="words", value=search, maxlength="80", placeholder=_("Player or table"),
                aria_label=_("Search for a player or a table")),
        method="get", action="/", class_="search", role="search",
    )  # fmt: skip
    name = element("a", laurel_sign(), element("h1", title), href="/", class_="name")
    open_ways = [*first, *ways(context, request)]
    shown, folded = open_ways[:WAYS_SHOWN], open_ways[WAYS_SHOWN:]
    more = element("summary", element("span", _("More")), class_="way")
    leave = element("a", _("Leave"), href="/leave", class_="way quiet") if role_of(request) else Html("")
    return element(
        "header", name, count_line(context), asked,
        element("nav", *shown, element("details", more, element("div", *folded, leave), class_="more-ways")),
        class_="top",
    )  # fmt: skip


def _document(request: Request, title: str, body: Html, *, follows: bool) -> str:
    shared = look()
    scripts = [element("script", src=f"/static/{shared.files.name(name)}", defer=True) for name in SCRIPTS]
    without_script = element("noscript", element("meta", http_equiv="refresh", content=SECONDS_WITHOUT_SCRIPT))
    head = element(
        "head", element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"), element("title", title),
        element("meta", name="htmx-config", content=CONFIGURATION),
        without_script if follows else "",
        element("style", Html(shared.style), nonce=request.scope["nonce"]), *scripts,
    )  # fmt: skip
    return "<!doctype html>" + element("html", head, body, lang=language_in_use())
