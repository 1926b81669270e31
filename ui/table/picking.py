"""Choosing by looking: which of many choices lie in the tray, and which of them lies on the board as a ghost. No Kivy.

Choices of several groups are come to by group. Those that bring pieces onto the board are looked at place by place: the
likeliest lies there as a ghost, the other places are numbered. What is looked at is not chosen yet.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from companion.board.layout import Board
from ui.drawing.board_frame import site_centre, site_outline
from ui.services.text import _
from ui.table.swatches import SWITCH, colour_of, has_other, laid_out, swatches_of, turned
from ui.view_models.play_view import ChipView, ChoiceView, PieceState, PieceView, PlaceView, PlayView

FEW_LETTERS = 26
"""letters up to which a choice alone is told in full where only its words say at which place it is"""
MOST_IN_ROW = 24
"""cards that no row of the tray has room for"""
GHOST_PLACES = 12
"""places from which on they are not numbered: the board is to be touched first"""


@dataclass(frozen=True, slots=True)
class CardView:
    """A card of the tray: a choice, or a whole group of `count` of them, which it opens.

    `faces` are components, `pieces` faces as they will lie on the board.
    """

    key: str
    text: str
    faces: tuple[ChipView, ...] = ()
    pieces: tuple[PieceView, ...] = ()
    count: int = 0
    forbidden: bool = False
    selected: bool = False
    told: str = ""
    """the same in full"""
    is_beside: bool = False
    """whether it lies beside the others where they fill the shelf"""
    figure: str = ""
    """what stands large above the text, such as 2 / 3"""
    is_told_by_face: bool = False
    """whether its face alone says what it opens"""

    @property
    def has_picture(self) -> bool:
        """Whether faces stand for it."""
        return bool(self.faces or self.pieces) and not self.forbidden

    @property
    def opens(self) -> bool:
        """Whether it opens a group."""
        return self.count > 0


class Picking:
    """What is looked at of the choices that a table has now."""

    def __init__(self) -> None:
        self._choices: tuple[ChoiceView, ...] = ()
        self.group = ""
        """the group that is open"""
        self._place = 0
        self._at_place: ChoiceView | None = None
        self._liked: tuple[str, bool] | None = None
        """the colour that was looked at last, and whether another piece lay on it: so it goes on at other places"""
        self._is_begun = False
        """whether anything of these choices was looked at"""

    def take(self, choices: tuple[ChoiceView, ...]) -> None:
        """Other choices: what was looked at is forgotten, but a group that is still there stays open."""
        if choices == self._choices:
            return
        self._choices, self._place, self._at_place, self._is_begun = choices, 0, None, False
        if self.group not in self.groups:
            self.group = ""

    @property
    def choices(self) -> tuple[ChoiceView, ...]:
        """All that may be chosen, in the groups in which it is come to."""
        return self._choices

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of the groups, in order."""
        return tuple(dict.fromkeys(choice.group for choice in self._choices))

    def open(self, group: str) -> None:
        """Show the choices of one group; of all groups for none."""
        self.group, self._place, self._at_place = group, 0, None

    @property
    def shown(self) -> tuple[ChoiceView, ...]:
        """The choices that can be chosen now: those of the open group and of the place that is looked at."""
        within = tuple(choice for choice in self._choices if self.group in ("", choice.group))
        places = self._places(within)
        if len(places) < 2 or not self.looks_at_places:
            return within
        here = places[self._place % len(places)]
        return tuple(choice for choice in within if _place_of(choice) in ((), here))

    @property
    def looks_at_places(self) -> bool:
        """Whether what may be done lies at a few places of the board that are looked at one by one."""
        within = [choice for choice in self._choices if self.group in ("", choice.group)]
        places = self._places(within)
        return 0 < len(places) <= GHOST_PLACES and any(choice.ghost for choice in within)

    @property
    def chosen(self) -> ChoiceView | None:
        """The choice whose pieces lie on the board as a ghost, or whose card was touched where only the primary button
        chooses it.
        """
        touched = self._at_place
        if touched is not None and touched.confirms and touched in self.shown:
            return touched
        if not self.looks_at_places:
            return None
        laying = [choice for choice in self.shown if choice.ghost and not choice.forbidden]
        if touched in laying:
            return touched
        laying = [choice for choice in laying if self._is_begun or not choice.waits]
        liked = (choice for choice in laying if (colour_of(choice), has_other(choice)) == self._liked)
        return next(liked, min(laying, key=lambda choice: (not choice.is_usual, choice.laid_before), default=None))

    @property
    def place(self) -> tuple[int, int]:
        """Which place is looked at, from 1, and how many there are."""
        places = self._places(choice for choice in self._choices if self.group in ("", choice.group))
        return (self._place % len(places) + 1, len(places)) if places else (0, 0)

    def next_place(self) -> None:
        """Look at the next place."""
        self._place, self._at_place, self._is_begun = self._place + 1, None, True

    def go_to(self, number: int) -> None:
        """Look at a place by its number."""
        self._place, self._at_place, self._is_begun = number - 1, None, True

    def forget_colour(self) -> None:
        """Something was recorded: the colour that was looked at last is no likelier than others."""
        self._liked = None

    def only_looks_at(self, key: str, before: str = "") -> bool:
        """Whether a touch of a choice's card does not choose it yet; `before` is the key of what was looked at before
        the touch, "" for what is looked at now.

        What the primary button confirms, and what lays pieces at a place that is looked at, lies on the board first: a
        second touch chooses it.
        """
        choice = next((each for each in self._choices if each.key == key), None)
        if choice is None:
            return key == SWITCH
        chosen = self.chosen
        is_second = key == (before or (chosen.key if chosen is not None else ""))
        return bool(choice.confirms or self._is_laid_at_a_place(choice)) and not is_second

    def _is_laid_at_a_place(self, choice: ChoiceView) -> bool:
        return bool(choice.ghost) and not choice.forbidden and self.looks_at_places and choice in self.shown

    def meant_by(self, key: str) -> str:
        """The key of the choice that a card's key means: that of the switch means what is looked at with it."""
        found = turned(swatches_of(self.shown), self.chosen) if key == SWITCH else None
        return found.key if found is not None else key

    def look_at(self, key: str) -> None:
        """Let this choice's pieces lie on the board; the switch lays another piece on them, or takes it away."""
        key = self.meant_by(key)
        self._at_place = next((choice for choice in self._choices if choice.key == key), None)
        if self._at_place is not None and self._at_place.swatch and self._at_place.confirms:
            self._liked, self._is_begun = (colour_of(self._at_place), has_other(self._at_place)), True

    @property
    def _laid_out(self) -> tuple[ChoiceView, ...]:
        """What is shown, colours that may be chosen at a place as swatches."""
        shown = self.shown
        return laid_out(shown, swatches_of(shown), self.chosen)

    def cards(self, room: int) -> tuple[CardView, ...]:
        """The cards of the tray; groups where single choices would be more than there is room for."""
        shown = self._laid_out
        names = tuple(dict.fromkeys(choice.group for choice in shown))
        if len(names) > 1 and (len(shown) > room or _are_alike(shown)):
            return tuple(self._group_card(name, [c for c in shown if c.group == name]) for name in names)
        return tuple(self._cards(shown))

    def cards_within(self, fits: Callable[[Sequence[CardView]], bool]) -> tuple[CardView, ...]:
        """The cards with as few groups as will do folded so that they fit, else all of them: first those of what is
        forbidden, or beside the others, then those whose choices are come to by touching the board, too, of these the
        largest.
        """
        shown = self._laid_out
        members: dict[str, list[ChoiceView]] = {}
        for choice in shown:
            members.setdefault(choice.group, []).append(choice)
        single = list(zip(shown, self._cards(shown), strict=True)) if len(members) > 1 else []
        order = sorted(
            members,
            key=lambda name: (
                not members[name][0].forbidden,
                not all(c.is_beside for c in members[name]),
                not all(c.sites for c in members[name]),
                -len(members[name]),
            ),
        )
        for count in range(1, 1 if _are_alike(shown) else len(members)):
            folded = frozenset(order[:count])
            if count + sum(len(members[name]) for name in order[count:]) > MOST_IN_ROW:
                continue
            heads = {members[name][0].key: self._group_card(name, members[name]) for name in folded}
            cards = [
                heads.get(choice.key, card)
                for choice, card in single
                if choice.group not in folded or choice.key in heads
            ]
            if fits(cards):
                return tuple(cards)
        return self.cards(0)

    @property
    def has_swatches(self) -> bool:
        """Whether colours are chosen at a place."""
        return bool(swatches_of(self.shown))

    def cards_beside_swatches(self) -> tuple[CardView, ...]:
        """The swatches one by one, all else in groups."""
        shown = self._laid_out
        members = {choice.group for choice in swatches_of(self.shown)}
        names = dict.fromkeys(choice.group for choice in shown if choice.group not in members)
        return (
            *self._cards([choice for choice in shown if choice.group in members]),
            *(self._group_card(name, [c for c in shown if c.group == name]) for name in names),
        )

    def cards_with_reasons_folded(self) -> tuple[CardView, ...]:
        """The cards of what may be done one by one, those of what may not as one group each."""
        shown = self._laid_out
        allowed = [choice for choice in shown if not choice.forbidden]
        forbidden = [choice for choice in shown if choice.forbidden]
        names = dict.fromkeys(choice.group for choice in forbidden)
        return (
            *self._cards(allowed),
            *(self._group_card(name, [c for c in forbidden if c.group == name]) for name in names),
        )

    def other_places(self, board: Board) -> tuple[PlaceView, ...]:
        """The places beside the one that is looked at, where a sheet shows them."""
        chosen = self.chosen
        if chosen is None:
            return ()
        places = self._places(choice for choice in self._choices if self.group in ("", choice.group))
        found = []
        for number, sites in enumerate(places, 1):
            if number != self.place[0] and sites:
                try:
                    found.append(PlaceView(number, site_outline(board, sites[0])))
                except KeyError:
                    continue
        return tuple(found)

    def ghost(self) -> tuple[PieceView, ...]:
        """The pieces that lie on the board as a ghost."""
        chosen = self.chosen
        return tuple(replace(piece, state=PieceState.GHOST) for piece in chosen.ghost) if chosen is not None else ()

    @staticmethod
    def _places(choices: Iterable[ChoiceView]) -> list[tuple[str, ...]]:
        return list(dict.fromkeys(place for choice in choices if (place := _place_of(choice))))

    def _group_card(self, name: str, members: Sequence[ChoiceView]) -> CardView:
        first = members[0]
        if len(members) == 1:
            return next(self._cards(members))
        text = _("Why not?") if first.forbidden else self._group_name(name, first)
        return CardView(
            name, text, first.faces[:2], _looked_at(first), len(members), first.forbidden, is_beside=first.is_beside
        )

    def _group_name(self, name: str, first: ChoiceView) -> str:
        """What a group is called: the place that is looked at is seen on the board and needs no name."""
        is_alone = {choice.group for choice in self.shown if choice.kind == first.kind} == {name}
        return first.kind if first.kind and is_alone and self.looks_at_places else name

    def _cards(self, choices: Sequence[ChoiceView]) -> Iterator[CardView]:
        """The cards of choices beside one another, in short where others of their group are there."""
        groups: dict[str, list[str]] = {}
        briefs: Counter[tuple[str, str]] = Counter()
        for choice in choices:
            groups.setdefault(choice.group, []).append(choice.text)
            briefs[choice.group, choice.brief] += not (choice.faces or choice.looks)
        short: dict[str, dict[str, str]] = {}
        for name, texts in groups.items():
            if len(texts) > 1:
                short[name] = dict(zip(texts, short_names(texts, keeps_ends=len(groups) > 1), strict=True))
        chosen, told = self.chosen, set[str]()
        for choice in choices:
            names = short.get(choice.group)
            is_alike = briefs[choice.group, choice.brief] > 1  # neither its brief words nor a picture tell it apart
            worded = replace(choice, brief="") if is_alike else choice
            is_selected = choice.is_meant or (chosen is not None and chosen.key == choice.key)
            card = self._card(worded, names[choice.text] if names else None, selected=is_selected)
            is_told = choice.forbidden and bool(card.faces or card.pieces) and card.text in told
            told.add(card.text)
            yield replace(card, text="") if is_told else card  # their pictures alone differ

    def _card(self, choice: ChoiceView, short: str | None, *, selected: bool) -> CardView:
        """The card of a choice; `short` tells it apart from the others of its group, None where it is alone."""
        text = (choice.brief or short) if short is not None else ""
        pieces = () if choice.faces else _looked_at(choice)
        if not self.group and not choice.faces and not pieces and not any(map(str.isalpha, text)):
            text = ""  # a number alone says nothing where no heading says of what
        if not text or text == choice.text:
            names_place = bool(choice.sites) and not pieces and len(choice.text) <= FEW_LETTERS
            text = choice.group if (choice.faces or pieces) and not names_place else choice.text
            text = choice.text if short is not None else text or choice.text
        if choice.card and (short is None or sum(each.kind == choice.kind for each in self.shown) == 1):
            text = choice.kind  # nothing else of that kind is there
        if short is not None and any(face.storeys for face in choice.faces):
            text = ""  # towers show how high they are
        return CardView(
            choice.key, text, choice.faces, pieces, 0, choice.forbidden, selected, choice.text, choice.is_beside
        )


