"""The play screen in a real window, drawn offscreen and touched."""

import math
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.ui.tables import (
    BOARD,
    GAME,
    RecordingPresenter,
    help_view,
    pieces_of,
    play_view,
    refusal_view,
    show,
    state_after,
    touch_board,
)
from ui.drawing.marks import GLOW, WRONG_RED
from ui.view_models.play_view import ButtonView, PieceState, PieceView, VerdictKind, VerdictView

pytestmark = pytest.mark.window

SIZES = [(1280, 800), (800, 480), (1920, 1080), (800, 1280)]


@pytest.fixture
def presenter():
    return RecordingPresenter(play_view(state_after(120)))


@pytest.fixture
def screen(start, presenter):
    return start(presenter)


def test_the_buttons_make_their_wishes(screen, presenter):
    from ui.screens.play_filling import BigButton

    for button in list(screen.all(BigButton)):
        screen.tap(button)
    screen.tap(screen.app.screens.current_screen.ids.help)
    assert presenter.asked == [("intent", name) for name in ("done", "no", "next", "help")]


def test_what_stands_out_is_the_only_primary_button_and_makes_its_wish(screen, presenter):
    from ui.screens.play import PrimaryButton
    from ui.screens.play_filling import BigButton

    buttons = (ButtonView("done", "End the turn", strong=True), ButtonView("next", "Next", needed=False))
    show(screen, presenter, replace(presenter.shown, buttons=buttons))
    assert list(screen.all(BigButton)) == []
    primary = screen.find(PrimaryButton)
    assert primary.text == "End the turn"
    screen.tap(primary)
    assert presenter.asked == [("intent", "done")]


def test_undo_and_redo_name_what_and_rest_where_there_is_nothing(screen, presenter):
    undo, redo = (screen.app.screens.current_screen.ids[name] for name in ("undo", "redo"))
    assert (undo.text, undo.below) == ("Undo", "ward G7-H7 green magistrate")
    assert redo.width == 0
    screen.tap(undo)
    assert presenter.asked == [("intent", "undo")]
    show(screen, presenter, replace(presenter.shown, undo="", redo="Redo: draw red blue"))
    screen.tap(undo)
    screen.tap(redo)
    assert presenter.asked == [("intent", "undo"), ("intent", "redo")]


def test_a_resting_button_is_not_there(screen, presenter):
    from ui.screens.play_filling import BigButton

    show(screen, presenter, replace(presenter.shown, buttons=(ButtonView("done", "Done", enabled=False),)))
    assert list(screen.all(BigButton)) == []


KEYS = [
    ((32,), "done"), ((13,), "done"), ((271,), "done"), ((ord("n"),), "no"), ((9,), "next"), ((ord("h"),), "help"),
    ((282,), "help"), ((ord("z"), "ctrl"), "undo"), ((ord("y"), "ctrl"), "redo"),
]  # fmt: skip


def test_keys_make_the_same_wishes(screen, presenter):
    for keys, _wish in KEYS:
        screen.key(*keys)
    assert presenter.asked == [("intent", wish) for _keys, wish in KEYS]


def test_other_keys_do_nothing(screen, presenter):
    for keys in ((ord("z"),), (ord("n"), "ctrl"), (9, "alt"), (27,)):
        screen.key(*keys)
    assert presenter.asked == []


def test_a_key_that_is_held_is_one_press(screen, presenter):
    from kivy.core.window import Window

    for _ in range(5):
        Window.dispatch("on_key_down", 32, 0, " ", [])
    Window.dispatch("on_key_up", 32, 0)
    screen.key(32)
    assert presenter.asked == [("intent", "done")] * 2


def test_a_touch_on_the_board_means_the_site_there(screen, presenter):
    sites = ["G7-H7", "H7", "temple", "treasury", "G3-H2-H3", "M5", "A7-A8"]
    for site in sites:
        x, y = BOARD.slots.get(site) or BOARD.lattice.centre(site)
        touch_board(screen, (x + 2, y - 3))
    assert presenter.asked == [("site", site) for site in sites]


def test_a_touch_beside_every_site_means_none(screen, presenter):
    touch_board(screen, (100, 60))
    assert presenter.asked == []


def test_the_board_is_touched_where_it_is_drawn_at_every_size(screen, presenter):
    for size in SIZES:
        screen.resize(*size)
        touch_board(screen, BOARD.lattice.centre("G7-H7"))
    assert presenter.asked == [("site", "G7-H7")] * len(SIZES)


