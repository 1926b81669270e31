"""Capitol as the kernel sees it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion.amounts import NOT_TOLD, Amount, Holding, counted, listed, number
from companion.base_game import DetailedGame
from companion.closed import ClosedPiece
from companion.detail import RECORDED
from companion.engine import Decision, GameInfo, follow, open_actions
from companion.events import Event
from companion.facts import Fact
from companion.files.documents import DocumentTable
from companion.frozen import FrozenDict
from companion.games.capitol import actions as a
from companion.games.capitol import domains, drawing, events, hands, position, supply, timing
from companion.games.capitol.appearance import appearance, seen_actions
from companion.games.capitol.cards import DECK_OF, DECKS, NUMBER_OF
from companion.games.capitol.direct_events import direct_events
from companion.games.capitol.evolve import evolve
from companion.games.capitol.geometry import geometry
from companion.games.capitol.gestures import gestures_at
from companion.games.capitol.joining import MID_GAME_JOINING
from companion.games.capitol.photograph import PHOTOGRAPH_SCORING
from companion.games.capitol.rulebook import RULES
from companion.games.capitol.state import DRAWING, OVER, ROUNDS, State, prize, setup_state, step_of
from companion.table import Table

_MODULES_WITH_RULES = (timing, domains, drawing, supply)

INFO = GameInfo(
    id="capitol",
    title="Capitol",
    version=1,
    seats=(2, 4),
    kinds=a.KINDS,
    board="layout.toml",
    unseen=(
        a.PlayFloor,
        a.PlayRoof,
        a.PlayForNothing,
        a.Pass,
        a.Commit,
        a.Reveal,
        a.TurnSenator,
        a.Award,
        a.PutAside,
        a.Draw,
    ),
    reveals=(a.Reveal,),
    details=RECORDED,
)


@dataclass(frozen=True)
class Capitol(DetailedGame[State]):
    """The rules of one game on any Capitol board; `rules` may lack some, for tests."""

    info = INFO
    turn_rule = "CAP-TURN-1"
    event_classes = events.CLASSES
    position_keys = position.KEYS
    step_keys = ("phase",)
    photograph_scoring = PHOTOGRAPH_SCORING
    mid_game_joining = MID_GAME_JOINING

    setup = staticmethod(setup_state)
    direct_events = staticmethod(direct_events)
    evolve = staticmethod(evolve)
    state_document = staticmethod(position.state_document)
    appearance = staticmethod(appearance)
    seen_actions = staticmethod(seen_actions)
    gestures_at = staticmethod(gestures_at)

    def decide(self, state: State) -> Decision | None:
        """What the table waits for; everybody who is not ready prepares a bid at the same time."""
        step = step_of(state)
        if step == "over":
            return None
        facts: dict[str, Fact] = {"round": state.round}
        actors: tuple[int, ...] = (state.active,)
        if state.auction is not None:
            facts |= {"prize": prize(state), "auction": state.auction.number}
            if step == "bid":
                ready = state.auction.ready
                actors = tuple(seat for seat in state.table.clockwise(state.first) if seat not in ready)
        elif step == "draw":
            facts["left"] = state.draws
        return Decision(actors, step, FrozenDict(facts))

    def closing_action(self, state: State, seat: int) -> Any | None:
        """Pass, be ready to bid, turn over the senator; nothing where a choice is owed."""
        return {"play": a.Pass(), "bid": a.Commit(seat), "open": a.TurnSenator()}.get(step_of(state))

    def holdings(self, state: State, seat: int) -> tuple[Holding, ...]:
        """What lies openly before a seat; of the cards only their number, of those turned over for a bid their sum."""
        holding, auction = state.holding(seat), state.auction
        bid = auction.bids[seat - 1] if auction else ()
        is_bid_known = bool(bid) or (auction is not None and seat in auction.opened and not auction.winner)
        cards = number(len(holding.hand) + len(bid))
        if state.is_untold or seat in state.hands_untold:
            cards = listed([NOT_TOLD])
        return (
            Holding("cards", cards, seat),
            Holding("unfinished", tuple(Amount(value=height) for height in holding.unroofed), seat),
            Holding("completed", listed(holding.completed), seat),
            Holding("roofs", counted(holding.roofs), seat),
            *((Holding("bid", (Amount(value=sum(NUMBER_OF[card] for card in bid)),), seat),) if is_bid_known else ()),
        )

    def open_supply(self, state: State) -> tuple[Holding, ...]:
        """The floors that are left, and what the auction going on is about."""
        auctioned = prize(state)
        return Holding("floors", number(state.floors)), Holding("auction", listed([auctioned] if auctioned else []))

    def passed_seats(self, state: State) -> tuple[int, ...]:
        """Who plays no more cards in this construction phase."""
        return state.passed

    def secrets(self, state: State, seat: int) -> tuple[Holding, ...]:
        """The hand, and the cards put down as a bid."""
        hand = Holding("cards", counted(Counter(state.holding(seat).hand)), seat)
        bid = state.auction.bids[seat - 1] if state.auction else ()
        return (hand, Holding("bid", listed(bid), seat)) if bid else (hand,)

    def closed_pieces(self, state: State, seat: int) -> tuple[ClosedPiece, ...]:
        """The cards of the hand, those put down as a bid and not yet turned over among them."""
        return hands.closed_cards(state, seat)

    def with_closed_pieces(self, state: State, seat: int, names: tuple[str, ...]) -> State:
        """The position with these cards in the hand of a seat.

        Raises ValueError where they cannot be.
        """
        return hands.with_hand(state, seat, names)

    def public_action(self, action: Any) -> Any:
        """A card is drawn face down: everybody sees which stack it comes from."""
        return replace(action, card=DECK_OF[action.card]) if isinstance(action, a.Draw) else action

    def pieces_named(self, action: Any) -> tuple[str, ...]:
        """The card that is played from the hand, or turned over of a bid."""
        return (action.card,) if isinstance(action, (*hands.PLAYS, a.Reveal)) else ()

    def own_actions(self, state: State) -> tuple[Any, ...]:
        """The legal actions; a card that is played is named in full where the hand is known, as it lies open then."""
        return tuple(named for action in open_actions(self, state) for named in hands.named_in_full(state, action))

    def events_without(self, state: State, seat: int) -> tuple[Event, ...]:
        """The seat passes, bids nothing and draws nothing; the other players place a tile that it wins."""
        match step_of(state):
            case "play":
                return (events.PlayerPassed(seat, False),)
            case "bid":
                return (events.BidPrepared(seat),)
            case "open":
                return (events.SenatorTurned(seat),)
            case "draw":
                return (events.DrawsLost(seat, state.draws),)
        return ()

    def last_round_begun(self, state: State) -> bool:
        """Whether it is the fourth round."""
        return state.round == ROUNDS

    def parse_action(self, text: str, state: State) -> Any:
        """The action of a text.

        Raises InvalidNotation.
        """
        return a.parse(text, state.table, state.board.square_names)

    def written_state(self, document: DocumentTable, table: Table) -> State:
        """The position of a document; where the game is over the last round is scored, unless the document does it.

        Raises InvalidDocument.
        """
        state = position.written_state(document, table)
        if state.phase == OVER and "awards" not in document:
            scored = follow(self, replace(state, phase=DRAWING), (events.ScoringBegan(ROUNDS),)).state
            state = replace(state, awards=scored.awards)
        return state

    def left_out(self, state: State) -> Mapping[str, str]:
        """The hands that are no longer as dealt."""
        entries = (f"player.{seat}.hand" for seat in sorted(state.hands_untold))
        return dict.fromkeys(entries, f"{', '.join(DECKS)} for a card of which nobody has seen more than its back")

    def check_board(self, table: Table) -> None:
        """Refuse a board this game cannot be played on.

        Raises InvalidDocument.
        """
        geometry(table.board)


GAME = Capitol.load(Path(__file__).parent, RULES)
