"""Button boxes on the screen: which are there, whose they are, whether every button is heard, what each means.

While it is open the boxes speak to it; the table has them back afterwards. No Kivy.
"""

from __future__ import annotations

import queue
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack

from companion.errors import CompanionError, InvalidDocument
from companion.session.intents import Intent, IntentKind
from companion.wording.sentences import translated
from firmware_bridge.boxes import Boxes
from firmware_bridge.errors import BridgeError
from firmware_bridge.presses.bindings import Bindings, default_bindings, save_bindings
from firmware_bridge.presses.events import BoxState, ButtonPress, Notice
from firmware_bridge.protocol.messages import LinkState
from ui.hardware.box_search import every_gesture, remembered_bindings
from ui.hardware.boxes import battery_text, heard_text
from ui.services.text import _, error_text
from ui.shell.shell import Shell
from ui.view_models.form_view import FormModel, Note, Picks, Row, SectionHeading, Tone, pick
from ui.view_models.setup_view import PickView

LIT = 1.2
"""seconds for which a button that was pressed lights up"""
SEATS = 6
"""seats to choose from where no table is open"""
LEARNT = (IntentKind.DONE, IntentKind.NO, IntentKind.NEXT, IntentKind.HELP)
GREETING = (660, 150)
_MOST_EVENTS = 100
_USUAL_BUTTONS = 4


