"""The set-up in a window: what lies on the board is chosen there, and who begins below its picture."""

import pytest

from companion.session.store import Store
from ui.drawing.board_frame import site_centre
from ui.services import text
from ui.services.settings import SETTINGS_FILE, Settings, save_settings
from ui.services.speech import Speaker
from ui.shell.shell import Shell

pytestmark = pytest.mark.window


@pytest.fixture
def screen(start, tmp_path):
    save_settings(tmp_path / SETTINGS_FILE, Settings("en"))
    with Store(tmp_path / "games.sqlite3") as store:
        shell = Shell(store, tmp_path, speaker=Speaker(None))
        yield start(None, shell.tick, on_close=shell.close, shell=shell)
    text.use_language("en")


def test_hills_are_chosen_on_the_board_and_who_begins_below_its_picture(screen):
    screen.resize(1280, 800)
    screen.app.open("setup", game="city_of_marble")
    page = screen.app.screens.current_screen
    while page.step != "options":
        page.go_on()
    screen.frames(4)
    wizard, board = page.wizard, page.ids.chosen
    places = {key: site for site, (_question, key) in page._places.items()}
    for name in ("Viminal", "Palatine", "Aventine", "Palatine", "Quirinal"):
        screen.frames(2)
        screen.touch(*board.to_window(*board.frame.pixel(site_centre(board.board, places[name]))))
    assert wizard.draft.outcomes["hills"] == ("Aventine", "Viminal", "Quirinal")
    while page.step != "board":
        screen.tap(page.ids.go_on)
        screen.frames(2)
    first, second = wizard.draft.names
    screen.frames(2)
    screen.tap(next(button for button in page.ids.begins.children if button.text == second))
    assert wizard.draft.names == (second, first)
    screen.tap(page.ids.go_on)
    assert [player.name for player in screen.app.presenter.session.table.players] == [second, first]


@pytest.mark.parametrize("size", [(800, 480), (480, 800), (1280, 800)])
def test_what_the_last_page_has_takes_no_touch_from_the_others(size, screen):
    from scripts.pictures.faults import faults

    screen.resize(*size)
    screen.app.open("setup", game="city_of_marble")
    page = screen.app.screens.current_screen
    while page.step != "players":
        page.go_on()
    screen.frames(4)
    for name in ("add_seat", "add_seat", "remove_seat"):
        screen.frames(2)
        page.ids[name].parent.parent.parent.scroll_to(page.ids[name], animate=False)
        screen.frames(2)
        screen.tap(page.ids[name])
    assert len(page.wizard.draft.names) == 3
    assert not [fault for fault in faults(page) if fault.startswith("covered")]
    screen.tap(page.ids.go_on)
    screen.frames(4)
    screen.tap(page.ids.questions.children[0].ids.draw)
    assert len(page.wizard.draft.outcomes["hills"]) == 3
