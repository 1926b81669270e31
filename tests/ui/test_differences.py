"""Where table and record differ: two pictures of each place, and a touch of what is right answers for it."""

from dataclasses import replace

import pytest

from tests.ui.tables import BOARD, RecordingPresenter, play_view, show, state_after
from ui.table.corrections.amending import RECORD_RIGHT, TABLE_RIGHT, difference_views
from ui.view_models.play_view import ChoiceView, PieceState, PieceView, VerdictKind, VerdictView

WARDS = [name for name in BOARD.spots if name.startswith("ward ")]


def differing_view():
    spots = {WARDS[0]: ("", "blue"), WARDS[40]: ("yellow", "red")}
    found = difference_views(spots)
    pieces = (
        PieceView(WARDS[0], "blue", PieceState.PLACED),
        PieceView(WARDS[40], "red", PieceState.PLACED),
        PieceView(WARDS[40], "yellow", PieceState.WRONG),
    )
    choices = (
        ChoiceView(TABLE_RIGHT, "The table is right", "The table is right"),
        ChoiceView(RECORD_RIGHT, "The record is right", "The record is right"),
        *(ChoiceView(key, key, str(each.number)) for each in found for key in (each.table, each.record)),
    )
    verdict = VerdictView(VerdictKind.REFUSED, "The board and the record differ here.", (), tuple(spots))
    return replace(
        play_view(state_after(120)), pieces=pieces, choices=choices, differences=found, verdict=verdict, buttons=(),
        moves=(), legal_sites=frozenset(),
    )  # fmt: skip


def test_each_place_has_its_number_and_the_keys_of_both_answers():
    first, second = difference_views({"a": ("", "blue"), "b": ("yellow", "red")})
    assert (first.number, first.seen, first.recorded) == (1, "", "blue")
    assert (second.table, second.record) == (f"{TABLE_RIGHT}b", f"{RECORD_RIGHT}b")


@pytest.mark.window
@pytest.mark.parametrize("size", [(1280, 800), (480, 800), (800, 480)])
def test_two_pictures_stand_for_each_place_and_a_touch_of_one_answers(start, size):
    from ui.widgets.differences import CutOutButton
    from ui.widgets.tray import FaceCard

    view = differing_view()
    presenter = RecordingPresenter(play_view(state_after(120)))
    screen = start(presenter)
    screen.resize(*size)
    show(screen, presenter, view)
    screen.until(lambda: screen.app.screens.current_screen.ids.board.is_printed)
    screen.frames(4)
    cut_outs = list(screen.all(CutOutButton))
    assert {each.key for each in cut_outs} == {key for each in view.differences for key in (each.table, each.record)}
    assert all(each.scene is not None and min(each.size) >= 48 for each in cut_outs)
    keys = {card.key for card in screen.all(FaceCard)}
    assert not keys & {each.key for each in cut_outs}
    seen = {each.key: each.scene[2] for each in cut_outs}
    assert PieceView(WARDS[40], "yellow", PieceState.PLACED) in seen[TABLE_RIGHT + WARDS[40]]
    assert PieceView(WARDS[40], "red", PieceState.PLACED) in seen[RECORD_RIGHT + WARDS[40]]
    assert all(piece.spot != WARDS[0] for piece in seen[TABLE_RIGHT + WARDS[0]])
    screen.tap(next(each for each in cut_outs if each.key == RECORD_RIGHT + WARDS[40]))
    screen.until(lambda: bool(presenter.asked))
    assert presenter.asked == [("choice", RECORD_RIGHT + WARDS[40])]
