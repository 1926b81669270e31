"""What a browser shows of a connection that is lost, closed by the table or not allowed any more."""

import pytest

from tests.ui.chromium import CHROMIUM
from tests.ui.web.browsing import SIZES, sit, until
from ui.services.text import use_language

pytest.importorskip("playwright.sync_api", reason="the Python package playwright is not installed")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]


def test_a_lost_connection_is_said_and_the_page_comes_back(visit):
    seen = []

    def play(browser):
        table = browser.table
        page = browser.phone()
        sit(browser, page, 1)
        assert not page.locator(".gone").is_visible()
        server = table.service._server
        server.stop()
        page.locator(".gone").wait_for(state="visible")
        seen.append(page.locator(".gone").inner_text())
        assert page.locator("header.mine").is_visible()
        server.start("127.0.0.1", table.port)
        page.locator(".gone").wait_for(state="hidden", timeout=60_000)
        seen.append(page.locator("h1").inner_text())

    visit(play)
    assert seen == ["The connection is lost: back in a moment.", "Your turn"]


def test_a_tap_that_does_not_reach_the_table_is_told_until_one_does(visit):
    seen = []

    def play(browser):
        page = browser.phone()
        sit(browser, page, 1)
        presenter = browser.table.presenter
        page.context.set_offline(True)
        page.locator('button[name=button][value^="help"]').tap()
        page.locator(".told").wait_for(state="visible")
        seen.append(page.locator(".told").inner_text())
        assert not presenter.shows_all
        page.context.set_offline(False)
        page.locator('button[name=button][value^="help"]').tap()
        until(lambda: presenter.shows_all, "the tap has not reached the table")
        page.locator(".told").wait_for(state="hidden")

    visit(play)
    assert seen == ["Your tap did not arrive: tap once more."]


@pytest.mark.parametrize("status", [503, 500])
def test_a_post_that_is_refused_in_another_program_s_words_is_told(visit, status):
    def play(browser):
        page = browser.phone()
        sit(browser, page, 1)
        refuse = {"status": status, "content_type": "text/plain", "body": "Service Unavailable"}
        page.route("**/do*", lambda route: route.fulfill(**refuse))
        page.locator('button[name=button][value^="help"]').tap()
        page.locator(".told").wait_for(state="visible")
        page.wait_for_timeout(300)
        assert page.locator(".told").is_visible()

    visit(play)


def test_all_of_a_page_speaks_another_language_when_the_table_does(visit):
    def play(browser):
        page = browser.phone()
        sit(browser, page, 1)

        def speak_german():
            use_language("de")
            browser.table.presenter.tell_anew()

        browser.at_table(speak_german)
        page.locator('html[lang="de"]').wait_for()
        page.locator(".gone").filter(has_text="Verbindung").wait_for(state="attached")

    try:
        visit(play)
    finally:
        use_language("en")


def test_a_table_that_closes_its_pages_on_purpose_says_so_and_they_come_back_when_it_opens_them(visit):
    seen = []

    def play(browser):
        service, port = browser.table.service, browser.table.port
        page = browser.phone()
        sit(browser, page, 1)
        browser.table.loop.serve_phones = lambda _loop: service.close()
        page.locator(".gone").wait_for(state="visible")
        until(lambda: not service.is_on, "the table has not closed its pages")
        seen.append(page.locator(".gone").inner_text())
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        assert page.locator("header.mine").is_visible()
        browser.table.loop.serve_phones = lambda _loop: service.open("127.0.0.1", port)
        page.locator(".gone").wait_for(state="hidden", timeout=60_000)
        page.locator("header.mine").wait_for()
        seen.append(page.locator(".gone").text_content())

    visit(play)
    assert seen == ["The table has closed its phones' page.", "The connection is lost: back in a moment."]


@pytest.mark.parametrize("size", SIZES)
def test_at_the_entrance_nothing_touches_what_is_beside_it(visit, size):
    seen = []

    def look(browser):
        service, page = browser.table.service, browser.phone(size)
        sit(browser, page, 1)
        browser.at_table(lambda: service.revoke(service.seated()[0][0]))
        page.locator("input[name=code]").wait_for(timeout=30_000)
        for above, below in (("p.said", "form.card"), ("input[name=code]", "form.card button")):
            upper, lower = page.locator(above).bounding_box(), page.locator(below).bounding_box()
            seen.append(lower["y"] - upper["y"] - upper["height"])

    visit(look)
    assert len(seen) == 2
    assert all(gap >= 8 for gap in seen), seen


def test_a_phone_whose_key_was_taken_away_is_told_so_and_to_scan_again(visit):
    seen = []

    def play(browser):
        service, page = browser.table.service, browser.phone()
        sit(browser, page, 1)
        browser.at_table(lambda: service.revoke(service.seated()[0][0]))
        page.locator("header.mine").wait_for(state="detached", timeout=30_000)
        seen.append(page.locator("body").inner_text())

    visit(play)
    assert "The seat of this phone was taken back on the tablet: to sit down again, scan the code there." in seen[0]
