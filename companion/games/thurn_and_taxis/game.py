"""Thurn and Taxis as the kernel sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.amounts import NOT_TOLD, Amount, Holding, counted, listed, number
from companion.base_game import DetailedGame
from companion.closed import ClosedPiece
from companion.detail import RECORDED
from companion.engine import Decision, GameInfo, Option
from companion.events import Event
from companion.facts import Fact
from companion.frozen import FrozenDict
from companion.games.thurn_and_taxis import actions as a
from companion.games.thurn_and_taxis import audience, closing, domains, events, hands, position, scoring, turning
from companion.games.thurn_and_taxis.appearance import appearance, seen_actions
from companion.games.thurn_and_taxis.direct_events import direct_events
from companion.games.thurn_and_taxis.evolve import evolve
from companion.games.thurn_and_taxis.geometry import MAP, geometry, roads_to_rome
from companion.games.thurn_and_taxis.gestures import gestures_at
from companion.games.thurn_and_taxis.joining import MID_GAME_JOINING
from companion.games.thurn_and_taxis.photograph import PHOTOGRAPH_SCORING
from companion.games.thurn_and_taxis.rulebook import RULES
from companion.games.thurn_and_taxis.state import (
    BEGIN,
    CLOSE,
    CUT,
    END,
    HAND_LIMIT,
    MODULES,
    MOVE,
    OFFICIALS,
    OVER,
    PLAY,
    RANKS,
    TAKE,
    TILE_VALUES,
    UNSEEN,
    UNTOLD,
    UNTOLD_OFFICES,
    WITH_AUDIENCE,
    State,
    cards_to_show,
    setup_state,
    stack_left,
    step_of,
)  # fmt: skip
from companion.table import Table

_MODULES_WITH_RULES = (audience, closing, domains, scoring, turning)

INFO = GameInfo(
    id="thurn_and_taxis",
    title="Thurn and Taxis",
    version=1,
    seats=(2, 4),
    kinds=a.KINDS,
    board="layout.toml",
    unseen=(
        a.Show, a.Administrator, a.Take, a.Play, a.Drop, a.Move, a.Tell, a.Return, a.Decline, a.Discard, a.Pass,
        a.EndTurn,
    ),
    turn_end=a.EndTurn,
    reveals=(a.Tell,),
    asked_steps=(CLOSE,),
    turned_up_steps=("show",),
    details=RECORDED,
)  # fmt: skip


@dataclass(frozen=True)
class ThurnAndTaxis(DetailedGame[State]):
    """The rules of one game, with or without the modules, on any of its boards; `rules` may lack some, for tests."""

    info = INFO
    turn_rule = "TT-TURN-1"
    event_classes = events.CLASSES
    position_keys = position.KEYS
    step_keys = ("stage",)
    photograph_scoring = PHOTOGRAPH_SCORING
    mid_game_joining = MID_GAME_JOINING

    setup = staticmethod(setup_state)
    direct_events = staticmethod(direct_events)
    evolve = staticmethod(evolve)
    written_state = staticmethod(position.written_state)
    state_document = staticmethod(position.state_document)
    appearance = staticmethod(appearance)
    seen_actions = staticmethod(seen_actions)
    gestures_at = staticmethod(gestures_at)

    def options(self, table: Table) -> tuple[Option, ...]:
        """Which modules of All Roads Lead to Rome are played; the Audience needs the map with the roads to Rome."""
        modules = MODULES if MAP in table.board.beside else tuple(name for name in MODULES if name not in WITH_AUDIENCE)
        return (Option("modules", 1, modules),)

    def decide(self, state: State) -> Decision | None:
        """What the table waits for."""
        step = step_of(state)
        if step == OVER:
            return None
        facts: dict[str, Fact] = {}
        if step == "show":
            facts["left"] = cards_to_show(state)
        elif step == TAKE:
            facts["left"] = state.owed
        elif step == CUT:
            facts["left"] = UNSEEN if state.hand_untold else len(state.own.hand) - HAND_LIMIT
        elif step == MOVE and state.closing is not None:
            facts["cards"] = state.closing.unused
        elif step == "tell" and state.audience is not None:
            facts["carriage"] = state.audience.telling
        return Decision((state.actor,), step, FrozenDict(facts))

    def closing_action(self, state: State, seat: int) -> Any | None:
        """End the turn, or decline what may be declined; nothing where a choice is owed."""
        step = step_of(state)
        if step == MOVE and state.ruling("carriage_moves") == "optional":
            return a.Decline()
        if step in ("reward_card", "reward_house") or (step == "return" and state.stage == "last"):
            return a.Decline()
        return a.EndTurn() if step in (CLOSE, END) else None

    def holdings(self, state: State, seat: int) -> tuple[Holding, ...]:
        """What lies openly before a seat; of the hand only the number of cards."""
        holding = state.holding(seat)
        lines = [
            Holding("cards", listed([NOT_TOLD]) if state.are_officials_untold else number(len(holding.hand)), seat),
            Holding("route", listed(holding.route), seat),
            Holding("houses", number(holding.houses), seat),
            Holding("carriage", (Amount(value=holding.carriage),) if holding.carriage else (), seat),
            Holding("bonus tiles", number(len(holding.tiles)), seat),
        ]
        if state.offices is not None:
            tiles = counted({kind: holding.offices[kind] for kind in OFFICIALS})
            lines += [Holding("office tiles", tiles, seat), Holding("chips", number(holding.chips), seat)]
        if state.audience is not None:
            ranks = listed(rank for rank in RANKS if seat in state.audience.rome[rank])
            lines.append(Holding("at the audience", ranks, seat))
        return tuple(lines)

    def open_supply(self, state: State) -> tuple[Holding, ...]:
        """The open cards, the deck, the uppermost bonus tiles and the stock of office tiles."""
        named = {stack: f"route-{stack}" if stack.isdecimal() else stack for stack in TILE_VALUES}
        left = {stack: stack_left(state, stack) for stack in TILE_VALUES}
        tops = tuple(Amount(named[stack], value=values[0]) for stack, values in left.items() if values)
        lines = [Holding("next bonus tiles", tops)]
        if not state.is_untold:
            lines = [Holding("open cards", listed(state.display)), Holding("deck", number(state.deck)), *lines]
        if state.offices is not None:
            lines.append(Holding("stock", counted(state.offices.stock)))
        return tuple(lines)

    def secrets(self, state: State, seat: int) -> tuple[Holding, ...]:
        """The hand."""
        return (Holding("cards", listed(state.holding(seat).hand), seat),)

    def closed_pieces(self, state: State, seat: int) -> tuple[ClosedPiece, ...]:
        """The cards of the hand; those from the deck are unseen by all others."""
        return hands.closed_cards(state, seat)

    def with_closed_pieces(self, state: State, seat: int, names: tuple[str, ...]) -> State:
        """The position with these cards in the hand of a seat.

        Raises ValueError where they cannot be.
        """
        return hands.with_hand(state, seat, names)

    def pieces_named(self, action: Any) -> tuple[str, ...]:
        """The card that leaves the hand."""
        return (action.card,) if isinstance(action, a.Play | a.Discard) else ()

    def left_out(self, state: State) -> Mapping[str, str]:
        """The hands, once cards have been played."""
        entries = (f"player.{seat}.hand" for seat in sorted(state.hands_untold))
        return dict.fromkeys(entries, f"{UNSEEN} for a card that nobody has seen")

    def events_without(self, state: State, seat: int) -> tuple[Event, ...]:
        """A turn ends without a card; a route being closed, tiles in Rome and office tiles the others finish."""
        step, ended = step_of(state), events.TurnEnded(seat)
        if step in (UNTOLD, UNTOLD_OFFICES):
            return events.UntoldHandCut(seat, min(len(state.own.hand), 2 if state.official else 1)), ended
        return (ended,) if step in (TAKE, PLAY, BEGIN, CLOSE, CUT, END) else ()

    def last_round_begun(self, state: State) -> bool:
        """Whether somebody has the game-end tile."""
        return bool(state.ending)

    def parse_action(self, text: str, state: State) -> Any:
        """The action of a text.

        Raises InvalidNotation.
        """
        return a.parse(text, state.board.names, state.rome.names)

    def check_board(self, table: Table) -> None:
        """Refuse a board this game cannot be played on.

        Raises InvalidDocument.
        """
        geometry(table.board)
        roads_to_rome(table.board)


GAME = ThurnAndTaxis.load(Path(__file__).parent, RULES)
