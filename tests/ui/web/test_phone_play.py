"""A phone as seat, box and closed hand: pages without script over real connections, the tablet beside them."""

import re
from dataclasses import replace
from html import unescape
from urllib.parse import quote

import pytest

from companion.session.session import Session
from companion.session.store import Store
from tests.tables import table_of
from tests.ui.web.visiting import Phone, PhoneTable
from ui.commands.terminal import FAILED, FINE
from ui.services.text import capitalised
from ui.shell.table_loop import TableLoop
from ui.simulated_table.demo import main
from ui.table.presenter import Presenter

HAND = ("floor-3", "floor-4", "red-1", "red-2", "white-3", "white-4", "roof-1", "roof-2")

IN_PLACE = (
    "Phone 2 asks for the seat of Player 1, where another phone sits. May it? "
    "What was told there in secret is not shown to it; its owner tells it again."
)


def notations(table: PhoneTable) -> list[str]:
    return [entry.action for entry in table.session.entries if entry.action]


def told(phone: Phone, *names: str):
    return phone.post(hand="told", piece=list(names))


def test_a_phone_sits_where_the_table_says_yes(table):
    phone = table.phone()
    assert "Which seat is yours?" in phone.get().text
    answer = phone.post(seat="2")
    assert "Say at the table that phone 1 is yours" in answer.text
    question = table.presenter.view().choices[0]
    asked = "Phone 1 asks for the seat of Player 2. May it sit there?"
    assert question.group == asked
    table.touch("Yes")
    page = phone.get()
    assert "Which seat is yours?" not in page.text
    assert "Player 2 you" in page.text
    assert [seat for _phone, _number, seat in table.service.seated()] == [2]


def test_a_phone_that_is_refused_stays_a_spectator(table):
    phone = table.phone()
    phone.post(seat="2")
    table.touch("No")
    page = phone.get()
    assert "The table said no." in page.text
    assert "Which seat is yours?" in page.text
    assert table.service.seated() == ()


def test_a_second_phone_on_a_seat_is_asked_about_and_takes_its_place(table):
    first, second = table.phone(1), table.phone()
    second.post(seat="1")
    question = table.presenter.view().choices[0]
    assert question.group == IN_PLACE
    table.touch("Yes, in place of the other")
    assert "Another phone sits at your seat now." in first.get().text
    assert "Your turn" in second.get().text
    assert [number for _phone, number, _seat in table.service.seated()] == [2]


def test_a_seat_is_given_up(table):
    phone = table.phone(1)
    assert "Which seat is yours?" in phone.post(seat="0").text
    assert table.service.seated() == ()


def test_a_spectator_sees_the_table_and_can_do_nothing(table):
    spectator = table.phone()
    page = spectator.get()
    assert "(play a card or pass)" in page.text
    assert 'name="button"' not in page.body
    assert 'name="choose"' not in page.body
    assert "Choose a seat first." in spectator.post(choose="pass").text
    assert "Choose a seat first." in spectator.post(button="done").text
    assert not table.session.entries


def test_a_phone_plays_in_its_turn_and_only_then(table):
    first, second = table.phone(1), table.phone(2)
    assert "Your turn" in first.get().text
    assert "Your turn" not in second.get().text
    assert "It is not your turn." in second.post(choose="pass").text
    assert not table.session.entries
    page = first.post(choose="pass")
    assert "Your turn" not in page.text
    assert notations(table) == ["pass"]
    assert table.session.entries[0].seat == 1
    assert table.session.entries[0].source == "phone"
    assert "Your turn" in second.get().text


def test_the_four_buttons_mean_what_a_box_means(table):
    first, second = table.phone(1), table.phone(2)
    done, *others = (button.intent for button in table.presenter.view().buttons)
    assert first.get().values("button") == [*others, done]
    assert "It is not your turn." in second.post(button="done").text
    first.post(button="help")
    assert table.presenter.shows_all
    first.post(button="done")
    assert notations(table) == ["pass"]
    assert table.session.entries[0].source == "phone"
    first.post(button="no")
    assert table.session.moves == ()


