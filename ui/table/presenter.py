"""What the table sees and does, without a screen: session, camera and boxes in; frozen view models out.

Everything runs on one thread: devices hand in observations and intents, the screen asks for `view()`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.board.layout import Board
from companion.errors import CompanionError
from companion.legality import Verdict
from companion.session.entries import Entry
from companion.session.intents import Intent, IntentKind, IntentResult, Source
from companion.session.observation import MOMENT, Observation
from companion.session.session import Session
from companion.session.tracker import UNFINISHED, Tracker
from companion.session.tracking import Finding
from companion.wording.people import player_names
from companion.wording.sentences import translated
from ui.services.text import _, error_sentence, translated_texts
from ui.table.answering import TableAnswers
from ui.table.camera_follower import CameraFollower
from ui.table.composing import CAMERA, LATEST_LINES, are_boxes_there, compose_prompt, compose_view
from ui.table.confirming import Confirmation
from ui.table.corrections.amending import KEEP
from ui.table.corrections.question_view import with_questions
from ui.table.corrections.questions import KEYS, UNDO_ALL_THE_SAME, Corrections
from ui.table.corrections.record_changes import ChangeResult, RecordChanges
from ui.table.device_states import DeviceStates
from ui.table.entry_lines import EntryLines
from ui.table.judge_call import JudgeCall
from ui.table.late_intents import LateIntents
from ui.table.latest_moves import LatestMoves
from ui.table.legal_choices import END_TOO, IN_SERIES, ON_BOARD, LegalChoices
from ui.table.offering import Offer, is_offer_gone, offer_meant
from ui.table.recording import Recorder
from ui.table.seating import is_seat_choice
from ui.table.table_questions import TableQuestion, TableQuestions, is_answer
from ui.table.turn_clock import TurnClock
from ui.table.turned_up import BOTH, actions_of
from ui.table.verdict_panel import VerdictPanel
from ui.table.why_not_here import illegal_gestures
from ui.view_models.play_view import PlayView


class Presenter:
    """One table being played. `clock` gives monotonic seconds, the same as the observations' times."""

    def __init__(self, session: Session, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.session = session
        self.texts = translated_texts(session.table.game).at(session.table)
        self._camera = CameraFollower(session)
        self._clock = clock
        self._view: PlayView | None = None
        self._choices, self._panel = LegalChoices(session), VerdictPanel(session, self.texts)
        self.devices = DeviceStates(self._changed)
        """the cameras and boxes of this table"""
        self._corrections, self._changes = Corrections(session, self.texts), RecordChanges(session, self.texts)
        self._recorder = Recorder(session, self._panel, self._changes, self._changed)
        self._confirmation = Confirmation(session, self._camera, self._panel, self._choices, self._recorder, clock)
        self._answers = TableAnswers(
            self._camera, self._panel, self._choices, self._changes, self._recorder, self._confirmation
        )
        self._questions, self._late, self.judge = TableQuestions(), LateIntents(session), JudgeCall()
        self._moves, self._lines = LatestMoves(session), EntryLines(session)
        self.turn_clock: TurnClock | None = None
        """the players' clock, if one is wanted"""
        session.observe(self._on_entry)

    @property
    def played(self) -> Presenter:
        """This table: it is played here."""
        return self

    @property
    def board(self) -> Board:
        """The board in play."""
        return self.session.table.board

    @property
    def tracker(self) -> Tracker:
        """What waits for the camera to be sure."""
        return self._camera.tracker

    @property
    def observation(self) -> Observation | None:
        """The camera's latest reading."""
        return self._camera.observation

    @property
    def refused(self) -> Any | None:
        """The action that was refused and that the table may record all the same."""
        return self._panel.refused

    @property
    def latest(self) -> frozenset[str]:
        """The spots that the latest entry changed."""
        return self._camera.latest

    def view(self) -> PlayView:
        """What the screen shows now; the same object until something changes."""
        if self._view is None:
            view = compose_view(
                self.session, self.texts, self.tracker, self.observation, self._choices,
                verdict=self._panel.view, refused=self._panel.refused, devices=self.devices.views, latest=self.latest,
                waiting=self._confirmation.press.is_waiting, is_asked=self._answers.is_asked,
                moves=self._moves.view(self.texts), log=self._lines.view(self.texts, LATEST_LINES),
            )  # fmt: skip
            asking = self.devices.questions(view.players) + self._questions.choices()
            self._view = with_questions(
                replace(view, choices=asking + view.choices), self._corrections, self._camera, self._panel,
                self._choices.marked, self.session, self.texts,
            )  # fmt: skip
        return self._view

    def tell_anew(self) -> None:
        """The language has changed: word again whatever is shown."""
        self._panel.anew(self.tracker.proposal.explanation)
        for worded in (self._corrections, self._moves, self._lines):
            worded.anew()
        self._changed()

    def on_observation(self, observation: Observation) -> None:
        """Take in what the camera reads; a proposal seen in two quiet moments, or pressed for, is recorded."""
        if self._camera.photograph is None:
            self._look(observation, self._camera.observe)

    def on_photograph(self, observation: Observation) -> None:
        """Take in one picture that nobody follows up, a camera's wait: a press or a touch records what it shows."""
        if self.refused is None:  # what was said of the latest action gives way to what is asked now
            self._panel.withdraw()
        self._look(observation, self._camera.look_at)
        for later in (MOMENT, UNFINISHED):  # nothing else will be seen that makes it surer
            again, proposal = replace(observation, time=observation.time + later), self.tracker.proposal
            if proposal.is_faint:
                self._camera.look_at(again)
                self._changed()
            elif proposal.explanation is not None and proposal.explanation.finding is Finding.UNEXPLAINED:
                self._look(again, self._camera.look_at)

    @property
    def is_watched(self) -> bool:
        """Whether a camera sees the board, not only a single photograph."""
        return self.observation is not None and self._camera.photograph is None

    @property
    def has_answered_photograph(self) -> bool:
        """Whether nothing that a single picture showed is open any more."""
        return self._camera.has_answered_photograph

    def put_photograph_away(self) -> None:
        """Look at a single picture no more."""
        self._camera.look_away()
        self._confirmation.press.drop()
        self._changed()

    def _look(self, observation: Observation, take_in: Callable[[Observation], bool]) -> None:
        before, is_news = self._panel.view, take_in(observation)
        self._confirmation.observe(observation)
        if is_news or self._panel.view is not before:
            self._changed()

    def on_camera_alive(self) -> None:
        """The camera has shown a frame, whether or not it was read."""
        self._confirmation.press.heard(self._clock())

    @property
    def has_boxes(self) -> bool:
        """Whether button boxes are at the table."""
        return are_boxes_there(self.devices.views)

    def ask(self, name: str, question: TableQuestion) -> bool:
        """Ask the whole table something; false where too much is asked already."""
        is_asked = self._questions.ask(name, question)
        self._changed()
        return is_asked

    def stop_asking_for(self, name: str) -> None:
        """The question of this name is open no more."""
        if self._questions.drop(name):
            self._changed()

    def on_box_answer(self, seat: int | None, *, agrees: bool) -> bool:
        """A box of a seat was pressed *done* or *no*; whether that answers what the table is asked about that seat.

        A press with which the seat may mean its own turn answers nothing else.
        """
        if seat in self.session.actors and (agrees or self.refused is not None):
            return False
        is_answered = self._questions.answer_by_box(seat, agrees=agrees)
        if is_answered:
            self._changed()
        return is_answered

    @property
    def questions(self) -> Mapping[str, TableQuestion]:
        """What the whole table is asked, by name."""
        return self._questions.open

    @property
    def legal(self) -> tuple[Any, ...]:
        """All legal actions as a shared screen offers them."""
        return self._choices.legal

    @property
    def shows_all(self) -> bool:
        """Whether every legal action is shown, not only those that no camera sees."""
        return self._choices.are_shown

    def say(self, text: str) -> None:
        """A note for the whole table."""
        self._panel.say(text)
        self._changed()

    def unsay(self, *texts: str) -> None:
        """Of these notes none holds any longer; whatever else is said stays."""
        self._panel.unsay_texts(texts)
        self._changed()

    def on_camera_lost(self, reason: str) -> None:
        """The camera gives no pictures any more; touch and boxes go on."""
        if self._camera.lose(reason):
            self._changed()
        self._confirmation.on_camera_lost()

    def on_camera_blinded(self, reason: str) -> None:
        """The board cannot be read in the camera's pictures for the moment."""
        if self._camera.blind(reason):
            self._changed()

    @property
    def camera_lag(self) -> float:
        """How many seconds later than their times the camera's pictures are taken to show something."""
        return self._confirmation.press.lag

    def set_camera_lag(self, seconds: float) -> None:
        """How much older the pictures of the camera are than their times say: a press is judged by later ones."""
        self._confirmation.press.lag = seconds

    def on_camera_gone(self) -> None:
        """There is no camera any more; nobody waits for one."""
        self._camera.end()
        self._confirmation.press.drop()
        self.devices.forget(CAMERA)
        self._changed()

    def on_tick(self) -> None:
        """Time passes: a press waits no longer for a camera that says nothing, and does nothing unseen either."""
        self.session.notice_continuation()
        if self.session.notices:
            self.say(" ".join(translated(notice, _) for notice in self.session.take_notices()))
        if self.turn_clock is not None:
            self.turn_clock.run(self.session.actors)
        self._confirmation.on_tick()

    def on_intent(self, intent: Intent) -> IntentResult:
        """One of the wishes a box, a key or a big button can make; gives what came of it."""
        self.play_goes_on()
        with self._recorder.wished_by(intent.source):
            return self._do(intent)

    def _do(self, intent: Intent) -> IntentResult:
        if self._late.is_late(intent) or is_offer_gone(self.offer, intent):
            return IntentResult.LATE
        presser, actors, left = intent.seat, self.session.actors, self.session.record_status.left
        if left.issuperset(actors):  # the others answer for who left
            intent = replace(intent, seat=None)
        others_turn = intent.seat is not None and bool(actors) and intent.seat not in actors
        if others_turn and intent.seat and intent.kind in (IntentKind.DONE, IntentKind.NEXT):
            presser_name = player_names(self.session.table.players, (intent.seat,), _)
            self.say(_("It is not {name}'s turn.").format(name=presser_name))
            return IntentResult.NOT_THIS_SEAT
        if self._corrections.is_asking and intent.kind in (IntentKind.DONE, IntentKind.NO):
            self._answer(KEEP)
            self.say(_("Left as it is."))
            return IntentResult.ACCEPTED
        result = IntentResult.ACCEPTED
        match intent.kind:
            case IntentKind.DONE:
                seats = actors[:1] if intent.seat is None else (intent.seat,)
                result = self._confirmation.done(seats, offer_meant(self.offer, intent, actors), intent.source)
                if (photograph := self._camera.photograph) is not None:  # there is no other picture to wait for
                    now = self._clock() + self._confirmation.press.lag
                    self._look(replace(photograph, frame=photograph.frame + 1, time=now), self._camera.look_at)
            case IntentKind.NO:
                result = self._reject(intent, presser)
            case IntentKind.NEXT:
                result = self._answers.next()
            case IntentKind.HELP:
                self._choices.are_shown, self._choices.marked = not self._choices.are_shown, ()
                if self.refused is None:
                    self.say(self.texts.prompt(self.session.game, self.session.state))
            case IntentKind.UNDO:
                result = self._undo()
            case IntentKind.REDO:
                result = self._recorder.report(self._changes.redo())
            case IntentKind.CHOOSE:
                result = self._choose(intent.choice or 0)
            case IntentKind.PAUSE:
                self._pause_or_go_on()
            case IntentKind.JUDGE:
                result = self.judge.toggle(self.say)
        self._changed()
        return result

    @property
    def offer(self) -> Offer | None:
        """What the screen's primary button would do now, where it is no big button; None where no screen says."""
        return self._confirmation.offer

    def on_offer(self, offer: Offer | None) -> None:
        """The primary button of the screen does this from now on."""
        self._confirmation.offer = offer

    def on_choice(self, key: str) -> None:
        """A choice was touched: an action's notation, or what to do about a refusal."""
        self.play_goes_on()
        if is_seat_choice(key):
            self.devices.answer(key)
        elif is_answer(key):
            self._questions.answer(key)
        elif key == UNDO_ALL_THE_SAME:
            self._undo(asked=True)
        elif key.startswith(KEYS):
            self._answer(key)
        elif key.startswith(ON_BOARD):
            self._choices.choose_series(key)
        elif key.startswith(IN_SERIES):
            self._put_in_series(key.removeprefix(IN_SERIES))
        elif key.startswith(END_TOO):
            action = self._parsed(key.removeprefix(END_TOO))
            end = self._choices.possible_end_after(action)
            self._recorder.act_in_order([action] if end is None else [action, end])
        elif key.startswith(BOTH):
            self._recorder.act_in_order(map(self._parsed, actions_of(key)))
        elif not self._answers.choose(key):
            self.act(self._parsed(key))
        self._changed()

    def _parsed(self, notation: str) -> Any:
        return self.session.game.parse_action(notation, self.session.state)

    def _put_in_series(self, site: str) -> None:
        """Put the next piece of a series at a site, or say why it cannot be put there."""
        if (action := self._choices.in_series(site, self.texts)) is None:
            self.on_site(site)
        else:
            self.act(action)

    def on_site(self, site: str) -> None:
        """A spot was touched: the choices are narrowed to it, and it is said why nothing is legal there.

        Illegal gestures there may be chosen as well, to hear which rule forbids them.
        """
        self.play_goes_on()
        self._choices.mark(site)
        self._panel.leave_site()
        answers = self.refused is not None or self.tracker.proposal.candidates or self._corrections.is_asking
        if self._choices.marked and not answers:
            judged = illegal_gestures(self.session, site)
            self._choices.imagined = () if self.session.is_over else tuple(action for action, _verdict in judged)
            if self._choices.has_none_here():
                self._panel.explain_site(site, judged, self._choices.legal, waits_for=self._prompt())
        self._changed()

    def on_correct(self, number: int | None = None) -> None:
        """Ask what entry `number`, the latest action for None, was instead; called again, the question is closed."""
        self._choices.forget()
        try:
            self._corrections.ask(number, self.observation)
        except CompanionError as error:
            self.say(error_sentence(error))
        self._changed()

    def stop_asking(self) -> None:
        """The board is looked at no more: a question about the record is open no longer."""
        if self._corrections.is_asking:
            self._choices.forget()
        self._corrections.forget()
        self._changed()

    def on_redo(self, number: int) -> None:
        """Let the change of entry `number`, which was undone, count again."""
        self._recorder.report(self._changes.redo(number))

    def on_end_early(self, reason: str) -> None:
        """The table stops here and counts; `reason` is one of the English sentences of END_REASONS, or free text."""
        self._recorder.report(self._changes.end_early(reason))

    def on_change(self, change: Callable[[RecordChanges], ChangeResult]) -> None:
        """The table changes its record in one of these ways."""
        self._recorder.report(change(self._changes))

    def on_leave(self, seat: int) -> None:
        """The player of a seat leaves, the others go on."""
        self._recorder.report(self._changes.leave(seat))

    def on_return(self, seat: int) -> None:
        """The player of a seat who left is back."""
        self._recorder.report(self._changes.come_back(seat))

    def time_players(self, minutes: int, left: Sequence[float] | None = None) -> None:
        """Give each player a clock of `minutes`, or of the seconds in `left`; no clocks for 0 minutes."""
        self.turn_clock = TurnClock(minutes, len(self.session.table.seats), self._clock, left) if minutes else None

    def play_goes_on(self) -> None:
        """Somebody at the table did something: the clock of a game that had been put away runs again."""
        if self.turn_clock is not None:
            self.turn_clock.play_goes_on()

    def on_score_line(self, index: int) -> None:
        """A line of the score sheet was touched: its pieces are marked on the board."""
        score = self.view().score
        if score is not None and 0 <= index < len(score.lines):
            self._choices.marked = score.lines[index].sites
            self._changed()

    def act(self, action: Any, *, seat: int | None = None, source: Source | None = None) -> Verdict:
        """Submit an action, wished for with `source` (None: as the wish being done); a refusal may be overridden."""
        if source is None:
            return self._recorder.act(action, seat=seat)
        with self._recorder.wished_by(source):
            return self._recorder.act(action, seat=seat)

    def _pause_or_go_on(self) -> None:
        """The table pauses the camera, or lets it go on."""
        if told := self._camera.hold_or_go_on():
            self.say(told)
        else:
            self._confirmation.press.drop()

    @property
    def is_camera_held(self) -> bool:
        """Whether the table paused the camera."""
        return self._camera.is_held

    def _on_entry(self, entry: Entry) -> None:
        """The record has changed, whoever changed it: what was asked or offered before it no longer counts."""
        self._choices.forget()
        self._corrections.forget()
        self._confirmation.offer = None
        self._late.follow_record(entry)
        self._camera.follow_record(entry)
        self._changed()

    def _choose(self, number: int) -> IntentResult:
        """Take one of the choices shown, counted from 1 without what is asked about boxes and phones."""
        choices = [each for each in self.view().choices if not (is_seat_choice(each.key) or is_answer(each.key))]
        if not 1 <= number <= len(choices):
            return IntentResult.REFUSED
        state_id = self.session.state_id
        self.on_choice(choices[number - 1].key)
        is_refused = self.refused is not None and self.session.state_id == state_id
        return IntentResult.REFUSED if is_refused else IntentResult.ACCEPTED

    def _reject(self, intent: Intent, presser: int | None) -> IntentResult:
        """Say no to what is asked or proposed; where that is nothing, undo the latest entry if its presser saw it.

        A phone undoes only what its own seat did, for nobody sees it being pressed: else it gives NOT_THIS_SEAT.
        """
        if (rejected := self._answers.reject()) is not None:
            return rejected
        if self._late.has_not_seen_the_latest_entry(intent):
            return IntentResult.LATE
        entry = self.session.can_undo()
        if intent.source is Source.PHONE and entry is not None and entry.seat not in (None, presser):
            return IntentResult.NOT_THIS_SEAT
        return self._undo()

    def _undo(self, *, asked: bool = False) -> IntentResult:
        entry = self.session.can_undo()
        if entry is not None and not asked and self._corrections.asks_before_undoing(entry):
            self._changed()
            return IntentResult.ACCEPTED
        return self._recorder.report(self._changes.undo())

    def _answer(self, key: str) -> None:
        """Take an answer to a question about the record; what was touched to choose it is no next action's place."""
        answered = self._corrections.answer(key, self.tracker, self.observation)
        if key == KEEP:
            self._choices.forget()
        if answered.refused is not None:
            self._panel.refuse(*answered.refused)
            self._changed()
        elif answered.put_right:
            self._answers.dismiss_refusal(answered.note)
        elif answered.note:
            self.say(answered.note)
        if answered.changed:
            self._panel.close_refusal()

    def _prompt(self) -> str:
        return compose_prompt(self.session, self.texts, self.tracker, None, waiting=False, watched=False)

    def _changed(self) -> None:
        self._view = None
