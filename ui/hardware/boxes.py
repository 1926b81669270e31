"""The boxes of one table: presses become the presenter's intents, its state becomes lamps, tones and seat states."""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from companion.errors import InvalidDocument
from companion.session.intents import IntentKind, IntentResult, Source
from companion.wording.sentences import translated
from firmware_bridge.adapters.record_files import Adapter, adapters_with
from firmware_bridge.boxes import Boxes, Search
from firmware_bridge.errors import BrokerUnavailable
from firmware_bridge.mqtt.broker import start_broker
from firmware_bridge.mqtt.table_identity import claim_table, drawn_name
from firmware_bridge.presses.bindings import Bindings, default_bindings, load_bindings, save_bindings
from firmware_bridge.presses.events import BoxEvent, BoxState, ButtonPress, Notice
from firmware_bridge.protocol.addresses import BoxAddress, BrokerAddress, Wire
from firmware_bridge.protocol.messages import LinkState
from firmware_bridge.serving.seat_states import TABLE, SeatPublisher
from ui.hardware.lamps import LATE_SECONDS, Lamps, seat_states
from ui.hardware.pairing import Pairing, PortDoubts, needs_seat
from ui.services.text import _
from ui.table.presenter import Presenter
from ui.table.seating import UnseatedBox

BINDINGS_FILE = "boxes.toml"
"""In the user's data folder: which boxes belong to the table, whose they are and what their buttons mean."""
ADAPTERS_FOLDER = "adapters"
"""In the same folder: the user's own records of buttons that others made."""
LOW_BATTERY = 20
"""Percent from which on the screen says so."""
ON_ITS_WAY = 0.3
"""Seconds that a press may take from the finger to the program."""
_MOST_PER_DRAIN = 50
_MOST_STATES = 500
"""of the record whose times are remembered"""