def without_corrected(
    pieces: tuple[PieceView, ...], ghost: tuple[PieceView, ...], board: Board
) -> tuple[PieceView, ...]:
    """The pieces that lie on a sheet beside a ghost, which takes the place of what is being corrected."""
    taken = {board.spots[piece.spot].site for piece in ghost if piece.spot in board.spots}
    return tuple(
        piece
        for piece in pieces
        if piece.state is not PieceState.CORRECTED
        or piece.spot not in board.spots
        or board.spots[piece.spot].site not in taken
    )


def place_looked_at(view: PlayView, board: Board) -> str:
    """The site on a sheet that is looked at: the one touched, else where the latest piece lies; "" for none."""
    if len(view.legal_sites) == 1:
        site = next(iter(view.legal_sites))
        return site if site_centre(board, site) is not None else ""
    latest = [piece.spot for piece in view.pieces if piece.state is PieceState.LATEST and piece.label]
    latest += [piece.spot for move in view.moves for piece in move.pieces if piece.label]
    return next((board.spots[spot].site for spot in latest if spot in board.spots), "")


def _are_alike(choices: Sequence[ChoiceView]) -> bool:
    """Whether choices of different groups have the same words, so that only the groups tell them apart."""
    groups_of: dict[str, set[str]] = {}
    for choice in choices:
        if not choice.faces and not choice.ghost and not choice.forbidden:
            groups_of.setdefault(choice.text, set()).add(choice.group)
    return any(len(groups) > 1 for groups in groups_of.values())


