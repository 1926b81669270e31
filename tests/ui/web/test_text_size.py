"""Texts as large as the reader has chosen in the browser: they grow, and nothing is cut. A real browser."""

import pytest

from tests.ui.chromium import CHROMIUM, Chromium
from tests.ui.web.browsing import SIZES, seated_pair, sit
from ui.services.text import use_language

pytest.importorskip("playwright.sync_api", reason="the Python package playwright is not installed")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]

LARGE = 24
"""pixels that the reader has chosen for texts, where browsers have 16"""
FONTS = """() => ["body", "h1", ".prompt", "#hand h2", ".buttons > button", ".players summary"].map(
    each => parseFloat(getComputedStyle(document.querySelector(each)).fontSize))"""
CUT = """() => {
    const found = [], page = document.documentElement;
    if (page.scrollWidth > page.clientWidth) { found.push("the page scrolls sideways"); }
    for (const each of document.querySelectorAll("main :is(button, a, h1, h2, p, b, span, summary, small, li, td)")) {
        const box = each.getBoundingClientRect();
        if (!each.getClientRects().length || each.closest("svg, .row, .near, .whole")) { continue; }
        const isWide = each.clientWidth && each.scrollWidth > each.clientWidth + 1;
        if (box.left < -1 || box.right > page.clientWidth + 1 || isWide) { found.push("cut: " + each.textContent); }
    }
    const room = document.createElement("canvas").getContext("2d");
    for (const each of document.querySelectorAll("main select")) {
        room.font = getComputedStyle(each).font;
        const texts = [...each.options].map(option => room.measureText(option.text).width);
        if (Math.max(...texts) + 40 > each.clientWidth) { found.push("cut: " + each.innerText); }
    }
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode;
        if (text.parentElement.closest("option, svg, .row")) { continue; }
        for (const word of text.data.matchAll(/[^\\s\\u00ad-]{2,}/g)) {
            const range = document.createRange();
            range.setStart(text, word.index + 1); // the hyphen of the line above counts to the first letter
            range.setEnd(text, word.index + word[0].length);
            const boxes = [...range.getClientRects()].filter(box => box.width);
            if (new Set(boxes.map(box => Math.round(box.top))).size > 1) { found.push("broken: " + word[0]); }
        }
    }
    const bar = document.querySelector(".buttons");
    if (bar && Math.abs(bar.getBoundingClientRect().bottom - innerHeight) > 1) { found.push("the buttons are away"); }
    return found;
}"""


@pytest.fixture(scope="module")
def chromium():
    """A browser whose user has chosen larger texts."""
    chromium = Chromium(f"--blink-settings=defaultFontSize={LARGE}")
    yield chromium
    chromium.close()


@pytest.fixture
def speak():
    yield use_language
    use_language("en")


def test_texts_grow_with_what_the_reader_has_chosen(visit):
    fonts = []

    def look(browser):
        page = browser.phone()
        sit(browser, page, 1)
        fonts.extend(page.evaluate(FONTS))

    visit(look, art=True)
    assert fonts == [size * LARGE / 16 for size in (18, 22, 22, 17, 18, 19)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["en", "de", "it"])
@pytest.mark.parametrize("game_id", ["capitol", "city_of_marble"])
def test_nothing_is_cut_or_broken_where_texts_are_large(visit, speak, game_id, language, size):
    found = {}

    def look(browser):
        first, second = seated_pair(browser, size)
        address, presenter = f"http://{browser.table.service.address}", browser.table.presenter
        found["own turn"], found["another's"] = first.evaluate(CUT), second.evaluate(CUT)
        for path in ("/?look=board", "/rules", "/?look=history", first.locator(".touch a").first.get_attribute("href")):
            first.goto(address + path.partition("#")[0])
            found[path] = first.evaluate(CUT)
        first.goto(address)
        first.locator("button[value=help]").tap()
        first.locator(".buttons .strong, a.kind, #do button").first.wait_for()
        before = second.locator("input[name=at]").first.get_attribute("value")
        browser.at_table(lambda: presenter.act(next(each for each in presenter.legal if each.sites)))
        second.locator(f'input[name=at]:not([value="{before}"])').first.wait_for(state="attached")
        for name, page in (("afterwards", first), ("another's afterwards", second)):
            page.goto(address)
            found[name] = page.evaluate(CUT)

    speak(language)
    visit(look, game_id, art=True)
    assert {name: cut for name, cut in found.items() if cut} == {}
