"""Aqua Romana once more, slowly: the field as a picture of channels between the middles of sides, followed one by one.

A square lies at even coordinates (x, y), x to the right and y down, A1 at (0, 0); the middle of one of its sides is one
step away, and is the same point for the two squares that share the side. Nothing here uses the engine's geometry.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.aqua_romana.state import State

Square = tuple[int, int]
Middle = tuple[int, int]

SIDES = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
DRAWN = {"curve": ["NE"], "straight": ["NS"], "bridge": ["NS", "EW"], "double curve": ["NE", "SW"]}
PRINTED = {(0, 0): "ES", (20, 0): "SW", (20, 14): "WN", (0, 14): "NE"}
RESERVOIRS = {
    2: {"red": ("C1 D1", "S W"), "green": ("H8 I8", "N E"), "blue": ("H1 I1", "S E"), "yellow": ("C8 D8", "N W")},
    3: {"red": ("C1 D1", "S W E"), "blue": ("H1 I1", "S W E"), "yellow": ("E8 F8", "N W E")},
    4: {"red": ("C1 D1", "S W"), "blue": ("H1 I1", "S E"), "yellow": ("H8 I8", "N E"), "green": ("C8 D8", "N W")},
}
TEAMS = {2: ["red green", "blue yellow"], 3: ["red", "blue", "yellow"], 4: ["red", "blue", "yellow", "green"]}


def square(name: str) -> Square:
    return 2 * (ord(name[0]) - ord("A")), 2 * (int(name[1:]) - 1)


def name_of(place: Square) -> str:
    return f"{chr(ord('A') + place[0] // 2)}{place[1] // 2 + 1}"


def middle(place: Square, side: str) -> Middle:
    return place[0] + SIDES[side][0], place[1] + SIDES[side][1]


def turned(pairs: list[str], quarters: int) -> list[str]:
    """Pairs of sides after quarter turns clockwise."""
    ring = "NESW"
    return ["".join(ring[(ring.index(side) + quarters) % 4] for side in pair) for pair in pairs]


def channels(place: Square, kind: str, rotation: int) -> list[frozenset[Middle]]:
    return [frozenset(middle(place, side) for side in pair) for pair in turned(DRAWN[kind], rotation // 90)]


@dataclass(frozen=True)
class Outlet:
    """A reservoir's outlet: the square it belongs to and the middle of the side it opens through."""

    name: str
    colour: str
    seat: int
    place: Square
    opening: Middle


def outlets(players: int) -> list[Outlet]:
    found = []
    for seat, team in enumerate(TEAMS[players], 1):
        for colour in team.split():
            cells, sides = RESERVOIRS[players][colour]
            left, right = cells.split()
            for side in sides.split():
                ends = {"W": [left], "E": [right]}.get(side, [left, right])
                found += [Outlet(f"{at}/{side}", colour, seat, square(at), middle(square(at), side)) for at in ends]
    return found


@dataclass(frozen=True)
class Course:
    """An aqueduct's way: how many channels, the square and the middle at which it stops."""

    length: int
    place: Square
    end: Middle


class Picture:
    """All channels on a field."""

    def __init__(self, state: State) -> None:
        self.players = len(state.table.players)
        self.outlets = outlets(self.players)
        self.drawn: dict[Square, list[frozenset[Middle]]] = {}
        for place, pair in PRINTED.items():
            self.drawn[place] = [frozenset(middle(place, side) for side in pair)]
        for cell, drawing in state.tiles.items():
            if square(cell) not in PRINTED:
                kind, _, rotation = drawing.rpartition(" ")
                self.drawn[square(cell)] = channels(square(cell), kind, int(rotation))
        self.walls = {square(cell) for cells, _ in RESERVOIRS[self.players].values() for cell in cells.split()}

    def plus(self, place: Square, kind: str, rotation: int) -> Picture:
        copy = object.__new__(Picture)
        copy.__dict__ = self.__dict__ | {"drawn": self.drawn | {place: channels(place, kind, rotation)}}
        return copy

    def is_free(self, place: Square) -> bool:
        inside = 0 <= place[0] <= 20 and 0 <= place[1] <= 14
        return inside and place not in self.drawn and place not in self.walls

    def beyond(self, place: Square, at: Middle) -> Square:
        """The square on the other side of the middle of a side."""
        return 2 * at[0] - place[0], 2 * at[1] - place[1]

    def follow(self, place: Square, at: Middle) -> Course:
        """Follow the water that leaves a square at a middle, channel by channel."""
        length = 0
        while True:
            ahead = self.beyond(place, at)
            onward = [channel for channel in self.drawn.get(ahead, []) if at in channel]
            if not onward:
                return Course(length, place, at)
            assert len(onward) == 1
            (at,) = onward[0] - {at}
            place, length = ahead, length + 1

    def course(self, outlet: Outlet) -> Course:
        return self.follow(outlet.place, outlet.opening)

    def can_go_on(self, course: Course) -> bool:
        return self.is_free(self.beyond(course.place, course.end))

    def joined(self) -> set[frozenset[str]]:
        """The pairs of outlets between which water runs."""
        found = set()
        openings = {(self.beyond(outlet.place, outlet.opening), outlet.opening): outlet.name for outlet in self.outlets}
        for outlet in self.outlets:
            course = self.course(outlet)
            if course.length and (course.place, course.end) in openings:
                found.add(frozenset({outlet.name, openings[course.place, course.end]}))
        return found


def end_text(course: Course) -> str:
    """The end of an aqueduct as the engine names it."""
    step = (course.end[0] - course.place[0], course.end[1] - course.place[1])
    side = next(side for side, way in SIDES.items() if way == step)
    return f"{name_of(course.place)}/{side}"


