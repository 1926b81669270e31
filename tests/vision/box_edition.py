"""An edition without printed markers: City of Marble's board and pieces in other inks, under any camera and light."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from calibration.teaching import Lesson, TeachingResult, teach_from_pictures
from companion.board.layout import EMPTY, Board, parse_board
from companion.engine import apply_unchecked
from companion.files.documents import DocumentTable
from companion.registry import game_folder, load_game, print_and_play_board, usual_table
from companion.table import Table
from tests.made_once import made_once
from ui.simulated_table.hand import Hand
from ui.simulated_table.lying import Sloppiness
from ui.simulated_table.players import seated
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView, Light
from vision.location.flat_pose import FlatPose, corner_places
from vision.location.location import BoardLocator
from vision.spots.spot_profile import SpotProfile, load_spot_profile, save_spot_profile

GAME_ID = "city_of_marble"
TEACHING = CameraView(distance=760)
LESSONS = (0, 50, 100, 149)
"""the moves of a game after which it was photographed to teach the pieces"""
PROFILE, MISSING = "box.zip", "missing.json"


@cache
def box_board() -> Board:
    """The board without markers and patches."""
    printed = dict(print_and_play_board(GAME_ID).definition)
    kept = {key: value for key, value in printed.items() if key not in ("markers", "patches")}
    return parse_board(
        DocumentTable(kept | {"id": f"{GAME_ID}/box", "name": "City of Marble in a box"}, "box.toml", "")
    )


def box_layout() -> str:
    """The same board as the text of its file."""
    text = (game_folder(GAME_ID) / "layout.toml").read_text(encoding="utf-8")
    text = text[: text.index("[markers]")] + text[text.index("[feature.hill]") :]
    printed = print_and_play_board(GAME_ID)
    return text.replace(f'"{printed.id}"', f'"{box_board().id}"').replace(f'"{printed.name}"', f'"{box_board().name}"')


def box_table(seats: int) -> Table:
    """A table with this board and the first of all set-ups."""
    return usual_table(GAME_ID, seats, board=box_board())


def played(seats: int, seed: int) -> Iterator[tuple[Any, Any]]:
    """A game of simulated players: every action and the state after it; None and the set-up first.

    What was played of it stays, as several tests look at the same game.
    """
    so_far, goes_on = _game(seats, seed)
    for number in count():
        if number == len(so_far):
            step = next(goes_on, None)
            if step is None:
                return
            so_far.append(step)
        yield so_far[number]


def state_after(seats: int, seed: int, moves: int) -> Any:
    """The state of the same game after so many actions."""
    return next(islice(played(seats, seed), moves, None))[1]


@cache
def _game(seats: int, seed: int) -> tuple[list[tuple[Any, Any]], Iterator[tuple[Any, Any]]]:
    """What was played of a game, and how it goes on."""
    return [], _played_on(seats, seed)


def _played_on(seats: int, seed: int) -> Iterator[tuple[Any, Any]]:
    game = load_game(GAME_ID)
    random = Random(seed)
    state = game.setup(box_table(seats))
    players = seated(game, state, random)
    yield None, state
    number = 0
    while game.decide(state) is not None:
        action = players.choose(state, Random(f"{seed}:{number}"))
        after = apply_unchecked(game, state, action).state
        yield action, after
        players, state, number = players.after(state, action, after), after, number + 1


def look_of(state: Any) -> dict[str, str]:
    """Spot -> label of what lies on the board."""
    return dict(load_game(GAME_ID).appearance(state))


class BoxCamera:
    """A camera over the box's board: other inks are other channels of colour."""

    def __init__(self, view: CameraView, light: Light | None = None, seed: int = 0) -> None:
        self.scene = Scene(box_board(), view, light, Sloppiness(seed=seed))

    def picture(self, look: Mapping[str, str], hand: Hand | None = None) -> np.ndarray:
        """What the camera sees."""
        return np.ascontiguousarray(self.scene.frame(look, hand)[..., [1, 2, 0]])

    def taps(self) -> list[tuple[float, float]]:
        """Where a person sees the board's corners."""
        places = np.column_stack([corner_places(box_board()), np.zeros(4)])
        return [(float(x), float(y)) for x, y in self.scene.pose.project(places)]


def shaded(picture: np.ndarray, share: float, across: float = 0.4) -> np.ndarray:
    """A picture of whose right part, beyond a line that leans by `across`, only a share of the light is left."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width]
    lit = np.clip((0.5 * width + across * (0.5 * height - y) - x) / 8 + 0.5, 0, 1) * (1 - share) + share
    return np.asarray(((picture / 255) ** 2.2 * lit[..., None]) ** (1 / 2.2) * 255, np.uint8)


def taught_box(seed: int = 5) -> TeachingResult:
    """What four photographs of one game, with the corners tapped, teach."""
    camera, board, lessons = BoxCamera(TEACHING, seed=seed), box_board(), []
    for number in LESSONS:
        look = look_of(state_after(3, seed, number))
        image = camera.picture(look)
        pose = BoardLocator(board).at_corners(image, camera.taps())
        assert isinstance(pose, FlatPose)
        labels = {spot: look.get(spot, EMPTY) for spot in board.spots}
        lessons.append(Lesson(f"{number}", image, pose, labels))
    return teach_from_pictures(board, lessons)


@dataclass(frozen=True, slots=True)
class TaughtBox:
    """What teaching made: the profile, and for each kind of piece the labels that were never shown."""

    profile: SpotProfile
    missing: Mapping[str, tuple[str, ...]]


def box_taught_once(factory: pytest.TempPathFactory) -> TaughtBox:
    """What `taught_box` makes, for all modules of a run: teaching takes as long as many tests."""

    def teach(folder: Path) -> None:
        taught = taught_box()
        folder.mkdir()
        save_spot_profile(taught.profile, folder / PROFILE)
        (folder / MISSING).write_text(json.dumps(dict(taught.missing)), encoding="utf-8")

    folder = made_once("taught-box", factory, teach)
    missing = json.loads((folder / MISSING).read_text(encoding="utf-8"))
    profile = load_spot_profile(folder / PROFILE, box_board())
    return TaughtBox(profile, {piece: tuple(labels) for piece, labels in missing.items()})
