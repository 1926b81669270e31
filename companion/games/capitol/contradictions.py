"""What a Capitol position cannot say at once: whose turn it is, and steps that would be over already."""

from __future__ import annotations

from companion.files.documents import DocumentTable
from companion.games.capitol.state import (
    CARDS_DRAWN,
    CONSTRUCTION,
    DRAWING,
    FOUNTAINS,
    IMPROVEMENT,
    MONUMENTS,
    MONUMENTS_PER_KIND,
    OVER,
    ROUNDS,
    State,
    prize,
)  # fmt: skip


def refuse_contradictions(document: DocumentTable, state: State) -> None:
    """Refuse what the steps of a round exclude.

    Raises InvalidDocument.
    """
    for deck, cards in state.decks.items():
        if cards.discard and not cards.pile:
            reason = "lies alone: where a stack is used up its discards are turned over at once and are the stack"
            raise document.invalid(f"decks.{deck}.discard", reason)
    _check_tiles(document, state)
    _check_passing(document, state)
    _check_auction(document, state)
    _check_drawing(document, state)
    _check_awards(document, state)


def _check_tiles(document: DocumentTable, state: State) -> None:
    """The tile that is auctioned off now is not on the board already."""
    placed = len(state.city.fountains), FOUNTAINS, "fountains"
    won = prize(state)
    if won in MONUMENTS:
        placed = list(state.city.monuments.values()).count(won), MONUMENTS_PER_KIND, "monuments"
    if won and placed[0] == placed[1]:
        raise document.invalid(
            placed[2], f"all {placed[1]} are on the board, but the auction is about another one ({won})"
        )


def _check_passing(document: DocumentTable, state: State) -> None:
    if state.phase != CONSTRUCTION:
        return
    if len(state.passed) == len(state.holdings):
        raise document.invalid("passed", f"names everybody; then the phase is {IMPROVEMENT}")
    if state.active in state.passed:
        raise document.invalid("to_move", f"is {state.active}, who has passed already")


def _check_auction(document: DocumentTable, state: State) -> None:
    auction = state.auction
    if auction is None:
        return
    everybody = len(state.holdings)
    if len(auction.opened) == everybody and not auction.winner:
        raise document.invalid("auction.winner", "is missing: everybody has turned over the senator")
    left = [seat for seat in state.table.clockwise(state.first) if seat not in auction.opened]
    active = auction.winner or left[0]
    if state.active != active:
        raise document.invalid("to_move", f"is {state.active}, but it is {active} whose move it is in the auction")
    opening = left[:1] if len(auction.ready) == everybody else []
    for seat, bid in enumerate(auction.bids, 1):
        if bid and (auction.winner or seat not in (*auction.opened, *opening)):
            reason = "are back by now: the auction is decided" if auction.winner else "lie face down still"
            raise document.invalid(f"auction.bids.{seat}", f"shows cards that {reason}")


def _check_awards(document: DocumentTable, state: State) -> None:
    """Points are scored after the auctions of a round."""
    scored = state.round if state.phase in (DRAWING, OVER) else state.round - 1
    for index, award in enumerate(state.awards, 1):
        if award.round > scored:
            reason = f"is {award.round}, which is not scored yet in the phase {state.phase} of round {state.round}"
            raise document.invalid(f"awards[{index}].round", reason)
        for square in award.squares:
            if state.board.area_of[square] != award.area:
                raise document.invalid(f"awards[{index}].squares", f"names {square}, which is not in {award.area}")


def _check_drawing(document: DocumentTable, state: State) -> None:
    if state.phase == OVER and state.round != ROUNDS:
        raise document.invalid("round", f"is {state.round}, but the game is over, which it is after round {ROUNDS}")
    if state.phase in (CONSTRUCTION, IMPROVEMENT) and any(state.extra):
        raise document.invalid("extra", f"counts what the round earned for the phase {DRAWING}, not for {state.phase}")
    if state.phase != DRAWING:
        return
    most = CARDS_DRAWN + state.extra[state.active - 1]
    if not 1 <= state.draws <= most:
        raise document.invalid("draws", f"is {state.draws}; player {state.active} has from 1 to {most} left to draw")
    if not any(deck.pile for deck in state.decks.values()):
        raise document.invalid("phase", f"cannot be {DRAWING}: no card is left to be drawn")
