"""A photograph full of pieces is labelled by a few touches: some spots are said, the others proposed and confirmed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.session.store import Store
from tests.vision.grids import Camera, grid_board, random_tiles
from ui.forms.teach_form import TeachForm
from ui.services.speech import Speaker
from ui.shell.shell import Shell
from ui.view_models.form_view import Note, Picks, Tone
from vision.spots.spot_profile import load_spot_profile

BOARD = grid_board(10, 8, labels=["disc red", "square blue", "cross yellow"])
CAMERA = Camera(seed=21)
HANG = 120.0


def look_of(seed: int) -> dict[str, str]:
    labels = BOARD.pieces["tile"].labels
    return {spot: labels[len(label) % 3] for spot, label in random_tiles(BOARD, seed, 0.6).items()}


@pytest.fixture
def form(tmp_path: Path) -> Iterator[TeachForm]:
    for number in (0, 1):
        cv2.imwrite(str(tmp_path / f"{number}.png"), CAMERA.photograph(BOARD, look_of(number)))
    with Store(tmp_path / "store.sqlite") as store:
        shell = Shell(store, tmp_path, speaker=Speaker(None))
        yield TeachForm(shell, BOARD, pictures=tmp_path)
        shell.close()


def until(form: TeachForm, ready: Callable[[], bool]) -> None:
    end = time.monotonic() + HANG
    while not ready():
        form.tick()
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.01)


def take(form: TeachForm, number: int) -> None:
    form.touch("files", f"open {number}.png")
    until(form, lambda: form.picture() is not None)
    for tap in CAMERA.taps(BOARD):
        form.tap(tap)


def picks(form: TeachForm, key: str) -> dict[str, str]:
    return {
        each.key: each.text for row in form.rows() if isinstance(row, Picks) and row.key == key for each in row.picks
    }


def test_what_is_said_of_some_spots_proposes_the_others_in_groups(form: TeachForm) -> None:
    look, touches = look_of(0), 0
    take(form, 0)
    assert set(picks(form, "brush")) == {"tile/disc red", "tile/square blue", "tile/cross yellow", "tile/nothing"}
    for label in (*BOARD.pieces["tile"].labels, ""):
        form.touch("brush", f"tile/{label or 'nothing'}")
        for spot in [spot for spot in BOARD.spots if look.get(spot, "") == label][:3]:
            x, y = CAMERA.place(BOARD, np.array([BOARD.spots[spot].centre]))[0]
            form.tap((float(x), float(y)))
            touches += 1
        touches += 1
    form.touch("way", "propose")
    until(form, lambda: any("/" in key for key in picks(form, "confirm")))
    for key in [key for key in picks(form, "confirm") if key != "rest"]:
        form.touch("confirm", key)
        touches += 1
    assert touches <= 26, "80 spots"
    assert form._labelling is not None
    assert form._labelling.labels == {spot: look.get(spot, "") for spot in BOARD.spots}
    form.touch("lesson", "said")
    form.touch("way", "learn")
    until(form, form.profile_file.exists)
    notes = [row.text for row in form.rows() if isinstance(row, Note) and row.tone is Tone.ASKING]
    assert any("one photograph only" in text for text in notes)
    assert load_spot_profile(form.profile_file, BOARD).pieces.keys() == {"tile"}

    take(form, 1)
    groups = picks(form, "confirm")
    assert {key.rpartition("/")[0] for key in groups} == {"tile/", *(f"tile/{label}" for label in look.values())}


def test_a_second_touch_takes_a_label_off_again(form: TeachForm) -> None:
    take(form, 0)
    place = tuple(float(v) for v in CAMERA.place(BOARD, np.array([BOARD.spots["tile C3"].centre]))[0])
    form.tap(place)
    assert form._labelling is not None
    assert not form._labelling.labels, "nothing was chosen to be put there"
    form.touch("brush", "tile/disc red")
    form.tap(place)
    assert form._labelling.labels == {"tile C3": "disc red"}
    assert [mark for mark in form.marks() if mark.chosen]
    form.tap(place)
    assert not form._labelling.labels
    form.tap((1.0, 1.0))
    assert not form._labelling.labels, "far from any spot"
    form.tap(place)
    form.touch("confirm", "rest")
    assert len(form._labelling.labels) == len(BOARD.spots)
    assert set(form._labelling.labels.values()) == {"", "disc red"}
