"""Crops with true labels from pictures with truth: what the networks are trained and judged on."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Collection, Container, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import EMPTY, Board, Spot
from vision.learned.crops import CropPlan, Crops, Flags
from vision.learned.network import Shares
from vision.learned.spot_networks import SpotNetworks
from vision.location.board_pose import BoardNotFound, BoardPose
from vision.location.marker_poses import MarkerPoses
from vision.printed.pieces.profile import load_profile, shipped_profile
from vision.printed.reading import BoardReader

UNKNOWN = -1
"""The label of a spot that is half covered."""
FOREIGN = 900
"""The number of hands and cups in pictures of object numbers."""
_COVERED, _CLEAR = 0.6, 0.2
"""Share of a spot under something foreign from which it is covered, up to which it is not."""
_LEAST_PIXELS = 40
"""A piece of which fewer are seen may as well be taken for nothing."""
_STANDING = 3.0
"""Height (mm) above which a piece stands up from what it lies on; tiles and cards are lower."""


class Recorder(SpotNetworks):
    """Keeps the crops of all spots that a reader looks at or that are taken, instead of reading them."""

    def __init__(self, board: Board, kinds: tuple[str, ...], look: Mapping[str, str]) -> None:
        super().__init__(board, {})
        self._plans = {name: CropPlan(board, board.pieces[name]) for name in kinds}
        self._look = look
        self.crops: dict[str, Crops] = {}

    def _chosen(self, plan: CropPlan, looked: Flags) -> Flags:
        return looked | np.array([spot.name in self._look for spot in plan.spots])

    def _told(self, name: str, crops: Crops) -> dict[str, Shares]:
        """Keep the crops; tell nothing."""
        self.crops[name] = crops
        return {}


def kinds_of(board: Board) -> tuple[str, ...]:
    """The kinds of pieces that networks can read: those that stand or lie on others, and flat ones of a single face."""
    return tuple(
        piece.name
        for piece in board.pieces.values()
        if not piece.stacked
        and piece.lies_on != "slot"
        and not (piece.raised_by and board.pieces[piece.raised_by].stacked)
        and (piece.height > _STANDING or piece.raised_by or len(piece.labels) == 1)
    )


def chosen_kinds(board: Board) -> tuple[str, ...]:
    """The kinds of pieces of a board that are trained and shipped."""
    games = tomllib.loads(Path(__file__).with_name("chosen.toml").read_text(encoding="utf-8"))
    kinds = tuple(games.get(board.game, {}).get("kinds", ()))
    if not kinds:
        raise SystemExit(f"{board.game}: chosen.toml names no kinds of pieces; name some with --kinds")
    if unknown := set(kinds) - set(kinds_of(board)):
        raise SystemExit(f"{board.game}: chosen.toml names {sorted(unknown)}, which networks do not read")
    return kinds


def learnt_from(archives: Collection[Path], held: frozenset[str]) -> list[Path]:
    """The archives of crops but those of held scenes; a picture's name in `held` stands for its scene."""
    scenes = {file: scene_in(file) for file in archives}
    kept_back = held | {scene for file, scene in scenes.items() if file.stem in held}
    return [file for file, scene in scenes.items() if scene not in kept_back]


def write_examples(board: Board, pictures: list[Path], folder: Path) -> None:
    """Write `NAME.npz` for each picture that has none yet, from the truth of the same name beside it; it is empty where
    the picture is not read.

    An archive holds the `scene` of its picture, and of each kind of piece `KIND/pictures`, `KIND/views`, `KIND/labels`
    (0 nothing, then the labels in the board's order, then covered; UNKNOWN), `KIND/shares` (what the reader without
    networks tells; all 0 where it calls a spot covered) and `KIND/spots`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    kinds = kinds_of(board)
    profile = load_profile(shipped_profile(board), board)
    for file in pictures:
        out = folder / f"{file.stem}.npz"
        if out.exists():
            continue
        truth = json.loads(file.with_suffix(".json").read_text())
        image = cv2.imread(str(file))
        pose = MarkerPoses(board, None).find(image)
        recorder = Recorder(board, kinds, truth["look"])
        reader = BoardReader(board, profile, recorder)
        arrays: dict[str, npt.NDArray[np.generic]] = {"scene": np.array(_scene(truth, file))}
        if isinstance(pose, BoardNotFound) or reader.colour_flaw(image, pose):
            with written_whole(out) as part:
                np.savez(part, **arrays)
            continue
        reading = reader.read(image, pose)
        hidden = {spot for spot, pixels in truth.get("visible_px", {}).items() if pixels < _LEAST_PIXELS}
        numbers = file.with_name(f"{file.stem}_ids.png")
        ids = cv2.imread(str(numbers), cv2.IMREAD_UNCHANGED) if numbers.exists() else None
        for name, crops in recorder.crops.items():
            labels = (EMPTY, *board.pieces[name].labels)
            told = [reading.posteriors.get(spot.name, {}) for spot in crops.spots]
            arrays |= {
                f"{name}/pictures": crops.pictures, f"{name}/views": crops.views,
                f"{name}/labels": np.array(
                    [_label(spot, labels, truth["look"], ids, pose, hidden) for spot in crops.spots], np.int8
                ),
                f"{name}/shares": np.array([[each.get(label, 0.0) for label in labels] for each in told], np.float32),
                f"{name}/spots": np.array([spot.name for spot in crops.spots]),
            }  # fmt: skip
        with written_whole(out) as part:
            np.savez(part, **arrays)


@contextmanager
def written_whole(file: Path) -> Iterator[BinaryIO]:
    """Something to write to that becomes `file` once everything is written: an interrupted run leaves no half file."""
    part = file.with_name(f"{file.name}.part")
    with part.open("wb") as out:
        yield out
    part.replace(file)


def scene_in(archive: Path) -> str:
    """The scene whose picture an archive's crops are from."""
    with np.load(archive) as arrays:
        return str(arrays["scene"])


def _scene(truth: Mapping[str, Any], picture: Path) -> str:
    """The scene that a picture shows; other exposures and cameras of it have other names (`pos` of the path tracer)."""
    return str(truth.get("scene") or truth.get("pos") or truth.get("name") or picture.stem)


def _label(
    spot: Spot,
    labels: tuple[str, ...],
    look: Mapping[str, str],
    ids: npt.NDArray[np.generic] | None,
    pose: BoardPose,
    hidden: Container[str],
) -> int:
    if spot.name in hidden:
        return UNKNOWN
    true = labels.index(look.get(spot.name, EMPTY))
    if ids is None:
        return true
    outline = np.array(spot.outline)
    corners = np.concatenate(
        [np.column_stack([outline, np.full(len(outline), spot.base + up)]) for up in (0, spot.height)]
    )
    hull = cv2.convexHull(pose.project(corners).astype(np.float32))
    mask = np.zeros(ids.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, hull.round().astype(np.int32), 1)
    inside = ids[mask > 0]
    share = float((inside == FOREIGN).mean()) if inside.size else 1.0
    if share > _COVERED:
        return len(labels)
    return true if share < _CLEAR else UNKNOWN
