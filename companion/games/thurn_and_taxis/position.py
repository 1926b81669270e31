"""A Thurn and Taxis position as a document: what it leaves out is as at set-up, the deck is what the rest leaves.

Contradictions are refused (a fourth card of a city, a broken route, a house too many); whether a game could get there
is not asked.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

from companion.detail import EVERYTHING, RECORDED
from companion.files.documents import DocumentTable, shown
from companion.frozen import FrozenDict
from companion.games.thurn_and_taxis.geometry import CARRIAGES, PROVINCES, ROME
from companion.games.thurn_and_taxis.spelling import in_one_spelling
from companion.games.thurn_and_taxis.state import (
    ADMINISTRATOR,
    BEGIN,
    CARD,
    CARRIAGE_POINTS,
    CARTWRIGHT,
    CHIPS,
    COPIES,
    CUT,
    DISPLAY,
    EACH,
    GRANT,
    HAND_LIMIT,
    HOUSE,
    HOUSES,
    LAST_CARRIAGE,
    LENGTHS,
    MOVE,
    OFFICE_TILES,
    OFFICIALS,
    OVER,
    RANKS,
    STAGES,
    TAKE,
    TILE_VALUES,
    UNSEEN,
    Audience,
    Cards,
    Closing,
    Holding,
    Offices,
    State,
    cards_left,
    has_house,
    seen_cards,
    setup_state,
)  # fmt: skip
from companion.table import Table
from companion.wording.spelling import spellings, with_nearest

KEYS = (
    "to_move", "stage", "owed", "taken", "official", "display", "deck", "discards", "player", "houses", "closing",
    "ending", "audience", "offices", "detail",
)  # fmt: skip


def state_document(state: State) -> dict[str, Any]:
    """The whole position as plain values."""
    document: dict[str, Any] = {
        "to_move": state.active,
        "stage": state.stage,
        "owed": state.owed,
        "taken": state.taken,
        "official": state.official,
        "display": list(state.display),
        "deck": state.deck,
        "discards": list(state.discards),
        "ending": state.ending,
        "player": {str(seat): _holding_document(state, seat) for seat in state.table.seats},
        "houses": {city: list(seats) for city, seats in sorted(state.houses.items())},
    }
    if state.closing is not None:
        closing = state.closing
        document["closing"] = {
            "option": closing.option, "cartwright": closing.cartwright, "waiting": list(closing.waiting),
            "housed": list(closing.housed), "unused": list(closing.unused),
        }  # fmt: skip
    if state.audience is not None:
        audience = state.audience
        document["audience"] = {
            "carriages": dict(audience.carriages),
            "told": {carriage: list(ranks) for carriage, ranks in audience.told.items()},
            "rome": {rank: list(seats) for rank, seats in audience.rome.items()},
            "telling": audience.telling,
        }
    if state.offices is not None:
        document["offices"] = {"returning": list(state.offices.returning), "owed": state.offices.owed}
    if state.detail != EVERYTHING:
        document["detail"] = state.detail
    return document


def _holding_document(state: State, seat: int) -> dict[str, Any]:
    holding = state.holding(seat)
    document: dict[str, Any] = {
        "hand": list(holding.hand),
        "route": list(holding.route),
        "houses": holding.houses,
        "carriage": holding.carriage,
        "tiles": list(holding.tiles),
    }
    if state.offices is not None:
        document |= {"offices": dict(holding.offices), "chips": holding.chips}
    return document


def written_state(document: DocumentTable, table: Table) -> State:
    """The position as a document has it.

    Raises InvalidDocument.
    """
    state = replace(setup_state(table), detail=document.choice("detail", RECORDED, EVERYTHING))
    document = in_one_spelling(document, {**spellings(PROVINCES), **state.board.names, **state.rome.names})
    state = replace(state, houses=_read_houses(document, state))
    state = replace(state, holdings=_read_holdings(document, state))
    state = _with_untold_cards(document, _read_cards(document, state))
    state = replace(state, audience=_read_audience(document, state))
    return _read_turn(document, replace(state, offices=_read_offices(document, state)))


def _with_untold_cards(document: DocumentTable, state: State) -> State:
    """The state with unseen cards for the display, the hands and the discards that a position after set-up leaves out.

    Where it gives the number of cards in the deck, these are the others of which it does not say where they lie.
    """
    if not any(key in document for key in KEYS):
        return state
    unseen, display, discards = state.deck, state.display, state.discards
    told = document.integer("deck", 0, 66) if "deck" in document else None
    if told is not None:
        unseen -= told
    if "display" not in document:
        display = (UNSEEN,) * min(DISPLAY, unseen)
        unseen -= len(display)
    lie_elsewhere = told is not None and unseen > 0
    holdings, untold = list(state.holdings), _hands_left_out(document, state, lie_elsewhere) if unseen else []
    stage, active = document.choice("stage", STAGES, TAKE), document.integer("to_move", 1, len(holdings), 1)
    for seat in sorted(untold, key=lambda seat: seat != active):
        hand = (UNSEEN,) * min(unseen, HAND_LIMIT + 1 if stage == CUT and seat == active else HAND_LIMIT)
        unseen -= len(hand)
        holdings[seat - 1] = replace(holdings[seat - 1], hand=hand)
    if told is not None and "discards" not in document:
        discards, unseen = (UNSEEN,) * unseen, 0
    if told is not None and unseen:
        if not untold:
            raise document.invalid("deck", f"must be {told + unseen}, the cards that lie nowhere else")
        longest = active if active in untold else untold[0]
        held = holdings[longest - 1]
        holdings[longest - 1] = replace(held, hand=(*held.hand, *(UNSEEN,) * unseen))
    return replace(
        state, deck=unseen if told is None else told, display=display, discards=discards, holdings=tuple(holdings),
        hands_untold=frozenset(untold),
    )  # fmt: skip


def _hands_left_out(document: DocumentTable, state: State, lie_elsewhere: bool) -> list[int]:
    """The seats whose hands are left out once cards have been taken, as the rest of the position shows, or since unseen
    cards lie neither in the deck nor in the display.
    """
    stage, players = document.choice("stage", STAGES, TAKE), document.table("player", optional=True)
    to_move = document.integer("to_move", 1, len(state.holdings), 1)
    begun = stage != TAKE or document.flag("taken", False) or state.discards or to_move != 1
    begun = begun or any(
        own.hand or own.route or own.carriage or own.tiles or own.houses < HOUSES for own in state.holdings
    )
    if not lie_elsewhere and (not begun or stage == OVER):
        return []
    begins_empty = document.integer("owed", 0, 2, 0) == 2  # only who begins a turn without a card owes two
    empty = {to_move} if begins_empty else set()
    return [
        seat
        for seat in state.table.seats
        if seat not in empty and "hand" not in players.table(str(seat), optional=True)
    ]


def _cities(document: DocumentTable, key: str, state: State, *, unseen: bool = False, longest: int = 66) -> Cards:
    names = document.texts(key, optional=True, longest=longest)
    for index, name in enumerate(names, 1):
        if name not in state.board.roads and not (unseen and name == UNSEEN):
            reason = with_nearest(f"{shown(name)} is no city of the board", name, state.board.roads)
            raise document.invalid(f"{key}[{index}]", reason)
    return names


def _seats(document: DocumentTable, key: str, state: State) -> tuple[int, ...]:
    seats = document.integers(key, 1, len(state.table.players), optional=True, longest=4)
    if len(set(seats)) != len(seats):
        raise document.invalid(key, "names a seat twice")
    return seats


def _read_houses(document: DocumentTable, state: State) -> FrozenDict[str, tuple[int, ...]]:
    houses = document.table("houses", optional=True)
    houses.only(*state.board.cities)
    placed = {city: tuple(sorted(_seats(houses, city, state))) for city in houses}
    return FrozenDict({city: seats for city, seats in placed.items() if seats})


def _read_holdings(document: DocumentTable, state: State) -> tuple[Holding, ...]:
    players = document.table("player", optional=True)
    players.only(*map(str, state.table.seats))
    holdings = []
    offices = () if state.offices is None else ("offices", "chips")
    for seat in state.table.seats:
        table = players.table(str(seat), optional=True)
        table.only("hand", "route", "houses", "carriage", "tiles", *offices)
        placed = sum(has_house(state, city, seat) for city in state.houses)
        houses = table.integer("houses", 0, HOUSES, max(0, HOUSES - placed))
        by_number = document.text("stage", "") == OVER and not placed  # a number is enough to score
        if houses + placed != HOUSES and not by_number:
            reason = f"there are {HOUSES} (on the board: {placed}, left: {houses})"
            raise table.invalid("houses", f"{reason}; only at the stage {OVER!r} the cities need not be named")
        carriage = table.integer("carriage", 0, max(CARRIAGE_POINTS), 0)
        if carriage not in CARRIAGE_POINTS:
            raise table.invalid("carriage", f"is {carriage}; there are {', '.join(map(str, CARRIAGE_POINTS))}")
        held = table.table("offices", optional=True)
        held.only(*OFFICIALS)
        holdings.append(
            Holding(
                hand=tuple(sorted(_cities(table, "hand", state, unseen=True))),
                route=_read_route(table, state),
                houses=houses,
                carriage=carriage,
                tiles=_read_tiles(table),
                offices=FrozenDict({kind: held.integer(kind, 0, 8, 0) for kind in OFFICIALS}),
                chips=table.integer("chips", 0, 999, 0),
            )
        )
    tiles = Counter(tile for holding in holdings for tile in holding.tiles)
    for stack, values in TILE_VALUES.items():
        count = sum(number for tile, number in tiles.items() if tile.partition(" ")[0] == stack)
        if any(tiles[f"{stack} {value}"] != 1 for value in values[:count]) or count > len(values):
            raise document.invalid("player", f"tiles of the stack {stack!r} must be taken from the top, each once")
    return tuple(holdings)


def _read_route(table: DocumentTable, state: State) -> Cards:
    route = _cities(table, "route", state)
    for index, (first, second) in enumerate(pairwise(route), 2):
        if second not in state.board.roads[first] or second in route[: index - 1]:
            raise table.invalid(f"route[{index}]", f"{second} does not go on from {first}")
    return route


def _read_tiles(table: DocumentTable) -> tuple[str, ...]:
    tiles = table.texts("tiles", optional=True, longest=30)
    for index, tile in enumerate(tiles, 1):
        stack, _, value = tile.partition(" ")
        if value not in map(str, TILE_VALUES.get(stack, ())):
            raise table.invalid(f"tiles[{index}]", f"{shown(tile)} is no bonus tile; one is written like 'Baden 3'")
        if stack not in LENGTHS and any(other.partition(" ")[0] == stack for other in tiles[: index - 1]):
            raise table.invalid(f"tiles[{index}]", f"is a second tile of {stack}; a player gets one")
    return tiles


def _read_cards(document: DocumentTable, state: State) -> State:
    display = tuple(sorted(_cities(document, "display", state, unseen=True, longest=DISPLAY)))
    discards = tuple(sorted(_cities(document, "discards", state, unseen=True)))
    seen = seen_cards(display, discards, state.holdings)
    left = cards_left(state.board.cities, seen)
    for city, copies in left.items():
        if copies < 0:
            raise document.invalid(
                "player", f"hands, routes, display and discards name {COPIES - copies} cards {city}; there are {COPIES}"
            )
    rest = sum(left.values()) - seen[UNSEEN]
    if rest < 0 or document.integer("deck", 0, 66, rest) > rest:
        raise document.invalid("deck", f"must be {max(0, rest)}, the cards that lie nowhere else")
    return replace(state, display=display, discards=discards, deck=rest, left=left)


def _read_audience(document: DocumentTable, state: State) -> Audience | None:
    if state.audience is None:
        if "audience" in document:
            raise document.invalid("audience", "is not played at this table; see modules")
        return None
    table = document.table("audience", optional=True)
    table.only("carriages", "told", "rome", "telling")
    carriages, told, rome = (table.table(key, optional=True) for key in ("carriages", "told", "rome"))
    carriages.only(*CARRIAGES)
    told.only(*CARRIAGES)
    rome.only(*RANKS)
    places = {
        carriage: carriages.choice(carriage, state.rome.cities, state.audience.carriages[carriage])
        for carriage in CARRIAGES
    }
    telling = table.choice("telling", ("", *CARRIAGES), state.audience.telling)
    seats = len(state.table.players)
    ranks: dict[str, tuple[str, ...]] = {}
    for carriage in told:
        ranks[carriage] = told.texts(carriage, longest=seats)
        if places[carriage] != ROME or (len(ranks[carriage]) != seats and carriage != telling):
            raise told.invalid(carriage, f"must name {seats} tiles of a carriage in Rome")
        for rank in ranks[carriage]:
            if rank not in RANKS:
                raise told.invalid(carriage, f"{shown(rank)} is no rank; they are {', '.join(RANKS)}")
    for seat in state.table.seats:
        own = [each[seat - 1] for each in ranks.values() if len(each) >= seat]
        if len(set(own)) != len(own):
            raise table.invalid("told", f"gives seat {seat} a rank twice")
    if telling and (places[telling] != ROME or len(ranks.get(telling, ())) >= seats):
        raise table.invalid("telling", f"{telling} must be in Rome with tiles still to be turned over")
    waiting = {rank: tuple(sorted(_seats(rome, rank, state))) for rank in RANKS}
    over = document.text("stage", "") == OVER  # then it no longer matters which carriage brought a tile
    for rank, there in waiting.items():
        for seat in there:
            if not over and not any(each[seat - 1 : seat] == (rank,) for each in ranks.values()):
                raise rome.invalid(rank, f"names seat {seat}, whose {rank} has not been told on any carriage")
    return Audience(
        FrozenDict(places),
        FrozenDict({name: each for name, each in ranks.items() if each}),
        FrozenDict(waiting),
        telling,
    )


def _read_offices(document: DocumentTable, state: State) -> Offices | None:
    if state.offices is None:
        if "offices" in document:
            raise document.invalid("offices", "are not played at this table; see modules")
        return None
    table = document.table("offices", optional=True)
    table.only("returning", "owed")
    stock = {}
    for kind, total in zip(OFFICIALS, OFFICE_TILES[len(state.table.players)], strict=True):
        stock[kind] = total - sum(holding.offices[kind] for holding in state.holdings)
        if stock[kind] < 0:
            raise document.invalid("player", f"the players hold more {kind} tiles than the {total} of this table")
    owed = table.choice("owed", ("", CARD, GRANT), state.offices.owed)
    returning = table.integers("returning", 1, len(state.table.players), optional=True, longest=5)
    queue = returning[1:] if owed else returning
    if len(set(queue)) != len(queue):
        raise table.invalid("returning", "names a seat twice")
    out = sum(holding.chips for holding in state.holdings)
    if out > CHIPS and state.ruling("chips") == "twelve":
        raise document.invalid("player", f"the players hold {out} victory point chips; the box has {CHIPS}")
    if owed and not returning:
        raise table.invalid("owed", "needs a seat that is returning tiles")
    for index, seat in enumerate(returning):
        if not any(state.holding(seat).offices.values()) and not (owed and index == 0):
            raise table.invalid("returning", f"names seat {seat}, which has no office tile")
    if owed == GRANT:
        seat = returning[0]
        if not state.holding(seat).houses or all(has_house(state, city, seat) for city in state.board.cities):
            raise table.invalid("owed", "is a house, but none can be placed")
    if owed == CARD and not (state.display or state.deck or state.discards):
        raise table.invalid("owed", "is a card, but none is left")
    return Offices(FrozenDict(stock), returning, owed)


def _read_turn(document: DocumentTable, state: State) -> State:
    stage = document.choice("stage", STAGES, state.stage)
    done = [seat for seat, own in enumerate(state.holdings, 1) if own.carriage == LAST_CARRIAGE or not own.houses]
    state = replace(
        state,
        active=document.integer("to_move", 1, len(state.table.players), state.active),
        stage=stage,
        taken=document.flag("taken", stage != TAKE),
        official=document.choice("official", ("", *OFFICIALS), state.official),
        ending=document.integer("ending", 0, len(state.table.players), done[0] if done else state.ending),
    )
    if done and not state.ending and stage != OVER:
        what = "the last carriage" if state.holding(done[0]).carriage == LAST_CARRIAGE else "no house left"
        raise document.invalid("ending", f"is 0, but player {done[0]} has {what}: somebody has the game-end tile")
    if state.official not in ("", ADMINISTRATOR) and stage == TAKE:
        raise document.invalid("official", f"is {state.official}, who does not help before a card is taken")
    owed = 0 if stage != TAKE else 2 if not state.turn_holding.hand and not state.taken else 1
    owed = document.integer("owed", 0, 2, owed)
    if (stage == TAKE) != (owed > 0) and stage != OVER:
        reason = "cards are taken only at the stage" if owed else "a card is still to be taken at the stage"
        raise document.invalid("owed", f"is {owed}, but {reason} {TAKE!r}")
    if stage == BEGIN and (state.turn_holding.route or not state.turn_holding.hand):
        what = "has a route" if state.turn_holding.route else "has no card to begin a route with"
        raise document.invalid("stage", f"is {BEGIN!r}, but player {state.active} {what}")
    if stage == CUT and len(state.turn_holding.hand) <= HAND_LIMIT:
        held = len(state.turn_holding.hand)
        raise document.invalid(
            "stage", f"is {CUT!r}, but player {state.active} need not discard any of the {held} cards in hand"
        )
    if owed > 1 and (state.taken or state.turn_holding.hand):
        raise document.invalid("owed", "is 2, but two cards are owed only to a player who begins a turn without any")
    return replace(state, owed=owed, closing=_read_closing(document, state))


def _read_closing(document: DocumentTable, state: State) -> Closing | None:
    if state.stage not in (HOUSE, MOVE):
        if "closing" in document:
            raise document.invalid("closing", f"belongs to the stages {HOUSE} and {MOVE}, not to {state.stage}")
        return None
    table = document.table("closing")
    table.only("option", "cartwright", "waiting", "housed", "unused")
    route, province_of = state.turn_holding.route, state.board.province_of
    touched = tuple(dict.fromkeys(province_of[city] for city in route))
    option = table.choice("option", (EACH, *PROVINCES), EACH)
    housed, unused = (_cities(table, key, state) for key in ("housed", "unused"))
    for key, cities in (("housed", housed), ("unused", unused)):
        if not set(cities) <= set(route) or len(set(cities)) != len(cities):
            raise table.invalid(key, "must name cities of the route, each once")
    if not all(has_house(state, city, state.active) for city in housed):
        raise table.invalid("housed", "names a city without house")
    if set(housed) & set(unused):
        raise table.invalid("unused", "names a city that got a house; its card moves no carriage")
    if unused and (state.audience is None or state.stage != MOVE):
        raise table.invalid("unused", f"belongs to The Audience, at the stage {MOVE}")
    default = touched if option == EACH else (option,)
    default = () if state.stage == MOVE else default
    waiting = table.texts("waiting", longest=9) if "waiting" in table else default
    if not set(waiting) <= set(touched) or (option != EACH and waiting not in ((), (option,))):
        raise table.invalid("waiting", "must name provinces of the route that the option allows")
    if waiting and state.stage == MOVE:
        raise table.invalid("waiting", f"names provinces, but at the stage {MOVE} the houses are placed")
    cartwright = table.flag("cartwright", False)
    if cartwright and state.official not in ("", CARTWRIGHT):
        raise table.invalid("cartwright", f"is true, but the {state.official} was the one official of this turn")
    return Closing(option, cartwright, waiting, housed, unused)
