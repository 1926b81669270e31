"""The actions of Thurn and Taxis, one physical gesture each, and their notation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from companion.errors import InvalidNotation
from companion.games.thurn_and_taxis.geometry import CARRIAGES, PROVINCES
from companion.games.thurn_and_taxis.state import EACH, OFFICIALS, RANKS
from companion.notation import Notated, read_action
from companion.wording.spelling import plain, spellings, with_nearest

DECK = "deck"
ANY = "card"
"""a card of which the table does not tell where it comes from"""
LEFT, RIGHT, NEW = ENDS = ("left", "right", "new")


@dataclass(frozen=True, slots=True)
class Show(Notated):
    """Turn the top card of the deck over into the display: `show Ulm`."""

    form = "show {card}"
    site_forms = ("city/{card}",)

    card: str


@dataclass(frozen=True, slots=True)
class Administrator(Notated):
    """Let the Administrator exchange the display: `administrator`."""

    form = "administrator"


@dataclass(frozen=True, slots=True)
class Take(Notated):
    """Take a card from the display or the deck: `take Ulm`, `take deck`. The second one is the Postmaster's.

    Where cards are not told it is `take card`.
    """

    form = "take {card}"

    card: str

    @property
    def sites(self) -> tuple[str, ...]:
        """The city of the card; none for the deck."""
        return () if self.card in (DECK, ANY) else (f"city/{self.card}",)


@dataclass(frozen=True, slots=True)
class Play(Notated):
    """Play a card at an end of the route or as a new one: `play Ulm left`. The second is the Carrier's."""

    form = "play {card} {end}"
    site_forms = ("city/{card}",)

    card: str
    end: str


@dataclass(frozen=True, slots=True)
class Drop(Notated):
    """Discard the route without closing it, to begin a new one: `drop`."""

    form = "drop"


@dataclass(frozen=True, slots=True)
class Close(Notated):
    """Close the route with a house in each province or all in one: `close each`, `close Baiern cartwright`."""

    form = "close {option} {cartwright}"

    option: str
    cartwright: bool = False


@dataclass(frozen=True, slots=True)
class House(Notated):
    """Put a house in a city: `house Ulm`."""

    form = "house {city}"
    site_forms = ("city/{city}",)

    city: str


@dataclass(frozen=True, slots=True)
class Move(Notated):
    """Move a carriage towards Rome for an unused route card: `move Muenchen Baiern Ettal`."""

    form = "move {card} {carriage} {city}"
    site_forms = (
        "city/{card}",
        "city/{city}",
    )

    card: str
    carriage: str
    city: str


@dataclass(frozen=True, slots=True)
class Tell(Notated):
    """Turn over the next audience tile of a carriage that arrived: `tile cardinal`."""

    form = "tile {rank}"

    rank: str


@dataclass(frozen=True, slots=True)
class Return(Notated):
    """Return office tiles of different officials: `return postmaster cartwright`."""

    form = "return {kinds}"

    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Decline(Notated):
    """Give up a card or house that office tiles earn, the last return, or optional moves of carriages: `decline`."""

    form = "decline"


@dataclass(frozen=True, slots=True)
class Discard(Notated):
    """Discard a hand card after closing: `discard Ulm`."""

    form = "discard {card}"
    site_forms = ("city/{card}",)

    card: str


@dataclass(frozen=True, slots=True)
class Pass(Notated):
    """Where hands are not told: the hand holds no card to play: `pass`."""

    form = "pass"


@dataclass(frozen=True, slots=True)
class EndTurn(Notated):
    """End the turn: `end`."""

    form = "end"


KINDS: tuple[type, ...] = (
    Show, Administrator, Take, Play, Drop, Close, House, Move, Tell, Return, Decline, Discard, Pass,
    EndTurn,
)  # fmt: skip
_FORMS = {
    "show": "'show Ulm'", "administrator": "'administrator'", "take": "'take Ulm' or 'take deck'",
    "play": "'play Ulm left', right or new", "drop": "'drop'", "close": "'close each' or 'close Baiern cartwright'",
    "house": "'house Ulm'", "move": "'move Muenchen Baiern Ettal'", "tile": "'tile cardinal'",
    "return": "'return postmaster cartwright'", "decline": "'decline'", "discard": "'discard Ulm'", "pass": "'pass'",
    "end": "'end'",
}  # fmt: skip


def parse(text: str, cities: Mapping[str, str], stations: Mapping[str, str]) -> object:
    """The action of a text; `cities` and `stations` (of the roads to Rome) give names by their plain spelling.

    Raises InvalidNotation.
    """
    return read_action(text, "'take Ulm' or 'play Ulm left'", _FORMS, partial(_read, cities, stations))


def _read(cities: Mapping[str, str], stations: Mapping[str, str], word: str, rest: list[str]) -> object | None:
    match word, list(map(plain, rest)):
        case "show", [card]:
            return Show(_city(card, cities))
        case "take", [card]:
            return Take(card if card in (DECK, ANY) else _city(card, cities))
        case "discard", [card]:
            return Discard(_city(card, cities))
        case "house", [place]:
            return House(_city(place, cities))
        case "play", [card, end]:
            return Play(_city(card, cities), _one_of(end, ENDS, "end of a route"))
        case "close", [option]:
            return Close(_one_of(option, (EACH, *PROVINCES), "province"))
        case "close", [option, "cartwright"]:
            return Close(_one_of(option, (EACH, *PROVINCES), "province"), True)
        case "move", [card, carriage, *place] if place:
            station = " ".join(place)
            return Move(_city(card, cities), _one_of(carriage, CARRIAGES, "carriage"), _city(station, stations))
        case "tile", [rank]:
            return Tell(_one_of(rank, RANKS, "rank"))
        case "return", [_, *_] as tiles:
            kinds = [_one_of(kind, OFFICIALS, "official") for kind in tiles]
            return Return(tuple(sorted(kinds, key=OFFICIALS.index)))
        case (("administrator" | "drop" | "decline" | "pass" | "end"), []):
            plainly = {"administrator": Administrator(), "drop": Drop(), "decline": Decline(), "pass": Pass()}
            return plainly.get(word, EndTurn())
    return None


def _one_of(value: str, allowed: tuple[str, ...], what: str) -> str:
    found = spellings(allowed).get(value)
    if found is None:
        raise InvalidNotation(f"{value!r} is no {what}; they are {', '.join(allowed)}")
    return found


def _city(value: str, known: Mapping[str, str]) -> str:
    if value not in known:
        raise InvalidNotation(with_nearest(f"{value!r} is no city here", value, known.values()))
    return known[value]
