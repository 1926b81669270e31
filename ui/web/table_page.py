"""What of a phone's page may change: made of its view alone. Sentences come from the view or a catalogue."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from companion.board.layout import Board
from ui.drawing.theme import seal_of
from ui.printed.scene import Shown
from ui.services.text import _
from ui.view_models.phone_view import PhoneChoice, PhoneView
from ui.view_models.play_view import ChipView, PieceState, PieceView, PlayerView, ScoreView, VerdictKind, VerdictView
from ui.web.board_art import BoardArt
from ui.web.board_svg import SvgBoard, Symbols
from ui.web.icons import icon
from ui.web.markup import Html, element, joined
from ui.web.pages import Focus
from ui.web.roster import ShownPage

FEW_CARDS = 6
"""of a hand that are held as a fan, more lie side by side; and of those to choose from, more are named only"""
_SIGNS = {
    VerdictKind.ACCEPTED: ("check", "accepted"),
    VerdictKind.PROPOSED: ("asks", "proposed"),
    VerdictKind.REFUSED: ("cross", "refused"),
    VerdictKind.NOT_CHECKABLE: ("unsure", "unsure"),
    VerdictKind.NOTE: ("note", "note"),
}


def main_part(
    shown: ShownPage, board: Board | None, art: BoardArt | None, focus: Focus, more: Iterable[PhoneChoice] = ()
) -> Html:
    """All of a page that may change. `art` are the board's printed pictures, None until they are there; `more` are
    choices at the site looked at that are forbidden.
    """
    return _TablePage(shown, board, art, focus, tuple(more)).main()


@dataclass(frozen=True, slots=True)
class _LookedAt:
    """What is looked at on the page, and what can be done with it."""

    focus: Focus
    choices: tuple[PhoneChoice, ...]
    sites: tuple[str, ...]


class _TablePage:
    def __init__(
        self, shown: ShownPage, board: Board | None, art: BoardArt | None, focus: Focus, more: tuple[PhoneChoice, ...]
    ) -> None:
        self._view, self._number, self._board, self._art = shown.view, shown.number, board, art
        self._symbols = Symbols(board, art) if board is not None else None
        self._focus, self._looked = focus, _looked_at(shown.view, focus, more)

    def main(self) -> Html:
        view = self._view
        if self._focus.is_board:
            parts = [self._header(), self._sheet(whole=True), element("section", _link(_("Back to the table"), "/"))]
            return joined(*parts, self._defined())
        form = element(
            "form",
            element("input", type="hidden", name="number", value=self._number),
            element("input", type="hidden", name="at", value=str(view.state_id)),
            _asked(view),
            self._hand(),
            self._choices(),
            _undo(view),
            _buttons(view),
            _seats(view),
            method="post",
            action=f"/do{self._looked.focus.query}",
            hx_post=f"/do{self._looked.focus.query}",
            hx_target="#page",
            hx_swap="innerHTML",
        )
        prompt = element("p", view.prompt, class_="prompt") if view.is_mine else Html("")
        photograph = _photograph(view)
        parts = [self._header(), self._points(), _note(view), _score(view.score), self._sheet(), prompt]
        if view.is_mine:
            parts += [self._verdict(), form, photograph, self._players()]
        else:
            parts += [self._players(), self._verdict(), photograph, form]
        return joined(*parts, _log(view), self._defined())

    def _defined(self) -> Html:
        return self._symbols.definitions() if self._symbols is not None else Html("")

    def _header(self) -> Html:
        view = self._view
        own = next((player for player in view.players if player.seat == view.seat), None)
        acting = next((player for player in view.players if player.acts), None)
        heading = _("Your turn") if view.is_mine else acting.name if acting is not None else view.title
        shown = own if view.is_mine or acting is None else acting
        words = [element("h1", heading), *([] if view.is_mine else [element("p", view.prompt)])]
        links = [
            element("a", icon("help"), href="/rules", aria_label=_("Rules"), class_="round"),
            element("a", icon("more"), href="#more", aria_label=_("History"), class_="round"),
        ]
        return element(
            "header",
            self._seal(shown) if shown is not None else "",
            element("div", *words),
            *(links if view.players else ()),
            class_="mine" if view.is_mine else None,
        )

    def _points(self) -> Html:
        """The points of all seats, while the players themselves are further down."""
        if not self._view.is_mine:
            return Html("")
        points = [element("li", self._seal(each), str(each.points)) for each in self._view.players]
        return element("ul", *points, class_="points")

    def _sheet(self, *, whole: bool = False) -> Html:
        if self._board is None or self._symbols is None:
            return Html("")
        view, sites = self._view, self._looked.sites
        drawing = SvgBoard(self._board, self._art, self._symbols)
        part = drawing.part_around(sites) if self._looked.focus.piece and not whole else None
        scene = Shown(view.pieces, frozenset(sites), view.verdict, self._ghost())
        picture = drawing.svg(scene, part, _("The board"))
        links = drawing.touch_map(sites, "/?site={}", part)
        larger = element(
            "a", icon("larger"), href="/?look=board", class_="larger", aria_label=_("The board alone, larger")
        )
        if whole:
            return element("div", element("div", picture, links, class_="sheet"), class_="whole")
        return element("div", picture, links, larger, class_="sheet")

    def _ghost(self) -> tuple[PieceView, ...]:
        """What lies there after the choice that is looked at, where it is the only one."""
        focus, laid = self._looked.focus, {choice.laid for choice in self._looked.choices if not choice.forbidden}
        if len(laid) != 1 or not (focus.site or focus.piece):
            return ()
        return tuple(PieceView(spot, label, PieceState.PROPOSED) for spot, label in laid.pop())

    def _verdict(self) -> Html:
        verdict = self._view.verdict
        if verdict is None:
            return Html("")
        sign, kind = _SIGNS[verdict.kind]
        sentences = [joined(element("p", text), element("small", source)) for text, source in verdict.sentences]
        heading = element(
            "div", element("span", icon(sign), class_="sign"), element("b", verdict.headline),
            self._latest(verdict), class_="headline",
        )  # fmt: skip
        return element("div", heading, *sentences, class_=f"card {kind}", role="status")

    def _latest(self, verdict: VerdictView) -> Html:
        """The pieces that a verdict is about."""
        state = {VerdictKind.ACCEPTED: PieceState.LATEST, VerdictKind.PROPOSED: PieceState.PROPOSED}.get(verdict.kind)
        pieces = [(each.spot, each.label) for each in self._view.pieces if each.state is state]
        return self._faces(pieces[:4])

    def _faces(self, pieces: Iterable[tuple[str, str]]) -> Html:
        faces = self._symbols.laid(pieces) if self._symbols is not None else Html("")
        return element("span", faces, class_="faces") if faces else faces

    def _card(self, name: str, text: str) -> Html:
        """The picture of a card, or nothing where it has none; `text` says what it is."""
        file = self._art.card(self._board.game, name) if self._art is not None and self._board is not None else ""
        return element("img", src=f"/art/{file}", alt=text, class_="card-face") if file else Html("")

    def _hand(self) -> Html:
        view, focus = self._view, self._looked.focus
        if not view.hand:
            return Html("")
        playable = {choice.piece for choice in view.choices}
        pieces, untold = [], []
        for piece in view.hand:
            if piece.may_be and (focus.tells or not piece.is_told):
                options = [
                    element("option", text, value=name, selected=name == piece.name) for name, text in piece.may_be
                ]  # fmt: skip
                untold.append(element("select", *options, name="piece", aria_label=piece.text))
                continue
            kept = element("input", type="hidden", name="piece", value=piece.name)
            card = self._card(piece.name, piece.text)
            look = ("held" if card else "button") + (" chosen" if focus.piece == piece.name else "")
            face = joined(card, element("span", icon("check"), class_="tick")) if card else piece.text
            if piece.name in playable:
                address = f"/{Focus(piece=piece.name).query}"
                pieces.append(element("div", kept, element("a", face, href=address, class_=look)))
            else:
                pieces.append(element("div", kept, element("span", face, class_=look)))
        tell = Html("")
        if untold:
            tell = element("button", _("These are mine"), name="hand", value="told")
        elif any(piece.may_be for piece in view.hand):
            tell = _link(_("Say once more what they are"), f"/{Focus(tells=True).query}", quiet=True)
        heading = element("h2", icon("lock"), _("Only you see these"))
        shape = "hand fan" if len(pieces) <= FEW_CARDS else "hand row"
        held = element("div", *pieces, class_=shape) if pieces else Html("")
        asked = element("div", *untold, class_="untold") if untold else Html("")
        return element("section", heading, held, asked, tell)

    def _choices(self) -> Html:
        groups, cards = [], {choice.card for choice in self._looked.choices}
        are_seen = len(cards) <= FEW_CARDS
        for group, members in groupby(self._looked.choices, key=lambda choice: choice.group):
            buttons = [self._choice(choice, is_card_seen=are_seen) for choice in members]
            groups.append(element("section", element("h2", group), element("div", *buttons, class_="grid")))
        return joined(*groups)

    def _choice(self, choice: PhoneChoice, *, is_card_seen: bool) -> Html:
        is_card_seen = is_card_seen and choice.card != self._looked.focus.piece
        card = self._card(choice.card, choice.card) if is_card_seen else Html("")
        pictures = joined(card, self._faces(choice.laid))
        looks = ["choice"] if pictures else []
        if choice.forbidden:
            looks.append("forbidden")
        return element(
            "button", pictures, element("span", choice.text), name="choose", value=choice.key,
            class_=" ".join(looks) or None,
        )  # fmt: skip

    def _players(self) -> Html:
        view = self._view
        if not view.players:
            return Html("")
        rows = [self._player(player) for player in view.players]
        supply = [element("p", f"{name}: {amount}", class_="source") for name, amount in view.supply]
        return element("div", element("ul", *rows, class_="players"), *supply, class_="card")

    def _player(self, player: PlayerView) -> Html:
        you = element("span", _("you"), class_="you") if player.seat == self._view.seat else Html("")
        chips = [self._chip(chip, player.colour) for chip in player.chips if chip.count != 0]
        row = element(
            "summary", self._seal(player), element("span", player.name, " ", you), element("b", str(player.points))
        )  # fmt: skip
        held = element("details", row, element("p", *chips, class_="chips"), data_seat=str(player.seat))
        return element("li", held, class_="acts" if player.acts else None)

    def _chip(self, chip: ChipView, colour: str) -> Html:
        """Something held: its face with how many, or in words."""
        picture = self._symbols.chip(chip.component, chip.kind, colour) if self._symbols is not None else Html("")
        if not picture:
            return element("span", chip.words)
        told = chip.numbers or str(chip.count)
        return element("span", picture, told, title=chip.words, role="img", aria_label=chip.words)

    def _seal(self, player: PlayerView) -> Html:
        """A player's disc, with the first letter of the colour."""
        if self._board is None:
            return Html("")
        style = seal_of(self._board, player.colour)
        fill, ink = (f"#{''.join(f'{round(255 * part):02x}' for part in colour)}" for colour in (style.fill, style.ink))
        letter = _(player.colour)[:1].upper()
        return element(
            "svg", element("circle", cx="16", cy="16", r="15", fill=fill, stroke=ink),
            element("circle", cx="16", cy="16", r="12", fill="none", stroke=ink),
            element("text", letter, x="16", y="21.5", text_anchor="middle", font_size="15", fill=ink),
            class_="seal", viewBox="0 0 32 32", role="img", aria_label=_(player.colour),
        )  # fmt: skip


