"""Evenings of random gestures and what the table shows after each: lines that came (+), and that went (-).

`scripts/goldens` writes the transcripts anew; a test makes the same gestures and compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from companion.board.layout import EMPTY
from companion.engine import apply_unchecked
from companion.registry import GAMES
from companion.session.intents import Intent, IntentKind
from tests.ui.test_presenter import WatchedTable
from ui.table.composing import CAMERA
from ui.view_models.play_view import PieceState, PlayView, ScoreView

FOLDER = Path(__file__).parent
GESTURES = 110
SHOWN_CHOICES = 6


class Evening:
    """A table at which somebody with a seeded mind does all that can be done at one."""

    def __init__(self, game: str, seed: int) -> None:
        self.random = Random(seed)
        self.table = WatchedTable(game)
        self.is_watched = False
        self.left: set[int] = set()

    def gesture(self) -> str:
        """Do something and name it."""
        gestures = {
            self.play: 14, self.press: 6, self.touch_site: 5, self.choose: 7, self.correct: 2, self.lay_wrongly: 3,
            self.lift: 2, self.cover: 2, self.look: 3, self.put_right: 3,
            self.camera: 1, self.box: 1, self.leave: 1, self.mark_score: 1,
            self.wait: 1,
        }  # fmt: skip
        return self.random.choices(list(gestures), list(gestures.values()))[0]()

    def play(self) -> str:
        session = self.table.session
        legal = session.legal_actions()
        if not legal:
            return self.press()
        action = self.random.choice(legal)
        after = session.game.appearance(apply_unchecked(session.game, session.state, action).state)
        if not self.is_watched or dict(after) == dict(session.game.appearance(session.state)):
            self.table.presenter.on_choice(action.text)
            return f"touches {action.text}"
        self.table.look = dict(after)
        looks = self.random.randint(1, 3)
        for _ in range(looks):
            self.table.see()
        return f"plays {action.text}, seen {looks} times"

    def press(self) -> str:
        kind = self.random.choices(list(IntentKind), [9, 4, 4, 4, 2, 2, 2, 1])[0]
        seat = self.random.choice([None, None, 1, 2])
        choice = self.random.randint(1, 4) if kind is IntentKind.CHOOSE else None
        result = self.table.presenter.on_intent(Intent(kind, seat, choice))
        return f"presses {kind} {choice or ''} at {seat or 'the screen'}: {result}"

    def touch_site(self) -> str:
        sites = sorted({spot.site for sheet in self.table.presenter.board.sheets for spot in sheet.spots.values()})
        legal = sorted(self.table.view.legal_sites)
        site = self.random.choice(legal if legal and self.random.random() < 0.5 else sites)
        self.table.presenter.on_site(site)
        return f"touches {site}"

    def choose(self) -> str:
        choices = self.table.view.choices
        if not choices:
            return self.press()
        choice = self.random.choice(choices[:SHOWN_CHOICES])
        self.table.presenter.on_choice(choice.key)
        return f"chooses {choice.key}"

    def correct(self) -> str:
        entries = len(self.table.session.entries)
        number = self.random.choice([None, None, self.random.randint(1, entries + 1)])
        self.table.presenter.on_correct(number)
        return f"corrects {number or 'the latest'}"

    def lay_wrongly(self) -> str:
        sheet = self.random.choice(self.table.presenter.board.sheets)
        spot = self.random.choice(sorted(sheet.spots.values(), key=lambda spot: spot.name))
        label = self.random.choice([each for each in spot.labels if each != EMPTY])
        self.table.lay({spot.name: label})
        return f"lays {label} on {spot.name}; {self.look()}"

    def lift(self) -> str:
        lying = sorted(spot for spot, label in self.table.look.items() if label != EMPTY)
        if not lying:
            return self.look()
        spot = self.random.choice(lying)
        del self.table.look[spot]
        return f"lifts what lies on {spot}; {self.look()}"

    def cover(self) -> str:
        spots = sorted(name for sheet in self.table.presenter.board.sheets for name in sheet.spots)
        covered = frozenset(self.random.sample(spots, self.random.randint(0, 3)))
        quiet = self.random.random() < 0.3
        self.table.see(quiet=quiet, covered=covered)
        self.is_watched = True
        return f"is seen {'quiet' if quiet else 'moving'}, covered {', '.join(sorted(covered)) or 'nothing'}"

    def look(self) -> str:
        looks = self.random.randint(1, 3)
        for _ in range(looks):
            self.table.see()
        self.is_watched = True
        return f"is seen {looks} times"

    def camera(self) -> str:
        presenter = self.table.presenter
        match self.random.randrange(3):
            case 0:
                presenter.on_camera_lost("unplugged")
                return "loses the camera"
            case 1:
                presenter.on_camera_gone()
                self.is_watched = False
                return "has no camera any more"
            case _:
                state, ok = self.random.choice([("ready", True), ("looking for the board", True), ("busy", False)])
                presenter.on_device(CAMERA, state, ok=ok)
                return f"hears from the camera: {state}"

    def put_right(self) -> str:
        self.table.look = dict(self.table.session.game.appearance(self.table.session.state))
        return f"puts the board right; {self.look()}"

    def box(self) -> str:
        presenter = self.table.presenter
        match self.random.randrange(4):
            case 0:
                presenter.on_device("blue", self.random.choice(["ready", "lost"]), ok=self.random.random() < 0.5)
                return "hears from a box"
            case 1:
                presenter.on_device_gone("blue")
                return "forgets a box"
            case 2:
                presenter.on_unseated("mqtt:blue", "blue")
                return "finds a box without a seat"
            case _:
                answers = presenter.take_seat_answers()
                presenter.on_seated("mqtt:blue")
                return f"seats a box: {answers}"

    def leave(self) -> str:
        seat = self.random.randint(1, 2)
        if seat in self.left:
            self.left.remove(seat)
            self.table.presenter.on_return(seat)
            return f"sees player {seat} come back"
        self.left.add(seat)
        self.table.presenter.on_leave(seat)
        return f"sees player {seat} leave"

    def mark_score(self) -> str:
        index = self.random.randint(0, 6)
        self.table.presenter.on_score_line(index)
        return f"touches line {index} of the score"

    def wait(self) -> str:
        seconds = self.random.choice([0.1, 1.0, 10.0])
        self.table.wait(seconds)
        return f"waits {seconds} seconds"


def transcript(game: str, seed: int = 1) -> str:
    """The gestures of one evening and what each changed on the screen."""
    return "\n".join(_transcript(Evening(game, seed))) + "\n"


def _transcript(evening: Evening) -> Iterator[str]:
    before: list[str] = []
    for number in range(1, GESTURES + 1):
        name = evening.gesture()
        now = list(shown(evening.table.view))
        yield f"{number:3}  {name}"
        came = [line for line in now if line not in before]
        replaced = {line.partition(":")[0] for line in came}
        yield from (f"  - {line}" for line in before if line not in now and line.partition(":")[0] not in replaced)
        yield from (f"  + {line}" for line in came)
        before = now
    yield "the end"
    yield from (f"    {line}" for line in before)
    evening.table.presenter.on_end_early("Time is up")
    yield "ended early"
    yield from (f"  + {line}" for line in shown(evening.table.view) if line not in before)


def shown(view: PlayView) -> Iterator[str]:
    """All that a view shows, a line for each thing."""
    yield f"{view.title}: {view.prompt}"
    yield f"camera: {view.eyes}"
    for player in view.players:
        marks = (" acts" if player.acts else "") + (" has left" if player.has_left else "")
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
            yield f"verdict says: {sentence} [{source}]"
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
    return FOLDER / f"{game}.txt"


def write_all() -> None:
    """Write the transcripts of all games anew."""
    for game in GAMES:
        file_of(game).write_text(transcript(game), encoding="utf-8")


if __name__ == "__main__":
    write_all()
