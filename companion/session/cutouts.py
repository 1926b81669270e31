"""Pictures of what the camera saw of each action it reported, one small file an entry, in a folder next to a record."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from companion.errors import StoreError

LARGEST = 64 * 1024
"""bytes of one cut-out"""
_SUFFIX = ".cut"


def cut_outs_beside(record: Path) -> CutOuts:
    """The cut-outs of a record file: in the folder of its name that ends in `.cutouts`."""
    return CutOuts(record.with_suffix(".cutouts"))


def cut_outs_of(folder: Path, game_id: str) -> CutOuts:
    """The cut-outs of a game of the store whose data lie in this folder."""
    return CutOuts(folder / "cutouts" / game_id)


class CutOuts:
    """The cut-outs of one game, by the number of the entry they belong to. `vision` knows their format."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, number: int, data: bytes) -> None:
        """Write the cut-out of an entry, whole or not at all. Raises StoreError."""
        if len(data) > LARGEST:
            raise StoreError(f"{self.folder}: the cut-out of entry {number} is larger than {LARGEST >> 10} KiB")
        path = self._path(number)
        fresh = path.with_suffix(".new")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            fresh.write_bytes(data)
            fresh.replace(path)
        except OSError as error:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise StoreError(f"{path}: cannot be written ({error.strerror or error})") from error

    def read(self, number: int) -> bytes | None:
        """The cut-out of an entry; None where there is none. Raises StoreError."""
        path = self._path(number)
        try:
            if path.exists() and not path.is_file():  # opening a pipe would wait for a writer that may never come
                raise StoreError(f"{path}: is no file")
            with path.open("rb") as stream:
                data = stream.read(LARGEST + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"{path}: cannot be read ({error.strerror or error})") from error
        if len(data) > LARGEST:
            raise StoreError(f"{path}: is larger than {LARGEST >> 10} KiB")
        return data

    def numbers(self) -> Iterator[int]:
        """The entries that have a cut-out, in order."""
        if self.folder.is_dir():
            stems = (path.stem for path in self.folder.glob(f"*{_SUFFIX}"))
            yield from sorted(int(stem) for stem in stems if stem.isascii() and stem.isdecimal() and len(stem) < 8)

    def copy_to(self, record: Path) -> None:
        """Put a copy next to a record file. Raises OSError."""
        beside = cut_outs_beside(record).folder
        if self.folder.is_dir() and self.folder.resolve() != beside.resolve():
            shutil.copytree(self.folder, beside, dirs_exist_ok=True)

    def discard(self) -> None:
        """Forget all of them."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:05}{_SUFFIX}"
