"""The files of pages that never change: each is served under a name that tells what is in it."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

SHARED = Path(__file__).parent / "static"
"""the files that several sites have"""
FONT = "table-sans.woff2"
FOREVER = {"cache-control": "public, max-age=31536000, immutable"}
OWN_FOREVER = {"cache-control": "private, max-age=31536000, immutable"}
_KINDS = {"woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf", "js": "text/javascript"}


class StaticFiles:
    """Some files, packed once."""

    def __init__(self, paths: Iterable[Path]) -> None:
        paths = tuple(paths)
        self._names = {path.name: _named(path) for path in paths}
        self._files = {self._names[path.name]: path.read_bytes() for path in paths}
        self._packed = {name: gzip.compress(data, 9, mtime=0) for name, data in self._files.items()}

    def name(self, file: str) -> str:
        """The name under which a file is served."""
        return self._names[file]

    def answer(self, request: Request, name: str) -> Response | None:
        """A file by the name under which it is served; None where there is none."""
        if name not in self._files:
            return None
        headers = {**FOREVER, "vary": "accept-encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
        data = self._packed[name] if "content-encoding" in headers else self._files[name]
        return Response(data, headers=headers, media_type=_KINDS[name.rpartition(".")[2]])


def _named(path: Path) -> str:
    """Another name as soon as the file holds something else."""
    stem, _dot, ending = path.name.partition(".")
    return f"{stem}-{hashlib.sha256(path.read_bytes()).hexdigest()[:12]}.{ending}"
