"""The hub's pages over real connections: who comes in, what is shown, what follows by itself."""

import re
import time
from dataclasses import replace
from functools import partial

import pytest
import sqlalchemy

from companion.publishing.invitation import Invitation
from companion.publishing.table_state import PublishedPlayer, TableState
from tests.ui.hub.publishing import until
from tests.ui.hub.visiting import Visitor, next_event
from ui.hub import entrance_page
from ui.hub.batches import Newest, TakenState
from ui.hub.passwords import Passes, Role, holds, kept_form
from ui.hub.register_page import qr_code
from ui.services.text import use_language
from ui.web.guard import Rate
from ui.web.readable import drawn_code


@pytest.fixture
def shown(hub, tables_at):
    """A hub with two tables, one of which asks for the judge."""
    tables = tables_at(hub, "green", "blue")
    tables.play(0, 4)
    until(tables.arrived, "everything is acknowledged")
    tables.tables[1].call_help(asked=True)
    until(lambda: hub.overview.table("blue").wants_help, "the call is shown")
    until(lambda: hub.overview.table("green").entries == 4, "the state is shown")
    return tables


def test_without_a_password_nothing_is_shown(hub, shown):
    stranger = Visitor(hub.address)
    for path in ("/", "/table/green", "/screen", "/register", "/refused"):
        answer = stranger.get(path)
        assert (answer.status, answer.headers["location"]) == (303, "/enter")
    assert stranger.get("/events?follow=overview").status == 404
    assert stranger.post("/table/blue/coming").status == 403
    assert stranger.post("/enter", password="wrong").status == 403
    assert "Player" not in stranger.text("/enter")


def test_who_watches_sees_but_does_nothing(hub, shown):
    watcher = Visitor(hub.address, hub.first_passwords[Role.WATCH])
    page = watcher.text("/")
    assert "Capitol" in page
    assert "Player 1" in page
    assert "<button" not in page
    assert watcher.get("/register").status == 403
    assert watcher.post("/table/blue/coming").status == 403
    assert watcher.post("/table/blue/forget").status == 403
    assert hub.overview.table("blue") is not None


def test_the_organiser_answers_a_call(hub, organiser, shown):
    visitor = Visitor(hub.address, organiser)
    page = visitor.text("/")
    assert page.index('id="t-blue"') < page.index('id="t-green"')
    assert visitor.post("/table/blue/coming").status == 303
    until(lambda: hub.overview.table("blue").is_judge_coming, "the judge comes")
    until(lambda: shown.tables[1].status.judge is not None, "the table is told")
    assert shown.tables[1].status.judge.text == "I’m coming"
    assert "The judge is coming" in visitor.text("/table/blue")
    assert visitor.post("/table/blue/settled").status == 303
    until(lambda: not hub.overview.table("blue").wants_help, "the call is settled")


@pytest.mark.parametrize(
    ("came_from", "back"),
    [
        ("", "/"), ("/judge", "/judge"), ("/table/blue", "/table/blue"), ("/?words=blue", "/?words=blue"),
        ("/table/green", "/"), ("http://elsewhere.example//evil", "/"),
    ],
)  # fmt: skip
def test_who_answers_a_call_stays_at_the_page_where_it_was_seen(hub, organiser, shown, came_from, back):
    visitor = Visitor(hub.address, organiser)
    for deed in ("coming", "settled"):
        assert visitor.post(f"/table/blue/{deed}", came_from=came_from).headers["location"] == back


def test_a_table_has_its_players_and_what_happened(hub, organiser, shown):
    page = Visitor(hub.address, organiser).text("/table/green")
    assert 'class="sheet"' in page
    assert page.count("<li value=") == 4
    assert "still on the way" not in page


