"""What the table is asked when a phone wishes to sit at a seat."""

from __future__ import annotations

from collections.abc import Callable

from ui.services.text import _
from ui.table.presenter import Presenter
from ui.table.table_questions import TableQuestion

YES, NO = "yes", "no"


def seat_question_name(number: int) -> str:
    """The name of the question about the phone of a number."""
    return f"join {number}"


def seat_question(
    presenter: Presenter, number: int, seat: int, answered: Callable[[str], None], *, is_taken: bool
) -> TableQuestion:
    """The question about the phone of a number; `is_taken` says that another phone would lose the seat."""
    session = presenter.session
    text = _("Phone {number} asks for the seat of {name}. May it sit there?")
    yes = _("Yes")
    if is_taken:
        text = _("Phone {number} asks for the seat of {name}, where another phone sits. May it?")
        yes = _("Yes, in place of the other")
    text = text.format(number=number, name=session.table.players[seat - 1].name)
    if is_taken and session.game.closed_pieces(session.state, seat):
        text += " " + _("What was told there in secret is not shown to it; its owner tells it again.")
    elif not is_taken and presenter.has_boxes:  # nobody loses a seat by a press that meant something else
        text += " " + _("(On this seat's box, while others play: done is yes, no is no.)")
    return TableQuestion(text, ((YES, yes), (NO, _("No"))), answered, seat=None if is_taken else seat)
