"""What the table is told where an entry cannot be kept: first that it is not recorded, then why and what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.session.session import Session
from companion.session.store import Store
from tests.session.evenings import new_session
from ui.services.text import use_language
from ui.table.presenter import Presenter


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    use_language("en")


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Not recorded: the database is in use by another program; close that, or try again ("),
        ("it", "Non registrato: la banca dati è usata da un altro programma; chiudilo, o riprova ("),
        ("de", "Nicht aufgezeichnet: die Datenbank wird von einem anderen Programm benutzt; schließe es oder"),
    ],
)
def test_a_touch_that_cannot_be_kept_is_said_not_to_be_recorded(tmp_path: Path, language: str, told: str) -> None:
    path = tmp_path / "games.sqlite3"
    with Store(path, patience=0.05) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        new_session(store)
        session = Session.open(store, "evening-1")
        presenter = Presenter(session)
        use_language(language)
        other.execute("BEGIN EXCLUSIVE")
        presenter.act(session.legal_actions()[0])
        verdict = presenter.view().verdict
        assert verdict is not None
        assert verdict.headline.startswith(told)
        assert session.state_id == 0
        other.execute("ROLLBACK")
