"""What of a phone's page may change: made of its view alone. Sentences come from the view or a catalogue."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from companion.board.layout import Board
from companion.session.intents import IntentKind
from ui.drawing.marks import MOST_MARKED
from ui.printed.scene import Shown
from ui.services.text import _, capitalised, language_in_use
from ui.view_models.phone_view import HandPiece, PhoneChoice, PhoneView
from ui.view_models.play_view import (
    ButtonView,
    PieceState,
    PieceView,
    PlayerView,
)
from ui.web.art_files import BoardArt
from ui.web.board_svg import SvgBoard
from ui.web.choices_part import CHOICES, ChoicesPart, looked_at
from ui.web.end_part import end_part
from ui.web.faces import Faces
from ui.web.icons import icon
from ui.web.markup import Html, element, joined
from ui.web.pages import BOARD, HISTORY, Focus
from ui.web.roster import ShownPage
from ui.web.verdict_part import SAID, verdict_part

FEW_CARDS = 6
"""of a hand that all lie within a small phone; of more the fan scrolls, what may be played first"""
MOST_BESIDE = 3
"""players' points that leave room for what is left in one row of a small phone"""
FEW_PLACES = 4
"""of all that may be done: the board is drawn nearer around them"""
LONG_WORDS = 20
"""letters of a big button that two lines beside the others do not hold"""
MIDDLE = 0.5, 0.5
"""of a board, as shares of it"""
BAR = "bar"
"""name of the form of the four big buttons"""
HAND = "hand"
"""name of the own hand, which the page is brought to"""


def main_part(
    shown: ShownPage, board: Board | None, art: BoardArt | None, focus: Focus, more: Iterable[PhoneChoice] = ()
) -> Html:
    """All of a page that may change. `art` are the board's printed pictures, None until they are there; `more` are
    choices at the site looked at that are forbidden.
    """
    return _TablePage(shown, board, art, focus, tuple(more)).main()


