"""Where the fields of each action get their values: at least all that can be legal, in listing order."""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement

from companion.games.city_of_marble import actions as a
from companion.games.city_of_marble import aqueducts, effects, rules
from companion.games.city_of_marble.bridges import told_values
from companion.games.city_of_marble.geometry import COLOURS, SPACES
from companion.games.city_of_marble.rulebook import RULES
from companion.games.city_of_marble.state import State, colours_unseen, started


def draws(state: State) -> tuple[tuple[str, ...], ...]:
    """Two different colours that are left; of the last colour two wards, or its only one."""
    if state.stacks_untold:
        return _untold_draws(tuple(colours_unseen(state)), sum(state.stacks.values()))
    colours = tuple([colour for colour, count in state.stacks.items() if count])
    return _pairs(colours) or tuple((colour,) * min(rules.DRAWN_WARDS, state.stacks[colour]) for colour in colours)


@cache
def _untold_draws(colours: tuple[str, ...], left: int) -> tuple[tuple[str, ...], ...]:
    return tuple(combinations_with_replacement(colours, min(rules.DRAWN_WARDS, left))) if left else ()


@cache
def _pairs(colours: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(combinations(sorted(colours, key=COLOURS.index), rules.DRAWN_WARDS))


def lays(state: State) -> list[tuple[str, str]]:
    """The edges on which the next piece fits of the aqueducts that are started, or about to be, and may grow now."""
    colours = started(state)
    if state.starting:
        colours = tuple(dict.fromkeys((*colours, *(start.colour for start in state.starting))))
    if not colours:
        return []
    due = aqueducts.colours_due(state)
    return [(colour, edge) for colour in colours if colour in due for edge in aqueducts.next_edges(state, colour)]


def wards_to_send_from(state: State) -> tuple[str, ...]:
    """The wards at the site from which magistrates are sent."""
    return effects.wards_of(state, state.sending.vertex) if state.sending else ()


def values_to_reveal(state: State) -> tuple[tuple[int, ...], ...]:
    """The values that the bridges of the seat that reveals them can have."""
    if state.stage != "reveal":
        return ((),)
    seat = rules.revealing_seat(state)
    known = told_values(state, seat)
    open_tiles = state.holding(seat).bridges - len(known)
    return tuple(tuple(sorted((*known, *rest))) for rest in combinations_with_replacement(range(1, 5), open_tiles))


RULES.domain(a.Draw, colours=draws, keeps=(rules.stacks_hold_them, rules.draws_two, rules.draws_different_colours))
RULES.domain(
    a.PlayWard,
    colour=rules.colours_in_atrium,
    magistrate=rules.with_or_without_magistrate,
    ward=lambda state: state.frontier,
    keeps=(rules.lies_in_the_grid, rules.covers_free_triangles, rules.touches_the_city),
)
RULES.joint_domain(
    a.Lay,
    lays,
    keeps=(
        aqueducts.aqueduct_is_started,
        aqueducts.start_lays_its_own_colour,
        aqueducts.begins_at_the_source,
        aqueducts.continues_at_the_far_end,
        aqueducts.lies_on_a_ward_side,
        aqueducts.makes_no_loop_or_branch,
        aqueducts.touches_no_other_aqueduct,
        aqueducts.pieces_are_left,
        aqueducts.keeps_off_other_sources,
        aqueducts.start_follows_its_ward,
    ),
)
RULES.domain(a.Recall, place=rules.wards_with_own_magistrates, keeps=(rules.recalls_from_a_ward,))
RULES.domain(a.Spend, imperium=rules.own_imperium)
RULES.domain(a.Complete, vertex=rules.closed_sites)
RULES.domain(a.Send, ward=wards_to_send_from)
RULES.domain(a.Collect, space=lambda state: SPACES)
RULES.domain(a.Reveal, values=values_to_reveal, keeps=(rules.tells_every_tile, rules.values_exist))
