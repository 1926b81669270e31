"""The app's own screens, touched and typed on in a real window: each flow from the start screen."""

import shutil
from dataclasses import replace

import pytest

from companion.registry import GAMES
from companion.session.cutouts import cut_outs_of
from companion.session.session import Session
from companion.session.store import Store
from tests.session.evenings import new_session, play_at_random
from tests.ui.test_past_games import cut_of
from ui.drawing import theme
from ui.screens.registry import MENU
from ui.services import text
from ui.services.settings import SETTINGS_FILE, Settings, load_settings, save_settings
from ui.services.speech import Speaker
from ui.shell.publishing import TablePublishing
from ui.shell.shell import Shell
from ui.table.legal_choices import ON_BOARD

pytestmark = pytest.mark.window

TAB, ENTER, ESCAPE, RIGHT, HOME = 9, 13, 27, 275, 278


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """A database with a finished game and one that was begun."""
    path = tmp_path_factory.mktemp("games") / "games.sqlite3"
    with Store(path) as store:
        play_at_random(new_session(store, 3, "played"), 1000, seed=3)
        play_at_random(new_session(store, 2, "begun"), 9, seed=1)
    return path


@pytest.fixture
def shell(tmp_path):
    save_settings(tmp_path / SETTINGS_FILE, Settings("en"))
    with Store(tmp_path / "games.sqlite3") as store:
        shell = Shell(store, tmp_path, speaker=Speaker(None))
        yield shell
        shell.close()
    text.use_language("en")
    theme.use_theme("marble")


@pytest.fixture
def played(games, tmp_path):
    shutil.copy(games, tmp_path / "games.sqlite3")
    save_settings(tmp_path / SETTINGS_FILE, Settings("en"))
    with Store(tmp_path / "games.sqlite3") as store:
        shell = Shell(store, tmp_path, speaker=Speaker(None))
        yield shell
        shell.close()
    text.use_language("en")
    theme.use_theme("marble")


@pytest.fixture
def begin(start):
    from kivy.core.window import Window

    from ui.widgets.scale import scale

    screens = []

    def started(shell):
        screens.append(start(None, shell.tick, on_close=shell.close, shell=shell))
        return screens[-1]

    yield started
    for screen in screens:
        screen.app.dispatch("on_stop")
    scale.reader = 1.0
    Window.rotation = 0


def current(screen):
    return screen.app.screens.current_screen


def press(screen, **properties):
    """Touch the only press of the current screen with these properties."""
    from kivy.uix.behaviors import ButtonBehavior

    screen.frames(2)
    found = [
        widget
        for widget in current(screen).walk()
        if isinstance(widget, ButtonBehavior)
        and not widget.disabled
        and all(getattr(widget, name, None) == value for name, value in properties.items())
    ]
    assert len(found) == 1, f"{len(found)} presses {properties}"
    released = []
    found[0].bind(on_release=released.append)
    screen.tap(found[0])
    screen.until(lambda: released)


def test_a_new_game_of_a_new_family_is_begun_by_touch(begin, shell):
    screen = begin(shell)
    press(screen, key="new")
    assert screen.app.screens.current == "setup"
    press(screen, heading="Capitol")
    press(screen, text="Next")
    press(screen, text="One more player")
    press(screen, name="Player 3")
    press(screen, colour="yellow")
    press(screen, text="Next")
    press(screen, text="Begin the game")
    assert screen.app.screens.current == "play"
    session = screen.app.presenter.session
    assert session.table.game == "capitol"
    assert [player.colour for player in session.table.players] == ["green", "red", "yellow"]
    assert shell.store.games()[0].id == session.id


def test_the_same_people_play_again_in_three_taps(begin, played):
    screen = begin(played)
    latest = next(game for game in played.store.games() if game.over)
    taps = [{"key": f"again {latest.id}"}, {"text": "Let chance decide"}, {"text": "Begin the game"}]
    for tap in taps:
        press(screen, **tap)
    assert len(taps) <= 3
    assert screen.app.screens.current == "play"
    assert screen.app.presenter.session.id != latest.id
    assert screen.app.presenter.session.table.players == played.store.header(latest.id).table.players


def test_from_the_score_of_a_finished_game_one_goes_home_or_plays_again(begin, played):
    screen = begin(played)
    screen.app.open_table(played.resume("played"))
    screen.app.refresh()
    assert screen.app.screens.current == "score"
    page = current(screen).ids.event
    assert page.ids.heading.words.endswith(" WINS")
    page.show_all()
    screen.frames(2)
    screen.tap(page.ids.home)
    assert screen.app.screens.current == "start"
    screen.app.open_table(played.resume("played"))
    screen.app.refresh()
    current(screen).ids.event.show_all()
    screen.frames(2)
    screen.tap(current(screen).ids.event.ids.again)
    assert (screen.app.screens.current, current(screen).step) == ("setup", "options")
    assert current(screen).wizard.table().players == played.store.header("played").table.players