class TableBoxes:
    """Boxes with seats: named, remembered in a bindings file, or found. One thread drains and shows."""

    def __init__(
        self,
        addresses: Sequence[BoxAddress],
        broker: BrokerAddress | None = None,
        *,
        remembered: Path | None = None,
        search: Search | None = None,
        adapters: Sequence[Adapter] | None = None,
        notices: Sequence[Notice] = (),
        late_seconds: float = LATE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        table: str = TABLE,
    ) -> None:
        """`table` is the table's name on the broker. `remembered` is a bindings file, which need not exist and is
        written when a box gets a seat; `notices` are reported with the first that the boxes say. A seat for which the
        table has waited `late_seconds` is reminded.

        Raises InvalidBoxAddress, or InvalidDocument for a bindings file that does not hold.
        """
        self._remembered = remembered
        self._boxes = Boxes(addresses, _bindings(remembered), broker, search, adapters, table=table)
        self._lamps = Lamps(self._boxes, clock, late_seconds)
        self._seats = SeatPublisher(broker, table) if broker is not None else None
        self._notices = list(notices)
        self._labels: dict[str, str] = {}
        self._pairing = Pairing()
        named = {address.name for address in addresses}
        self._doubts = PortDoubts(box for box in self._boxes.bindings.seats if box not in named)
        self.presses = 0
        self._clock = clock
        self._states_shown: deque[tuple[float, int]] = deque(maxlen=_MOST_STATES)
        self._boxes.start()

    @property
    def states(self) -> Mapping[str, BoxState]:
        """How every box is connected and whose it is, by its name."""
        return self._boxes.states

    @property
    def bindings(self) -> Bindings:
        """What the buttons mean and whose the boxes are."""
        return self._boxes.bindings

    def rebind(self, bindings: Bindings) -> None:
        """Let the buttons mean something else from now on, and remember it.

        Raises InvalidDocument where the bindings file holds something else, OSError where it cannot be written.
        """
        self._boxes.bindings = bindings
        if self._remembered is not None:
            save_bindings(self._remembered, bindings)

    def drain(self, presenter: Presenter, request_read: Callable[[], None]) -> None:
        """Hand all that the boxes have said to the presenter; a press asks the camera for a fresh read.

        Presses that came together are taken in the order in which the fingers went down, whichever box was quicker.
        """
        for box, seat in presenter.devices.take_answers():
            self._assign_seat(box, seat, presenter)
        presses: list[ButtonPress] = []
        for event in self._waiting():
            match event:
                case ButtonPress():
                    presses.append(event)
                case BoxState():
                    self._state(event, presenter)
                case Notice(source, text):
                    name = _("note on {box}").format(box=self._labels[source]) if source in self._labels else source
                    presenter.devices.tell(name, translated(text, _), ok=False)
        for press in _in_order_of_time(presses):
            self._press(press, presenter, request_read)

    def show(self, presenter: Presenter) -> None:
        """Light the lamps for the present state of the table, and publish it for other people's lamps."""
        view = presenter.view()
        session = presenter.session
        self._note_state(presenter)
        self._lamps.show(view, is_last_round=session.game.last_round_begun(session.state))
        if self._seats is not None:
            self._seats.show(seat_states(view, self._lamps.have_acted))

    def leave(self, presenter: Presenter) -> None:
        """Leave the boxes and take them out of the presenter's view."""
        self.close()
        for box, label in self._labels.items():
            presenter.devices.forget(label)
            presenter.devices.seated(box)

    def close(self) -> None:
        """Leave the boxes."""
        if self._seats is not None:
            self._seats.close()
        self._boxes.close()

    def _waiting(self) -> list[BoxEvent]:
        events: list[BoxEvent] = [*self._notices]
        self._notices.clear()
        for _turn in range(_MOST_PER_DRAIN):
            try:
                events.append(self._boxes.events.get_nowait())
            except queue.Empty:
                break
        return events

    def _state(self, event: BoxState, presenter: Presenter) -> None:
        label, before = self._own_label(event), self._labels.get(event.box)
        if before is not None and before != label:
            presenter.devices.forget(before)
        self._labels[event.box] = label
        self._report(event, presenter)
        if event.state is LinkState.READY:
            self._lamps.came(event)
        players = len(presenter.view().players)
        is_doubtful = self._doubts.note(event)
        if event.state is LinkState.READY and (is_doubtful or needs_seat(event, players)):
            rows = self._pairing.ask(event, players)
            presenter.devices.ask_for_seat(event.box, UnseatedBox(_asked_label(event, is_doubtful=is_doubtful), rows))
        elif self._pairing.is_asked(event.box):
            self._pairing.forget(event.box)
            presenter.devices.seated(event.box)

    def _own_label(self, state: BoxState) -> str:
        """What people call a box; with its name where another one at the table is called the same."""
        label = _label(state)
        others = {called for box, called in self._labels.items() if box != state.box}
        return f"{label} ({state.box})" if label in others else label

    def _report(self, box: BoxState, presenter: Presenter) -> None:
        state, reason = _state_name(box.state), translated(box.reason, _)
        text = f"{state}: {reason}" if reason else state
        if box.battery is not None and box.battery <= LOW_BATTERY:
            text += " · " + battery_text(box.battery)
        presenter.devices.tell(self._labels[box.box], text, ok=box.state is LinkState.READY)

    def _press(self, press: ButtonPress, presenter: Presenter, request_read: Callable[[], None]) -> None:
        label = self._labels.setdefault(press.box, press.box)
        if press.is_stale:
            presenter.devices.tell(label, _("an old press was not acted on"), ok=True)
            presenter.say(
                _("{box}: an old press was not acted on. Press again if it is still meant.").format(box=label)
            )
            self._boxes.refuse(press)
        elif self._pairing.is_asked(press.box):
            self._answer(press, presenter)
        elif not press.is_paired:
            return  # pressed before somebody said which seat it belongs to
        elif press.intent is None:
            presenter.devices.tell(label, _("button {button} means nothing here").format(button=press.button), ok=True)
            self._boxes.refuse(press)
        else:
            self.presses += 1
            self._report(self._boxes.states[press.box], presenter)
            kind = press.intent.kind
            is_answer = kind in (IntentKind.DONE, IntentKind.NO) and _is_on_cable(press.box)
            if is_answer and presenter.on_box_answer(press.seat, agrees=kind is IntentKind.DONE):
                self._boxes.accept(press)
                return
            request_read()
            self._note_state(presenter)
            if kind is IntentKind.JUDGE and not presenter.judge.is_reachable:
                kind = IntentKind.HELP  # nobody to be called: a slow press of *help* is one
            state = self._state_at(press.at + ON_ITS_WAY)
            wish = replace(press.intent, kind=kind, state=state, source=Source.BOX)
            result = presenter.on_intent(wish)
            if result is IntentResult.LATE:
                presenter.devices.tell(label, _("a press from before this turn was not acted on"), ok=True)
                told = _("{box}: a press from before this turn was not acted on. Press again if it is still meant.")
                presenter.say(told.format(box=label))
            if result in (IntentResult.REFUSED, IntentResult.NOT_THIS_SEAT, IntentResult.LATE):
                self._boxes.refuse(press)
            else:
                self._boxes.accept(press)

    def _note_state(self, presenter: Presenter) -> None:
        """Remember since when the record is in its present state."""
        state = presenter.session.state_id
        if not self._states_shown or self._states_shown[-1][1] != state:
            self._states_shown.append((self._clock(), state))

    def _state_at(self, moment: float) -> int | None:
        """The state that the record was in at a moment (monotonic seconds); the first known one before that."""
        earlier = [state for since, state in self._states_shown if since <= moment]
        return earlier[-1] if earlier else self._states_shown[0][1] if self._states_shown else None

    def _answer(self, press: ButtonPress, presenter: Presenter) -> None:
        """A press of a box that is asked about does nothing, unless it completes a row that is shown."""
        answer = self._pairing.press(press.box, press.button)
        if answer is not None:
            self._assign_seat(press.box, answer[0], presenter)
            self._boxes.accept(press)
        else:
            presenter.devices.tell(self._labels[press.box], _("touch on the screen which seat it belongs to"), ok=True)

    def _assign_seat(self, box: str, seat: int | None, presenter: Presenter) -> None:
        self._boxes.assign_seat(box, seat)
        self._doubts.answered(box)
        self._state(self._boxes.states[box], presenter)
        try:
            self.rebind(self._boxes.bindings)
        except (InvalidDocument, OSError) as error:
            presenter.devices.tell(self._labels[box], _("is not remembered: {why}").format(why=error), ok=False)


