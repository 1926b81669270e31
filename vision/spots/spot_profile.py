"""The look of any board's spots, taught from photographs: a classifier for each kind of piece, in one file.

The file is a ZIP archive of `profile.json`, PNG pictures and arrays of little-endian 32-bit floats. `profile.json`
holds `format` 3, `kind` "spots", `board` and `digest` (the definition it was taught on), `sheet` (null, or {file,
hidden, scale, light}: the board from above, where pieces hid it, its pixels per millimetre and its gains) and `pieces`,
a list of {piece, turns, labels, groups, light, levels}: `labels` and `groups` give each sample's label and group
(samples of one group may not validate each other), `light` maps a label to the logarithm of its usual light (BGR).
`levels` is a list of {blur, likeness, caution, samples, count, aspects}, the sharpest first: what was taught under a
blur (patch pixels); `samples` names an array (count, description length), an aspect has `answers`, `sharpness` and
`members` of {weights, coefficients}.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from companion.board.layout import Board, Piece
from companion.files.documents import DocumentTable
from companion.files.whole_files import write_whole
from vision.archives import Archive, archive_bytes, check_board, png_bytes, read_archive
from vision.errors import InvalidProfile
from vision.location.location import TaughtSheet
from vision.spots.kernel_classifier import Aspect, Floats, KernelClassifier, Member
from vision.spots.spot_features import BLOCKS, LENGTH

FORMAT = 3
KIND = "spots"
_MOST_SAMPLES, _MOST_ANSWERS, _MOST_MEMBERS, _MOST_LEVELS = 4000, 200, 8, 6
_MAXIMUM_SHEET_SIDE = 2048


@dataclass(frozen=True, slots=True)
class Level:
    """The classifier of pictures that show the spots under a blur (standard deviation, patch pixels)."""

    blur: float
    classifier: KernelClassifier


@dataclass(frozen=True, slots=True)
class TaughtPiece:
    """A kind of piece: its levels of sharpness, as sharp as it was taught and softer ones, and the logarithm (BGR) of
    each label's usual light.

    `labels` and `groups` are those of the sharpest level's samples; samples of one group are too similar to validate
    each other.
    """

    levels: tuple[Level, ...]
    light: Mapping[str, tuple[float, float, float]]
    labels: tuple[str, ...]
    groups: tuple[int, ...]

    @property
    def classifier(self) -> KernelClassifier:
        """The classifier as sharp as the piece was taught."""
        return self.levels[0].classifier


@dataclass(frozen=True, slots=True)
class SpotProfile:
    """The taught look of one board's spots, by kind of piece, and of its sheet if enough of it was visible."""

    board: str
    digest: str
    sheet: TaughtSheet | None
    pieces: Mapping[str, TaughtPiece]

    def check(self, board: Board, source: str = "profile") -> None:
        """Check that this profile was taught on `board`.

        Raises InvalidProfile.
        """
        check_board(self.board, self.digest, board, source)
        for piece, taught in self.pieces.items():
            if piece not in board.pieces:
                raise InvalidProfile(source, "pieces", f"describes the {piece}, which this board does not have")
            kinds = len(aspects_of(board.pieces[piece].labels)[0])
            if len(taught.classifier.aspects) != kinds:
                raise InvalidProfile(source, "pieces", f"does not tell the {piece}'s labels apart; teach it again")