def test_an_unfinished_game_goes_on_and_the_menu_leads_home(begin, played):
    screen = begin(played)
    press(screen, key="continue begun")
    assert screen.app.presenter.session.id == "begun"
    press(screen, says="Menu")
    press(screen, key="home", heading="To the first screen")
    assert screen.app.screens.current == "start"
    press(screen, key="continue begun")
    screen.key(ESCAPE)
    assert screen.app.screens.current == "start"


def test_names_are_written_and_pages_turned_back(begin, shell):
    from kivy.uix.textinput import TextInput

    screen = begin(shell)
    press(screen, key="new")
    press(screen, text="Next")
    field = screen.find(TextInput)
    screen.tap(field)
    assert field.focus
    field.text = "Zoë [b]Rossi[/b]"
    assert current(screen).wizard.draft.names[0] == "Zoë [b]Rossi[/b]"
    screen.key(ord("h"))  # goes into the text, and is no wish
    assert screen.app.screens.current == "setup"
    field.focus = False
    press(screen, name="Zoë [b]Rossi[/b]")
    press(screen, text="‹ Back")
    assert current(screen).step == "game"
    screen.key(ESCAPE)
    assert screen.app.screens.current == "start"


def test_hills_and_rulings_are_chosen_by_touch(begin, shell):
    screen = begin(shell)
    press(screen, key="new")
    wizard = current(screen).wizard
    for _page in range(2):
        press(screen, text="Next")
    hill = next(name for name in wizard.draft.options[0].names if name not in wizard.draft.outcomes["hills"])
    press(screen, heading=hill)
    assert hill in wizard.draft.outcomes["hills"]
    press(screen, text="Let chance decide")
    assert len(wizard.draft.outcomes["hills"]) == 3
    press(screen, text="Next")
    assert current(screen).step == "board"
    press(screen, text="Rulings: as usual")
    press(screen, heading="The hill fills its part of the hexagon and counts as one building.")
    assert wizard.draft.rulings["hill_corner"] == "fills_with_building"
    press(screen, text="‹ Back")
    assert current(screen).step == "board"
    press(screen, text="Rulings: 1 changed")


def test_many_answers_are_stepped_through(begin, shell):
    from ui.screens.setup import QuestionBox

    screen = begin(shell)
    press(screen, key="new")
    press(screen, heading="Aqua Romana")
    for _page in range(2):
        press(screen, text="Next")
    press(screen, text="Set-up")
    question = next(screen.all(QuestionBox))
    for name, expected in (("more", "22"), ("less", "21"), ("less", "20")):
        screen.tap(question.ids[name])
        assert question.picked == expected
    assert current(screen).wizard.draft.outcomes["curve_tiles"] == ("20",)


def test_a_past_game_is_reviewed_exported_and_deleted(begin, played):
    session = Session.open(played.store, "played")
    cut_outs_of(played.folder, "played").keep(session.entries[-1].number, cut_of(session.table.board))
    screen = begin(played)
    press(screen, text="Past games")
    press(screen, key="played")
    press(screen, text="Export")
    assert list((played.folder / "exports").glob("*/score.html"))
    press(screen, text="Delete…")
    press(screen, text="Keep")
    assert len(played.store.games()) == 2
    press(screen, text="Review")
    review = current(screen).review
    last = review.view().steps
    assert review.step == last
    press(screen, text="Show me")
    assert current(screen).ids.seen.height > current(screen).ids.board.height
    press(screen, text="The board")
    assert current(screen).ids.seen.height < current(screen).ids.board.height
    press(screen, text="‹ Back one step")
    assert review.step == last - 1
    press(screen, text="|‹")
    assert review.step == 0
    screen.key(RIGHT)
    assert review.step == 1
    plot = current(screen).ids.plot
    screen.touch(*plot.to_window(plot.x + plot.width * 0.97, plot.center_y))
    assert review.step == last
    screen.key(ESCAPE)
    press(screen, text="Delete…")
    press(screen, text="Delete for good")
    assert [game.id for game in played.store.games()] == ["begun"]


