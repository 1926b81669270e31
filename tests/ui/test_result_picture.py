"""The picture of a result that is shared: the printed board as it lies, and everybody's points; nothing of the app."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.ui.tables import BOARD, RecordingPresenter, final_view
from ui.drawing.board_frame import shown_part
from ui.drawing.theme import THEMES, hexadecimal, seal_of
from ui.printed.image import board_image

pytestmark = pytest.mark.window


def picture_of(view, score):
    from ui.widgets.result_picture import result_picture

    look = {piece.spot: piece.label for piece in view.pieces}
    seals = {player.seat: seal_of(BOARD, player.colour) for player in view.players}
    data = result_picture(view.title, score, BOARD, look, seals)
    return look, cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)


def test_it_shows_the_board_and_frames_who_has_won(start):
    view = final_view()
    start(RecordingPresenter(view))
    look, picture = picture_of(view, view.score)
    left, _top, right, _bottom = shown_part(BOARD)
    board = board_image(BOARD, look, (picture.shape[1] - 96) / (right - left))
    tops = [
        row
        for row in range(picture.shape[0] - board.shape[0])
        if np.array_equal(picture[row : row + 3, 48 : 48 + board.shape[1]], board[:3])
    ]
    assert len(tops) == 1
    assert np.array_equal(picture[tops[0] : tops[0] + board.shape[0], 48 : 48 + board.shape[1]], board)
    below = picture[tops[0] + board.shape[0] :].astype(int)
    mark = np.array([round(255 * part) for part in hexadecimal(THEMES["marble"]["MARK"])][::-1])
    framed = np.nonzero((abs(below - mark).max(axis=2) < 12).sum(axis=0) > 60)[0]
    assert framed.size
    assert framed.max() < picture.shape[1] / len(view.score.ranking) + 48, "the first card alone"


def test_other_points_give_another_picture_and_nobody_is_framed_where_nobody_won(start):
    view = final_view()
    start(RecordingPresenter(view))
    seat, name, points, rank = view.score.ranking[0]
    other = replace(view.score, ranking=((seat, name, points + 1, rank), *view.score.ranking[1:]))
    undecided = replace(view.score, decided=False)
    pictures = [picture_of(view, score)[1] for score in (view.score, other, undecided)]
    assert all(picture.shape == pictures[0].shape for picture in pictures)
    assert not np.array_equal(pictures[0], pictures[1])
    assert not np.array_equal(pictures[0], pictures[2])