def test_a_tap_that_arrives_twice_acts_once(table):
    phone = table.phone(1)
    page = phone.get()
    for _again in range(2):
        phone.post(page=page, choose="pass")
    assert notations(table) == ["pass"]
    page = phone.get()
    for _again in range(2):
        phone.post(page=page, button="help")
    assert table.presenter.shows_all


def test_a_tap_meant_for_an_earlier_state_does_nothing(table):
    phone = table.phone(1)
    page = phone.get()
    table.presenter.act(table.session.game.parse_action("pass", table.session.state))
    table.tick()
    answer = phone.post(page=page, button="done")
    assert "The table has gone on meanwhile: look again." in answer.text
    assert notations(table) == ["pass"]


def test_a_refusal_names_the_rule_on_phone_and_tablet(table_with_phones):
    table = table_with_phones("city_of_marble", 2)
    phone = table.phone(1)
    phone.post(choose="ward A1-A2 red")
    assert table.presenter.refused is not None
    page = phone.get()
    verdict = table.presenter.view().verdict
    assert verdict.headline in page.text
    assert verdict.sentences[0][0] in page.text
    rule = verdict.sentences[0][1].rule
    assert rule not in page.text
    assert "Italian rulebook, Play a ward tile" in page.text
    assert rule in phone.get(f"/rules?words={rule}").text
    assert "put back" in page.values("choose")
    phone.post(choose="put back")
    assert table.presenter.refused is None
    assert not table.session.entries


@pytest.mark.parametrize("key", ["rubbish", "play the harp", "\n", "candidate 99", "asked yes join 1"])
def test_what_is_no_choice_does_nothing(table, key):
    phone = table.phone(1)
    assert "That is no action of this game." in phone.post(choose=key).text
    assert not table.session.entries


def test_a_wish_to_undo_is_void_once_the_table_has_gone_on(table):
    first, second = table.phone(1), table.phone(2)
    first.post(choose="pass")
    second.post(undo="latest")
    second.post(choose="pass")
    table.touch("Yes")
    assert [move.action for move in table.session.moves] == ["pass", "pass"]


def test_ones_own_latest_is_undone_at_once(table):
    first = table.phone(1)
    first.post(choose="pass")
    first.post(undo="latest")
    assert table.session.moves == ()


def test_nobody_answers_for_the_table_from_elsewhere(table):
    joining = table.phone()
    joining.post(seat="1")
    joining.post(answer="asked yes join 1")
    assert table.service.seated() == ()
    seated = table.phone()
    seated.post(answer="asked yes join 1")
    assert table.service.seated() == ()


def test_a_told_hand_is_on_its_own_phone_only_and_makes_what_is_played_checkable(table):
    first, second = table.phone(1), table.phone(2)
    assert told(first, *HAND).values("piece") == sorted(HAND)
    assert second.get().values("piece") == []
    refused = first.post(choose="floor-5 nothing")
    assert "Floor card 5: played for nothing is not allowed" in refused.text
    assert not table.session.entries
    assert table.presenter.view().verdict.headline == "Refused on the phone."
    assert table.presenter.view().verdict.sentences == ()
    assert "floor-5" not in repr(table.presenter.view())
    assert "Refused on the phone." in second.get().text
    played = first.post(choose="floor-3 nothing")
    assert notations(table) == ["floor-3 nothing"]
    assert played.values("piece") == sorted(set(HAND) - {"floor-3"})


def test_a_refusal_put_away_on_its_phone_is_said_nowhere_any_more(table):
    phone = table.phone(1)
    told(phone, *HAND)
    refused = phone.post(choose="floor-5 nothing")
    assert "is not allowed" in refused.text
    assert "Refused on the phone." not in phone.post(page=refused, button="no").text
    assert table.presenter.view().verdict is None


