"""Profiles of pieces that are otherwise than the program writes them."""

import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any


def rewritten(
    profile: Path,
    path: Path,
    change: Callable[[dict[str, Any]], object],
    files: Mapping[str, bytes] = MappingProxyType({}),
) -> Path:
    """A profile at `path` with a changed `profile.json`, and with these files in place of its own."""
    with zipfile.ZipFile(profile) as old, zipfile.ZipFile(path, "w") as archive:
        for name in old.namelist():
            data = files.get(name, old.read(name))
            if name == "profile.json":
                header = json.loads(data)
                change(header)
                data = json.dumps(header).encode()
            archive.writestr(name, data)
    return path
