"""How the play screen is seen and heard to change: pieces that move, points that fly to their owner, sounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ui.services.settings import Settings, Signal
from ui.table.cues import Cue, cues_of, gains
from ui.view_models.play_view import PieceState, PlayView
from ui.widgets.sounds import play, play_all


class PlayLiveliness:
    """Works on the widgets `ids` of a play screen as the settings want it."""

    def __init__(self, ids: Any, settings: Callable[[], Settings]) -> None:
        self._ids, self._settings = ids, settings

    def begin(self) -> None:
        """Before a view is shown: say whether anything moves."""
        self._ids.board.is_lively = self._settings().motion

    def follow(self, before: PlayView, after: PlayView, *, has_clock: bool) -> None:
        """A view was shown in place of another."""
        settings = self._settings()
        if settings.motion:
            self._fly_points(before, after)
        is_heard = settings.sounds and play_all(cues_of(before, after, has_clock=has_clock))
        if after.is_refusal and after.verdict != before.verdict:
            if settings.signal == Signal.TONE and not settings.sounds:
                is_heard = play(Cue.REFUSED)
            if settings.signal == Signal.FLASH or (settings.signal == Signal.TONE and not is_heard):
                self._ids.flash.begin()

    def _fly_points(self, before: PlayView, after: PlayView) -> None:
        won = gains(before, after)
        if not won:
            return
        ids = self._ids
        latest = [piece.spot for piece in after.pieces if piece.state is PieceState.LATEST]
        start = ids.board.middle_of(latest)
        for panel, player in zip(reversed(ids.players.children), after.players, strict=True):
            if player.seat in won:
                panel.count_up(before_points=player.points - won[player.seat])
                if start is not None:
                    ids.flying.fly(won[player.seat], start, panel.points_centre())
