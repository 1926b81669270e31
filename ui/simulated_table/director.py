"""The simulated players: they decide, move pieces, press buttons and touch the screen, and sometimes break a rule.

They play by what they know of the game and only look at the companion to see whether it has followed.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any, Protocol

from companion.board.layout import EMPTY
from companion.detail import EVERYTHING, SCORE_ONLY
from companion.engine import GameRules, apply_unchecked, judge, legal_of_kind
from companion.errors import CompanionError
from companion.position import Position
from companion.session.intents import Intent, IntentKind
from companion.session.session import Session
from ui.shell.table_loop import TableLoop
from ui.simulated_table.players import Mistake, mistakes
from ui.simulated_table.table import SimulatedTable
from ui.simulated_table.truth import truth_of
from ui.table.corrections.questions import UNDO_ALL_THE_SAME
from ui.table.presenter import Presenter
from ui.view_models.play_view import VerdictKind

log = logging.getLogger(__name__)

PATIENCE = 10.0
"""seconds after which a player helps a companion that has not followed"""
DATABASE_PATIENCE = 60.0
"""seconds that the players wait for a database that another program has locked, or that has no room"""
_GLANCE = 0.02
_READING, _REACHING = 0.5, 0.15
"""seconds a player takes to read the prompt before pressing *done* for something new, and where there is no camera"""
DONE, NO = 1, 2
MOST_UNDOS = 8
MISCHIEF, SLIPS = (4, 18, 33), (12, 40)
"""the actions before which somebody breaks a rule, and those before which another one is touched by mistake"""


class TouchAction(Protocol):
    """Tells the companion an action of a seat by a touch, of a screen or a phone."""

    def __call__(self, seat: int, action: Any) -> None:
        """Touch it; may return before it is recorded."""


class PressButton(Protocol):
    """Presses a button of a seat's box: 1 done, 2 no, 3 next, 4 help."""

    def __call__(self, seat: int, button: int) -> None:
        """Press and release."""


@dataclass(slots=True)
class Tally:
    """How the game went: actions by the way they came in, refusals shown, and how often a player had to help."""

    seen: int = 0
    touched: int = 0
    pressed: int = 0
    refused: int = 0
    undone: int = 0
    helped: int = 0


