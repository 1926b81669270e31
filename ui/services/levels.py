"""What the levels of detail are called."""

from __future__ import annotations

from companion.detail import EVERYTHING, ON_THE_TABLE, SCORE_ONLY
from companion.wording.sentences import sentence
from ui.services.text import _

_NAMES = {
    EVERYTHING: sentence("everything"),
    ON_THE_TABLE: sentence("what lies on the table"),
    SCORE_ONLY: sentence("the score only"),
}
_MEANINGS = {
    EVERYTHING: sentence("cards, draws and bids too: everything is judged"),
    ON_THE_TABLE: sentence("hands, draws, bids untold; the score is exact"),
    SCORE_ONLY: sentence("nothing is recorded; the board is counted at the end"),
}


def level_name(level: str) -> str:
    """How much is told, in a few words."""
    return _(_NAMES[level])


def level_meaning(level: str) -> str:
    """What comes of telling this much."""
    return _(_MEANINGS[level])
