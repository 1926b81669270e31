from dataclasses import replace

import pytest

from companion.session.session import Session
from tests.tables import table_of
from tests.ui.web.browsing import Browser
from tests.ui.web.visiting import PhoneTable


@pytest.fixture
def table_with_phones(tmp_path):
    """Makes tables with phones, which are closed at the end."""
    opened = []

    def open_table(*arguments, **options) -> PhoneTable:
        opened.append(PhoneTable(tmp_path, *arguments, **options))
        return opened[-1]

    yield open_table
    for table in opened:
        table.close()


@pytest.fixture
def table(table_with_phones) -> PhoneTable:
    return table_with_phones("capitol", 3)


@pytest.fixture
def visit(table_with_phones, chromium):
    """Runs a function with a browser at a table of a game, and gives the table and what the browser complained of."""

    def run(function, game_id: str = "capitol", seats: int = 2, start=None, names=(), art=False):
        asked = table_of(game_id, seats)
        players = tuple(replace(player, name=name) for player, name in zip(asked.players, names, strict=False))
        session = Session.create(None, replace(asked, players=players) if names else asked, start)
        table = table_with_phones(session=session, art=art)

        def at_work(shown):
            browser = Browser(table, shown)
            function(browser)
            return browser.complaints

        return table, table.during(chromium.run, at_work)

    return run
