"""The four big buttons at the lower edge of a phone: always there, and no word of them is broken. A real browser."""

import pytest

from tests.ui.chromium import CHROMIUM
from tests.ui.web.browsing import SIZES, seated_pair, sit, until
from ui.services.text import use_language

pytest.importorskip("playwright.sync_api", reason="the Python package playwright is not installed")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]

WORDS = """[...document.querySelectorAll('.buttons button')].map(button => {
    const text = button.firstChild, lines = [];
    for (const word of text.data.matchAll(/\\S+/g)) {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        lines.push(range.getClientRects().length);
    }
    const box = button.getBoundingClientRect();
    return [text.data, Math.max(...lines), button.scrollWidth <= button.clientWidth, box.left >= 0 && box.width >= 48];
})"""
LOOK_STRONG = "isStrong => document.querySelector('.buttons > button').classList.toggle('strong', isStrong)"
EDGE = "innerHeight - document.querySelector('.buttons').getBoundingClientRect().bottom"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["en", "de", "it"])
def test_no_word_of_the_buttons_is_broken_where_a_turn_is_ended(visit, language, size):
    found = []

    def look(browser):
        page, presenter = browser.phone(size), browser.table.presenter
        sit(browser, page, 1)
        for done in range(1, 3):
            browser.at_table(lambda: presenter.act(next(each for each in presenter.legal if each.sites)))
            until(lambda: presenter.session.state_id == done, "nothing was done")  # noqa: B023
            at = f'input[name=at][value="{done}"]'
            page.locator(at).first.wait_for(state="attached")
        for is_strong in (True, False):
            page.evaluate(LOOK_STRONG, is_strong)
            found.extend(page.evaluate(WORDS))

    use_language(language)
    try:
        visit(look, "city_of_marble")
    finally:
        use_language("en")
    assert len(found) == 8
    assert found[3][0] == {"en": "End the turn", "de": "Den Zug beenden", "it": "Termina il turno"}[language]
    assert all(lines == 1 and fits and is_wide for _text, lines, fits, is_wide in found), found


@pytest.mark.parametrize("size", SIZES)
def test_the_buttons_stand_at_the_lower_edge_wherever_the_page_is(visit, size):
    edges = {}

    def look(browser):
        (first, second), presenter = seated_pair(browser, size), browser.table.presenter
        edges["own turn"], edges["another's"] = first.evaluate(EDGE), second.evaluate(EDGE)
        first.evaluate("scrollTo(0, 9999)")
        edges["scrolled down"] = first.evaluate(EDGE)
        browser.at_table(lambda: presenter.on_end_early("Time is up"))
        until(lambda: first.locator("h2.end").count() == 1, "the end was not shown")
        edges["end"] = first.evaluate(EDGE)

    visit(look, art=True)
    assert all(abs(edge) <= 1 for edge in edges.values()), edges
