"""What stands where on a phone's page, and what is left away: the question on top, few words, pictures of choices."""

import re
from dataclasses import replace
from html import unescape
from urllib.parse import urlencode

import pytest

from companion.games.city_of_marble.actions import Draw
from companion.session.session import Session
from tests.tables import table_of
from tests.ui.web.test_board_pages import played
from ui.drawing.theme import seal_of
from ui.services.text import use_language
from ui.table.why_not_here import illegal_gestures
from ui.web import choices_part
from ui.web.choices_part import FEW_CHOICES, MOST_LISTED
from ui.web.pages import Focus
from ui.web.table_page import main_part

HAND = ("floor-1", "floor-2", "red-1", "red-2", "white-3", "white-4", "roof-1", "roof-2")


def holder(table):
    """The phone of seat 1, which has told its hand."""
    phone = table.phone(1)
    phone.post(hand="told", piece=list(HAND))
    return phone


def test_what_the_others_wish_is_asked_at_the_top_of_the_page(table):
    first, second = table.phone(1), table.phone(2)
    first.post(choose="pass")
    second.post(undo="latest")
    page = first.get()
    assert 0 < page.body.index('name="answer"') < page.body.index('class="sheet"') < page.body.index('class="players"')
    first.post(page=page, answer=page.values("answer")[0])
    assert table.session.moves == ()


def test_who_acts_is_not_named_once_more_by_what_is_waited_for(table):
    first, spectator = table.phone(1), table.phone()
    first.post(button="help")
    for page in (first.get(), spectator.get()):
        assert page.text.lower().count("play a card or pass") == 1
        assert "Player 1: play" not in page.text


def test_a_card_for_many_places_asks_for_one_and_its_places_keep_the_card(table):
    phone = holder(table)
    page = phone.get(f"/{Focus(piece='white-3').query}")
    assert "Touch a place on the board." in page.text
    assert "Play a card or pass" not in page.text
    links = re.findall(r'href="/\?site=([^"]*)"', page.body)
    assert links
    folded = re.search(r'<details class="every".*?</details>', page.body, re.DOTALL)[0]
    assert folded.count("<option") == len(links)
    assert page.values("choose") == ["white-3 nothing"]
    assert all(link.endswith("&amp;piece=white-3#do") for link in links)
    there = phone.get("/?site=" + links[0].replace("&amp;", "&"))
    assert "every" not in re.findall(r'class="([^"]*)"', there.body)
    assert all(value.startswith("white-3 ") for value in there.values("choose") if "nothing" not in value)
    phone.post(page=there, choose=there.values("choose")[0])
    assert len(table.session.moves) == 1


def test_a_card_for_some_places_lists_what_it_can_do_there(table, monkeypatch):
    monkeypatch.setattr(choices_part, "MOST_LISTED", 60)
    page = holder(table).get(f"/{Focus(piece='white-3').query}")
    folded = re.search(r'<details class="every".*?</details>', page.body, re.DOTALL)[0]
    assert folded.count('name="choose"') == page.body.count('name="choose"') > FEW_CHOICES
    assert "<option" not in folded


def many_wards():
    """A game of City of Marble in which many wards may be laid."""
    games = (played("city_of_marble", moves) for moves in range(20, 60))
    return next(session for session in games if len(session.legal_actions()) > 3 * MOST_LISTED)


def kinds(page) -> list[str]:
    """The addresses that unfold the kinds of choices of a page."""
    return [unescape(address) for address in re.findall(r'<a href="([^"]*kind[^"]*)"', page.body)]


def test_many_choices_are_folded_by_kind_and_then_by_place_without_script(table_with_phones):
    table = table_with_phones(session=many_wards())
    phone = table.phone(table.session.actors[0])
    page = phone.post(button="help")
    legal = {action.text for action in table.presenter.legal}
    assert len(page.values("choose")) <= MOST_LISTED
    wards = next(address for address in kinds(page) if "ward" in address)
    assert len(kinds(page)) >= 1
    opened = phone.get(wards)
    assert 'aria-expanded="true"' in opened.body
    places = re.findall(r'<option value="([^"]*)"', re.search(r'<select name="site".*?</select>', opened.body)[0])
    assert {site for action in table.presenter.legal if "ward" in action.text for site in action.sites} == set(places)
    assert re.search(r'<form action="/#do" id="places">', opened.body)
    there = phone.get(f"/?site={places[0]}").values("choose")
    assert legal.intersection(there)
    assert phone.get("/").values("choose") == page.values("choose")


