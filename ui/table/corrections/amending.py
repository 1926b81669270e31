"""What an entry of the record may have been instead, and the answers to each spot that differs. No Kivy.

Both are choices of the play screen; `ui.table.corrections.questions` takes what is chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.board.layout import EMPTY
from companion.engine import apply_unchecked, judge, open_actions
from companion.errors import CompanionError
from companion.session.correcting import alternatives
from companion.session.observation import Observation
from companion.session.session import Session
from companion.session.submission import Submission
from companion.session.tracker import Tracker
from companion.session.tracking import Finding, seen_labels
from companion.wording.texts import GameTexts
from ui.services.text import _
from ui.view_models.play_view import ChoiceView, DifferenceView

AMEND, INSERT, KEEP = "amend ", "insert ", "keep the record"
TAKE_OUT, INSERT_BEFORE, OTHERS = "take the entry out", "insert before", "other actions"
LIKELIEST, MOST_ALTERNATIVES = 6, 60
"""alternatives that are offered at once, and at most"""
TABLE_RIGHT, RECORD_RIGHT = "table right ", "record right "
RECENT = 6
"""actions back in which the cause of a difference is looked for"""
MOST_SPOTS, SEVERAL = 3, 2
"""spots that are asked about at once, and from how many on all may be answered together"""


@dataclass(frozen=True, slots=True)
class Mending:
    """The action of entry `number` is said to have been another one; `offered` are those it may have been.

    Where it `inserts`, they are those that may have been done before it. `shows_all` of them, or the likeliest.
    """

    number: int
    offered: tuple[Any, ...]
    inserts: bool = False
    shows_all: bool = False
    by_sight: bool = False
    """whether it would make the record show what the camera sees now"""
    is_seen: bool = False
    """whether a camera's picture decided which is the likeliest"""


def latest_action(session: Session) -> int | None:
    """The number of the latest entry that can be mended."""
    return next((move.number for move in reversed(session.moves) if move.action is not None), None)


def begin_mending(session: Session, number: int, observation: Observation | None = None) -> Mending:
    """What entry `number` may have been, likeliest first.

    Raises SessionError where there is no such action or it was undone.
    """
    state = session.log.before(number).state
    offered = alternatives(session.game, state, action_of(session, number, state), observation)
    return Mending(number, offered, is_seen=observation is not None)


def action_of(session: Session, number: int, state: Any) -> Any:
    """The action of an entry that counts; `state` is the position before it."""
    move = next(move for move in session.moves if move.number == number)
    return session.game.parse_action(move.action or "", state)


def mend(session: Session, mending: Mending, key: str) -> Submission:
    """Enter the chosen alternative.

    Raises SessionError where it cannot, InvalidNotation for a key that is no action.
    """
    if key == TAKE_OUT:
        return session.remove(mending.number)
    state = session.log.before(mending.number).state
    if mending.inserts:
        return session.insert(mending.number, session.game.parse_action(key.removeprefix(INSERT), state))
    return session.amend(mending.number, session.game.parse_action(key.removeprefix(AMEND), state))


def begin_inserting(session: Session, number: int) -> Mending:
    """What may have been done before entry `number`.

    Raises SessionError where there is no such action or it was undone.
    """
    state = session.log.before(number).state
    return Mending(number, open_actions(session.game, state), inserts=True)


def seat_of(session: Session, mending: Mending) -> int:
    """The seat whose action is asked about; 0 where it is nobody's alone."""
    if mending.inserts:
        decision = session.game.decide(session.log.before(mending.number).state)
        actors = decision.actors if decision is not None else ()
        return actors[0] if len(actors) == 1 else 0
    return next((move.entry.seat or 0 for move in session.moves if move.number == mending.number), 0)


def asked_about(session: Session, mending: Mending, texts: GameTexts) -> str:
    """What is asked, with the action that is recorded."""
    recorded = texts.action(action_of(session, mending.number, session.log.before(mending.number).state))
    asked = _("Missing before: {action}") if mending.inserts else _("Instead of: {action}")
    return asked.format(action=recorded)


