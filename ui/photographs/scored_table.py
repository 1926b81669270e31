"""The presenter of a score from a photograph: a finished table for the score screen. No Kivy."""

from __future__ import annotations

from dataclasses import replace

from companion.board.layout import Board
from companion.position import Position
from companion.session.intents import Intent, IntentResult
from ui.services.text import _, translated_texts
from ui.table.offering import Offer
from ui.table.score_sheet import compose_score
from ui.view_models.play_view import PieceState, PieceView, PlayerView, PlayView


class ScoredPhotograph:
    """Shows one position with its score sheet; touches change nothing.

    If the board `was_empty`, a note says so first; without a line of points no winner is named.
    """

    def __init__(self, position: Position, *, was_empty: bool = False) -> None:
        game, state = position.game, position.state
        table = state.table
        self.board: Board = table.board
        score = compose_score(game, state, translated_texts(game.info.id))
        if was_empty:
            score = replace(
                score,
                heading=_("Nothing was found on the board"),
                notes=score.notes if score.lines else (),
                decided=score.decided and bool(score.lines),
            )
        totals = {seat: points for seat, _name, points, _rank in score.ranking}
        self._view = PlayView(
            title=game.info.title,
            prompt="",
            eyes="",
            players=tuple(
                PlayerView(seat, player.name, player.colour, totals[seat], acts=False)
                for seat, player in enumerate(table.players, 1)
            ),
            pieces=tuple(
                PieceView(spot, label, PieceState.PLACED)
                for spot, label in game.appearance(state).items()
                if spot in self.board.spots
            ),
            log=(),
            buttons=(),
            choices=(),
            verdict=None,
            undo="",
            redo="",
            devices=(),
            score=score,
        )

    def view(self) -> PlayView:
        """What to show: always the same."""
        return self._view

    @property
    def played(self) -> None:
        """Nobody plays here."""
        return None

    def on_intent(self, intent: Intent) -> IntentResult:
        """Nobody plays here."""
        return IntentResult.REFUSED

    def on_offer(self, offer: Offer | None) -> None:
        """There are no boxes here."""

    def on_choice(self, key: str) -> None:
        """There is nothing to choose."""

    def on_site(self, site: str) -> None:
        """The board is only to be looked at."""

    def on_score_line(self, index: int) -> None:
        """The score screen marks the pieces itself."""
