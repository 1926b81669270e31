"""Long words of pages are parted with a hyphen where a line of a narrow phone does not hold them."""

import pytest

from tests.ui.chromium import CHROMIUM
from ui.services.text import LOCALE_FOLDER, language_in_use, use_language
from ui.web.hyphens import PARTED, SOFT_HYPHEN, with_soft_hyphens
from ui.web.markup import Html, element

ROOMLESS = """words => {
    const lines = (host, from, to) => {
        const range = document.createRange();
        range.setStart(host, from);
        range.setEnd(host, to);
        return new Set([...range.getClientRects()].filter(box => box.width).map(box => Math.round(box.top))).size;
    };
    const found = [], walker = document.createTreeWalker(document.getElementById("do"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode;
        for (const part of text.data.matchAll(/\\p{L}+/gu)) {
            const end = part.index + part[0].length; // the hyphen of the line above counts to the first letter
            const isBroken = part[0].length > 1 && lines(text, part.index + 1, end) > 1;
            const isListed = words.some(word => word.includes(part[0]) || part[0].includes(word));
            if (isBroken && isListed) { found.push(part[0]); }
        }
    }
    return [found, document.getElementById("do").innerText.includes("\\u00ad")];
}"""


@pytest.fixture
def german():
    use_language("de")
    yield
    use_language("en")


@pytest.mark.usefixtures("german")
def test_words_are_parted_in_texts_and_nowhere_else():
    html = element("a", "Eine Stockwerkkarte, zwei Siegpunktchips", href="/?kind=Stockwerkkarte", class_="Doppelkurve")
    parted = with_soft_hyphens(html)
    assert 'href="/?kind=Stockwerkkarte" class="Doppelkurve"' in parted
    assert f"Eine Stock{SOFT_HYPHEN}werk{SOFT_HYPHEN}karte, zwei Sieg{SOFT_HYPHEN}punkt{SOFT_HYPHEN}chips<" in parted
    option = Html("<select><option>Stockwerkkarte<option>Stockwerkkarte</select>")
    assert with_soft_hyphens(option) == option
    assert parted.replace(SOFT_HYPHEN, "") == html


def test_other_languages_stay_as_they_are():
    html = Html("<p>Stockwerkkarte</p>")
    assert language_in_use() == "en"
    assert with_soft_hyphens(html) == html


def test_words_are_those_of_the_catalogues():
    for language, listed in PARTED.items():
        texts = ""
        for domain in ("companion", "games", "rules"):
            texts += (LOCALE_FOLDER / language / "LC_MESSAGES" / f"{domain}.po").read_text().replace('"\n"', "")
        assert [word for word in listed if word.replace("-", "") not in texts] == []


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
@pytest.mark.usefixtures("german")
def test_a_long_word_has_its_hyphen_where_texts_are_large(visit):
    pytest.importorskip("playwright.sync_api", reason="the Python package playwright is not installed")
    seen = []

    def look(browser):
        page = browser.phone((240, 427))  # 360 pixels, enlarged by half
        page.locator('button[name=seat][value="1"]').tap()
        page.locator(".asks").first.wait_for()
        question = next(iter(browser.table.presenter.questions))
        browser.at_table(lambda: browser.table.presenter.on_choice(f"asked yes {question}"))
        page.locator("button[name=button]").first.wait_for()
        words = [word.replace("-", "") for word in PARTED["de"]]
        seen.extend(page.evaluate(ROOMLESS, words))
        seen.append(page.evaluate("document.documentElement.lang"))

    visit(look, "capitol", art=True)
    assert seen == [[], True, "de"]
