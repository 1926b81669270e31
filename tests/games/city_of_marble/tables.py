"""Tables of City of Marble drawn at random: positions of random games, and positions no game need have led to."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

from companion.engine import Step, random_game
from companion.files.documents import DocumentTable
from companion.games.city_of_marble.game import GAME
from companion.games.city_of_marble.state import BUILDINGS, CUBES, FOUNTAINS, WARDS_IN_BOX, State
from companion.position import read_position
from tests.conformance import starting_state
from tests.games.city_of_marble import twins

# A player who likes magistrates on wards, sources and fountains, and seldom draws: many things happen.
LIKING = {"PlayWard": 0.2, "Lay": 3.0, "Recall": 0.05, "Draw": 2.0, "Spend": 2.0, "Keep": 0.2, "EndTurn": 1.0}


def liked(action: Any) -> float:
    """How much the random players like an action."""
    return LIKING.get(type(action).__name__, 1.0) * (3.0 if getattr(action, "magistrate", False) else 1.0)


@cache
def played(seed: int) -> tuple[tuple[State, Any, Step], ...]:
    """A random game of 2 to 4 players under random rulings."""
    random = Random(seed)
    start = starting_state("city_of_marble", random.randint(2, 4), random)
    return tuple(random_game(GAME, start, random, liked))


def scattered(random: Random) -> tuple[State, tuple[str, ...]]:
    """A position with wards, sites and aqueducts anywhere, and the wards that were taken out of it again."""
    start = starting_state("city_of_marble", random.randint(2, 4), random)
    seats = list(start.table.seats)
    wards = list(_wards(start, random))
    gone = [wards.pop(random.randrange(len(wards))) for _ in range(random.randint(1, 4))]
    magistrates = random.sample(seats * 3, random.randint(0, 3 * len(seats)))
    standing = {place: magistrates.pop() for place in random.sample(wards, len(wards)) if magistrates}
    left = Counter(WARDS_IN_BOX) - Counter(place.split()[1] for place in wards)
    document: dict[str, Any] = {
        "game": "city_of_marble",
        "players": len(seats),
        "rulings": dict(start.table.rulings),
        "hills": list(start.table.options["hills"]),
        "to_move": random.choice(seats),
        "wards": [" ".join([*place.split(), str(standing.get(place, ""))]).strip() for place in wards],
        "player": {str(seat): _holding(random, seat, left) for seat in seats},
    }
    state = read_position(DocumentTable(document, "scattered", "")).state
    box = random.sample([*BUILDINGS * 5, *["fountain"] * FOUNTAINS], len(BUILDINGS) * 5 + FOUNTAINS)
    cubes = random.sample(seats * CUBES, len(seats) * CUBES)
    for place, kind in zip(sorted(map(twins.vertex_name, twins.complete_vertices(state))), box, strict=False):
        if kind == "fountain":
            document.setdefault("fountains", []).append(place)
        else:
            document.setdefault("buildings", []).append(f"{place} {kind} {cubes.pop()}")
    network = _network(state, random)
    document["aqueducts"] = {colour: _from_source(network, colour) for colour in network.begun}
    waiting = [colour for colour, source in twins.SOURCES.items() if source not in network.touched]
    step = random.choice(["act", "act", "expand", "start"])
    if step == "expand" and any(any(network.next_pieces(colour, network.sides)) for colour in network.begun):
        document["laying"] = {"left": 1}
    elif step == "start" and waiting:
        colour = random.choice(waiting)
        places = [place.split()[0] for place in wards]
        roomy = [place for place in places if any(network.next_pieces(colour, twins.ward_on(place).sides))]
        if roomy:
            document["starting"] = [{"colour": colour, "left": 3, "ward": random.choice(roomy)}]
    return read_position(DocumentTable(document, "scattered", "")).state, tuple(place.split()[0] for place in gone)


def _wards(start: State, random: Random) -> Iterator[str]:
    """Wards that do not overlap, few or many, near a vertex so that sites close, as `place colour`."""
    left = [colour for colour, count in WARDS_IN_BOX.items() for _ in range(count)]
    random.shuffle(left)
    covered = twins.hills(start)
    centre = random.choice([*twins.SOURCES.values(), random.choice(twins.GRID)])
    places = sorted(start.board.wards, key=lambda place: _distance(place, centre) + random.random())
    for place in places[: random.choice([20, 100, 306])]:
        triangles = twins.ward_on(place).triangles
        if left and not triangles & covered:
            covered |= triangles
            yield f"{place} {left.pop()}"


def _distance(place: str, centre: twins.Vertex) -> int:
    steps = [(q - centre[0], r - centre[1]) for q, r in twins.corners(place)]
    return sum(max(abs(q), abs(r), abs(q + r)) for q, r in steps)


def _network(state: State, random: Random) -> twins.Pipes:
    """Lines from the sources along ward sides that keep apart, some of them short."""
    network = twins.pipes(state)
    for colour in twins.SOURCES:
        for _ in range(random.choice([0, 2, 5, 13])):
            onward = sorted(network.next_pieces(colour, network.sides), key=twins.name)
            if onward:
                network = network.plus(colour, random.choice(onward))
    return network


def _from_source(network: twins.Pipes, colour: str) -> list[str]:
    return [twins.name(frozenset(pair)) for pair in pairwise(network.trace(colour))]


def _holding(random: Random, seat: int, left: Mapping[str, int]) -> dict[str, Any]:
    bridges = random.randint(0, 2 if seat < 4 else 1)
    return {
        "atrium": {colour: int(left[colour] >= seat) for colour in WARDS_IN_BOX},
        "imperium": {kind: random.randint(0, 2) for kind in BUILDINGS},
        "coins": random.randint(0, 3),
        "bridges": bridges,
        "values": [random.randint(1, 4) for _ in range(bridges)],
    }
