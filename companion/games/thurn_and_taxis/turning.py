"""What happens by itself between the choices: shuffling, skipped phases, the end of turns and of the game."""

from __future__ import annotations

from collections.abc import Iterator

from companion.events import Event
from companion.games.thurn_and_taxis import events as e
from companion.games.thurn_and_taxis.rulebook import RULES
from companion.games.thurn_and_taxis.state import DISPLAY, LAST, MOVE, OVER, PLAY, TAKE, State

effect = RULES.effect


@RULES.automatic("TT-SHOW-4")
def shuffle_the_discards(state: State) -> Event | None:
    if state.deck or not state.discards or len(state.display) >= DISPLAY or state.stage == OVER:
        return None
    return e.DeckShuffled(len(state.discards))


@RULES.automatic("TT-TAKE-4", TAKE)
def nothing_can_be_taken(state: State) -> Event | None:
    return None if state.display or state.deck or state.discards else e.TakingSkipped(state.active)


@RULES.automatic("TT-PLAY-2", PLAY)
def nothing_can_be_played(state: State) -> Event | None:
    return None if state.turn_holding.hand else e.PlayingSkipped(state.active)


@RULES.automatic("TT-CLOSE-4", MOVE)
def discard_the_closed_route(state: State) -> Event | None:
    return None if state.closing is None or state.closing.unused else e.RouteDiscarded(state.active)


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
