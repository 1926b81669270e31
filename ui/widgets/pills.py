"""What the camera does, and boxes that do not answer, as pills in the top bar."""

from __future__ import annotations

from typing import Any

from kivy.properties import ColorProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from ui.drawing import theme
from ui.services.brief import brief
from ui.services.text import capitalised
from ui.table.composing import CAMERA, LENS
from ui.view_models.play_view import PlayView
from ui.widgets.controls import load_layout, same_children
from ui.widgets.scale import scale

SHORTEST_PILL, PILL_SHARE = 16, 30
"""letters of a device's state that are shown at least, and for how many design pixels of the window one more"""


class EyePill(BoxLayout):
    """What the camera does, or a box that does not answer, in a word with a sign."""

    icon = StringProperty()
    text = StringProperty()
    tone = ColorProperty(theme.INK)
    field = ColorProperty(theme.PANEL)


def show_pills(row: Any, view: PlayView, width: float, *, icons_only: bool) -> None:
    """Show in a row of a window of this width (pixels) what the camera does where there is one, and what else does not
    answer.
    """
    pills: list[tuple[str, str, Any, Any]] = []
    longest = max(SHORTEST_PILL, int(width / scale.unit / PILL_SHARE))
    if any(device.name == CAMERA for device in view.devices):
        tone, field = (theme.OK, theme.OK_FIELD) if view.is_watched else (theme.ASK, theme.ASK_FIELD)
        pills.append(("eye", capitalised(brief(view.eyes, longest)), tone, field))
    for device in view.devices:
        if device.name not in (CAMERA, LENS) and not device.ok:
            told = brief(f"{device.name}: {device.state}", longest)
            pills.append(("box", capitalised(told), theme.NO, theme.NO_FIELD))
    for pill, (icon, text, tone, field) in zip(same_children(row, len(pills), EyePill), pills, strict=True):
        pill.icon, pill.tone, pill.field = icon, (*tone, 1), (*field, 1)
        pill.text = "" if icons_only else text


load_layout(__file__)
