"""A real browser as the phones: Debian's Chromium, driven by Playwright. Skipped, and named, where they are missing."""

import pytest

from tests.ui.chromium import CHROMIUM
from tests.ui.web.browsing import SIZES, TappingPlayers, sit, unfold_forbidden, until
from ui.services.text import use_language
from ui.table.offering import Offer, OfferKind

pytest.importorskip("playwright.sync_api", reason="the Python package playwright is not installed")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]


ABOVE_BUTTONS = """each => {
    const box = each.getBoundingClientRect(), buttons = document.querySelector(".buttons").getBoundingClientRect();
    return box.top >= 0 && box.bottom <= buttons.top + 1;
}"""


MIDDLE = "each => (each.scrollLeft + each.clientWidth / 2) / each.scrollWidth"
IN_FRAME = """each => {
    const box = each.getBoundingClientRect(), frame = each.closest(".whole").getBoundingClientRect();
    const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
    return x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
}"""


def tap_until(button, shown):
    """Tap, and once more where the page was exchanged under the finger, as people do."""
    from playwright.sync_api import TimeoutError as Missed

    for _again in range(3):
        button.tap()
        try:
            shown.wait_for(timeout=8000)
        except Missed:
            continue
        return
    shown.wait_for()


def test_phones_play_and_every_page_follows_by_itself(visit):
    painted = []

    def play(browser):
        first, second, spectator = (browser.phone() for _phone in range(3))
        sit(browser, first, 1)
        sit(browser, second, 2)
        tap_until(first.locator('button[name=choose][value="pass"]'), second.locator("header.mine"))
        spectator.locator("h1", has_text="Player 2").wait_for()
        first.locator("header:not(.mine)").wait_for()
        painted.extend(page.locator("h1").inner_text() for page in (first, second, spectator))
        tap_until(second.locator("button[name=undo]"), second.get_by_text("The others are asked."))
        tap_until(first.locator("button[name=answer]").first, first.locator("header.mine"))

    table, complaints = visit(play)
    assert painted == ["Waiting for Player 2", "Your turn", "Waiting for Player 2"]
    assert table.session.moves == ()
    assert complaints == []


def test_a_hand_is_told_and_played_on_its_own_phone(visit):
    seen = {}

    def play(browser):
        first, second = browser.phone(), browser.phone()
        sit(browser, first, 1)
        sit(browser, second, 2)
        wanted = iter(("floor-3", "floor-4", "red-1", "red-2", "white-3", "white-4", "roof-1", "roof-2"))
        for select in first.locator("select[name=piece]").all():
            select.select_option(next(wanted))
        first.locator("button[name=hand]").tap()
        first.locator("a.button", has_text="floor card 3").tap()
        first.locator('button[value="floor-3 new new"]').tap()
        second.locator("header.mine").wait_for()
        seen["other"] = second.content()
        seen["own"] = first.content()

    table, complaints = visit(play)
    assert [entry.action for entry in table.session.entries] == ["floor-3 new new"]
    assert 'value="floor-4"' in seen["own"]
    assert 'type="hidden" name="piece"' not in seen["other"]
    assert complaints == []


def test_a_phone_without_script_plays_as_well(visit):
    def play(browser):
        page = browser.phone(script=False)
        sit(browser, page, 1)
        page.locator('button[name=choose][value="pass"]').tap()
        page.locator("h1", has_text="Player 2").wait_for()

    table, _complaints = visit(play)
    assert [entry.action for entry in table.session.entries] == ["pass"]


@pytest.mark.parametrize("script", [True, False])
def test_a_kind_of_many_choices_is_unfolded_and_a_place_of_it_chosen_from_a_list(visit, script):
    seen = {}

    def play(browser):
        page = browser.phone(script=script)
        sit(browser, page, 1)
        page.locator("button[value=help]").tap()
        page.locator("a.kind").tap()
        page.locator("details.every > summary").tap()
        page.locator("select[name=site]").select_option("Quirinal/1")
        page.get_by_role("button", name="Show").tap()
        page.wait_for_url("**/?site=Quirinal*1#do")
        seen["choices"] = page.locator("#do button[name=choose]:not(.forbidden)").count()
        seen["places"] = page.locator("select[name=site]").count()

    table, complaints = visit(play)
    assert seen == {"choices": sum("Quirinal/1" in action.sites for action in table.presenter.legal), "places": 0}
    assert complaints == []


