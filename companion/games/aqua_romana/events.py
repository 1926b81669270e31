"""The facts of an Aqua Romana game."""

from __future__ import annotations

from companion.events import Event, SupplyRanOut
from companion.frozen import frozen


@frozen
class BuilderPlaced(Event):
    """A builder of the set-up or of the reserve was put on a space of the path."""

    seat: int
    builder: str
    space: int


@frozen
class TileLaid(Event):
    """A tile lies ahead of a worker; `builder` on this space of the path made it possible."""

    seat: int
    tile: str
    space: int


@frozen
class AqueductGrown(Event):
    """An aqueduct reaches a new end; its worker moves there unless the aqueduct was scored before."""

    outlet: str
    end: str
    length: int


@frozen
class BuilderMoved(Event):
    """A builder moved clockwise to the next free space; `laid` is the kind of tile it gave, "" for none."""

    seat: int
    builder: str
    start: int
    space: int
    laid: str


@frozen
class FountainPassed(Event):
    """A builder that gave a tile went over a fountain: one more tile of this kind is to be laid."""

    seat: int
    kind: str


@frozen
class FountainTileLaid(Event):
    """The fountain's tile lies on the field."""

    seat: int
    tile: str


@frozen
class FountainMissed(Event):
    """There is no square for the fountain's tile, or no tile."""

    seat: int


@frozen
class BuildingMissed(Event):
    """A player who can lay nothing moves no builder either."""

    seat: int


@frozen
class AqueductClosed(Event):
    """An aqueduct is closed, by its player's choice or because it can go no further."""

    seat: int
    outlet: str
    length: int
    chosen: bool


@frozen
class TurnEnded(Event):
    """A player's turn is over."""

    seat: int


@frozen
class AqueductScored(Event):
    """A closed aqueduct, or at the end an open one, is counted; its worker leaves the field."""

    seat: int
    outlet: str
    length: int


@frozen
class PodiumTaken(Event):
    """A worker was put on a podium."""

    seat: int
    colour: str
    podium: int


@frozen
class PodiumMissed(Event):
    """A worker's aqueduct has no podium: it is too short, or all that it is worth or lower are full."""

    seat: int
    colour: str


@frozen
class BuilderDue(Event):
    """A player is due a builder from the reserve, while there are any."""

    seat: int


@frozen
class BuilderTaken(Event):
    """A reserve builder lies before a player."""

    seat: int
    builder: str


@frozen
class TurnBegan(Event):
    """It is a player's turn."""

    seat: int


@frozen
class GameEnded(Event):
    """No more tiles are laid; open aqueducts are scored as they are."""


CLASSES: dict[str, type[Event]] = {
    name: kind
    for name, kind in dict(globals()).items()
    if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
} | {SupplyRanOut.__name__: SupplyRanOut}
