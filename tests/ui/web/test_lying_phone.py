"""A phone that lies on its side: the board at the left, all else beside it. A real browser."""

import pytest

from tests.ui.chromium import CHROMIUM
from tests.ui.web.browsing import sit

pytest.importorskip("playwright.sync_api", reason="the Python package playwright is not installed")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]

BOXES = """() => Object.fromEntries([".sheet", ".prompt", ".buttons", "#hand"].map(name => {
    const box = document.querySelector(name).getBoundingClientRect();
    return [name, [box.left, box.top, box.right, box.bottom]];
}))"""


@pytest.mark.parametrize("size", [(640, 360), (915, 412)])
@pytest.mark.parametrize("is_near", [False, True])
def test_buttons_stand_beside_the_board_where_the_phone_lies_on_its_side(visit, size, is_near):
    seen = {}

    def play(browser):
        page = browser.phone(size)
        sit(browser, page, 1)
        if is_near:
            page.locator("button[value=help]").tap()
            page.locator("a.kind").first.tap()
            page.locator("a.kind.open").wait_for()
            page.evaluate("scrollTo(0, 0)")
        seen.update(page.evaluate(BOXES), wide=page.evaluate("document.documentElement.scrollWidth"))

    _table, complaints = visit(play)
    _left, top, right, _bottom = seen[".sheet"] if not is_near else (0, 0, seen[".prompt"][0], 0)
    assert top < size[1] / 2
    for name in (".prompt", ".buttons", "#hand"):
        assert seen[name][0] >= right - 1, name
    assert seen[".buttons"][1] >= 0
    assert seen[".buttons"][3] <= size[1] + 1
    assert seen["wide"] <= size[0]
    assert complaints == []
