"""What an entry was instead is chosen on the board as it was then, and in the tray by faces."""

from __future__ import annotations

from tests.ui.test_corrections import keys, recorded
from ui.table.corrections.amending import AMEND, INSERT_BEFORE, KEEP, OTHERS, TAKE_OUT
from ui.table.picking import Picking, without_corrected
from ui.view_models.play_view import PieceState


def test_an_entry_is_corrected_by_faces_on_the_board_as_on_a_usual_turn() -> None:
    evening = recorded("ward E8-F8 red")
    evening.presenter.on_correct()
    view = evening.view
    assert (view.corrected, view.touched, view.what) == (1, "", "what was it instead?")
    offered = [choice for choice in view.choices if choice.key.startswith(AMEND)]
    assert {choice.sites for choice in offered} == {("E8-F8",)}, "what lies in the same place comes first"
    assert all(choice.ghost and choice.confirms == "Put this instead" for choice in offered)
    tray = Picking()
    tray.take(view.choices)
    assert tray.chosen is None, "nothing lies there before somebody has chosen it"
    green = next(choice for choice in offered if choice.key == f"{AMEND}ward E8-F8 green")
    assert tray.only_looks_at(green.key)
    tray.look_at(green.key)
    ghost = tray.ghost()
    assert [(piece.spot, piece.label) for piece in ghost] == [("ward E8-F8", "green")]
    assert not [
        piece
        for piece in without_corrected(view.pieces, ghost, evening.presenter.board)
        if piece.state is PieceState.CORRECTED
    ], "the ghost lies where the other piece lay"
    evening.presenter.on_site("F6-F7")
    moved = evening.view
    tray.take(moved.choices)
    assert moved.touched == "F6-F7"
    assert tray.chosen is not None
    assert tray.chosen.key.startswith(f"{AMEND}ward F6-F7")
    evening.presenter.on_choice(tray.chosen.key)
    assert [move.action for move in evening.session.moves] == [tray.chosen.key.removeprefix(AMEND)]


def test_a_place_where_nothing_could_be_done_then_is_told_while_correcting() -> None:
    evening = recorded("ward E8-F8 red")
    evening.presenter.on_correct()
    before = keys(evening)
    evening.presenter.on_site("A1-A2")
    assert (evening.view.legal_sites, evening.view.touched) == (frozenset(), "")
    assert evening.view.verdict is not None
    assert evening.view.verdict.headline == "Nothing was allowed here then."
    assert keys(evening) == before


def test_what_is_said_in_words_lies_together_behind_what_was_done_instead() -> None:
    evening = recorded("draw red yellow")
    evening.presenter.on_correct()
    worded = [choice for choice in evening.view.choices if not choice.faces and not choice.ghost]
    assert [choice.key for choice in worded] == [OTHERS, INSERT_BEFORE, TAKE_OUT, KEEP]
    assert {choice.group for choice in worded} == {"Something else"}
    assert {choice.kind for choice in evening.view.choices if choice.key.startswith(AMEND)} == {"Draw wards"}
