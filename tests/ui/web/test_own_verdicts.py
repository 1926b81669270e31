"""What the owner of a hand is told of an action that only this owner can judge; all others are told no more."""

import pytest

from ui.view_models.play_view import VerdictKind

HAND = ("floor-3", "floor-4", "red-1", "red-2", "white-3", "white-4", "roof-1", "roof-2")
CLOSED = "Hands are closed: whether the player held this card cannot be checked."


@pytest.fixture
def phones(table):
    """The phones of seats 1, which has told its hand, and 2, which has not, and of a spectator."""
    owner = table.phone(1)
    owner.post(hand="told", piece=list(HAND))
    return owner, table.phone(2), table.phone()


def told_to(phone) -> VerdictKind:
    """The kind of the verdict on a page."""
    body = phone.get().body
    return VerdictKind.ACCEPTED if 'class="card accepted"' in body else VerdictKind.NOT_CHECKABLE


def test_what_the_owner_knows_is_checked_on_the_own_phone_and_nowhere_else(table, phones):
    owner, *others = phones
    owner.post(choose="floor-3 nothing")
    assert CLOSED not in owner.get().text
    assert told_to(owner) is VerdictKind.ACCEPTED
    assert table.presenter.view().verdict.kind is VerdictKind.NOT_CHECKABLE
    for phone in others:
        assert CLOSED in phone.get().text


def test_it_is_so_too_for_what_was_done_at_the_table(table, phones):
    table.presenter.act(table.session.game.parse_action("floor-3 nothing", table.session.state))
    table.tick()
    assert CLOSED not in phones[0].get().text
    assert CLOSED in phones[1].get().text


def test_a_card_turned_over_for_a_bid_is_known_to_its_owner(table, phones):
    owner, other, _spectator = phones
    for action in ("pass", "pass", "pass", "ready 1", "ready 2", "ready 3"):
        table.presenter.act(table.session.game.parse_action(action, table.session.state))
    while table.session.actors != (1,):
        table.presenter.act(table.session.game.parse_action("senator", table.session.state))
    table.tick()
    assert owner.get("/?piece=floor-4").values("choose") == ["reveal floor-4"]
    owner.post(choose="reveal floor-4")
    assert CLOSED not in owner.get().text
    assert CLOSED in other.get().text


def test_what_the_owner_does_not_know_stays_unchecked(table, phones):
    owner, other, _spectator = phones
    owner.post(choose="pass")
    other.post(choose="floor-1 nothing")
    assert CLOSED in owner.get().text
    assert told_to(other) is VerdictKind.NOT_CHECKABLE


def test_what_was_played_at_the_table_against_what_was_told_is_said_to_its_owner(table, phones):
    owner, other, _spectator = phones
    table.presenter.act(table.session.game.parse_action("floor-8 nothing", table.session.state))
    table.tick()
    assert CLOSED not in owner.get().text
    assert "That cannot be floor card 8: all cards of that kind in the hand are known" in owner.get().text
    assert told_to(owner) is VerdictKind.NOT_CHECKABLE
    assert CLOSED in other.get().text


def test_it_is_told_no_longer_once_it_is_undone(table, phones):
    owner, *_others = phones
    owner.post(choose="floor-3 nothing")
    owner.post(undo="latest")
    assert told_to(owner) is not VerdictKind.ACCEPTED


def test_no_puts_a_refusal_of_the_own_phone_away_and_undoes_nothing(table):
    first, second = table.phone(1), table.phone(2)
    first.post(choose="pass")
    refused = second.post(choose="white-3 2-round Palatine/3")
    assert "is not allowed" in refused.text
    assert "No: undo" not in refused.text
    assert "is not allowed" in second.get().text
    after = second.post(button="no")
    assert "is not allowed" not in after.text
    assert "No: undo" in after.text
    assert [entry.action for entry in table.session.entries] == ["pass"]


def test_what_held_of_a_position_is_said_no_longer_in_the_next(table):
    first, second = table.phone(1), table.phone(2)
    assert "It is not your turn." in second.post(choose="pass").text
    first.post(choose="pass")
    assert "It is not your turn." not in second.get().text
    assert "is not allowed" in second.post(choose="white-3 2-round Palatine/3").text
    table.presenter.act(table.session.game.parse_action("pass", table.session.state))
    table.tick()
    assert "is not allowed" not in second.get().text
