"""The keyboard on the screen: capitals by one touch, the letters of three languages."""

import pytest

from companion.session.store import Store
from ui.services import text
from ui.services.settings import SETTINGS_FILE, Settings, save_settings
from ui.services.speech import Speaker
from ui.shell.shell import Shell

pytestmark = pytest.mark.window


@pytest.fixture
def writing(start, tmp_path, request):
    """The name of the first seat, and a call that touches keys by what they show."""
    from kivy.core.window import Window

    from ui.widgets.screen_keyboard import ScreenKeyboard

    save_settings(tmp_path / SETTINGS_FILE, Settings(request.param))
    modes = Window.allow_vkeyboard, Window.single_vkeyboard, Window.docked_vkeyboard
    Window.allow_vkeyboard = Window.single_vkeyboard = Window.docked_vkeyboard = True
    with Store(tmp_path / "games.sqlite3") as store:
        shell = Shell(store, tmp_path, speaker=Speaker(None))
        driver = start(None, shell.tick, on_close=shell.close, shell=shell)
        driver.resize(800, 480)
        driver.app.open("setup", game="city_of_marble")
        page = driver.app.screens.current_screen
        while page.step != "players":
            page.go_on()
        driver.frames(4)
        driver.tap(page.ids.name)
        driver.frames(4)
        keyboard = next(widget for widget in Window.children if isinstance(widget, ScreenKeyboard))

        def touch(*keys):
            for shown in keys:
                driver.frames(3)
                there = {key[0]: (pos, size) for key, pos, size in keyboard._keys()}
                assert shown in there, page.ids.name.text
                pos, size = there[shown]
                driver.touch(keyboard.x + pos[0] + size[0] / 2, keyboard.y + pos[1] + size[1] / 2)
            driver.frames(3)

        yield page, touch, keyboard
        page.ids.name.focus = False
        driver.frames(2)
    Window.allow_vkeyboard, Window.single_vkeyboard, Window.docked_vkeyboard = modes
    text.use_language("en")


@pytest.mark.parametrize("writing", ["en"], indirect=True)
def test_a_name_begins_with_a_capital_and_shift_makes_one_letter_another(writing):
    page, touch, _keyboard = writing
    touch("A", "n", "n", "a", "-", "L", "e", "⇧", "A", "x", "⌫", "x", " ", "⇧", "v")
    assert page.ids.name.text == "Anna-LeAx v"
    assert page.wizard.draft.names[0] == "Anna-LeAx v"


@pytest.mark.parametrize("writing", ["en"], indirect=True)
def test_a_seat_that_nobody_named_keeps_its_name_until_one_is_written(writing):
    page, _touch, _keyboard = writing
    assert page.ids.name.text == ""
    page.ids.name.focus = False
    assert (page.ids.name.text, page.wizard.draft.names[0]) == ("Player 1", "Player 1")


@pytest.mark.parametrize("writing", ["de"], indirect=True)
def test_german_letters_and_the_accents_of_other_languages_are_there(writing):
    page, touch, _keyboard = writing
    touch("J", "ö", "r", "g", " ", "G", "r", "o", "ß", "123 é", "è", "abc", "a")
    assert page.ids.name.text == "Jörg Großèa"


@pytest.mark.parametrize("writing", ["it", "de", "en"], indirect=True)
def test_every_key_can_be_hit_and_fits_the_window(writing):
    from kivy.core.window import Window
    from kivy.metrics import dp

    _page, touch, keyboard = writing
    for mode in ("normal", "special"):
        if mode == "special":
            touch("123 é")
        places = [(pos, size) for _key, pos, size in keyboard._keys()]
        assert len(places) >= 30
        assert min(size[0] for _pos, size in places) >= dp(48)
        assert all(pos[0] >= 0 and pos[0] + size[0] <= Window.width for pos, size in places)
        assert keyboard.height <= Window.height / 2
