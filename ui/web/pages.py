"""The pages of phones, made of their views. Sentences come from the view or a catalogue; every text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from urllib.parse import urlencode

from companion.board.layout import Board
from ui.drawing.theme import seal_of
from ui.menus.rules_help import HelpView
from ui.services.text import _, language_in_use
from ui.view_models.phone_view import PhoneChoice, PhoneView
from ui.view_models.play_view import PlayerView, ScoreView, VerdictKind, VerdictView
from ui.web.board_svg import touch_map
from ui.web.markup import Html, element, joined
from ui.web.roster import Shown

CONFIGURATION = (
    '{"allowEval":false,"includeIndicatorStyles":false,"selfRequestsOnly":true,"historyEnabled":false,'
    '"allowScriptTags":false}'
)
"""of htmx: nothing that a strict content security policy would refuse"""
SECONDS_WITHOUT_SCRIPT = "4"
"""after which a page without script is loaded anew"""
_SIGNS = {
    VerdictKind.ACCEPTED: ("✓", "accepted"),
    VerdictKind.PROPOSED: ("?", "proposed"),
    VerdictKind.REFUSED: ("✗", "refused"),
    VerdictKind.NOT_CHECKABLE: ("~", "unsure"),
    VerdictKind.NOTE: ("\u2139\ufe0e", "note"),
}


@dataclass(frozen=True, slots=True)
class Focus:
    """What of the page its user looks at: a place of the board, a piece of the own hand, or nothing."""

    site: str = ""
    piece: str = ""
    tells: bool = False
    """whether the own hand is told once more"""

    @property
    def query(self) -> str:
        """As the end of an address: "?site=B2", or ""."""
        named = (("site", self.site), ("piece", self.piece), ("tell", "again" if self.tells else ""))
        given = {key: value for key, value in named if value}
        return f"?{urlencode(given)}" if given else ""


@dataclass(frozen=True, slots=True)
class Addresses:
    """The names of files that a page loads; they change with what is in them."""

    scripts: tuple[str, ...]
    board: str = ""


def whole_page(main: Html, *, title: str, nonce: str, style: str, addresses: Addresses, focus: Focus) -> str:
    """A page of one phone; `main` is what the stream of events replaces."""
    scripts = [element("script", src=f"/static/{name}", defer=True) for name in addresses.scripts]
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="htmx-config", content=CONFIGURATION),
        element("title", title),
        element("style", Html(style), nonce=nonce),
        element("noscript", element("meta", http_equiv="refresh", content=SECONDS_WITHOUT_SCRIPT)),
        *scripts,
    )
    gone = element("p", _("The connection is lost: back in a moment."), class_="gone", role="status")
    body = element("body", gone, main_element(main), hx_ext="sse", sse_connect=f"/events{focus.query}")
    return "<!doctype html>" + element("html", head, body, lang=language_in_use())


def rules_page(rules: HelpView, words: str, *, nonce: str, style: str) -> str:
    """The rules by topic or by words, each with its source."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", _("Rules")),
        element("style", Html(style), nonce=nonce),
    )
    topics = [
        element("a", topic.text, href=f"/rules?{urlencode({'topic': topic.key})}", class_="button")
        for topic in rules.topics
    ]
    found = [
        element("div", element("b", rule.title), *(element("p", line) for line in rule.text.split("\n")),
                element("small", rule.source), class_="card")
        for rule in rules.rules
    ]  # fmt: skip
    search = element(
        "form", element("input", type="search", name="words", value=words, maxlength="80", aria_label=_("Search")),
        element("button", _("Search")), method="get", action="/rules", class_="card",
    )  # fmt: skip
    body = element(
        "main", element("header", element("h1", _("Rules"))), search, *found, element("p", rules.note, class_="card"),
        element("section", *topics, class_="grid"), element("section", _way_back()),
    )  # fmt: skip
    return "<!doctype html>" + element("html", head, element("body", body), lang=language_in_use())


def _way_back() -> Html:
    return element("a", _("Back to the table"), href="/", class_="button")


def main_element(main: Html) -> Html:
    """What the stream of events replaces, and posts answer with."""
    return element("main", main, id="page", sse_swap="page")


