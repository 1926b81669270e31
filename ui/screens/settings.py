"""Settings: language, size of texts, colours, side of the table, voice, clock."""

from __future__ import annotations

from typing import Any

from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout

from ui.menus.preferences import PUBLISHING, REBUILT, changed, preference_questions
from ui.screens.base import AppScreen
from ui.screens.help import TopicButton
from ui.shell.presentation import ScreenHost
from ui.widgets.controls import load_layout, same_children


class Preference(BoxLayout):
    """A setting with its possible values."""

    question = StringProperty()
    why = StringProperty()


class SettingsScreen(AppScreen):
    """Shows all settings; a change takes effect at once."""

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        super().__init__(app, **properties)
        self.update()

    def on_pre_enter(self, *_arguments: Any) -> None:
        """What a screen that was come from has changed is shown."""
        self.update()

    def choose(self, key: str, value: str) -> None:
        """A value was touched."""
        if key == PUBLISHING:
            self.app.open(key)
            return
        shell = self.app.shell
        shell.change_settings(changed(shell.settings, key, value))
        if key == "full_screen":
            self.app.show_full_screen(full=shell.settings.full_screen)
        if key in REBUILT:
            self.app.rebuild()
        else:
            self.update()

    def update(self) -> None:
        """Show what is chosen."""
        questions = preference_questions(self.app.shell)
        widgets = same_children(self.ids.questions, len(questions), Preference)
        for widget, question in zip(widgets, questions, strict=True):
            widget.question, widget.why = question.question, question.why
            presses = same_children(widget.ids.picks, len(question.picks), TopicButton)
            for press, pick in zip(presses, question.picks, strict=True):
                press.key, press.text, press.chosen = pick.key, pick.text, pick.chosen
                press.on_release = lambda key=question.key, value=pick.key: self.choose(key, value)


load_layout(__file__)