@pytest.mark.parametrize("script", [True, False])
def test_the_history_is_one_touch_away(visit, script):
    seen = {}

    def play(browser):
        page = browser.phone(script=script)
        sit(browser, page, 1)
        page.locator('button[name=choose][value="pass"]').tap()
        page.locator("a[aria-label=History]").tap()
        page.locator("ol.log li", has_text="pass").first.wait_for()
        page.get_by_text("Back to the table").tap()
        page.locator(".players").wait_for()
        seen["log"] = page.locator("ol.log").count()

    _table, complaints = visit(play)
    assert seen == {"log": 0}
    assert complaints == []


@pytest.mark.parametrize("script", [True, False])
def test_choices_and_refusals_come_into_view_where_the_finger_is(visit, script):
    seen = {}

    def is_in_view(page, selector):
        return page.locator(selector).first.evaluate(
            "each => { const box = each.getBoundingClientRect(); return box.top >= 0 && box.top < innerHeight - 120 }"
        )

    def play(browser):
        page = browser.phone(script=script)
        sit(browser, page, 1)
        page.locator('a[href*="#do"]').first.dispatch_event("click")
        page.locator("#do button").first.wait_for()
        until(lambda: page.evaluate("scrollY") > 0, "the page stayed where it was")
        seen["choices"] = is_in_view(page, "#do button")
        unfold_forbidden(page)
        page.locator("button.forbidden").last.scroll_into_view_if_needed()
        page.locator("button.forbidden").last.tap()
        page.locator("#said.refused").wait_for()
        until(lambda: is_in_view(page, "#said.refused"), "the refusal was out of view")
        seen["refusal"] = True

    _table, complaints = visit(play, "city_of_marble")
    assert seen == {"choices": True, "refusal": True}
    assert complaints == []


def test_a_phone_that_is_scrolled_down_shows_its_turn_what_it_is_asked_and_a_lost_connection(visit):
    seen = {}

    def is_in_view(page, selector):
        return page.locator(selector).first.evaluate(
            "each => { const box = each.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight }"
        )

    def scroll_down(*pages):
        for page in pages:
            page.evaluate("scrollTo(0, 9999)")
            assert page.evaluate("scrollY") > 100

    def play(browser):
        first, second = browser.phone(), browser.phone()
        sit(browser, first, 1)
        sit(browser, second, 2)
        scroll_down(first, second)
        first.evaluate("document.querySelector('button[value=pass]').click()")
        second.locator("header.mine").wait_for()
        first.locator("header:not(.mine)").wait_for()
        until(lambda: not first.evaluate("scrollY") and not second.evaluate("scrollY"), "the turn was out of view")
        scroll_down(first)
        second.locator("button[name=undo]").tap()
        first.locator("button[name=answer]").first.wait_for()
        seen["question"] = is_in_view(first, ".question .asks")
        scroll_down(second)
        second.evaluate("document.body.classList.add('lost')")
        seen["lost"] = is_in_view(second, ".gone")

    _table, complaints = visit(play)
    assert seen == {"question": True, "lost": True}
    assert complaints == []


def test_a_touch_of_the_board_where_nothing_is_allowed_says_why(visit):
    def play(browser):
        page = browser.phone()
        sit(browser, page, 1)
        page.locator(".sheet[data-at]").wait_for()
        box = page.locator(".sheet").bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_url("**/?at=*")
        page.get_by_text("why not?").first.wait_for()

    _table, complaints = visit(play, "aqua_romana", art=True)
    assert complaints == []


def test_the_enlarged_board_opens_at_its_middle_or_where_it_was_looked_at(visit):
    middles, seen = [], []

    def look(browser):
        page = browser.phone()
        sit(browser, page, 1)
        page.locator("a.larger").tap()
        middles.append(page.locator(".whole").evaluate(MIDDLE))
        sites = [each.get_attribute("href").partition("#")[0] for each in page.locator(".whole .touch a").all()]
        for site in (sites[0], sites[-1]):
            page.goto(f"http://{browser.table.service.address}{site}")
            page.locator("a.larger").tap()
            seen.append(page.locator(f'.whole .touch a[href^="{site}#"]').evaluate(IN_FRAME))

    _table, complaints = visit(look, art=True)
    assert middles == [pytest.approx(0.5, abs=0.01)]
    assert seen == [True, True]
    assert complaints == []


