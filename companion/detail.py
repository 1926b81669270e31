"""How much of a game a table tells: everything, only what lies on the table, or only the board at the end.

What is left untold is what a position does not say: rules that hang on it are not checkable. A table changes its level
at any time by an entry of its record, whose fact is `DetailChosen`; each game says what is forgotten then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.table import Table

EVERYTHING, ON_THE_TABLE = "everything", "table"
RECORDED = (EVERYTHING, ON_THE_TABLE)
"""the levels that a record can be kept at, where its game has them"""
SCORE_ONLY = "score"
"""nothing is recorded; the board is counted at the end"""
LEVELS = (*RECORDED, SCORE_ONLY)


class DetailedState:
    """What the positions of all games have in common whose tables may tell less than everything."""

    table: Table
    detail: str

    @property
    def is_untold(self) -> bool:
        """Whether the table tells only what lies on it."""
        return self.detail == ON_THE_TABLE
