"""Whether a game was joined under way, ended early, or went on without somebody who left."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from companion import engine
from companion.absence import NOBODY
from companion.engine import GameRules
from companion.scoring import ScoreSheet


@dataclass(frozen=True, slots=True)
class RecordStatus:
    """`joined`: the record begins in the middle of the game; `ended`: the table stopped before the game was over."""

    joined: bool = False
    ended: bool = False
    left: frozenset[int] = NOBODY
    """the seats that left"""

    def scores(self, game: GameRules[Any], state: Any) -> ScoreSheet:
        """The score sheet of a position: who left ranks last, and nobody wins where the game was ended early."""
        sheet = replace(engine.scores(game, state), left=self.left)
        return replace(sheet, final=False, deducting_at_end=frozenset()) if self.ended else sheet


PLAIN = RecordStatus()
"""a game recorded from its set-up, played by all and not ended early"""