def spaces() -> dict[Square, int]:
    """The path's spaces as squares around the field, numbered while walking round it clockwise from above A1."""
    ring = [(x, -2) for x in range(0, 22, 2)] + [(22, y) for y in range(0, 16, 2)]
    ring += [(x, 16) for x in reversed(range(0, 22, 2))] + [(-2, y) for y in reversed(range(0, 16, 2))]
    return {place: number for number, place in enumerate(ring, 1)}


SPACES = spaces()


def looked_at(place: Square) -> list[int]:
    """Go from a square in each direction until the path is reached."""
    found = []
    for dx, dy in SIDES.values():
        x, y = place
        while (x, y) not in SPACES:
            x, y = x + 2 * dx, y + 2 * dy
        found.append(SPACES[x, y])
    return found


def open_outlets(state: State, seat: int) -> list[Outlet]:
    mine = [outlet for outlet in outlets(len(state.table.players)) if outlet.seat == seat]
    return [outlet for outlet in mine if state.aqueducts[outlet.name].status == "open"]


def smallest(kind: str, rotation: int) -> str:
    """A drawing in the smallest rotation that looks the same."""
    look = {frozenset(pair) for pair in turned(DRAWN[kind], rotation // 90)}
    equal = [r for r in (0, 90, 180, 270) if {frozenset(pair) for pair in turned(DRAWN[kind], r // 90)} == look]
    return f"{kind} {equal[0]}"


def forbidden_joints(picture: Picture, state: State) -> set[frozenset[str]]:
    """Joined outlets that the table does not allow."""
    colours = {outlet.name: outlet.colour for outlet in picture.outlets}
    own_allowed = state.table.rulings["own_reservoir"] == "allowed"
    return {pair for pair in picture.joined() if not (own_allowed and len({colours[name] for name in pair}) == 1)}


def builds(state: State) -> set[str]:
    """Every build action: all workers, all builders they look at, all kinds these give, all rotations are tried."""
    picture, found = Picture(state), set()
    before = forbidden_joints(picture, state)
    for outlet in open_outlets(state, state.active):
        course = picture.course(outlet)
        ahead = picture.beyond(course.place, course.end)
        if not picture.is_free(ahead):
            continue
        for space in looked_at(course.place):
            for kind in given(state, state.builders.get(space, "")):
                for rotation in (0, 90, 180, 270):
                    after = picture.plus(ahead, kind, rotation)
                    longer = after.course(outlet).length > course.length
                    if longer and forbidden_joints(after, state) == before:
                        found.add(f"build {name_of(ahead)} {smallest(kind, rotation)} by {space}")
    return found


def given(state: State, builder: str) -> list[str]:
    left = [kind for kind in DRAWN if state.stock[kind]]
    if not builder or builder in left:
        return [builder] if builder else []
    return left


def fountain_tiles(state: State) -> set[str]:
    """Every tile for a fountain, tried on every square."""
    picture, found, rulings = Picture(state), set(), state.table.rulings
    before = forbidden_joints(picture, state)
    kinds = [state.fountain] if state.stock[state.fountain] else [k for k in DRAWN if state.stock[k]]
    if not state.stock[state.fountain] and rulings["fountain_kind_used_up"] == "none":
        return set()
    bordered = set()
    for outlet in picture.outlets:
        if rulings["fountain_avoids_closed_ends"] == "true" or state.aqueducts[outlet.name].status == "open":
            course = picture.course(outlet)
            x, y = course.place
            beside = {(x + 2 * dx, y + 2 * dy) for dx, dy in SIDES.values()}
            ahead = {picture.beyond(course.place, course.end)}
            bordered |= beside if rulings["fountain_squares"] == "beside" else ahead
    for place in [(x, y) for x in range(0, 22, 2) for y in range(0, 16, 2)]:
        if picture.is_free(place) and place not in bordered:
            for kind in kinds:
                for rotation in (0, 90, 180, 270):
                    if forbidden_joints(picture.plus(place, kind, rotation), state) == before:
                        found.add(f"fountain {name_of(place)} {smallest(kind, rotation)}")
    return found


def walk_on(state: State, start: int) -> tuple[int, bool]:
    """Where the builder on a space stops, and whether it turns a corner of the path on its way."""
    ring = sorted(SPACES, key=SPACES.__getitem__)
    at, corner = start - 1, False
    while True:
        here, there = ring[at], ring[(at + 1) % 38]
        corner = corner or (here[0] != there[0] and here[1] != there[1])
        at = (at + 1) % 38
        if at + 1 not in state.builders:
            return at + 1, corner


def places_on_podiums(taken: dict[int, int]) -> Iterator[int]:
    """The free places from 20 down, podium by podium."""
    for podium in range(20, 0, -1):
        room = 2 if podium in (3, 7) else 1
        yield from [podium] * (room - taken.get(podium, 0))


def podium(taken: dict[int, int], length: int) -> int:
    return next((place for place in places_on_podiums(taken) if place <= length), 0)


def totals(state: State) -> list[int]:
    """Podiums and bonuses added up worker by worker."""
    seats = {outlet.colour: outlet.seat for outlet in outlets(len(state.table.players))}
    standing = [(place, colour) for place, colours in state.podiums.items() for colour in colours if place]
    found = [0] * len(state.table.players)
    for place, colour in standing:
        found[seats[colour] - 1] += place
    if state.table.rulings["shared_podium_bonus"] == "same":
        heights = sorted({place for place, _ in standing}, reverse=True)[:3]
        for place, colour in standing:
            found[seats[colour] - 1] += {0: 4, 1: 3, 2: 2}[heights.index(place)] if place in heights else 0
    else:
        for (_, colour), bonus in zip(sorted(standing, key=lambda worker: -worker[0]), (4, 3, 2), strict=False):
            found[seats[colour] - 1] += bonus
    return found
