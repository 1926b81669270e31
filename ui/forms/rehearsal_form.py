"""The rehearsal on the screen: camera, boxes, record and export, one after the other, and a verdict. No Kivy."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from companion.errors import CompanionError
from companion.frozen import FrozenDict
from companion.registry import GAMES, load_game, print_and_play_board
from companion.table import Table
from firmware_bridge.boxes import Boxes
from firmware_bridge.errors import BridgeError
from firmware_bridge.events import BoxEvent, ButtonPress
from ui.forms.rehearsal import Result, Section, Submission, is_ready, tried, try_boxes, try_camera, try_game
from ui.hardware.box_search import every_gesture, remembered_bindings
from ui.services.text import _, capitalised
from ui.setup.wizard import Draft
from ui.shell.shell import Shell
from ui.view_models.form_view import FormModel, Note, Picks, Row, SectionHeading, Tone, pick

BOX_SECONDS = 45.0
TONES = {Result.FINE: Tone.GOOD, Result.LEFT_OUT: Tone.PLAIN, Result.NOT_FINE: Tone.BAD}


class RehearsalForm(FormModel):
    """Tries one section after the other in a thread of its own, and shows each as it is finished."""

    def __init__(self, shell: Shell) -> None:
        self._shell, self._devices = shell, shell.devices
        loop = shell.table_loop
        games = shell.store.games()
        self._game = loop.presenter.session.table.game if loop is not None else ""
        self._game = self._game or (games[0].game if games else next(iter(GAMES)))
        self._with_boxes = True
        self._sections: list[Section] = []
        self._doing = ""
        self._heard: queue.Queue[BoxEvent] = queue.Queue()
        self._pressed: dict[str, set[int]] = {}
        self._stop = threading.Event()
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
            return [*rows, Picks("do", (pick("begin", _("Begin"), chosen=True),), 1)]
        names = {"camera": _("Camera"), "boxes": _("Button boxes"), "record and export": _("Record and export")}
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
                rows.append(Note(_("Press every button of every box once; the lamp beside it flashes."), Tone.ASKING))
                rows += [
                    Note(f"{box}: {', '.join(map(str, sorted(buttons)))}", Tone.GOOD)
                    for box, buttons in self._pressed.items()
                ]
                rows.append(Picks("do", (pick("skip", _("Go on")),), 1))
            else:
                rows.append(Note(_("One moment…"), Tone.ASKING))
            return rows
        if is_ready(self._sections):
            rows.append(Note(_("Ready to play."), Tone.GOOD))
        else:
            rows.append(Note(_("Not ready: see above."), Tone.BAD))
        return [*rows, Picks("do", (pick("again", _("Once more"), chosen=True),), 1)]

    def touch(self, key: str, value: str) -> None:
        """Something was touched."""
        match key, value:
            case "game", _game:
                self._game = value
            case "boxes", _answer:
                self._with_boxes = value == "yes"
            case "do", "begin":
                self._begin()
            case "do", "skip":
                self._stop.set()
            case "do", "again":
                self._sections = []

    def tick(self) -> None:
        """Take the button presses; when the thread has ended, show the verdict."""
        while not self._heard.empty():
            event = self._heard.get()
            if isinstance(event, ButtonPress):
                self._pressed.setdefault(event.box, set()).add(event.button)
        if self._thread is not None and not self._thread.is_alive():
            self._thread = None
            self._devices.return_boxes()

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
        self._sections, self._pressed = [], {}
        self._stop.clear()
        self._devices.release_boxes()
        self._thread = threading.Thread(target=self._run, name="rehearsal", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        trials: dict[str, Callable[[], Submission]] = {
            "camera": self._try_camera, "boxes": self._try_boxes, "record and export": self._try_game,
        }  # fmt: skip
        for title, trial in trials.items():
            self._doing = title
            try:
                self._sections.append(tried(title, trial))
            except (CompanionError, BridgeError, OSError) as error:
                self._sections.append(Section(title, Result.NOT_FINE, (str(error),), 0.0))
        self._doing = ""

    def _try_camera(self) -> Submission:
        if not self._devices.camera:
            return Result.LEFT_OUT, [_("no camera is chosen")]
        loop = self._shell.table_loop
        if loop is None:
            board = print_and_play_board(self._game)
            return try_camera(self._devices.photograph, board, self._devices.lens(), None, self._devices.profile(board))
        session = loop.presenter.session
        expected = session.game.appearance(session.state)
        board = session.table.board
        return try_camera(self._devices.photograph, board, self._devices.lens(), expected, self._devices.profile(board))

    def _try_boxes(self) -> Submission:
        if not self._with_boxes:
            return Result.LEFT_OUT, [_("no boxes are used")]
        return try_boxes(self._boxes, BOX_SECONDS, self._heard.put, self._stop.is_set)

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
