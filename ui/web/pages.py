"""Whole pages around what they say, and what an address asks to look at. Every text is escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from companion.wording.spelling import found_parts
from ui.menus.rules_help import HelpView
from ui.services.text import _, language_in_use
from ui.web.htmx import CONFIGURATION, SECONDS_TO_CHOOSE, SECONDS_WITHOUT_SCRIPT
from ui.web.markup import Html, element, joined
from ui.web.roster import ShownPage
from ui.web.streams import CLOSED

BOARD, HISTORY = "board", "history"
"""what a page may show alone"""


@dataclass(frozen=True, slots=True)
class Focus:
    """What of the page its user looks at: a place of the board, a piece of the own hand, a kind of choices, or only the
    board or the history.
    """

    site: str = ""
    piece: str = ""
    tells: bool = False
    """whether the own hand is told once more"""
    alone: str = ""
    """`BOARD` or `HISTORY`, where nothing else is shown"""
    kind: str = ""
    """the heading of the choices that are unfolded"""

    @property
    def query(self) -> str:
        """As the end of an address: "?site=B2", or ""."""
        named = (
            ("site", self.site), ("piece", self.piece), ("tell", "again" if self.tells else ""),
            ("look", self.alone), ("kind", self.kind),
        )  # fmt: skip
        given = {key: value for key, value in named if value}
        return f"?{urlencode(given)}" if given else ""

    @property
    def after_deed(self) -> Focus:
        """What is still looked at once something was done: no place, piece or kind."""
        return Focus(tells=self.tells, alone=self.alone)


def whole_page(
    main: Html, shown: ShownPage, *, title: str, nonce: str, style: str, scripts: tuple[str, ...], focus: Focus,
    is_filled_in: bool = False,
) -> str:  # fmt: skip
    """A page of one phone, on which perhaps something is filled in or chosen.

    `main` of what is shown is what events and answers to taps replace, `scripts` are names of files.
    """
    head = _head(
        title,
        element("meta", name="htmx-config", content=CONFIGURATION),
        element("noscript", element("meta", http_equiv="refresh", content=_anew(focus, is_filled_in))),
        *(element("script", src=f"/static/{name}", defer=True) for name in scripts),
        nonce=nonce,
        style=style,
    )
    address = (
        f"/events{focus.query}{'&' if focus.query else '?'}{urlencode({'have': shown.number, 'deeds': shown.deeds})}"
    )
    gone = element(
        "p", _("The connection is lost: back in a moment."), class_="gone", role="status", sse_swap=CLOSED,
        data_tap=_("Your tap did not arrive: tap once more."),
    )  # fmt: skip
    body = element(
        "body",
        gone,
        element("main", main, id="page", sse_swap="page", hx_target="this"),
        hx_ext="sse",
        sse_connect=address,
    )
    return "<!doctype html>" + element("html", head, body, lang=language_in_use())


def _anew(focus: Focus, is_filled_in: bool) -> str:
    """When to load the page once more; with its address, for one with a "#" in it would not be loaded again."""
    return f"{SECONDS_TO_CHOOSE if is_filled_in else SECONDS_WITHOUT_SCRIPT}; url=/{focus.query}"


def rules_page(rules: HelpView, words: str, *, nonce: str, style: str) -> str:
    """The rules by topic or by words, each with its source."""
    head = _head(_("Rules"), nonce=nonce, style=style)
    topics = [
        element("a", topic.text, href=f"/rules?{urlencode({'topic': topic.key})}", class_="button")
        for topic in rules.topics
    ]
    found = [
        element("div", element("b", _marked(rule.title, words)),
                *(element("p", _marked(line, words)) for line in rule.text.split("\n")),
                element("small", rule.source), class_="card")
        for rule in rules.rules
    ]  # fmt: skip
    count = element("p", rules.count, class_="prompt", role="status") if rules.count else Html("")
    search = element(
        "form", element("label", _("Search the rules"), for_="words"),
        element("input", type="search", name="words", value=words, maxlength="80", id="words"),
        element("button", _("Search")), method="get", action="/rules", class_="search",
    )  # fmt: skip
    body = element(
        "main", element("header", element("h1", _("Rules"))), search, count, *found,
        element("p", rules.note, class_="card"),
        element("section", *topics, class_="grid"), element("section", _way_back()),
    )  # fmt: skip
    return "<!doctype html>" + element("html", head, element("body", body), lang=language_in_use())


def _marked(text: str, words: str) -> Html:
    """A text in which each of the words that are sought is marked."""
    return joined(*(element("mark", part) if is_found else part for part, is_found in found_parts(text, words.split())))


def _head(title: str, *more: Html, nonce: str, style: str) -> Html:
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", Html(style), nonce=nonce),
        *more,
    )


def _way_back() -> Html:
    return element("a", _("Back to the table"), href="/", class_="button")


def plain_page(sentence: str, *, nonce: str, style: str, has_way_back: bool = True, is_entrance: bool = False) -> str:
    """A page that says one sentence, with the way back where there is one, and at the entrance a field for the code."""
    head = _head(sentence, nonce=nonce, style=style)
    back = element("section", _way_back()) if has_way_back else Html("")
    heading = element("header", element("div", element("h1", _("Phones at the table"))))
    entrance = _code_form() if is_entrance else Html("")
    body = element("body", element("main", heading, element("p", sentence, class_="card said"), entrance, back))
    return "<!doctype html>" + element("html", head, body, lang=language_in_use())


def _code_form() -> Html:
    """Where the code is typed by somebody whose phone does not scan it."""
    typed = element(
        "input", name="code", maxlength="40", required=True, autocomplete="off", autocapitalize="none",
        spellcheck="false", aria_label=_("The code beside the picture"),
    )  # fmt: skip
    label = element("label", _("Or type the code beside the picture on the tablet:"), typed)
    return element("form", label, element("button", _("Come in"), class_="strong"), action="/join", class_="card entry")


@dataclass(frozen=True, slots=True)
class Touched:
    """A point of the drawn board that was touched, and how far around it a finger reaches, in units of the drawing."""

    x: float
    y: float
    reach: float


def touched_in(query: Mapping[str, str]) -> Touched | None:
    """Where an address says that the board was touched: "at=120.5,88,20"; None for anything else."""
    numbers = query.get("at", "").split(",")
    if len(numbers) != 3 or not all(re.fullmatch(r"-?\d{1,4}(\.\d{1,3})?", each) for each in numbers):
        return None
    return Touched(*map(float, numbers))


def focus_of(query: Mapping[str, str]) -> Focus:
    """What an address asks to look at; too long texts are nothing."""
    site, piece, kind = query.get("site", ""), query.get("piece", ""), query.get("kind", "")
    return Focus(
        site if len(site) <= 60 else "",
        piece if len(piece) <= 60 else "",
        query.get("tell") == "again",
        look if (look := query.get("look", "")) in {BOARD, HISTORY} else "",
        kind if len(kind) <= 60 else "",
    )
