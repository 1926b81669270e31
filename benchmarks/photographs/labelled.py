"""Photographs of any game: a board file, photographs that teach, and photographs that are read.

`board.toml` is the board; `teach.toml` and every `read*.toml` are label files (docs/formats/photographs.md). A file
`read-lamp.toml` is told apart from `read-day.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.photographs.truth import joined, share
from calibration.lessons import load_labels, read_lessons
from calibration.teaching import teach_from_pictures
from companion.board.layout import load_board
from vision.spots.spot_reader import SpotReader

BOARD_FILE, TEACHING = "board.toml", "teach.toml"
SURE = 0.9


def measure_labelled(folder: Path) -> Iterator[Figure]:
    """Spots of a game read wrongly, surely so, and not at all, for each file of photographs to read."""
    board = load_board(folder / BOARD_FILE)
    taught = teach_from_pictures(board, read_lessons(board, load_labels(folder / TEACHING, board)))
    reader = SpotReader(board, taught.profile)
    for path in sorted(folder.glob("read*.toml")):
        wrong = sure = covered = spots = 0
        for lesson in read_lessons(board, load_labels(path, board)):
            reading = reader.read(lesson.image, lesson.pose)
            spots += len(lesson.labels)
            for spot, label in lesson.labels.items():
                if spot not in reading.posteriors:
                    covered += 1
                    continue
                likeliest, chance = reading.likeliest(spot)
                wrong, sure = wrong + (likeliest != label), sure + (likeliest != label and chance >= SURE)
        note = joined(f"{sure} of them surely", f"{covered} not seen")
        name = f"{folder.name}: spots read wrongly, {path.stem}"
        yield share(name, wrong, spots, None, note, at_least=False)