def test_a_hand_told_wrongly_is_told_once_more(table):
    first = table.phone(1)
    told(first, "floor-3", "floor-5", *HAND[2:])
    assert "Say once more what they are" in first.get().text
    page = first.get("/?tell=again")
    assert page.body.count("<select") == 8
    assert page.body.count(" selected") == 8
    page = first.post(page=page, hand="told", piece=list(HAND))
    assert page.values("piece") == sorted(HAND)
    assert page.body.count("<select") == 0


def test_a_hand_that_cannot_be_keeps_what_was_told_and_names_the_card_that_is_too_many(table):
    first = table.phone(1)
    wrong = ("floor-3", "floor-4", "red-1", "red-1", "white-3", "white-4", "roof-1", "roof-2")
    page = told(first, *wrong)
    assert "These cannot be the pieces" in page.text
    assert re.findall(r'<option value="([^"]*)" selected', page.body) == list(wrong)
    assert page.text.count("red permit 1: at most 1 can be here") == 1
    beside = re.search(r'class="impossible".*?</small>', page.body, re.DOTALL)[0]
    assert 'value="red-1" selected' in beside
    assert "at most 1" in beside
    assert told(first, *HAND).values("piece") == sorted(HAND)


def test_the_page_is_brought_to_what_has_come_of_a_tap_and_to_what_can_be_chosen(table):
    phone = table.phone(1)
    page = phone.get()
    answer = phone.send(f"number={page.field('number')}&at={page.field('at')}&button=no")
    assert answer.headers["location"] == "/#said"
    assert phone.get().body.count('id="said"') == 1
    assert phone.get().body.count('id="do"') == 1


def test_with_a_card_of_the_hand_only_what_it_can_do_is_shown(table):
    first = table.phone(1)
    told(first, *HAND)
    page = first.get("/?piece=floor-3")
    assert {key.split()[0] for key in page.values("choose")} == {"floor-3"}
    places = re.findall(r'<option value="([^"]*)"', first.get("/?piece=red-1").body)
    there = first.get(f"/?site={quote(places[0])}&piece=red-1")
    assert {key.split()[0] for key in there.values("choose")} == {"red-1"}


def test_a_hand_that_cannot_be_is_refused(table):
    first = table.phone(1)
    for names in (HAND[:-1], ("x", *HAND[1:]), ("floor-3",) * 8, ()):
        assert "These cannot be the pieces: look at them once more." in told(first, *names).text


def test_a_card_is_drawn_openly_as_one_of_its_stack_and_told_on_the_phone(table_with_phones):
    start = {"phase": "drawing", "draws": 2}
    session = Session.create(None, table_of("capitol", 2), start)
    table = table_with_phones(session=session)
    first, second = table.phone(1), table.phone(2)
    assert sorted(first.get().values("choose")) == ["draw floor", "draw permit", "draw roof"]
    first.post(choose="draw floor")
    assert notations(table) == ["draw floor"]
    held = ["floor-7" if index == 0 else name for index, name in enumerate(sorted(_held(table, 1)))]
    assert "floor-7" in told(first, *held).values("piece")
    assert "floor-7" not in second.get().values("piece")
    assert "floor card 7" not in repr(table.presenter.view())


def _held(table, seat):
    return table.session.state.holding(seat).hand


def test_a_place_that_is_touched_says_why_nothing_may_be_done_there(table_with_phones):
    table = table_with_phones("city_of_marble", 2)
    phone = table.phone(1)
    site = sorted(spot.site for spot in table.presenter.board.spots.values() if spot.piece == "ward")[0]
    page = phone.get(f"/?site={site}")
    assert page.status == 200
    forbidden = page.values("choose")
    assert forbidden
    answer = phone.post(page=page, choose=forbidden[0])
    assert "is not allowed" in answer.text
    assert not table.session.entries


@pytest.mark.parametrize("game_id", ["city_of_marble", "aqua_romana", "capitol", "thurn_and_taxis"])
def test_every_game_has_pages_that_are_small_and_whole(table_with_phones, game_id):
    table = table_with_phones(game_id, 2)
    phone = table.phone(1)
    for page in (phone.get(), phone.post(button="help")):
        assert page.status == 200
        assert capitalised(table.presenter.view().what) in page.text
        assert 'class="strong"' in page.body or "choose" in page.body
        assert page.body.count("<form") == page.body.count("</form>") == 3 + ('id="places"' in page.body)
        assert page.body.count("<svg") == page.body.count("</svg>") > 2


