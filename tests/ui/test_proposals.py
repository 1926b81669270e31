"""The camera proposes and never rewrites: what is recorded changes only by a press or a touch."""

from __future__ import annotations

import pytest

from companion.engine import apply_unchecked
from companion.session.entries import EntryKind
from companion.session.intents import IntentKind, IntentResult
from tests.ui.test_presenter import WatchedTable
from ui.table.composing import KEEP_PLAYING, STOP_PLAYING
from ui.table.pressing import LOST, STALE
from ui.view_models.play_view import PieceState, VerdictKind

LENS = frozenset({"ward E8-F8", "ward F8-G8"})


def keys(table: WatchedTable) -> list[str]:
    return [choice.key for choice in table.view.choices]


def headline(table: WatchedTable) -> str:
    return table.view.verdict.headline if table.view.verdict is not None else ""


def ward_recorded() -> WatchedTable:
    """A ward was laid on E8-F8 and recorded."""
    table = WatchedTable()
    table.lay({"ward E8-F8": "red"})
    table.see()
    table.see()
    assert table.actions == ["ward E8-F8 red"]
    return table


def ward_slid() -> WatchedTable:
    """The ward just recorded lies on F8-G8 now."""
    table = ward_recorded()
    del table.look["ward E8-F8"]
    table.lay({"ward F8-G8": "red"})
    for _look in range(4):
        table.see()
    return table


def test_a_slide_of_the_latest_piece_is_only_proposed_by_both_names() -> None:
    table = ward_slid()
    assert table.actions == ["ward E8-F8 red"]
    assert table.view.eyes == "2 places differ"
    assert "F8-G8" in headline(table)
    assert "E8-F8" in headline(table)
    assert keys(table) == ["candidate 0", "candidate 1", "put back"]
    assert "next" in {button.intent for button in table.view.buttons if button.enabled}


def test_a_ward_taken_up_again_is_asked_about_by_its_name() -> None:
    table = ward_recorded()
    del table.look["ward E8-F8"]
    for _look in range(4):
        table.see()
    assert [(choice.key, choice.text, choice.group) for choice in table.view.choices] == [
        ("take back", "It was taken back: undo Player 1: Ward E8-F8, red", "Taken back"),
        ("put back", "It belongs there: I put it back", "Taken back"),
    ]


def test_a_press_that_saw_a_ward_taken_up_undoes_it() -> None:
    table = ward_recorded()
    del table.look["ward E8-F8"]
    for _look in range(4):
        table.see()
    assert {button.intent for button in table.view.buttons if button.enabled} >= {"done", "no"}
    table.press(IntentKind.DONE, seat=1)
    table.see(0.1)
    assert table.session.moves == ()
    assert table.view.eyes == "watching"


def test_a_camera_that_is_gone_lets_nobody_wait_for_it() -> None:
    table = WatchedTable()
    prompt = table.view.prompt
    table.see(quiet=False, covered=frozenset({"ward E8-F8"}))
    assert table.press(IntentKind.DONE, seat=1) is IntentResult.WAITING
    assert table.view.prompt != prompt
    table.presenter.on_camera_gone()
    assert table.view.prompt == prompt
    assert table.press(IntentKind.DONE, seat=1) is IntentResult.REFUSED


def test_a_press_that_saw_the_correction_records_it_as_one_entry() -> None:
    table = ward_slid()
    table.press(IntentKind.DONE, seat=1)
    table.see(0.1)
    assert [entry.kind for entry in table.session.entries] == [EntryKind.ACTION, EntryKind.AMEND]
    assert [move.action for move in table.session.moves] == ["ward F8-G8 red"]
    table.press(IntentKind.UNDO)
    assert [move.action for move in table.session.moves] == ["ward E8-F8 red"]


def test_a_touch_records_the_correction_and_no_keeps_the_record() -> None:
    table = ward_slid()
    table.presenter.on_choice("candidate 0")
    assert [move.action for move in table.session.moves] == ["ward F8-G8 red"]
    table = ward_slid()
    assert table.press(IntentKind.NO, seat=1) is IntentResult.ACCEPTED
    assert table.actions == ["ward E8-F8 red"]
    table.see()
    table.see()
    assert table.actions == ["ward E8-F8 red"]


