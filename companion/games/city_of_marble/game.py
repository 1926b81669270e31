"""City of Marble as the kernel sees it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.amounts import Amount, Holding, counted, number
from companion.base_game import DetailedGame
from companion.closed import ClosedPiece
from companion.detail import RECORDED
from companion.engine import Decision, GameInfo, Option
from companion.events import Event
from companion.facts import Fact
from companion.frozen import FrozenDict
from companion.games.city_of_marble import actions as a
from companion.games.city_of_marble import bridges, domains, effects, events, position, scoring, supply
from companion.games.city_of_marble.appearance import appearance, seen_actions
from companion.games.city_of_marble.direct_events import direct_events
from companion.games.city_of_marble.evolve import evolve
from companion.games.city_of_marble.geometry import geometry
from companion.games.city_of_marble.gestures import gestures_at
from companion.games.city_of_marble.joining import MID_GAME_JOINING
from companion.games.city_of_marble.photograph import PHOTOGRAPH_SCORING
from companion.games.city_of_marble.rulebook import RULES
from companion.games.city_of_marble.rules import revealing_seat
from companion.games.city_of_marble.state import State, setup_state, step_of
from companion.table import Table

_MODULES_WITH_RULES = (domains, effects, scoring, supply)

INFO = GameInfo(
    id="city_of_marble",
    title="Rome: City of Marble",
    version=1,
    seats=(2, 4),
    kinds=a.KINDS,
    board="layout.toml",
    unseen=(a.Draw, a.Spend, a.Keep, a.Collect, a.Pass, a.EndTurn, a.LastRound, a.Reveal),
    turn_end=a.EndTurn,
    seldom_before_end=(a.Spend, a.Collect, a.LastRound),
    reveals=(a.Reveal,),
    asked_steps=("send", "site"),
    details=RECORDED,
)


@dataclass(frozen=True)
class CityOfMarble(DetailedGame[State]):
    """The rules of one game on any City of Marble board; `rules` may lack some, for tests."""

    info = INFO
    turn_rule = "COM-TURN-5"
    event_classes = events.CLASSES
    position_keys = position.KEYS
    step_keys = ("laying", "starting", "closing", "stage")
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
        """Which three hills were turned up."""
        return (Option("hills", 3, tuple(geometry(table.board).hills)),)

    def decide(self, state: State) -> Decision | None:
        """What the table waits for."""
        step = step_of(state)
        if step == "over":
            return None
        if step == "reveal":
            seat = revealing_seat(state)
            return Decision((seat,), step, FrozenDict(tiles=state.holding(seat).bridges))
        if state.sending is not None:
            sending = FrozenDict[str, Fact](site=state.sending.vertex, space=state.sending.space)
            return Decision((state.sending.seats[0],), step, sending)
        facts = FrozenDict[str, Fact](actions=state.actions)
        if state.laying is not None:
            facts = FrozenDict(colour=state.laying.colour or "any", left=state.laying.left)
        return Decision((state.active,), step, facts)

    def closing_action(self, state: State, seat: int) -> Any | None:
        """End the turn, keep the magistrates; nothing where an action is still owed."""
        return {"end": a.EndTurn(), "untold": a.EndTurn(), "send": a.Keep()}.get(step_of(state))

    def holdings(self, state: State, seat: int) -> tuple[Holding, ...]:
        """Wards, magistrates, tiles and coins of a seat; its bridge values stay hidden until they are revealed."""
        holding = state.holding(seat)
        return (
            Holding("atrium", counted(holding.atrium), seat),
            Holding("domus", counted(holding.domus), seat),
            Holding("magistrates", number(holding.magistrates), seat),
            Holding("coins", number(holding.coins), seat),
            Holding("bridges", number(holding.bridges), seat),
            Holding("Imperium", counted(holding.imperium), seat),
        )

    def open_supply(self, state: State) -> tuple[Holding, ...]:
        """The wards that can still be drawn."""
        return (Holding("stacks", counted(state.stacks)),)

    def secrets(self, state: State, seat: int) -> tuple[Holding, ...]:
        """The bridge values that the seat alone knows."""
        values = bridges.told_values(state, seat)
        return (Holding("bridges", tuple(Amount(value=value) for value in values), seat),) if values else ()

    def closed_pieces(self, state: State, seat: int) -> tuple[ClosedPiece, ...]:
        """The bridge tiles, until their values are revealed."""
        return bridges.closed_tiles(state, seat)

    def with_closed_pieces(self, state: State, seat: int, names: tuple[str, ...]) -> State:
        """The position with these values on the bridge tiles of a seat.

        Raises ValueError where they cannot be.
        """
        return bridges.with_values(state, seat, names)

    def pieces_named(self, action: Any) -> tuple[str, ...]:
        """The values of the bridge tiles that are turned over."""
        return tuple(map(str, action.values)) if isinstance(action, a.Reveal) else ()

    def events_without(self, state: State, seat: int) -> tuple[Event, ...]:
        """The turn ends and magistrates are kept; the others finish what is begun and report the bridge values."""
        step = step_of(state)
        if step == "send":
            return (events.MagistrateKept(seat),)
        return (events.TurnEnded(seat, state.final is not None),) if step in ("act", "end", "untold") else ()

    def last_round_begun(self, state: State) -> bool:
        """Whether the last turns are counted."""
        return state.final is not None

    def parse_action(self, text: str, state: State) -> Any:
        """The action of a text.

        Raises InvalidNotation.
        """
        return a.parse(text, state.table.board.lattice)

    def check_board(self, table: Table) -> None:
        """Refuse a board this game cannot be played on.

        Raises InvalidDocument.
        """
        geometry(table.board)


GAME = CityOfMarble.load(Path(__file__).parent, RULES)
