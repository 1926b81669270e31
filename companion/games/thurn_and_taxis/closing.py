"""What closing a route asks, and what it brings: houses, bonus tiles and carriages, in this order."""

from __future__ import annotations

from collections.abc import Iterator

from companion.events import Event, SupplyRanOut
from companion.frozen import FrozenDict
from companion.games.thurn_and_taxis import events as e
from companion.games.thurn_and_taxis.actions import Close
from companion.games.thurn_and_taxis.geometry import OUTSIDE
from companion.games.thurn_and_taxis.rulebook import RULES
from companion.games.thurn_and_taxis.state import (
    CARTWRIGHT,
    CARTWRIGHT_HELP,
    EACH,
    HOUSE,
    LAST_CARRIAGE,
    LENGTHS,
    OUTSIDE_TILES,
    State,
    has_house,
    next_carriage,
    stack_left,
)  # fmt: skip
from companion.legality import Group, Violation

check, effect = RULES.check, RULES.effect


@check("TT-CLOSE-5", Group.RULE, Close, in_time=True)
def option_places_a_house(state: State, option: str) -> Violation | None:
    holding, province_of = state.turn_holding, state.board.province_of
    if state.ruling("empty_option") == "allowed" or option == EACH or not holding.houses:
        return None
    free = {province_of[city] for city in holding.route if not has_house(state, city, state.active)}
    return None if option in free or not free else Violation("TT-CLOSE-5", facts=FrozenDict(option=option))


@check("TT-CARTWRIGHT-2", Group.RULE, Close, in_time=True)
def cartwright_can_help(state: State, cartwright: bool) -> Violation | None:
    if not cartwright or state.ruling("cartwright_short") == "allowed":
        return None
    holding = state.turn_holding
    length, following = len(holding.route), next_carriage(holding.carriage)
    if following and length + CARTWRIGHT_HELP >= following:
        return None
    return Violation("TT-CARTWRIGHT-2", facts=FrozenDict(length=length), wording="" if following else "last")


@check("TT-CARTWRIGHT-3", Group.RULE, Close, in_time=True)
def cartwright_is_needed(state: State, cartwright: bool) -> Violation | None:
    if not cartwright or state.ruling("cartwright_unneeded") == "allowed":
        return None
    holding = state.turn_holding
    length, following = len(holding.route), next_carriage(holding.carriage)
    if not following or length < following:
        return None
    return Violation("TT-CARTWRIGHT-3", facts=FrozenDict(length=length, carriage=following))


def placeable(state: State) -> dict[str, list[str]]:
    """Province -> the cities of the route in it that can still get a house under the chosen option."""
    found: dict[str, list[str]] = {}
    if state.closing is None or not state.turn_holding.houses:
        return found
    for city in state.turn_holding.route:
        province = state.board.province_of[city]
        if province in state.closing.waiting and not has_house(state, city, state.active):
            found.setdefault(province, []).append(city)
    return found


@RULES.automatic("TT-HOUSE-4", HOUSE)
def place_without_choice(state: State) -> Event | None:
    if state.closing is None:
        return None
    cities, houses = placeable(state), state.turn_holding.houses
    if state.closing.option == EACH:
        single = [found[0] for found in cities.values() if len(found) == 1]
        return e.HousePlaced(state.active, single[0]) if single and houses >= len(cities) else None
    (waiting,) = cities.values() or ([],)
    return e.HousePlaced(state.active, waiting[0]) if waiting and houses >= len(waiting) else None


@RULES.automatic("TT-HOUSE-5", HOUSE)
def end_housing(state: State) -> Event | None:
    if state.closing is None or placeable(state):
        return None
    return e.HousingEnded(state.active, len(state.turn_holding.route))


@effect("TT-SUPPLY-1", e.HousingEnded)
def no_length_tile_is_left(state: State, event: e.HousingEnded) -> Iterator[Event]:
    stacks = [stack for stack in LENGTHS if int(stack) <= event.length]
    if stacks and not any(stack_left(state, stack) for stack in stacks):
        yield SupplyRanOut(event.seat, f"tile {stacks[-1]}", "nothing")


