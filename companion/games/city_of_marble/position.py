"""A City of Marble position as a document: what it leaves out is as at set-up.

Contradictions are refused (two wards on one triangle, four magistrates); whether a game could get there is not asked.
The stacks hold no more than the rest leaves of the box.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.detail import EVERYTHING, RECORDED
from companion.files.documents import DocumentTable
from companion.frozen import FrozenDict
from companion.games.city_of_marble.contradictions import refuse_contradictions, wards_elsewhere
from companion.games.city_of_marble.geometry import AQUEDUCTS, COLOURS, SPACES
from companion.games.city_of_marble.rules import revealing_seat
from companion.games.city_of_marble.state import (
    BUILDINGS,
    FOUNTAIN,
    HILL,
    MAGISTRATES,
    NO_COLOURS,
    PIECES_PER_AQUEDUCT,
    UNTOLD,
    WARDS_IN_BOX,
    Holding,
    Laying,
    Sending,
    Site,
    State,
    Ward,
    frontier,
    pieces_of,
    setup_state,
    started,
    told_less,
)  # fmt: skip
from companion.table import Table

KEYS = (
    "to_move", "actions", "wards", "buildings", "fountains", "aqueducts", "stacks", "envoys", "player", "laying",
    "starting", "closing", "sending", "final_turns", "stage", "watered", "collecting",
    "detail",
)  # fmt: skip


def state_document(state: State) -> dict[str, Any]:
    """The whole position as plain values."""
    document: dict[str, Any] = {
        "to_move": state.active,
        "actions": state.actions,
        "stage": state.stage,
        "wards": [
            f"{name} {ward.colour}" + (f" {ward.magistrate}" if ward.magistrate else "")
            for name, ward in state.wards.items()
        ],
        "buildings": [f"{vertex} {site.kind} {site.seat}" for vertex, site in state.sites.items() if site.seat],
        "fountains": [vertex for vertex, site in state.sites.items() if not site.seat],
        "aqueducts": {colour: list(pieces_of(state, colour)) for colour in started(state)},
        "stacks": dict(state.stacks),
        "envoys": {space: list(seats) for space, seats in state.envoys.items()},
        "player": {str(seat): _holding_document(state.holding(seat)) for seat in state.table.seats},
    }
    if state.laying is not None:
        document["laying"] = _laying_document(state.laying)
    if state.starting:
        document["starting"] = [_laying_document(start) for start in state.starting]
    if state.closing:
        document["closing"] = list(state.closing)
    if state.sending is not None:
        sending = state.sending
        document["sending"] = {"site": sending.vertex, "space": sending.space, "seats": list(sending.seats)}
    if state.final is not None:
        document["final_turns"] = state.final
    if state.watered:
        document["watered"] = sorted(state.watered)
    if state.collecting:
        document["collecting"] = True
    if state.detail != EVERYTHING:
        document["detail"] = state.detail
    return document


def _laying_document(laying: Laying) -> dict[str, Any]:
    document: dict[str, Any] = {"left": laying.left}
    if laying.colour:
        document["colour"] = laying.colour
    if laying.ward:
        document["ward"] = laying.ward
    return document


def _holding_document(holding: Holding) -> dict[str, Any]:
    return {
        "atrium": dict(holding.atrium),
        "domus": dict(holding.domus),
        "magistrates": holding.magistrates,
        "imperium": dict(holding.imperium),
        "coins": holding.coins,
        "bridges": holding.bridges,
        "values": list(holding.values),
    }


def written_state(document: DocumentTable, table: Table) -> State:
    """The position as a document has it.

    Raises InvalidDocument.
    """
    state = setup_state(table)
    if document.choice("detail", RECORDED, EVERYTHING) != EVERYTHING:
        state = told_less(state)
    state = _read_wards(document, state)
    state = _read_sites(document, state)
    state = _read_aqueducts(document, state)
    seats = len(table.players)
    envoys_table = document.table("envoys", optional=True)
    envoys_table.only(*SPACES)
    envoys = {space: tuple(sorted(envoys_table.integers(space, 1, seats, longest=12))) for space in envoys_table}
    state = replace(
        state,
        envoys=FrozenDict({space: there for space, there in envoys.items() if there}),
        active=document.integer("to_move", 1, seats, state.active),
        actions=document.integer("actions", 0, 50, 1 if "final_turns" in document else state.actions),
        stage=document.choice("stage", ("play", "reveal", "over"), state.stage),
        final=document.integer("final_turns", 0, seats) if "final_turns" in document else state.final,
        closing=tuple(_vertices(document, "closing", state)),
        watered=frozenset(_vertices(document, "watered", state)),
        collecting=document.flag("collecting", state.collecting),
    )
    if state.final == 0 and state.stage == "play":
        raise document.invalid("final_turns", "is 0, but the running turn counts too: the stage is not 'play'")
    state = replace(state, holdings=_read_holdings(document, state))
    state = replace(state, stacks=_read_stacks(document, state))
    if "laying" in document:
        state = replace(state, laying=_read_laying(document.table("laying"), state))
    starting = tuple(_read_laying(table, state) for table in document.tables("starting", optional=True, longest=3))
    for start in starting:
        if not start.colour:
            raise document.invalid("starting", "needs the colour of the aqueduct")
    state = replace(state, starting=starting, sending=_read_sending(document, state))
    refuse_contradictions(document, state)
    if state.stage == "over" and revealing_seat(state):
        untold = f"the bridge values of player {revealing_seat(state)} are still to be told"
        raise document.invalid("stage", f"is 'over', but {untold}: it is 'reveal'")
    return state


def _read_wards(document: DocumentTable, state: State) -> State:
    wards: dict[str, Ward] = {}
    covered: dict[str, str] = dict(state.covered)
    colours = dict.fromkeys(COLOURS, 0)
    for index, text in enumerate(document.texts("wards", optional=True, longest=200), 1):
        entry, words = f"wards[{index}]", text.split()
        if len(words) not in (2, 3) or words[1] not in COLOURS:
            raise document.invalid(
                entry, f"{text!r} must be like 'G7-H7 red' or, with player 1's magistrate, 'G7-H7 red 1'"
            )
        ward = state.table.board.lattice.canonical(words[0])
        if ward is None or ward not in state.board.triangles:
            raise document.invalid(entry, f"{words[0]!r} is no ward inside the grid")
        seat = _seat(document, entry, words[2], state) if len(words) == 3 else 0
        for triangle in state.board.triangles[ward]:
            if triangle in covered:
                what = "a hill" if covered[triangle] == HILL else f"ward {covered[triangle]}"
                raise document.invalid(entry, f"{ward} covers {triangle}, where {what} lies")
            covered[triangle] = ward
        wards[ward] = Ward(words[1], seat)
        colours[words[1]] += 1
        if colours[words[1]] > WARDS_IN_BOX[words[1]]:
            raise document.invalid(entry, f"is one more {words[1]} ward than the box holds ({WARDS_IN_BOX[words[1]]})")
    laid = FrozenDict(covered)
    free = frontier(state.board, laid, corner_contact=state.ruling("hill_contact") == "corner")
    return replace(state, wards=FrozenDict(wards), covered=laid, frontier=free)


def _seat(document: DocumentTable, entry: str, text: str, state: State) -> int:
    if text not in map(str, state.table.seats):
        raise document.invalid(entry, f"{text!r} is no seat; they are 1 to {len(state.table.players)}")
    return int(text)


def _read_sites(document: DocumentTable, state: State) -> State:
    sites: dict[str, Site] = {}

    def put(entry: str, text: str, site: Site) -> None:
        vertex = state.table.board.lattice.canonical(text)
        if vertex is None or vertex not in state.board.around:
            raise document.invalid(entry, f"{text!r} is no vertex with six triangles around it")
        if vertex in sites:
            raise document.invalid(entry, f"{vertex} holds something already")
        sites[vertex] = site

    for index, text in enumerate(document.texts("buildings", optional=True, longest=200), 1):
        entry, words = f"buildings[{index}]", text.split()
        if len(words) != 3 or words[1] not in BUILDINGS:
            raise document.invalid(entry, f"{text!r} must be like 'G7 temple 1': vertex, kind, owner's seat")
        put(entry, words[0], Site(words[1], _seat(document, entry, words[2], state)))
    for index, text in enumerate(document.texts("fountains", optional=True, longest=200), 1):
        put(f"fountains[{index}]", text, Site(FOUNTAIN))
    return replace(state, sites=FrozenDict(sites))


def _read_aqueducts(document: DocumentTable, state: State) -> State:
    table = document.table("aqueducts", optional=True)
    table.only(*AQUEDUCTS)
    lines: dict[str, tuple[str, ...]] = {}
    used: dict[str, str] = {}
    for colour in AQUEDUCTS:
        if colour not in table:
            continue
        end = state.board.sources[colour]
        path = [end]
        for index, text in enumerate(table.texts(colour, longest=PIECES_PER_AQUEDUCT), 1):
            edge = state.table.board.lattice.canonical(text)
            if edge is None or edge not in state.board.ends:
                raise table.invalid(f"{colour}[{index}]", f"{text!r} is no edge of the grid")
            if end not in state.board.ends[edge]:
                raise table.invalid(
                    f"{colour}[{index}]", f"{edge} does not go on from {end}; pieces run from the source"
                )
            end = state.board.other_end(edge, end)
            if end in path:
                raise table.invalid(f"{colour}[{index}]", f"{edge} closes a loop at {end}")
            path.append(end)
        for vertex in path[1:] and path:
            if vertex in used:
                raise table.invalid(colour, f"touches the {used[vertex]} aqueduct at {vertex}")
            used[vertex] = colour
        if len(path) > 1:
            lines[colour] = tuple(path)
    return replace(state, lines=FrozenDict(lines))


def _vertices(document: DocumentTable, key: str, state: State) -> list[str]:
    found = []
    for index, text in enumerate(document.texts(key, optional=True, longest=200), 1):
        vertex = state.table.board.lattice.canonical(text)
        if vertex is None or vertex not in state.board.around:
            raise document.invalid(f"{key}[{index}]", f"{text!r} is no vertex with six triangles around it")
        if key == "closing" and not all(triangle in state.covered for triangle in state.board.around[vertex]):
            raise document.invalid(f"{key}[{index}]", f"{vertex} is not closed: a triangle around it is free")
        if vertex in found:
            raise document.invalid(f"{key}[{index}]", f"names {vertex} again")
        if key == "watered" and state.sites.get(vertex) != Site(FOUNTAIN):
            raise document.invalid(f"{key}[{index}]", f"{vertex} holds no fountain")
        if key == "closing" and vertex in state.sites:
            raise document.invalid(f"{key}[{index}]", f"{vertex} is completed: it holds something already")
        found.append(vertex)
    return found


def _counts(
    document: DocumentTable, key: str, default: FrozenDict[str, int], most: FrozenDict[str, int]
) -> FrozenDict[str, int]:
    return FrozenDict(document.counts(key, default, most))


def _wards(document: DocumentTable, key: str, default: FrozenDict[str, int]) -> FrozenDict[str, int]:
    """Wards by their colours, and, where it says so, such whose colours are not told."""
    if UNTOLD in document.table(key, optional=True) and UNTOLD not in default:
        default = NO_COLOURS.put(UNTOLD, 0)
    return _counts(document, key, default, WARDS_IN_BOX.put(UNTOLD, sum(WARDS_IN_BOX.values())))


def _read_stacks(document: DocumentTable, state: State) -> FrozenDict[str, int]:
    elsewhere = wards_elsewhere(state)
    rest = {colour: WARDS_IN_BOX[colour] - out for colour, out in elsewhere.items()}
    if state.stacks_untold:
        held = sum(own.atrium.get(UNTOLD, 0) + own.domus.get(UNTOLD, 0) for own in state.holdings)
        return _wards(document, "stacks", NO_COLOURS.put(UNTOLD, max(0, sum(rest.values()) - held)))
    most = {colour: max(0, min(left, rest[colour])) for colour, left in state.stacks.items()}
    return _wards(document, "stacks", FrozenDict(most))


def _read_holdings(document: DocumentTable, state: State) -> tuple[Holding, ...]:
    players = document.table("player", optional=True)
    players.only(*map(str, state.table.seats))
    laid = [ward.colour for ward in state.wards.values()]
    seats = len(state.table.seats)
    usual = FrozenDict({colour: int(laid.count(colour) + seats <= box) for colour, box in WARDS_IN_BOX.items()})
    if state.is_untold:
        usual = state.holding(1).atrium
    holdings = []
    for seat in state.table.seats:
        table, before = players.table(str(seat), optional=True), state.holding(seat)
        table.only("atrium", "domus", "magistrates", "imperium", "coins", "bridges", "values")
        out = sum(ward.magistrate == seat for ward in state.wards.values())
        out += sum(there.count(seat) for there in state.envoys.values())
        home = table.integer("magistrates", 0, MAGISTRATES, max(0, before.magistrates - out))
        if home + out != MAGISTRATES:
            raise table.invalid(
                "magistrates", f"player {seat} has {MAGISTRATES} (on the board: {out}, at home: {home})"
            )
        bridges = table.integer("bridges", 0, 8, before.bridges)
        values = tuple(sorted(table.integers("values", 1, 4, optional=True, longest=8)))
        if values and len(values) != bridges:
            raise table.invalid("values", f"values {len(values)} bridge tiles, but player {seat} holds {bridges}")
        holdings.append(
            Holding(
                atrium=_wards(table, "atrium", usual),
                domus=_wards(table, "domus", before.domus),
                magistrates=home,
                imperium=_counts(table, "imperium", before.imperium, FrozenDict(dict.fromkeys(BUILDINGS, 48))),
                coins=table.integer("coins", 0, 99, before.coins),
                bridges=bridges,
                values=values,
            )
        )
    return tuple(holdings)


def _read_laying(table: DocumentTable, state: State) -> Laying:
    table.only("colour", "left", "ward")
    colour = table.choice("colour", AQUEDUCTS) if "colour" in table else ""
    ward = table.text("ward", "", longest=20)
    if ward and ward not in state.wards:
        raise table.invalid("ward", f"{ward!r} is no ward on the board")
    return Laying(colour, table.integer("left", 1, 3), ward)


def _read_sending(document: DocumentTable, state: State) -> Sending | None:
    if "sending" not in document:
        return None
    table = document.table("sending")
    table.only("site", "space", "seats")
    vertex = state.table.board.lattice.canonical(table.text("site", longest=20))
    if vertex is None or vertex not in state.board.around:
        raise table.invalid("site", "is no vertex with six triangles around it")
    seats = table.integers("seats", 1, len(state.table.players), longest=4)
    if not seats or len(set(seats)) != len(seats):
        raise table.invalid("seats", "must name each seat that may still send, once")
    return Sending(vertex, table.choice("space", SPACES), seats)
