"""Sheets that are printed once for all modules of a run that look at them, whichever process they are in."""

from __future__ import annotations

import os
from contextlib import suppress

import pytest

from tests.vision.traced.tables import Printed, print_manifest


def printed_once(game: str, factory: pytest.TempPathFactory) -> dict[str, Printed]:
    """The sheets of a game as `print_manifest` gives them: printing takes seconds."""
    common = factory.getbasetemp().parent if "PYTEST_XDIST_WORKER" in os.environ else factory.getbasetemp()
    there = common / f"printed-{game}"
    if not there.exists():
        made = factory.mktemp("printed") / game
        print_manifest(game, made)
        with suppress(OSError):  # another process was faster
            made.rename(there)
    sheets = map(Printed, sorted(file.parent for file in there.rglob("manifest.json")))
    return {sheet.document["id"]: sheet for sheet in sheets}
