"""The facts of a City of Marble game."""

from __future__ import annotations

from dataclasses import dataclass

from companion.events import Event, SupplyRanOut


@dataclass(frozen=True, slots=True)
class WardsDrawn(Event):
    """Wards moved from the stacks to a player's domus, by a normal action."""

    seat: int
    colours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WardLaid(Event):
    """A ward lies on the board, perhaps with its player's magistrate on it, by a normal action."""

    seat: int
    ward: str
    colour: str
    magistrate: bool


@dataclass(frozen=True, slots=True)
class BridgeTaken(Event):
    """A player took the bridge tile of a covered space."""

    seat: int
    bridge: str


@dataclass(frozen=True, slots=True)
class AqueductStarted(Event):
    """A ward touched a source: its aqueduct's first pieces must be laid."""

    colour: str
    ward: str


@dataclass(frozen=True, slots=True)
class ExpansionBegun(Event):
    """A player spends a normal action on laying aqueduct pieces."""

    seat: int
    pieces: int


@dataclass(frozen=True, slots=True)
class PieceLaid(Event):
    """An aqueduct piece lies at its line's far end."""

    seat: int
    colour: str
    edge: str


@dataclass(frozen=True, slots=True)
class LayingEnded(Event):
    """No further piece fits: fewer were laid than demanded."""

    colour: str
    missing: int


@dataclass(frozen=True, slots=True)
class CoinTaken(Event):
    """A player took a coin for a fountain's connection."""

    seat: int
    fountain: str


@dataclass(frozen=True, slots=True)
class MagistrateRecalled(Event):
    """A magistrate went from a ward back to its player, by a normal action."""

    seat: int
    ward: str


@dataclass(frozen=True, slots=True)
class ImperiumSpent(Event):
    """An Imperium tile was returned for one more action."""

    seat: int
    imperium: str


@dataclass(frozen=True, slots=True)
class ActionPassed(Event):
    """A normal action was given up because none was possible."""

    seat: int


@dataclass(frozen=True, slots=True)
class SiteClosed(Event):
    """All six triangles around a vertex are covered; it waits for its completion."""

    vertex: str


@dataclass(frozen=True, slots=True)
class SiteCompleted(Event):
    """A closed site is being completed: `buildings` in its hexagon make it a site for `kind`."""

    vertex: str
    buildings: int
    kind: str


@dataclass(frozen=True, slots=True)
class BuildingBuilt(Event):
    """A civic building with its owner's cube was put on a site."""

    vertex: str
    kind: str
    seat: int


@dataclass(frozen=True, slots=True)
class FountainPlaced(Event):
    """A fountain was put on a site."""

    vertex: str


@dataclass(frozen=True, slots=True)
class SendingBegun(Event):
    """These seats may, in order, send one magistrate from the site to the space."""

    vertex: str
    space: str
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MagistrateSent(Event):
    """A magistrate went from a ward of the completed site to a space."""

    seat: int
    ward: str
    space: str


@dataclass(frozen=True, slots=True)
class MagistrateKept(Event):
    """A player sent none."""

    seat: int


@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    """A player's turn is over."""

    seat: int
    final: bool


@dataclass(frozen=True, slots=True)
class DomusEmptied(Event):
    """The wards drawn this turn moved to the atrium."""

    seat: int


@dataclass(frozen=True, slots=True)
class MagistrateReturned(Event):
    """A magistrate came home from a space; `paid` says whether its Imperium tile or coin came with it."""

    seat: int
    space: str
    paid: bool


@dataclass(frozen=True, slots=True)
class FinalRoundBegun(Event):
    """Three ward stacks are empty: every seat has one more action."""

    turns: int


@dataclass(frozen=True, slots=True)
class TurnBegan(Event):
    """A player's turn with this many actions."""

    seat: int
    actions: int


@dataclass(frozen=True, slots=True)
class RevealBegun(Event):
    """The last turn is over; bridge values are asked for."""


@dataclass(frozen=True, slots=True)
class BridgesRevealed(Event):
    """A player showed the values of all their bridge tiles."""

    seat: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """Everything is known; the score is final."""


CLASSES: dict[str, type[Event]] = {
    name: kind
    for name, kind in dict(globals()).items()
    if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
} | {SupplyRanOut.__name__: SupplyRanOut}
