"""Games are followed by a camera over tables of another renderer: hands, bumps, shadows, what falls over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest

from benchmarks.scenes import watched_games
from companion.engine import apply_unchecked
from companion.registry import print_and_play_board
from companion.session.session import Session
from companion.session.tracking import CLEAR_MARGIN
from tests.every_game import at_most, fewest_seats, own
from tests.tables import table_of
from tests.vision.traced.film import Film, Picture
from tests.vision.traced.printed_once import printed_once
from tests.vision.traced.tables import Printed
from ui.simulated_table.players import seated
from ui.table.corrections.amending import RECORD_RIGHT
from ui.table.presenter import Presenter
from ui.view_models.play_view import PieceState
from vision.camera.frames import CameraFrame
from vision.printed.pieces.profile import load_profiles
from vision.sheets import SheetsReader

STEP = 0.2
"""seconds between frames"""
PATIENCE = 16
"""frames within which a move must be recorded or asked"""
BUMP = (2.5, 35.0)
"""degrees and pixels: in a picture 1280 wide, 52 pixels in one 1920 wide"""
MOVES = 3
MOST_MISREAD = 4


def opening(game_id: str) -> int:
    """How many actions are played before the camera comes."""
    return own(game_id, "demo", "OPENING", at_most(game_id, 40))


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Printed]:
    """The board of each game as it was printed."""
    boards = {game: print_and_play_board(game) for game in watched_games()}
    return {game: printed_once(game, tmp_path_factory)[board.id] for game, board in boards.items()}


class Table:
    """A table with a game under way, before a camera that is handed its pictures one by one."""

    def __init__(self, game_id: str, film: Film, opening: int, seed: int = 5) -> None:
        self.film, self.board = film, print_and_play_board(game_id)
        self.session = Session.create(None, table_of(game_id, fewest_seats(game_id)))
        self.game = self.session.game
        self.now = 0.0
        self._moves = self._played(seed)
        for _ in range(opening):
            self.session.submit(next(self._moves))
        self.presenter = Presenter(self.session, clock=lambda: self.now)
        self.reader = SheetsReader(self.board, load_profiles(self.board))
        self._number = 0
        self.picture = film.picture(self.look)

    @property
    def look(self) -> dict[str, str]:
        """What should lie on the board."""
        return self.look_of(self.session.state)

    def look_of(self, state: Any) -> dict[str, str]:
        return {spot: label for spot, label in self.game.appearance(state).items() if spot in self.board.spots}

    @property
    def eyes(self) -> str:
        return self.presenter.view().eyes

    @property
    def marked(self) -> set[str]:
        """The spots that the screen marks as in doubt."""
        return {piece.spot for piece in self.presenter.view().pieces if piece.state is PieceState.DOUBTFUL}

    @property
    def in_step(self) -> bool:
        """Whether the camera sees what the record says but for what was told."""
        return self.eyes == "watching" and self.presenter.tracker.proposal.explanation is None

    def settle(self) -> None:
        """Let the camera find the board; what it misreads at first is answered by one touch."""
        self.rest(11)
        if not self.in_step:
            assert len(self.presenter.tracker.proposal.explanation.spots) <= MOST_MISREAD
            self.presenter.on_choice(RECORD_RIGHT)
            self.rest(4)
        assert self.in_step

    def show(self, picture: Picture) -> None:
        self._number += 1
        self.now = self._number * STEP
        sight = self.reader.see(CameraFrame(self.film.frame(picture), self.now, self._number))
        if sight.reason:
            self.presenter.on_camera_lost(sight.reason)
            return
        self.presenter.on_camera_alive()
        if sight.observation is not None:
            self.presenter.on_observation(sight.observation)

    def rest(self, frames: int) -> None:
        for _ in range(frames):
            self.show(self.picture)

    def reach(self, changed: Mapping[str, str]) -> None:
        """Let an arm come, change what lies there and go."""
        place = self.board.spots[next(iter(changed))].centre
        self.show(self.film.reached_over(self.picture, place, 0.5))
        self.show(self.film.reached_over(self.picture, place, 1.0))
        assert self.eyes == "hand"

    def next_moves(self) -> Iterator[tuple[Any, dict[str, str]]]:
        """Touch what no camera sees; each action that changes the board, and how it lies then, before it is done."""
        for action in self._moves:
            after = self.look_of(self._after)
            if after != self.look:
                yield action, after
            else:
                self.presenter.act(action)

    def _played(self, seed: int) -> Iterator[Any]:
        random = Random(seed)
        players = seated(self.game, self.session.state, random)
        number = 0
        while self.game.decide(self.session.state) is not None:
            state = self.session.state
            action = players.choose(state, Random(f"{seed}:{number}"))
            self._after = apply_unchecked(self.game, state, action).state
            yield action
            players, number = players.after(state, action, self._after), number + 1


@pytest.mark.parametrize("game", watched_games())
def test_moves_are_followed_through_hands_and_a_bump(printed: dict[str, Printed], game: str) -> None:
    table = Table(game, Film(printed[game], seed=731), opening(game))
    table.settle()
    for number, (action, after) in enumerate(islice(table.next_moves(), MOVES)):
        recorded = len(table.session.entries)
        table.reach(dict(table.look.items() ^ after.items()))
        if number == 1:
            table.film.bump(*BUMP)
        table.picture = table.film.picture(after)
        paused = 0
        for _ in range(PATIENCE):
            table.rest(1)
            paused += table.eyes.startswith("paused")
            if len(table.session.entries) > recorded:
                break
        assert paused * STEP <= 0.5
        told = [entry.summary for entry in table.session.entries[recorded:]]
        found = table.presenter.tracker.proposal.explanation
        if not told and found is not None and found.margin < CLEAR_MARGIN:  # two actions look the same
            assert (action,) in {each.actions for each in found.candidates}
            table.presenter.act(action)
            told = [action.text]
        assert told == [action.text]
        table.rest(4)
        assert table.in_step
        assert len(table.session.entries) == recorded + 1


@pytest.fixture
def marble(printed: dict[str, Printed]) -> Table:
    table = Table("city_of_marble", Film(printed["city_of_marble"], seed=731), opening("city_of_marble"))
    table.settle()
    return table


def test_shadows_light_and_a_large_bump_are_no_moves(marble: Table) -> None:
    recorded, look = len(marble.session.entries), marble.look
    said: set[str] = set()

    def shown(picture: Picture, frames: int) -> None:
        marble.picture = picture
        for _ in range(frames):
            marble.rest(1)
            said.add(marble.eyes)

    shown(marble.film.picture(look, leaning=True), 12)
    shown(marble.film.picture(look, light=0.7), 10)
    marble.film.bump(14.0, 160.0)
    shown(marble.film.picture(look), 14)
    assert marble.in_step, said
    shown(np.zeros_like(marble.picture), 2)
    assert marble.eyes.startswith("paused (none of the sheet's markers")
    shown(marble.film.picture(look), 10)
    assert marble.in_step
    assert len(marble.session.entries) == recorded


def test_a_piece_that_falls_over_is_told_or_marked_and_never_a_move(marble: Table) -> None:
    recorded, look = len(marble.session.entries), marble.look
    fallen = next(spot for spot in sorted(look) if spot.startswith("magistrate"))
    x, y = marble.board.spots[fallen].centre
    lying = marble.film.knocked_over("magistrate", look[fallen], (x + 5.0, y + 4.0))
    gone = {spot: label for spot, label in look.items() if spot != fallen}
    marble.reach({fallen: look[fallen]})
    marble.picture = marble.film.picture(gone, [lying])
    marble.rest(12)
    assert len(marble.session.entries) == recorded
    observation = marble.presenter.observation
    explanation = marble.presenter.tracker.proposal.explanation
    is_told = explanation is not None and fallen in explanation.spots
    assert is_told or fallen in observation.covered or fallen in marble.marked
    marble.reach({fallen: look[fallen]})
    marble.picture = marble.film.picture(look)
    marble.rest(12)
    assert marble.in_step
    assert fallen not in marble.marked
    assert len(marble.session.entries) == recorded
