"""The unit of length for all screens."""

import gc

import pytest

from tests.ui.tables import RecordingPresenter, play_view, state_after

pytestmark = pytest.mark.window

LAYOUT = """
#:import scale ui.widgets.scale.scale
#:import collect_soon tests.ui.test_scale.collect_soon
<Unused@Widget>:
    width: scale.unit * collect_soon()
"""


def collect_soon():
    """Let the garbage collector come by itself, as it may at any time; gives 1."""
    gc.set_threshold(1, 1, 1)
    [[] for _ in range(100)]
    return 1


def test_a_widget_that_nobody_uses_any_more_may_follow_a_new_size_of_the_window(start):
    from kivy.factory import Factory
    from kivy.lang import Builder

    driver = start(RecordingPresenter(play_view(state_after(0))))
    Builder.load_string(LAYOUT, filename="unused.kv")
    thresholds = gc.get_threshold()
    gc.set_threshold(0)
    try:
        unused = Factory.Unused()
        unused.itself = unused
        del unused
        gc.set_threshold(0)
        driver.resize(1000, 700)
    finally:
        gc.set_threshold(*thresholds)
        Builder.unload_file("unused.kv")
        gc.collect()
    assert gc.isenabled()


def test_a_widget_that_goes_away_while_a_size_is_told_keeps_it_from_nobody():
    from ui.widgets.scale import Scale

    scale, told, going = Scale(), [], [True]

    def follow_and_go(*_):
        if going:
            going.clear()
            raise ReferenceError

    scale.bind(unit=lambda _scale, unit: told.append(unit))
    scale.bind(unit=follow_and_go)
    scale.bind(unit=lambda _scale, unit: told.append(unit))
    scale._tell("unit", 2.0)
    assert not going
    assert told[-2:] == [2.0, 2.0]