def test_pieces_are_drawn_where_they_lie_in_their_colours(screen, presenter):
    for size in SIZES[:3]:
        screen.resize(*size)
        assert screen.misdrawn_wards(presenter.shown) == []


def test_a_piece_that_goes_leaves_the_board_as_it_was(screen, presenter):
    from tests.ui.window import ground_of, ward_colour

    screen.until_printed()
    view = presenter.shown
    free = next(name for name in BOARD.spots if name.startswith("ward A"))
    place = screen.board.frame.pixel(ground_of(free))
    before = screen.pixel(*place)
    laid = PieceView(free, "blue", PieceState.PLACED)
    show(screen, presenter, replace(view, pieces=(*view.pieces, laid)))
    assert ward_colour(screen.pixel(*place)) == "blue"
    show(screen, presenter, replace(view, pieces=view.pieces[:]))
    assert screen.pixel(*place) == before


@pytest.mark.parametrize(
    ("state", "colour"),
    [(PieceState.LATEST, GLOW), (PieceState.PROPOSED, GLOW), (PieceState.WRONG, WRONG_RED)],
)
def test_what_is_the_matter_with_a_piece_is_drawn_around_it(screen, presenter, state, colour):
    from tests.ui.window import ground_of, ward_colour

    screen.until_printed()
    free = next(name for name in BOARD.spots if name.startswith("ward A"))
    laid = PieceView(free, "blue", state)
    show(screen, presenter, replace(presenter.shown, pieces=(*presenter.shown.pieces, laid)))
    outline = screen.board.frame.pixels(BOARD.spots[free].outline)
    for (ax, ay), (bx, by) in pairwise((*outline, outline[0])):
        x, y = (ax + bx) / 2, (ay + by) / 2
        length = math.dist((ax, ay), (bx, by))
        outwards = ((ay - by) / length, (bx - ax) / length)
        seen = [
            screen.pixel(x + along * (bx - ax) + outwards[0] * step, y + along * (by - ay) + outwards[1] * step)
            for step in range(-14, 15)
            for along in (-0.15, 0.0, 0.15)
        ]
        assert any(math.dist([part * 255 for part in colour], pixel) < 100 for pixel in seen), (state, x, y)
    assert ward_colour(screen.pixel(*screen.board.frame.pixel(ground_of(free)))) == "blue"


def test_an_unknown_spot_or_site_is_left_out(screen, presenter):
    odd = PieceView("ward Z99", "red", PieceState.PLACED)
    verdict = VerdictView(VerdictKind.REFUSED, "No", spots=("cube Z99",), sites=("Z99", "nowhere"))
    view = replace(presenter.shown, pieces=(*presenter.shown.pieces, odd), verdict=verdict)
    show(screen, presenter, replace(view, legal_sites=frozenset({"Z99"})))
    assert screen.app.errors.text == ""


def test_a_board_of_pieces_without_marks_is_one_mesh(screen, presenter):
    from kivy.graphics import Mesh

    screen.until_printed()
    pieces = tuple(replace(piece, state=PieceState.PLACED) for piece in presenter.shown.pieces)
    view = replace(presenter.shown, pieces=pieces, legal_sites=frozenset(), verdict=None)
    show(screen, presenter, view)
    assert [type(each) for each in screen.board._scene.children if isinstance(each, Mesh)] == [Mesh]


def test_a_long_evening_leaves_no_widgets_and_no_drawings_behind(screen, presenter):
    def amount():
        return len(list(screen.app.root.walk())), len(screen.board._scene.children)

    screen.until_printed()
    views = [refusal_view(), help_view(), play_view(state_after(60, 2)), play_view(state_after(120))]
    for view in views:
        show(screen, presenter, view)
    once = amount()
    for _ in range(3):
        for view in views:
            presenter.shown = replace(view)
            screen.app.refresh()
    screen.frames()
    assert amount() == once


def verdict_boxes(screen):
    from ui.widgets.panels import VerdictBox

    return [box for box in screen.all(VerdictBox) if box.text]


def test_a_refusal_shows_its_rule_and_when_touched_all_rules_and_codes(screen, presenter):
    from ui.screens.play import PrimaryButton
    from ui.widgets.tray import FaceCard

    show(screen, presenter, refusal_view())
    (panel,) = verdict_boxes(screen)
    for part in ("Not here", "A ward must share a full side", "Italian rulebook", "and 1 more"):
        assert part in panel.text
    assert "COM-WARD-4" not in panel.text
    screen.until_printed()  # chips that come while a finger is down push it away from under the finger
    screen.tap(panel)
    screen.until(lambda: panel.is_open)
    (panel,) = verdict_boxes(screen)
    for part in ("is not allowed", "COM-WARD-4", "The atrium of"):
        assert part in panel.text
    assert screen.find(PrimaryButton).text == "Put it back"
    screen.frames()
    screen.tap(screen.find(FaceCard, key="record anyway"))
    screen.until(lambda: bool(presenter.asked))
    assert presenter.asked == [("choice", "record anyway")]