def aspects_of(labels: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The answers that make up each label: its words, where all labels have the same number of words, else the label
    itself.

    So "red star" and "blue circle" teach the look of a red circle.
    """
    words = [tuple(label.split()) for label in labels]
    count = len(words[0])
    if count > 1 and all(len(each) == count for each in words):
        return tuple(words)
    return tuple((label,) for label in labels)


def can_be_taught(piece: Piece) -> bool:
    """Whether a kind of piece can be taught spot by spot; pieces that gather in groups are counted instead."""
    return piece.lies_on != "slot"


def ways_to_lie(piece: Piece) -> int:
    """The number of evenly spread turns (1, 2 or 4) in which a piece fits its spot and looks the same."""
    if piece.oriented:
        return 1
    return 2 if piece.shape in ("rhombus", "bar", "rectangle") else 4


def save_spot_profile(profile: SpotProfile, path: Path) -> None:
    """Write a profile atomically; equal profiles give equal bytes.

    Raises OSError.
    """
    write_whole(path, spot_profile_bytes(profile))


def spot_profile_bytes(profile: SpotProfile) -> bytes:
    """A profile as the bytes of its file."""
    files: dict[str, bytes] = {}
    pieces = []
    for number, (name, taught) in enumerate(sorted(profile.pieces.items())):
        levels = []
        for depth, level in enumerate(taught.levels):
            classifier, own = level.classifier, f"{number}-{depth}"
            files[f"samples{own}.f32"] = _floats(classifier.samples)
            aspects = []
            for k, aspect in enumerate(classifier.aspects):
                members = []
                for m, member in enumerate(aspect.members):
                    file = f"coefficients{own}-{k}-{m}.f32"
                    files[file] = _floats(member.coefficients)
                    members.append({"weights": list(member.weights), "coefficients": file})
                aspects.append({"answers": list(aspect.answers), "sharpness": aspect.sharpness, "members": members})
            levels.append(
                {
                    "blur": level.blur, "likeness": classifier.likeness, "caution": classifier.caution,
                    "samples": f"samples{own}.f32",
                    "count": len(classifier.samples), "aspects": aspects,
                }
            )  # fmt: skip
        pieces.append(
            {
                "piece": name, "turns": taught.classifier.turns, "labels": list(taught.labels),
                "groups": list(taught.groups),
                "light": {label: list(light) for label, light in sorted(taught.light.items())}, "levels": levels,
            }
        )  # fmt: skip
    sheet: dict[str, Any] | None = None
    if profile.sheet is not None:
        files |= {"sheet.png": png_bytes(profile.sheet.image), "hidden.png": png_bytes(profile.sheet.hidden)}
        sheet = {
            "file": "sheet.png", "hidden": "hidden.png", "scale": profile.sheet.scale,
            "light": list(profile.sheet.light),
        }  # fmt: skip
    header = {
        "format": FORMAT, "kind": KIND, "board": profile.board, "digest": profile.digest, "sheet": sheet,
        "pieces": pieces,
    }  # fmt: skip
    return archive_bytes(header, files)


def load_spot_profile(path: Path, board: Board) -> SpotProfile:
    """The profile in a file, checked against the board it is meant for.

    Raises InvalidProfile.
    """
    return read_archive(path, lambda archive: _parse(archive, board))


def is_spot_profile(path: Path) -> bool:
    """Whether a file declares itself a profile of this kind; False for anything that cannot be read."""
    try:
        return read_archive(path, lambda archive: archive.header().values.get("kind")) == KIND
    except InvalidProfile:
        return False


def _parse(archive: Archive, board: Board) -> SpotProfile:
    """The profile in an archive: its board and the names of its pieces are checked before anything else is read."""
    header = archive.header()
    header.only("format", "kind", "board", "digest", "sheet", "pieces")
    header.choice("kind", (KIND,))
    if header.integer("format") != FORMAT:
        raise header.invalid("format", f"is {header.integer('format')}; this program reads format {FORMAT}")
    own_board, digest = header.text("board", longest=100), header.text("digest", longest=64)
    check_board(own_board, digest, board, archive.source)
    described: dict[str, DocumentTable] = {}
    for table in header.tables("pieces", longest=40):
        name = table.text("piece", longest=40)
        if name in described:
            raise table.invalid("piece", f"describes the {name} a second time")
        if name not in board.pieces:
            raise table.invalid("piece", f"describes the {name}, which this board does not have")
        described[name] = table
    if not described:
        raise header.invalid("pieces", "describes no piece")
    pieces = {name: _piece(archive, table) for name, table in described.items()}
    sheet = None
    if header.required("sheet") is not None:
        sheet = _sheet(archive, header.table("sheet"))
    profile = SpotProfile(own_board, digest, sheet, MappingProxyType(pieces))
    profile.check(board, archive.source)
    return profile


def _sheet(archive: Archive, table: DocumentTable) -> TaughtSheet:
    table.only("file", "hidden", "scale", "light")
    image = archive.picture(table, "file", _MAXIMUM_SHEET_SIDE)
    hidden = archive.picture(table, "hidden", _MAXIMUM_SHEET_SIDE)[:, :, 0]
    if hidden.shape != image.shape[:2]:
        raise table.invalid("hidden", "does not fit the sheet's picture")
    scale, light = table.number("scale", 0.05, 100), _three(table, "light")
    return TaughtSheet(image, scale, np.ascontiguousarray(hidden), light)


def _piece(archive: Archive, table: DocumentTable) -> TaughtPiece:
    table.only("piece", "turns", "labels", "groups", "light", "levels")
    turns = table.integer("turns", 1, 4)
    if turns not in (1, 2, 4):
        raise table.invalid("turns", "must be 1, 2 or 4")
    levels = tuple(_level(archive, entry, turns) for entry in table.tables("levels", longest=_MOST_LEVELS))
    blurs = [level.blur for level in levels]
    if not levels or blurs != sorted(set(blurs)):
        raise table.invalid("levels", "are missing, or not in the order of their blurs")
    if len({len(level.classifier.aspects) for level in levels}) > 1:
        raise table.invalid("levels", "do not all tell the same labels apart")
    labels = table.texts("labels", longest=_MOST_SAMPLES)
    groups = table.integers("groups", 0, _MOST_SAMPLES, longest=_MOST_SAMPLES)
    count = len(levels[0].classifier.samples)
    if len(labels) != count or len(groups) != count:
        raise table.invalid("labels", f"and groups must be {count}, one for each sample")
    light_table = table.table("light")
    light = {label: _three(light_table, label) for label in light_table}
    return TaughtPiece(levels, MappingProxyType(light), labels, groups)


def _level(archive: Archive, table: DocumentTable, turns: int) -> Level:
    table.only("blur", "likeness", "caution", "samples", "count", "aspects")
    count = table.integer("count", 1, _MOST_SAMPLES)
    samples = _array(archive, table, "samples", count, LENGTH)
    aspects = []
    for entry in table.tables("aspects", longest=8):
        entry.only("answers", "sharpness", "members")
        answers = entry.texts("answers", longest=_MOST_ANSWERS)
        if not answers or len(set(answers)) != len(answers):
            raise entry.invalid("answers", "must name each answer once")
        members = []
        for member in entry.tables("members", longest=_MOST_MEMBERS):
            member.only("weights", "coefficients")
            weights = _numbers(member, "weights", len(BLOCKS), 0.0, 1e9)
            members.append(Member(weights, _array(archive, member, "coefficients", count, len(answers))))
        if not members:
            raise entry.invalid("members", "are missing")
        aspects.append(Aspect(answers, tuple(members), entry.number("sharpness", 0.01, 1000)))
    if not aspects:
        raise table.invalid("aspects", "are missing")
    likeness, caution = table.number("likeness", 0.0, 1.0), table.number("caution", 0.01, 1.0)
    classifier = KernelClassifier(samples, turns, tuple(aspects), likeness, caution)
    return Level(table.number("blur", 0.0, 100.0), classifier)


def _three(table: DocumentTable, key: str) -> tuple[float, float, float]:
    first, second, third = _numbers(table, key, 3, -20.0, 20.0)
    return first, second, third


def _numbers(table: DocumentTable, key: str, count: int, low: float, high: float) -> tuple[float, ...]:
    values = table.sequence(key, longest=count)
    if len(values) != count or not all(
        isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high for value in values
    ):
        raise table.invalid(key, f"must be {count} numbers from {low:g} to {high:g}")
    return tuple(float(value) for value in values)


def _array(archive: Archive, table: DocumentTable, key: str, rows: int, columns: int) -> Floats:
    data = archive.member(table.text(key, longest=100))
    if len(data) != 4 * rows * columns:
        raise table.invalid(key, f"is no array of {rows} x {columns} numbers")
    values = np.frombuffer(data, "<f4").reshape(rows, columns).astype(np.float32)
    if not np.isfinite(values).all() or np.abs(values).max(initial=0.0) > 1e6:
        raise table.invalid(key, "holds numbers that are infinite or far too large")
    return values


def _floats(values: Floats) -> bytes:
    return np.ascontiguousarray(values, "<f4").tobytes()
