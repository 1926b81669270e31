"""The unit of length for all screens."""

import gc
import weakref

import pytest

from tests.ui.tables import RecordingPresenter, play_view, state_after

pytestmark = pytest.mark.window

LAYOUT = """
#:import scale ui.widgets.scale.scale
#:import collect tests.ui.test_scale.collect
<Unused@Widget>:
    width: scale.unit * collect()
"""


def collect():
    """Let the garbage collector come in the middle of a rule, as it may at any time; gives 1."""
    gc.collect()
    return 1


def test_a_widget_that_is_collected_while_its_rule_is_worked_out_keeps_a_new_size_from_nobody(start):
    from kivy.factory import Factory
    from kivy.lang import Builder

    from ui.widgets.scale import scale

    driver = start(RecordingPresenter(play_view(state_after(0))))
    Builder.load_string(LAYOUT, filename="unused.kv")
    before, told, gone = scale.unit, [], []

    def tell(_scale, unit):
        told.append(unit)

    gc.disable()
    try:
        unused = Factory.Unused()
        unused.itself = unused
        weakref.finalize(unused, gone.append, True)
        del unused
        scale.bind(unit=tell)
        driver.resize(1900, 1200)
    finally:
        scale.unbind(unit=tell)
        gc.enable()
        Builder.unload_file("unused.kv")
    assert gone
    assert told[-1:] == [scale.unit] != [before]
