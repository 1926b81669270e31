"""The facts of a Thurn and Taxis game."""

from __future__ import annotations

from companion.events import DetailChosen, Event, SupplyRanOut
from companion.frozen import frozen


@frozen
class CardShown(Event):
    """A card was turned over into the display."""

    card: str


@frozen
class DeckShuffled(Event):
    """The deck was empty; the discards were shuffled and became it."""

    cards: int


@frozen
class DisplayDiscarded(Event):
    """All cards of the display were discarded."""

    seat: int


@frozen
class CardTaken(Event):
    """A card went from the display to a hand."""

    seat: int
    card: str


@frozen
class DeckCardTaken(Event):
    """The top card of the deck went to a hand, unseen."""

    seat: int


@frozen
class UntoldCardTaken(Event):
    """A card went to a hand; neither which it is nor where it came from is told."""

    seat: int
    second: bool


@frozen
class DisplayFilled(Event):
    """So many cards were turned over into the display; which is not told."""

    cards: int


@frozen
class UntoldHandCut(Event):
    """So many cards too many were discarded from the hand; which is not told."""

    seat: int
    cards: int


@frozen
class TakingSkipped(Event):
    """No card was left to be taken."""

    seat: int


@frozen
class OfficialUsed(Event):
    """An official helped."""

    seat: int
    official: str


@frozen
class PostmasterForced(Event):
    """A turn begins with an empty hand: two cards must be taken."""

    seat: int


@frozen
class RouteDropped(Event):
    """A player discarded the route without closing it."""

    seat: int


@frozen
class CardPlayed(Event):
    """A card was laid at an end of the route."""

    seat: int
    card: str
    end: str


@frozen
class PlayingSkipped(Event):
    """The hand held no card to play."""

    seat: int


@frozen
class RouteClosed(Event):
    """A route is being closed; houses go to each of its provinces or to all its cities in one."""

    seat: int
    option: str
    cartwright: bool


@frozen
class HousePlaced(Event):
    """A house was put in a city of the route."""

    seat: int
    city: str


@frozen
class HousingEnded(Event):
    """All houses that the chosen option allows are placed."""

    seat: int
    length: int


@frozen
class BonusTaken(Event):
    """The top bonus tile of a stack was taken."""

    seat: int
    stack: str
    value: int


@frozen
class CarriageTaken(Event):
    """A player exchanged the carriage for the next one."""

    seat: int
    carriage: int


@frozen
class EndTriggered(Event):
    """A player took the game-end tile; the round is finished."""

    seat: int


@frozen
class CardsUnused(Event):
    """Route cards whose cities got no house; each moves a carriage."""

    seat: int
    cards: tuple[str, ...]


@frozen
class CarriageMoved(Event):
    """A carriage went one city south for a route card."""

    seat: int
    card: str
    carriage: str
    city: str


@frozen
class MovesIgnored(Event):
    """All carriages are in Rome; unused cards move nothing."""

    seat: int


@frozen
class CarriageArrived(Event):
    """A carriage reached Rome; its audience tiles are turned over."""

    carriage: str


@frozen
class TileTold(Event):
    """A seat's audience tile of a carriage was turned over."""

    seat: int
    carriage: str
    rank: str


@frozen
class TilesDismissed(Event):
    """Older audience tiles of a rank left the game."""

    rank: str
    seats: tuple[int, ...]


@frozen
class TilesAdmitted(Event):
    """Audience tiles of a rank came to the audience."""

    rank: str
    seats: tuple[int, ...]


@frozen
class OfficeGained(Event):
    """A player took an office tile."""

    seat: int
    official: str


@frozen
class ReturnBegan(Event):
    """Everybody with office tiles must return some; before the final scoring everybody may."""

    seats: tuple[int, ...]


@frozen
class OfficesReturned(Event):
    """A player returned office tiles of different officials."""

    seat: int
    kinds: tuple[str, ...]


@frozen
class CardEarned(Event):
    """Two returned tiles let their owner take a card."""

    seat: int


@frozen
class ChipGained(Event):
    """Three returned tiles gave a victory point."""

    seat: int


@frozen
class HouseEarned(Event):
    """A player returned four office tiles and may place a house for them."""

    seat: int


@frozen
class HouseGranted(Event):
    """A house earned by returned tiles was put in a city."""

    seat: int
    city: str


@frozen
class RewardDeclined(Event):
    """A player declined an earned reward or the last return of office tiles."""

    seat: int


@frozen
class RouteDiscarded(Event):
    """The closed route was discarded."""

    seat: int


@frozen
class HandCut(Event):
    """A card too many was discarded from the hand."""

    seat: int
    card: str


@frozen
class TurnEnded(Event):
    """A player's turn is over."""

    seat: int


@frozen
class TurnBegan(Event):
    """The next player's turn begins."""

    seat: int


@frozen
class RoundFinished(Event):
    """The last turn is over; the final scoring follows."""


@frozen
class GameEnded(Event):
    """The score is final."""


CLASSES: dict[str, type[Event]] = {
    name: kind
    for name, kind in dict(globals()).items()
    if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
} | {kind.__name__: kind for kind in (SupplyRanOut, DetailChosen)}