def test_rules_are_looked_up_by_topic_and_word(begin, shell):
    from kivy.uix.textinput import TextInput

    from ui.screens.help import RuleEntry

    screen = begin(shell)
    press(screen, text="Rules")
    press(screen, text="Drawing wards")
    assert all("COM-DRAW" in rule.source for rule in screen.all(RuleEntry))
    field = screen.find(TextInput)
    field.text = "com-ward-4"
    screen.frames(1)
    assert [rule.source.partition(" ")[0] for rule in screen.all(RuleEntry)] == ["COM-WARD-4"]
    field.text = "magistrate ward"
    screen.frames(1)
    entries = list(screen.all(RuleEntry))
    assert current(screen).ids.count.text == f"{len(entries)} rules have these words."
    assert sum("[/u]" in entry.heading + entry.sentence for entry in entries) > 1
    press(screen, text="Capitol")
    assert field.text == ""
    assert all("CAP-" in rule.source for rule in screen.all(RuleEntry) if rule.source)


def test_settings_hold_at_once_and_are_remembered(begin, shell):
    from kivy.core.window import Window

    from ui.widgets.scale import scale

    screen = begin(shell)
    press(screen, text="Settings")
    for touched, check in (
        ("160 %", lambda: scale.reader == 1.6),
        ("100 %", lambda: scale.reader == 1.0),
        ("Evening: dark", lambda: tuple(Window.clearcolor[:3]) == theme.TABLE and theme.luminance(theme.TABLE) < 0.1),
        ("Marble: light", lambda: theme.luminance(theme.TABLE) > 0.4),
        ("30 minutes", lambda: shell.settings.clock == 30),
        ("What is refused", lambda: shell.settings.announcements == "refusals"),
    ):
        press(screen, text=touched)
        assert check(), touched
        assert load_settings(shell.folder / SETTINGS_FILE) == shell.settings


@pytest.mark.parametrize("in_settings", [True, False], ids=["in the settings", "at the table"])
def test_choices_wear_the_theme_that_is_chosen_and_still_answer(begin, played, in_settings):
    from tests.ui.window import near
    from ui.widgets.tray import FaceCard

    screen = begin(played)
    press(screen, key="continue begun")
    session = screen.app.presenter.session
    for name, words in (("evening", "Evening: dark"), ("marble", "Marble: light"), ("evening", "Evening: dark")):
        if in_settings:
            screen.key(ESCAPE)
            press(screen, text="Settings")
            press(screen, text=words)
            screen.key(ESCAPE)
            press(screen, key="continue begun")
        else:
            played.change_settings(replace(played.settings, theme=name))
            screen.app.rebuild()
        screen.frames(3)
        assert theme.hexadecimal(theme.THEMES[name]["PANEL"]) == theme.PANEL
        cards = [card for card in screen.all(FaceCard) if not card.opens]
        marking, *choosing = sorted(cards, key=lambda card: not card.key.startswith(ON_BOARD))
        assert choosing
        for card in cards:
            assert near(theme.PANEL, screen.ground(card)), card.key
        press(screen, key=marking.key)
        screen.frames(1)
        assert marking.selected
        assert near(theme.SELECTED, screen.ground(marking))
        entries, chosen = len(session.entries), choosing[0].key
        press(screen, key=chosen)
        assert len(session.entries) == entries + 1
        assert session.entries[-1].action == chosen
        screen.tap(current(screen).ids.undo)


def test_the_language_is_switched_live_on_every_screen(begin, played):
    screen = begin(played)
    press(screen, text="Settings")
    press(screen, text="Deutsch")
    assert current(screen).ids.questions.children[-1].question == "Sprache"
    press(screen, text="Italiano")
    assert current(screen).ids.questions.children[-1].question == "Lingua"
    screen.key(ESCAPE)
    press(screen, key="continue begun")
    english = played.table_loop.presenter.texts.prompts.values()
    assert all(current(screen).ids.prompt.text[8:20] not in prompt for prompt in english)
    screen.app.shell.change_settings(Settings("en"))
    screen.app.rebuild()
    assert current(screen).ids.menu.says == "Menu"


def test_the_turned_screen_is_touched_from_the_other_side(begin, shell):
    from kivy.core.window import Window

    screen = begin(shell)
    press(screen, text="Settings")
    press(screen, text="To the other side")
    assert Window.rotation == 180
    screen.frames()
    back = next(widget for widget in current(screen).walk() if getattr(widget, "text", "") == "‹ Back")
    x, y = back.to_window(*back.center)
    screen.touch(Window.width - x, Window.height - y)
    assert screen.app.screens.current == "start"


def test_everything_is_reached_by_the_keyboard(begin, played):
    from kivy.uix.behaviors import ButtonBehavior

    screen = begin(played)
    screen.frames(3)
    framed = screen.framed_in_turn()
    presses = {widget for widget in current(screen).walk() if isinstance(widget, ButtonBehavior) and _shown(widget)}
    assert set(framed) == presses
    offered = {"continue begun", "again played", "new", *(f"new {game}" for game in GAMES)}
    assert {key for each in framed if (key := getattr(each, "key", ""))} == offered
    assert {name for each in framed if (name := getattr(each, "screen", ""))} == {entry.screen for entry in MENU}
    for _key in framed:
        screen.key(TAB)
        if getattr(screen.app.focus.target, "screen", "") == "past":
            break
    screen.key(ENTER)
    screen.frames(1)
    assert screen.app.screens.current == "past"
    assert screen.app.focus.target is None
    screen.key(ENTER)  # nothing is framed, so nothing is pressed
    assert screen.app.screens.current == "past"


