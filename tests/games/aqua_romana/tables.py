"""Tables of Aqua Romana drawn at random: positions of random games, and positions no game need have led to."""

from functools import cache
from random import Random
from typing import Any

from companion.engine import Step, random_game
from companion.files.documents import DocumentTable
from companion.games.aqua_romana.game import GAME
from companion.games.aqua_romana.state import State
from companion.position import read_position
from tests.conformance import starting_state
from tests.games.aqua_romana import twins

KINDS = ("curve", "straight", "bridge", "double curve")


def liked(action: Any) -> float:
    """Players who seldom close an aqueduct of their own accord: they grow long."""
    return 0.03 if type(action).__name__ == "Close" else 1.0


@cache
def played(seed: int) -> tuple[tuple[State, Any, Step], ...]:
    """A random game of 2 to 4 players under random rulings."""
    random = Random(seed)
    start = starting_state("aqua_romana", random.randint(2, 4), random)
    return tuple(random_game(GAME, start, random, liked))


def scattered(random: Random) -> State:
    """A position with tiles anywhere, in which somebody is to build or to lay a fountain's tile."""
    start = starting_state("aqua_romana", random.randint(2, 4), random)
    seats = len(start.table.players)
    document: dict[str, Any] = {
        "game": "aqua_romana",
        "players": seats,
        "rulings": dict(start.table.rulings),
        "to_move": random.randint(1, seats),
        "step": "build",
        "tiles": _tiles(start, random),
    }
    kinds = [*KINDS] * 4 + ["joker"]
    document["builders"] = {
        str(space): kinds.pop(random.randrange(len(kinds))) for space in random.sample(range(1, 39), 15)
    }
    bare = read_position(DocumentTable(document | {"step": "close"}, "scattered", "")).state
    document["aqueducts"] = {
        outlet: "closed" for outlet, each in bare.aqueducts.items() if each.status == "blocked" or random.random() < 0.2
    }
    document["stock"] = {kind: 0 for kind in KINDS if random.random() < 0.2}
    if random.random() < 0.3:
        document |= {"step": "fountain", "fountain": random.choice(KINDS)}
    try:
        return read_position(DocumentTable(document, "scattered", "")).state
    except ValueError:
        return scattered(random)


def _tiles(start: State, random: Random) -> list[str]:
    """Tiles that join no two aqueducts, few or as many as there are."""
    picture, tiles = twins.Picture(start), []
    left = [kind for kind in KINDS for _ in range(12)]
    random.shuffle(left)
    for cell in random.sample(start.board.squares, random.choice([10, 30, 48])):
        kind, rotation = left.pop(), random.choice([0, 90, 180, 270])
        after = picture.plus(twins.square(cell), kind, rotation)
        if not after.joined():
            picture = after
            tiles.append(f"{cell} {kind} {rotation}")
    return tiles