class _TablePage:
    def __init__(
        self, shown: ShownPage, board: Board | None, art: BoardArt | None, focus: Focus, more: tuple[PhoneChoice, ...]
    ) -> None:
        self._view, self._number, self._board, self._art = shown.view, shown.number, board, art
        self._faces = Faces(board, art)
        self._focus, self._looked = focus, looked_at(shown.view, focus, more)
        self._choices = ChoicesPart(shown.view, self._looked, board, self._faces, self._own_colour)

    def main(self) -> Html:
        view = self._view
        if self._focus.alone:
            alone = self._sheet(whole=True) if self._focus.alone == BOARD else _log(view)
            back = f"/{Focus(site=self._looked.focus.site, piece=self._looked.focus.piece).query}"
            parts = [self._header(), alone, element("section", _link(_("Back to the table"), back))]
            return self._above(parts)
        besides = _asked_for_touch(self._choices.besides)
        choices = element("div", self._not_now(), self._choices.html(), besides, id=CHOICES)
        form = self._form(self._hand(), choices, _undo(view))
        asked = _asked(view)
        seats, has_free_seat = _seats(view), view.score is None and any(not each.is_taken for each in view.seats)
        buttons = _buttons(view)
        is_sent_with_buttons = bool(view.seat and buttons)
        seats = self._form(seats) if seats and not is_sent_with_buttons else seats
        is_chosen = self._looked.focus.piece and self._choices.asks_for_place
        what = _("Touch a place on the board.") if is_chosen else capitalised(view.what)
        prompt = element("p", what, class_="prompt") if view.is_mine else Html("")
        hint = _asked_for_touch(self._choices.hint)
        photograph = _photograph(view)
        parts = [self._header(), self._points(), _note(view)]
        parts += [self._form(asked, class_="question") if asked else asked, self._end()]
        parts.append(seats if has_free_seat else Html(""))
        parts += [self._sheet(), prompt, self._own_holdings(), hint, self._choices.places_form()]
        if view.is_mine:
            parts += [verdict_part(view, self._faces, self._own_colour), form, photograph, self._players()]
        elif view.hand:
            parts += [verdict_part(view, self._faces, self._own_colour), form, self._players(), photograph]
        else:
            parts += [self._players(), verdict_part(view, self._faces, self._own_colour), photograph, form]
        parts.append(Html("") if has_free_seat else seats)
        return joined(self._above(parts), self._form(buttons, id_=BAR) if buttons else buttons)

    def _above(self, parts: Iterable[Html]) -> Html:
        """All that stands above the four big buttons, which stay at the lower edge of the window."""
        return element("div", *parts, self._faces.definitions(), class_="above")

    def _form(self, *contents: Html, class_: str | None = None, id_: str | None = None) -> Html:
        """What is sent to the table when something in it is touched."""
        return element(
            "form",
            element("input", type="hidden", name="number", value=self._number),
            element("input", type="hidden", name="at", value=str(self._view.state_id)),
            *contents,
            method="post",
            action=f"/do{self._looked.focus.query}",
            hx_post=f"/do{self._looked.focus.query}",
            class_=class_,
            id=id_,
        )

    def _header(self) -> Html:
        view = self._view
        own = next((player for player in view.players if player.seat == view.seat), None)
        acting = [player for player in view.players if player.acts]
        heading = _("Your turn") if view.is_mine else view.title
        if view.waited_for and not view.is_mine:
            heading = _("Waiting for {names}").format(names=view.waited_for)
        shown = own if view.is_mine or not acting else acting[0] if len(acting) == 1 else None
        words = [element("h1", heading)]
        if not view.is_mine:
            words.append(element("p", f"({view.what})" if view.waited_for else capitalised(view.what)))
        links = [element("a", icon("help"), href="/rules", aria_label=_("Rules"), class_="round")]
        if view.log and not self._focus.alone:
            address = f"/{Focus(alone=HISTORY).query}"
            links.append(element("a", icon("more"), href=address, aria_label=_("History"), class_="round"))
        return element(
            "header",
            self._faces.seal(shown.colour) if shown is not None else "",
            element("div", *words),
            *(links if view.players else ()),
            class_="mine" if view.is_mine else None,
            lang=language_in_use(),
        )

    def _points(self) -> Html:
        """The points of all seats, while the players are further down; and what is left, if it is one thing."""
        if not self._view.is_mine:
            return Html("")
        points = [element("li", self._faces.seal(each.colour), str(each.points)) for each in self._view.players]
        has_room = len(points) <= MOST_BESIDE and len(self._view.supply) == 1
        if has_room and (left := self._faces.held(self._view.supply, "")):
            points.append(element("li", left, class_="left"))
        return element("ul", *points, class_="points")

    def _sheet(self, *, whole: bool = False) -> Html:
        if self._board is None or self._faces.symbols is None:
            return Html("")
        view, sites, focus = self._view, self._looked.sites, self._looked.focus
        piece = focus.piece
        drawing = SvgBoard(self._board, self._art, self._faces.symbols)
        path = view.path.sites if view.path is not None else ()
        part = drawing.part_around((*sites, *path)) if self._is_near and not whole else None
        is_moved = self._is_near and part is None and not (whole or focus.site or path)
        moved = drawing.likeliest_of(sites) if is_moved else None
        is_chosen = bool(focus.site or focus.piece or focus.kind)
        marked = sites if is_chosen or view.shows_all or len(sites) <= MOST_MARKED else ()
        scene = Shown(view.pieces, frozenset(marked), view.verdict, self._ghost(), path=view.path)
        picture = drawing.svg(scene, part, _("The board"))
        at = f"/{Focus(piece=piece).query or '?'}{'&' if piece else ''}at=" if view.is_mine else None
        links = drawing.touch_map(sites, f"/?site={{}}{f'&piece={quote(piece)}' if piece else ''}#{CHOICES}", part)
        if whole:
            near = (focus.site,) if focus.site else sites if is_chosen else ()
            at_first = drawing.likeliest_of(near) or MIDDLE
            sheet = element("div", picture, links, class_="sheet", data_at=at)
            return element("div", sheet, class_="whole", data_near=_shares(at_first))
        larger = element(
            "a", icon("larger"), href=f"/{Focus(site=focus.site, piece=piece, alone=BOARD).query}", class_="larger",
            aria_label=_("The board alone, larger"),
        )  # fmt: skip
        sheet = element("div", picture, links, class_="sheet", data_at=at)
        if moved is not None:  # with script a half of it is looked at, and moved by a finger
            sheet = element("div", sheet, class_="near", data_near=_shares(moved))
        return joined(sheet, larger)

    @property
    def _is_near(self) -> bool:
        """Whether the board is drawn nearer, where what is looked at may be done: at a few places, or with a card."""
        focus, sites = self._looked.focus, self._looked.sites
        if focus.piece or focus.kind:
            return True
        return self._view.is_mine and not focus.site and 0 < len(sites) <= FEW_PLACES

    def _ghost(self) -> tuple[PieceView, ...]:
        """What lies there after the choice that is looked at, where it is the only one."""
        focus, laid = self._looked.focus, {choice.laid for choice in self._looked.choices if not choice.forbidden}
        if len(laid) != 1 or not (focus.site or focus.piece):
            return ()
        return tuple(PieceView(spot, label, PieceState.PROPOSED) for spot, label in laid.pop())

    def _hand(self) -> Html:
        view, focus = self._view, self._looked.focus
        if not view.hand:
            return Html("")
        playable, chosen = {choice.piece for choice in view.choices if choice.piece}, focus.piece
        pieces, untold = [], []
        has_pictures = all(self._faces.card(piece.name, piece.text) for piece in view.hand)
        scrolls = len(view.hand) > FEW_CARDS
        for piece in sorted(view.hand, key=lambda each: scrolls and each.name not in playable):
            if _is_asked(piece, focus):
                untold.append(_asked_for(piece))
                continue
            kept = element("input", type="hidden", name="piece", value=piece.name)
            card = self._faces.card(piece.name, piece.text)
            look = ("held" if card else "button") + (" chosen" if chosen == piece.name else "")
            chosen = "" if chosen == piece.name else chosen  # one of several that are alike
            face = joined(card, element("span", icon("check"), class_="tick")) if card else piece.text
            if not playable:
                pieces.append(element("div", kept, element("span", face, class_=look)))
                continue
            look += "" if piece.name in playable else " off"
            there = "" if piece.name in playable and self._choices.is_many(piece.name) else f"#{CHOICES}"
            address = f"/{Focus(piece=piece.name).query}{there}"
            pieces.append(element("div", kept, element("a", face, href=address, class_=look)))
        tell = which = Html("")
        if untold and not asks_for_hand(view, focus):
            tell, untold = _link(_("Say what they are"), f"/#{HAND}", quiet=True), []
        elif untold:
            tell = element("button", _("These are mine"), name="hand", value="told")
            which = _asked_for_touch(_("Which is it?") if len(untold) == 1 else _("Which are they?"))
        elif any(piece.may_be for piece in view.hand):
            tell = _link(_("Say once more what they are"), f"/{Focus(tells=True).query}", quiet=True)
        heading = element("h2", icon("lock"), _("Only you see these"))
        shape = "hand fan" if len(pieces) <= FEW_CARDS else "hand row fanned" if has_pictures else "hand row"
        held = element("div", *pieces, class_=shape) if pieces else Html("")
        asked = element("div", *untold, class_="untold") if untold else Html("")
        why = element("p", view.hand_problem, class_="card unsure") if view.hand_problem else Html("")
        return element("section", heading, why, held, which, asked, tell, id=HAND)

    def _not_now(self) -> Html:
        """What is said of a card of the hand that was touched and cannot be played."""
        touched = next((each for each in self._view.hand if each.name == self._focus.piece and each.is_told), None)
        if touched is None or self._looked.focus.piece or not self._view.is_mine:
            return Html("")
        return element("p", _("{card} cannot be played now.").format(card=touched.text), class_="card unsure")

    @property
    def _own_colour(self) -> str:
        return next((player.colour for player in self._view.players if player.seat == self._view.seat), "")

    def _own_holdings(self) -> Html:
        """What lies openly before the seat, on its turn; the others' stands further down."""
        own = next((player for player in self._view.players if player.seat == self._view.seat), None)
        if own is None or not self._view.is_mine:
            return Html("")
        chips = self._faces.held((chip for chip in own.chips if not chip.is_none), own.colour)
        return element("p", chips, class_="chips own") if chips else Html("")

    def _players(self) -> Html:
        view = self._view
        if not view.players:
            return Html("")
        rows = [self._player(player) for player in view.players]
        supply = self._faces.held(view.supply, "")
        lying = element("p", supply, class_="chips supply") if supply else Html("")
        return element("div", element("ul", *rows, class_="players"), lying, class_="card")

    def _player(self, player: PlayerView) -> Html:
        you = element("span", _("you"), class_="you") if player.seat == self._view.seat else Html("")
        passed = element("span", _("passed"), class_="passed") if player.has_passed else Html("")
        row = element(
            "summary", self._faces.seal(player.colour), element("span", player.name, " ", you, passed),
            element("b", str(player.points)),
        )  # fmt: skip
        is_above = self._view.is_mine and player.seat == self._view.seat  # what the seat holds stands with its turn
        held_chips = Html("") if is_above else self._faces.held(player.chips, player.colour)
        chips = element("p", held_chips, class_="chips") if held_chips else Html("")
        held = element("details", row, chips, data_seat=str(player.seat))
        return element("li", held, class_="acts" if player.acts else None)

    def _end(self) -> Html:
        score, colours = self._view.score, {player.seat: player.colour for player in self._view.players}
        return end_part(score, colours, self._faces) if score is not None else Html("")