@effect("TT-SUPPLY-1", e.HousingEnded, e.HouseGranted)
def no_province_tile_is_left(state: State, event: e.HousingEnded | e.HouseGranted) -> Iterator[Event]:
    housed = state.closing.housed if state.closing is not None else ()
    new = {event.city} if isinstance(event, e.HouseGranted) else set(housed)
    held = {tile.partition(" ")[0] for tile in state.holding(event.seat).tiles}
    for stack, cities in state.board.group_cities.items():
        complete = all(has_house(state, city, event.seat) for city in cities)
        if complete and new.intersection(cities) and stack not in held and not stack_left(state, stack):
            yield SupplyRanOut(event.seat, f"tile {stack}", "nothing")


@effect("TT-BONUS-1", e.HousingEnded)
def take_the_length_tile(state: State, event: e.HousingEnded) -> Iterator[Event]:
    for length in range(min(event.length, int(LENGTHS[-1])), int(LENGTHS[0]) - 1, -1):
        values = stack_left(state, str(length))
        if values:
            yield e.BonusTaken(event.seat, str(length), values[0])
            return


@effect("TT-BONUS-2", e.HousingEnded, e.HouseGranted)
def take_province_tiles(state: State, event: e.HousingEnded | e.HouseGranted) -> Iterator[Event]:
    for stack, cities in state.board.group_cities.items():
        if all(has_house(state, city, event.seat) for city in cities):
            yield from _bonus(state, event.seat, stack)


@effect("TT-BONUS-3", e.HousingEnded, e.HouseGranted)
def take_the_tile_for_many_provinces(state: State, event: e.HousingEnded | e.HouseGranted) -> Iterator[Event]:
    skipped = OUTSIDE if state.ruling("outside_tile") == "without_baiern" else ""
    needed = (cities for province, cities in state.board.cities_of.items() if province != skipped)
    if all(any(has_house(state, city, event.seat) for city in cities) for cities in needed):
        yield from _bonus(state, event.seat, OUTSIDE_TILES)


def _bonus(state: State, seat: int, stack: str) -> Iterator[Event]:
    values = stack_left(state, stack)
    if values and not any(tile.partition(" ")[0] == stack for tile in state.holding(seat).tiles):
        yield e.BonusTaken(seat, stack, values[0])


@effect("TT-CARRIAGE-1", e.HousingEnded)
def take_the_next_carriage(state: State, event: e.HousingEnded) -> Iterator[Event]:
    following = next_carriage(state.holding(event.seat).carriage)
    helped = state.closing is not None and state.closing.cartwright
    if following and event.length + (CARTWRIGHT_HELP if helped else 0) >= following:
        yield e.CarriageTaken(event.seat, following)


@effect("TT-CARTWRIGHT-1", e.CarriageTaken)
def the_cartwright_has_helped(state: State, event: e.CarriageTaken) -> Iterator[Event]:
    if state.closing is not None and state.closing.cartwright:
        yield e.OfficialUsed(event.seat, CARTWRIGHT)


@effect("TT-END-2", e.CarriageTaken)
def the_last_carriage_ends_the_game(state: State, event: e.CarriageTaken) -> Iterator[Event]:
    if event.carriage == LAST_CARRIAGE and not state.ending:
        yield e.EndTriggered(event.seat)


@effect("TT-END-3", e.HousePlaced, e.HouseGranted)
def the_last_house_ends_the_game(state: State, event: e.HousePlaced | e.HouseGranted) -> Iterator[Event]:
    granted = isinstance(event, e.HouseGranted) and state.ruling("granted_last_house") == "active_player"
    if not state.holding(event.seat).houses and not state.ending:
        yield e.EndTriggered(state.active if granted else event.seat)
