"""What a phone shows of a hand once the game has ended: what was told of it, and no question."""

import pytest

from companion.session.intents import Intent, IntentKind
from companion.session.session import Session
from tests.tables import table_of

HAND = ("floor-3", "floor-4", "red-1", "red-2", "white-3", "white-4", "roof-1", "roof-2")


@pytest.mark.parametrize("game_id", ["capitol", "thurn_and_taxis"])
def test_a_hand_is_not_asked_for_once_the_game_has_ended(table_with_phones, game_id):
    start = {"player": {"1": {"hand": ["?", "?", "Kempten"]}}} if game_id == "thurn_and_taxis" else None
    table = table_with_phones(session=Session.create(None, table_of(game_id, 2), start))
    phone = table.phone(1)
    assert "<select" in phone.get().body
    page = phone.get()
    table.presenter.on_end_early("Time is up")
    table.tick()
    assert "<select" not in phone.get().body
    assert "These are mine" not in phone.get().text
    late = phone.post(at=phone.get().field("at"), number=page.field("number"), hand="told", piece=list(HAND))
    assert "<select" not in late.body


def test_a_hand_that_was_told_stays_on_its_phone_after_the_end(table):
    first = table.phone(1)
    first.post(hand="told", piece=list(HAND))
    table.presenter.on_end_early("Time is up")
    table.tick()
    page = first.get()
    assert page.values("piece") == sorted(HAND)
    assert "Say once more what they are" not in page.text
    table.presenter.on_intent(Intent(IntentKind.UNDO))
    table.tick()
    assert "Say once more what they are" in first.get().text
