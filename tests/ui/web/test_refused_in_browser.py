"""What a page with script shows of an answer by which the table refuses a tap or the events."""

import threading

import pytest

from tests.ui.chromium import CHROMIUM
from tests.ui.web.browsing import PATIENCE, sit, until
from ui.web import site, streams

pytest.importorskip("playwright.sync_api", reason="the Python package playwright is not installed")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]

BUSY = "The table is busy: look again in a moment."
IS_SEEN = """each => {
    const box = each.getBoundingClientRect();
    return box.top >= 0 && box.bottom <= document.querySelector(".buttons").getBoundingClientRect().top + 1;
}"""


def test_a_tap_that_a_busy_table_does_not_answer_is_told_until_the_page_follows(visit, monkeypatch):
    monkeypatch.setattr(site, "TABLE_SECONDS", 0.5)
    seen = []

    def play(browser):
        page, is_free = browser.phone(), threading.Event()
        sit(browser, page, 1)
        page.evaluate("scrollTo(0, 9999)")
        browser.at_table(lambda: is_free.wait(PATIENCE))
        for _again in range(2):
            with page.expect_response("**/do"):
                page.evaluate("document.querySelector('button[value=pass]').click()")
            page.get_by_text(BUSY).wait_for()
        until(lambda: page.get_by_text(BUSY).evaluate(IS_SEEN), "the sentence was out of view")
        seen.append(page.get_by_text(BUSY).count())
        seen.append(page.locator("#said").count() + page.locator("header.mine").count())
        is_free.set()
        page.locator("header:not(.mine)").wait_for()
        seen.append(page.get_by_text(BUSY).count())

    table, complaints = visit(play)
    assert seen[0] == 1
    assert seen[1] >= 1
    assert seen[2] == 0
    assert [entry.action for entry in table.session.entries] == ["pass"]
    assert complaints == []


def test_a_damaged_request_is_told_and_the_page_stays(visit):
    seen = []

    def play(browser):
        page = browser.phone()
        sit(browser, page, 1)
        page.evaluate("document.querySelectorAll('input[name=at]').forEach(each => { each.value = 'x'; })")
        page.locator('button[name=choose][value="pass"]').tap()
        page.get_by_text("The request is damaged").wait_for()
        seen.append(page.locator("header.mine").is_visible())

    _table, complaints = visit(play)
    assert seen == [True]
    assert len(complaints) == 1
    assert "status of 400" in complaints[0]


def test_a_page_too_many_says_so_and_follows_as_soon_as_it_may(visit, monkeypatch):
    seen = []

    def play(browser):
        first, second = browser.phone(), browser.phone()
        until(lambda: len(browser.table.service._server._streams) == 2, "the pages are not open")
        monkeypatch.setattr(streams, "MOST_STREAMS", 2)
        third = browser.phone()
        third.get_by_text("Too many pages are open at this table: close some.").wait_for()
        assert third.locator("button[name=seat]").first.is_visible()
        seen.append(first.locator(".gone").is_visible())
        second.close()
        third.locator(".gone").wait_for(state="hidden")
        seen.append(third.locator(".gone").text_content())

    _table, complaints = visit(play)
    assert seen == [False, "The connection is lost: back in a moment."]
    assert complaints
    assert all(("status of 503" in each and "/events?" in each) or "/htmx" in each for each in complaints), complaints