def test_a_press_made_before_the_correction_was_shown_does_not_record_it() -> None:
    table = ward_recorded()
    table.press(IntentKind.DONE, seat=1)
    del table.look["ward E8-F8"]
    table.lay({"ward F8-G8": "red"})
    table.see(0.1)
    assert table.actions == ["ward E8-F8 red"]
    assert "press again" in headline(table) or table.view.verdict.kind is VerdictKind.PROPOSED  # type: ignore[union-attr]
    table.press(IntentKind.DONE, seat=1)
    table.see(0.1)
    assert [move.action for move in table.session.moves] == ["ward F8-G8 red"]


def test_what_was_taken_up_is_taken_out_also_where_an_older_entry_was_corrected_since() -> None:
    table = ward_recorded()
    table.presenter.on_choice("draw red blue")
    table.lay({"ward E8-F8": "green"})
    table.session.amend(1, table.session.game.parse_action("ward E8-F8 green", table.session.log.start.state))
    table.see()
    del table.look["ward E8-F8"]
    table.see()
    table.see()
    assert [move.action for move in table.session.moves] == ["ward E8-F8 green", "draw red blue"]
    table.presenter.on_choice("take back")
    assert [move.action for move in table.session.moves] == []


def test_two_actions_whose_order_makes_no_difference_are_recorded_and_the_entries_say_so() -> None:
    table = WatchedTable()
    laid = {"ward E8-F8": "red", "magistrate E8-F8": "black", "ward E9-E10": "blue", "magistrate E9-E10": "black"}
    table.lay(laid)
    table.see(quiet=False, covered=frozenset(laid))
    table.see()
    table.see()
    assert sorted(table.actions) == ["ward E8-F8 red magistrate", "ward E9-E10 blue magistrate"]
    assert [entry.order_seen for entry in table.session.entries] == [False, False]  # type: ignore[attr-defined]
    assert "order not seen" in table.view.log[-1].text


def test_several_actions_are_asked_where_other_ones_look_the_same() -> None:
    table = WatchedTable()
    table.lay({"ward E8-F8": "red", "ward E9-E10": "blue"})
    table.see(quiet=False, covered=frozenset({"ward E8-F8", "ward E9-E10"}))
    for _look in range(3):
        table.see()
    assert table.actions == [], "a magistrate may have been laid and recalled in between"
    assert keys(table)[0] == "candidate 0"
    assert sorted(headline(table).split("; ")) == ["Ward E8-F8, red", "Ward E9-E10, blue"]
    assert table.view.choices[0].sites == ("E8-F8", "E9-E10")
    table.presenter.on_choice("candidate 0")
    assert sorted(table.actions) == ["ward E8-F8 red", "ward E9-E10 blue"]
    assert [entry.order_seen for entry in table.session.entries] == [False, False]  # type: ignore[attr-defined]


def test_the_button_that_records_what_is_seen_says_that_it_ends_the_turn_too() -> None:
    table = WatchedTable()
    laid = {"ward E8-F8": "red", "ward E9-E10": "blue"}
    table.lay(laid)
    table.see(quiet=False, covered=frozenset(laid))
    for _look in range(3):
        table.see()
    assert table.view.buttons[0].text == "Record it, end the turn"
    table.press(IntentKind.DONE, seat=1)
    table.see()
    assert table.actions[-1] == "end"


def test_one_action_says_nothing_about_an_order() -> None:
    assert [entry.order_seen for entry in ward_recorded().session.entries] == [True]  # type: ignore[attr-defined]


def test_a_press_while_the_camera_is_blinded_decides_nothing_until_it_sees_again() -> None:
    table = ward_recorded()
    table.presenter.on_choice("draw red blue")
    table.presenter.on_camera_blinded("no markers")
    assert table.press(IntentKind.DONE, seat=1) is IntentResult.WAITING
    table.wait(STALE / 2)
    assert table.actions[-1] == "draw red blue"
    table.see()
    assert table.actions[-1] == "end"


