"""Where the play screen asks which is right, table or record: it takes the rail, for nothing else goes on meanwhile."""

from __future__ import annotations

from typing import Any

from ui.table.corrections.amending import SEVERAL
from ui.view_models.play_view import ChoiceView, PlayView


def choices_elsewhere(view: PlayView) -> tuple[ChoiceView, ...]:
    """The choices without those that pictures in the rail stand for."""
    if len(view.differences) < SEVERAL:
        return view.choices
    shown = {key for each in view.differences for key in (each.table, each.record)}
    return tuple(choice for choice in view.choices if choice.key not in shown)


def show_differences(ids: Any, view: PlayView) -> bool:
    """Show the pictures of what differs, with nothing else in the rail; whether they are there."""
    found, shown = view.differences, ids.differences
    shown.opacity, shown.disabled = int(bool(found)), not found
    shown.height = shown.wanted_height(len(found), ids.side.height - 2 * ids.side.spacing) if found else 0
    shown.show(found, view.pieces, ids.board.shown, ids.board.sharpest)
    return bool(found)
