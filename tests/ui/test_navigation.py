"""The way from screen to screen, and the registry it goes by."""

from pathlib import Path

from ui.application.navigation import Navigation
from ui.screens.registry import MENU, SCREENS


def names(navigation):
    return [place.screen for place in navigation.stack]


def test_back_leads_where_one_came_from_and_stays_at_home():
    navigation = Navigation("start")
    navigation.open("past")
    navigation.open("review", game="a")
    assert names(navigation) == ["start", "past", "review"]
    for expected in ("past", "start", "start"):
        navigation.back()
        assert navigation.current.screen == expected
    assert not navigation.can_go_back


def test_no_screen_is_on_the_way_twice():
    navigation = Navigation("start")
    for screen in ("past", "review", "help"):
        navigation.open(screen)
    past = navigation.stack[1]
    navigation.open("past")
    assert navigation.stack[1:] == (past,)


def test_other_arguments_are_another_place():
    navigation = Navigation("start")
    navigation.open("review", game="a")
    first = navigation.current
    navigation.open("review", game="a")
    assert navigation.current is first
    navigation.open("review", game="b")
    assert navigation.current is not first
    assert navigation.current.arguments == {"game": "b"}
    assert names(navigation) == ["start", "review"]


def test_home_is_the_first_place():
    navigation = Navigation("start")
    navigation.open("past")
    navigation.open("review", game="a")
    navigation.home()
    assert names(navigation) == ["start"]


def test_every_screen_of_the_registry_is_there_and_every_layout_has_its_module():
    folder = Path(__file__).resolve().parents[2] / "ui" / "screens"
    for name, place in SCREENS.items():
        module, _colon, kind = place.partition(":")
        assert f"\nclass {kind}(" in (folder / f"{module.rpartition('.')[2]}.py").read_text(), name
    for layout in folder.glob("*.kv"):
        assert layout.with_suffix(".py").is_file(), layout.name
    assert {entry.screen for entry in MENU} <= SCREENS.keys()
