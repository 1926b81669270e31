"""What a City of Marble position cannot say at once: more pieces than the box holds, steps that exclude one another."""

from __future__ import annotations

from companion.files.documents import DocumentTable
from companion.frozen import FrozenDict
from companion.games.city_of_marble.effects import wards_of
from companion.games.city_of_marble.state import (
    BUILDINGS,
    BUILDINGS_PER_KIND,
    COINS,
    CUBES,
    FOUNTAIN,
    FOUNTAINS,
    IMPERIUM_PER_KIND,
    WARDS_IN_BOX,
    State,
)  # fmt: skip


def wards_elsewhere(state: State) -> FrozenDict[str, int]:
    """The wards of each colour that lie on the board or before a player."""
    laid = [ward.colour for ward in state.wards.values()]
    return FrozenDict(
        {
            colour: laid.count(colour) + sum(own.atrium[colour] + own.domus[colour] for own in state.holdings)
            for colour in WARDS_IN_BOX
        }
    )


def refuse_contradictions(document: DocumentTable, state: State) -> None:
    """Refuse what pieces or pending steps contradict.

    Raises InvalidDocument.
    """
    _check_wards(document, state)
    _check_supply(document, state)
    _check_pending(document, state)
    _check_starting(document, state)
    _check_sending(document, state)
    _check_collecting(document, state)


def _check_wards(document: DocumentTable, state: State) -> None:
    for colour, elsewhere in wards_elsewhere(state).items():
        if elsewhere + state.stacks[colour] > WARDS_IN_BOX[colour]:
            entry = "stacks" if elsewhere <= WARDS_IN_BOX[colour] else "player"
            reason = f"with the rest there are {elsewhere + state.stacks[colour]} {colour} wards"
            raise document.invalid(entry, f"{reason}; the box holds {WARDS_IN_BOX[colour]}")
    bridges = sum(holding.bridges for holding in state.holdings)
    if bridges > len(state.board.bridges):
        raise document.invalid(
            "player", f"the players hold {bridges} bridge tiles; the board has {len(state.board.bridges)}"
        )


def _check_supply(document: DocumentTable, state: State) -> None:
    """Refuse more pieces than the box holds, unless the ruling allows substitutes for them."""
    if state.ruling("supply") != "strict":
        return
    sites = list(state.sites.values())
    counts = [("fountains", "fountains", sum(site.kind == FOUNTAIN for site in sites), FOUNTAINS)]
    counts += [
        ("buildings", f"{kind} buildings", sum(site.kind == kind for site in sites), BUILDINGS_PER_KIND)
        for kind in BUILDINGS
    ]
    counts += [
        ("buildings", f"cubes of player {seat}", sum(site.seat == seat for site in sites), CUBES)
        for seat in state.table.seats
    ]
    counts += [("player", "coins", sum(holding.coins for holding in state.holdings), COINS)]
    counts += [
        (
            "player",
            f"Imperium tiles ({kind})",
            sum(holding.imperium[kind] for holding in state.holdings),
            IMPERIUM_PER_KIND,
        )
        for kind in BUILDINGS
    ]
    for entry, what, count, most in counts:
        if count > most:
            raise document.invalid(entry, f"there are {count} {what}; the box holds {most}")


def _pending(state: State) -> list[str]:
    steps = {
        "sending": state.sending, "laying": state.laying, "starting": state.starting, "closing": state.closing,
        "collecting": state.collecting,
    }  # fmt: skip
    return [name for name, pending in steps.items() if pending]


def _check_pending(document: DocumentTable, state: State) -> None:
    for name in _pending(state):
        if state.stage != "play":
            raise document.invalid(name, f"belongs to the stage 'play', not to {state.stage!r}")
    if state.sending is not None and state.laying is not None:
        raise document.invalid(
            "sending", "cannot be unfinished together with laying: pieces are laid to the last first"
        )


def _check_starting(document: DocumentTable, state: State) -> None:
    if state.laying is not None and state.laying.colour and state.laying.colour not in state.lines:
        raise document.invalid("laying.colour", f"is {state.laying.colour}, an aqueduct without any piece yet")
    colours: list[str] = []
    for index, start in enumerate(state.starting, 1):
        entry = f"starting[{index}]"
        if start.colour in state.lines or start.colour in colours:
            raise document.invalid(f"{entry}.colour", f"is {start.colour}, an aqueduct that is started already")
        if start.ward and state.board.sources[start.colour] not in state.board.corners[start.ward]:
            raise document.invalid(f"{entry}.ward", f"{start.ward} does not touch the {start.colour} source")
        colours.append(start.colour)


def _check_sending(document: DocumentTable, state: State) -> None:
    sending = state.sending
    if sending is None:
        return
    site = state.sites.get(sending.vertex)
    if site is None:
        raise document.invalid("sending.site", f"{sending.vertex} holds neither building nor fountain")
    space = "treasury" if site.kind == FOUNTAIN else site.kind
    if sending.space != space:
        reason = f"is {sending.space}; the {site.kind} at {sending.vertex} opens {space}"
        raise document.invalid("sending.space", reason)
    present = {state.wards[ward].magistrate for ward in wards_of(state, sending.vertex)}
    for seat in sending.seats:
        if seat not in present:
            raise document.invalid("sending.seats", f"names seat {seat}, which has no magistrate at {sending.vertex}")
    if sending.seats != tuple(seat for seat in state.table.clockwise(state.active) if seat in sending.seats):
        raise document.invalid("sending.seats", f"must go clockwise from player {state.active}")


def _check_collecting(document: DocumentTable, state: State) -> None:
    if not state.collecting:
        return
    if state.ruling("collecting") != "optional":
        raise document.invalid("collecting", "is true, but by the ruling 'collecting' everything is collected at once")
    if state.actions:
        raise document.invalid("collecting", f"is true with {state.actions} actions left; collecting comes after them")
    if len(_pending(state)) > 1:
        raise document.invalid("collecting", f"is true, but {_pending(state)[0]} is unfinished")
