"""The end of a round: cards are drawn, stacks turned over, and the marker goes left."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from companion.events import Event
from companion.games.capitol import events as e
from companion.games.capitol.rulebook import RULES
from companion.games.capitol.state import CARDS_DRAWN, DRAWING, ROUNDS, State

effect = RULES.effect
_PILE = attrgetter("pile")


@effect("CAP-END-2", e.RoundScored)
def end_the_game(state: State, event: e.RoundScored) -> Iterator[Event]:
    if event.round == ROUNDS:
        yield e.GameEnded()


@effect("CAP-DRAW-3", e.RoundScored)
def begin_drawing(state: State, event: e.RoundScored) -> Iterator[Event]:
    if event.round < ROUNDS:
        yield e.DrawingBegan(state.first, draws_of(state, state.first))


def draws_of(state: State, seat: int) -> int:
    """The cards that a seat draws at the end of this round."""
    return CARDS_DRAWN + state.extra[seat - 1]


@effect("CAP-DRAW-4", e.CardPlayed, e.CardRevealed, e.BidDiscarded, e.CardDrawn)
def turn_over_an_empty_stack(state: State, event: Event) -> list[Event]:
    return [e.DeckTurned(name) for name, deck in state.decks.items() if not deck.pile and deck.discard]


@effect("CAP-DRAW-5", e.DrawingBegan, e.CardDrawn)
def lose_draws_without_cards(state: State, event: e.DrawingBegan | e.CardDrawn) -> Iterator[Event]:
    if state.draws and not any(map(_PILE, state.decks.values())):
        yield e.DrawsLost(event.seat, state.draws)


def _has_drawn(state: State, seat: int) -> bool:
    """Whether a seat has just drawn its last card; not once draws that are lost have already passed the turn on."""
    return state.phase == DRAWING and state.active == seat and not state.draws


@RULES.automatic("CAP-DRAW-1", "draw")
def untold_cards_are_drawn(state: State) -> Event | None:
    return e.UntoldCardsDrawn(state.active, state.draws) if state.is_untold and state.draws else None


@effect("CAP-DRAW-6", e.CardDrawn, e.DrawsLost, e.UntoldCardsDrawn)
def next_player_draws(state: State, event: e.CardDrawn | e.DrawsLost | e.UntoldCardsDrawn) -> Iterator[Event]:
    if not _has_drawn(state, event.seat):
        return
    following = state.table.clockwise(event.seat)[1]
    if following != state.first:
        yield e.DrawingBegan(following, draws_of(state, following))


@effect("CAP-DRAW-7", e.CardDrawn, e.DrawsLost, e.UntoldCardsDrawn)
def next_round(state: State, event: e.CardDrawn | e.DrawsLost | e.UntoldCardsDrawn) -> Iterator[Event]:
    if _has_drawn(state, event.seat) and state.table.clockwise(event.seat)[1] == state.first:
        yield e.RoundBegan(state.round + 1, state.table.clockwise(state.first)[1])
