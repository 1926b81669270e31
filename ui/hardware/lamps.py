"""Lamps and tones at the table: whose turn it is, who is late, what is disputed, that the last round has begun."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from firmware_bridge.boxes import Boxes
from firmware_bridge.presses.events import BoxState
from firmware_bridge.protocol.messages import LinkState
from firmware_bridge.serving.seat_states import SeatState
from ui.view_models.play_view import PlayView, VerdictKind

TURN_LED = 1
"""on the box of a seat: lit while the table waits for it, blinking when it has waited long"""
DISPUTED_LED = 2
"""lit while what this seat did, or what lies there in its turn, is refused"""
LAST_ROUND_LED = 4
LAST_ROUND_TONE = (880, 400)
LATE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class _Lamp:
    is_lit: bool
    blinks: bool = False


class Lamps:
    """Lights the boxes of a table; `clock` gives monotonic seconds.

    The lamps of a seat's box are about that seat. On a box that all share, lamp n is the turn of seat n.
    """

    def __init__(self, boxes: Boxes, clock: Callable[[], float], late_seconds: float = LATE_SECONDS) -> None:
        self._boxes, self._clock, self._late_seconds = boxes, clock, late_seconds
        self._since: dict[int, float] = {}
        self._shown: dict[tuple[str, int], _Lamp] = {}
        self._is_last_round = False
        self.have_acted: set[int] = set()
        """the seats that have been to move since the evening began"""

    def came(self, box: BoxState) -> None:
        """A box has come, perhaps another one in place of the first: set all its lamps again."""
        for place in [place for place in self._shown if place[0] == box.box]:
            del self._shown[place]

    def show(self, view: PlayView, *, is_last_round: bool) -> None:
        """Set all lamps for the present state of the table."""
        now = self._clock()
        acting = {player.seat for player in view.players if player.acts}
        self._since = {seat: self._since.get(seat, now) for seat in acting}
        self.have_acted |= acting
        late = {seat for seat, since in self._since.items() if now - since > self._late_seconds}
        disputed = _disputed(view)
        for state in self._boxes.states.values():
            if not state.is_paired:
                continue
            lamps = dict.fromkeys(range(1, max(LAST_ROUND_LED, len(view.players)) + 1), _Lamp(is_lit=False))
            if state.seat is None:
                lamps |= {player.seat: _Lamp(player.acts, player.seat in late) for player in view.players}
            else:
                lamps[TURN_LED] = _Lamp(state.seat in acting, state.seat in late)
                lamps[DISPUTED_LED] = _Lamp(state.seat in disputed)
                lamps[LAST_ROUND_LED] = _Lamp(is_last_round)
            for led, lamp in lamps.items():
                self._set(state.box, led, lamp)
        if is_last_round and not self._is_last_round:
            for state in self._boxes.states.values():
                if state.is_paired and state.state is LinkState.READY:
                    self._boxes.buzz(state.box, *LAST_ROUND_TONE)
        self._is_last_round = is_last_round

    def _set(self, box: str, led: int, lamp: _Lamp) -> None:
        if lamp != self._shown.get((box, led)):
            self._shown[box, led] = lamp
            self._boxes.set_led(box, led, lamp.is_lit)
            self._boxes.blink(box, led, lamp.blinks)


def seat_states(view: PlayView, have_acted: set[int]) -> list[SeatState]:
    """What is published of each seat."""
    disputed = _disputed(view)
    return [
        SeatState(
            player.seat,
            player.colour,
            to_move=player.acts,
            done=player.seat in have_acted and not player.acts,
            disputed=player.seat in disputed,
        )
        for player in view.players
    ]


def _disputed(view: PlayView) -> set[int]:
    if view.verdict is None or view.verdict.kind is not VerdictKind.REFUSED:
        return set()
    return {player.seat for player in view.players if player.acts}
