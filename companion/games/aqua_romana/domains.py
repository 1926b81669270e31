"""Where the fields of each action get their values: at least all that can be legal, in listing order."""

from __future__ import annotations

from companion.games.aqua_romana import actions as a
from companion.games.aqua_romana import fountains, laying, rules
from companion.games.aqua_romana.rulebook import RULES
from companion.games.aqua_romana.state import BUILDERS, State


def builders_to_place(state: State) -> list[str]:
    """The kinds of the builders that are still to be put on the path, by anybody or by the active player."""
    if state.step == "setup":
        return [builder for builder in BUILDERS if state.unplaced.get(builder)]
    held = state.held[state.active - 1]
    return [builder for builder in BUILDERS if builder in held]


RULES.domain(
    a.Place,
    builder=builders_to_place,
    space=rules.free_spaces,
    keeps=(rules.builder_is_to_be_placed, rules.builder_was_taken),
)
RULES.joint_domain(
    a.Build,
    lambda state: dict.fromkeys(laying.tiles_in_sight(state)),
    keeps=(
        laying.lies_on_a_free_square,
        laying.lies_ahead_of_ones_worker,
        laying.stock_holds_the_tile,
        laying.continues_the_aqueduct,
        laying.worker_sees_the_builder,
        laying.builder_gives_the_kind,
        laying.joins_no_aqueducts,
        rules.builder_stands_there,
    ),
)
RULES.domain(a.Move, space=lambda state: sorted(state.builders), keeps=(rules.builder_stands_there,))
RULES.joint_domain(
    a.Fountain,
    fountains.tiles_to_lay,
    keeps=(
        fountains.lies_on_a_free_square,
        fountains.stock_holds_the_tile,
        fountains.keeps_off_the_ends,
        fountains.tile_is_of_the_kind,
        fountains.joins_no_aqueducts,
    ),
)
RULES.domain(a.Close, end=rules.own_open_ends)
RULES.domain(a.Take, builder=rules.reserve)
