"""What a phone's page without script waits for and keeps, and a table without a window that says yes."""

import re
from urllib.parse import quote

from tests.ui.web.visiting import Phone
from ui.simulated_table.demo import agree

HAND = ("floor-3", "floor-4", "red-1", "red-2", "white-3", "white-4", "roof-1", "roof-2")


def looks_again_after(phone: Phone) -> int:
    return int(re.search(r'http-equiv="refresh" content="(\d+);', phone.get().body)[1])


def test_a_page_waits_while_a_hand_is_told_or_something_can_be_chosen(table):
    first, second, spectator = table.phone(1), table.phone(2), table.phone()
    assert [looks_again_after(phone) for phone in (first, second, spectator)] == [60, 60, 4]
    first.post(hand="told", piece=list(HAND))
    assert looks_again_after(first) == 60, "it is its turn"
    first.post(choose="pass")
    assert [entry.action for entry in table.session.entries] == ["pass"]
    assert looks_again_after(first) == 4


def test_a_card_stays_chosen_where_a_place_is_touched_that_it_cannot_go_to(table):
    first = table.phone(1)
    first.post(hand="told", piece=list(HAND))
    sites = sorted({spot.site for spot in table.presenter.board.spots.values()})[::9]  # a phone may ask so much at once
    sites.append("nowhere")  # where there is not even anything that is forbidden
    for card in ("red-1", "roof-1", "floor-3"):
        page = first.get(f"/?piece={card}")
        keys = page.values("choose")
        places = re.findall(r'<option value="([^"]*)"', page.body)
        assert places or keys
        for site in sites:
            there = first.get(f"/?site={quote(site)}&piece={card}")
            if site not in places:
                assert re.findall(r'<option value="([^"]*)"', there.body) == places, f"{card} at {site}"
                assert set(keys) <= set(there.values("choose")), f"{card} at {site}"


def test_a_demo_without_a_window_lets_a_phone_sit(table):
    phone = table.phone()
    assert "the tablet asks" in phone.post(seat="2").text
    agree(table.presenter)
    table.tick()
    assert [seat for _phone, _number, seat in table.service.seated()] == [2]
