"""The actions of City of Marble, one physical gesture each, and their notation."""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.board.lattice import TriangularLattice
from companion.errors import InvalidNotation
from companion.games.city_of_marble.geometry import AQUEDUCTS, COLOURS, SPACES
from companion.games.city_of_marble.state import BUILDINGS
from companion.notation import Notated


@dataclass(frozen=True, slots=True)
class Draw(Notated):
    """Take wards from the stacks: `draw red blue`."""

    form = "draw {colours}"

    colours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lay(Notated):
    """Lay one aqueduct piece, of a start or an expansion: `lay grey H2-I1`."""

    form = "lay {colour} {edge}"

    colour: str
    edge: str


@dataclass(frozen=True, slots=True)
class Recall(Notated):
    """Take one's magistrate back from a ward: `recall G7-H7`. `place` may wrongly be an Imperium space."""

    form = "recall {place}"

    place: str


@dataclass(frozen=True, slots=True)
class PlayWard(Notated):
    """Lay a ward from the atrium, with or without a magistrate: `ward G7-H7 red magistrate`."""

    form = "ward {ward} {colour} {magistrate}"

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

    vertex: str


@dataclass(frozen=True, slots=True)
class Send(Notated):
    """Send one's magistrate from a ward of the completed site to its space: `send G7-H7`."""

    form = "send {ward}"

    ward: str


@dataclass(frozen=True, slots=True)
class Keep(Notated):
    """Send no magistrate: `keep`."""

    form = "keep"


@dataclass(frozen=True, slots=True)
class Collect(Notated):
    """Under the ruling `collecting = optional`: take home a magistrate and its reward: `collect temple`."""

    form = "collect {space}"

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
class Reveal(Notated):
    """After the last turn: the values on one's bridge tiles, in ascending order: `bridges 1 4`."""

    form = "bridges {values}"

    values: tuple[int, ...]


KINDS: tuple[type, ...] = (
    Draw, PlayWard, Lay, Recall, Spend, Complete, Send, Keep, Collect, Pass, EndTurn, Reveal,
)  # fmt: skip

_VERTEX = re.compile(r"([A-Z])([1-9][0-9]?)")


def parse(text: str, lattice: TriangularLattice) -> object:
    """The action of a text; sites may lie outside the grid, which is for the rules to say.

    Raises InvalidNotation.
    """
    words = text.split()
    if not words or len(text) > 200:
        raise InvalidNotation("an action is one line such as 'ward G7-H7 red' or 'draw red blue'")
    word, rest = words[0].lower(), [w.lower() for w in words[1:]]

    def fail(reason: str) -> InvalidNotation:
        return InvalidNotation(f"{text!r} is no action: {reason}")

    def count(low: int, high: int, form: str) -> None:
        if not low <= len(rest) <= high:
            raise fail(f"the form is {form}")

    def one_of(value: str, allowed: tuple[str, ...], what: str) -> str:
        if value not in allowed:
            raise fail(f"{value!r} is no {what}; they are {', '.join(allowed)}")
        return value

    def site(value: str, corners: int, what: str) -> str:
        known = lattice.canonical(value)
        found = [_VERTEX.fullmatch(part) for part in value.upper().split("-")]
        if not all(found) or len(found) != corners:
            raise fail(f"{value!r} names no {what}")
        return known or "-".join(sorted(value.upper().split("-"), key=lambda name: (name[0], int(name[1:]))))

    match word:
        case "draw":
            count(1, 2, "'draw red blue'")
            colours = [one_of(value, COLOURS, "ward colour") for value in rest]
            return Draw(tuple(sorted(colours, key=COLOURS.index)))
        case "lay":
            count(2, 2, "'lay grey H2-I1'")
            return Lay(one_of(rest[0], AQUEDUCTS, "aqueduct"), site(rest[1], 2, "edge"))
        case "recall":
            count(1, 1, "'recall G7-H7'")
            return Recall(rest[0] if rest[0] in SPACES else site(rest[0], 2, "ward"))
        case "ward":
            count(2, 3, "'ward G7-H7 red' or 'ward G7-H7 red magistrate'")
            if rest[2:] not in ([], ["magistrate"]):
                raise fail(f"{rest[2]!r} is not understood; only 'magistrate' may follow the colour")
            return PlayWard(site(rest[0], 2, "ward"), one_of(rest[1], COLOURS, "ward colour"), len(rest) == 3)
        case "spend":
            count(1, 1, "'spend temple'")
            return Spend(one_of(rest[0], BUILDINGS, "Imperium tile"))
        case "site":
            count(1, 1, "'site H7'")
            return Complete(site(rest[0], 1, "vertex"))
        case "send":
            count(1, 1, "'send G7-H7'")
            return Send(site(rest[0], 2, "ward"))
        case "collect":
            count(1, 1, "'collect temple'")
            return Collect(one_of(rest[0], SPACES, "space"))
        case "keep" | "pass" | "end":
            count(0, 0, f"'{word}'")
            return {"keep": Keep(), "pass": Pass(), "end": EndTurn()}[word]
        case "bridges":
            if not rest or len(rest) > 20 or not all(value.isdecimal() and len(value) <= 3 for value in rest):
                raise fail("the form is 'bridges 1 4', the values on the player's bridge tiles")
            return Reveal(tuple(sorted(int(value) for value in rest)))
    words_known = "draw, ward, lay, recall, spend, site, send, keep, collect, pass, end, bridges"
    raise fail(f"it must begin with one of {words_known}")
