"""Contrasts as they are on the screen: measured in pictures of it, in both themes."""

from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.ui.tables import BOARD, RecordingPresenter, help_view, refusal_view
from ui.drawing import theme
from ui.drawing.theme import contrast
from ui.view_models.play_view import PieceState

pytestmark = pytest.mark.window
DISABLED = 3.0
"""what can be read of a button that rests, whose words are no news"""


@pytest.fixture(params=list(theme.THEMES))
def dressed(request):
    theme.use_theme(request.param)
    yield request.param
    theme.use_theme("marble")


def colours_of(picture):
    """Every pixel of a picture as red, green and blue of 0 to 1."""
    return [tuple(float(part) / 255 for part in pixel[::-1]) for pixel in picture.reshape(-1, 3)]


def measured(picture):
    """The contrast of the pixel that stands out most from the commonest colour."""
    pixels = colours_of(picture)
    ground = Counter(pixels).most_common(1)[0][0]
    return max(contrast(ground, pixel) for pixel in set(pixels))


@pytest.mark.parametrize("view", [refusal_view, help_view], ids=lambda view: view.__name__)
def test_every_text_of_the_play_screen_can_be_read(start, dressed, view, tmp_path):
    from kivy.uix.label import Label

    from scripts.pictures.faults import is_shown

    screen = start(RecordingPresenter(view()))
    screen.resize(1280, 800)
    picture = cv2.imread(str(screen.picture(Path(tmp_path) / "screen.png")))
    height, width = picture.shape[:2]
    pale = {}
    texts = 0
    for label in screen.app.screens.current_screen.walk(restrict=True):
        if not (isinstance(label, Label) and label.text.strip() and is_shown(label)):
            continue
        x, y = label.to_window(*label.center)
        wide, high = (min(size, room) / 2 for size, room in zip(label.texture_size, label.size, strict=True))
        left, right = max(0, round(x - wide)), min(width, round(x + wide))
        top, bottom = max(0, round(height - y - high)), min(height, round(height - y + high))
        if right - left < 4 or bottom - top < 8:
            continue
        texts += 1
        found = measured(picture[top:bottom, left:right])
        if found < (DISABLED if label.disabled else 4.5):
            pale[label.text] = round(found, 1)
    assert texts > 15
    assert pale == {}


def test_every_mark_on_the_board_stands_out(start, dressed, tmp_path):
    """Around each marked piece some line is three times as light or dark as the one beside it."""
    presenter = RecordingPresenter(refusal_view())
    screen = start(presenter)
    screen.resize(1280, 800)
    screen.until_printed()
    picture = cv2.imread(str(screen.picture(Path(tmp_path) / "screen.png")))
    marked = [piece for piece in presenter.shown.pieces if piece.state is not PieceState.PLACED]
    assert len({piece.state for piece in marked}) >= 3
    for piece in marked:
        points = np.array(screen.board.frame.pixels(BOARD.spots[piece.spot].outline))
        middle = points.mean(axis=0)
        strongest = []
        for first, second in zip(points, np.roll(points, -1, axis=0), strict=True):
            side = (first + second) / 2
            outwards = (side - middle) / np.linalg.norm(side - middle)
            along = (second - first) / np.linalg.norm(second - first)
            places = [side + outwards * step + along * shift for shift in (-3, 0, 3) for step in np.arange(1, 14, 0.5)]
            seen = [picture[picture.shape[0] - 1 - int(y), int(x)] for x, y in places]
            colours = colours_of(np.array(seen))
            strongest.append(max(contrast(one, other) for one in colours for other in colours))
        assert min(strongest) >= 3, (piece, strongest)


@pytest.mark.window
def test_signs_on_quiet_buttons_are_in_the_colour_of_the_theme(prepared):
    from ui.widgets.icons import IconWordButton

    theme.use_theme("evening")
    try:
        assert tuple(IconWordButton(icon="undo", text="Undo").tint[:3]) == pytest.approx(theme.INK, abs=0.01)
    finally:
        theme.use_theme("marble")
