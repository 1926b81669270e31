"""The board on a phone's page: the app's own scene, in the printed pictures, which weigh little."""

import gzip
import re
from dataclasses import replace
from html import unescape
from random import Random
from urllib.parse import quote, unquote, urlencode

import pytest

from companion.registry import GAMES, load_game, print_and_play_board
from companion.session.session import Session
from tests.every_game import at_most
from tests.tables import table_of
from tests.ui.web.visiting import PhoneTable
from ui.drawing import marks
from ui.drawing.board_frame import shown_part, site_centre
from ui.services.text import site_name, use_language
from ui.view_models.phone_view import PhoneChoice
from ui.web.board_svg import SvgBoard, Symbols
from ui.web.pages import Focus
from ui.web.table_page import main_part

LIGHT = 150_000
"""bytes of a page with all that it loads, compressed"""
HAND = ("floor-3", "floor-4", "red-1", "red-2", "white-3", "white-4", "roof-1", "roof-2")


def played(game_id: str, moves: int, seats: int = 2) -> Session:
    """A game after some moves, of which most lie on the board."""
    session, chance = Session.create(None, table_of(game_id, seats)), Random(5)
    while len(session.moves) < moves and session.actors:
        legal = session.legal_actions()
        session.submit(
            chance.choice([each for each in legal if not isinstance(each, session.game.info.unseen)] or legal)
        )
    return session


def faces(body: str) -> list[str]:
    """The printed faces that a page draws."""
    return re.findall(r'<use href="#(f\d+)"', body)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_page_with_all_that_it_loads_is_light(table_with_phones, game_id):
    table = table_with_phones(session=played(game_id, at_most(game_id, 40)), art=True)
    page = table.phone(table.session.actors[0]).get()
    loaded = set(re.findall(r'(?:src|href)="(/(?:static|art)/[^"]+)"', page.body))
    loaded |= set(re.findall(r"url\((/static/[^)]+)\)", page.body))
    assert any(name.startswith("/art/") for name in loaded)
    weights = [len(gzip.compress(page.body.encode()))]
    for name in loaded:
        answer = table.phone().get(name, Accept_Encoding="gzip")
        assert answer.status == 200
        assert "immutable" in answer.headers["cache-control"]
        weights.append(int(answer.headers["content-length"]))
    assert sum(weights) <= LIGHT
    assert len(page.body.encode()) <= 40_000


@pytest.mark.parametrize("game_id", GAMES)
def test_the_first_page_of_a_full_table_is_small_before_anything_is_told(table_with_phones, game_id):
    phone = table_with_phones(
        session=Session.create(None, table_of(game_id, load_game(game_id).info.seats[1])), art=True
    ).phone(1)
    sizes = []
    for language in ("de", "it", "en"):
        use_language(language)
        phone.post(button="next")  # the page is made anew, in the language
        sizes += [len(phone.get(path).body.encode()) for path in ("/", "/?look=board")]
    assert max(sizes) <= 40_000, sizes


@pytest.mark.parametrize("game_id", GAMES)
def test_every_piece_is_drawn_by_its_printed_face_and_every_face_is_there(table_with_phones, game_id):
    table = table_with_phones(session=played(game_id, 150), art=True)
    page = table.phone().get()
    on_board = [each for each in table.presenter.view().pieces if each.spot in table.presenter.board.spots]
    assert len(faces(page.body)) >= len(on_board) > 0
    assert set(re.findall(r'<use href="#(\w+)"', page.body)) <= set(re.findall(r' id="(\w+)"', page.body))


def test_a_board_whose_pictures_are_not_there_is_drawn_in_plain_colours(table_with_phones):
    table = table_with_phones(session=played("city_of_marble", 10))
    page = table.phone().get()
    assert faces(page.body) == []
    assert "/art/" not in page.body
    assert page.body.count("<text ") > 10


def test_pages_are_told_when_the_pictures_are_there(table_with_phones):
    table = table_with_phones("city_of_marble", 2, art=True, waits_for_art=False)
    stream = table.phone().stream()
    while "/art/" not in stream.event()[1]:
        pass
    stream.close()