def _looked_at(view: PhoneView, focus: Focus, more: tuple[PhoneChoice, ...]) -> _LookedAt:
    """What is looked at, if something can be done with it; else what is offered at once."""
    found: tuple[PhoneChoice, ...] = ()
    if focus.site or focus.piece:
        found = tuple(
            choice
            for choice in view.choices
            if (not focus.site or focus.site in choice.sites) and (not focus.piece or choice.piece == focus.piece)
        )
    if not found:
        usual = tuple(choice for choice in view.choices if choice.is_usual and not choice.piece)
        return _LookedAt(Focus(tells=focus.tells), (*usual, *more), _sites_of(view.choices))
    return _LookedAt(Focus(focus.site, focus.piece), (*found, *more), _sites_of(found))


def _sites_of(choices: Iterable[PhoneChoice]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(site for choice in choices for site in choice.sites))


def _link(text: str, address: str, *, quiet: bool = False) -> Html:
    return element("a", text, href=address, class_="quiet" if quiet else "button")


def _note(view: PhoneView) -> Html:
    return element("p", view.note, class_="card asks", role="status") if view.note else Html("")


def _asked(view: PhoneView) -> Html:
    if view.asked is None:
        return Html("")
    answers = [element("button", text, name="answer", value=key) for key, text in view.asked.answers]
    return element(
        "div", element("p", view.asked.text), element("div", *answers, class_="grid"), class_="card asks"
    )  # fmt: skip


