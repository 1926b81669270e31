"""What the entries of a log and the state of the camera are called at the table."""

from collections.abc import Callable

from companion.session.intents import Intent, IntentKind
from companion.session.session import Session
from tests.session.evenings import eventful_session, new_session, play, rewritten_session
from tests.tables import sight
from tests.ui.test_presenter import WatchedTable
from ui.services.text import translated_texts
from ui.table.composing import CAMERA
from ui.table.corrections.questions import KEEP
from ui.table.entry_labels import entry_name, entry_text
from ui.table.seating import UnseatedBox
from ui.table.table_questions import TableQuestion
from ui.view_models.play_view import PlayView

TEXTS = translated_texts("city_of_marble")


def told(session: Session) -> list[str]:
    return [entry_text(entry, session, TEXTS) for entry in session.entries]


def test_an_entry_is_told_by_its_facts_or_by_what_it_does() -> None:
    texts = told(eventful_session())
    assert texts[0] == "Player 1 draws red, blue."
    assert texts[4:7] == ["Entry 4 taken back", "Entry 4 stands again", "Entry 4 taken back"]
    assert texts[13] == "the record was corrected (miscounted)"
    assert texts[-1] == "ended early (late)"


def test_an_order_that_was_not_seen_and_an_entry_taken_out_are_said() -> None:
    texts = told(rewritten_session())
    assert [text.endswith(" (order not seen)") for text in texts] == [False, False, False, True, False, False]
    assert texts[4] == "Entry 1 taken out"


def test_who_leaves_and_comes_back_is_said_with_what_follows() -> None:
    session = new_session(seats=3)
    session.leave(1)
    session.come_back(1)
    leaving, back = told(session)
    assert leaving.startswith("Player 1 leaves. ")
    assert "Player 2" in leaving
    assert back == "Player 1 is back"


def test_a_correction_without_a_reason_is_said_without_one() -> None:
    session = new_session()
    session.correct({"player": {"1": {"coins": 2}}}, "")
    assert told(session) == ["the record was corrected"]


def test_the_button_names_an_action_with_its_player() -> None:
    session = new_session()
    play(session, "draw red blue")
    session.end_early("late")
    names = [entry_name(entry, session, TEXTS) for entry in session.entries]
    assert names == [
        "Player 1: " + TEXTS.action(session.game.parse_action("draw red blue", session.state)),
        "ended early (late)",
    ]


def test_the_camera_is_said_to_be_missing_shut_starting_or_watching() -> None:
    table = WatchedTable()
    eyes = [table.view.eyes]
    for state, is_ok in (("unplugged", False), ("starting", True), ("ready", True)):
        table.presenter.devices.tell(CAMERA, state, ok=is_ok)
        eyes.append(table.view.eyes)
    assert eyes == ["no camera", "not open (unplugged)", "starting", "watching"]
    table.presenter.on_camera_lost("covered by a book")
    assert table.view.eyes == "paused (covered by a book)"
    assert not table.view.is_watched
    table.see()
    assert table.view.is_watched
    table.presenter.on_camera_blinded("dark")
    assert not table.view.is_watched


def test_a_hand_and_a_moving_picture_are_told_apart() -> None:
    table = WatchedTable()
    board = table.session.table.board
    table.presenter.on_observation(sight(board, table.look, time=101.0, quiet=False))
    assert table.view.eyes == "settling"
    table.presenter.on_observation(sight(board, table.look, time=102.0, quiet=False, covered=frozenset({"ward E8-F8"})))
    assert table.view.eyes == "hand"


def test_whatever_happens_is_shown_at_once() -> None:
    table = WatchedTable()
    presenter, before = table.presenter, table.view
    question = TableQuestion("May it?", (("yes", "It may"),), lambda answer: None)

    def offers(start: str) -> Callable[[PlayView], object]:
        return lambda view: any(choice.key.startswith(start) for choice in view.choices)

    steps: list[tuple[Callable[[], object], Callable[[PlayView], object], object]] = [
        (lambda: presenter.on_camera_blinded("dark"), lambda view: view.eyes, "paused (dark)"),
        (lambda: presenter.on_camera_lost("unplugged"), lambda view: view.eyes, "paused (unplugged)"),
        (lambda: presenter.devices.tell("box", "lost", ok=False), lambda view: len(view.devices), 1),
        (lambda: presenter.devices.forget("box"), lambda view: len(view.devices), 0),
        (lambda: presenter.devices.ask_for_seat("box", UnseatedBox("blue")), offers("seat"), True),
        (lambda: presenter.devices.seated("box"), offers("seat"), False),
        (lambda: presenter.ask("phone", question), offers("asked yes"), True),
        (lambda: presenter.stop_asking_for("phone"), offers("asked yes"), False),
        (lambda: presenter.say("Hello"), lambda view: view.verdict and view.verdict.headline, "Hello"),
        (presenter.on_camera_gone, lambda view: view.eyes, "no camera"),
        (lambda: presenter.on_intent(Intent(IntentKind.HELP)), offers("ward"), True),
        (lambda: presenter.on_intent(Intent(IntentKind.HELP)), offers("ward"), False),
        (lambda: presenter.on_site("E8"), offers("ward"), True),
        (lambda: presenter.on_choice("draw red blue"), lambda view: len(view.log), 1),
        (presenter.on_correct, offers(KEEP), True),
        (presenter.stop_asking, offers(KEEP), False),
        (lambda: presenter.on_end_early("late"), lambda view: view.score is not None and view.score.final, True),
    ]
    for act, look, expected in steps:
        assert look(table.view) != expected
        act()
        assert look(table.view) == expected
        assert table.view is presenter.view()
    assert table.view is not before
