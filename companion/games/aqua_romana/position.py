"""An Aqua Romana position as a document: what it leaves out is as at set-up.

Contradictions are refused (two tiles on one square, five curve builders); whether a game could get there is not asked.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.errors import InvalidNotation
from companion.files.documents import DocumentTable, shown
from companion.frozen import FrozenDict
from companion.games.aqua_romana.actions import parse_tile
from companion.games.aqua_romana.contradictions import refuse_contradictions
from companion.games.aqua_romana.drawings import JOKER, KIND_OF, KINDS
from companion.games.aqua_romana.field import HIGHEST_PODIUM, podium_places
from companion.games.aqua_romana.rules import KINDS_IN
from companion.games.aqua_romana.state import (
    BLOCKED,
    BUILDERS,
    CLOSED,
    OPEN,
    PLACED_AT_START,
    Aqueduct,
    State,
    front_of,
    fronts,
    setup_state,
    tiles_in_box,
    traced,
)  # fmt: skip
from companion.table import Table

KEYS = (
    "to_move", "step", "builders", "unplaced", "reserve", "held", "tiles", "stock", "aqueducts", "podiums", "claims",
    "fountain", "laid", "idle",
)  # fmt: skip
_STATUSES = (OPEN, BLOCKED, CLOSED)
"""of aqueducts while the table waits for somebody; a chosen closing ends the turn and is counted at once"""


def state_document(state: State) -> dict[str, Any]:
    """The whole position as plain values."""
    document: dict[str, Any] = {
        "to_move": state.active,
        "step": state.step,
        "reserve": list(state.reserve),
        "tiles": [f"{cell} {state.tiles[cell]}" for cell in state.board.squares if cell in state.tiles],
        "laid": state.laid,
        "idle": state.idle,
        "builders": {str(space): state.builders[space] for space in sorted(state.builders)},
        "unplaced": dict(state.unplaced),
        "held": {str(seat): list(state.held[seat - 1]) for seat in state.table.seats},
        "stock": dict(state.stock),
        "aqueducts": {outlet: aqueduct.status for outlet, aqueduct in state.aqueducts.items()},
        "podiums": {str(podium): list(state.podiums[podium]) for podium in sorted(state.podiums)},
    }
    if state.claims:
        document["claims"] = list(state.claims)
    if state.fountain:
        document["fountain"] = state.fountain
    return document


def written_state(document: DocumentTable, table: Table) -> State:
    """The position as a document has it.

    Raises InvalidDocument.
    """
    state = setup_state(table)
    state = replace(state, active=document.integer("to_move", 1, len(table.players), state.active))
    state = _read_builders(document, state)
    begun = any(key in document for key in ("builders", "tiles", "aqueducts", "podiums"))
    first = ("place" if state.held[state.active - 1] else "build") if begun else state.step
    state = replace(state, step=document.choice("step", tuple(KINDS_IN), first))
    state = _read_unplaced(document, state)
    state = _read_tiles(document, state)
    state = _read_aqueducts(document, state)
    state = _read_podiums(document, state)
    seats = len(table.players)
    state = replace(
        state,
        claims=document.integers("claims", 1, seats, optional=True, longest=len(BUILDERS) * seats),
        fountain=document.choice("fountain", KINDS) if "fountain" in document else state.fountain,
        laid=document.flag("laid", state.step in ("fountain", "close", "claim")),
        idle=document.integer("idle", 0, seats, state.idle),
    )
    refuse_contradictions(document, state)
    return state


def _read_builders(document: DocumentTable, state: State) -> State:
    path = document.table("builders", optional=True)
    builders: dict[int, str] = {}
    for text in path:
        if text not in map(str, state.board.spaces):
            raise path.invalid(text, f"is no space of the path; they are 1 to {len(state.board.spaces)}")
        builders[int(text)] = path.choice(text, BUILDERS)
    held_table = document.table("held", optional=True)
    held_table.only(*map(str, state.table.seats))
    held = tuple(_kinds(held_table, str(seat)) for seat in state.table.seats)
    out = [*builders.values(), *(kind for own in held for kind in own)]
    reserve = tuple(kind for kind in BUILDERS if out.count(kind) < _in_box(kind))
    if "reserve" in document:
        reserve = tuple(sorted(_kinds(document, "reserve"), key=BUILDERS.index))
        if len(set(reserve)) != len(reserve):
            raise document.invalid("reserve", "holds a builder of one kind twice")
    for kind in BUILDERS:
        if out.count(kind) + reserve.count(kind) > _in_box(kind):
            raise document.invalid("builders", f"with the rest there are more than {_in_box(kind)} of the kind {kind}")
    return replace(state, builders=FrozenDict(builders), held=held, reserve=reserve)


def _in_box(kind: str) -> int:
    return 1 if kind == JOKER else PLACED_AT_START + 1


def _kinds(table: DocumentTable, key: str) -> tuple[str, ...]:
    kinds = table.texts(key, optional=True, longest=len(BUILDERS))
    for index, kind in enumerate(kinds, 1):
        if kind not in BUILDERS:
            raise table.invalid(f"{key}[{index}]", f"{shown(kind)} is no builder; they are {', '.join(BUILDERS)}")
    return kinds


def _read_unplaced(document: DocumentTable, state: State) -> State:
    placed = list(state.builders.values())
    setting_up = state.step == "setup"
    most = {kind: max(0, PLACED_AT_START - placed.count(kind)) if setting_up else 0 for kind in KINDS}
    unplaced = document.counts("unplaced", most, most)
    for kind, left in unplaced.items():
        elsewhere = [*placed, *state.reserve, *(builder for own in state.held for builder in own)].count(kind)
        if elsewhere + left > _in_box(kind):
            reason = (
                f"with the rest there are {elsewhere + left} builders of the kind {kind}; the box holds {_in_box(kind)}"
            )
            raise document.invalid("unplaced", reason)
    if state.step == "setup" and not any(unplaced.values()):
        raise document.invalid("step", "is 'setup', but no builder is left to be placed")
    return replace(state, unplaced=FrozenDict(unplaced))


def _read_tiles(document: DocumentTable, state: State) -> State:
    board = state.board
    tiles: dict[str, str] = dict(board.printed)
    laid = dict.fromkeys(KINDS, 0)
    for index, text in enumerate(document.texts("tiles", optional=True, longest=200), 1):
        entry = f"tiles[{index}]"
        try:
            cell, drawing = parse_tile(text)
        except InvalidNotation as error:
            raise document.invalid(entry, str(error)) from error
        if cell not in board.free:
            raise document.invalid(entry, f"{text!r} does not lie on a square for tiles")
        if cell in tiles:
            raise document.invalid(entry, f"{cell} holds a tile already")
        tiles[cell] = drawing
        laid[KIND_OF[drawing]] += 1
    most = {kind: tiles_in_box(state.table, kind) - laid[kind] for kind in KINDS}
    for kind, left in most.items():
        if left < 0:
            raise document.invalid(
                "tiles", f"there are {laid[kind]} of the kind {kind}; the box holds {laid[kind] + left}"
            )
    return replace(state, tiles=FrozenDict(tiles), stock=FrozenDict(document.counts("stock", most, most)))


def _read_aqueducts(document: DocumentTable, state: State) -> State:
    table = document.table("aqueducts", optional=True)
    table.only(*state.aqueducts)
    ended = {"fountain": OPEN, "close": BLOCKED}.get(state.step, CLOSED)
    found = {}
    for outlet, aqueduct in state.aqueducts.items():
        end, length = traced(state.board, state.tiles, outlet)
        goes_on = state.step != "over" and front_of(state.board, state.tiles, end) is not None
        usual = OPEN if goes_on else ended
        status = table.choice(outlet, _STATUSES, usual)
        found[outlet] = Aqueduct(outlet, aqueduct.colour, aqueduct.seat, end, length, status)
    aqueducts = FrozenDict(found)
    return replace(state, aqueducts=aqueducts, fronts=fronts(state.board, state.tiles, aqueducts))


def _read_podiums(document: DocumentTable, state: State) -> State:
    table = document.table("podiums", optional=True)
    podiums: dict[int, tuple[str, ...]] = {}
    colours = list(dict.fromkeys(aqueduct.colour for aqueduct in state.aqueducts.values()))
    away = [aqueduct.colour for aqueduct in state.aqueducts.values() if aqueduct.status == CLOSED]
    for text in table:
        if text not in map(str, range(HIGHEST_PODIUM + 1)):
            raise table.invalid(text, f"is no podium; they are 1 to {HIGHEST_PODIUM}, and 0 for workers without one")
        there = table.texts(text, longest=len(state.aqueducts))
        if int(text) and len(there) > len(podium_places(int(text))):
            raise table.invalid(text, f"holds {len(there)} workers; there is room for {len(podium_places(int(text)))}")
        for index, colour in enumerate(there, 1):
            if colour not in colours:
                reason = f"{shown(colour)} is no colour here; they are {', '.join(colours)}"
                raise table.invalid(f"{text}[{index}]", reason)
            if colour not in away:
                reason = f"{shown(colour)} has no more workers off the field; its other aqueducts must be closed"
                raise table.invalid(f"{text}[{index}]", reason)
            away.remove(colour)
        if there:
            podiums[int(text)] = there
    return replace(state, podiums=FrozenDict(podiums))
