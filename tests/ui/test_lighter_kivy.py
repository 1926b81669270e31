"""Work that Kivy is spared, and that nothing looks different for it."""

import pytest

from tests.ui.tables import RecordingPresenter, play_view, state_after

pytestmark = pytest.mark.window


def test_a_screen_that_was_left_follows_no_new_size(start):
    from ui.widgets.scale import scale

    driver = start(RecordingPresenter(play_view(state_after(12))))
    driver.app.open("help")
    driver.frames()
    left = driver.app.screens.current_screen
    widgets = list(left.walk(restrict=True))
    driver.app.back()
    driver.frames()
    sizes = [tuple(widget.size) for widget in widgets]
    try:
        scale.reader = 1.6
        driver.frames(4)
        assert [tuple(widget.size) for widget in widgets] == sizes
    finally:
        scale.reader = 1.0


def test_a_screen_that_is_opened_again_follows_every_size(start):
    from ui.widgets.scale import scale

    driver, grown = start(RecordingPresenter(play_view(state_after(12)))), []
    for _visit in range(2):
        driver.app.open("help")
        driver.frames()
        widgets = list(driver.app.screens.current_screen.walk(restrict=True))
        sizes = [tuple(widget.size) for widget in widgets]
        try:
            scale.reader = 1.6
            driver.frames(4)
            grown.append([(type(widget).__name__, tuple(widget.size)) for widget in widgets])
            assert [size for _name, size in grown[-1]] != sizes
        finally:
            scale.reader = 1.0
        driver.app.back()
        driver.frames()
    assert grown[0] == grown[1]


def test_kivy_opens_fonts_in_whole_pixels(start):
    from kivy.core.text import Label

    class OfItsOwnSize(Label):
        def _get_font_id(self):
            return f"{self.options['font_size']} of {self.options['font_name_r']}"

    for size in (11, 16, 40):
        widths = {OfItsOwnSize(font_size=size + part).get_extents("Marcus Æmilius") for part in (0.0, 0.4, 0.96)}
        assert widths == {Label(font_size=size + 0.5).get_extents("Marcus Æmilius")}


def test_a_rule_of_a_layout_is_followed_without_words_for_it(start):
    from kivy.lang import Builder
    from kivy.properties import ObjectProperty
    from kivy.uix.widget import Widget

    class Unspeakable:
        def __repr__(self):
            raise AssertionError("this was put into words")

    class Follower(Widget):
        told = ObjectProperty(None, allownone=True)
        heard = ObjectProperty(None, allownone=True)

    Builder.load_string("<Follower>:\n    heard: self.told\n")
    follower, told = Follower(), Unspeakable()
    follower.told = told
    assert follower.heard is told


def test_a_fault_of_our_own_in_a_rule_is_raised(start):
    from kivy.lang import Builder
    from kivy.properties import ObjectProperty
    from kivy.uix.widget import Widget

    class Asking(Widget):
        ask = ObjectProperty(None, allownone=True)
        told = ObjectProperty(None, allownone=True)

    def fault():
        raise ReferenceError("one of ours")

    Builder.load_string("<Asking>:\n    told: self.ask and self.ask()\n")
    asking = Asking()
    asking.ask = lambda: "Marcus"
    assert asking.told == "Marcus"
    with pytest.raises(ReferenceError, match="one of ours"):
        asking.ask = fault
