"""Mending the record at the table: alternatives, answers spot by spot, secrets, the clock, the menu."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.session.entries import EntryKind
from companion.session.intents import Intent, IntentKind
from tests.ui.test_demo_games import do, new_presenter
from tests.ui.test_presenter import WatchedTable
from ui.services.kept_clock import KeptClock
from ui.services.text import use_language
from ui.simulated_table.players import seated
from ui.table.corrections.amending import (
    AMEND,
    INSERT,
    INSERT_BEFORE,
    KEEP,
    LIKELIEST,
    OTHERS,
    RECORD_RIGHT,
    TABLE_RIGHT,
    TAKE_OUT,
    inserting_to,
)
from ui.table.corrections.questions import UNDO_ALL_THE_SAME
from ui.table.corrections.weighing import SURELY
from ui.table.presenter import Presenter
from ui.table.table_menu import TableMenu
from ui.table.turn_clock import TurnClock
from ui.view_models.form_view import Hidden, Picks
from ui.view_models.play_view import PieceState, VerdictKind


def recorded(*actions: str) -> WatchedTable:
    evening = WatchedTable()
    for action in actions:
        evening.presenter.on_choice(action)
    return evening


def keys(evening: WatchedTable) -> list[str]:
    return [choice.key for choice in evening.view.choices]


def test_the_latest_action_is_another_one_in_two_taps() -> None:
    evening = recorded("ward E8-F8 red")
    evening.presenter.on_correct()
    assert evening.view.prompt.startswith("Instead of: Ward E8-F8, red")
    assert f"{AMEND}ward E8-F8 green" in keys(evening)[:6]
    assert keys(evening)[-4:] == [OTHERS, INSERT_BEFORE, TAKE_OUT, KEEP]
    evening.presenter.on_choice(f"{AMEND}ward E8-F8 green")
    assert evening.session.moves[-1].action == "ward E8-F8 green"
    assert len(evening.session.moves) == 1


def test_a_replacement_ends_the_correcting() -> None:
    evening = recorded("draw red yellow")
    before = evening.view.prompt
    evening.presenter.on_correct()
    evening.presenter.on_choice(f"{AMEND}draw red green")
    assert evening.session.moves[-1].action == "draw red green"
    assert evening.view.prompt == before
    assert not any(key.startswith((AMEND, KEEP)) for key in keys(evening))


@pytest.mark.parametrize("kind", [IntentKind.DONE, IntentKind.NO])
def test_done_and_no_leave_the_record_as_it_is_while_it_is_corrected(kind: IntentKind) -> None:
    evening = recorded("draw red yellow", "draw red yellow")
    evening.presenter.on_correct()
    assert [button.text for button in evening.view.buttons][:2] == ["Leave it as it is", "No: leave it"]
    evening.presenter.devices.tell("box 1", "ready", ok=True)
    assert evening.view.buttons[0].text == "Done: Leave it as it is"
    evening.press(kind)
    assert evening.actions == ["draw red yellow", "draw red yellow"]
    assert KEEP not in keys(evening)


@pytest.mark.parametrize("left_by", ["keep", "done", "correct", "screen"])
def test_a_place_touched_while_correcting_is_not_that_of_the_next_action(left_by: str) -> None:
    evening = recorded("draw red yellow")
    evening.presenter.on_correct()
    evening.presenter.on_site("E8-F8")
    assert evening.view.legal_sites == {"E8-F8"}
    leave = {
        "keep": lambda: evening.presenter.on_choice(KEEP),
        "done": lambda: evening.press(IntentKind.DONE),
        "correct": evening.presenter.on_correct,
        "screen": evening.presenter.stop_asking,
    }
    leave[left_by]()
    assert KEEP not in keys(evening)
    assert evening.view.legal_sites != {"E8-F8"}
    assert not any(key.startswith("ward E8-F8") for key in keys(evening))


def test_a_new_entry_and_another_screen_end_the_correcting() -> None:
    evening = recorded("draw red yellow")
    evening.presenter.on_correct()
    evening.presenter.on_choice("ward E8-F8 red")
    assert KEEP not in keys(evening)
    evening.presenter.on_correct()
    evening.presenter.stop_asking()
    assert KEEP not in keys(evening)
    assert evening.actions == ["draw red yellow", "ward E8-F8 red"]


def test_what_is_recorded_again_is_said_and_the_history_is_plain() -> None:
    evening = recorded("draw red yellow")
    evening.press(IntentKind.UNDO)
    evening.press(IntentKind.REDO)
    assert evening.view.verdict is not None
    assert evening.view.verdict.headline == "Recorded again: Player 1: Draw red, yellow."
    assert [line.text for line in evening.view.log][1:] == ["Entry 1 taken back", "Entry 1 stands again"]


def test_a_correction_can_be_left_and_asked_again() -> None:
    evening = recorded("ward E8-F8 red")
    evening.presenter.on_correct()
    assert keys(evening)[-1] == KEEP
    evening.presenter.on_choice(KEEP)
    assert KEEP not in keys(evening)
    evening.presenter.on_correct()
    evening.presenter.on_correct()
    assert KEEP not in keys(evening)
    assert [entry.kind for entry in evening.session.entries] == [EntryKind.ACTION]


def test_an_earlier_entry_is_corrected_and_later_ones_are_told_that_fail() -> None:
    evening = recorded("ward E8-F8 red", "draw red blue")
    presenter = evening.presenter
    before = len(evening.session.moves)
    presenter.on_correct(1)
    presenter.on_choice(next(key for key in keys(evening) if key.startswith(f"{AMEND}ward")))
    assert len(evening.session.moves) == before
    assert evening.session.moves[0].action != "ward E8-F8 red"
    assert evening.view.verdict is not None
    assert evening.view.verdict.headline.startswith("Corrected.")


def test_a_correction_is_made_on_the_board_as_it_was_before_its_entry() -> None:
    evening = recorded("ward E8-F8 red", "draw red blue")
    now = evening.view
    assert {piece.spot for piece in now.pieces} >= {"ward E8-F8"}
    evening.presenter.on_correct(1)
    then = evening.view
    assert [(piece.spot, piece.label) for piece in then.pieces if piece.state is PieceState.CORRECTED] == [
        ("ward E8-F8", "red")
    ]
    assert [player.acts for player in then.pointed_out] == [True, False]
    assert [player.acts for player in then.players] == [player.acts for player in now.players]
    assert then.players[0].chips != now.players[0].chips
    assert then.verdict is not None
    assert then.verdict.headline == "The board is shown as it was then."
    evening.presenter.on_choice(KEEP)
    assert evening.view.pieces == now.pieces
    assert evening.view.players == now.players


def test_nothing_can_be_corrected_before_the_first_action() -> None:
    evening = WatchedTable()
    assert not evening.view.correctable
    evening.presenter.on_correct()
    assert KEEP not in keys(evening)
    evening.presenter.on_correct(17)
    assert evening.view.verdict is not None


def out_of_step() -> tuple[WatchedTable, str]:
    """A ward lies elsewhere than recorded, where no action of now explains it."""
    evening = recorded("ward E8-F8 red", "draw red blue")
    evening.lay(evening.session.game.appearance(evening.session.state))
    evening.look["ward E8-F8"] = ""
    evening.look["ward I3-J3"] = "green"
    evening.look["ward C6-C7"] = "blue"
    evening.see()
    evening.see()
    evening.see()
    return evening, "ward C6-C7"


def test_each_spot_that_differs_is_asked_about_in_both_directions() -> None:
    evening, spot = out_of_step()
    asked = [choice for choice in evening.view.choices if choice.key.endswith(spot)]
    assert [(choice.key, choice.text) for choice in asked] == [
        (TABLE_RIGHT + spot, "The table is right"),
        (RECORD_RIGHT + spot, "The record is right"),
    ]


def test_the_record_is_right_at_a_spot_until_the_table_is_put_right() -> None:
    evening, spot = out_of_step()
    answers = [key for key in keys(evening) if key.startswith((TABLE_RIGHT, RECORD_RIGHT))]
    assert RECORD_RIGHT + spot in answers
    assert TABLE_RIGHT + spot in answers
    evening.presenter.on_choice(RECORD_RIGHT + spot)
    assert spot in evening.presenter.tracker.owed


def test_a_secret_that_was_shown_is_taken_back_only_after_asking() -> None:
    presenter = secret_shown()
    before = presenter.session.state
    presenter.on_intent(undo())
    assert presenter.session.state == before
    choices = presenter.view().choices
    assert [choice.key for choice in choices] == [UNDO_ALL_THE_SAME, KEEP]
    assert [choice.text for choice in choices] == ["Take it back all the same", "Leave it as it is"]
    assert {choice.group for choice in choices} == {"It showed something hidden. Take it back?"}
    presenter.on_choice(KEEP)
    assert presenter.session.state == before
    presenter.on_intent(undo())
    presenter.on_choice(UNDO_ALL_THE_SAME)
    assert presenter.session.state != before


def undo() -> Intent:
    return Intent(IntentKind.UNDO)


def secret_shown() -> Presenter:
    """A game of Capitol just after the first card of a bid was turned over."""
    presenter = new_presenter("capitol")
    session = presenter.session
    players = seated(session.game, session.state, Random(3))
    for number in range(400):
        state = session.state
        action = players.choose(state, Random(number))
        do(presenter, action)
        players = players.after(state, action, session.state)
        if isinstance(action, session.game.info.reveals):
            return presenter
    raise AssertionError("no bid was shown")


def test_a_closed_hand_is_in_the_menu_behind_a_curtain_only() -> None:
    presenter = new_presenter("capitol")
    left = []
    menu = TableMenu(presenter, lambda: left.append(1))
    menu.touch("page", "secrets")
    curtains = [row for row in menu.rows() if isinstance(row, Hidden)]
    assert [curtain.label for curtain in curtains] == [player.name for player in presenter.session.table.players]
    assert all(curtain.text for curtain in curtains)
    assert menu.back()
    assert not menu.back()


def test_the_history_leads_to_the_correction_of_an_entry() -> None:
    evening = recorded("ward E8-F8 red", "draw red blue")
    left = []
    menu = TableMenu(evening.presenter, lambda: left.append(1))
    menu.touch("page", "history")
    entries = [row.picks[0].key for row in menu.rows() if isinstance(row, Picks) and row.key == "entry"]
    assert entries == ["2", "1"]
    menu.touch("entry", "1")
    assert left == [1]
    assert keys(evening)[-1] == KEEP


def test_the_history_brings_back_what_was_undone_before_a_mistake() -> None:
    evening = recorded("draw red blue", "draw red yellow")
    evening.press(IntentKind.UNDO)
    evening.press(IntentKind.UNDO)
    evening.presenter.on_choice("draw green blue")
    evening.press(IntentKind.UNDO)
    left: list[int] = []
    menu = TableMenu(evening.presenter, lambda: left.append(1))
    menu.touch("page", "history")
    offered = [each.key for row in menu.rows() if isinstance(row, Picks) and row.key == "redo" for each in row.picks]
    assert offered == ["5", "1"]
    menu.touch("redo", "1")
    assert left == [1]
    assert [move.action for move in evening.session.moves] == ["draw red blue"]
    assert evening.view.verdict is not None
    assert "Recorded again" in evening.view.verdict.headline


def test_the_table_ends_early_and_the_score_is_final() -> None:
    evening = recorded("ward E8-F8 red")
    left = []
    menu = TableMenu(evening.presenter, lambda: left.append(1))
    menu.touch("page", "end")
    menu.touch("end", "Time is up")
    assert evening.session.is_over
    assert evening.view.score is not None
    assert evening.view.score.final
    assert not [choice for choice in evening.view.choices if choice.key.startswith("ward")]
    evening.press(IntentKind.UNDO)
    assert not evening.session.is_over
    assert evening.view.verdict is not None
    assert evening.view.verdict.kind is VerdictKind.NOTE


def test_a_clock_counts_for_the_one_who_acts_and_rests_when_paused() -> None:
    now = [0.0]
    clock = TurnClock(1, 2, lambda: now[0])
    clock.run((2,))
    now[0] = 15.0
    assert (clock.text(1), clock.text(2)) == ("1:00", "0:45")
    clock.pause(paused=True)
    now[0] = 100.0
    assert clock.text(2) == "0:45"
    clock.pause(paused=False)
    clock.run((1, 2))
    now[0] = 200.0
    assert (clock.text(1), clock.text(2)) == ("1:00", "0:45")
    clock.run((1,))
    now[0] = 260.5
    assert clock.text(1) == "0:00"
    now[0] = 261.0
    assert clock.text(1) == "−0:01"
    now[0] = 325.0
    assert clock.text(1) == "−1:05"


def test_the_presenter_times_the_players_that_are_to_act() -> None:
    evening = WatchedTable()
    evening.presenter.time_players(10)
    evening.presenter.on_tick()
    evening.wait(60.0)
    clock = evening.presenter.turn_clock
    assert clock is not None
    assert (clock.text(1), clock.text(2)) == ("9:00", "10:00")


def test_a_clock_that_was_put_away_waits_for_the_first_sign_of_play(tmp_path: Path) -> None:
    evening = WatchedTable()
    kept = KeptClock(tmp_path, "evening-1")
    assert kept.read(2, 10) is None
    evening.presenter.time_players(10, (30.0, -5.0))
    evening.presenter.on_tick()
    evening.wait(60.0)
    clock = evening.presenter.turn_clock
    assert clock is not None
    assert (clock.text(1), clock.text(2)) == ("0:30", "−0:05")
    evening.presenter.on_site("E8")
    evening.presenter.on_tick()
    evening.wait(10.0)
    assert (clock.text(1), clock.text(2)) == ("0:20", "−0:05")
    kept.write(clock.seconds_left(), clock.minutes)
    again = KeptClock(tmp_path, "evening-1")
    assert again.read(2, 10) == (20.0, -5.0)
    assert again.read(2, 20) is None, "other minutes were chosen between the evenings: all begin with these"
    assert kept.read(3, 10) is None
    file = tmp_path / "clocks" / "evening-1.json"
    for damage in ('{"left": [1, "x"]}', '{"left": [1, 1e300]}', "[", '{"left": [true, 1]}'):
        file.write_text(damage)
        assert kept.read(2, 10) is None
    file.write_text('{"left": [20, -5]}')
    assert kept.read(2, 10) == (20.0, -5.0), "a file of before does not say the minutes"
    kept.forget()
    assert not file.exists()


def test_another_language_words_a_refusal_anew_and_drops_what_was_said() -> None:
    evening = recorded("ward E8-F8 red")
    evening.presenter.on_choice("ward E8-F8 blue")
    refused = evening.view.verdict
    assert refused is not None
    assert refused.kind is VerdictKind.REFUSED
    use_language("de")
    try:
        evening.presenter.tell_anew()
        again = evening.view.verdict
        assert again is not None
        assert again.sentences
        assert again.headline != refused.headline
    finally:
        use_language("en")
    evening.press(IntentKind.NO)
    evening.presenter.tell_anew()
    assert evening.view.verdict is None


def test_a_piece_that_is_seen_where_it_belongs_is_not_owed() -> None:
    evening, _spot = out_of_step()
    right = {
        spot
        for spot, label in evening.look.items()
        if evening.session.game.appearance(evening.session.state).get(spot) == label
    }
    shown = {piece.spot: piece.state for piece in evening.view.pieces}
    assert right
    assert all(shown[spot] in (PieceState.PLACED, PieceState.LATEST) for spot in right)


def test_the_less_likely_are_shown_when_they_are_asked_for() -> None:
    evening = recorded("ward E8-F8 red")
    evening.presenter.on_correct()
    more = next(choice for choice in evening.view.choices if choice.key == OTHERS)
    evening.presenter.on_choice(OTHERS)
    assert OTHERS not in keys(evening)
    shown = [key for key in keys(evening) if key.startswith(AMEND)]
    assert more.text == "Another action"
    assert len(shown) > LIKELIEST
    evening.presenter.on_choice(shown[-1])
    assert evening.session.moves[-1].action == shown[-1].removeprefix(AMEND)


def test_an_entry_is_taken_out_only_after_it_was_said_what_that_breaks() -> None:
    evening = recorded("ward F6-F7 red", "ward F7-G7 blue")
    evening.presenter.on_correct(1)
    evening.presenter.on_choice(TAKE_OUT)
    assert [move.action for move in evening.session.moves] == ["ward F6-F7 red", "ward F7-G7 blue"]
    assert evening.view.prompt == "Take out 1 Player 1: Ward F6-F7, red?"
    assert [choice.text for choice in evening.view.choices] == ["Yes, take it out", "Keep it"]
    assert evening.view.buttons[0].text == "Keep it"
    told = evening.view.verdict
    assert told is not None
    assert told.headline == "Entry 2 does not hold any more. It can be undone."
    [(sentence, source)] = told.sentences
    assert sentence.startswith("2 Player 1: Ward F7-G7, blue: ")
    assert source.rule.startswith("COM-")
    evening.presenter.on_choice(KEEP)
    assert len(evening.session.moves) == 2
    assert evening.view.verdict is not told


def test_an_entry_that_was_never_done_is_taken_out_and_what_breaks_is_told() -> None:
    evening = recorded("ward F6-F7 red", "ward F7-G7 blue")
    evening.presenter.on_correct(1)
    assert TAKE_OUT in keys(evening)
    evening.presenter.on_choice(TAKE_OUT)
    evening.presenter.on_choice(SURELY)
    assert [move.action for move in evening.session.moves] == ["ward F7-G7 blue"]
    assert evening.view.verdict is not None
    assert evening.view.verdict.headline == "Entry 1 taken out. Entry 2 does not hold any more. It can be undone."
    assert [line.undone for line in evening.view.log] == [True, False, False]
    assert evening.view.log[-1].text == "Entry 1 taken out"
    evening.press(IntentKind.UNDO)
    assert [move.action for move in evening.session.moves] == ["ward F6-F7 red", "ward F7-G7 blue"]


def test_the_latest_entry_is_taken_out_after_asking_too() -> None:
    evening = recorded("draw red blue")
    evening.presenter.on_correct()
    evening.presenter.on_choice(TAKE_OUT)
    assert evening.view.verdict is not None
    assert evening.view.verdict.headline == "Nothing follows it. It can be undone."
    evening.press(IntentKind.DONE)
    assert evening.actions == ["draw red blue"]


def test_another_action_that_breaks_later_ones_is_entered_only_after_asking() -> None:
    evening = recorded("ward F6-F7 red", "ward F7-G7 blue")
    evening.presenter.on_correct(1)
    evening.presenter.on_choice(OTHERS)
    evening.presenter.on_choice(f"{AMEND}draw red blue")
    assert evening.view.prompt == "Replace 1 Player 1: Ward F6-F7, red by: Draw red, blue?"
    assert evening.session.moves[0].action == "ward F6-F7 red"
    evening.presenter.on_choice(SURELY)
    assert evening.session.moves[0].action == "draw red blue"
    assert evening.view.verdict is not None
    assert evening.view.verdict.headline == "Corrected. Entry 2 does not hold any more. It can be undone."


def test_a_missed_action_is_inserted_before_an_entry() -> None:
    evening = recorded("draw red blue")
    evening.presenter.on_correct(1)
    evening.presenter.on_choice(INSERT_BEFORE)
    assert evening.view.prompt.startswith("Missing before: Draw red, blue")
    evening.presenter.on_choice(f"{INSERT}ward E8-F8 red")
    assert [move.action for move in evening.session.moves] == ["ward E8-F8 red", "draw red blue"]
    assert KEEP not in keys(evening)
    evening.presenter.on_correct(evening.session.moves[0].number)
    assert evening.view.prompt.startswith("Instead of: Ward E8-F8, red")


def test_a_piece_missed_some_entries_ago_is_offered_where_it_belongs() -> None:
    evening = recorded("draw red blue")
    evening.session.override(evening.session.game.parse_action("end", evening.session.state), reason="", by="table")
    for text in ("draw red blue", "draw red blue", "end", "draw red blue", "draw red blue"):
        evening.presenter.on_choice(text)
    found = inserting_to(evening.session, {"ward E8-F8": "red"})
    assert found is not None
    action = found.offered[0]
    evening.session.insert(found.number, action)
    assert evening.session.game.appearance(evening.session.state)["ward E8-F8"] == "red"