def plain_page(sentence: str, *, nonce: str, style: str) -> str:
    """A page that says one sentence, with the way back."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", sentence),
        element("style", Html(style), nonce=nonce),
    )
    body = element("body", element("main", element("p", sentence, class_="card prompt"), element("p", _way_back())))
    return "<!doctype html>" + element("html", head, body, lang=language_in_use())


def main_part(shown: Shown, board: Board | None, focus: Focus, picture: str, more: Iterable[PhoneChoice] = ()) -> Html:
    """All of a page that may change. `picture` is the address of the board's picture, `more` are choices at the site
    looked at that are forbidden.
    """
    view = shown.view
    choices = _in_focus(view.choices, focus)
    looked_at = Focus(focus.site, focus.piece) if choices is not None else Focus(tells=focus.tells)
    offered = (*(choices if choices is not None else _usual(view)), *more)
    form = element(
        "form",
        element("input", type="hidden", name="number", value=shown.number),
        element("input", type="hidden", name="at", value=str(view.state_id)),
        _asked(view),
        _hand(view, looked_at),
        _choices(offered),
        _buttons(view),
        _seats(view, board),
        method="post",
        action=f"/do{looked_at.query}",
        hx_post=f"/do{looked_at.query}",
        hx_target="#page",
        hx_swap="outerHTML",
    )
    return joined(
        _header(view, board),
        _points(view, board),
        _note(view),
        _sheet(view, board, picture),
        _verdict(view.verdict),
        form,
        _photograph(view),
        _players(view, board),
        _score(view.score),
        _log(view),
        element("section", element("a", _("Rules"), href="/rules", class_="button")) if view.players else "",
    )


def _header(view: PhoneView, board: Board | None) -> Html:
    own = next((player for player in view.players if player.seat == view.seat), None)
    acting = next((player for player in view.players if player.acts), None)
    heading = _("Your turn") if view.is_mine else acting.name if acting is not None else view.title
    shown = own if view.is_mine or acting is None else acting
    return element(
        "header",
        _seal(board, shown) if shown is not None else "",
        element("div", element("h1", heading), element("p", view.prompt)),
        class_="mine" if view.is_mine else None,
    )


def _points(view: PhoneView, board: Board | None) -> Html:
    if not view.players:
        return Html("")
    return element(
        "ul", *(element("li", _seal(board, each), str(each.points)) for each in view.players), class_="points"
    )


def _note(view: PhoneView) -> Html:
    return element("p", view.note, class_="card asks", role="status") if view.note else Html("")


def _sheet(view: PhoneView, board: Board | None, picture: str) -> Html:
    if board is None or not picture:
        return Html("")
    sites = dict.fromkeys(site for choice in view.choices for site in choice.sites)
    links = touch_map(board, sites, "/?site={}") if sites else Html("")
    sheet = element("div", element("img", src=picture, alt=_("The board")), links, class_="sheet")
    return joined(sheet, element("a", _("The board alone, to be drawn larger"), href=picture, class_="larger"))


def _verdict(verdict: VerdictView | None) -> Html:
    if verdict is None:
        return Html("")
    sign, kind = _SIGNS[verdict.kind]
    sentences = [joined(element("p", text), element("small", source)) for text, source in verdict.sentences]
    heading = element("div", element("span", sign, class_="sign"), verdict.headline)
    return element("div", heading, *sentences, class_=f"card {kind}", role="status")


def _asked(view: PhoneView) -> Html:
    if view.asked is None:
        return Html("")
    answers = [element("button", text, name="answer", value=key) for key, text in view.asked.answers]
    return element(
        "div", element("p", view.asked.text), element("div", *answers, class_="grid"), class_="card asks"
    )  # fmt: skip


def _usual(view: PhoneView) -> tuple[PhoneChoice, ...]:
    return tuple(choice for choice in view.choices if choice.is_usual and not choice.piece)


def _in_focus(choices: Iterable[PhoneChoice], focus: Focus) -> tuple[PhoneChoice, ...] | None:
    """The choices at a place or with a piece; None where nothing is looked at, or nothing can be done with it."""
    if not focus.site and not focus.piece:
        return None
    found = tuple(
        choice
        for choice in choices
        if (not focus.site or focus.site in choice.sites) and (not focus.piece or choice.piece == focus.piece)
    )
    return found or None


def _choices(choices: Iterable[PhoneChoice]) -> Html:
    groups = []
    for group, members in groupby(choices, key=lambda choice: choice.group):
        buttons = [
            element(
                "button", choice.text, name="choose", value=choice.key, class_="forbidden" if choice.forbidden else None
            )
            for choice in members
        ]
        groups.append(element("section", element("h2", group), element("div", *buttons, class_="grid")))
    return joined(*groups)


def _hand(view: PhoneView, focus: Focus) -> Html:
    if not view.hand:
        return Html("")
    playable = {choice.piece for choice in view.choices}
    pieces, is_untold = [], False
    for piece in view.hand:
        if piece.may_be and (focus.tells or not piece.is_told):
            is_untold = True
            options = [
                element("option", text, value=name, selected=name == piece.name) for name, text in piece.may_be
            ]  # fmt: skip
            pieces.append(element("select", *options, name="piece", aria_label=piece.text))
            continue
        kept = element("input", type="hidden", name="piece", value=piece.name)
        chosen = "button chosen" if focus.piece == piece.name else "button"
        if piece.name in playable:
            address = Focus(piece=piece.name).query
            pieces.append(joined(kept, element("a", piece.text, href=f"/{address}", class_=chosen)))
        else:
            pieces.append(joined(kept, element("span", piece.text, class_="button")))
    tell = Html("")
    if is_untold:
        tell = element("button", _("These are mine"), name="hand", value="told")
    elif any(piece.may_be for piece in view.hand):
        tell = element("a", _("Say once more what they are"), href=f"/{Focus(tells=True).query}", class_="button")
    heading = element("h2", _("Only you see these"))
    return element("section", heading, element("div", *pieces, class_="hand"), tell)


def _buttons(view: PhoneView) -> Html:
    if not view.buttons:
        return Html("")
    buttons = [
        element(
            "button", button.text, name="button", value=button.intent,
            class_="strong" if button.strong and view.is_mine else None, disabled=not button.enabled,
        )
        for button in view.buttons
    ]  # fmt: skip
    text = _("{undo} (the others are asked)").format(undo=view.undo) if view.undo_is_wish else view.undo
    undo = element("section", element("button", text, name="undo", value="latest")) if view.undo else Html("")
    return joined(undo, element("section", *buttons, class_="buttons"))


def _photograph(view: PhoneView) -> Html:
    """The phone's own camera: works without script and without HTTPS."""
    if not view.photographs:
        return Html("")
    chosen = element("input", type="file", name="picture", accept="image/jpeg,image/png", capture="environment",
                     required=True, aria_label=_("Photograph the board"))  # fmt: skip
    send = element("button", _("Photograph the board"))
    return element(
        "form", chosen, send, method="post", action="/photograph", enctype="multipart/form-data", class_="card"
    )  # fmt: skip


