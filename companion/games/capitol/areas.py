"""Where a permit allows a building: colours, free squares, roof shapes and heights of the nine areas."""

from __future__ import annotations

from companion.facts import Fact
from companion.frozen import FrozenDict
from companion.games.capitol.actions import PlayPermit
from companion.games.capitol.cards import FAMILY_OF
from companion.games.capitol.rulebook import RULES
from companion.games.capitol.state import State, families_held, parts_of
from companion.legality import Group, Violation

check = RULES.check


@check("CAP-PERMIT-1", Group.PLACE, PlayPermit)
def has_the_colour_of_the_permit(state: State, card: str, square: str) -> Violation | None:
    board = state.board
    colour, permit = board.colour[board.area_of[square]], FAMILY_OF.get(card, card.split("-", maxsplit=1)[0])
    if colour == permit:
        return None
    return Violation("CAP-PERMIT-1", (square,), FrozenDict(area=board.area_of[square], colour=colour, permit=permit))


@check("CAP-PERMIT-2", Group.PLACE, PlayPermit)
def is_a_small_square(state: State, square: str) -> Violation | None:
    return Violation("CAP-PERMIT-2", (square,)) if square in state.board.large_squares else None


@check("CAP-PERMIT-3", Group.PLACE, PlayPermit)
def holds_no_building(state: State, square: str) -> Violation | None:
    return Violation("CAP-PERMIT-3", (square,)) if square in state.city.buildings else None


@check("CAP-PERMIT-4", Group.PLACE, PlayPermit)
def holds_no_fountain(state: State, square: str) -> Violation | None:
    fountain = square in state.city.fountains or square in state.board.fountains
    return Violation("CAP-PERMIT-4", (square,)) if fountain else None


@check("CAP-PERMIT-5", Group.SUPPLY, PlayPermit, among=lambda state: state.own.completed, in_time=True)
def is_an_own_completed_building(state: State, building: str) -> Violation:
    completed = state.own.completed
    return Violation("CAP-PERMIT-5", facts=FrozenDict(building=building, completed=completed))


@check("CAP-PERMIT-6", Group.RULE, PlayPermit)
def has_the_roof_shape_of_the_area(state: State, building: str, square: str) -> Violation | None:
    area = state.board.area_of[square]
    shape = state.city.districts[area].shape
    if shape in ("", parts_of(building)[1]):
        return None
    return Violation("CAP-PERMIT-6", squares_of(state, area), FrozenDict(area=area, shape=shape))


@check("CAP-PERMIT-7", Group.RULE, PlayPermit)
def leaves_both_shapes_to_the_colour(state: State, building: str, square: str) -> Violation | None:
    area, districts = state.board.area_of[square], state.city.districts
    if districts[area].shape:
        return None
    shape, colour = parts_of(building)[1], state.board.colour[area]
    others = [other for other in state.board.of_colour[colour] if other != area]
    for other in others:
        if districts[other].shape != shape:
            return None
    sites = tuple(site for other in others for site in squares_of(state, other))
    return Violation("CAP-PERMIT-7", sites, FrozenDict[str, Fact](shape=shape, colour=colour, others=tuple(others)))


@check("CAP-PERMIT-8", Group.RULE, PlayPermit)
def begins_with_one_floor(state: State, building: str, square: str) -> Violation | None:
    area = state.board.area_of[square]
    if state.city.districts[area].tallest or parts_of(building)[0] == 1:
        return None
    return Violation("CAP-PERMIT-8", (square,), FrozenDict(area=area))


@check("CAP-PERMIT-9", Group.RULE, PlayPermit)
def is_as_tall_or_one_taller(state: State, building: str, square: str) -> Violation | None:
    area = state.board.area_of[square]
    tallest = state.city.districts[area].tallest
    if not tallest or parts_of(building)[0] - tallest in (0, 1):
        return None
    facts = FrozenDict[str, str | int](area=area, tallest=tallest, taller=tallest + 1)
    return Violation("CAP-PERMIT-9", squares_of(state, area), facts)


def squares_of(state: State, area: str, seat: int | None = None) -> tuple[str, ...]:
    """The squares of an area with a building, or with a building of this seat."""
    buildings, squares = state.city.buildings, state.board.small[area]
    if seat is None:
        return tuple([square for square in squares if square in buildings])
    return tuple([square for square in squares if square in buildings and buildings[square].seat == seat])


def heights_of(state: State, area: str, seat: int) -> list[int]:
    """The heights of the buildings that a seat has in an area."""
    there = [state.city.buildings.get(square) for square in state.board.small[area]]
    return [building.height for building in there if building is not None and building.seat == seat]


def placings(state: State) -> list[tuple[str, str, str]]:
    """The permits, buildings and squares the active player could bring together, at least all that can be legal."""
    completed, held = dict.fromkeys(state.own.completed), families_held(state)
    districts = state.city.districts
    return [
        (colour, building, square)
        for colour, areas in state.board.of_colour.items()
        if colour in held
        for area in areas
        for building in districts[area].fitting
        if building in completed
        for square in districts[area].free
    ]
