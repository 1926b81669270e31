"""The hub's pages in a real Chromium."""

import pytest

from tests.ui.chromium import CHROMIUM
from tests.ui.hub.publishing import until
from tests.ui.hub.visiting import Visitor, entered
from ui.services.text import use_language

pytest.importorskip("playwright.sync_api", reason="the Python package playwright is not installed")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]


def test_an_organiser_comes_in_and_follows_the_tables(hub, organiser, tables_at, chromium):
    complaints = []
    tables = tables_at(hub, "green", "blue")
    until(tables.arrived, "everything is acknowledged")

    def follow(browser):
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        entered(page, hub, organiser)
        page.locator("article#t-green .players li").first.wait_for()
        tables.play(0, 2)
        page.locator('article#t-green[data-at="green-1:2"]').wait_for()
        tables.tables[1].call_help(asked=True)
        page.locator("article#t-blue.help button", has_text="I’m coming").wait_for()
        page.locator("#tables > article#t-blue:first-child").wait_for()
        page.locator("article#t-blue button").click()
        page.locator("article#t-blue", has_text="The judge is coming").wait_for()
        page.locator("article#t-green h2 a").click()
        page.locator("#table-part .log li").nth(1).wait_for()
        tables.play(0)
        page.locator('#table-part[data-at="green-1:3"] .log li').nth(2).wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.set_viewport_size({"width": 360, "height": 640})
        for path in ("/", "/table/green", "/screen", "/register", "/refused"):
            page.goto(f"http://{hub.address}{path}")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert complaints == []
        page.goto(f"http://{hub.address}/")
        Visitor(hub.address, organiser).post("/leave/everywhere")
        page.locator("#password").wait_for()  # an open page notices that nobody is in any more

    chromium.run(follow)


def test_a_card_that_changes_while_it_is_pressed_is_clicked_all_the_same(hub, organiser, tables_at, chromium):
    tables = tables_at(hub, "green")
    until(tables.arrived, "everything is acknowledged")

    def press(browser):
        page = entered(browser.new_context().new_page(), hub, organiser)
        page.locator("article#t-green h2 a").hover()
        page.evaluate("addEventListener('htmx:sseBeforeMessage', () => { document.title = 'told' })")
        page.mouse.down()
        tables.play(0, 2)
        until(lambda: page.title() == "told", "the page has been told")
        page.mouse.up()
        page.wait_for_url("**/table/green")
        page.goto(f"http://{hub.address}/")
        page.locator("article#t-green h2 a").hover()
        page.mouse.down()
        tables.play(0)
        page.mouse.move(600, 500)
        page.mouse.up()
        page.locator('article#t-green[data-at="green-1:3"]').wait_for()

    chromium.run(press)


def test_what_an_organiser_writes_about_a_table_stays_while_it_plays(hub, organiser, tables_at, chromium):
    tables = tables_at(hub, "green")
    until(tables.arrived, "everything is acknowledged")

    def write(browser):
        page = entered(browser.new_context().new_page(), hub, organiser)
        page.goto(f"http://{hub.address}/table/green")
        page.locator('#table-part[data-at="green-1:0"]').wait_for()
        page.click(".organise summary")
        page.fill(".organise input[name=name]", "Half typ")
        tables.play(0, 3)
        page.locator('#table-part[data-at="green-1:3"]').wait_for()
        assert page.locator(".organise input[name=name]").is_visible()
        assert page.input_value(".organise input[name=name]") == "Half typ"

    chromium.run(write)


@pytest.mark.parametrize("language", ["en", "de", "it"])
def test_title_search_and_ways_stand_in_one_row_and_the_others_are_folded_up(
    hub, organise, organiser, chromium, language
):
    address = organise.new_event(name="Ides of March", tables=1)
    organise.post_form(f"{address}/players", names="Anna\nBea\nCleo")
    organise.post_form(f"{address}/draw")

    def look(browser):
        page = entered(browser.new_context(viewport={"width": 1280, "height": 800}).new_page(), hub, organiser)
        page.locator(f'.top a[href="{address}/standings"]').wait_for()
        for width in (1280, 1099, 900, 800):
            page.set_viewport_size({"width": width, "height": 800})
            parts = [part.bounding_box() for part in page.locator(".top > *, .top nav > *").all()]
            assert max(part["y"] for part in parts) < min(part["y"] + part["height"] for part in parts), width
            assert page.locator(".top h1").bounding_box()["height"] < 60
            assert page.locator(".search").bounding_box()["width"] >= 100
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
            assert min(each.bounding_box()["height"] for each in page.locator(".top nav .way:visible").all()) >= 48
        folded = page.locator('.more-ways a[href="/register"]')
        assert not folded.is_visible()
        page.click(".more-ways summary")
        box = folded.bounding_box()
        assert box["x"] + box["width"] <= 800
        folded.click()
        page.locator(".code").wait_for()

    use_language(language)
    try:
        chromium.run(look)
    finally:
        use_language("en")


def test_twelve_tables_fit_on_a_screen_and_one_call_is_the_strongest(hub, organiser, tables_at, chromium):
    games = ("capitol", "city_of_marble", "aqua_romana", "thurn_and_taxis")
    for at, game in enumerate(games):
        tables = tables_at(hub, *(f"{at}-{number}" for number in (1, 2, 3)), game=game)
        until(tables.arrived, "everything is acknowledged")
        if at < 2:
            tables.tables[0].call_help(asked=True)
            until(lambda at=at: hub.overview.table(f"{at}-1").wants_help, "the call is heard")

    def look(browser):
        page = entered(browser.new_context(viewport={"width": 1440, "height": 900}).new_page(), hub, organiser)
        page.locator("#tables article").nth(11).wait_for()
        boxes = [card.bounding_box() for card in page.locator("#tables article").all()]
        assert max(box["y"] + box["height"] for box in boxes) <= 900
        assert len({round(box["y"]) for box in boxes}) == 3
        boards = [board.bounding_box() for board in page.locator("#tables .sheet").all()]
        assert len({(round(box["width"]), round(box["height"])) for box in boards[2:]}) == 1
        seen = page.locator("#tables .strong").evaluate_all("all => all.map(one => getComputedStyle(one).boxShadow)")
        assert [look != "none" for look in seen] == [True, False]

    chromium.run(look)