def _undo(view: PhoneView) -> Html:
    if not view.undo:
        return Html("")
    text = _("{undo} (the others are asked)").format(undo=view.undo) if view.undo_is_wish else view.undo
    button = element("button", icon("undo"), element("span", text), name="undo", value="latest", class_="undo")
    return element("section", button)


def _buttons(view: PhoneView) -> Html:
    """The four big buttons; what the table does next is the largest, where the thumb is."""
    if not view.buttons:
        return Html("")
    largest = next((button for button in view.buttons if button.strong and view.is_mine), view.buttons[0])
    others = [button for button in view.buttons if button is not largest]
    buttons = [
        element(
            "button", button.text, name="button", value=button.intent,
            class_="strong" if button.strong and view.is_mine else None, disabled=not button.enabled,
        )
        for button in (*others, largest)
    ]  # fmt: skip
    return element("div", *buttons, class_="buttons")


def _photograph(view: PhoneView) -> Html:
    """The phone's own camera: works without script and without HTTPS."""
    if not view.photographs:
        return Html("")
    words = _("Help the camera") if view.is_watched else _("Photograph the board")
    chosen = element("input", type="file", name="picture", accept="image/jpeg,image/png", capture="environment",
                     required=True, id="picture", aria_label=words)  # fmt: skip
    looks = "button" if view.is_mine or view.is_watched else "button strong"
    label = element("label", icon("photo"), words, for_="picture", class_=looks)
    return element(
        "form", chosen, label, element("button", words), method="post", action="/photograph",
        enctype="multipart/form-data", class_="photograph",
    )  # fmt: skip


def _seats(view: PhoneView) -> Html:
    if view.seat:
        return element("section", element("button", _("Give up this seat"), name="seat", value="0", class_="plain"))
    if not view.seats:
        return Html("")
    buttons = [
        element("button", _("{name} (a phone sits there)").format(name=each.name) if each.is_taken else each.name,
                name="seat", value=str(each.seat))
        for each in view.seats
    ]  # fmt: skip
    return element("section", element("h2", _("Which seat is yours?")), element("div", *buttons, class_="grid"))


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
    return element(
        "details", element("summary", _("History")), element("ol", *lines, class_="log", reversed=True),
        id="more", data_seat="history",
    )  # fmt: skip
