"""What a phone asks is withdrawn when the phone is gone, or asks for something else; notes have a sign of their own."""

import time

import pytest

from tests.ui.web.visiting import PATIENCE, PhoneTable
from ui.web.icons import icon
from ui.web.presence import SECONDS_UNTIL_GONE, PhonePresence

AWAY = "This phone was away: the table is asked no more."


def asked(table: PhoneTable) -> list[str]:
    return [question.text.partition(" May it")[0] for question in table.presenter.questions.values()]


def test_a_question_of_a_phone_that_is_gone_is_withdrawn(table):
    gone, there = table.phone(), table.phone()
    gone.post(seat="1")
    table.seconds = SECONDS_UNTIL_GONE - 1
    there.post(seat="2")
    table.tick()
    assert len(asked(table)) == 2
    table.seconds = SECONDS_UNTIL_GONE
    table.tick()
    assert asked(table) == ["Phone 2 asks for the seat of Player 2."]
    page = gone.get()
    assert AWAY in page.text
    assert "Which seat is yours?" in page.text
    gone.post(seat="1")
    assert len(asked(table)) == 2


def test_a_page_that_is_open_keeps_its_question_until_it_is_closed(table):
    phone = table.phone()
    stream = phone.stream()
    stream.event()
    phone.post(seat="1")
    table.seconds += 100 * SECONDS_UNTIL_GONE
    table.tick()
    assert asked(table) == ["Phone 1 asks for the seat of Player 1."]
    stream.close()
    until = time.monotonic() + PATIENCE
    while asked(table) and time.monotonic() < until:
        time.sleep(0.01)
        table.seconds += SECONDS_UNTIL_GONE
        table.tick()
    assert asked(table) == []


def test_another_seat_chosen_is_asked_for_instead(table):
    phone = table.phone()
    phone.post(seat="1")
    phone.post(seat="3")
    assert asked(table) == ["Phone 1 asks for the seat of Player 3."]


@pytest.mark.parametrize("leave", ["gone", "revoked"])
def test_a_wish_to_undo_goes_with_its_phone(table, leave):
    first, second = table.phone(1), table.phone(2)
    first.post(choose="pass")
    second.post(undo="undo")
    assert len(asked(table)) == 1
    if leave == "gone":
        table.seconds = SECONDS_UNTIL_GONE
    else:
        table.service.revoke(table.service.seated()[1][0])
    table.tick()
    assert asked(table) == []
    assert len(table.service.seated()) == (2 if leave == "gone" else 1)
    assert table.session.moves


def test_each_open_page_of_a_phone_counts():
    now = 0.0
    presence = PhonePresence(lambda: now)
    assert presence.is_gone("phone")
    presence.open_page("phone")
    presence.open_page("phone")
    presence.close_page("phone")
    now = 1000.0
    assert not presence.is_gone("phone")
    presence.close_page("phone")
    assert not presence.is_gone("phone")
    now += SECONDS_UNTIL_GONE
    assert presence.is_gone("phone")
    presence.hear("phone")
    assert not presence.is_gone("phone")


def test_a_note_has_the_sign_it_has_in_the_app(table):
    phone = table.phone(1)
    table.presenter.say("The sign says what kind of sentence this is.")
    table.tick()
    assert f'<span class="sign">{icon("note")}</span><b>The sign says' in phone.get().body
