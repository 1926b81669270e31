"""How large the machine's screen is, asked of the library that opens the window, before it opens one."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

_VIDEO = 0x20
"""SDL_INIT_VIDEO"""
_SMALLEST, _LARGEST = 100, 20_000
"""pixels that a screen may have along a side"""


class _Rectangle(ctypes.Structure):
    _fields_ = (("x", ctypes.c_int), ("y", ctypes.c_int), ("width", ctypes.c_int), ("height", ctypes.c_int))


def screen_size() -> tuple[int, int] | None:
    """Width and height in pixels of the first screen without the desktop's bars; None where SDL cannot say."""
    library = _sdl()
    if library is None:
        return None
    with suppress(AttributeError, OSError):
        if library.SDL_InitSubSystem(_VIDEO) != 0:
            return None
        try:
            bounds = _Rectangle()
            if library.SDL_GetDisplayUsableBounds(0, ctypes.byref(bounds)) != 0:
                return None
        finally:
            library.SDL_QuitSubSystem(_VIDEO)
        if min(bounds.width, bounds.height) >= _SMALLEST and max(bounds.width, bounds.height) <= _LARGEST:
            return bounds.width, bounds.height
    return None


def _sdl() -> ctypes.CDLL | None:
    """Kivy's own SDL 2, which its wheel for Linux carries beside it."""
    kivy = find_spec("kivy")
    if kivy is None or kivy.origin is None:
        return None
    for library in sorted((Path(kivy.origin).parent.parent / "Kivy.libs").glob("libSDL2-2*.so*")):
        with suppress(OSError):
            return ctypes.CDLL(str(library))
    return None
