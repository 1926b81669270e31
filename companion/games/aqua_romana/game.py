"""Aqua Romana as the kernel sees it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.amounts import Holding, counted, listed
from companion.base_game import BaseGame
from companion.engine import Decision, GameInfo, Option
from companion.events import Event
from companion.frozen import FrozenDict
from companion.games.aqua_romana import actions as a
from companion.games.aqua_romana import domains, effects, events, fountains, laying, position, scoring, supply
from companion.games.aqua_romana.appearance import appearance, seen_actions
from companion.games.aqua_romana.direct_events import direct_events
from companion.games.aqua_romana.drawings import KINDS
from companion.games.aqua_romana.evolve import evolve
from companion.games.aqua_romana.geometry import geometry
from companion.games.aqua_romana.gestures import gestures_at
from companion.games.aqua_romana.joining import MID_GAME_JOINING
from companion.games.aqua_romana.photograph import PHOTOGRAPH_SCORING
from companion.games.aqua_romana.rulebook import RULES
from companion.games.aqua_romana.rules import may_close
from companion.games.aqua_romana.state import CLOSED, State, option_of, setup_state
from companion.table import Table

_MODULES_WITH_RULES = (laying, fountains, domains, effects, scoring, supply)
TILE_COUNTS = ("21", *(str(count) for count in range(12, 31) if count != 21))
"""how many tiles of one kind a box may hold; no source says how many it does"""

INFO = GameInfo(
    id="aqua_romana",
    title="Aqua Romana",
    version=1,
    seats=(2, 4),
    kinds=a.KINDS_OF_ACTION,
    board="layout.toml",
    unseen=(a.EndTurn,),
    turn_end=a.EndTurn,
    seldom_before_end=(a.Close,),
    series_steps=("setup",),
)


@dataclass(frozen=True)
class AquaRomana(BaseGame[State]):
    """The rules of one game on any Aqua Romana board; `rules` may lack some, for tests."""

    info = INFO
    turn_rule = "AR-TURN-1"
    event_classes = events.CLASSES
    position_keys = position.KEYS
    step_keys = ("step",)
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
        """How many tiles of each kind the box holds."""
        return tuple(Option(option_of(kind), 1, TILE_COUNTS, is_of_box=True) for kind in KINDS)

    def decide(self, state: State) -> Decision | None:
        """What the table waits for."""
        if state.step == "over":
            return None
        if state.step == "claim":
            return Decision(state.claims[:1], "claim", FrozenDict(reserve=state.reserve))
        if state.step == "setup":
            return Decision((state.active,), "setup", FrozenDict(left=sum(state.unplaced.values())))
        if state.step == "place":
            return Decision((state.active,), "place", FrozenDict(held=state.held[state.active - 1]))
        if state.step == "fountain":
            return Decision((state.active,), "fountain", FrozenDict(kind=tuple(fountains.kinds_demanded(state))))
        if state.step == "build" and not laying.can_build(state):
            return Decision((state.active,), "move")
        if state.step == "close" and not may_close(state):
            return Decision((state.active,), "end")
        return Decision((state.active,), state.step)

    def closing_action(self, state: State, seat: int) -> Any | None:
        """End the turn once the tile is laid; nothing where something is still owed."""
        return a.EndTurn() if state.step == "close" else None

    def holdings(self, state: State, seat: int) -> tuple[Holding, ...]:
        """The seat's workers on the field, by colour, and the builders it has to place."""
        workers = [each.colour for each in state.aqueducts.values() if each.seat == seat and each.status != CLOSED]
        builders = listed(state.held[seat - 1])
        return Holding("workers", counted(Counter(workers)), seat), Holding("builders", builders, seat)

    def open_supply(self, state: State) -> tuple[Holding, ...]:
        """The tiles that are left."""
        return (Holding("stock", counted(state.stock)),)

    def events_without(self, state: State, seat: int) -> tuple[Event, ...]:
        """A turn ends without a tile; builders of the set-up, fountains and builders due the others lay and take."""
        return (events.TurnEnded(seat),) if state.step in ("place", "build", "close") else ()

    def last_round_begun(self, state: State) -> bool:
        """Whether nobody has laid a tile lately: a whole round so ends the game."""
        return state.idle > 0

    def parse_action(self, text: str, state: State) -> Any:
        """The action of a text.

        Raises InvalidNotation.
        """
        return a.parse(text)

    def check_board(self, table: Table) -> None:
        """Refuse a board this game cannot be played on, or colours that cannot be played together.

        Raises InvalidDocument.
        """
        geometry(table)


GAME = AquaRomana.load(Path(__file__).parent, RULES)
