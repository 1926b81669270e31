"""The actions of Capitol, one physical gesture each, and their notation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from companion.errors import InvalidNotation
from companion.games.capitol.cards import ANY, FAMILIES, FAMILY_OF, FLOOR, PERMIT, ROOF
from companion.games.capitol.geometry import COLOURS
from companion.games.capitol.state import NEW, SHAPES, height_of
from companion.notation import Notated, read_action
from companion.table import Table


@dataclass(frozen=True, slots=True)
class PlayFloor(Notated):
    """Play a floor card: put each floor on an unroofed building of this height, or begin a new one: `floor-5 new 2`.

    `onto` is in ascending order, new ones first; `new 1` is thus also a new building of two floors.
    """

    form = "{card} {onto}"

    card: str
    onto: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayRoof(Notated):
    """Play a roof card: put a roof on an unroofed building of this height: `roof-3 round 2`."""

    form = "{card} {shape} {height}"

    card: str
    shape: str
    height: int


@dataclass(frozen=True, slots=True)
class PlayPermit(Notated):
    """Play a permit: put a completed building on the board: `white-4 2-round Palatine/3`."""

    form = "{card} {building} {square}"
    site_forms = ("{square}",)

    card: str
    building: str
    square: str


@dataclass(frozen=True, slots=True)
class PlayForNothing(Notated):
    """Play a card without effect: `red nothing`; where cards are not told, `card nothing`."""

    form = "{card} nothing"

    card: str


@dataclass(frozen=True, slots=True)
class Pass(Notated):
    """Play no more cards in this construction phase: `pass`."""

    form = "pass"


@dataclass(frozen=True, slots=True)
class Commit(Notated):
    """Have one's cards lie face down with the senator among them: `ready 2`."""

    form = "ready {seat}"

    seat: int


@dataclass(frozen=True, slots=True)
class Reveal(Notated):
    """Turn over the next card of one's bid: `reveal floor-7`."""

    form = "reveal {card}"

    card: str


@dataclass(frozen=True, slots=True)
class TurnSenator(Notated):
    """Turn over the senator, which ends one's bid: `senator`."""

    form = "senator"


@dataclass(frozen=True, slots=True)
class Award(Notated):
    """Where bids are not told: who won the auction, and has discarded the bid: `won 2`."""

    form = "won {seat}"

    seat: int


@dataclass(frozen=True, slots=True)
class PutAside(Notated):
    """Where bids are not told: nobody bid, and the tile is put aside: `nobody`."""

    form = "nobody"


@dataclass(frozen=True, slots=True)
class PutTile(Notated):
    """Put the fountain, amphitheatre or temple just won on the board: `tile Palatine/3`, `tile Palatine/L`."""

    form = "tile {square}"
    site_forms = ("{square}",)

    square: str


@dataclass(frozen=True, slots=True)
class Draw(Notated):
    """Take the top card of a stack, with as much of its name as is reported: `draw floor-5`, `draw floor`, `draw
    permit`.
    """

    form = "draw {card}"

    card: str


KINDS: tuple[type, ...] = (
    PlayFloor, PlayRoof, PlayPermit, PlayForNothing, Pass, Commit, Reveal, TurnSenator, Award, PutAside,
    PutTile, Draw,
)  # fmt: skip

_CARD = re.compile(r"([a-z]+)-([0-9]{1,3})")
_HEIGHT = re.compile(r"[1-9][0-9]?")
_FORMS = {
    FLOOR: "'floor-5 new 2', what each floor is put on, or 'floor-5 nothing'",
    ROOF: "'roof-3 round 2', the shape and the height of the building, or 'roof-3 nothing'",
    **dict.fromkeys(COLOURS, "'white-4 2-round Palatine/3', the building and its square, or 'white-4 nothing'"),
    ANY: "'card nothing'",
    "pass": "'pass'",
    "ready": "'ready 2', whose cards lie ready",
    "reveal": "'reveal floor-7', a card with its number",
    "senator": "'senator'",
    "won": "'won 2', the seat that won the auction",
    "nobody": "'nobody'",
    "tile": "'tile Palatine/3', or 'tile Palatine/L' for the large square",
    "draw": "'draw floor-5', or 'draw floor' where the number is not told",
}


def parse(text: str, table: Table, squares: Mapping[str, str]) -> object:
    """The action of a text; `squares` maps names in lower case to squares. The number of a card may be left out.

    Raises InvalidNotation.
    """
    example = "'floor-5 new 2' or 'white 2-round Palatine/3'"
    return read_action(text, example, _FORMS, partial(_read, table, squares))


def _read(table: Table, squares: Mapping[str, str], first: str, others: list[str]) -> object | None:
    match [first, *map(str.lower, others)]:
        case ["pass"]:
            return Pass()
        case [("ready" | "won") as word, seat]:
            if seat not in map(str, table.seats):
                raise InvalidNotation(f"{seat!r} is no seat; they are 1 to {len(table.players)}")
            return (Commit if word == "ready" else Award)(int(seat))
        case ["nobody"]:
            return PutAside()
        case ["reveal", card] if "-" in card:
            return Reveal(_card(card))
        case ["card", "nothing"]:
            return PlayForNothing(ANY)
        case ["senator"]:
            return TurnSenator()
        case ["tile", *name] if name:
            return PutTile(_square(name, squares))
        case ["draw", card]:
            return Draw(_card(card))
        case [card, *rest] if card.partition("-")[0] in FAMILIES:
            return _read_play(_card(card), rest, squares)
    return None


def _read_play(card: str, rest: list[str], squares: Mapping[str, str]) -> object | None:
    match card.partition("-")[0], rest:
        case _, ["nothing"]:
            return PlayForNothing(card)
        case "floor", [_, *more] if len(more) < 4:
            onto = (part if part == NEW else str(_height(part)) for part in rest)
            return PlayFloor(card, tuple(sorted(onto, key=height_of)))
        case "roof", [shape, height] if shape in SHAPES:
            return PlayRoof(card, shape, _height(height))
        case (("white" | "black" | "red"), [building, *name]):
            built = _building(building)
            return PlayPermit(card, built, _square(name, squares)) if name else None
    return None


def _card(name: str) -> str:
    found = _CARD.fullmatch(name)
    family = found[1] if found else name
    if family not in (FAMILIES if found else FAMILY_OF):
        kinds = ", ".join(FAMILIES)
        raise InvalidNotation(f"{name!r} is no card; cards are {kinds} with a number, or without, or {PERMIT}")
    return f"{family}-{int(found[2])}" if found else name


def _height(word: str) -> int:
    if not _HEIGHT.fullmatch(word):
        raise InvalidNotation(f"{word!r} is no height of a building")
    return int(word)


def _building(word: str) -> str:
    height, _, shape = word.partition("-")
    if not _HEIGHT.fullmatch(height) or shape not in SHAPES:
        raise InvalidNotation(f"{word!r} is no building; one is written like '2-round'")
    return word


def _square(words: list[str], squares: Mapping[str, str]) -> str:
    name = " ".join(words)
    if name not in squares:
        raise InvalidNotation(f"{name!r} is no square of the board")
    return squares[name]
