"""Tables of the benchmark of trust: a presenter before a camera whose readings are made up or drawn."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from benchmarks.moments import Moment
from companion.board.layout import EMPTY
from companion.session.intents import Intent, IntentKind
from companion.session.observation import Observation
from companion.session.session import Session
from ui.simulated_table.scene import Scene
from ui.table.corrections.amending import RECORD_RIGHT
from ui.table.presenter import Presenter
from ui.view_models.play_view import VerdictKind
from vision.camera.frames import CameraFrame
from vision.location.board_pose import BoardNotFound
from vision.sheets import SheetsReader

STEP = 0.8
"""seconds between quiet readings, as a reader gives them"""
SURE = (0.96, 0.999)
"""probability of what lies on a spot that is seen clearly"""


class WatchedTable:
    """A presenter before a camera whose readings are made up from what lies on the table."""

    def __init__(self, moment: Moment, random: Random) -> None:
        self.now = 100.0
        self.session = Session(moment.log)
        self.presenter = Presenter(self.session, clock=lambda: self.now)
        self.look = dict(self.session.game.appearance(moment.states[0]))
        self.alarmed = False
        self.agreed = moment.states[0]
        """what the record said when it was last looked at after a move"""
        self._random = random
        self._spots = [spot for sheet in self.session.table.board.sheets for spot in sheet.spots.values()]
        self.see()
        self.see()

    def see(self, doubts: Mapping[str, Mapping[str, float]] | None = None, seconds: float = STEP) -> None:
        """A quiet reading; `doubts` replace what some spots show."""
        self.now += seconds
        posteriors: dict[str, Mapping[str, float]] = {}
        for spot in self._spots:
            label, sure = self.look.get(spot.name, EMPTY), self._random.uniform(*SURE)
            other = self._random.choice([each for each in (EMPTY, *spot.labels) if each != label])
            posteriors[spot.name] = {label: sure, other: 1.0 - sure}
        self._observe(posteriors | dict(doubts or {}), quiet=True)
        self._look_for_alarm()

    def _look_for_alarm(self) -> None:
        verdict = self.presenter.view().verdict
        self.alarmed |= self.presenter.view().eyes in ("proposed", "out of step")
        self.alarmed |= verdict is not None and verdict.kind is VerdictKind.REFUSED

    def hand(self, spots: frozenset[str]) -> None:
        """A hand over some spots."""
        self.now += STEP / 2
        self._observe({}, quiet=False, covered=spots)

    def doubt(self) -> Mapping[str, Mapping[str, float]]:
        """A spot that is half seen as something else."""
        spot = self._random.choice(self._spots)
        label = self.look.get(spot.name, EMPTY)
        other = self._random.choice([each for each in (EMPTY, *spot.labels) if each != label])
        share = self._random.uniform(0.3, 0.6)
        return {spot.name: {other: share, label: 1.0 - share}}

    def blind(self) -> None:
        """The camera is pushed, and cannot read the board for the moment."""
        self.now += STEP
        self.presenter.on_camera_blinded("none of the markers is seen")

    def press(self, seat: int | None) -> None:
        """A press of *done*."""
        self.now += 0.1
        self.presenter.on_intent(Intent(IntentKind.DONE, seat))

    def lay(self, state: Any) -> None:
        """Let the table look as a state does."""
        self.look = dict(self.session.game.appearance(state))

    def _observe(self, posteriors: Mapping[str, Mapping[str, float]], *, quiet: bool, **options: Any) -> None:
        board = self.session.table.board
        self.presenter.on_camera_alive()
        self.presenter.on_observation(
            Observation(board.id, int(self.now * 10), self.now, posteriors, quiet=quiet, **options)
        )


class RenderedTable(WatchedTable):
    """The same before the simulated table's camera and the real reader; what it misreads at first is put right."""

    def __init__(self, moment: Moment, random: Random, scene: Scene, reader: SheetsReader) -> None:
        self._scene, self._reader = scene, reader
        super().__init__(moment, random)
        if self.alarmed:
            self.presenter.on_choice(RECORD_RIGHT)
            self.alarmed = False
            self.see()

    def see(self, doubts: Mapping[str, Mapping[str, float]] | None = None, seconds: float = STEP) -> None:
        """A quiet reading of a drawn picture, in which nothing is made doubtful."""
        self.now += seconds
        look = {spot: label for spot, label in self.look.items() if spot in self._scene.board.spots}
        frame = CameraFrame(self._scene.frame(look), self.now, int(self.now * 10))
        reading = self._reader.look(frame.image)
        if isinstance(reading, BoardNotFound):
            self.presenter.on_camera_blinded(reading.reason)
            return
        observation = reading.observation(self._scene.board, frame)
        self.presenter.on_camera_alive()
        self.presenter.on_observation(observation)
        self._look_for_alarm()