def test_what_the_keyboard_frames_is_scrolled_to(begin, played):
    from kivy.core.window import Window

    from tests.ui.window import near
    from ui.widgets.scale import scale

    screen = begin(played)
    screen.resize(480, 800)
    screen.frames(3)
    assert current(screen).ids.content.height > Window.height
    for _target in screen.framed_in_turn():
        screen.key(TAB)
        screen.frames(2)
        target = screen.app.focus.target
        (left, low), (_right, high) = target.to_window(*target.pos), target.to_window(target.right, target.top)
        assert low >= -1, target
        assert high <= Window.height + 1, target
        assert near(theme.GOLD, screen.pixel(left - 2 * scale.unit - 1, (low + high) / 2)), target


def test_a_framed_press_goes_before_the_meaning_of_a_key(begin, played):
    screen = begin(played)
    press(screen, key="continue begun")
    entries = len(screen.app.presenter.session.entries)
    for _key in range(60):
        screen.key(RIGHT)
        if screen.app.focus.target.uid == current(screen).ids.score.uid:
            break
    screen.key(ENTER)
    screen.frames(1)
    assert screen.app.screens.current == "score"
    assert len(screen.app.presenter.session.entries) == entries


def test_an_error_of_a_screen_is_told_and_the_app_goes_on(begin, played):
    from kivy.clock import Clock

    screen = begin(played)
    press(screen, text="Past games")
    press(screen, key="begun")
    played.store.delete("begun")
    Clock.schedule_once(lambda _elapsed: current(screen).ids.open.trigger_action(0))
    screen.until(lambda: screen.app.errors.text)
    assert screen.app.errors.text.splitlines()[1].endswith("there is no game begun.")
    screen.key(ESCAPE)
    assert screen.app.screens.current == "start"


def test_settings_that_cannot_be_read_are_told_at_the_start(begin, tmp_path):
    (tmp_path / SETTINGS_FILE).write_text("theme = 7")
    with Store(tmp_path / "games.sqlite3") as store:
        screen = begin(Shell(store, tmp_path, speaker=Speaker(None)))
        assert "settings.toml: theme" in screen.app.errors.text


def visit(screen, shell):
    """Each screen with each of its pages, as they are come to."""
    yield "start"
    screen.app.open("setup")
    setup = current(screen)
    for step in setup.wizard.steps:
        if step == "board":
            setup.change(setup.wizard.draw_outcome, "hills")
        setup.change(setup.wizard.go_to, step)
        assert setup.step == step
        yield f"setup {step}"
    for name, arguments in (("past", {}), ("review", {"game": "played"}), ("help", {}), ("settings", {})):
        screen.app.open(name, **arguments)
        yield name
    shell.publishing = TablePublishing(shell.folder, shell.store.read)
    current(screen).choose("publishing", "")
    assert screen.app.screens.current == "publishing"
    yield "publishing"


@pytest.mark.parametrize(("language", "reader", "size"), [("it", 1.0, (480, 800)), ("de", 1.6, (800, 480))])
def test_every_target_is_large_enough_and_within_the_screen(language, reader, size, begin, played):
    from kivy.metrics import dp
    from kivy.uix.scrollview import ScrollView

    from ui.widgets.controls import PushButton

    played.change_settings(Settings(language, reader))
    screen = begin(played)
    screen.resize(*size)
    for place in visit(screen, played):
        screen.frames(2)
        for target in current(screen).walk():
            if not isinstance(target, PushButton) or target.disabled or not _shown(target):
                continue
            where = f"{place} {size} {getattr(target, 'heading', '') or target.text!r}"
            assert target.height >= dp(48) - 0.5, where
            assert target.width >= dp(48) - 0.5, where
            x, y = target.to_window(*target.pos)
            assert x >= -1, where
            assert x + target.width <= size[0] + 1, where
            if not any(isinstance(parent, ScrollView) for parent in _parents(target)):
                assert y >= -1, where
                assert y + target.height <= size[1] + 1, where


def _parents(widget):
    while widget.parent is not None and widget.parent is not widget:
        widget = widget.parent
        yield widget


def _shown(widget):
    return widget.opacity > 0 and min(widget.size) > 0 and all(parent.opacity > 0 for parent in _parents(widget))