def open_boxes(texts: Sequence[str], broker: str | None, remembered: Path, stack: ExitStack) -> TableBoxes:
    """The boxes that a command line names, those remembered, and those that are found on likely serial ports.

    A broker runs for as long as `stack` lasts if a box needs one; our own boxes on a configured one are found too. If
    there can be none, boxes that are only remembered do not stop the evening.
    Raises InvalidBoxAddress, InvalidBrokerAddress, BrokerUnavailable, or InvalidDocument for the bindings file or an
    adapter record beside it.
    """
    addresses = [BoxAddress.parse(text) for text in texts]
    configured = None if broker is None else BrokerAddress.parse(broker)
    known = [*addresses, *(BoxAddress.parse(name) for name in _bindings(remembered).seats)]
    where, notices = None, []
    if configured is not None or any(address.wire in (Wire.MQTT, Wire.BUTTON) for address in known):
        try:
            running = start_broker("auto", configured)
        except BrokerUnavailable as error:
            if configured is not None or any(address.wire in (Wire.MQTT, Wire.BUTTON) for address in addresses):
                raise
            notices.append(Notice(_("broker"), error.reason))
        else:
            stack.callback(running.stop)
            where = running.address
            if running.warning:
                notices.append(Notice(_("broker"), running.warning))
    try:
        table = claim_table(remembered.parent, stack)
    except InvalidDocument as error:
        table = drawn_name()
        file = Path(error.source).name
        notices.append(Notice(_("name of the table"), _("{file} cannot be read: remove it").format(file=file)))
    except OSError as error:
        table = drawn_name()
        why = error.strerror or error
        notices.append(Notice(_("name of the table"), _("is not remembered: {why}").format(why=why)))
    search = Search(serial=True, wireless=configured is not None)
    adapters = adapters_with(remembered.with_name(ADAPTERS_FOLDER))
    return TableBoxes(
        addresses, where, remembered=remembered, search=search, adapters=adapters, notices=notices, table=table
    )


def _bindings(file: Path | None) -> Bindings:
    return load_bindings(file) if file is not None and file.exists() else default_bindings()


def _state_name(state: LinkState) -> str:
    names = {
        LinkState.CLOSED: _("not connected"),
        LinkState.OPENING: _("connecting"),
        LinkState.HELLO: _("greeted"),
        LinkState.READY: _("ready"),
        LinkState.LOST: _("lost"),
    }
    return names[state]


def battery_text(percent: int) -> str:
    """What is left in a box's battery."""
    return _("battery {percent} %").format(percent=percent)


def heard_text(seconds: float) -> str:
    """How long ago a device that greets nobody was heard."""
    if seconds < 90:
        return _("heard just now")
    if seconds < 5400:
        return _("heard {minutes} min ago").format(minutes=round(seconds / 60))
    return _("heard {hours} h ago").format(hours=round(seconds / 3600))


def _label(state: BoxState) -> str:
    """What people call a box: by its seat where it has one."""
    if state.seat is not None:
        return _("box {seat}").format(seat=state.seat)
    return state.box if state.is_paired else _("new box {name}").format(name=state.box)


def _asked_label(state: BoxState, *, is_doubtful: bool) -> str:
    """What people call a box that is asked about, with the reason if it had a seat."""
    if is_doubtful:
        return _("{box}, whose port may have been exchanged with another").format(box=_label(state))
    if state.is_paired and state.seat is not None:
        return _("{box} of seat {seat}, which does not play").format(box=state.box, seat=state.seat)
    return _label(state)


def _in_order_of_time(presses: Sequence[ButtonPress]) -> list[ButtonPress]:
    """By the time of the finger; those of one box stay in the order in which it reported them."""
    latest: dict[str, float] = {}
    keys = {}
    for press in presses:
        keys[press.number] = latest[press.box] = max(press.at, latest.get(press.box, press.at))
    return sorted(presses, key=lambda press: keys[press.number])


def _is_on_cable(box: str) -> bool:
    """Whether a box is plugged in: on a broker anybody can press in its name, which must give no phone a seat."""
    return box.partition(":")[0] in (Wire.SERIAL, Wire.USB)