def test_places_to_touch_lie_where_the_board_has_them(table_with_phones):
    table = table_with_phones(session=played("capitol", 2), art=True)
    page = table.phone(table.session.actors[0]).get()
    sites = {unquote(site) for site in re.findall(r'href="/\?site=([^"]+)#do"', page.body)}
    choices = table.service._phones._views.choices(table.session.actors[0])
    assert sites == {site for choice in choices for site in choice.sites}


def test_many_places_are_not_marked_before_it_is_asked_what_may_be_done(table_with_phones):
    table = table_with_phones("city_of_marble", 2)
    phone = table.phone(table.session.actors[0])
    green = marks.LEGAL_GREEN
    colour = "#{:02x}{:02x}{:02x}".format(*(round(255 * part) for part in green[:3]))
    assert colour not in phone.get().body
    phone.post(button="help")
    assert colour in phone.get().body
    assert colour in phone.get(f"/?kind={quote('Play a ward')}").body


def test_the_board_alone_is_a_page_of_its_own_that_follows_the_table(table_with_phones):
    table = table_with_phones("capitol", 2)
    phone, other = table.phone(1), table.phone(2)
    page = other.get("/?look=board")
    assert 'class="whole"' in page.body
    assert "/events?look=board" in page.body
    assert 'name="number"' not in page.body
    stream = other.stream("/events?look=board")
    assert "Player 1" in stream.event()[1]
    phone.post(choose="pass")
    assert "Your turn" in stream.event()[1]
    stream.close()


def test_cards_in_a_hand_are_seen_on_their_owners_phone_only(table_with_phones):
    table = table_with_phones("capitol", 2, art=True)
    first, second = table.phone(1), table.phone(2)
    first.post(hand="told", piece=HAND)
    body = first.get().body
    assert re.findall(r'alt="([^"]+)" class="card-face"', body)[:8] == [
        "floor card 3", "floor card 4", "red permit 1", "red permit 2", "roof card 1", "roof card 2", "white permit 3",
        "white permit 4",
    ]  # fmt: skip
    pictures = set(re.findall(r'src="(/art/[^"]+)"', body))
    assert len(pictures) == len(HAND)
    assert not pictures & set(re.findall(r'src="(/art/[^"]+)"', second.get().body))
    assert first.get(pictures.pop()).headers["content-type"] == "image/webp"


def test_the_board_is_drawn_nearer_where_only_a_part_of_it_matters():
    board = print_and_play_board("capitol")
    drawing = SvgBoard(board, None, Symbols(board, None))
    sites = list(board.groups["Quirinal"].sites)
    left, top, right, bottom = drawing.part_around(sites)
    whole = shown_part(board)
    assert right - left < 0.8 * (whole[2] - whole[0])
    assert (right - left) / (bottom - top) == pytest.approx((whole[2] - whole[0]) / (whole[3] - whole[1]))
    for site in sites:
        x, y = site_centre(board, site)
        assert left < x < right
        assert top < y < bottom
    assert drawing.part_around(site for group in board.groups.values() for site in group.sites) is None
    assert drawing.part_around(["nowhere"]) is None


def test_the_likeliest_half_of_a_board_is_where_most_of_the_places_are():
    board = print_and_play_board("capitol")
    drawing = SvgBoard(board, None, Symbols(board, None))
    assert min(drawing.likeliest_of(["Capitoline/1", "Caelian/4", "Caelian/5", "Caelian/6"])) > 0.7
    assert max(drawing.likeliest_of(["Capitoline/1", "Capitoline/2", "Caelian/6"])) < 0.3
    assert drawing.likeliest_of(["nowhere"]) is None


def test_a_card_that_may_be_played_all_over_the_board_shows_a_half_of_it_to_be_moved(table_with_phones):
    table = table_with_phones("capitol", 2, art=True)
    phone = table.phone(1)
    phone.post(hand="told", piece=list(HAND))
    assert 'class="near"' not in phone.get().body
    shown = re.search(r'class="near" data-near="(\S+) (\S+)"', phone.get("/?piece=white-3").body)
    assert all(0.25 <= float(share) <= 0.75 for share in shown.groups())
    assert 'class="near"' not in phone.get("/?site=Capitoline%2F2&piece=white-3").body


