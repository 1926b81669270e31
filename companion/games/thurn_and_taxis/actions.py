"""The actions of Thurn and Taxis, one physical gesture each, and their notation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.errors import InvalidNotation
from companion.games.thurn_and_taxis.geometry import CARRIAGES, PROVINCES
from companion.games.thurn_and_taxis.state import EACH, OFFICIALS, RANKS

DECK = "deck"
LEFT, RIGHT, NEW = ENDS = ("left", "right", "new")


@dataclass(frozen=True, slots=True)
class Show:
    """Turn the top card of the deck over into the display: `show Ulm`."""

    card: str

    @property
    def text(self) -> str:
        """The notation."""
        return f"show {self.card}"


@dataclass(frozen=True, slots=True)
class Administrator:
    """Let the Administrator exchange the display: `administrator`."""

    @property
    def text(self) -> str:
        """The notation."""
        return "administrator"


@dataclass(frozen=True, slots=True)
class Take:
    """Take a card from the display or the deck: `take Ulm`, `take deck`. The second one is the Postmaster's."""

    card: str

    @property
    def text(self) -> str:
        """The notation."""
        return f"take {self.card}"


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card at an end of the route or as a new one: `play Ulm left`. The second is the Carrier's."""

    card: str
    end: str

    @property
    def text(self) -> str:
        """The notation."""
        return f"play {self.card} {self.end}"


@dataclass(frozen=True, slots=True)
class Drop:
    """Discard the route without closing it, to begin a new one: `drop`."""

    @property
    def text(self) -> str:
        """The notation."""
        return "drop"


@dataclass(frozen=True, slots=True)
class Close:
    """Close the route with a house in each province or all in one: `close each`, `close Baiern cartwright`."""

    option: str
    cartwright: bool = False

    @property
    def text(self) -> str:
        """The notation."""
        return f"close {self.option}" + (" cartwright" if self.cartwright else "")


@dataclass(frozen=True, slots=True)
class House:
    """Put a house in a city: `house Ulm`."""

    city: str

    @property
    def text(self) -> str:
        """The notation."""
        return f"house {self.city}"


@dataclass(frozen=True, slots=True)
class Move:
    """Move a carriage towards Rome for an unused route card: `move Muenchen Baiern Ettal`."""

    card: str
    carriage: str
    city: str

    @property
    def text(self) -> str:
        """The notation."""
        return f"move {self.card} {self.carriage} {self.city}"


@dataclass(frozen=True, slots=True)
class Tell:
    """Turn over the next audience tile of a carriage that arrived: `tile cardinal`."""

    rank: str

    @property
    def text(self) -> str:
        """The notation."""
        return f"tile {self.rank}"


@dataclass(frozen=True, slots=True)
class Return:
    """Return office tiles of different officials: `return postmaster cartwright`."""

    kinds: tuple[str, ...]

    @property
    def text(self) -> str:
        """The notation."""
        return " ".join(("return", *self.kinds))


@dataclass(frozen=True, slots=True)
class Decline:
    """Give up a card or house that office tiles earn, the last return, or optional moves of carriages: `decline`."""

    @property
    def text(self) -> str:
        """The notation."""
        return "decline"


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a hand card after closing: `discard Ulm`."""

    card: str

    @property
    def text(self) -> str:
        """The notation."""
        return f"discard {self.card}"


@dataclass(frozen=True, slots=True)
class EndTurn:
    """End the turn: `end`."""

    @property
    def text(self) -> str:
        """The notation."""
        return "end"


KINDS: tuple[type, ...] = (
    Show, Administrator, Take, Play, Drop, Close, House, Move, Tell, Return, Decline, Discard, EndTurn,
)  # fmt: skip
FORMS = {
    "show": "'show Ulm'", "administrator": "'administrator'", "take": "'take Ulm' or 'take deck'",
    "play": "'play Ulm left', right or new", "drop": "'drop'", "close": "'close each' or 'close Baiern cartwright'",
    "house": "'house Ulm'", "move": "'move Muenchen Baiern Ettal'", "tile": "'tile cardinal'",
    "return": "'return postmaster cartwright'", "decline": "'decline'", "discard": "'discard Ulm'", "end": "'end'",
}  # fmt: skip


def parse(text: str, cities: Mapping[str, str], stations: Mapping[str, str]) -> object:
    """The action of a text; `cities` and `stations` (of the roads to Rome) give names by their lower case.

    Raises InvalidNotation.
    """
    words = text.split()
    if not words or len(text) > 200:
        raise InvalidNotation("an action is one line such as 'take Ulm' or 'play Ulm left'")
    word, rest = words[0].lower(), [each.lower() for each in words[1:]]
    if word not in FORMS:
        raise InvalidNotation(f"{text!r} is no action: it must begin with one of {', '.join(FORMS)}")

    def fail(reason: str) -> InvalidNotation:
        return InvalidNotation(f"{text!r} is no action: {reason}")

    def one_of(value: str, allowed: tuple[str, ...], what: str) -> str:
        found = next((name for name in allowed if name.lower() == value), None)
        if found is None:
            raise fail(f"{value!r} is no {what}; they are {', '.join(allowed)}")
        return found

    def city(value: str, known: Mapping[str, str] = cities) -> str:
        if value not in known:
            raise fail(f"{value!r} is no city here")
        return known[value]

    match word, rest:
        case "show", [card]:
            return Show(city(card))
        case "take", [card]:
            return Take(DECK if card == DECK else city(card))
        case "discard", [card]:
            return Discard(city(card))
        case "house", [place]:
            return House(city(place))
        case "play", [card, end]:
            return Play(city(card), one_of(end, ENDS, "end of a route"))
        case "close", [option]:
            return Close(one_of(option, (EACH, *PROVINCES), "province"))
        case "close", [option, "cartwright"]:
            return Close(one_of(option, (EACH, *PROVINCES), "province"), True)
        case "move", [card, carriage, *place] if place:
            return Move(city(card), one_of(carriage, CARRIAGES, "carriage"), city(" ".join(place), stations))
        case "tile", [rank]:
            return Tell(one_of(rank, RANKS, "rank"))
        case "return", [_, *_]:
            kinds = [one_of(kind, OFFICIALS, "official") for kind in rest]
            return Return(tuple(sorted(kinds, key=OFFICIALS.index)))
        case (("administrator" | "drop" | "decline" | "end"), []):
            return {"administrator": Administrator(), "drop": Drop(), "decline": Decline(), "end": EndTurn()}[word]
    raise fail(f"the form is {FORMS[word]}")
