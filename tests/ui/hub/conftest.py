import asyncio
import shutil
from contextlib import suppress

import pytest
import sqlalchemy as sa

from companion.publishing.signing import new_code
from tests.ui.hub.event_tables import AssignedTables, Organiser
from tests.ui.hub.postgresql import OwnPostgresql, programs
from tests.ui.hub.publishing import PlayingTables, Stranger, until
from ui.hub import event_store, service
from ui.hub.database import open_database
from ui.hub.passwords import Role
from ui.hub.service import Hub, WantedService

pytest.importorskip("sqlalchemy", reason="the extra hub is not installed (SQLAlchemy is missing)")


@pytest.fixture(autouse=True)
def _quick_passwords(monkeypatch):
    """Passwords are kept with little work: dozens of hubs start here."""
    monkeypatch.setattr("ui.hub.passwords.WORK", 16)


@pytest.fixture(scope="session")
def new_database(tmp_path_factory):
    """A database that was just made."""
    path = tmp_path_factory.mktemp("hub") / "hub.sqlite"
    open_database(str(path)).close()
    return path


@pytest.fixture
def broker(mosquitto):
    """A real mosquitto."""
    return mosquitto


@pytest.fixture
def opened():
    """Keeps what a test opens, and closes it in the opposite order."""
    things = []
    yield things
    for each in reversed(things):
        each.stop() if hasattr(each, "stop") else each.close()


@pytest.fixture
def postgresql():
    """A real PostgreSQL that runs."""
    if programs() is None:
        pytest.skip("postgresql is not installed")
    own = OwnPostgresql()
    try:
        own.start()
        yield own
    finally:
        own.remove()


@pytest.fixture
def asked_while_pages_wait():
    """What hubs have asked their databases on the loop of the pages, where everybody waits for the answer: nothing."""
    asked = []
    yield asked
    assert asked == []


@pytest.fixture
def hub_on(broker, opened, asked_while_pages_wait):
    """Starts hubs on databases."""

    def note(_connection, _cursor, statement: str, *_arguments) -> None:
        with suppress(RuntimeError):  # raised where no loop runs in this thread
            asyncio.get_running_loop()
            asked_while_pages_wait.append(statement)

    def start(address: str, **wanted) -> Hub:
        database = open_database(address)
        sa.event.listen(database.engine, "before_cursor_execute", note)
        opened.append(database)
        hub = Hub(database, WantedService("127.0.0.1", 0, broker.address, draws=False, **wanted))
        hub.start()
        opened.append(hub)
        return hub

    return start


@pytest.fixture
def hub(hub_on, new_database, tmp_path) -> Hub:
    return hub_on(str(shutil.copy(new_database, tmp_path / "hub.sqlite")))


@pytest.fixture
def organiser(hub) -> str:
    return hub.first_passwords[Role.ORGANISE]


@pytest.fixture
def tables_at(broker, opened):
    """Lets tables play and publish; they register with a new code of a hub."""

    def begin(hub: Hub, *names: str, **options) -> PlayingTables:
        code = new_code()
        hub.storing.tables.add_code(code)
        tables = PlayingTables(broker.address, names, code=code, **options)
        opened.append(tables)
        return tables

    return begin


@pytest.fixture
def stranger(broker, opened) -> Stranger:
    opened.append(Stranger(broker.address))
    return opened[-1]


@pytest.fixture
def quick(monkeypatch) -> None:
    """Look for results more often than a hub needs to."""
    monkeypatch.setattr(service, "TICK", 0.1)
    monkeypatch.setattr(event_store, "FRESH", 0.1)


@pytest.fixture
def organise(hub, organiser) -> Organiser:
    return Organiser(hub.address, organiser)


@pytest.fixture
def playing(hub, broker, opened):
    """Starts tables that play what is assigned; they are registered and in the overview."""

    def start(*names: str) -> AssignedTables:
        code = new_code()
        hub.storing.tables.add_code(code)
        opened.append(AssignedTables(broker.address, names, code))
        until(opened[-1].registered, "all tables are registered")
        until(lambda: len(hub.overview) == len(names), "the hub shows them")
        return opened[-1]

    return start
