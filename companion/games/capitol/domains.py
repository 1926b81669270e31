"""Where the fields of each action get their values: at least all that can be legal, in listing order."""

from __future__ import annotations

from companion.games.capitol import actions as a
from companion.games.capitol import areas, construction, hands, improvement
from companion.games.capitol.cards import ANY, FLOOR, ROOF
from companion.games.capitol.rulebook import RULES
from companion.games.capitol.state import State, families_held

CARD_CHECKS = (hands.hand_holds_the_deck, hands.card_is_not_elsewhere)


def floor_card(state: State) -> tuple[str, ...]:
    """A floor card where the hand can hold one."""
    return (FLOOR,) if FLOOR in families_held(state) else ()


def roof_card(state: State) -> tuple[str, ...]:
    """A roof card where the hand can hold one."""
    return (ROOF,) if ROOF in families_held(state) else ()


def cards_for_nothing(state: State) -> tuple[str, ...]:
    """The kinds of card that the hand can hold; where cards are not told it does not matter which it is."""
    return (ANY,) if state.is_untold else families_held(state)


RULES.domain(
    a.PlayFloor,
    card=floor_card,
    onto=construction.ways_to_build,
    keeps=(
        *CARD_CHECKS,
        construction.builds_all_its_floors,
        construction.builds_on_own_unroofed_buildings,
        construction.builds_old_or_new_as_ruled,
    ),
)
RULES.domain(
    a.PlayRoof,
    height=lambda state: dict.fromkeys(state.own.unroofed),
    card=roof_card,
    shape=construction.roofs_left,
    keeps=(*CARD_CHECKS, construction.has_such_a_roof, construction.covers_an_own_unroofed_building),
)
RULES.joint_domain(
    a.PlayPermit,
    areas.placings,
    keeps=(
        *CARD_CHECKS,
        areas.has_the_colour_of_the_permit,
        areas.is_a_small_square,
        areas.holds_no_building,
        areas.holds_no_fountain,
        areas.is_an_own_completed_building,
        areas.has_the_roof_shape_of_the_area,
        areas.leaves_both_shapes_to_the_colour,
        areas.begins_with_one_floor,
        areas.is_as_tall_or_one_taller,
    ),
)
RULES.domain(a.PlayForNothing, card=cards_for_nothing, keeps=CARD_CHECKS)
RULES.domain(a.Commit, seat=lambda state: state.table.clockwise(state.first))
RULES.domain(a.Reveal, card=hands.cards_to_reveal, keeps=CARD_CHECKS)
RULES.domain(a.Award, seat=lambda state: state.table.clockwise(state.first))
RULES.domain(
    a.PutTile,
    square=improvement.squares_for_tile,
    keeps=(
        improvement.fountain_lies_on_a_small_square,
        improvement.monument_lies_on_a_large_square,
        improvement.square_is_free,
    ),
)
RULES.domain(a.Draw, card=hands.cards_on_top, keeps=(hands.card_is_the_top_one,))
