"""What happens by itself between the choices: shuffling, skipped phases, the end of turns and of the game."""

from __future__ import annotations

from collections.abc import Iterator

from companion.events import Event
from companion.games.thurn_and_taxis import events as e
from companion.games.thurn_and_taxis.rulebook import RULES
from companion.games.thurn_and_taxis.state import (
    CUT,
    DISPLAY,
    END,
    HAND_LIMIT,
    LAST,
    MOVE,
    OVER,
    PLAY,
    POSTMASTER,
    TAKE,
    State,
)

effect = RULES.effect


@RULES.automatic("TT-SHOW-4")
def shuffle_the_discards(state: State) -> Event | None:
    if state.deck or not state.discards or len(state.display) >= DISPLAY or state.stage == OVER:
        return None
    return e.DeckShuffled(len(state.discards))


@RULES.automatic("TT-SHOW-1", "show")
def untold_cards_fill_the_display(state: State) -> Event | None:
    return e.DisplayFilled(min(DISPLAY - len(state.display), state.deck)) if state.is_untold else None


@RULES.automatic("TT-TAKE-4", TAKE)
def nothing_can_be_taken(state: State) -> Event | None:
    return None if state.display or state.deck or state.discards else e.TakingSkipped(state.active)


@RULES.automatic("TT-TAKE-1", TAKE)
def untold_card_is_taken(state: State) -> Event | None:
    if not state.is_untold:
        return None
    return e.UntoldCardTaken(state.active, state.taken and not state.are_officials_untold)


@effect("TT-POSTMASTER-1", e.UntoldCardTaken)
def the_postmaster_has_helped(state: State, event: e.UntoldCardTaken) -> Iterator[Event]:
    if event.second:
        yield e.OfficialUsed(event.seat, POSTMASTER)


@RULES.automatic("TT-HAND-1", CUT)
def untold_cards_are_discarded(state: State) -> Event | None:
    held = len(state.turn_holding.hand)
    return e.UntoldHandCut(state.active, held - HAND_LIMIT) if state.is_untold else None


@RULES.automatic("TT-PLAY-2", PLAY)
def nothing_can_be_played(state: State) -> Event | None:
    return None if state.turn_holding.hand or state.are_officials_untold else e.PlayingSkipped(state.active)


@RULES.automatic("TT-CLOSE-4", MOVE)
def discard_the_closed_route(state: State) -> Event | None:
    return None if state.closing is None or state.closing.unused else e.RouteDiscarded(state.active)


@RULES.automatic("TT-TURN-2", END)
def turn_ends_once_a_route_is_closed(state: State) -> Event | None:
    return e.TurnEnded(state.active) if state.is_untold else None


@effect("TT-TURN-3", e.TurnEnded)
def next_player(state: State, event: e.TurnEnded) -> Iterator[Event]:
    if event.seat < len(state.table.players) or not state.ending:
        yield e.TurnBegan(state.table.clockwise(event.seat)[1])


@effect("TT-END-4", e.TurnEnded)
def finish_the_round(state: State, event: e.TurnEnded) -> Iterator[Event]:
    if event.seat == len(state.table.players) and state.ending:
        yield e.RoundFinished()


@effect("TT-POSTMASTER-1", e.TurnBegan)
def postmaster_is_forced(state: State, event: e.TurnBegan) -> Iterator[Event]:
    if not state.holding(event.seat).hand:
        yield e.PostmasterForced(event.seat)


@RULES.automatic("TT-END-5", LAST)
def end_the_game(state: State) -> Event | None:
    return e.GameEnded()