def test_names_forbidden_in_a_game_leave_the_pages_and_come_back_when_allowed(hub, organiser, shown):
    visitor, green = Visitor(hub.address, organiser), shown.tables[0]
    name, addresses = "Player 1", ("/table/green", "/", "/?words=player+1", "/screen")
    green.call_help(asked=True)
    until(lambda: "Player 1" in visitor.text("/judge"), "the judge sees who plays")
    assert visitor.text("/table/green").count(name) >= 2

    def shown_with_names() -> bool:
        return any(player.name for player in hub.overview.table("green").players)

    green.rename("Green", shows_names=False)
    until(lambda: not shown_with_names(), "the table shows no names")
    shown.tables[1].rename("Blue", shows_names=False)
    until(lambda: not any(each.name for each in hub.overview.table("blue").players), "nor does the other")
    until(lambda: not hub.storing.tables_with("player 1"), "nobody is found by it")
    for address in (*addresses, "/judge"):
        assert name not in visitor.text(address), address
    assert visitor.text("/table/green").count("<li value=") == 4
    green.rename("Green", shows_names=True)
    until(shown_with_names, "the table shows names again")
    assert visitor.text("/table/green").count(name) >= 2


def test_pages_follow_by_themselves(hub, organiser, shown):
    visitor = Visitor(hub.address, organiser)
    connection, answer = visitor.events("/events?follow=overview&size=large&organises=yes")
    next_event(answer, 'data-at="green-1:4"')
    shown.play(0)
    event = next_event(answer, 'data-at="green-1:5"')
    assert 'hx-swap-oob="true"' in event
    assert 'id="t-blue"' not in event
    connection.close()
    connection, answer = visitor.events("/events?follow=table&table=green")
    shown.play(0)
    assert next_event(answer, 'data-at="green-1:6"').count("<li value=") == 6
    connection.close()
    connection, answer = visitor.events("/events?follow=screen")
    assert "Player 1" in next_event(answer, 'id="screen-part"')
    connection.close()


def test_players_and_tables_are_found(hub, organiser, shown):
    visitor = Visitor(hub.address, organiser)
    assert 'id="t-green"' in visitor.text("/?words=player+1")
    found = visitor.text("/?words=GREEN")
    assert 'id="t-green"' in found
    assert 'id="t-blue"' not in found
    assert "No table is like that" in visitor.text("/?words=nobody")
    assert "<b>nobody" not in visitor.text("/?words=%3Cb%3Enobody")
    assert "In an earlier game" not in found
    guests = (PublishedPlayer(1, "red", "Łukasz", 7, 1), PublishedPlayer(2, "blue", "player 9", 3, 2))
    earlier = TableState(game="earlier", rules="capitol", over=True, final=True, players=guests)
    hub.storing.write_newest(Newest({"blue": TakenState("blue", 1, "{}", earlier)}))
    found = visitor.text("/?words=lukasz")
    assert found.index("In an earlier game at these tables") < found.index('id="t-blue"')
    assert 'id="t-green"' not in found
    connection, answer = visitor.events("/events?follow=overview&words=lukasz&before=blue")
    visitor.post("/table/blue/rename", name="Łukasz was here", place="2")
    event = next_event(answer, 'id="t-blue"')
    assert 'hx-swap-oob="true" id="t-blue"' in event, "it stays where it stands, and is not there twice"
    assert "beforeend" not in event
    connection.close()
    visitor.post("/table/blue/rename", name="Blue", place="2")
    found = visitor.text("/?words=player")
    assert all(f'id="t-{name}"' in found for name in ("green", "blue"))
    assert "In an earlier game" not in found, "somebody of that name plays there now"
    only = visitor.text("/?situation=help")
    assert 'id="t-blue"' in only
    assert 'id="t-green"' not in only


def test_a_table_is_renamed_and_taken_away(hub, organiser, shown):
    visitor = Visitor(hub.address, organiser)
    visitor.post("/table/green/rename", name="By the <window>", place="17")
    until(lambda: hub.overview.table("green").place == 17, "it has another number")
    assert "By the &lt;window&gt;" in visitor.text("/table/green")
    called = "Table 2 is called Blue already."
    alike = "bLUE", "\u00a0Blue ", "\uff22lue", "\U0001d401lue", "Blu\u212f"
    for name, told in (
        *((each, called) for each in alike),
        ("a\u202eb", "holds a control character"),
        (" \u3000", "The name is blank; write what people call the table."),
        ("x" * 200, "The name has 200 characters; at most 60 fit."),
    ):
        refused = visitor.post("/table/green/rename", name=name, place="17")
        assert (refused.status, told in refused.text) == (409, True)
    for place, told in (("2", "Blue has number 2 already"), ("0", "a number from 1 to"), ("x", "a number from 1 to")):
        refused = visitor.post("/table/green/rename", name="Other", place=place)
        assert (refused.status, told in refused.text) == (409, True)
    assert hub.overview.table("green").place == 17
    assert hub.overview.table("green").name == "By the <window>"
    assert "is called" not in visitor.text("/table/green")
    hub.overview.put(replace(hub.overview.table("green"), name="\uff22lue"), time.time())  # as it registered
    assert "Table 2 is called Blue, too." in visitor.text("/table/green")
    asked = visitor.text("/table/green/forget")
    assert "1 game, 4 entries" in asked
    assert hub.overview.table("green") is not None
    visitor.post("/table/green/forget")
    until(lambda: hub.overview.table("green") is None, "it is gone")
    assert hub.storing.lines("green", "green-1") == []
    assert visitor.post("/table/green/rename", name="x", place="3").status == 404
    assert visitor.post("/table/green/forget").status == 404
    assert visitor.get("/table/green").status == 404


