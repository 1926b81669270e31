"""Sheets that are printed once for all modules of a run that look at them, whichever process they are in."""

from __future__ import annotations

import pytest

from tests.made_once import made_once
from tests.vision.traced.tables import Printed, print_manifest


def printed_once(game: str, factory: pytest.TempPathFactory) -> dict[str, Printed]:
    """The sheets of a game as `print_manifest` gives them: printing takes seconds."""
    there = made_once(f"printed-{game}", factory, lambda folder: print_manifest(game, folder))
    sheets = map(Printed, sorted(file.parent for file in there.rglob("manifest.json")))
    return {sheet.document["id"]: sheet for sheet in sheets}
