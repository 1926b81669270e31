"""The settings, kept in one file of the user's data folder."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path

from companion.detail import EVERYTHING, LEVELS
from companion.errors import InvalidDocument
from companion.files.documents import parse_toml, read_text, shown
from companion.files.whole_files import write_whole
from companion.frozen import FrozenDict
from ui.services.text import LANGUAGES

SETTINGS_FILE = "settings.toml"
TEXT_SIZES = (1.0, 1.2, 1.4, 1.6)
THEMES = ("marble", "evening")
CLOCKS = (0, 15, 30, 45, 60, 90)
"""minutes for each player; 0 is no clock"""
LONGEST_LAG = 10.0
"""seconds"""
LONGEST_PLACE = 1000
"""characters of an address or a path"""


class Announcements(StrEnum):
    """What is spoken aloud."""

    OFF = "off"
    REFUSALS = "refusals"
    ALL = "all"


class Signal(StrEnum):
    """The signal for a refusal."""

    OFF = "off"
    TONE = "tone"
    FLASH = "flash"


class Introduction(StrEnum):
    """Which table is explained on the screen."""

    FIRST_TABLE = "first table"
    NEXT_TABLE = "next table"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Settings:
    """`language` is "" for the machine's own; `flipped` turns the screen to the other side of the table; `full_screen`
    fills it from the start.

    `detail` is how much the table that was set up last tells of its game. `sounds` are heard where there is a sound
    device; with `motion` pieces and points are seen to move.

    `camera` is an address, `lens` a file of `companion calibrate`; "" for none. `camera_identity` says which camera was
    at the address when it was chosen (`ui.hardware.likely_cameras.identity_of`); "" where that is not known.
    `camera_lags` says of cameras how many seconds later than their times their pictures show something, as rehearsals
    measured it, the latest last; a camera is named by its identity, one without by its address.
    """

    language: str = ""
    text_size: float = 1.0
    theme: str = "marble"
    flipped: bool = False
    full_screen: bool = False
    introduction: str = Introduction.FIRST_TABLE
    announcements: str = Announcements.OFF
    signal: str = Signal.OFF
    sounds: bool = True
    motion: bool = True
    clock: int = 0
    detail: str = EVERYTHING
    camera: str = ""
    camera_identity: str = ""
    camera_lags: FrozenDict[str, float] = field(default_factory=FrozenDict)
    lens: str = ""


def load_settings(path: Path) -> Settings:
    """The settings of a file; the defaults where there is none.

    Raises InvalidDocument.
    """
    if not path.exists():
        return Settings()
    document = parse_toml(read_text(path), str(path))
    document.only(*(each.name for each in fields(Settings)))
    usual = Settings()
    lags = document.table("camera_lags", optional=True)
    settings = Settings(
        language=document.text("language", usual.language, longest=12),
        text_size=document.number("text_size", TEXT_SIZES[0], TEXT_SIZES[-1], usual.text_size),
        theme=document.choice("theme", THEMES, usual.theme),
        flipped=document.flag("flipped", usual.flipped),
        full_screen=document.flag("full_screen", usual.full_screen),
        introduction=document.choice("introduction", tuple(Introduction), usual.introduction),
        announcements=document.choice("announcements", tuple(Announcements), usual.announcements),
        signal=document.choice("signal", tuple(Signal), usual.signal),
        sounds=document.flag("sounds", usual.sounds),
        motion=document.flag("motion", usual.motion),
        detail=document.choice("detail", LEVELS, usual.detail),
        clock=document.integer_among("clock", CLOCKS, usual.clock),
        camera=document.text("camera", usual.camera),
        camera_identity=document.text("camera_identity", usual.camera_identity),
        camera_lags=FrozenDict({camera: lags.number(camera, 0.0, LONGEST_LAG) for camera in lags}),
        lens=document.text("lens", usual.lens),
    )
    check_settings(settings, str(path))
    return settings


def save_settings(path: Path, settings: Settings) -> None:
    """Write the settings whole or not at all.

    Raises InvalidDocument for settings that `load_settings` would refuse, OSError.
    """
    check_settings(settings, str(path))
    lines = [
        f"language = {_quoted(settings.language)}",
        f"text_size = {settings.text_size}",
        f'theme = "{settings.theme}"',
        f"flipped = {str(settings.flipped).lower()}",
        f"full_screen = {str(settings.full_screen).lower()}",
        f'introduction = "{settings.introduction}"',
        f'detail = "{settings.detail}"',
        f'announcements = "{settings.announcements}"',
        f'signal = "{settings.signal}"',
        f"sounds = {str(settings.sounds).lower()}",
        f"motion = {str(settings.motion).lower()}",
        f"clock = {settings.clock}",
        f"camera = {_quoted(settings.camera)}",
        f"camera_identity = {_quoted(settings.camera_identity)}",
        f"lens = {_quoted(settings.lens)}",
        "[camera_lags]",
        *(f"{_quoted(camera)} = {seconds:.3f}" for camera, seconds in settings.camera_lags.items()),
    ]
    write_whole(path, ("\n".join(lines) + "\n").encode())


def check_settings(settings: Settings, source: str = SETTINGS_FILE) -> None:
    """Check the language, and the texts that name a camera or a file.

    Raises InvalidDocument.
    """
    if settings.language and settings.language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise InvalidDocument(source, "language", f"is {shown(settings.language)}; it must be one of {known}")
    places = {"camera": settings.camera, "camera_identity": settings.camera_identity, "lens": settings.lens}
    places |= {f"camera_lags.{camera}": camera for camera in settings.camera_lags}
    for key, text in places.items():
        if len(text) > LONGEST_PLACE:
            raise InvalidDocument(source, key, f"is longer than {LONGEST_PLACE} characters")
        if "\0" in text:
            raise InvalidDocument(source, key, "holds a NUL and names nothing")
        if not _is_text(text):
            raise InvalidDocument(source, key, "is not UTF-8 text, so it cannot be kept; rename it")


def _is_text(text: str) -> bool:
    """Whether a text can be written down: names of files that are no UTF-8 hold halves of characters."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _quoted(text: str) -> str:
    """A text as TOML writes it."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
