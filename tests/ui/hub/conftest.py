import shutil

import pytest

from companion.publishing.signing import new_code
from tests.ui.hub.publishing import PlayingTables, Stranger
from ui.hub.database import open_database
from ui.hub.passwords import Role
from ui.hub.service import Hub, Wanted

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
def hub_on(broker, opened):
    """Starts hubs on databases."""

    def start(address: str, **wanted) -> Hub:
        database = open_database(address)
        opened.append(database)
        hub = Hub(database, Wanted("127.0.0.1", 0, broker.address, draws=False, **wanted))
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
        hub.storing.add_code(code)
        tables = PlayingTables(broker.address, names, code=code, **options)
        opened.append(tables)
        return tables

    return begin


@pytest.fixture
def stranger(broker, opened) -> Stranger:
    opened.append(Stranger(broker.address))
    return opened[-1]
