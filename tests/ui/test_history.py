"""The history shows each entry as it stands now, and what later entries have made of it."""

from __future__ import annotations

from companion.session.intents import IntentKind
from companion.wording.texts import GameTexts
from tests.ui.test_corrections import recorded
from tests.ui.test_presenter import WatchedTable
from ui.services.text import use_language
from ui.table.composing import LATEST_LINES
from ui.table.corrections.amending import AMEND, INSERT, INSERT_BEFORE, KEEP, TAKE_OUT
from ui.table.corrections.weighing import SURELY
from ui.table.entry_lines import entry_lines
from ui.table.table_menu import TableMenu
from ui.view_models.form_view import Picks


def history(evening: WatchedTable) -> list[tuple[str, str]]:
    """The newest entries first: the line and the quiet mark below it."""
    menu = TableMenu(evening.presenter, lambda: None)
    menu.touch("page", "history")
    rows = list(menu.rows())[1:]
    return [(row.picks[0].text, row.picks[0].detail) if isinstance(row, Picks) else (row.text, "") for row in rows]


def test_the_history_says_what_a_corrected_entry_is_now_and_by_which_it_was_corrected() -> None:
    evening = recorded("draw red green", "draw red blue")
    evening.presenter.on_correct(1)
    evening.presenter.on_choice(f"{AMEND}draw yellow blue")
    assert history(evening) == [
        ("3  corrects 1: Player 1 draws yellow, blue.", ""),
        ("2  Player 1 draws red, blue.", ""),
        ("1  Player 1 draws yellow, blue.", "corrected by entry 3"),
    ]
    assert evening.view.undo == "Undo: correction of entry 1 (Player 1: Draw yellow, blue)"
    evening.presenter.on_correct(1)
    assert evening.view.prompt == "Instead of: Draw yellow, blue"
    evening.presenter.on_choice(f"{AMEND}draw green blue")
    assert [line.told for line in evening.view.log] == [
        "Player 1 draws green, blue. (corrected by entry 4)",
        "Player 1 draws red, blue.",
        "corrects 1: Player 1 draws yellow, blue. (corrected by entry 4)",
        "corrects 1: Player 1 draws green, blue.",
    ]
    evening.press(IntentKind.UNDO)
    assert evening.view.log[0].told == "Player 1 draws yellow, blue. (corrected by entry 3)"
    evening.press(IntentKind.UNDO)
    assert [line.told for line in evening.view.log[:2]] == ["Player 1 draws red, green.", "Player 1 draws red, blue."]


def test_the_history_names_what_was_put_in_and_taken_out() -> None:
    evening = recorded("draw red blue")
    evening.presenter.on_correct(1)
    evening.presenter.on_choice(INSERT_BEFORE)
    evening.presenter.on_choice(f"{INSERT}ward E8-F8 red")
    evening.presenter.on_correct(1)
    evening.presenter.on_choice(TAKE_OUT)
    assert evening.view.on_board == ()
    assert not evening.view.is_hint
    assert evening.view.asked_seat == 1
    assert evening.view.prompt == "Take out 1 Player 1: Draw red, blue?"
    evening.presenter.on_choice(SURELY)
    assert history(evening) == [
        ("3  Entry 1 taken out", ""),
        ("2  put in before 1: Player 1 lays a red ward on E8-F8.", ""),
        ("1  Player 1 draws red, blue. (taken out by entry 3; entry 2 came before it)", ""),
    ]


def test_the_player_whose_entry_is_asked_about_is_pointed_out() -> None:
    evening = recorded("draw red blue", "draw red blue", "end")
    assert [player.acts for player in evening.view.pointed_out] == [False, True]
    evening.presenter.on_correct(2)
    assert [player.acts for player in evening.view.pointed_out] == [True, False]
    assert [player.acts for player in evening.view.players] == [False, True]
    evening.presenter.on_choice(INSERT_BEFORE)
    assert [player.acts for player in evening.view.pointed_out] == [True, False]
    evening.presenter.on_choice(KEEP)
    assert [player.acts for player in evening.view.pointed_out] == [False, True]


def test_the_history_shows_who_did_what_by_seal_and_faces():
    from companion.session.session import Session
    from ui.simulated_table.demo import demo_table, parse
    from ui.table.latest_moves import told_faces

    session = Session.create(None, demo_table(parse(["--game", "city_of_marble", "--players", "2"])))
    while not any(entry.action and entry.action.startswith("draw") for entry in session.entries):
        action = next(each for each in session.legal_actions() if each.text.startswith("draw"))
        session.submit(action)
    number = session.entries[-1].number
    faces = told_faces(session, {number})[number]
    assert [face.component for face in faces] == ["ward", "ward"]
    assert told_faces(session, set()) == {}


def test_lines_that_are_kept_are_those_worded_anew_through_changes_undoing_and_another_language(monkeypatch) -> None:
    evening = recorded("draw red green", "ward E8-F8 red", "draw red blue")
    presenter = evening.presenter

    def check() -> None:
        assert evening.view.log == entry_lines(presenter.session, presenter.texts, LATEST_LINES)

    check()
    presenter.on_correct(1)
    presenter.on_choice(f"{AMEND}draw red yellow")
    check()
    evening.press(IntentKind.UNDO)
    check()
    worded: list[object] = []
    event = GameTexts.event
    monkeypatch.setattr(GameTexts, "event", lambda texts, fact, table: worded.append(fact) or event(texts, fact, table))
    presenter.say("another view")
    assert evening.view.log
    assert worded == []
    before = evening.view.log
    use_language("it")
    try:
        presenter.tell_anew()
        check()
        assert evening.view.log[0].told != before[0].told
    finally:
        use_language("en")
