"""What has really happened at the simulated table, and what of it the record should say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from companion.detail import EVERYTHING, ON_THE_TABLE, SCORE_ONLY
from companion.engine import GameRules, apply_unchecked, follow
from companion.errors import CompanionError
from companion.events import DetailChosen, Event
from companion.session.log import begin
from companion.session.session import Session
from ui.simulated_table.players import Players, seated
from ui.simulated_table.told_less import told_less


@dataclass(frozen=True, slots=True)
class Truth:
    """The position after `played` actions: `state` as the players have made it, `record` as it should be recorded.

    `level` says how much they tell; where that is everything, the two are the same.
    """

    game: GameRules[Any]
    level: str
    state: Any
    record: Any
    players: Players
    played: int = 0

    @property
    def is_over(self) -> bool:
        """Whether the game has come to its end."""
        return self.game.decide(self.state) is None

    def choose(self, seed: int) -> Any:
        """What whoever must act does next."""
        return self.players.choose(self.state, Random(f"{seed}:{self.played + 1}"))

    def after(self, action: Any) -> tuple[Truth, tuple[Any, ...]]:
        """What is true once an action was played, its telling left aside, and what the players tell of it."""
        step = apply_unchecked(self.game, self.state, action)
        players = self.players.after(self.state, action, step.state)
        return replace(self, state=step.state, players=players, played=self.played + 1), self.told(action, step.events)

    def told(self, action: Any, events: Iterable[Event] = ()) -> tuple[Any, ...]:
        """What the players tell of an action done now, and of what has followed from it."""
        if self.level == EVERYTHING:
            return (action,)
        if self.level == SCORE_ONLY:
            return ()
        return told_less(self.game.info.id, self.state, action, events)

    def recorded(self, told: Any) -> Truth:
        """What is true once something was told."""
        return replace(self, record=apply_unchecked(self.game, self.record, told).state)


def truth_of(session: Session, level: str, seed: int) -> Truth:
    """The players of a game, come to its table where the record is.

    Those who tell less have played before what the record says, and do so again, for what they know is in no record.
    Raises CompanionError where it is the record of other players.
    """
    game, played = session.game, len(session.moves)
    if level == EVERYTHING:
        players = seated(game, session.state, Random(f"{seed} {played + 1}"))
        return Truth(game, level, session.state, session.state, players, played)
    start = begin(session.log.header).state
    record = follow(game, start, (DetailChosen(ON_THE_TABLE),)).state if level == ON_THE_TABLE else start
    truth = Truth(game, level, start, record, seated(game, start, Random(f"{seed} 1")))
    recorded = sum(move.action is not None for move in session.moves)
    while recorded > 0 and not truth.is_over:
        truth, told = truth.after(truth.choose(seed))
        for each in told:
            truth, recorded = truth.recorded(each), recorded - 1
    if truth.record != session.state:
        raise CompanionError("the unfinished demo was played otherwise; begin anew with --fresh")
    return truth
