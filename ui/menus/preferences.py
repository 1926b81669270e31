"""The settings as questions with answers. No Kivy."""

from __future__ import annotations

from dataclasses import replace

from ui.services.settings import CLOCKS, TEXT_SIZES, Announcements, Introduction, Settings, Signal
from ui.services.text import LANGUAGES, _
from ui.shell.publishing import standing
from ui.shell.shell import Shell
from ui.view_models.setup_view import PickView, QuestionView

PUBLISHING = "publishing"
"""the question whose only answer leads to the screen of this name"""
REBUILT = ("language", "theme", "flipped", "text_size")
"""settings after whose change all screens are built anew"""


def preference_questions(shell: Shell) -> tuple[QuestionView, ...]:
    """A question for each setting, with the current answer chosen."""
    settings = shell.settings
    languages = {"": _("As this machine"), **LANGUAGES}
    themes = {"marble": _("Marble: light"), "evening": _("Evening: dark")}
    sides = {"no": _("To this side"), "yes": _("To the other side")}
    sounds = {"yes": _("Quiet sounds"), "no": _("None")}
    motion = {"yes": _("Pieces and points move"), "no": _("Everything stands at once")}
    windows = {"no": _("In a window"), "yes": _("The whole screen")}
    spoken: dict[str, str] = {
        Announcements.OFF: _("Nothing"),
        Announcements.REFUSALS: _("What is refused"),
        Announcements.ALL: _("Whose turn it is, too"),
    }
    signals: dict[str, str] = {
        Signal.OFF: _("Nothing"),
        Signal.TONE: _("A tone"),
        Signal.FLASH: _("A flash of the screen's edge"),
    }
    clocks = {str(minutes): _("{count} minutes").format(count=minutes) if minutes else _("None") for minutes in CLOCKS}
    has_begun = settings.introduction != Introduction.FIRST_TABLE or bool(shell.store.games())
    is_wanted = settings.introduction == Introduction.NEXT_TABLE or not has_begun
    explained = {Introduction.NONE.value: _("Not now"), Introduction.NEXT_TABLE.value: _("At the next table")}
    silent = (
        ""
        if shell.speaker.is_available
        else _("This device has no voice yet; whoever set it up can add one (espeak-ng).")
    )
    told = standing(shell.publishing.view) if shell.publishing is not None else _("Off")
    return (
        _question("language", _("Language"), languages, settings.language),
        _question("text_size", _("Size of texts"), {str(s): f"{round(s * 100)} %" for s in TEXT_SIZES},
                  str(settings.text_size)),
        _question("theme", _("Colours of the screen"), themes, settings.theme),
        _question("flipped", _("Turn the screen"), sides, "yes" if settings.flipped else "no"),
        _question("announcements", _("Speak aloud"), spoken, settings.announcements, silent),
        _question("clock", _("Clock for each player"), clocks, str(settings.clock)),
        _question("sounds", _("Sounds"), sounds, "yes" if settings.sounds else "no"),
        _question("motion", _("When something is done"), motion, "yes" if settings.motion else "no"),
        _question("signal", _("When something is refused"), signals, settings.signal),
        _question("full_screen", _("Show the program"), windows, "yes" if settings.full_screen else "no"),
        _question("introduction", _("Explain the table on the screen"), explained,
                  Introduction.NEXT_TABLE if is_wanted else Introduction.NONE),
        _question(PUBLISHING, _("One view of many tables for an organiser"), {"": told}, ""),
    )  # fmt: skip


def changed(settings: Settings, key: str, value: str) -> Settings:
    """The settings with another answer to one question."""
    match key:
        case "text_size":
            return replace(settings, text_size=float(value))
        case "flipped":
            return replace(settings, flipped=value == "yes")
        case "full_screen":
            return replace(settings, full_screen=value == "yes")
        case "clock":
            return replace(settings, clock=int(value))
        case "language":
            return replace(settings, language=value)
        case "theme":
            return replace(settings, theme=value)
        case "announcements":
            return replace(settings, announcements=value)
        case "introduction":
            return replace(settings, introduction=value)
        case "sounds":
            return replace(settings, sounds=value == "yes")
        case "motion":
            return replace(settings, motion=value == "yes")
        case "signal":
            return replace(settings, signal=value)
        case "publishing":  # chosen on a screen of its own
            return settings
    raise ValueError(f"there is no setting {key!r}")


def _question(key: str, text: str, answers: dict[str, str], chosen: str, why: str = "") -> QuestionView:
    picks = tuple(PickView(value, answer, value == chosen) for value, answer in answers.items())
    return QuestionView(key, text, picks, why)
