"""What a browser shows of a hand of many cards, of a board on which a card may be played all over, of both at night."""

import pytest

from tests.ui.chromium import CHROMIUM
from tests.ui.web.browsing import SIZES, sit

pytest.importorskip("playwright.sync_api", reason="the Python package playwright is not installed")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]
HAND = ["floor-1", "floor-2", "red-1", "red-2", "white-3", "white-4", "roof-1", "roof-2"]
START = {"player": {"1": {"hand": HAND}}}
MARKED = """links => {
    const frame = document.querySelector(".near").getBoundingClientRect();
    const within = each => {
        const box = each.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
        return x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
    };
    return [links.filter(within).length, links[0].getBoundingClientRect().width];
}"""
IS_SHOWN = """card => {
    const box = card.getBoundingClientRect();
    return box.left >= 0 && box.right <= innerWidth;
}"""


def test_a_chosen_card_is_in_view_and_the_board_larger_where_most_of_its_places_are(visit):
    seen = []

    def play(browser):
        page = browser.phone()
        sit(browser, page, 1)
        card = page.locator('a.held[href*="white-4"]')
        small = page.locator(".touch a").first.bounding_box()["width"]
        with page.expect_navigation():
            card.dispatch_event("click")
        page.locator(".near").wait_for()
        count, width = page.locator(".near .touch a").evaluate_all(MARKED)
        seen.extend([count >= 6, width > 1.6 * small, card.evaluate(IS_SHOWN)])
        page.locator(".near").evaluate("near => near.scrollTo(0, 0)")
        browser.at_table(lambda: browser.table.presenter.say("Something is said."))
        page.get_by_text("Something is said.").wait_for()
        seen.append(page.locator(".near").evaluate("near => [near.scrollLeft, near.scrollTop]"))

    _table, complaints = visit(play, start=START, art=True)
    assert seen == [True, True, True, [0, 0]]
    assert complaints == []


def test_in_the_dark_what_is_printed_is_dimmed_and_stays_where_it_was(visit):
    looks = []

    def play(browser):
        page = browser.phone()
        sit(browser, page, 1)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            for printed in (".sheet > svg", ".held .card-face"):
                style = "each => [getComputedStyle(each).filter, getComputedStyle(each).padding, each.clientWidth]"
                looks.append(page.locator(printed).first.evaluate(style))

    visit(play, start=START, art=True)
    (sheet, card), dark = looks[:2], looks[2:]
    assert [sheet[0], card[0]] == ["none", "none"]
    assert dark == [["brightness(0.75)", *sheet[1:]], ["brightness(0.75)", *card[1:]]]


@pytest.mark.parametrize("size", [(320, 568), *SIZES])
def test_a_fan_of_cards_is_within_the_page(visit, size):
    seen = []

    def look(browser):
        page = browser.phone(size)
        sit(browser, page, 1)
        page.locator(".fan .card-face").nth(5).wait_for()
        seen.append(page.evaluate("document.documentElement.scrollWidth"))
        seen.append(
            page.locator(".fan .card-face").last.evaluate("each => each.getBoundingClientRect().right") <= size[0]
        )

    visit(look, start={"player": {"1": {"hand": [*HAND[:5], "roof-1"]}}}, art=True)
    assert seen == [size[0], True]