def test_going_on_without_the_camera_belongs_to_the_seat_that_was_told() -> None:
    table = WatchedTable("capitol")
    for text in ("pass", "pass"):
        table.presenter.on_choice(text)
    table.look = dict(table.session.game.appearance(table.session.state))
    table.see()
    before = len(table.session.entries)
    table.press(IntentKind.DONE, seat=1)
    table.wait(STALE + 1)
    assert "Press again" in headline(table)
    assert table.press(IntentKind.DONE, seat=2) is IntentResult.WAITING, "this seat was not told"
    table.wait(0.5)
    assert len(table.session.entries) == before
    table.press(IntentKind.DONE, seat=1)
    assert [entry.seat for entry in table.session.entries[before:]] == [1]


def test_a_reading_ends_the_leave_to_go_on_without_the_camera() -> None:
    table = ward_recorded()
    table.presenter.on_choice("draw red blue")
    table.press(IntentKind.DONE, seat=1)
    table.wait(STALE + 1)
    table.see()
    assert table.press(IntentKind.DONE, seat=1) is IntentResult.WAITING


def test_a_camera_that_is_lost_or_switched_off_holds_no_press_up() -> None:
    for leave in ("on_camera_lost", "on_camera_gone"):
        table = ward_recorded()
        table.presenter.on_choice("draw red blue")
        getattr(table.presenter, leave)(*(["unplugged"] if leave == "on_camera_lost" else []))
        table.press(IntentKind.DONE, seat=1)
        assert table.actions[-1] == "end"


def test_a_press_that_waits_for_a_camera_that_is_lost_meanwhile_must_be_repeated() -> None:
    table = ward_recorded()
    table.presenter.on_choice("draw red blue")
    table.press(IntentKind.DONE, seat=1)
    table.presenter.on_camera_lost("unplugged")
    assert table.actions[-1] == "draw red blue"
    assert "Press again" in headline(table)
    table.press(IntentKind.DONE, seat=1)
    assert table.actions[-1] == "end"


def test_a_press_is_answered_by_a_camera_that_is_back_in_a_moment_but_not_later() -> None:
    for seconds, is_answered in ((LOST / 2, True), (LOST + 1, False)):
        table = ward_recorded()
        table.presenter.on_choice("draw red blue")
        table.press(IntentKind.DONE, seat=1)
        table.presenter.on_camera_lost("no picture")
        table.wait(seconds)
        table.presenter.on_camera_alive()
        table.see()
        assert (table.actions[-1] == "end") is is_answered


def test_a_slow_camera_is_waited_for_longer() -> None:
    table = WatchedTable()
    for _picture in range(3):
        table.now += 4.0
        table.presenter.on_camera_alive()
        table.see(0.0)
    table.press(IntentKind.DONE, seat=1)
    table.wait(STALE + 1)
    assert "does not answer" not in table.view.eyes
    table.wait(3 * STALE)
    assert "does not answer" in table.view.eyes


def test_a_press_is_judged_by_pictures_taken_after_it_and_the_lag() -> None:
    table = ward_recorded()
    table.presenter.on_choice("draw red blue")
    table.presenter.set_camera_lag(0.6)
    table.press(IntentKind.DONE, seat=1)
    table.see(0.5)
    assert table.actions[-1] == "draw red blue"
    table.see(0.2)
    assert table.actions[-1] == "end"


def test_a_flickering_spot_is_doubt_and_never_recorded() -> None:
    table = WatchedTable()
    table.see()
    for _time in range(4):
        table.lay({"ward E8-F8": "red"})
        table.see()
        del table.look["ward E8-F8"]
        table.see()
    table.lay({"ward E8-F8": "red"})
    for _look in range(4):
        table.see()
    assert table.actions == []
    assert table.view.eyes == "watching"
    assert ("ward E8-F8", PieceState.DOUBTFUL) in {(piece.spot, piece.state) for piece in table.view.pieces}
    assert not {piece.spot for piece in table.view.pieces if piece.state is PieceState.PROPOSED}


