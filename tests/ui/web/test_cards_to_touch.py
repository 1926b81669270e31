"""What a phone says and shows of a hand of which some cards may be played now: frames, a line, the route so far."""

import re

import pytest

from companion.games.thurn_and_taxis.actions import Play
from companion.registry import print_and_play_board
from companion.session.session import Session
from tests.tables import table_of
from tests.ui.chromium import CHROMIUM
from tests.ui.web.browsing import SIZES, sit
from ui.drawing.board_frame import shown_part, site_centre
from ui.web.board_svg import SvgBoard, Symbols

HAND = ["Nuernberg", "Passau", "Regensburg", "Stuttgart", "Wuerzburg"]
DISPLAY = ["Ulm", "Basel", "Lodz", "Linz", "Passau", "Pilsen"]
START = {"display": DISPLAY, "player": {"1": {"hand": HAND, "route": ["Linz"]}}}
TAKEN = ("take Ulm", "show Kempten")
AT_ITS_LEFT = """card => {
    const box = card.getBoundingClientRect();
    const there = document.elementFromPoint(box.left + 14, box.top + box.height / 2);
    return there !== null && there.closest("a.held") === card;
}"""


@pytest.fixture
def table(table_with_phones):
    session = Session.create(None, table_of("thurn_and_taxis", 2), START)
    table = table_with_phones(session=session, art=True)
    for action in TAKEN:
        session.submit(session.game.parse_action(action, session.state))
    table.tick()
    return table


def test_a_line_says_what_to_touch_and_the_cards_that_may_be_played_are_framed(table):
    page = table.phone(1).get()
    assert "Touch a framed card, or its place on the board." in page.text
    framed = re.findall(r'href="/\?piece=(\w+)#do" class="held"', page.body)
    off = re.findall(r'href="/\?piece=(\w+)#do" class="held off"', page.body)
    played = {action.card for action in table.session.legal_actions() if isinstance(action, Play)}
    assert set(framed) == played == {"Passau"}
    assert set(off) == {*HAND, "Ulm"} - played


def test_a_touched_card_that_may_not_be_played_says_so(table):
    phone = table.phone(1)
    assert "Nürnberg cannot be played now." in phone.get("/?piece=Nuernberg").text
    assert "cannot be played" not in phone.get("/?piece=Passau").text


def test_nothing_is_to_be_touched_while_another_plays(table):
    page = table.phone(2).get()
    assert "framed" not in page.text
    assert 'class="held off"' not in page.body


def test_the_map_of_a_chosen_card_shows_the_route_so_far(table_with_phones):
    route = {**START, "player": {"1": {"hand": HAND, "route": ["Pilsen", "Budweis", "Linz"]}}}
    table = table_with_phones(session=Session.create(None, table_of("thurn_and_taxis", 2), route), art=True)
    for action in TAKEN:
        table.session.submit(table.session.game.parse_action(action, table.session.state))
    board = table.presenter.board
    drawing = SvgBoard(board, None, Symbols(board, None))
    body = table.phone(1).get("/?piece=Passau").body
    assert 'class="near"' not in body
    left, top, width, height = map(
        float, re.search(r'viewBox="([^"]*)" role="img" aria-label="The board"', body)[1].split()
    )
    for site in (*table.presenter.view().path.sites, "city/Passau"):
        x, y = drawing._frame.pixel(site_centre(board, site))
        assert left < x < left + width
        assert top < -y < top + height


def test_around_one_place_at_least_a_half_of_the_board_is_seen():
    board = print_and_play_board("thurn_and_taxis")
    left, _top, right, _bottom = SvgBoard(board, None, Symbols(board, None)).part_around(["city/Passau"])
    whole = shown_part(board)
    assert right - left >= 0.49 * (whole[2] - whole[0])


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
@pytest.mark.parametrize("size", SIZES)
def test_each_card_of_the_fan_is_touched_at_the_part_of_it_that_is_seen(visit, size):
    pytest.importorskip("playwright.sync_api", reason="the Python package playwright is not installed")
    seen = []

    def look(browser):
        page = browser.phone(size)
        sit(browser, page, 1)
        session, act = browser.table.session, browser.table.presenter.act
        for action in TAKEN:
            browser.at_table(lambda action=action: act(session.game.parse_action(action, session.state)))
        page.locator("a.held").nth(5).wait_for()
        page.locator("#hand").scroll_into_view_if_needed()
        seen.extend(card.evaluate(AT_ITS_LEFT) for card in page.locator("a.held").all())

    visit(look, "thurn_and_taxis", start=START, art=True)
    assert seen == [True] * 6
