"""Databases that several tests of sessions begin with."""

from pathlib import Path

import pytest

from companion.session.store import Store
from tests.session.evenings import new_session, play_at_random


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


@pytest.fixture
def filled(path: Path) -> Path:
    """A database with one game under way, closed."""
    with Store(path) as store:
        play_at_random(new_session(store), 40, seed=1)
    return path
