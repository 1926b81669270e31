"""Where the fields of each action get their values: at least all that can be legal, in listing order."""

from __future__ import annotations

from companion.games.aqua_romana import actions as a
from companion.games.aqua_romana import fountains, laying, rules
from companion.games.aqua_romana.rulebook import RULES
from companion.games.aqua_romana.state import BUILDERS, State


def builders_to_place(state: State) -> list[str]:
    """The kinds of the builders that are still to be put on the path, by anybody or by the active player."""
    held = state.unplaced if state.step == "setup" else state.held[state.active - 1]
    return [builder for builder in BUILDERS if builder in held]


RULES.domain(a.Place, builder=builders_to_place, space=rules.free_spaces)
RULES.joint_domain(
    a.Build,
    lambda state: dict.fromkeys(laying.tiles_in_sight(state)),
    within=(laying.tiles_ahead, laying.tiles_continuing),
)
RULES.domain(a.Move, space=lambda state: sorted(state.builders))
RULES.domain(a.Fountain, drawing=fountains.drawings_demanded, cell=fountains.free_cells)
RULES.domain(a.Close, end=rules.own_open_ends)
RULES.domain(a.Take, builder=rules.reserve)