def seen_choices(session: Session, mending: Mending, texts: GameTexts) -> tuple[ChoiceView, ...]:
    """The actions that would make the record show what the camera sees, likeliest first; then what else can be done
    about the entry, at last what leaves all as it is.
    """
    group, key = asked_about(session, mending, texts), INSERT if mending.inserts else AMEND
    shown = mending.offered[: MOST_ALTERNATIVES if mending.shows_all else LIKELIEST]
    choices = [ChoiceView(key + each.text, texts.action(each), group) for each in shown]
    if len(shown) < min(len(mending.offered), MOST_ALTERNATIVES):
        choices.append(ChoiceView(OTHERS, _("Another action"), group, is_beside=True))
    if not mending.inserts:
        choices.append(ChoiceView(INSERT_BEFORE, _("Something is missing before it"), group, is_beside=True))
        choices.append(ChoiceView(TAKE_OUT, _("It was not done at all: take it out"), group, is_beside=True))
    return (*choices, ChoiceView(KEEP, _("Leave it as it is"), group))


def mending_to(session: Session, wanted: Mapping[str, str]) -> Mending | None:
    """The latest action that may have been another one so that spots would show these labels, and those it may be."""
    game = session.game
    for move in [move for move in reversed(session.moves) if move.action is not None][:RECENT]:
        state = session.log.before(move.number).state
        recorded = game.parse_action(move.action or "", state)
        fitting = tuple(
            other
            for other in alternatives(game, state, recorded)
            if _shows(game.appearance(apply_unchecked(game, state, other).state), wanted)
        )
        if fitting and not _shows(game.appearance(state), wanted):
            return Mending(move.number, fitting, by_sight=True)
    return None


def inserting_to(session: Session, wanted: Mapping[str, str]) -> Mending | None:
    """Before which of the latest entries an action is missing so that spots would show these labels, and which it is.

    Only where everything after it holds as it did.
    """
    game = session.game
    for move in [move for move in reversed(session.moves) if move.action is not None][:RECENT]:
        state = session.log.before(move.number).state
        fitting = tuple(
            action
            for action in dict.fromkeys(game.seen_actions(state, wanted))
            if judge(game, state, action).is_legal and _fits(session, move.number, action, wanted)
        )
        if fitting:
            return Mending(move.number, fitting, inserts=True, by_sight=True)
    return None


def _fits(session: Session, number: int, action: Any, wanted: Mapping[str, str]) -> bool:
    """Whether an inserted action breaks nothing after it and the board shows these labels then; tried on a copy."""
    trial = Session(session.log)
    try:
        submission = trial.insert(number, action)
    except CompanionError:
        return False
    shows = _shows(session.game.appearance(trial.state), wanted)
    return submission.entry is not None and not submission.unsettled and shows


def _shows(look: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    return all(look.get(spot, EMPTY) == label for spot, label in wanted.items())


def differing(session: Session, tracker: Tracker, observation: Observation | None) -> dict[str, tuple[str, str]]:
    """Spot -> the labels that table and record show, where they differ and nothing explains it."""
    found = tracker.proposal.explanation
    if observation is None or found is None or found.finding is not Finding.UNEXPLAINED:
        return {}
    seen, look = seen_labels(observation), session.game.appearance(session.state)
    return {spot: (seen.get(spot, EMPTY), look.get(spot, EMPTY)) for spot in sorted(found.spots)}


def difference_views(differences: dict[str, tuple[str, str]]) -> tuple[DifferenceView, ...]:
    """The first spots that differ, with the keys of the answers to each."""
    first = list(differences.items())[:MOST_SPOTS]
    return tuple(
        DifferenceView(number, spot, seen, recorded, TABLE_RIGHT + spot, RECORD_RIGHT + spot)
        for number, (spot, (seen, recorded)) in enumerate(first, 1)
    )


def difference_choices(
    differences: dict[str, tuple[str, str]], session: Session, texts: GameTexts
) -> tuple[ChoiceView, ...]:
    """Two answers for all spots that differ, and for each of the first ones."""
    spots = session.table.board.all_spots
    choices = []
    if len(differences) >= SEVERAL:
        for key, text in ((TABLE_RIGHT, _("The table is right")), (RECORD_RIGHT, _("The record is right"))):
            choices.append(ChoiceView(key, text, text))
    for number, (spot, (seen, recorded)) in enumerate(list(differences.items())[:MOST_SPOTS], 1):
        shown, kept = (texts.label(label) or _("nothing") for label in (seen, recorded))
        where = str(number) if len(differences) > 1 else texts.spot(spot)
        group = _("{spot}: table {seen}, record {recorded}").format(spot=where, seen=shown, recorded=kept)
        site = (spots[spot].site,) if spot in spots else ()
        choices.append(ChoiceView(TABLE_RIGHT + spot, _("The table is right"), group, site))
        choices.append(ChoiceView(RECORD_RIGHT + spot, _("The record is right"), group, site))
    return tuple(choices)
