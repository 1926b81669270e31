"""The board of the play screen drawn nearer, in a real window: by wheel and by two fingers."""

from dataclasses import replace

import pytest

from tests.ui.tables import BOARD, RecordingPresenter, play_view, show, state_after
from ui.drawing.board_frame import shown_part
from ui.view_models.play_view import PieceState, PieceView

pytestmark = pytest.mark.window


@pytest.fixture
def presenter():
    return RecordingPresenter(play_view(state_after(120)))


@pytest.fixture
def screen(start, presenter):
    return start(presenter)


def test_a_wheel_draws_nearer_a_finger_moves_and_a_tap_still_means_its_site(screen, presenter):
    from kivy.tests.common import UnitTestTouch

    board = screen.board
    wheel = UnitTestTouch(*board.center)
    wheel.profile.append("button")
    wheel.button = "scrolldown"
    under = board.frame.millimetres(board.center)
    for _ in range(5):
        wheel.touch_down()
        wheel.touch_up()
    screen.frames(2)
    assert board.is_near
    assert board.frame.millimetres(board.center) == pytest.approx(under, abs=1.0)
    start = board.frame.origin
    finger = UnitTestTouch(*board.center)
    finger.touch_down()
    finger.touch_move(board.center_x + 60, board.center_y + 30)
    finger.touch_up()
    assert board.frame.origin != start
    assert presenter.asked == []
    screen.until(lambda: board._drawn_frame == board.frame)
    screen.touch(*board.center)
    assert len(presenter.asked) <= 1
    screen.key(ord("0"))
    assert not board.is_near


def test_two_fingers_draw_the_board_nearer_around_their_middle(screen, presenter):
    from kivy.tests.common import UnitTestTouch

    board = screen.board
    left, top, right, bottom = shown_part(BOARD)
    x, y = board.frame.pixel(((left + right) / 2, (top + bottom) / 2))
    middle = x + 40, y - 30
    under, whole = board.frame.millimetres(middle), board.frame.scale
    left, right = UnitTestTouch(middle[0] - 40, middle[1]), UnitTestTouch(middle[0] + 40, middle[1])
    left.touch_down()
    right.touch_down()
    for spread in (60, 80, 100):
        left.touch_move(middle[0] - spread, middle[1])
        right.touch_move(middle[0] + spread, middle[1])
    assert board.is_near
    assert board.frame.scale == pytest.approx(2.5 * whole, rel=0.02)
    assert board.frame.millimetres(middle) == pytest.approx(under, abs=1.0)
    for spread in (80, 60, 40):
        left.touch_move(middle[0] - spread, middle[1])
        right.touch_move(middle[0] + spread, middle[1])
    left.touch_up()
    right.touch_up()
    assert board.frame.scale == pytest.approx(whole, rel=0.02)
    assert presenter.asked == []


def test_the_magnifier_shows_the_latest_piece_in_the_middle(screen, presenter):
    state = state_after(120)
    view = play_view(state)
    spot = next(name for name in BOARD.spots if name.startswith("ward "))
    show(
        screen, presenter, replace(view, pieces=(PieceView(spot, "blue", PieceState.LATEST),), legal_sites=frozenset())
    )
    screen.frames(2)
    board, play = screen.board, screen.app.screens.current_screen
    place = board.frame.pixel(BOARD.spots[spot].centre)
    off = [abs(a - b) for a, b in zip(place, board.center, strict=True)]
    play.look_closer()
    screen.frames(2)
    assert board.is_near
    near = board.frame.pixel(BOARD.spots[spot].centre)
    assert board.x < near[0] < board.right
    assert board.y < near[1] < board.top
    assert max(abs(a - b) for a, b in zip(near, board.center, strict=True)) < max(off)
    play.look_closer()
    assert not board.is_near
