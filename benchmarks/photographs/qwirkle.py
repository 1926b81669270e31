"""Games of Qwirkle photographed after each move: located from the start photograph on, with no taps."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.figures import Figure
from benchmarks.photographs.altered import altered_reader
from benchmarks.photographs.truth import BOARDS, InvalidTruth, digest, joined, read_truth, share, told
from calibration.errors import CalibrationError
from calibration.teaching import Lesson, teach_from_pictures
from companion.board.layout import EMPTY, Board, load_board
from vision.errors import InvalidPicture
from vision.location.board_pose import BoardNotFound, BoardPose
from vision.location.flat_pose import FlatPose, corner_places
from vision.location.location import BoardLocator
from vision.location.reference import Reference
from vision.pictures import Image, read_picture
from vision.spots.spot_profile import SpotProfile
from vision.spots.spot_reader import SpotReader, changes

TEACHING_PHOTOGRAPHS = 4
VARIANTS_SEED, MOST_VARIANTS = 20261129, 200
COLOURS = {"R": "red", "O": "orange", "Y": "yellow", "G": "green", "B": "blue", "W": "white"}


@dataclass(frozen=True, slots=True)
class Followed:
    """A game's moves as (expected, found), each spot -> label; whether its start was located where the truth has its
    corners, and what could not be read or located, in words.
    """

    located: bool
    moves: tuple[tuple[dict[str, str], dict[str, str]], ...]
    troubles: tuple[str, ...]


def measure_qwirkle(folder: Path) -> Iterator[Figure]:
    """Placements between photographs, each game read with what another one taught."""
    board = load_board(BOARDS / "qwirkle.toml")
    games = qwirkle_truth(folder)
    profiles: dict[str, SpotProfile] = {}
    durations: list[float] = []
    troubles: list[str] = []
    for game in games:
        begin = time.perf_counter()
        try:
            profiles[game] = teach_from_pictures(board, qwirkle_lessons(folder, board, games[game])).profile
            durations.append(time.perf_counter() - begin)
        except (CalibrationError, InvalidPicture, InvalidTruth) as error:
            troubles.append(f"game {game} teaches nothing ({error})")
    exact = placements = tiles = named = false = located = 0
    split, inexact = [], []
    teachers: dict[str, SpotProfile] = {}
    names = list(games)
    for number, game in enumerate(names):
        teacher = next((each for each in names[number + 1 :] + names[:number] if each in profiles), None)
        if teacher is None:
            result = lost_game(games[game], "no other game teaches its tiles")
        else:
            split.append(f"taught from {teacher}: {teaching_moves(games[teacher])}")
            teachers[game] = profiles[teacher]
            result = follow_game(folder, board, games[game], profiles[teacher])
        located += result.located
        troubles += [f"game {game}: {trouble}" for trouble in result.troubles]
        for move, (expected, found) in enumerate(result.moves, 1):
            placements += 1
            exact += set(expected) == set(found)
            if found != expected:
                inexact.append(f"{game}/{move}")
            tiles += len(expected)
            named += sum(found.get(spot) == label for spot, label in expected.items())
            false += len(set(found) - set(expected))
    note = joined(*troubles)
    yield Figure(
        "qwirkle: boards located without taps", located, "", len(games), at_least=True, count=len(games), note=note
    )
    note = joined(told("read wrongly", inexact), f"split {digest(split)}")
    yield share("qwirkle: placements exact", exact, placements, 97.5, note)
    yield share("qwirkle: shape and colour of tiles", named, tiles, 98, f"{false} false tiles")
    yield from _altered(folder, board, games, teachers)
    if durations:
        yield Figure("qwirkle: taught from 4 photographs in", max(durations), "s", 60, count=len(durations))


def _altered(
    folder: Path, board: Board, games: Mapping[str, Any], teachers: Mapping[str, SpotProfile]
) -> Iterator[Figure]:
    """The same placements between photographs that are altered anew for every pass over the games, from the start
    photograph on.
    """
    wrong, count, number = [], 0, 0
    while teachers and count < MOST_VARIANTS:
        for game in teachers:
            seed = VARIANTS_SEED + number
            result = follow_game(folder, board, games[game], teachers[game], read=altered_reader(seed))
            for move, (expected, found) in enumerate(result.moves[: MOST_VARIANTS - count], 1):
                if set(expected) != set(found):
                    wrong.append(f"{game}/{move} of seed {seed}")
            count += min(len(result.moves), MOST_VARIANTS - count)
        number += 1
    if count:
        goal = 100 * (1 - 2 / MOST_VARIANTS)
        yield share(
            "qwirkle: placements exact in altered pictures", count - len(wrong), count, goal, told("wrong", wrong)
        )


def qwirkle_truth(folder: Path) -> dict[str, Any]:
    """The games of the truth, by name.

    Raises InvalidTruth.
    """
    path = folder / "truth.json"
    games = dict(sorted(read_truth(path).items()))
    spots = load_board(BOARDS / "qwirkle.toml").spots
    for name, game in games.items():
        try:
            for move in game["moves"]:
                strange = [spot for spot in tiles_of({"moves": [move]}, 1) if spot not in spots]
                if strange or not isinstance(move["photo"], str):
                    raise InvalidTruth(path, f"game {name}: no cell is called {strange or move['photo']}")
            if not isinstance(game["start"], str) or not game["moves"]:
                raise InvalidTruth(path, f"game {name}: a start photograph and moves are needed")
        except (KeyError, TypeError) as error:
            raise InvalidTruth(path, f"game {name}: an entry is missing or unknown ({error})") from error
    if not games:
        raise InvalidTruth(path, "tells of no game")
    return games


def teaching_moves(game: Mapping[str, Any]) -> list[int]:
    """After which of a game's moves the photographs were taken that teach: evenly spread, the last among them."""
    count = len(game["moves"])
    return sorted({max(1, round(count * k / TEACHING_PHOTOGRAPHS)) for k in range(1, TEACHING_PHOTOGRAPHS + 1)})