def test_a_chosen_card_stays_chosen_on_the_board_alone(table_with_phones):
    table = table_with_phones("capitol", 2, art=True)
    phone = table.phone(1)
    phone.post(hand="told", piece=list(HAND))
    (larger,) = re.findall(r'href="(/\?[^"]*look=board)"', phone.get("/?piece=white-3").body)
    whole = phone.get(unescape(larger)).body
    touched = re.findall(r'href="(/\?site=[^"]*)#do"', whole)
    assert touched
    assert all("piece=white-3" in unescape(address) for address in touched)
    assert 'href="/?piece=white-3"' in whole


def test_a_hand_of_many_cards_is_a_fan_that_scrolls_what_may_be_played_first(table_with_phones):
    table = table_with_phones("capitol", 2, art=True)
    table.phone(1).post(hand="told", piece=list(HAND))
    (key,) = (phone for phone, _number, _seat in table.service.seated())
    shown, art = table.service._phones.roster.shown(key), table.service._phones.roster.art

    def held(*playable: str) -> list[str]:
        choices = tuple(PhoneChoice(piece, piece, piece=piece) for piece in playable)
        page = main_part(replace(shown, view=replace(shown.view, choices=choices)), table.presenter.board, art, Focus())
        assert 'class="hand row fanned"' in page
        return re.findall(r'name="piece" value="([^"]+)"><', page)

    assert held("white-3", "red-2")[:2] == ["red-2", "white-3"]
    assert set(held("white-3")) == set(HAND)


def test_a_board_with_few_places_to_touch_is_drawn_nearer_and_the_whole_of_it_is_one_touch_away(table_with_phones):
    table = table_with_phones("capitol", 2, art=True)
    table.phone(1)
    (key,) = (phone for phone, _number, _seat in table.service.seated())
    shown, board = table.service._phones.roster.shown(key), table.presenter.board
    art = table.service._phones.roster.art

    def width(sites: tuple[str, ...]) -> float:
        choices = (PhoneChoice("somewhere", "Somewhere", sites=sites),)
        page = main_part(replace(shown, view=replace(shown.view, choices=choices)), board, art, Focus())
        assert 'href="/?look=board"' in page
        drawn = re.search(r'viewBox="([^"]*)" role="img" aria-label="The board"', page)[1]
        assert f'class="touch" viewBox="{drawn}"' in page
        return float(drawn.split()[2])

    quirinal = tuple(board.groups["Quirinal"].sites)
    assert width(quirinal[:3]) < 200
    assert width(quirinal) == width(("Capitoline/1", "Caelian/7")) == 344


def test_a_choice_shows_what_it_lays(table_with_phones: PhoneTable):
    table = table_with_phones("city_of_marble", 2, art=True)
    phone = table.phone(1)
    ward = next(action for action in table.session.legal_actions() if type(action).__name__ == "PlayWard")
    page = phone.get(f"/?site={ward.sites[0]}")
    button = re.search(rf'<button name="choose" value="{re.escape(ward.text)}".*?</button>', page.body)[0]
    assert len(faces(button)) >= 1
    assert 'class="choice"' in button


@pytest.mark.parametrize("game_id", GAMES)
def test_the_button_that_enlarges_the_board_hides_nothing_that_is_printed_there(table_with_phones, game_id):
    body = table_with_phones(game_id, 2, art=True).phone(1).get().body
    sheet = re.search(r'<div class="sheet".*?</div>', body, re.DOTALL)[0]
    assert "look=board" not in sheet
    assert body.count("look=board") == 1


def touched(drawing: SvgBoard, site: str, beside: tuple[float, float] = (0.0, 0.0)) -> str:
    """Where a page says that a site was touched, so many units `beside` its middle."""
    x, y = drawing._frame.pixel(site_centre(drawing.board, site))
    return f"{x + beside[0]:.1f},{beside[1] - y:.1f},22"


