"""The facts of a Capitol game."""

from __future__ import annotations

from companion.events import DetailChosen, Event, SupplyRanOut
from companion.frozen import frozen


@frozen
class CardPlayed(Event):
    """A card was shown and discarded; `card` is all that is known of it."""

    seat: int
    card: str


@frozen
class FloorsBuilt(Event):
    """Floors were put on these heights in turn, or began new buildings."""

    seat: int
    onto: tuple[str, ...]


@frozen
class BuildingCovered(Event):
    """An unroofed building was completed with a roof."""

    seat: int
    height: int
    shape: str


@frozen
class BuildingPlaced(Event):
    """A completed building went to the board."""

    seat: int
    building: str
    square: str


@frozen
class CardForgone(Event):
    """The card just played had no effect."""

    seat: int


@frozen
class PlayerPassed(Event):
    """A player is out of this construction phase; `empty` where no card was left to play."""

    seat: int
    empty: bool


@frozen
class TurnBegan(Event):
    """A player's turn to play a card."""

    seat: int


@frozen
class AuctionBegan(Event):
    """Everybody prepares a bid for a tile."""

    number: int
    prize: str


@frozen
class BidPrepared(Event):
    """A player's cards lie ready, face down with the senator among them."""

    seat: int


@frozen
class NothingToBid(Event):
    """A player without cards bids nothing."""

    seat: int


@frozen
class CardRevealed(Event):
    """A card of a bid was turned over."""

    seat: int
    card: str


@frozen
class SenatorTurned(Event):
    """A player's bid is complete."""

    seat: int


@frozen
class AuctionWon(Event):
    """A bid won: its sum, and its highest card."""

    seat: int
    prize: str
    total: int
    highest: int


@frozen
class AuctionAwarded(Event):
    """A bid won that is not told."""

    seat: int
    prize: str


@frozen
class AuctionUnclaimed(Event):
    """Nobody bid, and nobody gets the tile."""

    prize: str


@frozen
class BidDiscarded(Event):
    """The winner's cards went to the discard piles, in this order."""

    seat: int
    cards: tuple[str, ...]


@frozen
class BidReturned(Event):
    """A player took the cards of a losing bid back."""

    seat: int
    cards: tuple[str, ...]


@frozen
class TilePlaced(Event):
    """A fountain, amphitheatre or temple went to the board."""

    seat: int
    prize: str
    square: str


@frozen
class ScoringBegan(Event):
    """All nine areas are scored."""

    round: int


@frozen
class AreaCounted(Event):
    """The seats with buildings in an area, with their floors and their tallest buildings there."""

    area: str
    seats: tuple[int, ...]
    floors: tuple[int, ...]
    heights: tuple[int, ...]


@frozen
class FirstPlaceTaken(Event):
    """These seats are first in an area."""

    area: str
    seats: tuple[int, ...]


@frozen
class SecondPlaceTaken(Event):
    """These seats are second in an area."""

    area: str
    seats: tuple[int, ...]


@frozen
class PointsScored(Event):
    """A player scored points in an area by a rule, for the pieces on these squares."""

    rule: str
    area: str
    seat: int
    points: int
    squares: tuple[str, ...]


@frozen
class RoundScored(Event):
    """All areas of the board are scored for this round."""

    round: int


@frozen
class ExtraCardsEarned(Event):
    """An amphitheatre lets a player draw more cards this round."""

    seat: int
    area: str
    cards: int


@frozen
class DrawingBegan(Event):
    """A player draws this many cards."""

    seat: int
    cards: int


@frozen
class CardDrawn(Event):
    """A player took the top card of a stack; `card` is all that is known of it."""

    seat: int
    card: str


@frozen
class UntoldCardsDrawn(Event):
    """A player drew this many cards; from which stacks is not told."""

    seat: int
    cards: int


@frozen
class DrawsLost(Event):
    """No card is left to draw, or nobody draws."""

    seat: int
    cards: int


@frozen
class DeckTurned(Event):
    """A stack ran out and its discard pile was turned over."""

    deck: str


@frozen
class RoundBegan(Event):
    """A round begins; `first` has the marker."""

    round: int
    first: int


@frozen
class GameEnded(Event):
    """The score is final."""


CLASSES: dict[str, type[Event]] = {
    name: kind
    for name, kind in dict(globals()).items()
    if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
} | {kind.__name__: kind for kind in (SupplyRanOut, DetailChosen)}
