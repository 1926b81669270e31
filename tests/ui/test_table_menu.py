"""The menu at the table: what it offers in which state of the game, and what each page says."""

import sqlite3
from contextlib import closing
from pathlib import Path

from companion.session.intents import IntentKind
from companion.session.session import Session
from companion.session.store import Store
from tests.session.evenings import new_session, play
from tests.ui.test_presenter import WatchedTable
from ui.table.composing import CAMERA
from ui.table.presenter import Presenter
from ui.table.table_menu import PAGE, WAYS, TableMenu
from ui.table.table_questions import MOST_OPEN, TableQuestion, TableQuestions
from ui.view_models.form_view import Note, Picks, Row, SectionHeading, Tone
from ui.view_models.play_view import ChoiceView


def words(row: Row) -> str:
    """A row as it is read."""
    match row:
        case Note(text) | SectionHeading(text):
            return text
        case Picks(key, picks):
            return f"{key}: " + "; ".join(f"{each.key}={each.text}" for each in picks)
    raise AssertionError(row)


def page(menu: TableMenu) -> list[str]:
    return [menu.heading(), *map(words, menu.rows())]


def test_the_menu_offers_what_the_table_has() -> None:
    table = WatchedTable("capitol")
    menu = TableMenu(table.presenter, lambda: None)
    assert page(menu) == [
        "The table",
        "To look at",
        "ways: page open=What lies open; page history=History; page secrets=Closed hands",
        "To change",
        "ways: page detail=What is told",
        "To leave",
        "ways: page leave=A player leaves; page end=End early",
        "Camera and boxes",
        "None. Everything can be touched.",
    ]
    table.presenter.time_players(10)
    table.presenter.devices.tell(CAMERA, "ready", ok=True)
    table.presenter.devices.tell("red box", "lost", ok=False)
    full = TableMenu(table.presenter, lambda: None, turn=lambda: None, rules=lambda: None)
    assert page(full)[1:] == [
        "To look at",
        "ways: page open=What lies open; page history=History; page secrets=Closed hands; rules=Rules",
        "To change",
        "ways: page detail=What is told; turn=Turn the screen to the other side; clock=Stop the clock; "
        "camera=Pause the camera",
        "To leave",
        "ways: page leave=A player leaves; page end=End early",
        "Camera and boxes",
        "camera: ready",
        "red box: lost",
    ]
    assert [row.tone for row in full.rows() if isinstance(row, Note)] == [Tone.GOOD, Tone.BAD]
    assert full.board() is None, "nothing but the ways: the board is on the screen that was left"
    full.touch(WAYS, "clock")
    full.touch(WAYS, "camera")
    assert page(full)[4].endswith("clock=Let the clock go on; camera=Let the camera watch again")
    full.touch(WAYS, "page history")
    assert full.heading() == "History"
    assert full.board() is not None


def test_a_game_that_is_over_and_has_no_closed_hands_offers_less() -> None:
    table = WatchedTable()
    table.presenter.on_end_early("late")
    assert page(TableMenu(table.presenter, lambda: None))[1:3] == [
        "To look at",
        "ways: page open=What lies open; page history=History",
    ]


def test_closed_hands_are_offered_where_one_player_alone_has_some() -> None:
    table = WatchedTable("thurn_and_taxis")
    while not any(state_has := [bool(table.session.game.secrets(table.session.state, seat)) for seat in (1, 2)]):
        table.session.submit(table.session.legal_actions()[0])
    assert any(state_has)
    assert "page secrets=Closed hands" in page(TableMenu(table.presenter, lambda: None))[2]


def test_what_lies_open_is_shown_for_each_player_and_for_all() -> None:
    table = WatchedTable()
    menu = TableMenu(table.presenter, lambda: None, looking=True)
    shown = page(menu)
    assert shown[0] == "What lies open"
    assert [shown[1], shown[3], shown[5]] == ["Player 1: 0", "Player 2: 0", "Before everybody"]
    assert not menu.back()