def test_who_acts_shows_what_they_hold_wherever_the_others_do(screen, presenter):
    for size in SIZES:
        screen.resize(*size)
        show(screen, presenter, refusal_view())
        screen.frames(3)
        assert len({bool(panel.ids.chips.fitted()[0]) for panel in players_of(screen)}) == 1, size


def test_a_refusal_is_read_whole_where_it_and_the_players_have_no_room(screen, presenter):
    from ui.widgets.scale import scale

    screen.resize(800, 480)
    scale.reader = 1.6
    try:
        show(screen, presenter, refusal_view())
        screen.frames(3)
        (panel,) = verdict_boxes(screen)
        assert panel.height >= min(panel.ids.content.height, screen.app.screens.current_screen.ids.side.height * 0.8)
    finally:
        scale.reader = 1.0


def test_panels_stand_side_by_side_where_the_rail_is_wide(screen):
    screen.resize(1920, 1080)
    panels = screen.app.screens.current_screen.ids.players
    assert (panels.columns(panels.width), panels.columns(panels.width / 2)) == (2, 1)


def test_a_note_that_has_no_room_tells_its_first_sentence_and_all_of_it_when_touched(screen, presenter):
    from ui.widgets.controls import plain_words

    note = "The game was mended. " + "Entries 3 to 9 could not be read and are left out of it. " * 5
    screen.resize(800, 480)
    show(screen, presenter, replace(play_view(state_after(120)), verdict=VerdictView(VerdictKind.NOTE, note.strip())))
    (panel,) = verdict_boxes(screen)
    assert plain_words(panel.text).endswith("The game was mended. ›")
    screen.frames(4)
    screen.tap(panel)
    screen.until(lambda: panel.is_open)
    screen.frames()
    assert panel.text.count("Entries 3 to 9") == 5
    assert panel.ids.content.height <= panel.height
    screen.tap(panel)
    screen.until(lambda: not panel.is_open)
    assert all(panel.height > 30 for panel in players_of(screen))


def test_a_refusal_covers_none_of_its_places_on_a_large_screen(screen, presenter):
    screen.resize(1280, 800)
    screen.until_printed()
    show(screen, presenter, refusal_view())
    (panel,) = verdict_boxes(screen)
    assert panel.parent.uid == screen.app.screens.current_screen.ids.callout.uid
    spot = BOARD.spots[presenter.shown.verdict.spots[0]]
    x, y = screen.board.frame.pixel(spot.centre)
    assert not panel.collide_point(x, y)


def test_the_verdict_gives_its_room_back(screen, presenter):
    show(screen, presenter, refusal_view())
    show(screen, presenter, play_view(state_after(120)))
    assert verdict_boxes(screen) == []
    assert screen.app.screens.current_screen.ids.verdict.height == 0


def test_names_with_markup_are_shown_as_they_are(screen, presenter):
    name = next(panel.name for panel in players_of(screen) if panel.name.startswith("Bruno"))
    assert name == "Bruno [Roma]"


def players_of(screen):
    from ui.widgets.panels import PlayerPanel

    return list(screen.all(PlayerPanel))


def test_players_show_points_holdings_and_whose_turn_it_is(screen, presenter):
    state = state_after(120)
    panels = players_of(screen)
    assert [panel.points for panel in panels] == [player.points for player in presenter.shown.players]
    assert [panel.acts for panel in panels] == [seat in GAME.decide(state).actors for seat in state.table.seats]
    assert "magistrates" in "".join(panel.holdings for panel in panels)
    show(screen, presenter, play_view(state_after(60, 2)))
    assert [panel.name for panel in players_of(screen)] == ["Anna", "Bruno [Roma]"]


def pills(screen):
    from ui.widgets.pills import EyePill

    return [(pill.icon, pill.text) for pill in screen.all(EyePill)]


def test_the_camera_and_what_does_not_answer_are_told_by_sign_and_word(screen, presenter):
    assert pills(screen) == [("eye", "Watching"), ("box", "Box A: lost")]


def test_without_camera_and_box_there_is_no_word_of_them(screen, presenter):
    show(screen, presenter, replace(presenter.shown, devices=(), eyes="no camera"))
    assert pills(screen) == []


