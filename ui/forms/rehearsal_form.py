"""The rehearsal on the screen: camera, boxes, record and export, one after the other, and a verdict. No Kivy."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from companion.errors import CompanionError
from companion.frozen import FrozenDict
from companion.registry import GAMES, load_game, print_and_play_board
from companion.table import Table
from firmware_bridge.boxes import Boxes
from firmware_bridge.errors import BridgeError
from firmware_bridge.presses.events import BoxEvent, BoxState, ButtonPress
from firmware_bridge.protocol.messages import LinkState
from ui.forms.rehearsal import Result, Section, Submission, is_ready, tried, try_boxes, try_camera, try_game, try_lag
from ui.hardware.box_search import every_gesture, remembered_bindings
from ui.services.text import _, capitalised, error_text
from ui.setup.wizard import Draft
from ui.shell.shell import Shell
from ui.view_models.form_view import FormModel, Note, Picks, Row, SectionHeading, Tone, pick
from vision.camera.lag import TRIALS, LagMeasurement

BOX_SECONDS = 45.0
LAG_SECONDS = 60.0
TONES = {Result.FINE: Tone.GOOD, Result.LEFT_OUT: Tone.PLAIN, Result.NOT_FINE: Tone.BAD}


class RehearsalForm(FormModel):
    """Tries one section after the other in a thread of its own, and shows each as it is finished."""

    def __init__(self, shell: Shell) -> None:
        self._shell, self._devices = shell, shell.devices
        loop = shell.table_loop
        games = shell.store.games()
        self._game = loop.presenter.session.table.game if loop is not None else ""
        self._game = self._game or (games[0].game if games else next(iter(GAMES)))
        self._with_boxes = self._devices.bindings_file.exists()
        """boxes are tried unasked where this device has ever had one"""
        self._sections: list[Section] = []
        self._doing = ""
        self._heard: queue.Queue[BoxEvent] = queue.Queue()
        self._there: dict[str, None] = {}
        """the boxes that are there, in the order in which they came"""
        self._pressed: dict[str, set[int]] = {}
        self._lag = LagMeasurement()
        self._measured: queue.Queue[float] = queue.Queue()
        self._skip, self._stop = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None

    def heading(self) -> str:
        """What the screen is about."""
        return _("Rehearsal")

    def rows(self) -> Sequence[Row]:
        """The choice of what is tried, then how it went."""
        rows: list[Row] = []
        if self._thread is None and not self._sections:
            rows.append(Note(_("Tries everything that an evening needs, in two minutes, before the guests come.")))
            if self._shell.table_loop is None:
                games = tuple(pick(game, load_game(game).info.title, chosen=game == self._game) for game in GAMES)
                rows += [SectionHeading(_("Which game will be played?")), Picks("game", games, 2)]
            rows.append(SectionHeading(_("What is used?")))
            camera = self._devices.camera or _("no camera is chosen")
            rows.append(Note(_("Camera: {camera}").format(camera=camera)))
            rows.append(
                Picks(
                    "boxes",
                    (
                        pick("yes", _("With button boxes"), chosen=self._with_boxes),
                        pick("no", _("Without boxes"), chosen=not self._with_boxes),
                    ),
                    2,
                )
            )
            return [*rows, Picks("do", (pick("begin", _("Begin"), leads=True),), 1)]
        names = {
            "camera": _("Camera"), "delay": _("Delay of the camera"), "boxes": _("Button boxes"),
            "record and export": _("Record and export"),
        }  # fmt: skip
        results = {Result.FINE: _("fine"), Result.LEFT_OUT: _("left out"), Result.NOT_FINE: _("not fine")}
        for section in list(self._sections):
            rows += [
                SectionHeading(names[section.title]),
                Note(capitalised(results[section.result]), TONES[section.result]),
            ]
            rows += [Note(line) for line in section.lines]
        if self._thread is not None:
            rows.append(SectionHeading(names[self._doing] if self._doing else _("One moment…")))
            if self._doing == "boxes":
                asking = _("Press every button of every box once; the lamp beside it flashes.")
                rows.append(Note(asking if self._there else _("Looking for boxes…"), Tone.ASKING))
                rows += [
                    Note(f"{box}: {', '.join(map(str, sorted(self._pressed.get(box, ())))) or '–'}", Tone.GOOD)
                    for box in self._there
                ]
                rows.append(Picks("do", (pick("skip", _("Go on")),), 1))
            elif self._doing == "delay":
                text = _("Touch the button and move your other hand over the board at the same moment: {count} times.")
                rows.append(Note(text.format(count=TRIALS), Tone.ASKING))
                seen = _("{count} of {all} seen").format(count=len(self._lag.lags), all=TRIALS)
                rows.append(Note(seen, Tone.GOOD))
                rows.append(Picks("do", (pick("now", _("Now"), leads=True), pick("skip", _("Go on"))), 2))
            else:
                rows.append(Note(_("One moment…"), Tone.ASKING))
            return rows
        if is_ready(self._sections):
            rows.append(Note(_("Ready to play."), Tone.GOOD))
        else:
            rows.append(Note(_("Not ready: see above."), Tone.BAD))
        return [*rows, Picks("do", (pick("again", _("Once more")),), 1)]

    def touch(self, key: str, value: str) -> None:
        """Something was touched."""
        match key, value:
            case "game", _game:
                self._game = value
            case "boxes", _answer:
                self._with_boxes = value == "yes"
            case "do", "begin":
                self._begin()
            case "do", "now":
                self._lag.press(time.monotonic())
            case "do", "skip":
                self._skip.set()
            case "do", "again":
                self._sections = []

    def tick(self) -> None:
        """Take the button presses and what the table's camera sees; when the thread has ended, show the verdict."""
        self._look_for_hand()
        while not self._heard.empty():
            event = self._heard.get()
            if isinstance(event, ButtonPress):
                self._pressed.setdefault(event.box, set()).add(event.button)
            elif isinstance(event, BoxState) and event.state is LinkState.READY:
                self._there[event.box] = None
            elif isinstance(event, BoxState):
                self._there.pop(event.box, None)
        if not self._measured.empty():
            self._keep_lag(self._measured.get())
        if self._thread is not None and not self._thread.is_alive():
            self._thread = None
            self._devices.return_boxes()

    def _keep_lag(self, seconds: float) -> None:
        try:
            self._devices.keep_lag(seconds)
        except (CompanionError, OSError) as error:
            self._sections.append(Section("delay", Result.NOT_FINE, (error_text(error),), 0.0))

    def _look_for_hand(self) -> None:
        """At an open table its own reader reports motion."""
        loop = self._shell.table_loop
        reading = loop.report.reading if loop is not None and loop.report is not None else None
        observation = reading.observation if reading is not None else None
        if self._doing == "delay" and observation is not None:
            self._lag.saw(observation.time, moves=not observation.quiet)

    def close(self) -> None:
        """Stop; the open table gets its boxes back once the current section has ended."""
        self._stop.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            threading.Thread(target=self._leave, args=(thread,), name="end of the rehearsal").start()

    def _leave(self, thread: threading.Thread) -> None:
        thread.join()
        loop = self._shell.table_loop
        if loop is not None:
            loop.post(self._devices.return_boxes)

    def _begin(self) -> None:
        self._sections, self._there, self._pressed, self._lag = [], {}, {}, LagMeasurement()
        self._stop.clear()
        self._devices.release_boxes()
        self._thread = threading.Thread(target=self._run, name="rehearsal", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        trials: dict[str, Callable[[], Submission]] = {
            "camera": self._try_camera, "delay": self._try_lag, "boxes": self._try_boxes,
            "record and export": self._try_game,
        }  # fmt: skip
        if not self._devices.camera:
            del trials["delay"]
        for title, trial in trials.items():
            self._doing = title
            self._skip.clear()
            try:
                self._sections.append(tried(title, trial))
            except (CompanionError, BridgeError, OSError) as error:
                self._sections.append(Section(title, Result.NOT_FINE, (error_text(error),), 0.0))
        self._doing = ""

    def _try_camera(self) -> Submission:
        if not self._devices.camera:
            return Result.LEFT_OUT, [_("no camera is chosen")]
        loop, expected = self._shell.table_loop, None
        board = print_and_play_board(self._game) if loop is None else loop.presenter.board
        if loop is not None:
            session = loop.presenter.session
            expected = session.game.appearance(session.state)
        profile, lens = self._devices.profile(board), self._devices.lens()
        result, lines = try_camera(self._devices.photograph, board, lens, expected, profile)
        problem = self._devices.lens_problem()
        return (Result.NOT_FINE, [*lines, problem]) if problem else (result, lines)

    def _is_enough(self) -> bool:
        """Whether the section under way ends: somebody went on, or left."""
        return self._skip.is_set() or self._stop.is_set()

    def _try_lag(self) -> Submission:
        if self._sections[-1].result is Result.NOT_FINE:
            return Result.LEFT_OUT, [_("the camera's delay was not measured")]
        loop = self._shell.table_loop
        opened = None if loop is not None and loop.camera is not None else self._devices.watch
        return try_lag(self._lag, opened, LAG_SECONDS, self._measured.put, self._is_enough)

    def _try_boxes(self) -> Submission:
        if not self._with_boxes:
            return Result.LEFT_OUT, [_("no boxes are used")]
        return try_boxes(self._boxes, BOX_SECONDS, self._heard.put, self._is_enough)

    def _try_game(self) -> Submission:
        return try_game(self._table(), self._shell.folder)

    def _boxes(self) -> AbstractContextManager[Boxes]:
        seats = remembered_bindings(self._devices.bindings_file).seats
        return self._devices.listen(every_gesture(seats))

    def _table(self) -> Table:
        """A table with the fewest possible players and the usual set-up."""
        board, fewest = print_and_play_board(self._game), load_game(self._game).info.seats[0]
        names = tuple(_("Player {seat}").format(seat=seat) for seat in range(1, fewest + 1))
        draft = Draft(self._game, board, names, board.palette[:fewest])
        outcomes = {option.name: option.names[: option.count] for option in draft.options}
        return Draft(self._game, board, names, board.palette[:fewest], outcomes=FrozenDict(outcomes)).table()