def test_the_told_hand_is_in_view(visit):
    seen = {}

    def play(browser):
        page = browser.phone()
        sit(browser, page, 1)
        wanted = iter(("floor-3", "floor-4", "red-1", "red-2", "white-3", "white-4", "roof-1", "roof-2"))
        for select in page.locator("select[name=piece]").all():
            select.select_option(next(wanted))
        page.evaluate("scrollTo(0, 9999)")
        page.evaluate("document.querySelector('button[name=hand]').click()")
        page.locator(".hand").wait_for()
        until(lambda: page.locator(".hand").evaluate(ABOVE_BUTTONS), "the hand was out of view", 10)
        seen["y"] = page.locator(".hand").bounding_box()["y"]

    visit(play, art=True)
    assert seen["y"] >= 0


def test_nothing_is_cut_off_on_a_small_phone(visit):
    """Big buttons in one row, a chosen card with its tick, points beside a name without a space."""
    seen = {}

    def play(browser):
        first, second = browser.phone(), browser.phone()
        sit(browser, first, 1)
        sit(browser, second, 2)
        first.locator('button[name=choose][value="pass"]').tap()
        first.locator("header:not(.mine)").wait_for()
        wanted = iter(("floor-3", "floor-4", "red-1", "red-2", "white-3", "white-4", "roof-1", "roof-2"))
        for select in second.locator("select[name=piece]").all():
            select.select_option(next(wanted))
        second.locator("button[name=hand]").tap()
        for page in (first, second):
            page.goto(f"http://{browser.table.service.address}/")
            tops = page.locator(".buttons button").evaluate_all("all => all.map(each => each.getBoundingClientRect())")
            seen.setdefault("rows", []).append(max(box["height"] for box in tops) < 70)
            seen["rows"].append(max(box["top"] for box in tops) - min(box["top"] for box in tops) < 10)
        second.goto(f"http://{browser.table.service.address}/?piece=floor-3")
        second.locator(".chosen .tick").wait_for()
        row = second.locator(".hand.row").bounding_box()
        seen["tick"] = second.locator(".chosen .tick").bounding_box()["y"] - row["y"] >= 0
        points = second.locator(".players b").first.evaluate(
            "each => each.getBoundingClientRect().right <= each.closest('.card').getBoundingClientRect().right"
        )
        seen["points"] = points

    _table, _complaints = visit(play, art=True, names=("Wolfeschlegelsteinhausenbergerdorff", "B"))
    assert seen == {"rows": [True] * 4, "tick": True, "points": True}


def test_a_phone_that_was_closed_comes_back_to_its_seat(visit):
    def play(browser):
        page = browser.phone()
        sit(browser, page, 1)
        again = page.context.new_page()
        page.close()
        again.goto(f"http://{browser.table.service.address}/")
        again.locator("header.mine").wait_for()
        again.locator('button[name=choose][value="pass"]').tap()
        again.locator("header:not(.mine)").wait_for()

    table, complaints = visit(play)
    assert [entry.seat for entry in table.session.entries] == [1]
    assert complaints == []


def test_an_answer_that_comes_after_newer_events_does_not_bring_the_older_page_back(visit):
    seen = []

    def play(browser):
        page = browser.phone()

        def overtaken(route):
            answer = route.fetch()
            page.get_by_text("Say at the table that phone").wait_for()
            question = next(iter(browser.table.presenter.questions))
            browser.at_table(lambda: browser.table.presenter.on_choice(f"asked yes {question}"))
            page.locator("header.mine").wait_for()
            route.fulfill(response=answer)

        page.route("**/do", overtaken, times=1)
        with page.expect_response("**/do"):
            page.locator('button[name=seat][value="1"]').tap()
        page.wait_for_timeout(500)
        seen.append(page.locator("header.mine").count())
        page.locator('button[name=choose][value="pass"]').tap()
        page.locator("header:not(.mine)").wait_for()
        page.get_by_text("Give up this seat").tap()
        page.locator('button[name=seat][value="0"]').tap()
        page.locator('button[name=seat][value="1"]').wait_for()

    table, complaints = visit(play)
    assert seen == [1]
    assert [entry.action for entry in table.session.entries] == ["pass"]
    assert complaints == []


def test_pictures_of_what_may_be_done_fit_side_by_side_where_texts_are_large(visit):
    wide = []

    def measure(browser):
        page = browser.phone((240, 427))  # 360 pixels, enlarged by half
        sit(browser, page, 1)
        page.locator('button[name=choose][value="draw red yellow"] .face').first.wait_for()
        wide.append(page.evaluate("document.documentElement.scrollWidth"))

    _table, complaints = visit(measure, "city_of_marble", art=True)
    assert wide == [240]
    assert complaints == []


