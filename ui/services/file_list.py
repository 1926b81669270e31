"""Choosing a file by touch: folders and files of some kinds, page by page. No Kivy."""

from __future__ import annotations

import os
import time
from collections.abc import Collection
from pathlib import Path

import platformdirs

from ui.services.text import _
from ui.view_models.form_view import Note, Picks, Row, Tone, pick

PICTURES = frozenset({".bmp", ".heic", ".heif", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"})
"""HEIC is listed although it cannot be read, so that the user is told why instead of not finding the picture"""
FILES = "files"
"""the key of the rows"""
PAGE = 8
LASTS = 2.0
"""seconds for which a folder need not be listed again"""
UP, PLACE, OPEN, TURN = "up", "place", "open", "turn"
_MOST = 2000


class FileList:
    """The folder in which the user looks for a file. `touch` returns the chosen file."""

    def __init__(self, suffixes: Collection[str] = PICTURES, folder: Path | None = None, empty: str = "") -> None:
        self._suffixes, self._empty = suffixes, empty
        self.folder = folder if folder is not None else usual_folder()
        self.page = 0
        self._trouble = ""
        self._listed: tuple[float, list[Path]] | None = None

    def entries(self) -> list[Path]:
        """Folders first, then files, newest first, without hidden ones; listed again after some seconds."""
        now = time.monotonic()
        if self._listed is None or now - self._listed[0] > LASTS:
            self._listed = now, self._look_up()
        return self._listed[1]

    def _look_up(self) -> list[Path]:
        try:
            found = [path for path in list(self.folder.iterdir())[:_MOST] if not path.name.startswith(".")]
            folders = sorted((path for path in found if path.is_dir()), key=lambda path: path.name.casefold())
            files = [path for path in found if path.suffix.lower() in self._suffixes and path.is_file()]
            files.sort(key=lambda path: (-path.stat().st_mtime, path.name))
        except OSError as error:
            self._trouble = f"{self.folder}: {error.strerror or error}"
            return []
        self._trouble = ""
        return folders + files

    def rows(self) -> list[Row]:
        """The page, with the ways to other folders."""
        entries = self.entries()
        pages = max(1, -(-len(entries) // PAGE))
        self.page = min(self.page, pages - 1)
        shown = entries[self.page * PAGE : (self.page + 1) * PAGE]
        rows: list[Row] = [Note(self._trouble, Tone.BAD) if self._trouble else Note(str(self.folder))]
        ways = [pick(UP, _("Folder above"))] if self.folder.parent != self.folder else []
        ways += [pick(f"{PLACE} {place}", name) for name, place in places()]
        rows.append(Picks(FILES, tuple(ways), 3))
        if not entries and not self._trouble:
            rows.append(Note(self._empty or _("There is no picture here.")))
        names = [pick(f"{OPEN} {path.name}", path.name + (os.sep if path.is_dir() else "")) for path in shown]
        rows.append(Picks(FILES, tuple(names), 2))
        if pages > 1:
            rows.append(Picks(FILES, (pick(f"{TURN} -1", "‹"), pick(f"{TURN} 1", "›")), 2))
            rows.append(Note(_("Page {page} of {pages}").format(page=self.page + 1, pages=pages)))
        return rows

    def touch(self, value: str) -> Path | None:
        """React to a touch; return the file if one was chosen."""
        what, _space, rest = value.partition(" ")
        if what == UP:
            self._go(self.folder.parent)
        elif what == PLACE:
            self._go(Path(rest))
        elif what == TURN:
            self.page = max(0, self.page + int(rest))
        elif what == OPEN:
            path = self.folder / rest
            if path.is_dir():
                self._go(path)
            else:
                return path
        return None

    def _go(self, folder: Path) -> None:
        self.folder, self.page, self._listed = folder, 0, None


def usual_folder() -> Path:
    """Where pictures usually are."""
    folder = Path(platformdirs.user_pictures_dir())
    return folder if folder.is_dir() else Path.home()


def places() -> list[tuple[str, Path]]:
    """Folders that one would look in: name and path."""
    found = [
        (_("Pictures"), Path(platformdirs.user_pictures_dir())),
        (_("Downloads"), Path(platformdirs.user_downloads_dir())),
        (_("Home"), Path.home()),
    ]
    return [(name, path) for name, path in found if path.is_dir()]
