"""Where aqueduct pieces may go: the checks on laying one, and how many more would fit."""

from __future__ import annotations

from collections.abc import Sequence

from companion.frozen import FrozenDict, changed
from companion.games.city_of_marble.actions import Lay
from companion.games.city_of_marble.geometry import AQUEDUCTS
from companion.games.city_of_marble.rulebook import RULES
from companion.games.city_of_marble.state import (
    EXPANSION_PIECES,
    HILL,
    PIECES_PER_AQUEDUCT,
    Laying,
    State,
    line_of,
    started,
    ward_sides,
)  # fmt: skip
from companion.legality import Group, Violation

check = RULES.check
_EXPANSION = Laying("", EXPANSION_PIECES)


@check("COM-AQ-2", Group.PLACE, Lay)
def aqueduct_is_started(state: State, colour: str) -> Violation | None:
    if state.starting or (state.laying and state.laying.colour) or colour in state.lines:
        return None
    return Violation("COM-AQ-2", sites=(state.board.sources[colour],), facts=FrozenDict(colour=colour))


def colours_due(state: State) -> tuple[str, ...]:
    """The colours whose pieces may be laid now: while an aqueduct is being started, only its own."""
    waiting = (state.laying,) if state.laying is not None else state.starting
    return tuple(laying.colour for laying in waiting if laying.colour) or AQUEDUCTS


@check("COM-AQ-3", Group.PLACE, Lay, among=colours_due, in_time=True)
def start_lays_its_own_colour(state: State, colour: str) -> Violation:
    return Violation("COM-AQ-3", facts=FrozenDict(colour=colour, due=colours_due(state)))


@check("COM-AQ-1", Group.PLACE, Lay)
def begins_at_the_source(state: State, colour: str, edge: str) -> Violation | None:
    source = state.board.sources[colour]
    if colour in state.lines or source in edge.split("-"):
        return None
    return Violation("COM-AQ-1", sites=(edge, source), facts=FrozenDict(colour=colour, source=source), wording="first")


@check("COM-AQ-4", Group.PLACE, Lay)
def continues_at_the_far_end(state: State, colour: str, edge: str) -> Violation | None:
    if colour not in state.lines:
        return None
    end = line_of(state, colour)[-1]
    if end in ends_of(state, edge):
        return None
    return Violation("COM-AQ-4", sites=(end,), facts=FrozenDict(colour=colour, end=end))


@check("COM-AQ-5", Group.PLACE, Lay)
def lies_on_a_ward_side(state: State, edge: str) -> Violation | None:
    on_side = edge in state.board.beside and ward_sides(state, edge)
    return None if on_side else Violation("COM-AQ-5", sites=(edge,))


@check("COM-AQ-6", Group.RULE, Lay)
def makes_no_loop_or_branch(state: State, colour: str, edge: str) -> Violation | None:
    own = line_of(state, colour)
    for end in ends_of(state, edge):
        if end not in own:
            return None
    return Violation("COM-AQ-6", sites=(edge,))


@check("COM-AQ-7", Group.RULE, Lay)
def touches_no_other_aqueduct(state: State, colour: str, edge: str) -> Violation | None:
    ends = ends_of(state, edge)
    for other in started(state):
        touched = other != colour and [vertex for vertex in state.lines[other] if vertex in ends]
        if touched:
            return Violation("COM-AQ-7", sites=(edge, *touched), facts=FrozenDict(other=other, place=touched[0]))
    return None


@check("COM-AQ-8", Group.SUPPLY, Lay)
def pieces_are_left(state: State, colour: str) -> Violation | None:
    laid = len(line_of(state, colour)) - 1
    return Violation("COM-AQ-8", facts=FrozenDict(colour=colour)) if laid >= PIECES_PER_AQUEDUCT else None


@check("COM-AQ-9", Group.RULE, Lay)
def keeps_off_other_sources(state: State, colour: str, edge: str) -> Violation | None:
    if state.ruling("line_onto_source") == "allowed":
        return None
    for other, vertex in state.board.sources.items():
        if other != colour and other not in state.lines and vertex in ends_of(state, edge):
            return Violation("COM-AQ-9", sites=(vertex,))
    return None


@check("COM-AQ-10", Group.RULE, Lay, in_time=True)
def start_follows_its_ward(state: State, colour: str, edge: str) -> Violation | None:
    if state.ruling("start_pieces") == "any_side":
        return None
    laying = demanded(state, colour)
    if not laying.ward or laying.ward in ward_sides(state, edge):
        return None
    return Violation("COM-AQ-10", sites=(edge, laying.ward))


@check("COM-AQ-11", Group.RULE, Lay, in_time=True)
def leaves_room_for_the_rest(state: State, colour: str, edge: str) -> Violation | None:
    laying = demanded(state, colour)
    if state.ruling("short_lay") == "stuck" or laying.left < 2:
        return None
    colours = (laying.colour,) if laying.colour else started(state)
    here = 1 + longest(_with_piece(state, colour, edge), colours, laying.left - 1)
    if here == laying.left or edge not in next_edges(state, colour):
        return None
    best = longest(state, colours, laying.left)
    return Violation("COM-AQ-11", sites=(edge,), facts=FrozenDict(here=here, best=best)) if here < best else None


def ends_of(state: State, edge: str) -> Sequence[str]:
    """The two vertices of an edge, which may lie outside the grid."""
    return state.board.ends.get(edge) or edge.split("-")


def demanded(state: State, colour: str) -> Laying:
    """The laying that a piece of this colour belongs to: the one begun, a start that waits, or a new expansion."""
    waiting = next((start for start in state.starting if start.colour == colour), None) if state.starting else None
    return state.laying or waiting or _EXPANSION


def next_edges(state: State, colour: str) -> list[str]:
    """The edges on which the next piece of this colour fits, however many are to follow."""
    line, covered = line_of(state, colour), state.covered
    found: list[str] = []
    if len(line) > PIECES_PER_AQUEDUCT:
        return found
    for edge, far, triangles in state.board.steps[line[-1]]:
        for triangle in triangles:
            what = covered.get(triangle, HILL)
            if what != HILL and what != edge:  # noqa: PLR1714  # several times as fast as making a tuple of the two
                break
        else:
            continue
        if (
            far not in line
            and touches_no_other_aqueduct(state, colour, edge) is None
            and keeps_off_other_sources(state, colour, edge) is None
            and start_follows_its_ward(state, colour, edge) is None
        ):
            found.append(edge)
    return found


def longest(state: State, colours: tuple[str, ...], left: int) -> int:
    """The largest number of pieces of these colours, at most `left`, 1 or more, that fit one after the other."""
    best = 0
    for colour in colours:
        for edge in next_edges(state, colour):
            further = longest(_with_piece(state, colour, edge), colours, left - 1) if left > 1 else 0
            best = max(best, 1 + further)
            if best == left:
                return best
    return best


def _with_piece(state: State, colour: str, edge: str) -> State:
    line = line_of(state, colour)
    return changed(state, lines=state.lines.put(colour, (*line, state.board.other_end(edge, line[-1]))))
