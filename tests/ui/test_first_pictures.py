"""Boards are seen at once: small shipped pictures until those of the screen's size are drawn; moved as they are."""

import numpy as np
import pytest

from companion.errors import CompanionError
from companion.registry import GAMES, print_and_play_board
from tests.ui.tables import BOARD, RecordingPresenter, play_view, state_after
from ui.drawing.board_frame import shown_part
from ui.drawing.faces import faces_of
from ui.printed import image, thumbnails
from ui.printed.first_pictures import first_pictures
from ui.printed.pictures import Wanted, board_pictures
from ui.printed.thumbnails import board_thumbnail


@pytest.mark.parametrize("game", GAMES)
def test_the_shipped_pictures_are_what_is_drawn(game):
    again = f"python -m scripts.first_pictures {game}"
    for sheet in print_and_play_board(game).sheets:
        shipped = first_pictures(sheet)
        assert shipped is not None, again
        assert set(shipped.cells) == set(faces_of(sheet)), again
        drawn = board_pictures(sheet, Wanted(shipped.scale, shown_part(sheet)))
        assert shipped.size == drawn.size
        assert np.abs(shipped.sheet.astype(float) - drawn.sheet).mean() < 4, again
        opaque = drawn.atlas[:, :, 3:] / 255
        assert np.abs((shipped.atlas.astype(float) - drawn.atlas) * opaque).mean() < 4, again


def test_they_are_decoded_once_and_what_is_drawn_with_them_leaves_them_as_they_are(monkeypatch, tmp_path):
    monkeypatch.setattr(thumbnails, "cache_folder", lambda: tmp_path)
    found = first_pictures(BOARD)
    sheet, atlas = found.sheet.copy(), found.atlas.copy()
    ward = next(spot for spot in BOARD.spots if spot.startswith("ward "))
    board_thumbnail(BOARD, {ward: "red"}, 640)
    assert first_pictures(BOARD) is found
    assert np.array_equal(found.sheet, sheet)
    assert np.array_equal(found.atlas, atlas)


def test_dimmed_ones_are_darker():
    light, dark = first_pictures(BOARD), first_pictures(BOARD, dimmed=True)
    assert dark.sheet.mean() < light.sheet.mean()


def test_a_board_as_it_lies_is_on_the_start_screen_before_its_pictures_are_drawn(monkeypatch, tmp_path):
    def fails(*_: object) -> None:
        raise CompanionError("the board cannot be drawn")

    monkeypatch.setattr(image, "board_pictures", fails)
    monkeypatch.setattr(thumbnails, "cache_folder", lambda: tmp_path)
    ward = next(spot for spot in BOARD.spots if spot.startswith("ward "))
    bare, laid = board_thumbnail(BOARD, {}, 640), board_thumbnail(BOARD, {ward: "red"}, 640)
    assert bare.shape[1] == laid.shape[1] == 640
    assert np.abs(bare.astype(int) - laid).max() > 100


@pytest.fixture
def view():
    return play_view(state_after(120))


@pytest.fixture
def unprinted(monkeypatch):
    """No pictures in the screen's size come, ever."""
    from ui.widgets import board_view

    def fails(*_: object) -> None:
        raise CompanionError("the board cannot be drawn")

    monkeypatch.setattr(board_view, "_pictures", fails)


def misdrawn(screen, view):
    """Wards that the window does not show where the board lies now, as it is drawn."""
    from tests.ui.window import ground_of, ward_colour

    taken = {piece.spot.partition(" ")[2] for piece in view.pieces if piece.spot.startswith("magistrate ")}
    wards = [p for p in view.pieces if p.spot.startswith("ward ") and p.spot.partition(" ")[2] not in taken]
    assert wards
    places = {ward: screen.board.frame.pixel(ground_of(ward.spot)) for ward in wards}
    return [ward.spot for ward, place in places.items() if ward_colour(screen.pixel(*place)) != ward.label]


@pytest.mark.window
def test_a_board_is_seen_before_its_pictures_are_drawn(start, view, unprinted):
    screen = start(RecordingPresenter(view))
    screen.frames(3)
    assert not screen.board.is_printed
    assert screen.board.textures is not None
    assert misdrawn(screen, view) == []


@pytest.mark.window
def test_another_view_of_a_board_begins_with_the_pictures_that_are_there(start, view, unprinted):
    from ui.widgets import board_textures

    screen = start(RecordingPresenter(view))
    screen.frames(3)
    assert board_textures.at_hand(BOARD, dimmed=False) is screen.board.textures


@pytest.mark.window
def test_a_board_of_another_size_is_drawn_there_in_the_same_frame(start, view):
    screen = start(RecordingPresenter(view))
    screen.until_printed()
    board = screen.board
    board.size = board.width * 0.6, board.height * 0.6
    assert misdrawn(screen, view) == []


@pytest.mark.window
def test_nothing_is_explained_before_the_board_is_seen(start, view, unprinted, monkeypatch):
    from ui.screens.play_coach import PlayCoach
    from ui.view_models.coach_view import CoachAnchor, CoachMarkView
    from ui.widgets import board_textures

    class Explaining:
        def mark(self, _view):
            return CoachMarkView(CoachAnchor.PROMPT, "Whose turn it is", 1, 3)

    monkeypatch.setattr(board_textures, "first_pictures", lambda *_, **__: None)
    monkeypatch.setattr(board_textures, "_shown", {})
    screen = start(RecordingPresenter(view))
    screen.frames(3)
    current = screen.app.screens.current_screen
    current.coach = PlayCoach(current.ids, Explaining())
    current.fit()
    assert current.ids.coach.mark is None
    current.ids.board.textures = object()
    current.coach.show(view)
    assert current.ids.coach.mark is not None