def test_choices_that_have_changed_meanwhile_are_folded_as_they_are_now(table_with_phones):
    table = table_with_phones(session=many_wards())
    phone = table.phone(table.session.actors[0])
    page = phone.post(button="help")
    assert phone.get("/?kind=Something+else").values("choose") == page.values("choose")
    assert "aria-expanded" not in phone.get("/?kind=Something+else").body


def test_the_history_is_a_page_of_its_own_that_its_link_shows_without_script(table):
    phone = table.phone(1)
    phone.post(choose="pass")
    page = phone.get()
    address = re.search(r'<a href="([^"]*)" aria-label="History"', page.body)[1]
    history = phone.get(address)
    assert "Player 1: pass" in history.text or "Player 1 passes" in history.text
    assert "<details" not in history.body
    assert "Back to the table" in history.text
    assert "/events?look=history" in history.body


def test_what_was_undone_is_struck_out_in_the_history(table):
    phone = table.phone(1)
    phone.post(choose="pass")
    told = phone.get("/?look=history").body
    assert '<li value="1">' in told
    assert "<del>" not in told
    phone.post(undo="latest")
    told = phone.get("/?look=history").body
    assert '<li value="1"><del>' in told
    assert '<li value="2"><del>' not in told


@pytest.mark.parametrize("header", ["HX_Current_URL", "Referer"])
def test_help_with_a_chosen_card_keeps_it_chosen(table, header):
    phone = holder(table)
    address = f"/{Focus(piece='floor-1').query}"
    page = phone.get(address)
    body = urlencode({"number": page.field("number"), "at": page.field("at"), "button": "help"})
    script = {"HX_Request": "true"} if header == "HX_Current_URL" else {}
    answer = phone.send(body, **{header: f"http://{table.service.address}{address}"}, **script)
    shown = answer if script else phone.get(answer.headers["location"])
    assert "floor-1 new new" in shown.values("choose")


def test_a_card_for_few_choices_shows_them_at_once(table):
    page = holder(table).get(f"/{Focus(piece='floor-1').query}")
    assert 'class="every"' not in page.body
    assert "floor-1 new new" in page.values("choose")


def test_choices_that_lie_nowhere_yet_show_what_they_are_about(table_with_phones):
    table = table_with_phones("city_of_marble", 2, art=True)
    page = table.phone(1).get()
    draws = re.findall(r'<button name="choose" value="draw [^"]*"[^>]*>(.*?)</button>', page.body, re.DOTALL)
    assert len(draws) > 3
    assert all(draw.count("<svg") == 2 for draw in draws)


def test_cards_that_lie_openly_are_named_beside_their_faces(table_with_phones):
    display = ["Ulm", "Basel", "Lodz", "Linz", "Passau", "Pilsen"]
    session = Session.create(None, table_of("thurn_and_taxis", 2), {"display": display})
    page = table_with_phones(session=session, art=True).phone().get()
    lying = re.search(r'<p class="chips supply">.*?</p>', page.body, re.DOTALL)[0]
    assert all(f"</svg>{name}</span>" in lying for name in display)


def test_what_lies_before_everybody_is_shown_as_chips_with_their_numbers(table_with_phones):
    page = table_with_phones("thurn_and_taxis", 2, art=True).phone().get()
    lying = re.search(r'<p class="chips supply">.*?</p>', page.body, re.DOTALL)[0]
    assert re.search(r'aria-label="deck \d+"><svg class="face"', lying)
    assert re.search(r'aria-label="next bonus tiles length 5: 2"><svg class="face"[^/]*/></svg>2</span>', lying)
    assert re.search(r'aria-label="next bonus tiles length 6: 3"><svg class="face"[^/]*/></svg>3</span>', lying)


