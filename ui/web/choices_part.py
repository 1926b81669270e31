"""What may be chosen on a phone's page: all of it where it is little, else folded by kind and by place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from companion.board.layout import Board
from ui.services.text import _, site_name, translated_texts
from ui.view_models.phone_view import PhoneChoice, PhoneView
from ui.web.faces import Faces
from ui.web.markup import Html, element, joined
from ui.web.pages import Focus

FEW_CARDS = 6
"""to choose from that are shown; of more each is named only"""
FEW_CHOICES = 6
"""of a card or of a kind that are all shown at once; of more its place is touched, or its kind unfolded, first"""
MOST_LISTED = 20
"""choices in one list; of more the kind is chosen first, and then the place"""
CHOICES, PLACES = "do", "places"
"""names of where the choices stand, short as every place of the board links to it, and of the form that asks for those
at a place
"""


@dataclass(frozen=True, slots=True)
class LookedAt:
    """What is looked at on the page, and what can be done with it."""

    focus: Focus
    choices: tuple[PhoneChoice, ...]
    sites: tuple[str, ...]


def looked_at(view: PhoneView, focus: Focus, more: tuple[PhoneChoice, ...]) -> LookedAt:
    """What is looked at, if something can be done with it; else what is offered at once.

    `more` are choices of it that are forbidden.
    """
    found: tuple[PhoneChoice, ...] = ()
    if focus.site or focus.piece:
        found = tuple(
            choice
            for choice in view.choices
            if (not focus.site or focus.site in choice.sites) and (not focus.piece or choice.piece == focus.piece)
        )
    if found:
        why_not = () if focus.piece else more
        return LookedAt(Focus(focus.site, focus.piece), (*found, *why_not), _sites_of(found))
    with_piece = tuple(choice for choice in view.choices if focus.piece and choice.piece == focus.piece)
    if with_piece:  # of the piece that is held: why not there, and what else
        return LookedAt(Focus(piece=focus.piece), (*more, *with_piece), _sites_of(with_piece))
    usual = tuple(choice for choice in view.choices if choice.is_usual and not choice.piece)
    of_kind = [choice for choice in usual if focus.kind and choice.group == focus.kind]
    if of_kind:
        return LookedAt(Focus(kind=focus.kind, tells=focus.tells), usual, _sites_of(of_kind))
    return LookedAt(Focus(tells=focus.tells), (*more, *usual), _sites_of(view.choices))


def _sites_of(choices: Iterable[PhoneChoice]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(site for choice in choices for site in choice.sites))


class ChoicesPart:
    """The choices of one page; `colour` is that of the phone's player."""

    def __init__(self, view: PhoneView, looked: LookedAt, board: Board | None, faces: Faces, colour: str) -> None:
        self._view, self._looked, self._board, self._faces, self._colour = view, looked, board, faces, colour
        self._shows_cards = len({choice.card for choice in looked.choices}) <= FEW_CARDS

    @property
    def asks_for_place(self) -> bool:
        """Whether what is looked at may be done at so many places that one is touched first."""
        focus = self._looked.focus
        if focus.piece:
            return not focus.site and self.is_many(focus.piece)
        return len(_sites_of(self._opened())) > 0 and len(self._opened()) > MOST_LISTED

    def is_many(self, piece: str) -> bool:
        """Whether a place is touched before the choices of a piece are shown."""
        return self._board is not None and sum(choice.piece == piece for choice in self._view.choices) > FEW_CHOICES

    @property
    def hint(self) -> str:
        """What of the hand is to be touched, in a line; "" where no piece of it is played or something is looked at."""
        plays = [choice for choice in self._view.choices if choice.piece] if self._is_at_first else []
        if any(choice.sites for choice in plays):
            return _("Touch a framed card, or its place on the board.")
        return _("Touch a framed card.") if plays else ""

    @property
    def besides(self) -> str:
        """What is touched on the board for what is not listed; "" where all is listed or something is looked at."""
        view = self._view
        if not self._is_at_first or self.hint:
            return ""
        listed = {choice.group for choice in self._looked.choices}
        unlisted = dict.fromkeys(each.group for each in view.choices if each.sites and each.group not in listed)
        if not unlisted:
            return ""
        return (
            _("Or touch the board: {what}.").format(what=", ".join(unlisted))
            if listed
            else _("Touch a place on the board.")
        )

    @property
    def _is_at_first(self) -> bool:
        """Whether it is the seat's turn and nothing is looked at yet."""
        focus = self._looked.focus
        return self._view.is_mine and not (focus.site or focus.piece or focus.kind)

    def html(self) -> Html:
        """All of it."""
        looked = self._looked
        if looked.focus.piece and self.asks_for_place:
            aside, offered = _parted(looked.choices)
            return joined(*self._groups(aside), self._list(offered))
        if not self._is_folded:
            return joined(*self._groups(looked.choices))
        aside, usual = _parted(looked.choices)
        kinds = [self._kind(kind, tuple(each)) for kind, each in groupby(usual, key=lambda choice: choice.group)]
        return joined(*self._groups(aside), *kinds)

    def places_form(self) -> Html:
        """The form of the list of places, which stands beside the one that is sent to the table."""
        if not self.asks_for_place:
            return Html("")
        piece = self._looked.focus.piece
        kept = element("input", type="hidden", name="piece", value=piece) if piece else Html("")
        return element("form", kept, action=f"/#{CHOICES}", id=PLACES)

    @property
    def _is_folded(self) -> bool:
        focus = self._looked.focus
        return not (focus.site or focus.piece) and len(_parted(self._looked.choices)[1]) > MOST_LISTED

    def _opened(self) -> tuple[PhoneChoice, ...]:
        """The choices of the kind that is unfolded, or of the only one."""
        if not self._is_folded:
            return ()
        usual = _parted(self._looked.choices)[1]
        kind = self._looked.focus.kind or (usual[0].group if len({each.group for each in usual}) == 1 else "")
        return tuple(each for each in usual if kind and each.group == kind)

    def _kind(self, kind: str, choices: tuple[PhoneChoice, ...]) -> Html:
        """The choices of one kind: at once where they are few, else what unfolds them, or they as they are unfolded."""
        if len(choices) <= FEW_CHOICES:
            return joined(*self._groups(choices))
        count, opened = element("b", str(len(choices))), self._opened() == choices
        if not opened:
            address = f"/{Focus(kind=kind).query}#{CHOICES}"
            return element("section", element("a", kind, count, href=address, class_="button kind"))
        heading = element("h2", kind)
        if self._looked.focus.kind:
            heading = element("a", kind, count, href=f"/#{CHOICES}", aria_expanded="true", class_="button kind open")
        if not self.asks_for_place:
            return element("section", heading, self._grid(choices))
        asked = element("p", _("Touch a place on the board."), class_="asked")
        return element("section", heading, asked, self._list(choices))

    def _list(self, choices: Sequence[PhoneChoice]) -> Html:
        """What a place on the board is touched for, as a folded list; of many the places alone."""
        places = _sites_of(choices)
        if len(choices) <= MOST_LISTED or not places:
            count, listed = len(choices), joined(*self._groups(choices))
        else:
            anywhere = self._groups(choice for choice in choices if not choice.sites)
            count, listed = len(places), joined(self._places(places), *anywhere)
        every = element("summary", _("Or choose from a list of {count}").format(count=count))
        return element("details", every, listed, class_="every", data_seat="every")

    def _places(self, sites: Iterable[str]) -> Html:
        game = self._board.game if self._board is not None else ""
        texts = translated_texts(game) if self._board is not None else None
        options = [element("option", site_name(texts, site) if texts else site, value=site) for site in sites]
        chosen = element("select", *options, name="site", aria_label=_("Place"), form=PLACES)
        return element("div", chosen, element("button", _("Show"), form=PLACES), class_="grid")

    def _groups(self, choices: Iterable[PhoneChoice]) -> list[Html]:
        groups = []
        for group, together in groupby(choices, key=lambda choice: choice.group):
            members = tuple(together)
            is_aside = all(each.forbidden for each in members) and bool(self._looked.focus.site)
            says_all = [each.text for each in members] == [group]
            heading = Html("") if says_all else element("summary" if is_aside else "h2", group)
            groups.append(element("details" if is_aside else "section", heading, self._grid(members)))
        return groups

    def _grid(self, choices: Iterable[PhoneChoice]) -> Html:
        return element("div", *map(self._choice, choices), class_="grid")

    def _choice(self, choice: PhoneChoice) -> Html:
        is_card_seen = self._shows_cards and choice.card != self._looked.focus.piece
        card = self._faces.card(choice.card, choice.card) if is_card_seen else Html("")
        pictures = joined(card, self._faces.laid(choice.laid))
        pictures = pictures or self._faces.standing_for(choice.faces, self._colour)
        looks = ["choice"] if pictures else []
        if choice.forbidden:
            looks.append("forbidden")
        return element(
            "button", pictures, element("span", choice.text), element("small", choice.why) if choice.why else "",
            name="choose", value=choice.key,
            class_=" ".join(looks) or None,
        )  # fmt: skip


def _parted(choices: Iterable[PhoneChoice]) -> tuple[tuple[PhoneChoice, ...], tuple[PhoneChoice, ...]]:
    """What is forbidden, and what is offered."""
    found = tuple(choices)
    return tuple(each for each in found if each.forbidden), tuple(each for each in found if not each.forbidden)
