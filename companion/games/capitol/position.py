"""A Capitol position as a document: what it leaves out is as at set-up, stacks and hands what the rest leaves.

Contradictions are refused (two buildings on one square, six round roofs, a card too many); whether a game could get
there is not asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace
from itertools import chain
from typing import Any

from companion.detail import EVERYTHING, RECORDED
from companion.files.documents import DocumentTable, shown
from companion.frozen import FrozenDict
from companion.games.capitol.cards import DEALT, DECK_OF, DECK_SIZE, DECKS, FAMILY_OF, NUMBER_OF, Cards, unknowns
from companion.games.capitol.contradictions import refuse_contradictions
from companion.games.capitol.scoring import SCORING_RULES, cards_earned
from companion.games.capitol.state import (
    AUCTIONS_PER_ROUND,
    CARDS_DRAWN,
    CONSTRUCTION,
    DRAWING,
    FIRST_BUILDINGS,
    FLOORS,
    FOUNTAINS,
    IMPROVEMENT,
    MONUMENTS,
    MONUMENTS_PER_KIND,
    OVER,
    PHASES,
    ROOFS_PER_SHAPE,
    ROUNDS,
    SHAPES,
    Auction,
    Award,
    Building,
    Deck,
    Holding,
    State,
    building_name,
    card_names,
    city,
    in_order,
    parts_of,
    setup_state,
    untold_cards,
)  # fmt: skip
from companion.table import Table

KEYS = (
    "round", "phase", "first", "to_move", "passed", "floors", "decks", "player", "buildings", "fountains", "monuments",
    "auction", "draws", "extra", "awards", "detail",
)  # fmt: skip


def state_document(state: State) -> dict[str, Any]:
    """The whole position as plain values."""
    document: dict[str, Any] = {
        "round": state.round,
        "phase": state.phase,
        "first": state.first,
        "to_move": state.active,
        "passed": list(state.passed),
        "floors": state.floors,
        "decks": {name: {"pile": list(deck.pile), "discard": list(deck.discard)} for name, deck in state.decks.items()},
        "player": {str(seat): _holding_document(state.holding(seat)) for seat in state.table.seats},
        "buildings": [
            f"{square} {building_name(building.height, building.shape)} {building.seat}"
            for square, building in state.city.buildings.items()
        ],
        "fountains": sorted(state.city.fountains),
        "monuments": [f"{square} {kind}" for square, kind in state.city.monuments.items()],
        "extra": list(state.extra),
        "awards": [
            {
                "round": award.round, "rule": award.rule, "area": award.area, "seat": award.seat,
                "points": award.points, "squares": list(award.squares), "floors": award.floors,
                "tallest": award.tallest,
            }
            for award in state.awards
        ],
    }  # fmt: skip
    if state.phase == DRAWING:
        document["draws"] = state.draws
    if state.detail != EVERYTHING:
        document["detail"] = state.detail
    if state.auction is not None:
        auction = state.auction
        document["auction"] = {
            "number": auction.number,
            "ready": list(auction.ready),
            "opened": list(auction.opened),
            "bids": {str(seat): list(bid) for seat, bid in enumerate(auction.bids, 1) if bid},
            "winner": auction.winner,
        }
    return document


def _holding_document(holding: Holding) -> dict[str, Any]:
    return {
        "hand": list(holding.hand),
        "roofs": dict(holding.roofs),
        "unroofed": list(holding.unroofed),
        "completed": list(holding.completed),
        "points": holding.points,
    }


def written_state(document: DocumentTable, table: Table) -> State:
    """The position as a document has it.

    Raises InvalidDocument.
    """
    state = replace(setup_state(table), detail=document.choice("detail", RECORDED, EVERYTHING))
    seats = len(table.players)
    state = _read_board(document, state)
    phase = document.choice("phase", PHASES, state.phase)
    state = replace(
        state,
        round=document.integer("round", 1, ROUNDS, ROUNDS if phase == OVER else state.round),
        phase=phase,
        first=document.integer("first", 1, seats, state.first),
        holdings=_read_holdings(document, state),
    )
    state = replace(state, auction=_read_auction(document, state), floors=_read_floors(document, state))
    state = _read_turn(document, replace(state, awards=_read_awards(document, state)))
    state = _read_decks(document, replace(state, hands_untold=_untold_hands(document, state)))
    try:
        unknown = unknowns(card_names(state.decks, state.holdings, state.auction))
    except ValueError as error:
        raise document.invalid("player", f"{error}; hands, bids and decks name more") from error
    state = replace(state, unknown=unknown)
    if state.is_untold:
        state = replace(state, hands_untold=frozenset(), decks_untold=frozenset(), **untold_cards(state))
    refuse_contradictions(document, state)
    return state


def _read_turn(document: DocumentTable, state: State) -> State:
    seats = len(state.table.players)
    for key, phase in (("passed", CONSTRUCTION), ("draws", DRAWING)):
        if document.values.get(key) and state.phase != phase:
            raise document.invalid(key, f"belongs to the phase {phase}, not to {state.phase}")
    extra = cards_earned(state) if state.phase == DRAWING else state.extra
    extra = document.integers("extra", 0, 8, longest=seats) if "extra" in document else extra
    if len(extra) != seats:
        raise document.invalid("extra", f"must be {seats} numbers, one a seat")
    active = state.first
    if state.auction is not None:
        waiting = (seat for seat in state.table.clockwise(state.first) if seat not in state.auction.opened)
        active = state.auction.winner or next(waiting, state.first)
    active = document.integer("to_move", 1, seats, active)
    passed = _seats(document, "passed", state)
    draws = CARDS_DRAWN + extra[active - 1] if state.phase == DRAWING else state.draws
    draws = document.integer("draws", 0, 14, draws)
    return replace(state, active=active, passed=passed, extra=extra, draws=draws)


def _seats(document: DocumentTable, key: str, state: State) -> tuple[int, ...]:
    seats = document.integers(key, 1, len(state.table.players), optional=True, longest=4)
    if len(set(seats)) != len(seats):
        raise document.invalid(key, "names a seat twice")
    return tuple(sorted(seats))


def _read_board(document: DocumentTable, state: State) -> State:
    board = state.board
    large = board.large_squares
    small = frozenset(square for squares in board.small.values() for square in squares)
    buildings: dict[str, Building] = {}
    for index, text in enumerate(document.texts("buildings", optional=True, longest=200), 1):
        entry, words = f"buildings[{index}]", text.rsplit(" ", 2)
        if len(words) != 3 or words[2] not in map(str, state.table.seats):
            raise document.invalid(entry, f"{shown(text)} must be like 'Palatine/3 2-round 1': square, building, seat")
        building = _building(document, entry, words[1])
        height, shape = parts_of(building)
        square = _free_square(document, entry, words[0], state, buildings, large)
        buildings[square] = Building(int(words[2]), height, shape)
    fountains: list[str] = []
    for index, text in enumerate(document.texts("fountains", optional=True, longest=FOUNTAINS), 1):
        fountains.append(_free_square(document, f"fountains[{index}]", text, state, (*buildings, *fountains), large))
    monuments: dict[str, str] = {}
    for index, text in enumerate(document.texts("monuments", optional=True, longest=4), 1):
        entry, (name, _, kind) = f"monuments[{index}]", text.rpartition(" ")
        if kind not in MONUMENTS:
            raise document.invalid(entry, f"{shown(text)} must be like 'Palatine/L temple'")
        monuments[_free_square(document, entry, name, state, monuments, small)] = kind
        if list(monuments.values()).count(kind) > MONUMENTS_PER_KIND:
            raise document.invalid(entry, f"is one more {kind} than the box holds ({MONUMENTS_PER_KIND})")
    return replace(state, city=city(board, buildings, fountains, monuments))


def _free_square(
    document: DocumentTable, entry: str, name: str, state: State, taken: Iterable[str], other_size: Collection[str]
) -> str:
    square = state.board.square_names.get(name.lower())
    if square is None:
        raise document.invalid(entry, f"{shown(name)} is no square of the board")
    if square in state.board.fountains:
        raise document.invalid(entry, f"{square} has a fountain printed on it")
    if square in other_size:
        size = "large" if square in state.board.large_squares else "small"
        raise document.invalid(entry, f"{square} is a {size} square")
    if square in taken:
        raise document.invalid(entry, f"{square} holds something already")
    return square


def _building(document: DocumentTable, entry: str, text: str) -> str:
    height, _, shape = text.partition("-")
    if shape not in SHAPES or not (height.isascii() and height.isdecimal() and 1 <= int(height[:3]) <= FLOORS):
        raise document.invalid(entry, f"{shown(text)} is no building; one is written like '2-round'")
    return building_name(int(height), shape)


def _read_holdings(document: DocumentTable, state: State) -> tuple[Holding, ...]:
    players = document.table("player", optional=True)
    players.only(*map(str, state.table.seats))
    holdings = []
    for seat in state.table.seats:
        table = players.table(str(seat), optional=True)
        table.only("hand", "roofs", "unroofed", "completed", "points")
        placed = Counter(building_name(b.height, b.shape) for b in state.city.buildings.values() if b.seat == seat)
        completed = in_order((Counter(FIRST_BUILDINGS) - placed).elements())
        if "completed" in table:
            texts = table.texts("completed", longest=10)
            completed = in_order(_building(table, f"completed[{i}]", text) for i, text in enumerate(texts, 1))
        holdings.append(
            Holding(
                hand=_cards(table, "hand", state.holding(seat).hand),
                roofs=_read_roofs(table, (*completed, *placed.elements())),
                unroofed=tuple(sorted(table.integers("unroofed", 1, FLOORS, optional=True, longest=FLOORS))),
                completed=completed,
                points=table.integer("points", 0, 999, state.holding(seat).points),
            )
        )
    return tuple(holdings)


def _untold_hands(document: DocumentTable, state: State) -> frozenset[int]:
    """The seats whose hands are left out when they are no longer as dealt: after the first construction phase, and in
    it where the position says what lies on the stacks.
    """
    if state.round == 1 and state.phase == CONSTRUCTION and not any(document.table("decks", optional=True).values):
        return frozenset()
    players = document.table("player", optional=True)
    return frozenset(seat for seat in state.table.seats if "hand" not in players.table(str(seat), optional=True))


def _read_roofs(table: DocumentTable, buildings: tuple[str, ...]) -> FrozenDict[str, int]:
    used = {shape: sum(parts_of(building)[1] == shape for building in buildings) for shape in SHAPES}
    usual = {shape: max(0, ROOFS_PER_SHAPE - used[shape]) for shape in SHAPES}
    roofs = table.counts("roofs", usual, dict.fromkeys(SHAPES, ROOFS_PER_SHAPE))
    for shape in SHAPES:
        if roofs[shape] + used[shape] != ROOFS_PER_SHAPE:
            elsewhere = f"{used[shape]} cover buildings and {roofs[shape]} are left"
            raise table.invalid("roofs", f"there are {ROOFS_PER_SHAPE} {shape} ones, but {elsewhere}")
    return FrozenDict(roofs)


def _read_floors(document: DocumentTable, state: State) -> int:
    used = sum(building.height for building in state.city.buildings.values())
    for holding in state.holdings:
        used += sum(holding.unroofed) + sum(parts_of(building)[0] for building in holding.completed)
    left = document.integer("floors", 0, FLOORS, max(0, FLOORS - used))
    if left + used != FLOORS:
        raise document.invalid("floors", f"there are {FLOORS} (in buildings: {used}, in the reserve: {left})")
    return left


def _cards(table: DocumentTable, key: str, default: Cards = ()) -> Cards:
    if key not in table:
        return default
    cards = table.texts(key, longest=62)
    for index, card in enumerate(cards, 1):
        if card not in FAMILY_OF:
            raise table.invalid(f"{key}[{index}]", f"{shown(card)} is no card; cards are like floor-5, white or permit")
    return tuple(sorted(cards)) if key == "hand" else cards


def _read_decks(document: DocumentTable, state: State) -> State:
    """The state with its stacks, and with cards of these in the hands that are not told, as many as can be there."""
    tables = document.table("decks", optional=True)
    tables.only(*DECKS)
    untold = sorted(state.hands_untold, key=lambda seat: seat != state.active)
    hands = {seat: () if seat in untold else state.holding(seat).hand for seat in state.table.seats}
    held = Counter(DECK_OF[card] for card in chain(*hands.values(), *(state.auction.bids if state.auction else ())))
    decks, stacks_untold = {}, set()
    for deck in DECKS:
        table = tables.table(deck, optional=True)
        table.only("pile", "discard")
        pile, discard = (_of_deck(table, key, deck) for key in ("pile", "discard"))
        rest = DECK_SIZE[deck] - held[deck] - len(discard)
        if rest < 0 and not discard:
            reason = f"the players hold {held[deck]} {deck} cards with their bids; there are {DECK_SIZE[deck]}"
            raise document.invalid("player", reason)
        if "pile" not in table:
            dealt = min(DEALT[deck] * len(untold), rest - (state.phase == DRAWING or bool(discard)))
            pile = (deck,) * (rest - max(0, dealt))
            if rest and (state.round > 1 or state.phase in (DRAWING, OVER)):
                stacks_untold.add(deck)
        unseen = rest - len(pile)
        if "discard" not in table and unseen > 0 and pile and not untold:
            discard, unseen = (deck,) * unseen, 0
        if unseen < 0 or (unseen and not untold):
            total = held[deck] + len(discard) + len(pile)
            raise table.invalid("pile", f"makes {total} {deck} cards with all the others; there are {DECK_SIZE[deck]}")
        for index, seat in enumerate(untold):
            hands[seat] += (deck,) * len(range(index, unseen, len(untold)))
        decks[deck] = Deck(pile, discard)
    holdings = tuple(replace(state.holding(seat), hand=tuple(sorted(hand))) for seat, hand in hands.items())
    return replace(state, decks=FrozenDict(decks), holdings=holdings, decks_untold=frozenset(stacks_untold))


def _of_deck(table: DocumentTable, key: str, deck: str) -> Cards:
    cards = _cards(table, key)
    if any(DECK_OF[card] != deck for card in cards):
        raise table.invalid(key, f"holds a card that is no {deck} card")
    return cards


def _read_auction(document: DocumentTable, state: State) -> Auction | None:
    if state.phase != IMPROVEMENT:
        if "auction" in document:
            raise document.invalid("auction", f"belongs to the phase {IMPROVEMENT}, not to {state.phase}")
        return None
    table = document.table("auction", optional=True)
    table.only("number", "ready", "opened", "bids", "winner")
    bids_table = table.table("bids", optional=True)
    bids_table.only(*map(str, state.table.seats))
    bids = tuple(_cards(bids_table, str(seat)) for seat in state.table.seats)
    for seat, bid in zip(state.table.seats, bids, strict=True):
        if any(card not in NUMBER_OF for card in bid):
            raise bids_table.invalid(str(seat), "must have the numbers of the cards")
    auction = Auction(
        number=table.integer("number", 1, AUCTIONS_PER_ROUND, 1),
        bids=bids,
        ready=_seats(table, "ready", state),
        opened=_seats(table, "opened", state),
        winner=table.integer("winner", 0, len(state.table.players), 0),
    )
    if not set(auction.opened) <= set(auction.ready):
        raise table.invalid("opened", "names a seat that is not ready")
    if auction.winner and len(auction.opened) != len(bids):
        raise table.invalid("winner", "is known only when everybody has turned over the senator")
    return auction


def _read_awards(document: DocumentTable, state: State) -> tuple[Award, ...]:
    awards = []
    for table in document.tables("awards", optional=True, longest=1000):
        table.only("round", "rule", "area", "seat", "points", "squares", "floors", "tallest")
        squares = table.texts("squares", optional=True, longest=20)
        for index, square in enumerate(squares, 1):
            if square not in state.board.area_of:
                raise table.invalid(f"squares[{index}]", f"{shown(square)} is no square of the board")
        awards.append(
            Award(
                table.integer("round", 1, ROUNDS), table.choice("rule", SCORING_RULES),
                table.choice("area", state.board.areas), table.integer("seat", 1, len(state.table.players)),
                table.integer("points", 0, 99), squares, table.integer("floors", 0, 999, 0),
                table.integer("tallest", 0, 99, 0),
            )
        )  # fmt: skip
    return tuple(awards)
