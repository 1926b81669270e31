"""What a change of the table's view sounds like. No Kivy; each sound also has its picture."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from ui.view_models.play_view import PieceState, PlayView

_LIES = (PieceState.PLACED, PieceState.LATEST)


class Cue(StrEnum):
    """A sound by what it tells; the name of its file."""

    STONE = "stone"
    """a piece was laid"""
    CARD = "card"
    """something was done that no piece on the board shows"""
    COIN = "coin"
    """somebody won points"""
    TURN = "turn"
    """somebody else acts, whose clock runs"""
    AGAIN = "again"
    """an entry was undone"""
    REFUSED = "refused"
    ASK = "ask"
    """the table is asked something"""
    END = "end"


def cues_of(before: PlayView, after: PlayView, *, has_clock: bool) -> tuple[Cue, ...]:
    """The sounds of a change, one after the other; never two that tell the same."""
    if after.is_refusal and after.verdict != before.verdict:
        return (Cue.REFUSED,)
    if _is_over(after) and not _is_over(before):
        return (Cue.END,)
    if _undone(after) - _undone(before):
        return (Cue.AGAIN,)
    if _is_recorded(before, after):
        pieces = _pieces(after).items() - _pieces(before).items()
        done = Cue.STONE if pieces else Cue.CARD
        if gains(before, after):
            return done, Cue.COIN
        return (done, Cue.TURN) if has_clock and after.acting != before.acting else (done,)
    if after.question and after.question != before.question:
        return (Cue.ASK,)
    return ()


def gains(before: PlayView, after: PlayView) -> Mapping[int, int]:
    """Seat -> points won by what was recorded between two views."""
    if not _is_recorded(before, after) or _undone(after) - _undone(before):
        return {}
    had = {player.seat: player.points for player in before.players}
    return {
        player.seat: player.points - had[player.seat]
        for player in after.players
        if player.points > had.get(player.seat, player.points)
    }


def _is_over(view: PlayView) -> bool:
    return view.score is not None and view.score.final


def _is_recorded(before: PlayView, after: PlayView) -> bool:
    """Whether entries have come between two views."""
    return before.state is not None and after.state is not None and after.state > before.state


def _undone(view: PlayView) -> frozenset[int]:
    return frozenset(line.number for line in view.log if line.undone)


def _pieces(view: PlayView) -> dict[str, str]:
    return {piece.spot: piece.label for piece in view.pieces if piece.label and piece.state in _LIES}
