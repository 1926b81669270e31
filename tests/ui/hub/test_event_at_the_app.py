"""What an event assigns, at the app's own table: offered with its people, played, and its result taken by seats."""

from random import Random

from companion.publishing.kept import Preferences
from companion.publishing.signing import new_code
from companion.session.store import Store
from tests.ui.hub.event_tables import Organiser
from tests.ui.hub.publishing import until
from ui.menus.home import ASSIGNED, assigned_offer
from ui.services.speech import Speaker
from ui.setup.wizard import Wizard
from ui.shell.publishing import TablePublishing
from ui.shell.shell import Shell


def test_a_table_of_the_app_is_offered_its_round_and_gives_its_result(hub, organiser, broker, opened, tmp_path) -> None:
    store = Store(tmp_path / "games.sqlite3")
    opened.append(store)
    shell = Shell(store, tmp_path, speaker=Speaker(None))
    opened.append(shell)
    publishing = TablePublishing(tmp_path, store.read)
    shell.publishing = publishing
    code, address = new_code(), broker.address
    hub.storing.tables.add_code(code)
    publishing.open(Preferences(True, f"{address.username}:{address.password}@{address.host}:{address.port}", "Door"))
    publishing.register(code)
    until(lambda: len(hub.overview) == 1, "the table is registered")
    organise = Organiser(hub.address, organiser)
    event = organise.new_event(tables=1, preferred=2, rounds=1)
    organise.post_form(f"{event}/players", names="Anna\nBea")
    organise.post_form(f"{event}/draw")
    until(lambda: assigned_offer(shell) is not None, "the start screen offers the round")
    drawn = hub.events.store.event(event.removeprefix("/event/"), newest=True)
    names = drawn.names(drawn.rounds[0].tables[0])
    offer = assigned_offer(shell)
    assert (offer.key, offer.title) == (
        f"{ASSIGNED} aqua_romana",
        f"Play now · Ides of March, round 1: {names[0]}, {names[1]}",
    )
    wizard = Wizard(shell.store, shell.boards_folder)
    wizard.seat_people("aqua_romana", list(names))
    for outcome in wizard.draft.options:
        wizard.draw_outcome(outcome.name)
    session, chance = shell.begin(wizard.table()).session, Random(3)
    while not session.is_over:
        session.submit(chance.choice(session.legal_actions()))
    publishing.tick(shell.table_loop)

    def result():
        return hub.events.store.event(drawn.id, newest=True).results.get((1, 1))

    until(lambda: result() is not None, "the result is taken")
    shown = hub.overview.all()[0]
    assert [player.name for player in shown.players] == ["", ""]
    assert result().points == tuple(player.points for player in shown.players)
    assert assigned_offer(shell) is None
