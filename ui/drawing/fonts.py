"""The fonts that the screens are written in, and which signs they have. No Kivy.

Cabin for all that is read; a font that Kivy brings along where a name has a letter that Cabin lacks; Marble Serif, the
print's own lettering, for headings in capitals.
"""

from __future__ import annotations

import re
import struct
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parents[1] / "fonts"
READING, STRONG, LETTERING, WIDER = "Roboto", "Strong", "Lettering", "Wider"
"""The names of the families: for reading, by the name of Kivy's standard font, in whose place it comes; for what is
counted; for headings; the one with more letters.
"""
REGULAR, SEMI_BOLD, BOLD = (_FOLDER / f"Cabin-{weight}.otf" for weight in ("Regular", "SemiBold", "Bold"))
MARBLE_SERIF = Path(__file__).parents[2] / "calibration" / "drawing" / "fonts" / "MarbleSerif-Regular.ttf"
_OWN_FONT = re.compile(r"\[font=[^\]]*\][^\[]*\[/font\]")


def reading_font(text: str) -> str:
    """The family for a text or markup: one that has all its letters, as far as there is one; signs that bring a font of
    their own are left out.
    """
    if text.isascii():
        return READING
    return READING if signs_of(REGULAR).issuperset(map(ord, _OWN_FONT.sub("", text))) else WIDER


@cache
def signs_of(path: Path) -> frozenset[int]:
    """The code points that an OpenType font has (table `cmap`, format 4, the Unicode standard's first plane).

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
        if struct.unpack_from(">H", data, at)[0] != 4:
            continue
        count = struct.unpack_from(">H", data, at + 6)[0] // 2
        ends = struct.unpack_from(f">{count}H", data, at + 14)
        starts = struct.unpack_from(f">{count}H", data, at + 16 + 2 * count)
        for first, last in zip(starts, ends, strict=True):
            found.update(range(first, min(last, 0xFFFE) + 1))
    return frozenset(found)
