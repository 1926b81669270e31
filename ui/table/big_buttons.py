"""The four big buttons of a table, the same as on a box: named for what they would do now. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.session.session import Session
from companion.session.tracker import Tracker
from companion.session.tracking import Finding
from companion.wording.texts import GameTexts
from ui.services.text import _
from ui.table.legal_choices import LegalChoices
from ui.view_models.play_view import ButtonView, ChoiceView


def compose_buttons(
    session: Session,
    texts: GameTexts,
    tracker: Tracker,
    offers: LegalChoices,
    *,
    watched: bool,
    refused: bool,
    is_asked: bool,
    has_boxes: bool = False,
) -> tuple[ButtonView, ...]:
    """The four big buttons, named for what they would do.

    *done* stands out where nothing else can be done, or where it records something or makes the camera look; where it
    would give up what may still be done, or do nothing, the way to what may be done stands out.
    """
    actors = session.actors
    closing = session.game.closing_action(session.state, actors[0]) if actors else None
    proposed = tracker.proposal.candidate is not None or tracker.proposal.takes_back
    records = proposed or offers.suggested is not None
    info = session.game.info
    ends_turn = info.turn_end is not None and isinstance(closing, info.turn_end)
    seldom = info.seldom_before_end if ends_turn else ()
    others = any(action != closing and not isinstance(action, seldom) for action in offers.legal)
    if records and _ends_with_record(session, tracker):
        done = _("Done: record it, end the turn") if has_boxes else _("Record it, end the turn")
    elif records:
        done = _("Done: record it") if has_boxes else _("Record it")
    elif closing is not None:
        done = _("Done: {what}").format(what=texts.action(closing)) if has_boxes else texts.action(closing)
    else:
        done = _("Done")
    is_next = records or (not refused and (watched if closing is None else not others) and bool(actors))
    closes = closing.text if closing is not None and not records else ""
    undoes = is_asked or session.can_undo() is not None
    return (
        ButtonView(
            "done",
            done,
            strong=is_next,
            needed=not refused and (records or closing is not None or watched),
            does=closes,
            said=texts.action(closing) if closing is not None and not records else "",
            records=records,
        ),
        ButtonView("no", _("No") if is_asked or not undoes else _("No: undo"), undoes, needed=is_asked and not refused),
        ButtonView("next", _("Next"), proposed or bool(offers.unseen), needed=records),
        ButtonView("help", _("What may I do?"), strong=others and not (is_next or refused or offers.are_shown)),
    )


def _ends_with_record(session: Session, tracker: Tracker) -> bool:
    """Whether a press that records what the camera proposes ends the turn as well, for nothing is owed after it."""
    proposal, game = tracker.proposal, session.game
    candidate, found = proposal.candidate, proposal.explanation
    if candidate is None or found is None or found.finding is not Finding.ACTION or game.info.turn_end is None:
        return False
    decision = game.decide(candidate.state)
    if decision is None or len(session.actors) != 1 or decision.actors != session.actors:
        return False
    return isinstance(game.closing_action(candidate.state, session.actors[0]), game.info.turn_end)


def leave_it_buttons(buttons: Sequence[ButtonView], kept: ChoiceView, *, has_boxes: bool) -> tuple[ButtonView, ...]:
    """The big buttons while a question about the record is open: *done* and *no* do what leaves it as it is, `kept`."""
    done = _("Done: {what}").format(what=kept.text) if has_boxes else kept.text
    texts = {"done": done, "no": _("No: leave it")}
    return tuple(
        replace(
            button,
            text=texts.get(button.intent, button.text),
            enabled=button.enabled or button.intent in texts,
            strong=button.intent == "done",
            needed=button.intent == "done",
            does=kept.key if button.intent == "done" else "",
        )
        for button in buttons
    )
