"""How a phone says that the board may be touched, too, and which of its places it marks when it is asked."""

import re

from ui.drawing.marks import MOST_MARKED


def marks(body: str) -> int:
    """The elements that are drawn on the board."""
    picture = re.search(r'<svg viewBox="[^"]*" role="img" aria-label="The board".*?</svg>', body, re.DOTALL)[0]
    return picture.count("<use") + picture.count("<path") + picture.count("<circle")


def test_what_is_not_listed_is_said_to_be_on_the_board(table_with_phones):
    table = table_with_phones("city_of_marble", 2)
    phone = table.phone(1)
    assert "Or touch the board: Play a ward." in phone.get().text
    assert "touch the board" not in table.phone(2).get().text
    assert "touch the board" not in phone.post(button="help").text


def test_where_all_is_done_on_the_board_that_is_said_at_first(table_with_phones):
    table = table_with_phones("aqua_romana", 2)
    phone = table.phone(1)
    assert not phone.get().values("choose")
    assert "Touch a place on the board." in phone.get().text
    assert "Touch a place" not in table.phone(2).get().text


def test_who_asks_what_may_be_done_sees_the_places_marked(table_with_phones):
    table = table_with_phones("city_of_marble", 2, art=True)
    phone = table.phone(1)
    before = marks(phone.get().body)
    places = {site for action in table.presenter.legal for site in action.sites}
    assert len(places) > MOST_MARKED
    assert marks(phone.post(button="help").body) >= before + len(places)


def test_a_phone_that_waits_shows_its_own_hand_before_the_points_of_the_others(table_with_phones):
    body = table_with_phones("capitol", 3).phone(2).get().body
    assert 'class="mine"' not in body
    assert 0 < body.index('id="hand"') < body.index('class="players"')


def test_the_history_of_a_phone_has_no_sign_that_nothing_explains(table_with_phones):
    table = table_with_phones("capitol", 3)
    phone = table.phone(1)
    phone.post(choose="floor-3 nothing")
    assert table.presenter.view().log[-1].is_unchecked
    page = phone.get("/?look=history")
    assert "Player 1" in page.text
    assert "~" not in page.text


def test_the_four_buttons_keep_their_places_whichever_is_the_next(table_with_phones):
    table = table_with_phones("city_of_marble", 2)
    phone = table.phone(1)
    pages = [phone.get(), phone.post(button="help")]
    table.touch("Draw")
    pages += [phone.get(), table.phone(2).get()]
    order = [[value.partition(" ")[0] for value in page.values("button")] for page in pages]
    strong = [re.findall(r'value="(\w+)[^"]*" class="strong', page.body) for page in pages]
    assert order == [["no", "next", "help", "done"]] * len(pages)
    assert len({tuple(each) for each in strong}) > 1
