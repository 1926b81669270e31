"""Evenings of random gestures and what the table shows after each: lines that came (+), and that went (-).

`scripts/goldens` writes what is shown anew for the gestures in the transcripts; a test makes them and compares.
`python -m tests.ui.transcripts.evenings anew` invents other gestures, where those that are written fit no more.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from companion.board.layout import EMPTY
from companion.engine import apply_unchecked
from companion.registry import GAMES
from companion.session.intents import Intent, IntentKind
from tests.every_game import folder_of_tests
from tests.ui.test_presenter import WatchedTable
from ui.table.composing import CAMERA
from ui.table.seating import UnseatedBox
from ui.view_models.play_view import PieceState, PlayView, ScoreView

GESTURES = 110
SHOWN_CHOICES = 6
PRESSES = {
    IntentKind.DONE: 9, IntentKind.NO: 4, IntentKind.NEXT: 4, IntentKind.HELP: 4, IntentKind.UNDO: 2,
    IntentKind.REDO: 2, IntentKind.CHOOSE: 2, IntentKind.PAUSE: 1,
}  # fmt: skip
"""what is pressed at a table that no organiser looks after -> how often"""

Gesture = tuple[Any, ...]
"""the name of a method of Evening and its arguments"""


class Evening:
    """A table at which gestures are made; each has a name and arguments that can be written down as JSON."""

    def __init__(self, game: str) -> None:
        self.table = WatchedTable(game)
        self.presenter = self.table.presenter

    def make(self, name: str, *arguments: Any) -> None:
        """Make one gesture."""
        getattr(self, name)(*arguments)

    def choose(self, key: str) -> None:
        self.presenter.on_choice(key)

    def touch(self, site: str) -> None:
        self.presenter.on_site(site)

    def press(self, kind: str, seat: int | None, choice: int | None) -> None:
        self.presenter.on_intent(Intent(IntentKind(kind), seat, choice))

    def play(self, action: str, looks: int) -> None:
        """Lay the board as it is after an action, before the camera."""
        game, state = self.table.session.game, self.table.session.state
        self.table.look = dict(game.appearance(apply_unchecked(game, state, game.parse_action(action, state)).state))
        self.see(looks)

    def lay(self, spot: str, label: str, looks: int) -> None:
        self.table.lay({spot: label})
        self.see(looks)

    def put_right(self, looks: int) -> None:
        """Lay the board as the record has it."""
        self.table.look = dict(self.table.session.game.appearance(self.table.session.state))
        self.see(looks)

    def see(self, looks: int) -> None:
        for _ in range(looks):
            self.table.see()

    def see_covered(self, quiet: bool, covered: list[str]) -> None:
        self.table.see(quiet=quiet, covered=frozenset(covered))

    def correct(self, number: int | None) -> None:
        self.presenter.on_correct(number)

    def camera_lost(self) -> None:
        self.presenter.on_camera_lost("unplugged")

    def camera_gone(self) -> None:
        self.presenter.on_camera_gone()

    def device(self, name: str, state: str, ok: bool) -> None:
        self.presenter.devices.tell(name, state, ok=ok)

    def device_gone(self, name: str) -> None:
        self.presenter.devices.forget(name)

    def unseated(self, box: str) -> None:
        self.presenter.devices.ask_for_seat(f"mqtt:{box}", UnseatedBox(box, {1: (1, 2, 1), 0: (2, 2, 1)}))

    def seated(self, box: str) -> None:
        self.presenter.devices.take_answers()
        self.presenter.devices.seated(f"mqtt:{box}")

    def leave(self, seat: int) -> None:
        self.presenter.on_leave(seat)

    def come_back(self, seat: int) -> None:
        self.presenter.on_return(seat)

    def mark_score(self, line: int) -> None:
        self.presenter.on_score_line(line)

    def wait(self, seconds: float) -> None:
        self.table.wait(seconds)


class Mind:
    """Invents gestures by a seed, where the table offers something to do rather there than anywhere."""

    def __init__(self, evening: Evening, seed: int) -> None:
        self._random = Random(seed)
        self._evening = evening
        self._is_watched = False
        self._left: set[int] = set()

    def gesture(self) -> Gesture:
        """The next gesture."""
        weights = {
            self._play: 14, self._press: 6, self._touch: 5, self._choose: 7, self._correct: 2, self._lay: 3,
            self._lift: 2, self._look: 3, self._put_right: 3, self._cover: 2, self._camera: 1, self._box: 1,
            self._attend: 1, self._others: 2,
        }  # fmt: skip
        return self._random.choices(list(weights), list(weights.values()))[0]()

    def _looks(self) -> int:
        self._is_watched = True
        return self._random.randint(1, 3)

    def _play(self) -> Gesture:
        session = self._evening.table.session
        legal = session.legal_actions()
        if not legal:
            return self._press()
        action = self._random.choice(legal)
        after = session.game.appearance(apply_unchecked(session.game, session.state, action).state)
        if self._is_watched and dict(after) != dict(session.game.appearance(session.state)):
            return "play", action.text, self._looks()
        return "choose", action.text

    def _press(self) -> Gesture:
        kind = self._random.choices(list(PRESSES), list(PRESSES.values()))[0]
        choice = self._random.randint(1, 4) if kind is IntentKind.CHOOSE else None
        return "press", kind.value, self._random.choice([None, None, 1, 2]), choice

    def _touch(self) -> Gesture:
        sheets = self._evening.presenter.board.sheets
        sites = sorted({spot.site for sheet in sheets for spot in sheet.spots.values()})
        legal = sorted(self._evening.table.view.legal_sites)
        return "touch", self._random.choice(legal if legal and self._random.random() < 0.5 else sites)

    def _choose(self) -> Gesture:
        choices = self._evening.table.view.choices[:SHOWN_CHOICES]
        return ("choose", self._random.choice(choices).key) if choices else self._press()

    def _correct(self) -> Gesture:
        entries = len(self._evening.table.session.entries)
        return "correct", self._random.choice([None, None, self._random.randint(1, entries + 1)])

    def _lay(self) -> Gesture:
        sheet = self._random.choice(self._evening.presenter.board.sheets)
        spot = self._random.choice(sorted(sheet.spots.values(), key=lambda spot: spot.name))
        return "lay", spot.name, self._random.choice([each for each in spot.labels if each != EMPTY]), self._looks()

    def _lift(self) -> Gesture:
        lying = sorted(spot for spot, label in self._evening.table.look.items() if label != EMPTY)
        return ("lay", self._random.choice(lying), EMPTY, self._looks()) if lying else self._look()

    def _look(self) -> Gesture:
        return "see", self._looks()

    def _put_right(self) -> Gesture:
        return "put_right", self._looks()

    def _cover(self) -> Gesture:
        spots = sorted(name for sheet in self._evening.presenter.board.sheets for name in sheet.spots)
        self._is_watched = True
        return (
            "see_covered",
            self._random.random() < 0.3,
            sorted(self._random.sample(spots, self._random.randint(0, 3))),
        )

    def _camera(self) -> Gesture:
        if self._random.random() < 0.3:
            self._is_watched = False
            return ("camera_gone",)
        states = [("ready", True), ("looking for the board", True), ("busy", False)]
        return self._random.choice([("camera_lost",), *(("device", CAMERA, *state) for state in states)])

    def _box(self) -> Gesture:
        states: list[Gesture] = [("device", "blue", "ready", True), ("device", "blue", "lost", False)]
        return self._random.choice([*states, ("device_gone", "blue"), ("unseated", "blue"), ("seated", "blue")])

    def _attend(self) -> Gesture:
        seat = self._random.randint(1, 2)
        self._left ^= {seat}
        return ("leave" if seat in self._left else "come_back"), seat

    def _others(self) -> Gesture:
        return self._random.choice([("mark_score", self._random.randint(0, 6)), ("wait", 1.0), ("wait", 10.0)])


def invented(game: str, seed: int = 1) -> Iterator[Gesture]:
    """New gestures for an evening, each invented at the table that the ones before it have led to."""
    evening = Evening(game)
    mind = Mind(evening, seed)
    for _ in range(GESTURES):
        gesture = mind.gesture()
        yield gesture
        evening.make(*gesture)


def written(text: str) -> list[Gesture]:
    """The gestures that a transcript tells of."""
    return [tuple(json.loads(line[5:])) for line in text.splitlines() if line[:3].strip().isdecimal()]


def transcript(game: str, gestures: Iterable[Gesture]) -> str:
    """The gestures of one evening and what each changed on the screen."""
    return "\n".join(_transcript(Evening(game), gestures)) + "\n"


def _transcript(evening: Evening, gestures: Iterable[Gesture]) -> Iterator[str]:
    before: list[str] = []
    for number, gesture in enumerate(gestures, 1):
        evening.make(*gesture)
        now = list(shown(evening.table.view))
        yield f"{number:3}  {json.dumps(gesture, ensure_ascii=False)}"
        came = [line for line in now if line not in before]
        replaced = {line.partition(":")[0] for line in came}
        yield from (f"  - {line}" for line in before if line not in now and line.partition(":")[0] not in replaced)
        yield from (f"  + {line}" for line in came)
        before = now
    yield "the end"
    yield from (f"    {line}" for line in before)
    evening.presenter.on_end_early("Time is up")
    yield "ended early"
    yield from (f"  + {line}" for line in shown(evening.table.view) if line not in before)


def shown(view: PlayView) -> Iterator[str]:
    """All that a view shows, a line for each thing."""
    yield f"{view.title}: {view.prompt}"
    yield f"camera: {view.eyes}"
    for player in view.players:
        marks = (" acts" if player.acts else "") + (" has left" if player.has_left else "")
        marks += " has passed" if player.has_passed else ""
        held = "; ".join(f"{name} {value}" for name, value in player.holdings)
        yield f"seat {player.seat} {player.name} {player.colour} {player.points}{marks}: {held}"
    yield f"pieces: {sum(piece.state is PieceState.PLACED for piece in view.pieces)} as recorded"
    for piece in view.pieces:
        if piece.state is not PieceState.PLACED:
            yield f"piece {piece.spot}: {piece.label} {piece.state}"
    for line in view.log[-4:]:
        yield f"log {line.number} seat {line.seat} {line.kind}: {line.text}{' (undone)' if line.undone else ''}"
    for button in view.buttons:
        marks = ("" if button.enabled else " off") + (" strong" if button.strong else "")
        yield f"button {button.intent}: {button.text}{marks}"
    yield f"choices: {len(view.choices)}"
    for choice in view.choices[:SHOWN_CHOICES]:
        forbidden = " forbidden" if choice.forbidden else ""
        yield f"choice {choice.key}: {choice.group} | {choice.text} | {' '.join(choice.sites)}{forbidden}"
    for name, value in view.open_supply:
        yield f"open: {name} {value}"
    if view.verdict is not None:
        yield f"verdict {view.verdict.kind}: {view.verdict.headline}"
        for sentence, source in view.verdict.sentences:
            yield f"verdict says: {sentence} [{source or ''}]"
        if view.verdict.spots or view.verdict.sites:
            yield f"verdict marks: {' '.join(view.verdict.spots)} | {' '.join(sorted(view.verdict.sites))}"
    yield f"{view.undo or 'nothing to undo'}; {view.redo or 'nothing to redo'}; correctable: {view.correctable}"
    for device in view.devices:
        yield f"device {device.name}: {device.state}{'' if device.ok else ' (trouble)'}"
    yield f"legal sites: {len(view.legal_sites)} {' '.join(sorted(view.legal_sites)[:3])}"
    if view.score is not None:
        yield from _shown_score(view.score)


def _shown_score(score: ScoreView) -> Iterator[str]:
    marks = (" final" if score.final else "") + (" decided" if score.decided else "")
    yield f"score{marks}: {score.heading} {score.result} {' '.join(score.notes)}"
    for seat, name, points, rank in score.ranking:
        yield f"score rank {rank}: seat {seat} {name} {points}"
    for line in score.lines:
        sites = " ".join(line.sites)
        yield f"score line: seat {line.seat} {line.title} {line.detail} {line.points} {line.rule} {sites}"


def file_of(game: str) -> Path:
    """Where the transcript of a game's evening is kept."""
    return folder_of_tests(game) / "evening.txt"


def write_all(*, anew: bool) -> None:
    """Write the transcripts of all games: of the gestures they hold, or of newly invented ones."""
    for game in GAMES:
        path = file_of(game)
        gestures = invented(game) if anew or not path.exists() else written(path.read_text(encoding="utf-8"))
        path.write_text(transcript(game, list(gestures)), encoding="utf-8")


if __name__ == "__main__":
    write_all(anew="anew" in sys.argv)
