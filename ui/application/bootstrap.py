"""Prepares Kivy before its first import: where it keeps files, what it draws on, which input it listens to.

Importing this module imports no Kivy; `prepare` does, but opens no window. `ui.application.app` is imported after it.
"""

from __future__ import annotations

import logging
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from ui.application.display import screen_size
from ui.services.graphics import has_graphics_processor
from vision.free_memory import keep_little

SIZE = (1280, 800)
"""width and height of the window in pixels, where the screen is large enough"""
SMALLEST = (480, 320)
"""width and height in pixels below which nobody may make the window"""
NO_DISPLAY = (
    "there is no display to open a window on; start it at the machine's own screen, or over ssh with ssh -X or "
    "DISPLAY=:0 (its screen); companion demo needs no display"
)
"""the message if `has_display` is false"""
_NEEDLESS = ("Cutbuffer", "Both Window.minimum_width")
"""How needless warnings of Kivy's begin: that xclip and xsel are missing (nothing here needs the X selection), and that
one of the two smallest sizes was set but not yet the other.
"""
SMOOTHING = "KCFG_GRAPHICS_MULTISAMPLES"
"""Environment variable that overrules the number of samples a pixel"""


def prepare(
    home: Path, *, size: tuple[int, int] | None = None, fullscreen: bool = False, offscreen: bool = False
) -> None:
    """Set Kivy up to keep its files in `home` and to open a window of `size` pixels, `SIZE` or the screen's if smaller.

    `offscreen` draws without a display, and is the default without one. Raises RuntimeError if Kivy has been imported
    already, because it reads these settings at its import.

    No smallest size is set here: Kivy would set it before its graphics are there, and where a window manager resizes
    the window as it maps, the resize is then drawn without graphics: the program dies. `limit_size` sets it later.
    """
    if "kivy" in sys.modules:
        raise RuntimeError("Kivy was imported before it was prepared")
    keep_little()
    os.environ |= {
        "KIVY_CLIPBOARD": "sdl2,dummy",
        "KIVY_HOME": str(home),
        "KIVY_LOG_MODE": "PYTHON",
        "KIVY_NO_ARGS": "1",
        "KIVY_NO_CONFIG": "1",
        "KIVY_NO_CONSOLELOG": "1",
        "KIVY_NO_FILELOG": "1",
        "SDL_VIDEO_X11_WMCLASS": "roman-table-companion",  # a desktop finds the icon and the name by it
        "SDL_VIDEO_WAYLAND_WMCLASS": "roman-table-companion",
    }
    if offscreen:
        os.environ["SDL_VIDEODRIVER"] = "offscreen"
    logging.getLogger("kivy").addFilter(lambda record: not str(record.msg).startswith(_NEEDLESS))
    if size is None:
        screen = None if offscreen else screen_size()
        size = SIZE if screen is None else (min(SIZE[0], screen[0]), min(SIZE[1], screen[1]))
    config = import_module("kivy.config").Config
    config.set("graphics", "width", str(size[0]))
    config.set("graphics", "height", str(size[1]))
    config.set("graphics", "fullscreen", "auto" if fullscreen else "0")
    config.set("graphics", "allow_screensaver", "0")
    if SMOOTHING not in os.environ:
        config.set("graphics", "multisamples", "2" if has_graphics_processor() else "0")
    config.set("kivy", "exit_on_escape", "0")
    config.set("kivy", "keyboard_mode", "systemanddock")  # names can be written by touch alone
    # One touch is one touch: the window system's own pointer, no red dots, no second reading of the same screen.
    config.set("input", "mouse", "mouse,disable_multitouch")
    config.remove_option("input", "%(name)s")


def limit_size(window: Any) -> None:
    """Keep a window that has been drawn from being made smaller than `SMALLEST`."""
    window.minimum_width, window.minimum_height = SMALLEST


def has_display() -> bool:
    """Whether a window would be visible: without a display SDL silently draws offscreen.

    On Linux that is a server that the environment names, or a screen that is connected and may be drawn on directly. A
    driver that the environment names is taken at its word.
    """
    named = ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY")
    if not sys.platform.startswith("linux") or any(os.environ.get(name) for name in named):
        return True
    return any(os.access(card, os.R_OK | os.W_OK) and _is_connected(card) for card in Path("/dev/dri").glob("card*"))


def is_seen() -> bool:
    """Whether somebody may look at the window: not where it is drawn offscreen."""
    return os.environ.get("SDL_VIDEODRIVER") not in ("offscreen", "dummy") and has_display()


def _is_connected(card: Path) -> bool:
    """Whether a screen is at one of a graphics card's outputs."""
    try:
        outputs = [path.read_text().strip() for path in Path("/sys/class/drm").glob(f"{card.name}-*/status")]
    except OSError:
        return False
    return "connected" in outputs