def test_a_press_waits_for_another_look_at_what_is_hardly_seen() -> None:
    table = built_up()
    game, state = table.session.game, table.session.state
    sent = game.appearance(apply_unchecked(game, state, game.parse_action("send F9-G8", state)).state)
    changed = {spot for spot, _label in table.look.items() ^ sent.items()}
    faint = {spot: {sent.get(spot, ""): 0.6, table.look.get(spot, ""): 0.4} for spot in changed}
    recorded = list(table.actions)
    table.see(doubts=faint)
    assert table.view.eyes == "watching"
    table.press(IntentKind.DONE, seat=1)
    table.see(doubts=faint)
    assert table.actions == recorded, "whether the magistrate was sent or kept was looked at again"
    assert table.view.eyes == "proposed"


def test_a_spot_that_flickered_is_believed_after_a_hand_was_there() -> None:
    table = WatchedTable()
    table.see()
    table.lay({"ward E8-F8": "red"})
    table.see()
    del table.look["ward E8-F8"]
    table.see()
    table.see(quiet=False, covered=LENS)
    table.lay({"ward E8-F8": "red"})
    table.see()
    table.see()
    assert table.actions == ["ward E8-F8 red"]


def test_a_pause_that_a_person_asked_for_lasts_until_it_is_taken_back() -> None:
    table = ward_recorded()
    table.press(IntentKind.PAUSE)
    table.lay({"ward F8-G8": "blue"})
    for _look in range(3):
        table.see()
    assert table.view.eyes == "paused (paused by the table)"
    assert table.actions == ["ward E8-F8 red"]
    table.presenter.on_camera_blinded("no markers")
    table.see()
    assert table.view.eyes == "paused (paused by the table)"
    table.presenter.on_choice("draw red blue")
    table.press(IntentKind.DONE, seat=1)
    assert table.actions[-1] == "end", "without the camera"
    table.press(IntentKind.UNDO)
    table.press(IntentKind.UNDO)
    table.press(IntentKind.PAUSE)
    table.see()
    table.see()
    assert table.actions[-1] == "ward F8-G8 blue"


def test_a_pause_that_the_camera_set_ends_by_itself() -> None:
    table = ward_recorded()
    table.presenter.on_camera_blinded("no markers")
    assert table.view.eyes == "paused (no markers)"
    table.see()
    assert table.view.eyes == "watching"


def built_up() -> WatchedTable:
    """A table with several wards on it."""
    table = WatchedTable()
    game = table.session.game
    for text in ("ward E9-E10 red", "draw red blue", "end", "ward F9-F10 blue", "draw red blue", "end"):
        table.session.submit(game.parse_action(text, table.session.state))
    table.session.submit(game.parse_action("ward F9-G8 green magistrate", table.session.state))
    table.look = dict(game.appearance(table.session.state))
    table.see()
    return table


@pytest.mark.parametrize(("answer", "is_over"), [(STOP_PLAYING, True), (KEEP_PLAYING, False)])
def test_a_table_cleared_in_mid_game_pauses_and_asks_one_question(answer: str, is_over: bool) -> None:
    table = built_up()
    recorded = len(table.session.entries)
    for spot in ("ward E9-E10", "ward F9-F10", "magistrate F9-G8"):
        del table.look[spot]
    table.see()
    table.see()
    assert table.view.eyes.startswith("paused")
    assert keys(table) == [STOP_PLAYING, KEEP_PLAYING]
    del table.look["ward F9-G8"]
    table.see()
    assert keys(table) == [STOP_PLAYING, KEEP_PLAYING]
    assert table.press(IntentKind.DONE, seat=1) is IntentResult.REFUSED
    assert len(table.session.entries) == recorded
    table.presenter.on_choice(answer)
    assert table.session.is_over is is_over
    table.see()
    table.see()
    assert len(table.session.entries) == recorded + is_over
    assert STOP_PLAYING not in keys(table)