def qwirkle_lessons(folder: Path, board: Board, game: Mapping[str, Any]) -> Iterator[Lesson]:
    """Four photographs of one game; what the start photograph shows is not in the truth, and so unknown.

    Raises InvalidPicture, and InvalidTruth where the board is not found.
    """
    start = read_picture(folder / game["start"])
    pose = BoardLocator(board).locate(start)
    if not isinstance(pose, FlatPose):
        raise InvalidTruth(folder / game["start"], _why(pose))
    by_start = BoardLocator(board, reference=Reference(board, start, pose))
    taken = {f"tile {tile['cell']}" for move in game["moves"] for tile in move["new_tiles"]}
    dark = dark_spots(board, start, pose) - taken
    for number in teaching_moves(game):
        move = game["moves"][number - 1]
        image = read_picture(folder / move["photo"])
        there = by_start.locate(image)
        if not isinstance(there, FlatPose):
            raise InvalidTruth(folder / move["photo"], _why(there))
        laid = tiles_of(game, number)
        labels = {spot: laid.get(spot, EMPTY) for spot in board.spots if spot not in dark}
        yield Lesson(move["photo"], image, there, labels)


def dark_spots(board: Board, image: Image, pose: FlatPose) -> set[str]:
    """The occupied spots of the start photograph; the truth lacks them, but tiles are black."""
    result = set()
    for spot in board.spots.values():
        corners = np.array(spot.centre) + 0.75 * (np.array(spot.outline) - np.array(spot.centre))
        pixels = pose.project(np.column_stack([corners, np.full(len(corners), spot.height)])).round().astype(int)
        levels = image[np.clip(pixels[:, 1], 0, image.shape[0] - 1), np.clip(pixels[:, 0], 0, image.shape[1] - 1)]
        if (levels.max(axis=1) < 90).sum() >= 3:
            result.add(spot.name)
    return result


def tiles_of(game: Mapping[str, Any], moves: int) -> dict[str, str]:
    """Spot -> label of the tiles laid in so many moves."""
    return {
        f"tile {tile['cell']}": f"{tile['shape']} {COLOURS[tile['color']]}"
        for move in game["moves"][:moves]
        for tile in move["new_tiles"]
    }


def follow_game(
    folder: Path,
    board: Board,
    game: Mapping[str, Any],
    profile: SpotProfile,
    moves: int | None = None,
    read: Callable[[Path], Image] = read_picture,
) -> Followed:
    """The moves of a game, each beside what differs from the photograph before that could be read."""
    reader = SpotReader(board, profile)
    try:
        image = read(folder / game["start"])
    except InvalidPicture as error:
        return lost_game(game, str(error))
    pose = BoardLocator(board).locate(image)
    if not isinstance(pose, FlatPose):
        return lost_game(game, f"{game['start']}: {_why(pose)}")
    before = reader.read(image, pose)
    found: list[tuple[dict[str, str], dict[str, str]]] = []
    troubles: list[str] = []
    is_located = _is_where_told(board, pose, game.get("corners_px"))
    if not is_located:
        troubles.append(f"{game['start']}: the board is taken to lie elsewhere than at its corners")
    skipped: set[str] = set()
    for move in game["moves"][:moves]:
        expected = tiles_of({"moves": [move]}, 1)
        locator = BoardLocator(board, reference=Reference(board, image, pose))
        try:
            seen = read(folder / move["photo"])
            there = locator.locate(seen)
            if not isinstance(there, FlatPose):
                raise InvalidPicture(move["photo"], _why(there))
        except InvalidPicture as error:
            troubles.append(str(error))
            found.append((expected, {}))
            skipped |= set(expected)
            continue
        image, pose, after = seen, there, reader.read(seen, there)
        seen_now = {change.spot: change.after for change in changes(before, after) if change.spot not in skipped}
        found.append((expected, seen_now))
        before, skipped = after, set()
    return Followed(is_located, tuple(found), tuple(troubles))


def lost_game(game: Mapping[str, Any], why: str) -> Followed:
    """An unreadable game: every move counts as wrong."""
    return Followed(False, tuple((tiles_of({"moves": [move]}, 1), {}) for move in game["moves"]), (why,))


def _why(pose: BoardPose | BoardNotFound) -> str:
    return pose.reason if isinstance(pose, BoardNotFound) else "the board has no markers"


def _is_where_told(board: Board, pose: FlatPose, corners: Sequence[Sequence[float]] | None) -> bool:
    """Whether a pose has the board's corners within 0.3 cells of those in the truth, if it has any."""
    if not corners:
        return True
    told_there = np.array(corners, np.float64)
    cell = np.linalg.norm(told_there[1] - told_there[0]) / 16
    return bool(np.abs(pose.project_flat(corner_places(board)) - told_there).max() < 0.3 * cell)