def test_a_ward_just_drawn_stands_beside_the_face_of_its_colour_and_nothing_keeps_its_place(table_with_phones):
    session = played("city_of_marble", 6)
    session.submit(next(each for each in session.legal_actions() if isinstance(each, Draw)))
    page = table_with_phones(session=session, art=True).phone().get()
    drawing, other = re.findall(r'<p class="chips">.*?</p>', page.body, re.DOTALL)
    assert drawing.count("<sup>+1</sup>") + 2 * drawing.count("<sup>+2</sup>") == 2
    assert "<sup>" not in other
    for held, gone in ((drawing, ["blue"]), (other, ["red", "blue"])):
        assert re.findall(r'aria-label="atrium \d (\w+)', held) == ["red", "yellow", "green", "blue"]
        assert re.findall(r'aria-label="atrium 0 (\w+)" class="none"><svg', held) == gone


def test_the_end_says_who_has_won_and_by_what_and_the_sheet_has_a_column_for_each(table_with_phones):
    position = {"round": 4, "player": {"1": {"points": 30}, "2": {"points": 20}, "3": {"points": 10}}}
    table = table_with_phones(session=Session.create(None, table_of("capitol", 3), position))
    spectator = table.phone()
    table.presenter.on_end_early("Time is up")
    table.tick()
    body = spectator.get().body
    podium = re.search(r'<ol class="podium">.*?</ol>', body, re.DOTALL)[0]
    assert re.findall(r"<i>(.*?)</i>", podium) == ["", "", ""]  # nobody has a place where nobody has won
    assert re.findall(r"<b>(.*?)</b>", podium) == ["30", "20", "10"]
    heads = re.findall(r"<th[ >]", body)
    assert len(heads) == 1 + 3


def test_a_stranger_is_shown_no_way_back_and_a_phone_is(table):
    stranger, phone = table.phone(), table.phone()
    stranger.cookie = ""
    page = stranger.get()
    assert page.status == 403
    assert "Scan the code on the tablet" in page.text
    assert "Back to the table" not in page.text
    assert "Back to the table" in phone.get("/nothing").text


def test_phones_show_points_already_won_and_not_what_the_end_would_take_off(table_with_phones):
    table = table_with_phones("thurn_and_taxis", 2)
    page = table.phone(1).get()
    points = re.search(r'<ul class="points">(.*?)</ul>', page.body)[1]
    assert re.findall(r"-?\d+", re.sub(r"<[^>]*>", " ", points)) == ["0", "0"]
    assert "-20" not in page.text


def test_players_discs_have_the_letters_that_are_printed_in_every_language(table):
    phone = table.phone(1)
    use_language("it")
    try:
        body = phone.get().body
    finally:
        use_language("en")
    assert "Lascia questo posto" in body
    letters = set(re.findall(r"<text[^>]*>(.)</text></g>", body))
    assert letters == {seal_of(table.presenter.board, player.colour).letter for player in table.session.table.players}


def test_of_cards_that_are_alike_one_is_chosen(table):
    holder(table)
    (phone,) = (phone for phone, _number, _seat in table.service.seated())
    shown = table.service._phones.roster.shown(phone)
    held = next(piece for piece in shown.view.hand if piece.name == "floor-1")
    alike = replace(shown, view=replace(shown.view, hand=(held, held)))
    page = main_part(alike, table.presenter.board, None, Focus(piece="floor-1"))
    assert page.count("chosen") == 1


def test_a_seat_is_asked_for_before_the_board_while_one_is_free_and_never_after_the_end(table):
    spectator, first = table.phone(), table.phone(1)
    body = spectator.get().body
    assert body.index("Which seat is yours?") < body.index('class="players"')
    table.phone(2)
    table.phone(3)
    body = spectator.get().body
    assert body.index("Which seat is yours?") > body.index('class="players"')
    assert first.get().body.index("Give up this seat") > first.get().body.index('class="players"')
    table.presenter.on_end_early("Time is up")
    table.tick()
    assert "Which seat is yours?" not in spectator.get().text


def test_a_heading_does_not_say_what_its_only_choice_says(table):
    page = holder(table).get()
    assert 'value="pass"' in page.body
    assert "<h2>Pass</h2>" not in page.body