@pytest.mark.parametrize("language", ["en", "it", "de"])
def test_nothing_is_wider_than_a_phone_and_everything_can_be_touched(visit, language):
    found = []

    def measure(browser):
        for size in SIZES:
            page = browser.phone(size)
            page.locator('button[name=seat][value="1"]').tap()
            page.locator(".asks").first.wait_for()
            question = next(iter(browser.table.presenter.questions))
            browser.at_table(lambda: browser.table.presenter.on_choice(f"asked yes {question}"))  # noqa: B023
            page.locator("button[name=button]").first.wait_for()
            wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            sizes = page.evaluate(
                "[...document.querySelectorAll('button,select,a.button,a.round,a.larger,label,summary')]"
                ".filter(e => e.getClientRects().length).map(e => e.getBoundingClientRect())"
                ".map(r => Math.min(r.width, r.height))"
            )
            found.append((wide, min(sizes)))
            page.context.close()

    use_language(language)
    try:
        _table, complaints = visit(measure, "thurn_and_taxis")
    finally:
        use_language("en")
    assert len(found) == len(SIZES)
    assert all(wide <= 0 and least >= 48 for wide, least in found), found
    assert complaints == []


LINES = """[...document.querySelectorAll('.buttons button')].map(button => {
    const range = document.createRange(); range.selectNodeContents(button);
    return [button.innerText, new Set([...range.getClientRects()].map(each => Math.round(each.top))).size];
})"""


@pytest.mark.parametrize("language", ["en", "it", "de"])
def test_the_buttons_read_well_beside_a_long_one(visit, language, tmp_path):
    found, strong = [], []

    def measure(browser):
        page, presenter = browser.phone(SIZES[0]), browser.table.presenter
        page.locator('button[name=seat][value="1"]').tap()
        page.locator(".asks").first.wait_for()
        question = next(iter(presenter.questions))
        browser.at_table(lambda: presenter.on_choice(f"asked yes {question}"))
        page.locator("button[name=button]").first.wait_for()
        long = next(action for action in presenter.legal if action.text.startswith("ward"))
        text = presenter.texts.action(long) + ", " + presenter.texts.kind(long)
        browser.at_table(lambda: presenter.on_offer(Offer(OfferKind.STARTED, long.text, text, lambda: None)))
        page.locator(".buttons button", has_text=text).wait_for()
        found.extend(page.evaluate(LINES))
        strong.append(page.locator(".buttons .strong").count())
        page.screenshot(path=tmp_path / f"buttons-{language}.png")

    use_language(language)
    try:
        _table, complaints = visit(measure, "city_of_marble")
    finally:
        use_language("en")
    assert len(found) == 4
    assert [lines for _text, lines in found[:-1]] == [1, 1, 1], found
    assert found[-1][1] <= 2, found
    assert strong == [1]
    assert complaints == []


WORDS = """[...document.querySelectorAll('.buttons button')].map(button => {
    const text = button.firstChild, lines = [];
    for (const word of text.data.matchAll(/\\S+/g)) {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        lines.push(range.getClientRects().length);
    }
    return [text.data, Math.max(...lines), Math.round(button.getBoundingClientRect().width)];
})"""


@pytest.mark.parametrize("language", ["en", "it", "de"])
def test_no_word_of_the_buttons_is_broken_while_another_plays(visit, language):
    found = []

    def measure(browser):
        page, presenter = browser.phone(SIZES[0]), browser.table.presenter
        page.locator('button[name=seat][value="2"]').tap()
        page.locator(".asks").first.wait_for()
        question = next(iter(presenter.questions))
        browser.at_table(lambda: presenter.on_choice(f"asked yes {question}"))
        page.locator("button[name=button]").first.wait_for()
        browser.at_table(lambda: presenter.act(next(each for each in presenter.legal if each.sites)))
        page.locator("button[name=undo]").wait_for()
        found.extend(page.evaluate(WORDS))

    use_language(language)
    try:
        _table, complaints = visit(measure, "city_of_marble")
    finally:
        use_language("en")
    assert len(found) == 4
    assert all(lines == 1 and width >= 48 for _text, lines, width in found), found
    assert complaints == []


def test_hands_are_told_and_played_by_taps_while_a_phone_drops_out_and_comes_back(visit):
    seen = {}

    def play(browser):
        players = TappingPlayers(browser, 1)
        seen["refused"] = players.refused()
        for turn in range(5):
            if turn == 2:
                players.drop_out(2)
            players.turn()

    table, complaints = visit(play, "capitol", 2)
    assert [entry.source for entry in table.session.entries] == ["phone"] * 5
    assert "is not allowed" in seen["refused"]
    assert complaints == []
