"""Games are followed by a camera over tables of another renderer: hands, bumps, shadows, what falls over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

from companion.engine import apply_unchecked
from companion.registry import GAMES, print_and_play_board
from companion.session.session import Session
from companion.session.tracker import Sight
from companion.session.tracking import CLEAR_MARGIN
from tests.tables import table_of
from tests.vision.traced.film import Film, Picture
from tests.vision.traced.tables import Printed, print_manifest
from ui.correcting import RECORD_RIGHT
from ui.presenter import Presenter
from ui.simulated_table.players import seated
from vision.frames import Frame
from vision.profile import load_profiles
from vision.sheets import SheetsReader

STEP = 0.2
"""seconds between frames"""
PATIENCE = 16
"""frames within which a move must be recorded or asked"""
BUMP = (2.5, 35.0)
"""degrees and pixels: in a picture 1280 wide, 52 pixels in one 1920 wide"""
OPENING = {"city_of_marble": 40, "aqua_romana": 40, "capitol": 60, "thurn_and_taxis": 120}
"""actions that were played before the camera came"""
MOVES = 3
MOST_MISREAD = 4


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Printed]:
    """The board of each game as it was printed."""
    folder = tmp_path_factory.mktemp("printed")
    boards = {game: print_and_play_board(game) for game in GAMES}
    return {game: print_manifest(game, folder / game)[board.id] for game, board in boards.items()}


class Table:
    """A table with a game under way, before a camera that is handed its pictures one by one."""

    def __init__(self, game_id: str, film: Film, opening: int, seed: int = 5) -> None:
        self.film, self.board = film, print_and_play_board(game_id)
        self.session = Session.create(None, table_of(game_id, 2))
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
    def in_step(self) -> bool:
        """Whether the camera sees what the record says but for what was told."""
        return self.eyes == "watching" and self.presenter.tracker.sight == Sight()

    def settle(self) -> None:
        """Let the camera find the board; what it misreads at first is answered by one touch."""
        self.rest(11)
        if not self.in_step:
            assert len(self.presenter.tracker.sight.explanation.spots) <= MOST_MISREAD
            self.presenter.on_choice(RECORD_RIGHT)
            self.rest(4)
        assert self.in_step

    def show(self, picture: Picture) -> None:
        self._number += 1
        self.now = self._number * STEP
        sight = self.reader.see(Frame(self.film.frame(picture), self.now, self._number))
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

    def next_move(self) -> tuple[Any, dict[str, str]]:
        """Touch what no camera sees; the next action that changes the board, and how it lies then."""
        while True:
            action = next(self._moves)
            after = self.look_of(self._after)
            if after != self.look:
                return action, after
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


@pytest.mark.parametrize("game", GAMES)
def test_moves_are_followed_through_hands_and_a_bump(printed: dict[str, Printed], game: str) -> None:
    table = Table(game, Film(printed[game], seed=731), OPENING[game])
    table.settle()
    for number in range(MOVES):
        action, after = table.next_move()
        recorded = len(table.session.entries)
        table.reach(dict(table.look.items() ^ after.items()))
        if number == 1:
            table.film.bump(*BUMP)
        table.picture = table.film.picture(after)
        for _ in range(PATIENCE):
            table.rest(1)
            if len(table.session.entries) > recorded:
                break
        told = [entry.summary for entry in table.session.entries[recorded:]]
        found = table.presenter.tracker.sight.explanation
        if not told and found is not None and found.margin < CLEAR_MARGIN:  # two actions look the same
            assert (action,) in {each.actions for each in found.candidates}
            table.presenter.act(action)
            told = [action.text]
        assert told == [action.text]
        table.rest(4)
        assert table.in_step
        assert len(table.session.entries) == recorded + 1