def test_the_code_is_shown_and_replaced(hub, organiser):
    visitor = Visitor(hub.address, organiser)
    code = re.search(r'class="code">([A-Z2-7-]{24})<', visitor.text("/register"))[1]
    page = visitor.text("/register")
    assert code in page
    assert qr_code(Invitation(code, str(hub.broker_address)).text) in page
    visitor.post("/register/renew")
    assert code not in visitor.text("/register")


def test_what_was_refused_is_named(hub, organiser, stranger):
    stranger.send("companion/tables/strange/state", b"{}")
    until(hub.storing.refused_count, "it is counted")
    page = Visitor(hub.address, organiser).text("/refused")
    assert "strange" in page
    hub.storing.tables.register("mine", "By the door", b"k" * 32)
    hub.intake.look_again(None).wait(5)
    stranger.send("companion/tables/mine/state", b"{}")
    until(lambda: hub.storing.refusal_rows() == 2, "both are counted")
    time.sleep(0.02)
    stranger.send("companion/tables/later/state", b"{}")
    until(lambda: hub.storing.refusal_rows() == 3, "all are counted")
    page = Visitor(hub.address, organiser).text("/refused")
    assert page.index("1 · By the door (mine)") < page.index("later")
    assert len(hub.storing.refusals(most=1)) == 1
    assert hub.storing.refusals(most=1)[0].claimed == "mine"
    assert "not in the form that messages have" in page


def test_only_own_pages_may_ask_and_nothing_runs_that_is_not_ours(hub, organiser, shown):
    visitor = Visitor(hub.address, organiser)
    answer = visitor.get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    nonce = re.search(r"'nonce-([^']+)'", policy)[1]
    assert f'<style nonce="{nonce}">' in answer.text
    assert not re.search(r"<[^>]* style=|<script>|<script [^>]*nonce", answer.text)
    assert visitor._ask("GET", "/", None, {"Host": "evil.example"}).status == 421
    assert visitor._ask("POST", "/table/blue/forget", "", {"Origin": "http://evil.example"}).status == 403
    assert hub.overview.table("blue") is not None


def test_a_password_cannot_be_tried_without_end(hub):
    stranger = Visitor(hub.address)
    answers = [stranger.post("/enter", password=str(number)).status for number in range(9)]
    assert answers[0] == 403
    assert answers[-1] == 429


def test_who_was_too_quick_is_told_how_long_to_wait_and_gets_in_however_often_he_tries_meanwhile(
    hub, organiser, monkeypatch
):
    now = [0.0]
    monkeypatch.setattr(entrance_page, "Rate", partial(Rate, clock=lambda: now[0]))
    visitor = Visitor(hub.address)
    while visitor.post("/enter", password="wrong").status != 429:
        pass
    answers = []
    for _try in range(3):
        now[0] += 2.0
        answers.append(visitor.post("/enter", password=organiser))
    assert [answer.status for answer in answers] == [429, 429, 303]
    for answer, told in zip(answers, ("wait 3 seconds", "wait 1 second."), strict=False):
        assert told in answer.text


def test_a_broker_that_is_away_is_said(hub, organiser, shown, broker, caplog):
    visitor = Visitor(hub.address, organiser)
    connection, answer = visitor.events("/events?follow=overview")
    next_event(answer, "2 tables")
    broker.stop()
    next_event(answer, "The broker cannot be reached")
    broker.start()
    next_event(answer, "2 tables")
    connection.close()
    ended = f"the connection to the broker {broker.address} ended ("
    assert [told.startswith(ended) for told in caplog.messages if str(broker.address) in told] == [True, False]
    assert caplog.messages[-1] == f"the broker {broker.address} is back"