def _seats(view: PhoneView, board: Board | None) -> Html:
    if view.seat:
        return element("section", element("button", _("Give up this seat"), name="seat", value="0"))
    if not view.seats:
        return Html("")
    buttons = [
        element("button", _("{name} (a phone sits there)").format(name=each.name) if each.is_taken else each.name,
                name="seat", value=str(each.seat))
        for each in view.seats
    ]  # fmt: skip
    return element("section", element("h2", _("Which seat is yours?")), element("div", *buttons, class_="grid"))


def _players(view: PhoneView, board: Board | None) -> Html:
    if not view.players:
        return Html("")
    rows = []
    for player in view.players:
        you = element("span", " " + _("you"), class_="you") if player.seat == view.seat else Html("")
        held = "; ".join(f"{name}: {amount}" for name, amount in player.holdings)
        rows.append(
            element(
                "li", _seal(board, player), element("span", player.name, you), element("b", str(player.points)),
                element("small", held), class_="acts" if player.acts else None,
            )
        )  # fmt: skip
    supply = [element("p", f"{name}: {amount}", class_="source") for name, amount in view.supply]
    return element("div", element("ul", *rows, class_="players"), *supply, class_="card")


def _score(score: ScoreView | None) -> Html:
    if score is None:
        return Html("")
    ranking = [element("tr", element("td", f"{rank or '–'}. {name}"), element("td", str(points)))
               for _seat, name, points, rank in score.ranking]  # fmt: skip
    names = {seat: name for seat, name, _points, _rank in score.ranking}
    lines = [
        element("tr", element("td", f"{names.get(line.seat, '')}: {line.title} {line.detail}".rstrip()),
                element("td", str(line.points)))
        for line in score.lines
    ]  # fmt: skip
    return element(
        "div", element("h2", score.heading), element("p", score.result) if score.result else "",
        element("table", *ranking), element("table", *lines), *(element("p", note) for note in score.notes),
        class_="card",
    )  # fmt: skip


def _log(view: PhoneView) -> Html:
    if not view.log:
        return Html("")
    lines = [element("li", line) for line in view.log]
    return element("details", element("summary", _("History")), element("ol", *lines, class_="log", reversed=True))


def _seal(board: Board | None, player: PlayerView) -> Html:
    """A player's disc, with the first letter of the colour."""
    if board is None:
        return Html("")
    style = seal_of(board, player.colour)
    fill, ink = (f"#{''.join(f'{round(255 * part):02x}' for part in colour)}" for colour in (style.fill, style.ink))
    return element(
        "svg", element("circle", cx="16", cy="16", r="15", fill=fill, stroke=ink),
        element("text", _(player.colour)[:1].upper(), x="16", y="22", text_anchor="middle", font_size="17", fill=ink),
        class_="seal", viewBox="0 0 32 32", role="img", aria_label=_(player.colour),
    )  # fmt: skip


def focus_of(query: Mapping[str, str]) -> Focus:
    """What an address asks to look at; too long texts are nothing."""
    site, piece = query.get("site", ""), query.get("piece", "")
    return Focus(site if len(site) <= 60 else "", piece if len(piece) <= 60 else "", query.get("tell") == "again")