def test_what_is_forbidden_is_folded_where_something_is_allowed(table_with_phones):
    table = table_with_phones("city_of_marble", 2)
    phone = table.phone(1)
    allowed = next(action.sites[0] for action in table.presenter.legal if action.sites)
    page = phone.get(f"/?site={allowed}")
    folded = re.search(r"<details><summary>[^<]*why not[^<]*</summary>.*?</details>", page.body)[0]
    assert folded.count("forbidden") == page.body.count('class="forbidden"') + page.body.count("choice forbidden")
    sites = {site for action in table.presenter.legal for site in action.sites}
    elsewhere = next(
        spot.site for spot in table.presenter.board.spots.values()
        if spot.site not in sites and illegal_gestures(table.session, spot.site)
    )  # fmt: skip
    there = phone.get(f"/?site={elsewhere}")
    assert re.search(r"<h2>[^<]*why not", there.body)
    forbidden = re.findall(r'<button name="choose"[^>]*forbidden.*?</button>', there.body)
    assert len(forbidden) > 1
    assert all("<small>" in button for button in forbidden)
    assert "For the same reason." in forbidden[1]


def test_a_reason_that_holds_for_several_kinds_of_actions_is_told_of_one(table_with_phones):
    table = table_with_phones("aqua_romana", 2)
    page = table.phone(1).get("/?site=C2/E")
    assert page.text.count("First the builders are placed on the path") == 1
    assert "Tile C2" not in page.text


def test_where_a_held_card_may_not_go_says_why_and_only_on_the_own_phone(table):
    phone, other = holder(table), table.phone(2)
    page = phone.get(f"/{Focus('Quirinal/1', 'white-3').query}")
    why_not = re.search(r"<h2>Quirinal 1: why not\?</h2>.*?</section>", page.body)[0]
    asked = re.findall(r'value="(white-3 [^"]* Quirinal/1)"', why_not)
    assert asked
    assert "Or choose from a list of" in page.text
    assert "Quirinal is a black area, and the permit is white." in phone.post(page=page, choose=asked[0]).text
    assert "Refused on the phone." in other.get().text
    assert "White permit 3" not in other.get().text
    assert not table.session.moves


def accepted(phone) -> str:
    return re.search(r'<div class="card accepted".*?</div></div>', phone.get().body)[0]


def test_who_waits_sees_what_the_latest_turn_laid_as_pictures_after_it_has_ended(table_with_phones):
    table = table_with_phones("city_of_marble", 2, art=True)
    first, second = table.phone(1), table.phone(2)
    laid = next(action.text for action in table.presenter.legal if action.text.startswith("ward "))
    drawn = next(action.text for action in table.presenter.legal if action.text.startswith("draw "))
    for action in (drawn, laid, "end"):
        first.post(choose=action)
    assert table.session.actors == (2,)
    for row in (accepted(first), accepted(second)):
        assert 'class="seal"' in row
        assert '<svg class="face"' in row
        assert "End the turn" not in row
        assert table.presenter.view().moves[0].text in unescape(row)


def test_the_phone_that_acted_shows_the_pieces_of_its_latest_action_and_not_those_of_the_one_before(table_with_phones):
    table = table_with_phones("city_of_marble", 2, art=True)
    first, second = table.phone(1), table.phone(2)
    laid = next(action.text for action in table.presenter.legal if action.text.startswith("ward "))
    first.post(choose=laid)
    lying = re.findall(r'href="#(f\d+)"', accepted(first))
    drawn = next(action.text for action in table.presenter.legal if action.text.startswith("draw "))
    first.post(choose=drawn)
    mine, other = (re.findall(r'class="face".*?href="#(\w+)"', accepted(phone)) for phone in (first, second))
    assert lying
    assert mine
    assert not set(lying).intersection(re.findall(r'href="#(f\d+)"', accepted(first)))
    assert len(mine) == len(other) == 2


def test_a_pass_is_told_and_not_an_earlier_move_of_another(table):
    first, second = table.phone(1), table.phone(2)
    first.post(choose="floor-3 nothing")
    second.post(choose="pass")
    assert "Pass" in re.sub(r"<[^>]*>", "", accepted(second))


def test_what_is_left_stands_beside_the_points_if_it_is_one_thing(table_with_phones):
    page = table_with_phones("capitol", 2, art=True).phone(1).get()
    points = re.search(r'<ul class="points">.*?</ul>', page.body)[0]
    assert points.count("<li") == 3
    assert '<svg class="face"' in points
    assert points.endswith("78</span></ul>")


def test_four_players_points_fill_their_row(table_with_phones):
    page = table_with_phones("capitol", 4, art=True).phone(1).get()
    assert re.search(r'<ul class="points">.*?</ul>', page.body)[0].count("<li") == 4