def _shares(point: tuple[float, float]) -> str:
    """A point of the board for the script that moves the board there."""
    return "{:.2f} {:.2f}".format(*point)


def asks_for_hand(view: PhoneView, focus: Focus) -> bool:
    """Whether a page has fields in which the own hand is told: not while something else is looked at."""
    is_elsewhere = bool(focus.kind or focus.site or focus.piece)
    return not is_elsewhere and any(_is_asked(piece, focus) for piece in view.hand)


def _is_asked(piece: HandPiece, focus: Focus) -> bool:
    return bool(piece.may_be) and (focus.tells or bool(piece.said) or not piece.is_told)


def _asked_for(piece: HandPiece) -> Html:
    """A piece of the hand that its owner is to name; with why, where it cannot be what was said."""
    chosen = piece.said or piece.name
    options = [element("option", text, value=name, selected=name == chosen) for name, text in piece.may_be]
    looks = "impossible" if piece.problem else None
    select = element("select", *options, name="piece", aria_label=piece.text, class_=looks)
    return element("div", select, element("small", piece.problem)) if piece.problem else select


def _asked_for_touch(what: str) -> Html:
    """A line that says what is to be touched."""
    return element("p", what, class_="asked") if what else Html("")


def _link(text: str, address: str, *, quiet: bool = False) -> Html:
    return element("a", text, href=address, class_="quiet" if quiet else "button")


