"""What a change of an earlier entry does to what follows: tried on a copy of the record, then asked. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass

from companion.engine import judge
from companion.errors import CompanionError
from companion.session.entries import Rejudged
from companion.session.session import Session
from companion.wording.texts import GameTexts
from ui.services.text import _, plural
from ui.table.corrections.amending import AMEND, INSERT, KEEP, TAKE_OUT, Mending, mend
from ui.table.entry_labels import present_name
from ui.table.verdict_panel import sentences_of
from ui.view_models.play_view import ChoiceView, Reason, VerdictKind, VerdictView

SURELY = "change it surely"
MOST_TOLD = 3
"""entries that do not hold any more, named with their reasons"""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A change that was chosen and is to be confirmed: the question, its answers, and what the change breaks."""

    mending: Mending
    key: str
    choices: tuple[ChoiceView, ...]
    told: VerdictView


def weighed(session: Session, mending: Mending, key: str, texts: GameTexts) -> Weighed | None:
    """What is to be asked before a change: of an entry taken out always, of any other where it breaks something.

    None where nothing is to be asked. Raises CompanionError where the change cannot be.
    """
    trial = Session(session.log)
    unsettled = mend(trial, mending, key).unsettled
    if key != TAKE_OUT and not unsettled:
        return None
    name = present_name(mending.number, session, texts)
    if key == TAKE_OUT:
        question, yes = _("Take out {entry}?").format(entry=name), _("Yes, take it out")
    else:
        notation = key.removeprefix(INSERT if mending.inserts else AMEND)
        action = session.game.parse_action(notation, session.log.before(mending.number).state)
        asked = _("Insert before {entry}: {action}?") if mending.inserts else _("Replace {entry} by: {action}?")
        question = asked.format(entry=name, action=texts.action(action))
        yes = _("Yes, insert it") if mending.inserts else _("Yes, replace it")
    follows = any(move.number > mending.number for move in session.moves)
    holds = _("What follows holds as before.") if follows else _("Nothing follows it.")
    headline = f"{_told(unsettled) if unsettled else holds} {_('It can be undone.')}"
    sentences = tuple(_reason(session, trial, each, texts) for each in unsettled[:MOST_TOLD])
    choices = (ChoiceView(SURELY, yes, question), ChoiceView(KEEP, _("Keep it"), question))
    return Weighed(mending, key, choices, VerdictView(VerdictKind.NOTE, headline, sentences))


def changed_note(key: str, number: int, unsettled: tuple[Rejudged, ...]) -> str:
    """What was changed, what it broke, and that it can be undone."""
    told = [_("Entry {number} taken out.").format(number=number) if key == TAKE_OUT else _("Corrected.")]
    if unsettled:
        told.append(_told(unsettled))
    if unsettled or key == TAKE_OUT:
        told.append(_("It can be undone."))
    return " ".join(told)


def _told(unsettled: tuple[Rejudged, ...]) -> str:
    numbers = ", ".join(str(each.number) for each in unsettled)
    return plural(
        "Entry {numbers} does not hold any more.", "Entries {numbers} do not hold any more.", len(unsettled)
    ).format(numbers=numbers)


def _reason(session: Session, trial: Session, rejudged: Rejudged, texts: GameTexts) -> Reason:
    """An entry that does not hold any more with the first reason, and the source of its rule."""
    game = session.game
    entry = next(move.entry for move in session.moves if move.number == rejudged.number)
    name = present_name(rejudged.number, session, texts)
    no_more = _("{entry}: it cannot have happened any more.").format(entry=name)
    try:
        state = trial.log.before(rejudged.number).state
        verdict = judge(game, state, game.parse_action(entry.action or "", state), entry.seat)
    except CompanionError:
        return no_more, None
    reasons = sentences_of(game.rulebook, texts, verdict, session.table.rulings)
    return (f"{name}: {reasons[0][0]}", reasons[0][1]) if reasons else (no_more, None)
