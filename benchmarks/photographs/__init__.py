"""How well photographs of games that the program was not written for are read: Qwirkle, Kingdomino, go, and any other.

`COMPANION_PHOTOS` names the folder that holds them, with `qwirkle`, `kingdomino` and `go` in it; each further folder
with a board file and label files is another game. Photographs that teach are not used for testing: Qwirkle is taught
from one game and read in another, Kingdomino is split by layout, go by photograph. Missing or unreadable photographs
are named, and count as misread if their truth is known.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.photographs.go import measure_go
from benchmarks.photographs.kingdomino import measure_kingdomino
from benchmarks.photographs.labelled import BOARD_FILE, measure_labelled
from benchmarks.photographs.qwirkle import measure_qwirkle
from benchmarks.photographs.truth import InvalidTruth
from calibration.errors import CalibrationError
from companion.errors import InvalidDocument
from vision.errors import VisionError

VARIABLE = "COMPANION_PHOTOS"


def photographs() -> Path | None:
    """The folder of photographs; None if the environment names none that is there."""
    folder = os.environ.get(VARIABLE, "")
    return Path(folder) if folder and Path(folder).is_dir() else None


def measure() -> Iterator[Figure]:
    """The figures of the photographs that are there; a note for those that are not."""
    folder = photographs()
    if folder is None:
        yield Figure("photographs", 0, "", note=f"set {VARIABLE} to the folder that holds them; nothing was measured")
        return
    own = {"qwirkle": measure_qwirkle, "kingdomino": measure_kingdomino, "go": measure_go}
    others = {path.parent.name: measure_labelled for path in sorted(folder.glob(f"*/{BOARD_FILE}"))}
    for name, measured in (own | {name: each for name, each in others.items() if name not in own}).items():
        if not (folder / name).is_dir():
            yield Figure(f"{name}: photographs", 0, "", note=f"missing: {folder / name}")
            continue
        try:
            yield from measured(folder / name)
        except (InvalidTruth, InvalidDocument, CalibrationError, VisionError) as error:
            yield Figure(f"{name}: photographs", 0, "", note=f"not measured: {error}")