def test_prompt_and_buttons_come_in_forty_kilobytes(table_with_phones):
    for game_id in ("city_of_marble", "aqua_romana", "capitol", "thurn_and_taxis"):
        phone = table_with_phones(game_id, 4).phone(1)
        assert len(phone.get().body.encode()) <= 40_000


def test_an_open_page_is_told_at_once_and_resumes_where_it_was(table):
    first, second = table.phone(1), table.phone(2)
    stream = second.stream()
    number, html = stream.event()
    assert "Your turn" not in html
    first.post(choose="pass")
    later, html = stream.event()
    assert later != number
    assert "Your turn" in html
    stream.close()
    same = second.stream(Last_Event_ID=later)
    first.post(undo="latest")
    newest, html = same.event()
    assert newest not in (number, later)
    assert "Your turn" not in html
    same.close()


def test_what_a_page_shows_already_is_not_sent_to_it_once_more(table):
    first, second = table.phone(1), table.phone(2)
    page = second.get("/?site=Quirinal/1")
    address = unescape(re.search(r'sse-connect="([^"]+)"', page.body)[1])
    assert f"&have={page.field('number')}&" in address
    stream = second.stream(address)
    first.post(choose="pass")
    assert "Your turn" in stream.event()[1]
    stream.close()


def test_answers_to_posts_by_script_are_the_part_that_changes(table):
    phone = table.phone(1)
    page = phone.get()
    answer = phone.send(f"number={page.field('number')}&at={page.field('at')}&button=help", HX_Request="true")
    assert answer.status == 200
    assert answer.body.startswith('<div class="above"><header class="mine"')
    assert "<main" not in answer.body
    assert "Play a permit" in answer.text


def test_killing_the_app_and_starting_it_again_keeps_seats_and_hands(tmp_path, table_with_phones):
    with Store(tmp_path / "games.sqlite3") as store:
        session = Session.create(store, table_of("capitol", 2))
        table = table_with_phones(session=session)
        phone = table.phone(1)
        told(phone, *HAND)
        phone.post(choose="floor-3 nothing")
        again = table_with_phones(session=Session.open(store, session.id))
        returned = Phone(again, phone.cookie.replace(f"table-{table.port}", f"table-{again.port}"))
        page = returned.get()
        assert "Player 1 you" in page.text
        assert page.values("piece") == sorted(set(HAND) - {"floor-3"})


def test_a_post_of_an_earlier_run_does_not_act(tmp_path, table_with_phones):
    with Store(tmp_path / "games.sqlite3") as store:
        session = Session.create(store, table_of("capitol", 2))
        table = table_with_phones(session=session)
        phone = table.phone(1)
        page = phone.get()
        phone.post(page=page, choose="pass")
        again = table_with_phones(session=Session.open(store, session.id))
        returned = Phone(again, phone.cookie.replace(f"table-{table.port}", f"table-{again.port}"))
        assert "The table has gone on meanwhile" in returned.post(page=page, choose="pass").text
        assert [entry.action for entry in again.session.entries] == ["pass"]


def test_another_game_at_the_table_has_its_own_seats(table):
    from ui.shell.table_loop import TableLoop
    from ui.table.presenter import Presenter

    phone = table.phone(1)
    table.loop = TableLoop(Presenter(Session.create(None, table_of("aqua_romana", 2))))
    table.tick()
    page = phone.get()
    assert "Which seat is yours?" in page.text
    assert "Aqua Romana" in page.body


def test_without_a_game_the_page_says_so(tmp_path):
    table = PhoneTable(tmp_path)
    phone = table.phone()
    table.service.tick(None)
    table.tick = lambda: table.service.tick(None)
    assert "No game is open at the table yet." in phone.get().text
    table.close()


