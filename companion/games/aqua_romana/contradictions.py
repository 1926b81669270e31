"""What an Aqua Romana position cannot say at once: steps that are over, claims for nothing, a game after its end."""

from __future__ import annotations

from companion.files.documents import DocumentTable
from companion.games.aqua_romana.state import BLOCKED, CLOSED, OPEN, State


def refuse_contradictions(document: DocumentTable, state: State) -> None:
    """Refuse what the steps of a turn, and those of the game, exclude.

    Raises InvalidDocument.
    """
    _check_step(document, state)
    _check_set_up(document, state)
    _check_aqueducts(document, state)
    _check_claims(document, state)
    _check_end(document, state)


def _check_step(document: DocumentTable, state: State) -> None:
    if (state.step == "place") != bool(state.held[state.active - 1]) and state.step in ("place", "build"):
        raise document.invalid("step", "must be 'place' exactly if the player to move holds reserve builders")
    if (state.step == "claim") != bool(state.claims):
        raise document.invalid("claims", "must name the seats that may take a builder in step 'claim', and only there")
    if (state.step == "fountain") != bool(state.fountain):
        raise document.invalid("fountain", "must name the kind of tile to be laid in step 'fountain', and only there")
    if state.laid and state.step in ("setup", "place", "build"):
        raise document.invalid("laid", f"is true, but the turn's tile is still to come in step {state.step!r}")
    if state.step == "fountain" and not state.laid:
        raise document.invalid("laid", "is false, but only a tile makes a builder pass a fountain")
    if state.step == "build" and not state.builders:
        raise document.invalid("builders", "are missing; somebody must stand on the path")


def _check_set_up(document: DocumentTable, state: State) -> None:
    if state.step != "setup":
        return
    begun = {
        "tiles": len(state.tiles) > len(state.board.printed), "held": any(state.held), "podiums": state.podiums,
        "idle": state.idle,
    }  # fmt: skip
    for key, found in begun.items():
        if found:
            raise document.invalid(key, "belongs to play, but the step is 'setup'")


def _check_aqueducts(document: DocumentTable, state: State) -> None:
    for outlet, aqueduct in state.aqueducts.items():
        goes_on = outlet in state.fronts.values()
        if aqueduct.status == OPEN and not goes_on and state.step not in ("fountain", "close"):
            raise document.invalid(f"aqueducts.{outlet}", f"is open, but it can go no further than {aqueduct.end}")
        if aqueduct.status == BLOCKED and (goes_on or state.step != "close"):
            reason = "is blocked, which a tile makes of an aqueduct at its end until the turn is over, in step 'close'"
            raise document.invalid(f"aqueducts.{outlet}", reason)


def _check_claims(document: DocumentTable, state: State) -> None:
    """A builder is due for an aqueduct that was just counted."""
    for seat in dict.fromkeys(state.claims):
        closed = [each for each in state.aqueducts.values() if each.seat == seat and each.status == CLOSED]
        if state.claims.count(seat) > len(closed):
            reason = f"names seat {seat} more often than it has closed aqueducts ({len(closed)})"
            raise document.invalid("claims", reason)


def _check_end(document: DocumentTable, state: State) -> None:
    for outlet, aqueduct in state.aqueducts.items():
        if state.step == "over" and aqueduct.status != CLOSED:
            reason = f"is {aqueduct.status}, but the game is over, which counts and closes every aqueduct"
            raise document.invalid(f"aqueducts.{outlet}", reason)
    if state.step == "over":
        return
    if all(aqueduct.status == CLOSED for aqueduct in state.aqueducts.values()):
        raise document.invalid("step", f"is {state.step!r}, but every aqueduct is closed; then the game is 'over'")
    if state.idle >= len(state.table.players):
        raise document.invalid("idle", f"is {state.idle}: after a round without a tile the game is 'over'")
