"""The fonts that the screens are written in, and which signs they have. No Kivy.

Cabin for all that is read; a font that Kivy brings along where a name has a letter that Cabin lacks, else one that is
installed on this device (by fontconfig); Marble Serif, the print's own lettering, for headings in capitals.
"""

from __future__ import annotations

import re
import struct
import subprocess
from functools import cache
from importlib.util import find_spec
from pathlib import Path

_FOLDER = Path(__file__).parents[1] / "fonts"
READING, STRONG, LETTERING, WIDER, WIDEST = "Roboto", "Strong", "Lettering", "Wider", "Widest"
"""The names of the families: for reading, by the name of Kivy's standard font, in whose place it comes; for what is
counted; for headings; those with more letters and signs.
"""
_PATIENCE = 2.0
"""seconds that fontconfig has to find a font"""
REGULAR, SEMI_BOLD, BOLD = (_FOLDER / f"Cabin-{weight}.otf" for weight in ("Regular", "SemiBold", "Bold"))
MARBLE_SERIF = Path(__file__).parents[2] / "calibration" / "drawing" / "fonts" / "MarbleSerif-Regular.ttf"
_OWN_FONT = re.compile(r"\[font=[^\]]*\][^\[]*\[/font\]")


def reading_font(text: str) -> str:
    """The family, or the file, of a font for a text or markup: one that has all its letters, as far as there is one;
    signs that bring a font of their own are left out.
    """
    if text.isascii():
        return READING
    signs = frozenset(map(ord, _OWN_FONT.sub("", text)))
    for family, path in ((READING, REGULAR), (WIDER, kivys_font("Roboto-Regular")), (WIDEST, kivys_font("DejaVuSans"))):
        if signs <= signs_of(path):
            return family
    return installed_font(signs) or WIDER


def lacking(text: str) -> str:
    """The signs of a text, each once, for which there is no font here; "" where all of it can be shown."""
    if reading_font(text) != WIDER or frozenset(map(ord, text)) <= signs_of(kivys_font("Roboto-Regular")):
        return ""
    return "".join(dict.fromkeys(sign for sign in text if ord(sign) not in signs_of(kivys_font("Roboto-Regular"))))


@cache
def kivys_font(name: str) -> Path:
    """The file of a font that Kivy brings along."""
    spec = find_spec("kivy")
    folders = spec.submodule_search_locations if spec is not None else None
    return Path(*list(folders or [])[:1]) / "data" / "fonts" / f"{name}.ttf"


@cache
def installed_font(signs: frozenset[int]) -> str:
    """The file of an installed font that has all these code points, "" where there is none or no fontconfig.

    A text has one font, and coloured ones cannot be drawn in a colour.
    """
    pattern = f":charset={' '.join(f'{sign:x}' for sign in sorted(signs))}:color=false"
    try:
        found = subprocess.run(  # a fixed program with a pattern made of numbers
            ["fc-list", "--format=%{file}\n", pattern], capture_output=True, text=True, check=True, timeout=_PATIENCE,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return ""
    files = sorted(file for file in found.stdout.splitlines() if file.endswith((".ttf", ".otf", ".ttc")))
    return next((file for file in files if "Regular" in file), files[0] if files else "")


@cache
def signs_of(path: Path) -> frozenset[int]:
    """The code points that an OpenType font has (table `cmap`, formats 4 and 12).

    Line breaks and tabs are taken as there: no font draws them.
    """
    data = path.read_bytes()
    tables = {
        data[at : at + 4]: struct.unpack_from(">I", data, at + 8)[0]
        for at in range(12, 12 + 16 * struct.unpack_from(">H", data, 4)[0], 16)
    }
    start = tables[b"cmap"]
    found = {ord(sign) for sign in "\n\r\t"}
    for index in range(struct.unpack_from(">H", data, start + 2)[0]):
        at = start + struct.unpack_from(">I", data, start + 4 + 8 * index + 4)[0]
        form = struct.unpack_from(">H", data, at)[0]
        if form == 12:
            for group in range(struct.unpack_from(">I", data, at + 12)[0]):
                first, last = struct.unpack_from(">II", data, at + 16 + 12 * group)
                found.update(range(first, min(last, 0x10FFFF) + 1))
        if form != 4:
            continue
        count = struct.unpack_from(">H", data, at + 6)[0] // 2
        ends = struct.unpack_from(f">{count}H", data, at + 14)
        starts = struct.unpack_from(f">{count}H", data, at + 16 + 2 * count)
        for first, last in zip(starts, ends, strict=True):
            found.update(range(first, min(last, 0xFFFE) + 1))
    return frozenset(found)
