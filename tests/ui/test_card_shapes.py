"""How the words and pieces of the play screen's cards take the room that there is."""

from dataclasses import replace

import pytest

from tests.ui.tables import BOARD, RecordingPresenter, play_view, show, state_after
from ui.table.picking import CardView
from ui.view_models.play_view import ChipView, ChoiceView, PieceState, PieceView

pytestmark = pytest.mark.window


@pytest.fixture
def presenter():
    return RecordingPresenter(play_view(state_after(120)))


@pytest.fixture
def screen(start, presenter):
    return start(presenter)


def test_words_of_cards_are_parted_so_that_undo_keeps_its_own(screen, presenter):
    from scripts.pictures.faults import faults
    from ui.services.text import use_language
    from ui.widgets.scale import scale

    words = (
        "Viertel legen", "Aquäduktteil legen", "Magistrat zurückrufen", "Viertel ziehen", "Tempel", "Thermen"
    )  # fmt: skip
    choices = tuple(ChoiceView(word, word, word, faces=(ChipView("", "ward", "red", 1),)) for word in words)
    use_language("de")
    scale.reader = 1.6
    try:
        screen.app.rebuild()
        screen.resize(1280, 800)
        told = {"undo": "Zurücknehmen", "undone": "Passen", "redo": "Wieder", "redone": "Passen"}
        show(screen, presenter, replace(presenter.shown, choices=choices, buttons=(), **told))
        screen.frames(3)
        ids = screen.app.screens.current_screen.ids
        assert [card.label for card in ids.cards.buttons] == list(words)
        assert not ids.cards.ids.scroll.do_scroll_x
        assert ids.undo.head_height > 0
        assert faults(screen.app.screens.current_screen) == []
        for card in ids.cards.buttons:
            (label,) = (each for each in card.walk(restrict=True) if getattr(each, "text", "") == card.label)
            assert not label.is_shortened
    finally:
        scale.reader = 1.0
        use_language("en")


@pytest.mark.parametrize(("piece", "label"), [("magistrate", "purple"), ("aqueduct", "white")])
def test_a_piece_that_lies_small_on_the_board_is_large_on_its_card(screen, presenter, piece, label):
    from kivy.graphics import Rectangle

    from ui.widgets.chips import chip_art
    from ui.widgets.face_strip import FaceStrip

    screen.resize(800, 480)
    screen.until_printed()
    row, spot = screen.app.screens.current_screen.ids.cards, next(each for each in BOARD.spots if piece in each)
    small = CardView("one", "One", pieces=(PieceView(spot, label, PieceState.PLACED),))
    for _again in range(2):  # the screen shows its own cards once faces are made
        row.show((small,), BOARD, screen.board.textures, "black")
        screen.frames(2)
        screen.until(lambda: not chip_art.is_busy)
    row.show((small,), BOARD, screen.board.textures, "black")
    screen.frames(1)
    (card,) = row.buttons
    (strip,) = (each for each in card.walk(restrict=True) if isinstance(each, FaceStrip))
    (drawn,) = (each for each in strip._drawing.children if isinstance(each, Rectangle))
    assert max(drawn.size) >= 0.7 * strip.face_height
    assert drawn.size[1] <= strip.face_height
