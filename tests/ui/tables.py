"""Views of tables for the screens to show: positions of real games, everything else written by hand."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

from companion.engine import legal_actions, random_game, scores
from companion.frozen import FrozenDict
from companion.registry import load_game, print_and_play_board
from companion.session.intents import Intent, IntentResult
from companion.table import Player, Table
from companion.wording.texts import game_texts
from ui.services.sources import source_title
from ui.table.composing import holdings_of
from ui.table.offering import Offer
from ui.view_models.play_view import (
    ButtonView,
    ChoiceView,
    DeviceView,
    LogLine,
    PieceState,
    PieceView,
    PlayerView,
    PlayView,
    ScoreLineView,
    ScoreView,
    SourceView,
    VerdictKind,
    VerdictView,
)

GAME = load_game("city_of_marble")
TEXTS = game_texts("city_of_marble")
BOARD = print_and_play_board("city_of_marble")
NAMES = ("Anna", "Bruno [Roma]", "Clelia", "Dario")
COLOURS = ("black", "white", "purple", "orange")


class RecordingPresenter:
    """Shows the views it is given and remembers what it was asked for."""

    board = BOARD
    turn_clock = None

    def __init__(self, view: PlayView) -> None:
        self.shown = view
        self.asked: list[tuple[str, Any]] = []
        self.answers: dict[tuple[str, Any], PlayView] = {}

    def view(self) -> PlayView:
        return self.shown

    @property
    def played(self) -> None:
        return None

    def on_intent(self, intent: Intent) -> IntentResult:
        self._asked("intent", intent.kind.value)
        return IntentResult.ACCEPTED

    def on_offer(self, offer: Offer | None) -> None:
        """No box is pressed here."""

    def on_choice(self, key: str) -> None:
        self._asked("choice", key)

    def on_site(self, site: str) -> None:
        self._asked("site", site)

    def on_correct(self, number: int | None = None) -> None:
        self._asked("correct", number)

    def stop_asking(self) -> None:
        """Nothing is asked here."""

    def on_score_line(self, index: int) -> None:
        self._asked("score line", index)

    def _asked(self, what: str, value: Any) -> None:
        self.asked.append((what, value))
        self.shown = self.answers.get((what, value), self.shown)


def table(players: int) -> Table:
    return Table(
        "city_of_marble",
        tuple(Player(name, colour) for name, colour in zip(NAMES[:players], COLOURS, strict=False)),
        GAME.rulebook.chosen({}),
        FrozenDict({"hills": ("Palatine", "Esquiline", "Quirinal")}),
        BOARD,
    )


def preference(action: Any) -> float:
    """Random players who build rather than draw."""
    return {"PlayWard": 6.0, "Lay": 2.0, "Recall": 0.05, "Pass": 0.2, "EndTurn": 3.0}.get(type(action).__name__, 1.0)


@cache
def state_after(actions: int, players: int = 4, seed: int = 5) -> Any:
    """The position of a seeded random game after so many actions, or at its end."""
    state = GAME.setup(table(players))
    for _, _, step in random_game(GAME, state, Random(seed), preference, limit=actions):
        state = step.state
    return state


def pieces_of(state: Any, states: Mapping[str, PieceState] = FrozenDict()) -> tuple[PieceView, ...]:
    look = GAME.appearance(state)
    return tuple(PieceView(spot, label, states.get(spot, PieceState.PLACED)) for spot, label in look.items())


def play_view(state: Any, **changes: Any) -> PlayView:
    """A quiet moment of play: the camera watches, nothing is to be said."""
    decision = GAME.decide(state)
    actors = decision.actors if decision else ()
    sheet = scores(GAME, state)
    held = {seat: holdings_of(GAME.holdings(state, seat), TEXTS) for seat in state.table.seats}
    players = tuple(
        PlayerView(seat, p.name, p.colour, sheet.totals[seat - 1], seat in actors, held[seat])
        for seat, p in enumerate(state.table.players, 1)
    )
    view = PlayView(
        title="Rome: City of Marble",
        prompt="Bruno [Roma]: draw wards or play a ward. Actions left to do: 2.",
        eyes="watching",
        players=players,
        pieces=pieces_of(state),
        log=tuple(
            LogLine(40 + n, n % 4 + 1, text, "action", undone=n == 4)
            for n, text in enumerate(
                (
                    "Anna draws red, blue.",
                    "Anna lays a green ward on G7-H7 with a magistrate.",
                    "The site at H7 has 3 buildings: temple.",
                    "Bruno [Roma] builds the temple at H7.",
                    "Bruno [Roma] ends the turn.",
                    "Clelia lays a grey aqueduct piece on H2-I1.",
                )
            )
        ),
        buttons=(
            ButtonView("done", "Done: end the turn"),
            ButtonView("no", "No: undo"),
            ButtonView("next", "Next"),
            ButtonView("help", "What may I do?"),
        ),
        undo="Undo: ward G7-H7 green magistrate",
        undone="ward G7-H7 green magistrate",
        redo="",
        devices=(DeviceView("camera", "watching", ok=True), DeviceView("box A", "lost", ok=False)),
    )
    return replace(view, **changes)


def legal_choices(state: Any, most: int = 60) -> tuple[ChoiceView, ...]:
    return tuple(
        ChoiceView(action.text, action.text.capitalize(), type(action).__name__)
        for action in legal_actions(GAME, state)[:most]
    )


def refusal_view() -> PlayView:
    """A ward seen where no rule allows it."""
    state = state_after(130)
    free = [name for name in BOARD.spots if name.startswith("ward ") and name not in GAME.appearance(state)]
    taken = {t for ward in state.wards for t in state.board.triangles[ward]} | set(state.covered)
    wrong = next(s for s in reversed(free) if not taken & set(state.board.triangles[s.split()[1]]))
    looks = GAME.appearance(state)
    wards = [spot for spot in looks if spot.startswith("ward ")]
    buildings = [spot for spot in looks if spot.startswith("building ")]
    marks = {wards[-1]: PieceState.LATEST, buildings[-1]: PieceState.OWED, wards[3]: PieceState.OWED}
    extra = (PieceView(wrong, "blue", PieceState.WRONG), PieceView(free[1], "red", PieceState.GONE))
    return play_view(
        state,
        eyes="out of step",
        pieces=pieces_of(state, marks) + extra,
        choices=(
            ChoiceView("put back", "Put it back", "refused"),
            ChoiceView("record anyway", "Record it anyway", "refused"),
        ),
        verdict=VerdictView(
            VerdictKind.REFUSED,
            f"Ward {wrong.split()[1]}, blue is not allowed",
            (
                (
                    "A ward must share a full side with an earlier ward or a hill.",
                    _source("COM-WARD-4", "IT, Giocare tessera Quartiere; W2"),
                ),
                (
                    "The atrium of Bruno [Roma] holds no blue ward.",
                    _source("COM-WARD-1", "IT, Giocare tessera Quartiere"),
                ),
            ),
            (wrong,),
            (),
            "Not here",
        ),
    )


def help_view() -> PlayView:
    """Everything that is legal, listed and drawn."""
    state = state_after(92)
    choices = legal_choices(state, 400)
    sites = frozenset(word for choice in choices for word in choice.key.split() if word[:1].isupper())
    return play_view(state, choices=choices, legal_sites=sites, redo="Redo: draw red blue")


def final_view(players: int = 4) -> PlayView:
    """The end of a game, with its score sheet."""
    state = state_after(10_000, players)
    sheet = scores(GAME, state)
    names = [player.name for player in state.table.players]
    ranking = tuple(
        sorted(
            ((seat, names[seat - 1], sheet.totals[seat - 1], sheet.ranks[seat - 1]) for seat in state.table.seats),
            key=lambda row: (row[3], row[0]),
        )
    )
    lines = tuple(
        ScoreLineView(
            line.seat,
            GAME.rulebook.rules[line.rule].title,
            ", ".join(f"{name} {value}" for name, value in line.facts.items()),
            line.points,
            line.sites,
            line.rule,
        )
        for line in sheet.lines
    )
    notes = ("Equal points are decided by civic buildings: Anna 12, Bruno [Roma] 11, Clelia 11, Dario 9.",)
    return play_view(
        state,
        prompt="The game is over.",
        score=ScoreView("Final score", ranking, lines, notes, final=True, decided=True),
    )


def touch_board(screen: Any, millimetres: tuple[float, float]) -> None:
    """Touch the board of a play screen at a place of the sheet."""
    screen.touch(*screen.board.frame.pixel(millimetres))


def show(screen: Any, presenter: RecordingPresenter, view: PlayView) -> None:
    """Have the play screen show a view, and draw it once its pieces lie still."""
    presenter.shown = view
    screen.until(lambda: screen.app.screens.current_screen._view is view)
    screen.frames()
    screen.until(lambda: not screen.board._moving._moving)


def _source(rule: str, where: str) -> SourceView:
    return SourceView(rule, where, source_title(where, {}))
