"""The cards, and what the table knows about where they are.

A card is named `floor-5`, or by the part of its name that was reported: `floor`, a permit `white` or just `permit`. A
hand, a stack or a discard pile is a tuple of such names. A partial name is never completed by guessing: it may mean any
unseen card of the deck. Counting excludes what is impossible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import chain

from companion.frozen import FrozenDict, frozen
from companion.games.capitol.geometry import COLOURS

ROOF, FLOOR, PERMIT = "roof", "floor", "permit"
DECKS = (ROOF, FLOOR, PERMIT)
ANY = "card"
"""a card that is played for nothing where cards are not told"""
FAMILIES = (ROOF, FLOOR, *COLOURS)
DEALT = FrozenDict({ROOF: 2, FLOOR: 2, PERMIT: 4})
"""deck -> the cards of it each player begins with"""
_PRINTED = {ROOF: (7, 2), FLOOR: (8, 3)} | dict.fromkeys(COLOURS, (8, 1))
COPIES = FrozenDict(
    {f"{family}-{number}": copies for family, (highest, copies) in _PRINTED.items() for number in range(1, highest + 1)}
)
"""card -> how many there are of it"""
FAMILY_OF = FrozenDict({card: card.split("-")[0] for card in COPIES} | {name: name for name in (*FAMILIES, PERMIT)})
DECK_OF = FrozenDict({name: PERMIT if family in COLOURS else family for name, family in FAMILY_OF.items()})
NUMBER_OF = FrozenDict({card: int(card.split("-")[1]) for card in COPIES})
NAMES_OF = FrozenDict({deck: tuple(name for name in FAMILY_OF if DECK_OF[name] == deck) for deck in DECKS})
"""deck -> all names of its cards, the least specific last"""
DECK_SIZE = FrozenDict({deck: sum(COPIES.get(name, 0) for name in NAMES_OF[deck]) for deck in DECKS})
_WIDER = {
    name: tuple(dict.fromkeys(wider for wider in (FAMILY_OF[name], DECK_OF[name]) if wider != name))
    for name in FAMILY_OF
}
"""name -> the less specific names of the same card, the most specific of them first"""
FITTING = FrozenDict(
    {name: frozenset(other for other in FAMILY_OF if name in (other, *_WIDER[other]) or other in _WIDER[name])
     for name in FAMILY_OF}
)  # fmt: skip
"""name -> the names that may mean the same card"""
_CARDS_OF = {family: tuple(card for card in COPIES if FAMILY_OF[card] == family) for family in FAMILIES}

Cards = tuple[str, ...]


@frozen
class Unknowns:
    """What is open about the cards."""

    left: FrozenDict[str, int]
    """card -> how many copies of it lie nobody knows where, 0 where all have been seen"""
    places: FrozenDict[str, int]
    """name without number -> how many cards are known by no more than it"""
    slack: FrozenDict[str, int]
    """colour -> how many of the cards known only as permits can be of it"""
    unseen: FrozenDict[str, Cards]
    """family -> its cards with a copy left, by number"""
    colours: tuple[str, ...]
    """the colours that a card known only as a permit can be of: those with slack"""


def unknowns(names: Iterable[str]) -> Unknowns:
    """What is open when all cards are known by these names.

    Raises ValueError where they cannot be the cards of the box.
    """
    count = Counter(names)
    left = {card: copies - count[card] for card, copies in COPIES.items()}
    for card, copies in left.items():
        if copies < 0:
            raise ValueError(f"the box has no more than {COPIES[card]} of {card}")
    places = {name: count[name] for name in (*FAMILIES, PERMIT)}
    slack = {colour: sum(left[card] for card in _CARDS_OF[colour]) - places[colour] for colour in COLOURS}
    for colour, room in slack.items():
        if room < 0:
            raise ValueError(f"there are only {len(_CARDS_OF[colour])} {colour} permits")
    unseen = {family: tuple(card for card in cards if left[card]) for family, cards in _CARDS_OF.items()}
    return Unknowns(FrozenDict(left), FrozenDict(places), FrozenDict(slack), FrozenDict(unseen), _with_room(slack))


def _with_room(slack: Mapping[str, int]) -> tuple[str, ...]:
    return tuple([colour for colour, room in slack.items() if room > 0])


def wider_names(name: str) -> tuple[str, ...]:
    """The less whole names of a card, the most specific of them first; none for what is no card."""
    return _WIDER.get(name, ())


@lru_cache(maxsize=1 << 14)
def kinds_in(cards: Cards) -> frozenset[str]:
    """The families and decks that these cards are of."""
    return frozenset(map(FAMILY_OF.__getitem__, cards)).union(map(DECK_OF.__getitem__, cards))


def may_hold(cards: Cards, card: str, unknown: Unknowns) -> bool:
    """Whether `card` can be among `cards`; never one that the box does not have."""
    if card in cards:
        return True
    family = FAMILY_OF.get(card)
    if family is None:
        return False
    if card not in COPIES:
        told_there = card in kinds_in(cards)
    else:
        told_there = family in cards
        if not unknown.left[card]:
            return False
    return told_there or (PERMIT in cards and family in unknown.colours)


def families_in(cards: Cards, unknown: Unknowns) -> tuple[str, ...]:
    """The families that a card among `cards` can be of."""
    return _families(cards, unknown.colours if PERMIT in cards else ())


@lru_cache(maxsize=1 << 14)
def _families(cards: Cards, possible: tuple[str, ...]) -> tuple[str, ...]:
    there = {*map(FAMILY_OF.__getitem__, cards), *possible}
    return tuple([family for family in FAMILIES if family in there])


def names_for(name: str, unknown: Unknowns) -> tuple[str, ...]:
    """The names by which a card known as `name` can be reported, the least specific last."""
    if name in COPIES:
        return name, *_WIDER[name]
    if name != PERMIT:
        return *unknown.unseen[name], name, *_WIDER[name]
    colours, unseen = unknown.colours, unknown.unseen
    return *chain.from_iterable([unseen[colour] for colour in colours]), *colours, PERMIT


def numbers_in(cards: Cards, unknown: Unknowns) -> list[str]:
    """The cards with their numbers that can be among `cards`, those seen there first."""
    seen, families = _told(cards)
    if PERMIT in families:
        families = families.union(unknown.colours)
    unseen = unknown.unseen
    return list(dict.fromkeys(chain(seen, *[unseen[family] for family in FAMILIES if family in families])))


@lru_cache(maxsize=1 << 14)
def _told(cards: Cards) -> tuple[Cards, frozenset[str]]:
    """The cards with numbers, and the families and decks of those without."""
    return tuple(card for card in cards if card in COPIES), frozenset(card for card in cards if card not in COPIES)


def must_hold(cards: Cards, card: str, unknown: Unknowns) -> bool:
    """Whether `card` is certainly among `cards`: it was seen there, or can be nowhere else."""
    if card in cards:
        return True
    family = FAMILY_OF.get(card)
    if family is None:
        return False
    slack = unknown.slack.get(family, 0)
    permits_elsewhere = unknown.places[PERMIT] - cards.count(PERMIT)
    if card not in COPIES:
        return family in kinds_in(cards) or slack > permits_elsewhere
    elsewhere = unknown.places[family] - cards.count(family) + min(permits_elsewhere, slack)
    return unknown.left[card] > elsewhere


def take(cards: Cards, card: str, unknown: Unknowns) -> tuple[Cards, str, Unknowns]:
    """The cards without `card`, the card by all that is now known of it, and what is open then.

    What could be the one taken or one that stays is no longer known. Raises ValueError where `card` cannot be there.
    """
    held, known = _taken(cards, card, unknown)
    if held:
        return without(cards, held), known, learned(unknown, held, known)
    unknown = forgotten(unknown, [name for name in cards if FAMILY_OF[name] == card], card)
    rest = tuple(sorted(card if FAMILY_OF[name] == card else name for name in cards))
    return without(rest, card), card, unknown


def known_as(cards: Cards, card: str, unknown: Unknowns) -> str:
    """The card that `take` takes, by all that is then known of it. Raises ValueError where it cannot be there."""
    return _taken(cards, card, unknown)[1]


def _taken(cards: Cards, card: str, unknown: Unknowns) -> tuple[str, str]:
    """The name among `cards` of the card that is taken, "" where it can be one of several, and all that is then known.

    Raises ValueError where it cannot be there.
    """
    if card in COPIES:
        if not may_hold(cards, card, unknown):
            raise _absent(cards, card)
        return next(name for name in (card, *_WIDER[card]) if name in cards), card
    meant = _meant(cards, card, PERMIT in cards and card in unknown.colours)
    if not meant:
        raise _absent(cards, card)
    return (meant[0], told(meant[0], card)) if len(meant) == 1 else ("", card)


def _absent(cards: Cards, card: str) -> ValueError:
    return ValueError(f"{card} cannot be among {', '.join(cards) or 'no cards'}")


@lru_cache(maxsize=1 << 14)
def _meant(cards: Cards, family: str, or_permit: bool) -> Cards:
    """The names among `cards` that may mean the card of this family that is taken, permits among them or not."""
    return tuple({held for held in cards if FAMILY_OF[held] == family or (or_permit and held == PERMIT)})


def learned(unknown: Unknowns, before: str, after: str) -> Unknowns:
    """The unknowns after a card known as `before` turns out to be `after`, a more specific name.

    Raises ValueError where all copies of it have been seen already.
    """
    if before == after:
        return unknown
    left, slack, unseen, colours = unknown.left, unknown.slack, unknown.unseen, unknown.colours
    places = {before: unknown.places[before] - 1}
    if after not in COPIES:
        places[after] = unknown.places[after] + 1
    elif not left[after]:
        raise ValueError(f"every {after} has been seen")
    else:
        left = left.put(after, left[after] - 1)
        if not left[after]:
            family = FAMILY_OF[after]
            unseen = unseen.put(family, without(unseen[family], after))
    if before == PERMIT:
        colour = FAMILY_OF[after]
        slack = slack.put(colour, slack[colour] - 1)
        colours = _with_room(slack)
    return Unknowns(left, unknown.places.put_all(places), slack, unseen, colours)


def forgotten(unknown: Unknowns, names: Iterable[str], family: str) -> Unknowns:
    """What is open when cards of a family, known by these names, are known no better than as of this family."""
    numbered = [name for name in names if name != family]
    if not numbered:
        return unknown
    left = unknown.left.put_all({name: unknown.left[name] + numbered.count(name) for name in numbered})
    places = unknown.places.put(family, unknown.places[family] + len(numbered))
    unseen = unknown.unseen.put(family, tuple([card for card in _CARDS_OF[family] if left[card]]))
    return Unknowns(left, places, unknown.slack, unseen, unknown.colours)


def without(cards: Cards, card: str) -> Cards:
    """The cards without one of this name."""
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def told(one: str, other: str) -> str:
    """The more specific of two names that may mean the same card."""
    return one if other in _WIDER[one] else other
