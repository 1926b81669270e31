"""The facts of a City of Marble game."""

from __future__ import annotations

from companion.events import DetailChosen, Event, SupplyRanOut
from companion.frozen import frozen


@frozen
class WardsDrawn(Event):
    """Wards moved from the stacks to a player's domus, by a normal action."""

    seat: int
    colours: tuple[str, ...]


@frozen
class WardLaid(Event):
    """A ward lies on the board, perhaps with its player's magistrate on it, by a normal action."""

    seat: int
    ward: str
    colour: str
    magistrate: bool


@frozen
class BridgeTaken(Event):
    """A player took the bridge tile of a covered space."""

    seat: int
    bridge: str


@frozen
class AqueductStarted(Event):
    """A ward touched a source: its aqueduct's first pieces must be laid."""

    colour: str
    ward: str


@frozen
class ExpansionBegun(Event):
    """A player spends a normal action on laying aqueduct pieces."""

    seat: int
    pieces: int


@frozen
class PieceLaid(Event):
    """An aqueduct piece lies at its line's far end."""

    seat: int
    colour: str
    edge: str


@frozen
class LayingEnded(Event):
    """No further piece fits: fewer were laid than demanded."""

    colour: str
    missing: int


@frozen
class CoinTaken(Event):
    """A player took a coin for a fountain's connection."""

    seat: int
    fountain: str


@frozen
class MagistrateRecalled(Event):
    """A magistrate went from a ward back to its player, by a normal action."""

    seat: int
    ward: str


@frozen
class ImperiumSpent(Event):
    """An Imperium tile was returned for one more action."""

    seat: int
    imperium: str


@frozen
class ActionPassed(Event):
    """A normal action was given up because none was possible."""

    seat: int


@frozen
class SiteClosed(Event):
    """All six triangles around a vertex are covered; it waits for its completion."""

    vertex: str


@frozen
class SiteCompleted(Event):
    """A closed site is being completed: `buildings` in its hexagon make it a site for `kind`."""

    vertex: str
    buildings: int
    kind: str


@frozen
class BuildingBuilt(Event):
    """A civic building with its owner's cube was put on a site."""

    vertex: str
    kind: str
    seat: int


@frozen
class FountainPlaced(Event):
    """A fountain was put on a site."""

    vertex: str


@frozen
class SendingBegun(Event):
    """These seats may, in order, send one magistrate from the site to the space."""

    vertex: str
    space: str
    seats: tuple[int, ...]


@frozen
class MagistrateSent(Event):
    """A magistrate went from a ward of the completed site to a space."""

    seat: int
    ward: str
    space: str


@frozen
class MagistrateKept(Event):
    """A player sent none."""

    seat: int


@frozen
class TurnEnded(Event):
    """A player's turn is over."""

    seat: int
    final: bool


@frozen
class DomusEmptied(Event):
    """The wards drawn this turn moved to the atrium."""

    seat: int


@frozen
class MagistrateReturned(Event):
    """A magistrate came home from a space; `paid` says whether its Imperium tile or coin came with it."""

    seat: int
    space: str
    paid: bool


@frozen
class FinalRoundBegun(Event):
    """Three ward stacks are empty: every seat has one more action."""

    turns: int


@frozen
class TurnBegan(Event):
    """A player's turn with this many actions."""

    seat: int
    actions: int


@frozen
class RevealBegun(Event):
    """The last turn is over; bridge values are asked for."""


@frozen
class BridgesRevealed(Event):
    """A player showed the values of all their bridge tiles."""

    seat: int
    values: tuple[int, ...]


@frozen
class GameEnded(Event):
    """Everything is known; the score is final."""


CLASSES: dict[str, type[Event]] = {
    name: kind
    for name, kind in dict(globals()).items()
    if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
} | {kind.__name__: kind for kind in (SupplyRanOut, DetailChosen)}
