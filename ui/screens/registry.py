"""The list of screens: a new one is a module in this folder and a line here. Importing this imports no Kivy."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

SCREENS: dict[str, str] = {
    "start": "ui.screens.start:StartScreen",
    "setup": "ui.screens.setup:SetupScreen",
    "join": "ui.screens.join:JoinScreen",
    "play": "ui.screens.play:PlayScreen",
    "table": "ui.screens.table:TableScreen",
    "share": "ui.screens.share:ShareScreen",
    "score": "ui.screens.score:ScoreScreen",
    "past": "ui.screens.past:PastScreen",
    "review": "ui.screens.review:ReviewScreen",
    "help": "ui.screens.help:HelpScreen",
    "settings": "ui.screens.settings:SettingsScreen",
    "photograph": "ui.screens.photograph:PhotographScreen",
    "cameras": "ui.screens.cameras:CamerasScreen",
    "boxes": "ui.screens.boxes:BoxesScreen",
    "tracing": "ui.screens.tracing:TracingScreen",
    "teach": "ui.screens.teach:TeachScreen",
    "lens": "ui.screens.lens:LensScreen",
    "rehearse": "ui.screens.rehearse:RehearseScreen",
    "phones": "ui.screens.phones:PhonesScreen",
    "publishing": "ui.screens.publishing:PublishingScreen",
}
"""name -> module:class; the class takes the app and what the screen is opened with (see `ui.screens.base`)"""


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """A screen that the start screen offers; `text` is a message of the catalogues, `icon` a name of a sign."""

    screen: str
    text: str
    icon: str


MENU: tuple[MenuEntry, ...] = (
    MenuEntry("photograph", "Score from a photograph", "photo"),
    MenuEntry("past", "Past games", "laurel"),
    MenuEntry("help", "Rules", "book"),
    MenuEntry("phones", "Phones", "phone"),
    MenuEntry("cameras", "Camera", "eye"),
    MenuEntry("boxes", "Button boxes", "box"),
    MenuEntry("tracing", "Trace a board", "trace"),
    MenuEntry("rehearse", "Rehearsal", "clock"),
    MenuEntry("settings", "Settings", "settings"),
)
"""in the order in which the start screen offers them, below the games"""


def screen_class(name: str) -> Any:
    """The class of a screen; its module is imported when it is first asked for."""
    module, _, attribute = SCREENS[name].partition(":")
    return getattr(import_module(module), attribute)