class Director:
    """Plays one game to its end, or `actions` actions of it, in a thread of its own, and tells as much as `level` says.

    Without a `table` there is no camera: what is done on the board is touched as well, on the table's screen unless
    `touch` does it elsewhere. `on_telling` hears of each action and its number before it is told, `on_action` of each
    number when the companion has followed.
    """

    def __init__(
        self,
        table_loop: TableLoop,
        table: SimulatedTable | None,
        press: PressButton,
        *,
        seed: int,
        level: str = EVERYTHING,
        actions: int | None = None,
        on_refusal: Callable[[], None] = lambda: None,
        on_action: Callable[[int], None] = lambda number: None,
        on_telling: Callable[[int, Any], None] = lambda number, action: None,
        touch: TouchAction | None = None,
    ) -> None:
        self._loop, self._table, self._press = table_loop, table, press
        session = table_loop.presenter.session
        self._game: GameRules[Any] = session.game
        self._truth = truth_of(session, level, seed)
        self._before = self._truth.record
        self._due: list[Any] = []
        self._seed = seed
        self._mischief = [number for number in MISCHIEF if number > self._truth.played]
        self._slips = [number for number in SLIPS if number > self._truth.played]
        self._on_refusal, self._on_action, self._on_telling = on_refusal, on_action, on_telling
        self._touch = touch or self._touch_screen
        self._left = actions
        self.tally = Tally()
        self.failure = ""
        self._stop = threading.Event()
        self.done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="simulated players", daemon=True)

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the current move."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(10.0)

    def _run(self) -> None:
        try:
            self._tidy()
            self._wait(self._is_watched, 10.0)
            while not (self._truth.is_over or self._stop.is_set() or self._left == 0):
                number = self._truth.played + 1
                if self._mischief and number >= self._mischief[0] and self._break_a_rule():
                    self._mischief.pop(0)
                self._play(self._truth.choose(self._seed))
                self._on_action(number)
                self._left = None if self._left is None else self._left - 1
            if self._truth.level == SCORE_ONLY and self._truth.is_over:
                self._count()
        except CompanionError as error:
            self.failure = f"the simulated players stopped: {error}"
        except Exception as error:
            log.exception("the simulated players stopped")
            self.failure = f"the simulated players stopped: {error}"
        finally:
            self.done.set()

    @property
    def _presenter(self) -> Presenter:
        return self._loop.presenter

    def _play(self, action: Any) -> None:
        """Do an action, and tell of it what is told."""
        self._truth, told = self._truth.after(action)
        for place, each in enumerate(told, 1):
            self._tell(each, is_last=place == len(told))

    def _tell(self, action: Any, *, is_last: bool) -> None:
        """Let the companion know of an action: by a press, a touch, or what the camera sees."""
        if self._slips and self._truth.played >= self._slips[0] and self._slip(action):
            self._slips.pop(0)
        actor = self._actor()
        seat, touched = self._closed_by(action), self._is_touched(action)
        self._before, self._due = self._truth.record, []
        self._told(action)
        if seat is not None:
            time.sleep(_READING if self._table is not None else _REACHING)
            self._press(seat, DONE)
            self.tally.pressed += 1
        elif touched:
            self._touch(actor, action)
            self.tally.touched += 1
        elif self._table is not None:
            self._table.move(self._look())
            self.tally.seen += 1
            if is_last:
                self._confirm(actor)
        if not self._wait(self._followed, PATIENCE):
            self._help()
        self._tidy()

    def _told(self, action: Any) -> None:
        """An action is being told: the record should be what follows from it."""
        self._on_telling(self._truth.played, action)
        self._truth = self._truth.recorded(action)
        self._due.append(action)

    def _count(self) -> None:
        """Have the board counted as it lies at the end, of which nothing was told."""
        end = Position(self._game, self._truth.state)
        self._truth = replace(self._truth, record=end.state)
        self._loop.post(partial(self._presenter.on_change, lambda changes: changes.count_up(end)))
        if not self._wait(self._followed, PATIENCE):
            verdict = self._loop.view.verdict
            raise CompanionError(
                f"the board is not counted: {verdict.headline if verdict is not None else 'no answer'}"
            )
        self._tidy()

    def _closed_by(self, action: Any) -> int | None:
        """The seat that does this action by pressing *done*; None where it must be touched or laid."""
        record = self._truth.record
        decision = self._game.decide(record)
        actors = decision.actors if decision else ()
        return next((seat for seat in actors if action == self._game.closing_action(record, seat)), None)

    def _is_touched(self, action: Any) -> bool:
        """Whether no camera can recognise the action: it changes nothing in view, or looks like another one."""
        if self._table is None:
            return True
        before, after = self._look(), self._look_after(action)
        changed = {spot: after.get(spot, EMPTY) for spot, _label in before.items() ^ after.items()}
        if not changed or action not in self._game.seen_actions(self._truth.record, changed):
            return True
        others = legal_of_kind(self._game, self._truth.record, type(action))
        return any(other != action and self._look_after(other) == after for other in others)

    def _look_after(self, action: Any) -> Mapping[str, str]:
        return self._in_view(apply_unchecked(self._game, self._truth.record, action).state)

    def _touch_screen(self, _seat: int, action: Any) -> None:
        self._loop.post(partial(self._presenter.on_choice, action.text))

    def _confirm(self, seat: int) -> None:
        """Press for what was laid, which also ends a finished turn; where more is wanted, wait for a second look."""
        decision = self._game.decide(self._truth.record)
        acts_again = decision is not None and seat in decision.actors
        closing = self._game.closing_action(self._truth.record, seat) if acts_again else None
        if not isinstance(closing, self._game.info.turn_end or ()):
            self._press(seat, DONE)
        elif not self._truth.is_over:
            following, told = self._truth.after(self._truth.choose(self._seed))
            if told == (closing,):
                self._press(seat, DONE)
                self._truth = following
                self._told(closing)
                self.tally.pressed += 1

    def _look(self) -> Mapping[str, str]:
        return self._in_view(self._truth.record)

    def _in_view(self, state: Any) -> Mapping[str, str]:
        look = self._game.appearance(state)
        return look if self._table is None else self._table.in_view(look)

    def _tidy(self) -> None:
        """Bring the pieces in line with the game: place what was built, take home what comes home."""
        if self._table is not None:
            self._table.move(self._look())

    def _followed(self) -> bool:
        return bool(self._presenter.session.state == self._truth.record)

    def _help(self) -> None:
        """Mend the record as a person would: undo what was misread, then touch what was done.

        Where the database takes nothing in, that is tried again for a while.
        """
        done = ", then ".join(action.text for action in self._due)
        log.warning("the companion did not follow %s (%s); mending the record", done, self._loop.view.eyes)
        self.tally.helped += 1
        session, until = self._presenter.session, time.monotonic() + DATABASE_PATIENCE
        unrecorded = session.unrecorded
        while True:
            self._loop.post(self._mend)
            if self._wait(self._followed, PATIENCE):
                return
            before, unrecorded = unrecorded, session.unrecorded
            verdict = self._loop.view.verdict
            if unrecorded is None or unrecorded is before:
                raise CompanionError(f"{done} is not taken: {verdict.headline if verdict is not None else 'no answer'}")
            if time.monotonic() > until:
                raise CompanionError(f"{done}: {unrecorded}")

    def _mend(self) -> None:
        """Undo what is wrong and touch what is missing at once, on the table's thread.

        So nothing that comes late is undone or done twice, and what was followed stands.
        """
        session, due = self._presenter.session, self._due
        states = [self._before]
        for action in due:
            states.append(apply_unchecked(self._game, states[-1], action).state)
        if session.state not in states:
            self._undo(self._entries_since())
        followed = states.index(session.state) if session.state in states else 0
        for action in due[followed:]:
            self._presenter.act(action)

    def _entries_since(self) -> int:
        """How many entries were recorded since the players last agreed with the record; 0 where that is not known."""
        session = self._presenter.session
        return next((count for count, state in enumerate(_states_before(session)) if state == self._before), 0)

    def _undo(self, count: int) -> None:
        for _entry in range(min(count, MOST_UNDOS)):
            self._presenter.on_intent(Intent(IntentKind.UNDO))
            if any(choice.key == UNDO_ALL_THE_SAME for choice in self._presenter.view().choices):
                self._presenter.on_choice(UNDO_ALL_THE_SAME)

    def _break_a_rule(self) -> bool:
        """Try something forbidden, see it refused, and put it back; each time another mistake if there are several.

        Gives whether there was a mistake to make.
        """
        offered = list(self._mistakes())
        if not offered:
            return False
        mistake = offered[self.tally.refused % len(offered)]
        if mistake.look and self._table is not None:
            self._table.move({**self._look(), **mistake.look})
        else:
            self._loop.post(partial(self._presenter.act, mistake.action))
        if self._wait(self._is_refused, PATIENCE):
            self.tally.refused += 1
            self._on_refusal()
            self._press_no()
            self._wait(lambda: not self._is_refused(), PATIENCE)
        self._tidy()
        self._wait(self._is_watched, PATIENCE)
        return True

    def _mistakes(self) -> Iterator[Mistake]:
        """Forbidden things a careless player might do now, as far as the record can tell that they are."""
        for mistake in mistakes(self._game, self._truth.state, self._truth.players):
            told = self._truth.told(mistake.action)
            if len(told) == 1 and not judge(self._game, self._truth.record, told[0]).is_legal:
                yield replace(mistake, action=told[0])

    def _slip(self, intended: Any) -> bool:
        """Touch another action than the intended one and take it back; gives whether there was one to touch.

        Nobody slips while showing a secret: that cannot be hidden again.
        """
        others = [
            action for action in legal_of_kind(self._game, self._truth.record, type(intended)) if action != intended
        ]
        secret = isinstance(intended, self._game.info.reveals)
        if not others or secret or self._closed_by(intended) is not None or not self._is_touched(intended):
            return False
        wrong = Random(f"{self._seed} {self._truth.played}").choice(others)
        slipped = apply_unchecked(self._game, self._truth.record, wrong).state
        self._touch_screen(self._actor(), wrong)
        self._wait(lambda: bool(self._presenter.session.state == slipped), PATIENCE)
        self._press_no()
        self._wait(self._followed, PATIENCE)
        self.tally.undone += 1
        return True

    def _press_no(self) -> None:
        self._press(self._actor(), NO)

    def _actor(self) -> int:
        decision = self._game.decide(self._truth.record)
        return decision.actors[0] if decision else 1

    def _is_refused(self) -> bool:
        verdict = self._loop.view.verdict
        return verdict is not None and verdict.kind is VerdictKind.REFUSED

    def _is_watched(self) -> bool:
        return self._table is None or self._loop.view.eyes == "watching"

    def _wait(self, until: Callable[[], bool], seconds: float) -> bool:
        end = time.monotonic() + seconds
        while not self._stop.is_set():
            if until():
                return True
            if time.monotonic() > end:
                return False
            time.sleep(_GLANCE)
        return True


def _states_before(session: Session) -> list[Any]:
    """The present state and those before each change that counts, the latest change first."""
    return [session.state, *(change.before.state for change in reversed(session.log.done))]
