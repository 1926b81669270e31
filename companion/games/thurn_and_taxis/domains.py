"""Where the fields of each action get their values: at least all that can be legal, in listing order."""

from __future__ import annotations

from companion.games.thurn_and_taxis import actions as a
from companion.games.thurn_and_taxis import audience, offices, rules
from companion.games.thurn_and_taxis.rulebook import RULES
from companion.games.thurn_and_taxis.state import RANKS, State, step_of


def plays(state: State) -> list[tuple[str, str]]:
    """The cards of the hand that are not in the route, with the ends of the route that a road joins to them."""
    route, roads, cards = state.turn_holding.route, state.board.roads, rules.cards_in_hand(state)
    if not route:
        return [(card, a.NEW) for card in cards]
    ends = ((a.LEFT, roads[route[0]]), (a.RIGHT, roads[route[-1]]))
    return [(card, end) for card in cards if card not in route for end, near in ends if card in near]


def cities_for_houses(state: State) -> tuple[str, ...]:
    """The cities in which a house can be owed."""
    return state.board.cities if step_of(state) == "reward_house" else state.turn_holding.route


RULES.domain(a.Show, card=rules.cards_left)
RULES.domain(a.Take, card=rules.cards_to_take)
RULES.joint_domain(
    a.Play,
    plays,
    keeps=(
        rules.hand_can_hold_the_card,
        rules.card_goes_to_an_end,
        rules.city_is_new_to_the_route,
        rules.road_joins_the_end,
    ),
)
RULES.domain(a.Close, cartwright=lambda state: (False, True), option=rules.options_to_close)
RULES.domain(a.House, city=cities_for_houses)
RULES.joint_domain(
    a.Move,
    audience.moves,
    keeps=(audience.card_got_no_house, audience.carriage_is_under_way, audience.road_leads_south),
)
RULES.domain(a.Tell, rank=lambda state: RANKS)
RULES.domain(a.Return, kinds=offices.returns, keeps=(offices.officials_are_different, offices.tiles_are_held))
RULES.domain(a.Discard, card=rules.cards_in_hand)