@pytest.mark.parametrize("size", SIZES)
def test_a_long_reason_of_the_camera_leaves_room_for_what_is_waited_for(screen, presenter, size):
    screen.resize(*size)
    reason = f"paused (/home/anna/{'photographs of the table/' * 6}: holds no usable picture: a.png: is damaged)"
    show(screen, presenter, replace(presenter.shown, eyes=reason))
    ((icon, text), _box) = pills(screen)
    assert (icon, text[:8], "…" in text, text[-8:]) == ("eye", "Paused (", True, "damaged)")
    assert screen.app.screens.current_screen.ids.prompt.width > 0
    assert screen.app.screens.current_screen.ids.help.right <= size[0]


def test_the_latest_moves_are_shown_and_a_touched_one_can_be_corrected(screen, presenter):
    from ui.view_models.play_view import MoveView
    from ui.widgets.moves import MoveRow

    screen.resize(1280, 800)
    moves = tuple(MoveView(number, 1 + number % 4, f"Move {number}", points=number - 8) for number in (9, 8, 7))
    show(screen, presenter, replace(presenter.shown, moves=moves))
    rows = list(screen.all(MoveRow))
    assert [row.told for row in rows] == ["Move 9", "Move 8", "Move 7"]
    earlier = tuple(MoveView(number, 1 + number % 4, f"Move {number}", points=1) for number in (6, 5, 4))
    show(screen, presenter, replace(presenter.shown, moves=moves + earlier))
    assert len(list(screen.all(MoveRow))) == 3
    screen.resize(800, 1280)
    screen.frames(2)
    assert [row.told for row in screen.all(MoveRow)][-1] == "Move 4"
    screen.resize(1280, 800)
    show(screen, presenter, replace(presenter.shown, moves=moves))
    screen.tap(rows[1])
    assert presenter.asked == [("correct", 8)]


def test_a_touch_is_answered_before_the_next_tick(start, presenter):
    screen = start(presenter)
    answer = replace(presenter.shown, prompt="And now?", pieces=pieces_of(state_after(121)))
    presenter.answers["intent", "next"] = answer
    screen.key(9)
    assert screen.app.screens.current_screen.ids.prompt.text == "And now?"


@pytest.mark.parametrize("view", [refusal_view, help_view], ids=lambda view: view.__name__)
def test_everything_to_be_touched_is_large_enough_and_in_the_window(screen, presenter, view):
    from kivy.metrics import dp

    from ui.widgets.controls import PushButton

    show(screen, presenter, view())
    for size in SIZES:
        screen.resize(*size)
        for press in screen.all(PushButton):
            if press.text and press.opacity:
                assert min(press.size) >= dp(48) - 0.5, press.text
        assert_apart_and_inside(screen, size)


def assert_apart_and_inside(screen, size):
    ids = screen.app.screens.current_screen.ids
    parts = [ids.board, ids.players, ids.shelf, ids.cards, ids.buttons, ids.primary, ids.undo, ids.help, ids.prompt]
    there = [part for part in parts if min(part.size) > 1]
    boxes = [(*part.to_window(*part.pos), *part.to_window(part.right, part.top)) for part in there]
    for n, (left, low, right, high) in enumerate(boxes):
        assert min(left, low, size[0] - right, size[1] - high) >= 0
        for other in boxes[n + 1 :]:
            apart = right <= other[0] + 1 or other[2] <= left + 1 or high <= other[1] + 1 or other[3] <= low + 1
            assert apart, (there[n], other)


def test_what_buttons_say_fits_on_them(screen, presenter):
    from ui.screens.play import PrimaryButton
    from ui.screens.play_filling import BigButton
    from ui.widgets.controls import fits

    for size in SIZES:
        screen.resize(*size)
        for button in [*screen.all(BigButton), *screen.all(PrimaryButton)]:
            assert fits(button.text, button.font_size, button.width - button.inset, button.height, bold=button.bold)


def test_a_larger_text_still_fits_the_window(screen, presenter):
    from ui.widgets.scale import scale

    scale.reader = 1.6
    try:
        for size in SIZES:
            screen.resize(*size)
            assert screen.board.height > 100
            assert screen.app.screens.current_screen.ids.buttons.right <= size[0]
    finally:
        scale.reader = 1.0


def test_correct_has_a_key(screen, presenter):
    show(screen, presenter, replace(presenter.shown, correctable=True))
    screen.key(ord("c"))
    assert presenter.asked == [("correct", None)]
