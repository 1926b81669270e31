"""Where the fields of each action get their values: at least all that can be legal, in listing order."""

from __future__ import annotations

from companion.games.capitol import actions as a
from companion.games.capitol import areas, construction, hands, improvement
from companion.games.capitol.cards import FAMILIES, FLOOR, ROOF
from companion.games.capitol.rulebook import RULES

RULES.domain(
    a.PlayFloor,
    card=lambda state: (FLOOR,),
    onto=construction.ways_to_build,
)
RULES.domain(
    a.PlayRoof,
    card=lambda state: (ROOF,),
    shape=construction.roofs_left,
    height=lambda state: dict.fromkeys(state.own.unroofed),
)
RULES.joint_domain(a.PlayPermit, areas.placings)
RULES.domain(a.PlayForNothing, card=lambda state: FAMILIES)
RULES.domain(a.Commit, seat=lambda state: state.table.clockwise(state.first))
RULES.domain(a.Reveal, card=hands.cards_to_reveal)
RULES.domain(a.PutTile, square=improvement.squares_for_tile)
RULES.domain(a.Draw, card=hands.cards_on_top)
