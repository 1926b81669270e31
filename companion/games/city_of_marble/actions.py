"""The actions of City of Marble, one physical gesture each, and their notation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

from companion.board.lattice import TriangularLattice
from companion.errors import InvalidNotation
from companion.games.city_of_marble.geometry import AQUEDUCTS, COLOURS, SPACES
from companion.games.city_of_marble.state import BUILDINGS
from companion.notation import Notated, read_action


@dataclass(frozen=True, slots=True)
class Draw(Notated):
    """Take wards from the stacks: `draw red blue`."""

    form = "draw {colours}"

    colours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lay(Notated):
    """Lay one aqueduct piece, of a start or an expansion: `lay grey H2-I1`."""

    form = "lay {colour} {edge}"
    site_forms = ("{edge}",)

    colour: str
    edge: str


@dataclass(frozen=True, slots=True)
class Recall(Notated):
    """Take one's magistrate back from a ward: `recall G7-H7`. `place` may wrongly be an Imperium space."""

    form = "recall {place}"
    site_forms = ("{place}",)

    place: str


@dataclass(frozen=True, slots=True)
class PlayWard(Notated):
    """Lay a ward from the atrium, with or without a magistrate: `ward G7-H7 red magistrate`."""

    form = "ward {ward} {colour} {magistrate}"
    site_forms = ("{ward}",)

    ward: str
    colour: str
    magistrate: bool = False


@dataclass(frozen=True, slots=True)
class Spend(Notated):
    """Return an Imperium tile for one more action: `spend temple`."""

    form = "spend {imperium}"

    imperium: str


@dataclass(frozen=True, slots=True)
class Complete(Notated):
    """Choose which closed site is completed next: `site H7`."""

    form = "site {vertex}"
    site_forms = ("{vertex}",)

    vertex: str


@dataclass(frozen=True, slots=True)
class Send(Notated):
    """Send one's magistrate from a ward of the completed site to its space: `send G7-H7`."""

    form = "send {ward}"
    site_forms = ("{ward}",)

    ward: str


@dataclass(frozen=True, slots=True)
class Keep(Notated):
    """Send no magistrate: `keep`."""

    form = "keep"


@dataclass(frozen=True, slots=True)
class Collect(Notated):
    """Under the ruling `collecting = optional`: take home a magistrate and its reward: `collect temple`."""

    form = "collect {space}"
    site_forms = ("{space}",)

    space: str


@dataclass(frozen=True, slots=True)
class Pass(Notated):
    """Give up an action because none is possible: `pass`."""

    form = "pass"


@dataclass(frozen=True, slots=True)
class EndTurn(Notated):
    """End the turn: `end`."""

    form = "end"


@dataclass(frozen=True, slots=True)
class LastRound(Notated):
    """Where the stacks are not told: end the turn with three of them empty, so that the last round begins: `last`."""

    form = "last"


@dataclass(frozen=True, slots=True)
class Reveal(Notated):
    """After the last turn: the values on one's bridge tiles, in ascending order: `bridges 1 4`."""

    form = "bridges {values}"

    values: tuple[int, ...]


KINDS: tuple[type, ...] = (
    Draw, PlayWard, Lay, Recall, Spend, Complete, Send, Keep, Collect, Pass, EndTurn, LastRound,
    Reveal,
)  # fmt: skip

_VERTEX = re.compile(r"([A-Z])([1-9][0-9]?)")
_FORMS = {
    "draw": "'draw red blue'", "ward": "'ward G7-H7 red' or 'ward G7-H7 red magistrate'", "lay": "'lay grey H2-I1'",
    "recall": "'recall G7-H7'", "spend": "'spend temple'", "site": "'site H7'", "send": "'send G7-H7'",
    "keep": "'keep'", "collect": "'collect temple'", "pass": "'pass'", "end": "'end'",
    "last": "'last'",
    "bridges": "'bridges 1 4', the values on the player's bridge tiles",
}  # fmt: skip


def parse(text: str, lattice: TriangularLattice) -> object:
    """The action of a text; sites may lie outside the grid, which is for the rules to say.

    Raises InvalidNotation.
    """
    return read_action(text, "'ward G7-H7 red' or 'draw red blue'", _FORMS, partial(_read, lattice))


def _read(lattice: TriangularLattice, word: str, rest: list[str]) -> object | None:
    match word, [part.lower() for part in rest]:
        case "draw", [_] | [_, _] as values:
            colours = [_one_of(value, COLOURS, "ward colour") for value in values]
            return Draw(tuple(sorted(colours, key=COLOURS.index)))
        case "lay", [colour, edge]:
            return Lay(_one_of(colour, AQUEDUCTS, "aqueduct"), _site(lattice, edge, 2, "edge"))
        case "recall", [place]:
            return Recall(place if place in SPACES else _site(lattice, place, 2, "ward"))
        case "ward", [ward, colour, *more] if len(more) < 2:
            if more not in ([], ["magistrate"]):
                raise InvalidNotation(f"{more[0]!r} is not understood; only 'magistrate' may follow the colour")
            return PlayWard(_site(lattice, ward, 2, "ward"), _one_of(colour, COLOURS, "ward colour"), bool(more))
        case "spend", [imperium]:
            return Spend(_one_of(imperium, BUILDINGS, "Imperium tile"))
        case "site", [vertex]:
            return Complete(_site(lattice, vertex, 1, "vertex"))
        case "send", [ward]:
            return Send(_site(lattice, ward, 2, "ward"))
        case "collect", [space]:
            return Collect(_one_of(space, SPACES, "space"))
        case "bridges", [_, *_] as values if len(values) <= 20 and all(map(_is_value, values)):
            return Reveal(tuple(sorted(map(int, values))))
        case (("keep" | "pass" | "end" | "last"), []):
            return {"keep": Keep(), "pass": Pass(), "end": EndTurn(), "last": LastRound()}[word]
    return None


def _one_of(value: str, allowed: tuple[str, ...], what: str) -> str:
    if value not in allowed:
        raise InvalidNotation(f"{value!r} is no {what}; they are {', '.join(allowed)}")
    return value


def _site(lattice: TriangularLattice, value: str, corners: int, what: str) -> str:
    names = value.upper().split("-")
    if len(names) != corners or not all(map(_VERTEX.fullmatch, names)):
        raise InvalidNotation(f"{value!r} names no {what}")
    return lattice.canonical(value) or "-".join(sorted(names, key=lambda name: (name[0], int(name[1:]))))


def _is_value(word: str) -> bool:
    return word.isdecimal() and len(word) <= 3