class BoxForm(FormModel):
    """Lists, tests, seats and learns boxes. `clock` gives monotonic seconds."""

    def __init__(self, shell: Shell, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._shell, self._clock = shell, clock
        self._stack = ExitStack()
        self._boxes: Boxes | None = None
        self._chosen = ""
        self._heard: dict[str, dict[int, float]] = {}
        self._notes: dict[str, str] = {}
        self._latest = self._problem = ""
        self._is_blinking = False
        self._forgotten: set[str] = set()
        self._learning: tuple[IntentKind, ...] = ()
        self._learnt: Bindings | None = None
        shell.devices.release_boxes()
        try:
            self._bindings = remembered_bindings(shell.devices.bindings_file)
        except InvalidDocument as error:
            self._bindings, self._problem = default_bindings(), error_text(error)
        try:
            self._boxes = self._stack.enter_context(shell.devices.listen(every_gesture(self._bindings.seats)))
        except (CompanionError, BridgeError) as error:
            self._problem = error_text(error)

    def heading(self) -> str:
        """What the screen is about."""
        return _("Button boxes")

    def rows(self) -> Sequence[Row]:
        """The boxes, and what can be done with the chosen one."""
        rows: list[Row] = []
        if self._problem:
            rows.append(Note(self._problem, Tone.BAD))
        states = self._states
        if not states:
            rows.append(Note(_("No box is there yet. Plug one in, or switch it on; it is found within some seconds.")))
        else:
            picks = tuple(
                pick(
                    state.box,
                    self._label(state),
                    chosen=state.box == self._chosen,
                    detail=_state_text(state, self._clock()),
                )
                for state in states.values()
            )
            rows += [SectionHeading(_("Touch a box, or press one of its buttons")), Picks("box", picks, 2)]
        rows += [Note(f"{source}: {text}", Tone.BAD) for source, text in self._notes.items()]
        if self._latest:
            rows.append(Note(self._latest, Tone.GOOD))
        state = states.get(self._chosen)
        if state is not None:
            rows += self._chosen_rows(state)
        rows.append(Note(_("Without a box the same four buttons are on the screen.")))
        return rows

    def touch(self, key: str, value: str) -> None:
        """Something was touched."""
        match key:
            case "box":
                self._chosen, self._learning = value, ()
            case "seat":
                self._assign_seat(int(value) or None)
            case "do" if value == "show" and self._boxes is not None:
                self._boxes.buzz(self._chosen, *GREETING)
                self._boxes.blink(self._chosen, 1, not self._is_blinking)
                self._is_blinking = not self._is_blinking
            case "do" if value == "learn":
                self._learning, self._learnt = LEARNT, self._bindings
            case "do" if value == "stop":
                self._learning, self._learnt = (), None
            case "do" if value == "forget":
                self._keep(self._bindings.without(self._chosen))
                self._forgotten.add(self._chosen)
                self._chosen, self._latest = "", _("Forgotten.")

    def tick(self) -> None:
        """Take in what the boxes say."""
        if self._boxes is None:
            return
        for _attempt in range(_MOST_EVENTS):
            try:
                event = self._boxes.events.get_nowait()
            except queue.Empty:
                return
            match event:
                case ButtonPress():
                    self._press(self._boxes, event)
                case BoxState():
                    self._notes.pop(event.box, None)
                    if event.state is LinkState.READY:
                        self._forgotten.discard(event.box)
                    if not self._chosen and event.state is LinkState.READY:
                        self._chosen = event.box
                case Notice(source, text):
                    self._notes[source] = translated(text, _)

    def back(self) -> bool:
        """Out of learning."""
        is_learning, self._learning = bool(self._learning), ()
        return is_learning

    def close(self) -> None:
        """Give the table its boxes back."""
        if self._boxes is not None:
            self._boxes = None
            self._stack.close()
            self._shell.devices.return_boxes()

    @property
    def _states(self) -> dict[str, BoxState]:
        states = self._boxes.states if self._boxes is not None else {}
        return {name: state for name, state in states.items() if name not in self._forgotten}

    def _chosen_rows(self, state: BoxState) -> Iterator[Row]:
        if self._learning:
            yield SectionHeading(_("Press the button for: {what}").format(what=_intent_name(self._learning[0])))
            yield Picks("do", (pick("stop", _("Stop learning")),), 1)
            return
        if state.state is not LinkState.READY and state.is_paired:
            yield Note(_("Plugged in or switched on again, it goes on as before."))
            yield Picks("do", (pick("forget", _("Forget this box")),), 1)
            return
        heard = self._heard.get(state.box, {})
        yield SectionHeading(_("Press every button once: it lights up here"))
        yield Picks("button", tuple(self._buttons(state, heard)), 4)
        count = state.buttons or _USUAL_BUTTONS
        if len(heard) >= count:
            yield Note(_("Every button was heard."), Tone.GOOD)
        loop = self._shell.table_loop
        seats = len(loop.presenter.session.table.players) if loop is not None else SEATS
        names = [_("Seat {seat}").format(seat=seat) for seat in range(1, seats + 1)]
        if loop is not None:
            players = loop.presenter.session.table.players
            names = [f"{seat}. {player.name}" for seat, player in enumerate(players, 1)]
        yield SectionHeading(_("Whose box is this?"))
        picks = [
            pick(str(seat), name, chosen=state.is_paired and state.seat == seat) for seat, name in enumerate(names, 1)
        ]
        picks.append(pick("0", _("For all"), chosen=state.is_paired and state.seat is None))
        yield Picks("seat", tuple(picks), 3)
        yield Picks("do", (pick("show", _("Let it beep and blink")), pick("learn", _("Learn the buttons"))), 2)

    def _buttons(self, state: BoxState, heard: dict[int, float]) -> Iterator[PickView]:
        now = self._clock()
        for button in range(1, max([state.buttons or _USUAL_BUTTONS, *heard]) + 1):
            is_lit = button in heard and now - heard[button] < LIT
            meaning = next(
                (intent for (box, number, _gesture), intent in self._meanings(state.box) if number == button), None
            )
            detail = _intent_name(meaning.kind) if meaning is not None else "–"
            yield pick(str(button), f"• {button}" if button in heard else str(button), chosen=is_lit, detail=detail)

    def _meanings(self, box: str) -> list[tuple[tuple[str | None, int, object], Intent]]:
        """What a box's buttons mean, its own meanings before those of all boxes."""
        found = [item for item in self._bindings.intents.items() if item[0][0] in (box, None)]
        return sorted(found, key=lambda item: (item[0][0] is None, str(item[0][2]) != "single"))

    def _press(self, boxes: Boxes, press: ButtonPress) -> None:
        if press.is_stale:
            return
        self._chosen = press.box if not self._learning else self._chosen
        self._heard.setdefault(press.box, {})[press.button] = self._clock()
        what = _("button {button}").format(button=press.button) if press.button else press.word
        gesture = "" if str(press.gesture) == "single" else f" ({_(str(press.gesture))})"
        self._latest = _("Heard: {box}, {what}").format(box=self._name(press.box), what=what + gesture)
        boxes.accept(press)
        if self._learning and self._learnt is not None and press.box == self._chosen:
            self._learn(press, self._learnt)

    def _learn(self, press: ButtonPress, learnt: Bindings) -> None:
        """Give a press of the chosen box, which somebody touched, the meaning that is asked for."""
        intent, rest = Intent(self._learning[0]), self._learning[1:]
        if press.button:
            learnt = learnt.with_intent(press.box, press.button, press.gesture, intent)
        else:
            learnt = learnt.with_word(press.box, press.word, intent)
        if press.box not in learnt.seats:
            learnt = learnt.with_seat(press.box, None)
        self._learnt, self._learning = learnt, rest
        if not rest:
            self._keep(learnt)
            self._latest = _("Learnt.")

    def _assign_seat(self, seat: int | None) -> None:
        if self._boxes is not None and self._chosen in self._boxes.states:
            self._boxes.assign_seat(self._chosen, seat)
            self._keep(self._bindings.with_seat(self._chosen, seat))

    def _keep(self, bindings: Bindings) -> None:
        self._bindings, self._problem = bindings, ""
        try:
            save_bindings(self._shell.devices.bindings_file, bindings)
        except (InvalidDocument, OSError) as error:
            self._problem = _("is not remembered: {why}").format(why=error)

    def _name(self, box: str) -> str:
        state = self._states.get(box)
        return self._label(state) if state is not None else box

    def _label(self, state: BoxState) -> str:
        """What people call a box; with its name where another one is called the same."""
        label = self._plain_label(state)
        others = (self._plain_label(other) for other in self._states.values() if other.box != state.box)
        return f"{label} ({state.box})" if label in others else label

    @staticmethod
    def _plain_label(state: BoxState) -> str:
        if state.seat is not None:
            return _("box {seat}").format(seat=state.seat)
        if state.is_paired:
            return _("box for all ({name})").format(name=re.split("[:/]", state.box)[-1])
        return _("new box {name}").format(name=state.box)


def _state_text(state: BoxState, now: float) -> str:
    reason = translated(state.reason, _)
    parts = [f"{_(state.state.value)}: {reason}" if reason else _(state.state.value)]
    if not state.is_paired:
        parts.append(_("no seat yet"))
    if state.battery is not None:
        parts.append(battery_text(state.battery))
    if state.heard_at is not None:
        parts.append(heard_text(now - state.heard_at))
    return " · ".join(parts)


def _intent_name(kind: IntentKind) -> str:
    names = {
        IntentKind.DONE: _("done"), IntentKind.NO: _("no"), IntentKind.NEXT: _("next"), IntentKind.HELP: _("help"),
        IntentKind.UNDO: _("undo"), IntentKind.REDO: _("redo"), IntentKind.PAUSE: _("pause"),
        IntentKind.JUDGE: _("judge"),
    }  # fmt: skip
    return names.get(kind, kind.value)
