"""An event of 12 players at 4 tables in 3 rounds in a real Chromium, from the list to the printed standings."""

import pytest

from companion.publishing.signing import new_code
from tests.ui.chromium import CHROMIUM
from tests.ui.hub.event_tables import PLAYERS, AssignedTables
from tests.ui.hub.publishing import until
from tests.ui.hub.visiting import entered
from ui.hub import event_store, service
from ui.services.text import use_language

pytest.importorskip("playwright.sync_api", reason="the Python package playwright is not installed")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]


def test_an_event_from_the_list_to_the_printed_standings(
    hub_on, broker, opened, tmp_path, monkeypatch, chromium
) -> None:
    monkeypatch.setattr(service, "TICK", 0.1)
    monkeypatch.setattr(event_store, "FRESH", 0.1)
    hub = hub_on(str(tmp_path / "hub.sqlite"))
    code, complaints = new_code(), []
    hub.storing.tables.add_code(code)
    tables = AssignedTables(broker.address, ("blue", "green", "red", "white"), code)
    opened.append(tables)
    until(tables.registered, "all tables are registered")
    until(lambda: len(hub.overview) == 4, "the hub shows them")
    (tmp_path / "club.csv").write_text("name,club\n" + "".join(f"{name},Roma\n" for name in PLAYERS))

    def play(browser):
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        entered(page, hub, next(reversed(hub.first_passwords.values())))
        page.click("a.way:has-text('Events')")
        page.fill("input[name=name]", "Ides of March")
        page.select_option("select[name=game]", "aqua_romana")
        page.click("button:has-text('Create')")
        page.set_input_files("input[type=file]", tmp_path / "club.csv")
        page.click("button:has-text('Add players')")
        for number in (1, 2, 3):
            page.click(f"button:has-text('Draw round {number}')")
            page.locator("h2", has_text=f"Round {number}").wait_for()
            told = f"Draw round {number + 1}" if number < 3 else "All planned rounds are played."
            page.locator("#event-part", has_text=told).wait_for(timeout=60_000)
            assert page.locator(".seated article.finished").count() == 4
        address = page.url
        assert page.locator("tbody tr").count() == 12
        assert page.locator("tbody .laurel").count() >= 1
        with page.expect_download() as download:
            page.click("a:has-text('Page to print')")
        download.value.save_as(tmp_path / "standings.html")
        shown = page.locator("tbody td.who").all_inner_texts()
        for path in ("/event", "/judge", "", "/standings", "/cards/3", "/result/3/1"):
            page.set_viewport_size({"width": 360, "height": 640})
            page.goto(f"http://{hub.address}{path}" if path in ("/event", "/judge") else f"{address}{path}")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        printed = browser.new_context(offline=True).new_page()
        printed.goto((tmp_path / "standings.html").as_uri())
        rows = printed.locator("table").first.locator("tr:has(td) td:nth-child(2)")
        assert [row.strip() for row in rows.all_inner_texts()] == [name.strip() for name in shown]
        assert printed.pdf().startswith(b"%PDF")

    chromium.run(play)
    assert complaints == []


def test_pages_of_an_event_that_is_deleted_say_so_by_themselves(hub_on, tmp_path, chromium) -> None:
    hub = hub_on(str(tmp_path / "hub.sqlite"))

    def play(browser):
        pages = browser.new_context()
        organiser = pages.new_page()
        entered(organiser, hub, next(reversed(hub.first_passwords.values())), "/event")
        organiser.goto(f"http://{hub.address}/event")
        organiser.fill("input[name=name]", "Ides of March")
        organiser.click("button:has-text('Create')")
        address, others = organiser.url, [pages.new_page() for _ in range(2)]
        for page, path in zip(others, ("", "/standings"), strict=True):
            page.goto(f"{address}{path}")
            page.locator("h1", has_text="Ides of March").wait_for()
        organiser.goto(f"{address}/archive")
        organiser.check("input[name=sure]")
        organiser.click("button:has-text('Delete this event')")
        for page in others:
            page.locator("main", has_text="There is no such page.").wait_for(timeout=30_000)

    chromium.run(play)


def test_a_long_title_leaves_search_and_count_whole_and_what_is_found_has_a_margin(
    hub, organise, organiser, chromium
) -> None:
    address = organise.new_event(name="Ides of March", tables=1)
    organise.post_form(f"{address}/players", names="Anna\nBea\nCleo")
    organise.post_form(f"{address}/draw")

    def look(browser):
        page = entered(browser.new_context(viewport={"width": 1280, "height": 800}).new_page(), hub, organiser)
        page.goto(f"http://{hub.address}{address}/archive")
        for width in (1280, 1100, 900):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.locator(".top > p").bounding_box()["height"] < 40, width
            assert page.locator(".search").bounding_box()["width"] >= 120, width
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        page.goto(f"http://{hub.address}/?words=bea")
        found, name = (page.locator(f".seated-players{part}").bounding_box() for part in ("", " a"))
        assert name["x"] - found["x"] >= 12

    use_language("de")
    try:
        chromium.run(look)
    finally:
        use_language("en")