def _place_of(choice: ChoiceView) -> tuple[str, ...]:
    return tuple(site for site in choice.sites[:1]) if choice.ghost else ()


def _looked_at(choice: ChoiceView) -> tuple[PieceView, ...]:
    """The pieces that tell what a choice lays."""
    return (choice.ghost or choice.looks)[:2]


_BRACKETED = re.compile(r"^\(([^()]*)\)$")
SHORT_WORD = 3
"""letters that articles and prepositions have at most, in the languages of the app"""


def short_names(texts: Sequence[str], *, keeps_ends: bool = False) -> tuple[str, ...]:
    """Texts without the words with which all of them begin and end; an article or preposition keeps its ending.

    `keeps_ends` leaves the end to all: what is done to each of them is said nowhere else.
    """
    worded = [text.split() for text in texts]
    first, last = _shared(worded), _shared([words[::-1] for words in worded])
    last = min(last, min(len(words) for words in worded) - first - 1)
    ends = [words[len(words) - last - 1] for words in worded]
    if keeps_ends or any(end.isalpha() and end.islower() and len(end) <= SHORT_WORD for end in ends):
        last = 0
    names = (" ".join(words[first : len(words) - last]).strip(",") for words in worded)
    return tuple(_BRACKETED.sub(r"\1", name) for name in names)


def _shared(worded: Sequence[Sequence[str]]) -> int:
    """With how many words all of them begin; one is left to each."""
    count = 0
    while all(len(words) > count + 1 for words in worded) and len({words[count] for words in worded}) == 1:
        count += 1
    return count
