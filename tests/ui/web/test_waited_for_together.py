"""A step in which several are waited for: each phone names its own act, and everybody is told who they are."""

import re

import pytest

NAMES = "Player 1", "Player 2", "Player 3"


@pytest.fixture
def bidding(table):
    """Everybody has passed, and all prepare their bids for the fountain; seat 1 has done so."""
    for _seat in NAMES:
        table.presenter.act(table.session.game.parse_action("pass", table.session.state))
    table.presenter.act(table.session.game.parse_action("ready 1", table.session.state), seat=1)
    table.tick()
    assert table.session.actors == (2, 3)
    return table


def done_of(page) -> str:
    return re.search(r'<button name="button" value="done"[^>]*>([^<]*)</button>', page.body)[1]


def header_of(page) -> str:
    return re.search(r"<h1>(.*?)</h1>", page.body)[1]


def test_done_names_the_own_act_and_stands_out_where_nothing_else_is_left(bidding):
    for seat in (2, 3):
        page = bidding.phone(seat).get()
        assert done_of(page) == f"The cards of Player {seat} lie ready"
        assert re.search(r'<button name="button" value="done" class="strong\b', page.body)
    assert "lie ready" not in done_of(bidding.phone(1).get())


def test_the_name_of_who_has_a_box_stays_beside_done(bidding):
    bidding.presenter.devices.tell("blue", "ready", ok=True)
    assert done_of(bidding.phone(3).get()) == "Done: The cards of Player 3 lie ready"


def test_done_names_nobodys_act_on_the_phone_of_who_is_not_waited_for(table):
    assert done_of(table.phone(2).get()) == "Done"
    assert done_of(table.phone(1).get()) == "Pass"


def test_who_is_not_waited_for_can_press_neither_done_nor_next(table):
    disabled = re.findall(r'value="(\w+)[^"]*"[^>]* disabled', table.phone(2).get().body)
    assert {"done", "next"} <= set(disabled)
    assert not {"done", "next"} & set(re.findall(r'value="(\w+)[^"]*"[^>]* disabled', table.phone(1).get().body))


@pytest.mark.parametrize("button", ["done", "next"])
def test_a_late_press_of_who_is_not_waited_for_is_told_on_that_phone_alone(table, button):
    first, second = table.phone(1), table.phone(2)
    assert "It is not your turn." in second.post(button=button).text
    assert "not your turn" not in first.get().text
    assert "Player 2's turn" not in first.get().text
    assert not table.session.entries


def test_only_the_own_act_is_among_the_choices(bidding):
    for seat in (2, 3):
        assert bidding.phone(seat).get().values("choose") == [f"ready {seat}"]


def test_the_act_of_another_is_not_done_from_a_phone(bidding):
    phone = bidding.phone(3)
    assert "That is for Player 2 to do." in phone.post(choose="ready 2").text
    phone.post(choose="ready 9")
    assert bidding.session.actors == (2, 3)
    phone.post(choose="put back")
    phone.post(button="done")
    assert bidding.session.entries[-1].action == "ready 3"
    assert bidding.session.entries[-1].seat == 3


def test_everybody_who_is_waited_for_is_named_to_the_others(bidding):
    assert header_of(bidding.phone().get()) == "Waiting for Player 2 and Player 3"
    assert header_of(bidding.phone(1).get()) == "Waiting for Player 2 and Player 3"
    assert header_of(bidding.phone(2).get()) == "Your turn"
