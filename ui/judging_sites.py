"""Why nothing may be done at a touched place: the likeliest actions there, as the game's checks judge them. No Kivy."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from companion.board.layout import EMPTY
from companion.engine import judge
from companion.legality import Verdict
from companion.session.session import Session
from ui.offers import sites_of

MOST_JUDGED = 200
"""actions that are judged at one place"""

MOST_IMAGINED = 8
"""of them that may be chosen all the same"""


def illegal_actions(session: Session, site: str) -> list[tuple[Any, Verdict]]:
    """The actions that a change at a site may mean and that are illegal now, those first that break a late check."""
    game, state = session.game, session.state
    found = dict.fromkeys(islice(_imaginable(session, site), MOST_JUDGED))
    judged = [(action, judge(game, state, action)) for action in found]
    groups = {check.rule: int(check.group) for check in game.rules.checks}

    def rank(judgement: tuple[Any, Verdict]) -> tuple[int, int]:
        rules = [violation.rule for violation in judgement[1].violations]
        return -max(groups.get(rule, 0) for rule in rules), len(rules)

    return sorted(((action, verdict) for action, verdict in judged if not verdict.is_legal), key=rank)


def _imaginable(session: Session, site: str) -> Iterator[Any]:
    """What another piece, or none, on a spot of the site would suggest and names the site."""
    game, state = session.game, session.state
    look = game.appearance(state)
    spots = (spot for sheet in session.table.board.sheets for spot in sheet.spots.values() if spot.site == site)
    for spot in spots:
        for label in (*spot.labels, EMPTY):
            if label != look.get(spot.name, EMPTY):
                suggested = game.seen_actions(state, {spot.name: label})
                yield from (action for action in suggested if site in sites_of(action))
