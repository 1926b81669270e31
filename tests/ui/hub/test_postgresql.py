"""Two hubs beside one another on one real PostgreSQL."""

import pytest

from tests.ui.hub.postgresql import OwnPostgresql, programs
from tests.ui.hub.publishing import until
from tests.ui.hub.visiting import Visitor
from ui.hub.overview import Situation
from ui.hub.passwords import Role

pytestmark = pytest.mark.skipif(programs() is None, reason="postgresql is not installed")


@pytest.fixture
def postgresql():
    own = OwnPostgresql()
    try:
        own.start()
        yield own
    finally:
        own.remove()


def test_two_hubs_share_entries_and_show_the_same_whatever_ends(postgresql, hub_on, tables_at):
    first, second = hub_on(postgresql.address), hub_on(postgresql.address)
    assert first.first_passwords
    assert not second.first_passwords
    tables = tables_at(first, "green", "blue")
    until(tables.arrived, "everything is acknowledged")
    until(lambda: second.overview.table("blue") is not None, "the other hub hears of the tables")
    tables.play(0, 20)
    tables.play(1, 20)
    until(tables.arrived, "everything is acknowledged")
    for hub in (first, second):
        until(lambda hub=hub: hub.overview.table("green").entries == 20, "both show it")
    watcher = Visitor(second.address, first.first_passwords[Role.WATCH])
    Visitor(first.address, first.first_passwords[Role.ORGANISE]).post("/leave/everywhere")
    until(lambda: watcher.get("/").status == 303, "both know that nobody is in any more")
    first.storing.change("green", given_name="By the door")
    until(lambda: second.overview.table("green").name == "By the door", "both know the name")
    postgresql.stop()
    tables.play(0, 5)
    until(lambda: second.overview.table("green").entries == 25, "states are shown all the same")
    postgresql.start()
    until(tables.arrived, "what came meanwhile is stored")
    first.stop()
    tables.play(1, 5)
    until(tables.arrived, "the other goes on")
    for at, name in enumerate(("green", "blue")):
        assert len(second.storing.lines(name, f"{name}-1")) == len(tables.sessions[at].entries) + 1
    assert second.overview.table("blue").situation is Situation.PLAYING
