"""Two hubs beside one another on one real PostgreSQL."""

import re

from tests.ui.hub.event_tables import Organiser
from tests.ui.hub.publishing import until
from tests.ui.hub.visiting import Visitor, next_event
from ui.hub import database
from ui.hub.batches import Batch, TakenEntry
from ui.hub.database import open_database
from ui.hub.overview import Situation
from ui.hub.passwords import Role
from ui.hub.site import MODULES
from ui.hub.storing import Storing


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
    first.storing.tables.change("green", given_name="By the door")
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


def test_no_page_asks_a_database_while_the_others_wait(postgresql, hub_on, tables_at, monkeypatch):
    hub = hub_on(postgresql.address)
    monkeypatch.setattr(database, "CLOCKS_COMPARED", 0.0)
    tables = tables_at(hub, "green")
    until(tables.arrived, "everything is acknowledged")
    organise = Organiser(hub.address, hub.first_passwords[Role.ORGANISE])
    address = organise.new_event(tables=1, preferred=2)
    organise.post_form(f"{address}/players", names="Anna\nBea")
    organise.post_form(f"{address}/draw")
    parts = {"event_id": address.removeprefix("/event/"), "table_id": "green", "round": 1, "table": 1,
             "file": "standings.csv"}  # fmt: skip
    streams = dict[str, object]()
    for page in (page for module in MODULES for page in module.PAGES if page.method == "GET"):
        text = organise.text(page.path.format_map(parts))
        for followed in re.findall(r'sse-connect="([^"]+)"', text):
            streams[followed.replace("&amp;", "&")] = None
    followed = [organise.events(path) for path in streams]
    assert len(followed) >= 6
    tables.tables[0].call_help(asked=True)
    for path, (connection, answer) in zip(streams, followed, strict=True):
        if "event" not in path and "standings" not in path:
            next_event(answer, "data:")
        connection.close()


def test_other_entries_under_the_same_numbers_are_noticed_by_whichever_hub_they_come_to(postgresql, opened):
    hubs = [Storing(open_database(postgresql.address)) for _hub in range(2)]
    opened += [hub.database for hub in hubs]
    assert hubs[0].tables.register("one", "Table 1", b"k" * 32)
    batches = [Batch([TakenEntry("one", "game", n, f'{{"kind":"{kind}"}}') for n in range(3)]) for kind in "aab"]
    for hub, batch in zip((*hubs, hubs[1]), batches, strict=True):
        hub.write(batch)
    assert [each.copied for each in batches] == [{}, {}, {"one": 2}]
    assert hubs[0].lines("one", "game") == ['{"kind":"a"}'] * 3
    assert [(row.reason, row.count) for row in hubs[0].refusals()] == [("copied", 2)]
