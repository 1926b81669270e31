"""Where the fields of each action get their values: at least all that can be legal, in listing order."""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement

from companion.games.city_of_marble import actions as a
from companion.games.city_of_marble import effects, rules
from companion.games.city_of_marble.geometry import COLOURS, SPACES
from companion.games.city_of_marble.rulebook import RULES
from companion.games.city_of_marble.state import State, line_of, started


def draws(state: State) -> tuple[tuple[str, ...], ...]:
    """The draws worth asking about: of several colours that are left, those of two different ones."""
    return _draws(tuple(colour for colour in COLOURS if state.stacks[colour]))


@cache
def _draws(colours: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    pairs = tuple(combinations(colours, 2))
    return pairs or tuple((colour,) * count for colour in colours for count in (2, 1))


def lays(state: State) -> list[tuple[str, str]]:
    """The edges at the far ends of the aqueducts that are started, or about to be."""
    colours = (*started(state), *(start.colour for start in state.starting))
    ends = {colour: line_of(state, colour)[-1] for colour in colours}
    return [(colour, edge) for colour in ends for edge in state.board.edges[ends[colour]]]


def wards_to_send_from(state: State) -> tuple[str, ...]:
    """The wards at the site from which magistrates are sent."""
    return effects.wards_of(state, state.sending.vertex) if state.sending else ()


def values_to_reveal(state: State) -> tuple[tuple[int, ...], ...]:
    """The values that the bridges of the seat that tells them can have."""
    held = state.holding(rules.revealing_seat(state)).bridges if state.stage == "reveal" else 0
    return tuple(combinations_with_replacement(range(1, 5), held))


RULES.domain(a.Draw, colours=draws)
RULES.domain(
    a.PlayWard,
    colour=lambda state: COLOURS,
    magistrate=lambda state: (False, True),
    ward=lambda state: state.frontier,
)
RULES.joint_domain(a.Lay, lays)
RULES.domain(a.Recall, place=rules.wards_with_own_magistrates)
RULES.domain(a.Spend, imperium=rules.own_imperium)
RULES.domain(a.Complete, vertex=rules.closed_sites)
RULES.domain(a.Send, ward=wards_to_send_from)
RULES.domain(a.Collect, space=lambda state: SPACES)
RULES.domain(a.Reveal, values=values_to_reveal)
