"""What the table is asked about its record: was it another action, is the table right, take it back? No Kivy.

The presenter shows the questions before anything else and hands their answers back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.engine import judge
from companion.errors import CompanionError
from companion.legality import Verdict
from companion.session.entries import Entry
from companion.session.observation import Observation
from companion.session.session import Session
from companion.session.tracker import Tracker
from companion.session.tracking import seen_labels
from companion.wording.texts import GameTexts
from ui.services.text import _, error_sentence
from ui.table.corrections.amending import (
    AMEND,
    INSERT,
    INSERT_BEFORE,
    KEEP,
    OTHERS,
    RECORD_RIGHT,
    TABLE_RIGHT,
    TAKE_OUT,
    Mending,
    asked_about,
    begin_inserting,
    begin_mending,
    difference_choices,
    difference_views,
    differing,
    inserting_to,
    latest_action,
    mend,
    mending_to,
    seat_of,
    seen_choices,
)
from ui.table.corrections.looking_back import LookingBack
from ui.table.corrections.repair_choices import AS_IT_LIES, UNDO_TO, Remedies, remedies, remedy, remedy_choices
from ui.table.corrections.weighing import SURELY, Weighed, changed_note, weighed
from ui.view_models.play_view import ChoiceView, DifferenceView, PieceView, VerdictView

UNDO_ALL_THE_SAME = "undo all the same"
KEYS = (
    AMEND, INSERT, TAKE_OUT, INSERT_BEFORE, OTHERS, SURELY, KEEP, RECORD_RIGHT, TABLE_RIGHT, UNDO_TO, AS_IT_LIES,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of an answer: something to say, whether the record is another one, an illegal action to ask about."""

    note: str = ""
    changed: bool = False
    refused: tuple[Any, Verdict] | None = None
    put_right: bool = False
    """whether the table is to be put right"""


