"""What is half seen otherwise than recorded while it rests is marked as in doubt: it is neither told nor recorded."""

from __future__ import annotations

from companion.session.intents import IntentKind
from tests.ui.test_presenter import WatchedTable
from tests.ui.test_proposals import ward_recorded
from ui.view_models.play_view import PieceState

HALF_SEEN = {
    "bridge E4-F3-F4": {"": 0.62, "bridge": 0.38},
    "aqueduct E11-E12": {"grey": 0.62, "white": 0.2, "": 0.18},
}
"""what no legal action explains, and too little to be believed"""


def marked(table: WatchedTable) -> set[str]:
    return {piece.spot for piece in table.view.pieces if piece.state is PieceState.DOUBTFUL}


def test_what_is_half_seen_otherwise_while_it_rests_is_marked_and_no_more() -> None:
    table = ward_recorded()
    before = table.view
    for _look in range(2):
        table.see(doubts=HALF_SEEN)
        assert marked(table) == set()
    table.see(0.1, doubts=HALF_SEEN)
    assert marked(table) == set(), "that was no separate moment"
    table.see(doubts=HALF_SEEN)
    assert marked(table) == HALF_SEEN.keys()
    assert (table.view.eyes, table.view.verdict, table.view.choices) == ("watching", before.verdict, before.choices)
    table.see()
    assert marked(table) == set()
    assert table.actions == ["ward E8-F8 red"]


def test_a_hand_over_what_is_half_seen_begins_the_looks_anew() -> None:
    table = ward_recorded()
    for _look in range(2):
        table.see(doubts=HALF_SEEN)
    table.see(quiet=False, covered=frozenset({"bridge E4-F3-F4"}))
    table.see(doubts=HALF_SEEN)
    assert marked(table) == {"aqueduct E11-E12"}
    for _look in range(2):
        table.see(doubts=HALF_SEEN)
    assert marked(table) == HALF_SEEN.keys()


def test_a_press_does_not_ask_about_what_is_half_seen() -> None:
    table = ward_recorded()
    table.presenter.on_choice("draw red blue")
    for _look in range(3):
        table.see(doubts=HALF_SEEN)
    assert marked(table) == HALF_SEEN.keys()
    table.press(IntentKind.DONE, seat=1)
    table.see(doubts=HALF_SEEN)
    assert table.actions[-1] == "end"
