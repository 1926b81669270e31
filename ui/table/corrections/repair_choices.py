"""How the record may come to show what lies on the table: changes undone, or the board taken as it lies. No Kivy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.board.layout import EMPTY
from companion.errors import InvalidDocument
from companion.photographs.joining import as_it_lies
from companion.session.session import Session
from companion.wording.sentences import sentence
from companion.wording.texts import GameTexts
from ui.services.text import _
from ui.table.entry_labels import entry_name
from ui.view_models.play_view import ChoiceView

UNDO_TO, AS_IT_LIES = "undo to the table", "as it lies"
REASON = sentence("as it lies on the table")


@dataclass(frozen=True, slots=True)
class Remedies:
    """How many changes would have to be undone, 0 for none, and the correction of the position, or why it cannot be."""

    undone: int = 0
    change: Mapping[str, Any] | None = None
    refusal: str = ""

    @property
    def are_there(self) -> bool:
        """Whether there is any."""
        return bool(self.undone) or self.change is not None


def remedies(session: Session, wanted: Mapping[str, str], seen: Mapping[str, str]) -> Remedies:
    """What makes the record show the `wanted` labels; undone it shows all that is `seen` there, spot by spot."""
    game, state = session.game, session.state
    look = {spot: label for spot, label in (dict(game.appearance(state)) | dict(wanted)).items() if label != EMPTY}
    undone = _undone(session, seen)
    try:
        return Remedies(undone, as_it_lies(game, state, look))
    except InvalidDocument as error:
        return Remedies(undone, refusal=f"{error.entry}: {error.reason}")


def _undone(session: Session, seen: Mapping[str, str]) -> int:
    """After how many undos the record shows what is seen; 0 for never."""
    points = [session.log.start, *(change.point for change in session.log.done[:-1])]
    for count, point in enumerate(reversed(points), 1):
        look = session.game.appearance(point.state)
        if all(look.get(spot, EMPTY) == label for spot, label in seen.items()):
            return count if session.log.done else 0
    return 0


def remedy_choices(found: Remedies, session: Session, texts: GameTexts) -> tuple[ChoiceView, ...]:
    """The remedies to choose from."""
    group = _("The table is right. How did it come about?")
    choices = []
    if found.undone:
        first = session.log.done[-found.undone].entry
        what = entry_name(first, session, texts)
        text = _("Undo from {what} on ({count} in all)").format(what=what, count=found.undone)
        choices.append(ChoiceView(UNDO_TO, text, group))
    if found.change is not None:
        text = _("Take the board as it lies; all that no camera sees stays as recorded")
        choices.append(ChoiceView(AS_IT_LIES, text, group))
    return tuple(choices)


def remedy(session: Session, found: Remedies, key: str) -> str:
    """Do what was chosen; gives a sentence about it, "" where nothing was changed.

    Raises SessionError where it cannot be.
    """
    if key == UNDO_TO and found.undone:
        for _count in range(found.undone):
            session.undo()
        return _("Undone, as on the table.")
    if key == AS_IT_LIES and found.change is not None:
        session.correct(found.change, REASON)
        return _("Recorded as it lies on the table.")
    return ""