class Corrections:
    """The question about the record that is open, if any."""

    def __init__(self, session: Session, texts: GameTexts) -> None:
        self._session, self._texts = session, texts
        self._mending: Mending | None = None
        self._weighed: Weighed | None = None
        self._remedies = Remedies()
        self._asks_undo = False
        self._looking_back = LookingBack(session, texts)

    @property
    def is_asking(self) -> bool:
        """Whether a question is open that comes before all else."""
        return self._asks_undo or self._weighed is not None or self._mending is not None or self._remedies.are_there

    @property
    def seat(self) -> int:
        """The seat whose entry is asked about; 0 for none."""
        mending = self._weighed.mending if self._weighed is not None else self._mending
        if mending is not None:
            return seat_of(self._session, mending)
        undoable = self._session.can_undo() if self._asks_undo else None
        return (undoable.seat or 0) if undoable is not None else 0

    @property
    def looked_back_at(self) -> int | None:
        """The entry that somebody wants to correct: the board before it is shown. None where the camera raised it."""
        mending = self._weighed.mending if self._weighed is not None else self._mending
        return mending.number if mending is not None and not mending.by_sight else None

    @property
    def chosen_back_then(self) -> Mending | None:
        """What is asked about an entry and answered on the board as it was then; None where nothing is."""
        return self._mending if self._mending is not None and not self._mending.by_sight else None

    @property
    def prompt(self) -> str:
        """What is asked about an entry, with what is recorded; "" where that stands above the answers."""
        mending = self.chosen_back_then
        return asked_about(self._session, mending, self._texts) if mending is not None else ""

    def pieces(self) -> tuple[PieceView, ...]:
        """The board on which is answered what is asked about an entry, with what it laid; none where nothing is."""
        mending = self.chosen_back_then
        return self._looking_back.pieces(mending) if mending is not None else ()

    def offers_at(self, marked: Sequence[str]) -> bool:
        """Whether anything may have been done at the sites that are marked."""
        mending = self.chosen_back_then
        return mending is not None and bool(self._looking_back.at(mending, marked))

    @property
    def told(self) -> VerdictView | None:
        """What the change that is asked about would do to what follows; None where none is."""
        return self._weighed.told if self._weighed is not None else None

    def forget(self) -> None:
        """No question is open any more."""
        self._mending, self._weighed, self._remedies, self._asks_undo = None, None, Remedies(), False

    def anew(self) -> None:
        """The language has changed: word again what a change would do."""
        if self._weighed is not None:
            self._weighed = weighed(self._session, self._weighed.mending, self._weighed.key, self._texts)

    def choices(
        self,
        tracker: Tracker,
        observation: Observation | None,
        least: int | None,
        marked: Sequence[str] = (),
    ) -> tuple[ChoiceView, ...]:
        """The answers to the open question, the last of which leaves all as it is; else those to the spots that differ,
        from `least` on.
        """
        if self._asks_undo:
            group = _("It showed something hidden. Take it back?")
            return (
                ChoiceView(UNDO_ALL_THE_SAME, _("Take it back all the same"), group),
                ChoiceView(KEEP, _("Leave it as it is"), group),
            )
        if self._weighed is not None:
            return self._weighed.choices
        found = remedy_choices(self._remedies, self._session, self._texts)
        mending = self._mending
        if mending is not None:
            *others, kept = (
                seen_choices(self._session, mending, self._texts)
                if mending.by_sight
                else self._looking_back.choices(mending, marked)
            )
            return (*others, *found, kept)
        if found:
            return (*found, ChoiceView(KEEP, _("Leave it as it is"), found[0].group))
        differences = differing(self._session, tracker, observation)
        if least is None or len(differences) < least:
            return ()
        return difference_choices(differences, self._session, self._texts)

    def differences(self, tracker: Tracker, observation: Observation | None) -> tuple[DifferenceView, ...]:
        """The spots that differ, as far as they are asked about while no other question is open."""
        return difference_views(differing(self._session, tracker, observation))

    def asks_before_undoing(self, entry: Entry) -> bool:
        """Whether everybody knows since an entry what was hidden before it: then a question is open from now on."""
        game, action = self._session.game, entry.action
        if self._asks_undo or action is None:
            return False
        self.forget()
        self._asks_undo = isinstance(game.parse_action(action, self._session.state), game.info.reveals)
        return self._asks_undo

    def ask(self, number: int | None, observation: Observation | None) -> None:
        """Ask what entry `number`, the latest action for None, was instead; asked again, ask no more.

        Raises SessionError where there is no such action or it was undone.
        """
        latest = latest_action(self._session)
        number = latest if number is None else number
        if self._mending is not None or number is None:
            self.forget()
            return
        self.forget()
        self._mending = begin_mending(self._session, number, observation if number == latest else None)

    def answer(self, key: str, tracker: Tracker, observation: Observation | None) -> Answered:
        """Take the answer of a choice whose key begins like one of KEYS."""
        mending, change, found = self._mending, self._weighed, self._remedies
        self.forget()
        if key == OTHERS and mending is not None:
            self._mending, self._remedies = replace(mending, shows_all=True), found
            return Answered()
        if key == SURELY:
            return self._change(change.mending, change.key) if change is not None else Answered()
        if key == INSERT_BEFORE and mending is not None:
            self._mending = replace(begin_inserting(self._session, mending.number), by_sight=mending.by_sight)
            return Answered()
        if key.startswith((AMEND, INSERT, TAKE_OUT)):
            return self._mend(mending, key) if mending is not None else Answered()
        if key.startswith(TABLE_RIGHT):
            return self._trust_table(key.removeprefix(TABLE_RIGHT), tracker, observation)
        if key.startswith(RECORD_RIGHT):
            spot = key.removeprefix(RECORD_RIGHT)
            spots = {spot} if spot else set(differing(self._session, tracker, observation))
            tracker.record_changed(tracker.owed | spots)
            return Answered(_("Put the board as the record has it; the marked spots differ."), put_right=True)
        return self._remedy(found, key)

    def _remedy(self, found: Remedies, key: str) -> Answered:
        try:
            note = remedy(self._session, found, key)
        except CompanionError as error:
            return Answered(error_sentence(error))
        return Answered(note, changed=bool(note))

    def _mend(self, mending: Mending, key: str) -> Answered:
        """Make a change that was chosen, or ask first where others depend on the entry."""
        try:
            self._weighed = weighed(self._session, mending, key, self._texts)
        except CompanionError as error:
            return Answered(error_sentence(error))
        return Answered() if self._weighed is not None else self._change(mending, key)

    def _change(self, mending: Mending, key: str) -> Answered:
        try:
            unsettled = mend(self._session, mending, key).unsettled
        except CompanionError as error:
            return Answered(error_sentence(error))
        return Answered(changed_note(key, mending.number, unsettled), changed=True)

    def _trust_table(self, spot: str, tracker: Tracker, observation: Observation | None) -> Answered:
        """Find what would make the record show what lies on the table, on one spot or on all (""), and ask."""
        differences = differing(self._session, tracker, observation)
        wanted = {each: seen for each, (seen, _recorded) in differences.items() if spot in ("", each)}
        if not wanted or observation is None:
            return Answered()
        self._mending = mending_to(self._session, wanted) or inserting_to(self._session, wanted)
        illegal = None if self._mending is not None else self._illegal(wanted)
        if illegal is not None:
            return Answered(refused=illegal)
        self._remedies = remedies(self._session, wanted, seen_labels(observation))
        if self.is_asking:
            return Answered()
        told = _("No single action explains it. Correct an earlier entry, or put the table right.")
        return Answered(f"{told} ({self._remedies.refusal})")

    def _illegal(self, wanted: Mapping[str, str]) -> tuple[Any, Verdict] | None:
        """The illegal action that explains the only spot that differs, if there is one."""
        game, state = self._session.game, self._session.state
        for action in game.seen_actions(state, wanted) if len(wanted) == 1 else ():
            verdict = judge(game, state, action)
            if not verdict.is_legal:
                return action, verdict
        return None