def _note(view: PhoneView) -> Html:
    return element("p", view.note, class_="card asks", role="status", id=SAID) if view.note else Html("")


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
    """The four big buttons, each always at its place: *done* last, where the thumb is, in a row of its own where its
    words need it.
    """
    if not view.buttons:
        return Html("")
    last = next((button for button in view.buttons if button.intent == IntentKind.DONE), view.buttons[0])
    others = [button for button in view.buttons if button is not last]
    buttons = [
        element(
            "button", button.text, name="button", value=f"{button.intent} {button.offered}".rstrip(),
            class_=_looks(button, view), disabled=not button.enabled,
        )
        for button in (*others, last)
    ]  # fmt: skip
    return element("div", element("div", *buttons[:-1], class_="beside"), buttons[-1], class_="buttons")


def _looks(button: ButtonView, view: PhoneView) -> str | None:
    looks = ["strong"] if button.strong and view.is_mine else []
    if len(button.text) > LONG_WORDS:
        looks.append("long")
    return " ".join(looks) or None


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
        text, sent_with = _("Give up this seat"), BAR if view.buttons else None
        type_ = "submit" if sent_with else None  # htmx looks for the word at buttons outside of their form
        sure = element("button", _("Yes, give it up"), name="seat", value="0", type=type_, form=sent_with)
        return element("details", element("summary", text), sure, data_seat="0")
    if not view.seats or view.score is not None:
        return Html("")
    buttons = [
        element("button", _("{name} (a phone sits there)").format(name=each.name) if each.is_taken else each.name,
                name="seat", value=str(each.seat))
        for each in view.seats
    ]  # fmt: skip
    return element("section", element("h2", _("Which seat is yours?")), element("div", *buttons, class_="grid seats"))


def _log(view: PhoneView) -> Html:
    lines = [element("li", element("del", line.text) if line.is_undone else line.text, value=str(line.number))
             for line in view.log]  # fmt: skip
    return element("section", element("h2", _("History")), element("ol", *lines, class_="log"))
