"""A told hand that turns out to be wrong: its owner, and nobody else, is told what showed that, and tells it again."""

import re

import pytest

HAND = ("floor-3", "floor-4", "red-1", "red-2", "white-3", "white-4", "roof-1", "roof-2")
SHOWN = (
    "“Player 2: White permit 3: played for nothing” shows that you cannot hold white permit 3: "
    "say once more what you hold."
)


def act(table, action: str) -> None:
    table.presenter.act(table.session.game.parse_action(action, table.session.state))
    table.tick()


@pytest.fixture
def phones(table):
    """The phones of seats 1, which has told its hand, and 2, and of a spectator."""
    owner = table.phone(1)
    owner.post(hand="told", piece=list(HAND))
    return owner, table.phone(2), table.phone()


def test_what_another_played_disproves_a_told_hand_and_its_owner_alone_is_told(table, phones):
    owner, *others = phones
    act(table, "pass")
    assert "cannot hold" not in owner.get().text
    act(table, "white-3 nothing")
    page = owner.get()
    assert page.text.count(SHOWN) == 1
    chosen = re.findall(r'<option value="([^"]*)" selected', page.body)
    assert sorted(chosen) == sorted([*(name for name in HAND if name != "white-3"), "permit"])
    assert page.body.count('class="impossible"') == 1
    assert "white permit 3: at most 0 can be here" in page.text
    for phone in others:
        assert "cannot hold" not in phone.get().text
    assert "cannot hold" not in repr(table.presenter.view())
    right = [name for name in HAND if name != "white-3"] + ["white-5"]
    told = owner.post(hand="told", piece=right)
    assert "cannot hold" not in told.text
    assert told.values("piece") == sorted(right)


def test_it_is_said_no_longer_once_that_is_undone(table, phones):
    owner, *_others = phones
    act(table, "pass")
    act(table, "white-3 nothing")
    table.session.undo()
    table.presenter.on_tick()
    table.tick()
    page = owner.get()
    assert "cannot hold" not in page.text
    assert page.values("piece") == sorted(HAND)


def test_what_was_played_for_its_owner_at_the_table_says_so_too(table, phones):
    owner, other, _spectator = phones
    act(table, "floor-8 nothing")
    page = owner.get()
    assert "“Player 1: Floor card 8: played for nothing” does not go with the hand you told: say once more" in page.text
    assert page.body.count("<select") == len(HAND) - 1
    assert "does not go" not in other.get().text


def test_it_is_said_as_long_as_the_hand_is_not_told_again(table, phones):
    owner, *_others = phones
    act(table, "pass")
    act(table, "white-3 nothing")
    act(table, "pass")
    assert SHOWN in owner.get().text
    wrong = [name for name in HAND if name != "white-4"] + ["white-5"]
    assert SHOWN in owner.post(hand="told", piece=wrong).text


def test_who_takes_the_seat_is_not_told_what_the_one_before_had(table, phones):
    _owner, _other, third = phones
    act(table, "pass")
    act(table, "white-3 nothing")
    third.post(seat="1")
    table.touch("Yes, in place of the other")
    page = third.get()
    assert page.body.count("<select") == len(HAND)
    assert "cannot hold" not in page.text