@pytest.mark.parametrize("game_id", GAMES)
def test_a_touched_point_of_the_board_is_the_place_under_the_finger_or_near_it(table_with_phones, game_id):
    table = table_with_phones(session=played(game_id, 6), art=True)
    phone = table.phone(table.session.actors[0])
    drawing = SvgBoard(table.presenter.board, None, Symbols(table.presenter.board, None))
    sites = [unquote(site) for site in re.findall(r'href="/\?site=([^"#&]*)', phone.get().body)]
    for site in sites[:3]:
        chosen = phone.get(f"/?site={quote(site)}").values("choose")
        assert chosen
        assert phone.get(f"/?at={touched(drawing, site)}").values("choose") == chosen
    elsewhere = {spot.site for spot in table.presenter.board.spots.values()} - set(sites)
    nothing = next(
        (site for site in sorted(elsewhere) if table.service._phones._views.forbidden_at(site, table.session.actors[0])
         and drawing.site_at(tuple(map(float, touched(drawing, site).split(",")[:2])), 0, sites) == site),
        None,
    )  # fmt: skip
    if nothing is not None:
        why_not = f"{site_name(table.presenter.texts, nothing)}: why not?"
        assert why_not in phone.get(f"/?at={touched(drawing, nothing)}").text


@pytest.mark.parametrize("at", ["", "1", "1,2", "1,2,3,4", "nan,1,1", "1e9,1,1", "99999,1,1", "-1,-1,1", "1,2,<b>"])
def test_no_point_of_the_board_is_a_page_as_well(table_with_phones, at):
    phone = table_with_phones("capitol", 2, art=True).phone(1)
    assert phone.get(f"/?at={quote(at)}").values("choose") == phone.get().values("choose")


def test_a_touch_beside_a_small_place_means_it(table_with_phones):
    table = table_with_phones("aqua_romana", 2, art=True)
    phone = table.phone(1)
    drawing = SvgBoard(table.presenter.board, None, Symbols(table.presenter.board, None))
    there = phone.get(f"/?at={touched(drawing, 'path/4', (0, -12))}")
    assert there.values("choose") == phone.get("/?site=path/4").values("choose") != phone.get().values("choose")


def test_a_building_beside_the_board_is_a_tower_with_a_line_for_each_storey(table_with_phones):
    found = set()
    for moves in range(30, 90, 20):
        page = table_with_phones(session=played("capitol", moves), art=True).phone().get()
        drawn = r'aria-label="(unfinished|completed) (?:\d (?=\d))?(\d)[^"]*"><svg class="face"[^>]*>(.*?)</svg>'
        for name, storeys, parts in re.findall(drawn, page.body):
            tower, *on_top = re.findall(r'<use href="#(\w+)"', parts)
            shape = re.search(rf'<g id="{tower}">(.*?)</g>', page.body)[1]
            assert (shape.count("<use "), len(on_top)) == (int(storeys), name == "completed")
            found.add((name, storeys))
    assert {name for name, _storeys in found} == {"unfinished", "completed"}
    assert len(found) > 2


def test_what_was_looked_at_is_done_with_once_something_is_done(table_with_phones):
    table = table_with_phones("aqua_romana")
    phone = table.phone(1)
    first, second = [action for action in table.presenter.legal if action.sites][:2]
    page = phone.get(f"/?{urlencode({'site': first.sites[0]})}")
    address = unescape(re.search(r'sse-connect="([^"]+)"', page.body)[1])
    looked_at = f'action="/do?{urlencode({"site": first.sites[0]})}"'
    stream = phone.stream(address)
    phone.post(button="help")
    assert looked_at in stream.event()[1]
    phone.post(choose=second.text)
    assert looked_at not in stream.event()[1]
    stream.close()
    stream = phone.stream(address, last_event_id="an-older-1")
    assert looked_at not in stream.event()[1]
    stream.close()