@pytest.mark.parametrize("language", ["it", "de"])
def test_pages_speak_the_language_in_use(hub, organiser, shown, language):
    use_language(language)
    try:
        page = Visitor(hub.address, organiser).text("/")
    finally:
        use_language("en")
    assert f'<html lang="{language}">' in page
    assert {"it": "Molti tavoli", "de": "Viele Tische"}[language] in page


def test_passwords_are_kept_so_that_nobody_reads_them():
    password = drawn_code()
    kept = kept_form(password)
    assert password not in kept
    assert kept != kept_form(password)
    assert holds(password, kept)
    assert not holds(password + "x", kept)
    assert not holds(password, "plain:" + password)


def test_everybody_is_logged_out_at_once(hub, organiser, shown):
    watcher, visitor = Visitor(hub.address, hub.first_passwords[Role.WATCH]), Visitor(hub.address, organiser)
    assert watcher.post("/leave/everywhere").status == 403
    connection, answer = watcher.events("/events?follow=overview")
    next_event(answer, 'id="t-blue"')
    assert visitor.text("/leave").count("<button") == 2
    assert visitor.post("/leave/everywhere").headers["location"] == "/enter"
    assert answer.read() is not None  # it ends
    connection.close()
    for each in (watcher, visitor):
        assert each.get("/").headers["location"] == "/enter"
    assert Visitor(hub.address, organiser).get("/").status == 200
    assert watcher.get("/leave").headers["location"] == "/enter"


def test_new_passwords_let_nobody_stay_in(hub, hub_on, organiser, tmp_path):
    visitor = Visitor(hub.address, organiser)
    again = hub_on(str(tmp_path / "hub.sqlite"))
    visitor.address = again.address
    assert visitor.get("/").status == 200
    anew = hub_on(str(tmp_path / "hub.sqlite"), new_passwords=True)
    visitor.address = anew.address
    assert visitor.get("/").headers["location"] == "/enter"
    assert Visitor(anew.address, anew.first_passwords[Role.ORGANISE]).get("/").status == 200


def test_a_pass_holds_for_its_role_and_its_time_only():
    now = [1000.0]
    passes = Passes(b"secret", lambda: now[0])
    watch = passes.made(Role.WATCH)
    assert passes.role_of(watch) is Role.WATCH
    assert passes.role_of(watch.replace("watch", "organise")) is None
    assert Passes(b"other", lambda: now[0]).role_of(watch) is None
    now[0] += 24 * 3600
    assert passes.role_of(watch) is None
    assert passes.role_of("") is passes.role_of("é.1.2.3") is None


def test_a_full_disk_is_said_and_nothing_is_lost_when_there_is_room_again(hub, organise, tables_at) -> None:
    tables = tables_at(hub, "green")
    until(tables.arrived, "everything is acknowledged")
    room = {"pages": 1}  # no fewer than there are

    def bounded(connection, *_about: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {room['pages']}")

    sqlalchemy.event.listen(hub.storing.database.engine, "checkout", bounded)
    address = organise.new_event()
    names = "\n".join(f"Player with a long name {number}" for number in range(1000))
    refused = organise.post_form(f"{address}/players", names=names)
    assert (refused.status, "The disk of the database is full: nothing was changed." in refused.text) == (503, True)
    tables.play_out(0)
    until(lambda: "The disk of the database is full: make room on it." in organise.text("/"), "the overview says so")
    assert not tables.arrived()
    room["pages"] = 1_000_000
    assert organise.post_form(f"{address}/players", names=names).status == 303
    until(lambda: "The disk of" not in organise.text("/"), "the overview says so no more")
    until(tables.arrived, "what came meanwhile is stored", 40.0)


def test_who_watches_is_not_sent_to_a_page_for_organisers_before_a_table_is_there(hub, organiser) -> None:
    watcher, visitor = Visitor(hub.address, hub.first_passwords[Role.WATCH]), Visitor(hub.address, organiser)
    assert "New table shows the code" in visitor.text("/")
    page = watcher.text("/")
    assert "No table is registered yet." in page
    assert "New table" not in page
