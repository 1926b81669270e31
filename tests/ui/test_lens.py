"""The lens of an upright window: the place that is looked at, seen near, with its choices beside it."""

from dataclasses import replace

import pytest

from tests.ui.tables import BOARD, RecordingPresenter, play_view, show, state_after
from ui.drawing.board_frame import site_centre
from ui.table.picking import Picking, place_looked_at
from ui.view_models.play_view import ChoiceView, PieceState, PieceView


def test_the_place_touched_is_looked_at_and_else_where_the_latest_piece_lies():
    view = play_view(state_after(120))
    spot = next(name for name in BOARD.spots if name.startswith("ward "))
    latest = replace(view, pieces=(PieceView(spot, "blue", PieceState.LATEST),), legal_sites=frozenset())
    assert place_looked_at(latest, BOARD) == BOARD.spots[spot].site
    assert place_looked_at(replace(latest, legal_sites=frozenset({"G7"})), BOARD) == "G7"


def test_forbidden_cards_of_one_kind_are_told_by_their_pictures():
    spot = next(name for name in BOARD.spots if name.startswith("ward "))
    choices = tuple(
        ChoiceView(
            f"lay {label}", f"Ward G7-G8, {label}", "why not?", ("G7-G8",), forbidden=True, kind="Play a ward",
            brief="Play a ward", looks=(PieceView(spot, label, PieceState.PLACED),),
        )
        for label in ("red", "blue")
    )  # fmt: skip
    picking = Picking()
    picking.take(choices)
    picking.open("why not?")
    assert [(card.text, card.pieces[0].label) for card in picking.cards(9)] == [("Play a ward", "red"), ("", "blue")]
    assert picking.chosen is None


@pytest.mark.window
@pytest.mark.parametrize(("size", "least"), [((800, 1280), 220), ((480, 800), 160)])
def test_an_upright_window_shows_the_place_near_and_its_choices_large(start, size, least):
    view = play_view(state_after(120))
    spot = next(name for name in BOARD.spots if name.startswith("ward "))
    site = BOARD.spots[spot].site
    choices = tuple(
        ChoiceView(f"lay {label}", label, "Play a ward", (site,), ghost=(PieceView(spot, label, PieceState.PLACED),))
        for label in ("red", "blue", "green")
    )
    presenter = RecordingPresenter(view)
    screen = start(presenter)
    screen.resize(*size)
    show(screen, presenter, replace(view, choices=choices, legal_sites=frozenset({site}), buttons=(), verdict=None))
    screen.frames(4)
    ids = screen.app.screens.current_screen.ids
    assert min(ids.lens.size) >= least
    left, low, right, high = ids.lens.x, ids.lens.y, ids.lens.right, ids.lens.top
    x, y = ids.lens.frame.pixel(site_centre(BOARD, site))
    assert left < x < right
    assert low < y < high
    assert ids.lens.frame.scale > 1.8 * ids.board.frame.scale
    assert {card.key for card in ids.shelf.buttons} == {choice.key for choice in choices}
    assert min(card.height for card in ids.shelf.buttons) > least / 3
    screen.tap(ids.lens)
    screen.until(lambda: bool(presenter.asked))
    screen.resize(1280, 800)
    screen.frames(4)
    assert not ids.lens.width