def magistrate_on_board() -> WatchedTable:
    """A table at which the first player may recall a magistrate."""
    table = WatchedTable()
    game = table.session.game
    turns = ("ward E8-F8 red magistrate", "draw red blue", "end", "draw red blue", "draw red blue", "end")
    for text in turns:
        table.session.submit(game.parse_action(text, table.session.state))
    table.look = dict(game.appearance(table.session.state))
    table.see()
    return table


def test_a_table_cleared_piece_by_piece_records_nothing_though_a_recall_would_be_legal() -> None:
    table = magistrate_on_board()
    recorded = list(table.actions)
    for spot in sorted(table.look, key=lambda spot: spot != "magistrate E8-F8")[:4]:
        table.see(quiet=False, covered=frozenset({spot}))
        del table.look[spot]
        table.see()
        table.see()
    assert table.actions == recorded
    assert keys(table) == [STOP_PLAYING, KEEP_PLAYING]


def test_a_single_recall_is_recorded_unasked() -> None:
    table = magistrate_on_board()
    table.see(quiet=False, covered=frozenset({"magistrate E8-F8"}))
    del table.look["magistrate E8-F8"]
    for _look in range(3):
        table.see()
    assert table.actions[-1] == "recall E8-F8"


def test_pieces_that_are_put_back_end_the_question() -> None:
    table = built_up()
    whole = dict(table.look)
    for spot in ("ward E9-E10", "ward F9-F10", "ward F9-G8"):
        del table.look[spot]
    table.see()
    table.look = whole
    table.see()
    assert table.view.eyes == "watching"


def test_pieces_taken_off_after_the_end_of_the_game_are_nothing() -> None:
    table = WatchedTable()
    while not table.session.is_over:
        legal = table.session.legal_actions()
        table.session.submit(next((each for each in legal if type(each).__name__ in ("PlayWard", "EndTurn")), legal[0]))
    table.look = dict(table.session.game.appearance(table.session.state))
    table.see()
    recorded = len(table.session.entries)
    for spot in list(table.look):
        del table.look[spot]
        table.see()
    assert len(table.session.entries) == recorded
    assert table.view.eyes == "watching"
    assert table.view.verdict is None or table.view.verdict.kind is not VerdictKind.REFUSED


def test_no_answers_what_is_asked_and_undoes_only_where_nothing_is() -> None:
    table = ward_recorded()
    no = next(button for button in table.view.buttons if button.intent == "no")
    assert no.text == "No: undo"
    table.press(IntentKind.NEXT, seat=1)
    assert [button.text for button in table.view.buttons if button.intent == "no"] == ["No"]
    table.press(IntentKind.NO, seat=1)
    assert table.actions == ["ward E8-F8 red"]
    table.press(IntentKind.DONE, seat=1)
    table.press(IntentKind.NO, seat=1)
    assert table.actions == ["ward E8-F8 red"], "the press that waited is taken back"
    table.lay({"ward F8-G8": "blue"})
    table.see()
    table.press(IntentKind.NO, seat=1)
    table.see()
    assert table.press(IntentKind.NO, seat=1) is IntentResult.REFUSED, "what was rejected still lies there"
    assert table.actions == ["ward E8-F8 red"]
    del table.look["ward F8-G8"]
    table.see()
    assert table.press(IntentKind.NO, seat=1) is IntentResult.ACCEPTED
    assert [move.action for move in table.session.moves] == []


def test_a_waiting_press_closes_nothing_but_what_it_meant_when_it_was_made() -> None:
    table = ward_recorded()
    table.see(1.0)
    assert table.press(IntentKind.DONE, seat=1) is IntentResult.WAITING
    table.presenter.on_choice("draw red blue")
    table.see()
    assert table.actions[-1] == "draw red blue", "the turn could not be ended when done was pressed"
    table.press(IntentKind.DONE, seat=1)
    table.see()
    assert table.actions[-1] == "end"
