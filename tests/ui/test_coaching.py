"""The marks that explain a first table: which, once, by a touch each, and out of the way of everything else."""

import pytest

from companion.session.intents import Intent, IntentKind
from companion.session.store import Store
from tests.tables import table_of
from ui.menus.preferences import changed
from ui.services import text
from ui.services.settings import SETTINGS_FILE, Introduction, Settings, load_settings, save_settings
from ui.services.speech import Speaker
from ui.shell.shell import Shell
from ui.view_models.coach_view import CoachAnchor


@pytest.fixture
def program(tmp_path):
    """Starts the program around its screens, as often as asked, with one store."""
    save_settings(tmp_path / SETTINGS_FILE, Settings("en"))
    opened = []

    def begin():
        for shell in opened:
            shell.close()
        opened.append(Shell(store, tmp_path, speaker=Speaker(None), introduces=True))
        return opened[-1]

    with Store(tmp_path / "games.sqlite3") as store:
        yield begin
        opened[-1].close()
    text.use_language("en")


def marks_of(shell):
    """What is shown of the open table, touch after touch."""
    view, shown = shell.table_loop.presenter.view(), []
    while (mark := shell.coaching.mark(view)) is not None:
        shown.append(mark)
        shell.coaching.next()
    return shown


@pytest.mark.parametrize(
    ("game_id", "middle"),
    [
        ("city_of_marble", CoachAnchor.BOARD), ("aqua_romana", CoachAnchor.BOARD),
        ("capitol", CoachAnchor.BOARD), ("thurn_and_taxis", CoachAnchor.CARDS),
    ],
)  # fmt: skip
def test_a_first_table_is_explained_by_three_marks_once(program, game_id, middle):
    shell = program()
    shell.begin(table_of(game_id, 2))
    shown = marks_of(shell)
    assert [(mark.number, mark.count, mark.is_last) for mark in shown] == [(1, 3, False), (2, 3, False), (3, 3, True)]
    assert [mark.anchor for mark in shown][:2] == [CoachAnchor.PROMPT, middle]
    assert shown[2].anchor in (CoachAnchor.PRIMARY, CoachAnchor.UNDO)
    assert not marks_of(shell)
    shell.begin(table_of(game_id, 2))
    assert not marks_of(shell)
    assert load_settings(shell.folder / SETTINGS_FILE).introduction == Introduction.NONE


def test_marks_that_were_not_read_to_their_end_are_there_again_and_those_skipped_are_not(program):
    shell = program()
    shell.begin(table_of("capitol", 2))
    game_id = shell.table_loop.presenter.session.id
    shell.coaching.next()
    shell = program()
    shell.resume(game_id)
    view = shell.table_loop.presenter.view()
    assert shell.coaching.mark(view).number == 1
    shell.coaching.skip()
    assert shell.coaching.mark(view) is None
    shell = program()
    shell.resume(game_id)
    assert not marks_of(shell)


def test_who_has_played_before_is_explained_nothing_unless_asked_for(program):
    shell = program()
    shell._introduces = False
    shell.begin(table_of("capitol", 2))
    assert not marks_of(shell)
    shell = program()
    shell.begin(table_of("capitol", 2))
    assert not marks_of(shell)
    shell.change_settings(changed(shell.settings, "introduction", Introduction.NEXT_TABLE))
    shell.begin(table_of("capitol", 2))
    assert len(marks_of(shell)) == 3
    shell.begin(table_of("capitol", 2))
    assert not marks_of(shell)


def test_a_box_plays_on_below_a_mark_and_a_refusal_is_never_covered(program):
    shell = program()
    presenter = shell.begin(table_of("capitol", 2))
    presenter.on_intent(Intent(IntentKind.DONE, 1))
    assert [entry.action for entry in presenter.session.entries] == ["pass"]
    assert shell.coaching.mark(presenter.view()).number == 1
    presenter.act(presenter.session.game.parse_action("white-3 2-round Palatine/3", presenter.session.state))
    assert presenter.view().is_refusal
    assert shell.coaching.mark(presenter.view()) is None
    presenter.on_choice("put back")
    assert shell.coaching.mark(presenter.view()).number == 1


@pytest.mark.window
def test_marks_lie_over_the_play_screen_point_at_its_parts_and_go_by_touches(start, program):
    shell = program()
    screen = start(None, shell.tick, shell=shell)
    screen.app.open_table(shell.begin(table_of("city_of_marble", 2)))
    screen.frames(4)
    play = screen.app.screens.current_screen
    coach, presenter = play.ids.coach, screen.app.presenter
    for size in ((1280, 800), (800, 480), (480, 800)):
        screen.resize(*size)
        box = coach.ids.box
        assert coach.mark.number == 1
        assert min(box.x, box.y, size[0] - box.right, size[1] - box.top) >= 0
        assert box.top <= play.ids.prompt.y or box.y >= play.ids.prompt.top
        assert min(coach.ids.skip.height, coach.ids.next.height) >= 48
    screen.resize(1280, 800)
    screen.tap(play.ids.board)
    assert coach.mark.number == 2
    assert coach.target is play.ids.board
    screen.tap(coach.ids.next)
    assert coach.mark.number == 3
    screen.key(13)
    assert coach.mark is None
    assert not presenter.session.entries
    assert shell.settings.introduction == Introduction.NONE


@pytest.mark.window
def test_all_marks_are_skipped_by_their_button_and_by_escape(start, program):
    for way in ("button", "escape"):
        shell = program()
        shell.change_settings(changed(shell.settings, "introduction", Introduction.NEXT_TABLE))
        screen = start(None, shell.tick, shell=shell)
        screen.app.open_table(shell.begin(table_of("capitol", 2)))
        screen.frames(4)
        coach = screen.app.screens.current_screen.ids.coach
        assert coach.mark.number == 1
        if way == "button":
            screen.tap(coach.ids.skip)
        else:
            screen.key(27)
        screen.frames(2)
        assert coach.mark is None
        assert screen.app.screens.current == "play"
        screen.app.dispatch("on_stop")