def test_the_history_is_turned_page_by_page() -> None:
    table = WatchedTable()
    menu = TableMenu(table.presenter, lambda: None)
    menu.touch("page", "history")
    assert page(menu) == ["History", "Nothing yet."]
    while len(table.session.entries) < PAGE + 2:
        table.session.submit(table.session.legal_actions()[0])
    table.press(IntentKind.UNDO)
    shown = page(menu)
    latest = PAGE + 3
    assert shown[1] == "Touch the entry that was another action."
    assert shown[2] == f"{latest}  Entry {latest - 1} taken back"
    assert shown[3].startswith(f"redo: {latest - 1}={latest - 1}  ")
    assert shown[-1] == f"older: {PAGE}=Older"
    assert len(shown) == PAGE + 3
    assert all(row.columns == 1 for row in menu.rows() if isinstance(row, Picks) and row.key in {"entry", "redo"})
    menu.touch("older", str(PAGE))
    older = page(menu)
    assert [line.partition("=")[0] for line in older[2:]] == ["entry: 3", "entry: 2", "entry: 1", f"older: {-PAGE}"]
    menu.touch("older", str(-PAGE))
    assert page(menu) == shown


def test_a_page_that_is_just_full_has_no_older_one_and_what_was_undone_says_so() -> None:
    table = WatchedTable()
    menu = TableMenu(table.presenter, lambda: None)
    menu.touch("page", "history")
    for _ in range(PAGE - 3):
        table.session.submit(table.session.legal_actions()[0])
    table.press(IntentKind.UNDO)
    undone = PAGE - 3
    table.session.submit(table.session.legal_actions()[-1])
    table.session.end_early("late")
    shown = page(menu)
    assert shown[2] == f"{PAGE}  ended early (late)"
    assert shown[5].startswith(f"{undone}  Player ")
    assert shown[5].endswith(" (undone)")
    assert sum(line.endswith("(undone)") for line in shown) == 1
    assert not any(line.startswith("older") for line in shown)


def test_on_every_page_what_can_be_touched_is_one_below_the_other() -> None:
    table = WatchedTable("capitol")
    menu = TableMenu(table.presenter, lambda: None)
    for name in ("open", "history", "secrets", "leave", "end"):
        menu.touch("page", name)
        assert menu.heading() != "The table"
        assert all(row.columns == 1 for row in menu.rows() if isinstance(row, Picks))
    menu.touch("page", "leave")
    menu.touch("leave", "1")
    assert page(menu)[1:] == [
        "If Player 1 leaves, the game ends here, and nobody has won.",
        "leave: 1=Player 1 leaves: end the game",
        "stay: =No, we go on",
    ]
    assert all(row.columns == 1 for row in menu.rows() if isinstance(row, Picks))


def test_questions_of_the_table_are_answered_once_and_are_not_too_many() -> None:
    questions, answers = TableQuestions(), []
    question = TableQuestion("May it?", (("yes", "It may"), ("no", "It may not")), answers.append)
    assert questions.ask("a phone", question)
    assert questions.choices() == (
        ChoiceView("asked yes a phone", "It may", "May it?"),
        ChoiceView("asked no a phone", "It may not", "May it?"),
    )
    assert questions.answer("asked no a phone")
    assert answers == ["no"]
    assert not questions.answer("asked no a phone")
    assert not questions.drop("a phone")
    assert all(questions.ask(str(number), question) for number in range(MOST_OPEN))
    assert not questions.ask("one more", question)
    assert questions.ask("0", question)
    assert questions.drop("0")
    assert list(questions.open) == [str(number) for number in range(1, MOST_OPEN)]


def test_what_damage_has_cost_is_told_in_words_and_is_not_called_undone(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with Store(path) as store:
        session = new_session(store)
        play(session, "draw red blue", "draw red yellow")
        session.undo()
        session.redo()
        play(session, "end")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE entries SET entry = '[[[[' WHERE number = 3")
    with Store(path) as store:
        menu = TableMenu(Presenter(Session.open(store, "evening-1")), lambda: None)
        menu.touch("page", "history")
        shown = page(menu)
    assert shown[3:5] == [
        "4  lost: it cannot have happened without an earlier entry that is lost",
        "3  lost: the database was damaged here, and nobody knows what was recorded",
    ]