def test_the_final_score_is_on_every_page(table):
    spectator = table.phone()
    table.presenter.on_end_early("Time is up")
    table.tick()
    page = spectator.get()
    score = table.presenter.view().score
    assert score.heading in page.text
    for _seat, name, points, _rank in score.ranking:
        assert f"{name} {points}" in page.text


def test_the_rules_are_read_by_topic_and_by_words_as_this_table_plays_them(table):
    phone = table.phone()
    page = phone.get("/rules")
    assert page.status == 200
    assert "With each rule: how sure it is, and where it stands." in page.text
    assert "docs/" not in page.text
    assert re.search(r'<label for="words">Search the rules</label><input type="search" [^>]*id="words">', page.body)
    found = phone.get("/rules?words=permit")
    assert "CAP-" in found.text
    assert "<mark>permit</mark>" in found.body
    assert re.search(r'role="status">\d+ rules have these words\.', found.body)
    assert "these words" not in page.text
    assert "No rule has these words: xyzzy" in phone.get("/rules?words=xyzzy").text
    assert phone.get("/rules?topic=" + "y" * 80).status == 200
    assert Phone(table).get("/rules").status == 403


def test_the_demo_lets_phones_come(tmp_path, capsys):
    asked = ["--headless", "--no-camera", "--actions", "1", "--out", str(tmp_path), "--phones", "127.0.0.1"]
    assert main(asked) == FINE
    assert "phones: http://127.0.0.1:" in capsys.readouterr().out
    assert main([*asked[:-1], "8.8.8.8"]) == FAILED
    assert "8.8.8.8 is no address of a local network" in capsys.readouterr().err


def test_a_yes_that_was_meant_for_an_empty_seat_takes_it_from_nobody(table):
    first, second = table.phone(), table.phone()
    first.post(seat="1")
    second.post(seat="1")
    yes, _no, late_yes, _late_no = [choice.key for choice in table.presenter.view().choices[:4]]
    table.presenter.on_choice(yes)
    table.presenter.on_choice(late_yes)
    table.tick()
    assert [(number, seat) for _phone, number, seat in table.service.seated()] == [(1, 1)]
    (question,) = table.presenter.questions.values()
    assert question.text == IN_PLACE
    table.touch("Yes, in place of the other")
    assert [(number, seat) for _phone, number, seat in table.service.seated()] == [(2, 1)]
    assert "Another phone sits at your seat now." in first.get().text


def begin_again(table, game_id="capitol", seats=3, names=None):
    """The table is left, and another game begun."""
    table.loop, again = None, Session.create(None, table_of(game_id, seats))
    table.service.tick(None)
    if names is not None:
        players = tuple(replace(player, name=name) for player, name in zip(again.table.players, names, strict=True))
        again = Session.create(None, replace(again.table, players=players))
    table.loop, table.session = TableLoop(Presenter(again)), again
    table.tick()


def test_phones_keep_their_players_when_the_same_people_play_again(table):
    table.phone(1), table.phone(3)
    spectator = table.phone()
    begin_again(table, names=("Player 3", "Player 1", "Player 2"))
    assert sorted((number, seat) for _phone, number, seat in table.service.seated()) == [(1, 2), (2, 1)]
    assert "Which seat is yours?" in spectator.get().text


@pytest.mark.parametrize(
    "other", [{"game_id": "city_of_marble"}, {"seats": 2}, {"names": ("Player 1", "Player 2", "Zoe")}]
)
def test_phones_are_asked_for_their_seats_at_another_table(table, other):
    table.phone(1)
    begin_again(table, **other)
    assert table.service.seated() == ()


def test_boxes_are_spoken_of_only_where_there_are_any(table):
    phone = table.phone()
    phone.post(seat="1")
    assert "box" not in next(iter(table.presenter.questions.values())).text
    phone.post(seat="0")
    table.presenter.devices.tell("blue", "ready", ok=True)
    phone.post(seat="1")
    assert "On this seat's box, while others play: done is yes" in next(iter(table.presenter.questions.values())).text
