"""Where a permit lets a building stand: colours, free squares, roof shapes and heights of the nine areas."""

from __future__ import annotations

from companion.frozen import FrozenDict
from companion.games.capitol.actions import Place, Play
from companion.games.capitol.cards import FAMILY_OF, PERMIT
from companion.games.capitol.rulebook import RULES
from companion.games.capitol.state import State, parts_of
from companion.legality import Group, Violation

check = RULES.check


@check("CAP-PERMIT-2", Group.PLACE, Play)
def tells_the_colour_of_a_permit(state: State, card: str) -> Violation | None:
    return Violation("CAP-PERMIT-2") if card == PERMIT else None


@check("CAP-PERMIT-3", Group.PLACE, Place)
def has_the_colour_of_the_permit(state: State, square: str) -> Violation | None:
    area = state.board.area_of[square]
    colour, permit = state.board.colour[area], FAMILY_OF.get(state.card, "")
    if colour == permit:
        return None
    return Violation("CAP-PERMIT-3", (square,), FrozenDict(area=area, colour=colour, permit=permit))


@check("CAP-PERMIT-4", Group.PLACE, Place)
def is_a_small_square(state: State, square: str) -> Violation | None:
    large = state.board.large[state.board.area_of[square]] == square
    return Violation("CAP-PERMIT-4", (square,)) if large else None


@check("CAP-PERMIT-5", Group.PLACE, Place)
def holds_no_building(state: State, square: str) -> Violation | None:
    return Violation("CAP-PERMIT-5", (square,)) if square in state.buildings else None


@check("CAP-PERMIT-6", Group.PLACE, Place)
def holds_no_fountain(state: State, square: str) -> Violation | None:
    fountain = square in state.fountains or square in state.board.fountains
    return Violation("CAP-PERMIT-6", (square,)) if fountain else None


@check("CAP-PERMIT-7", Group.SUPPLY, Place)
def is_an_own_completed_building(state: State, building: str) -> Violation | None:
    own = state.own.completed
    if building in own:
        return None
    return Violation("CAP-PERMIT-7", facts=FrozenDict(building=building, completed=", ".join(own) or "none"))


@check("CAP-PERMIT-8", Group.RULE, Place)
def has_the_roof_shape_of_the_area(state: State, building: str, square: str) -> Violation | None:
    area = state.board.area_of[square]
    shape = state.skyline.shapes.get(area)
    if shape is None or shape == parts_of(building)[1]:
        return None
    return Violation("CAP-PERMIT-8", squares_of(state, area), FrozenDict(area=area, shape=shape))


@check("CAP-PERMIT-9", Group.RULE, Place)
def leaves_both_shapes_to_the_colour(state: State, building: str, square: str) -> Violation | None:
    area, shapes = state.board.area_of[square], state.skyline.shapes
    if area in shapes:
        return None
    shape, colour = parts_of(building)[1], state.board.colour[area]
    others = [other for other in state.board.of_colour[colour] if other != area]
    if any(shapes.get(other) != shape for other in others):
        return None
    sites = tuple(site for other in others for site in squares_of(state, other))
    return Violation("CAP-PERMIT-9", sites, FrozenDict(shape=shape, colour=colour, others=" and ".join(others)))


@check("CAP-PERMIT-10", Group.RULE, Place)
def begins_with_one_floor(state: State, building: str, square: str) -> Violation | None:
    area = state.board.area_of[square]
    if area in state.skyline.tallest or parts_of(building)[0] == 1:
        return None
    return Violation("CAP-PERMIT-10", (square,), FrozenDict(area=area))


@check("CAP-PERMIT-11", Group.RULE, Place)
def is_as_tall_or_one_taller(state: State, building: str, square: str) -> Violation | None:
    area = state.board.area_of[square]
    tallest = state.skyline.tallest.get(area)
    if tallest is None or parts_of(building)[0] - tallest in (0, 1):
        return None
    facts = FrozenDict[str, str | int](area=area, tallest=tallest, taller=tallest + 1)
    return Violation("CAP-PERMIT-11", squares_of(state, area), facts)


def squares_of(state: State, area: str, seat: int | None = None) -> tuple[str, ...]:
    """The squares of an area with a building, or with a building of this seat."""
    return tuple(
        square
        for square in state.board.small[area]
        if (building := state.buildings.get(square)) is not None and seat in (None, building.seat)
    )


def free_squares(state: State, area: str) -> tuple[str, ...]:
    """The small squares of an area that hold neither a building nor a fountain."""
    return tuple(
        square
        for square in state.board.buildable[area]
        if square not in state.buildings and square not in state.fountains
    )


def fitting(state: State, colour: str) -> list[tuple[str, str]]:
    """The active player's completed buildings with the areas of a colour into which they may go."""
    pairs: list[tuple[str, str]] = []
    for area in state.board.of_colour.get(colour, ()):
        free = free_squares(state, area)
        pairs += [
            (building, area)
            for building in dict.fromkeys(state.own.completed if free else ())
            if has_the_roof_shape_of_the_area(state, building, free[0]) is None
            and leaves_both_shapes_to_the_colour(state, building, free[0]) is None
            and begins_with_one_floor(state, building, free[0]) is None
            and is_as_tall_or_one_taller(state, building, free[0]) is None
        ]
    return pairs
