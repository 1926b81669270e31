"""What an owner told of a hand is on the phone it was told on, whoever sits at that seat later."""

import re
import sqlite3

import pytest

from companion.session.session import Session
from companion.session.store import Store
from companion.session.viewing import Telling
from tests.tables import table_of
from tests.ui.web.visiting import Phone
from ui.web.kept import FILE, KeptPhones

HAND = ("floor-3", "floor-4", "red-1", "red-2", "white-3", "white-4", "roof-1", "roof-2")


def tell(phone: Phone, names=HAND):
    return phone.post(hand="told", piece=list(names))


def sit_in_place(phone: Phone, seat: int):
    phone.post(seat=str(seat))
    phone.table.touch("Yes, in place of the other")


def shows_a_card(page) -> bool:
    """Whether a card is shown as what it is; what may be told of each are options."""
    return 'class="hand' in page.body


def test_a_phone_that_takes_the_place_of_another_sees_nothing_of_the_hand_told_there(table):
    first, second = table.phone(1), table.phone()
    assert shows_a_card(tell(first))
    sit_in_place(second, 1)
    page = second.get()
    assert not shows_a_card(page)
    assert page.body.count("<select") == len(HAND)
    assert not set(re.findall(r'value="([^"]*)" selected', page.body)) & set(HAND)
    assert not {choice for choice in page.values("choose") if choice.split()[0] in HAND}
    assert "is not allowed" not in second.post(choose="floor-5 nothing").text
    other = ("floor-1", "floor-2", *HAND[2:])
    second.post(undo="latest")
    assert tell(second, other).values("piece") == sorted(other)


@pytest.mark.parametrize("how", ["given up", "revoked", "forgotten"])
def test_a_phone_at_a_seat_that_was_free_sees_nothing_of_it_either(table, how):
    first, second = table.phone(1), table.phone()
    tell(first)
    ((name, _number, _seat),) = table.service.seated()
    if how == "given up":
        first.post(seat="0")
    elif how == "revoked":
        table.service._phones.revoke(name)
    else:
        table.service._phones.roster.revoke(name)
    table.tick()
    second.post(seat="1")
    table.touch("Yes")
    assert second.get().body.count("<select") == len(HAND)


def test_the_owner_who_comes_back_has_the_hand_again(table):
    first, second = table.phone(1), table.phone()
    tell(first)
    sit_in_place(second, 1)
    other = ("floor-1", "floor-2", *HAND[2:])
    tell(second, other)
    sit_in_place(first, 1)
    assert first.get().values("piece") == sorted(HAND)
    sit_in_place(second, 1)
    assert second.get().values("piece") == sorted(other)


def test_who_sits_elsewhere_takes_no_hand_along(table):
    phone = table.phone(1)
    tell(phone)
    phone.post(seat="0")
    phone.post(seat="2")
    table.touch("Yes")
    assert not shows_a_card(phone.get())


def test_after_a_restart_a_hand_is_on_its_own_phone_only(tmp_path, table_with_phones):
    with Store(tmp_path / "games.sqlite3") as store:
        session = Session.create(store, table_of("capitol", 2))
        table = table_with_phones(session=session)
        first, second = table.phone(1), table.phone()
        tell(first)
        sit_in_place(second, 1)
        again = table_with_phones(session=Session.open(store, session.id))
        back = [
            Phone(again, each.cookie.replace(f"table-{table.port}", f"table-{again.port}")) for each in (first, second)
        ]
        assert not any(shows_a_card(each.get()) for each in back)
        sit_in_place(back[0], 1)
        assert back[0].get().values("piece") == sorted(HAND)


def test_what_is_not_told_in_secret_is_not_spoken_of(table_with_phones):
    table = table_with_phones("aqua_romana", 2)
    table.phone(1), table.phone().post(seat="1")
    (question,) = table.presenter.questions.values()
    assert question.text == "Phone 2 asks for the seat of Player 1, where another phone sits. May it?"


def test_hands_kept_by_an_earlier_version_are_those_of_the_phones_that_sat_there(tmp_path):
    connection = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    connection.executescript(
        """
        CREATE TABLE seats (game TEXT NOT NULL, phone TEXT NOT NULL, seat INTEGER NOT NULL,
            PRIMARY KEY (game, phone)) STRICT;
        CREATE TABLE told (game TEXT NOT NULL, seat INTEGER NOT NULL, entry INTEGER NOT NULL, names TEXT NOT NULL,
            PRIMARY KEY (game, seat, entry)) STRICT;
        INSERT INTO seats VALUES ('game', 'a', 2), ('other', 'b', 2);
        INSERT INTO told VALUES ('game', 2, 0, '["floor-3"]'), ('game', 1, 0, '["floor-4"]');
        """
    )
    connection.close()
    for _again in range(2):
        kept = KeptPhones(tmp_path / FILE)
        assert kept.told("game", "a") == (Telling(2, 0, ("floor-3",)),)
        assert kept.told("game", "b") == kept.told("other", "b") == ()
        kept.close()


def test_a_forgotten_phone_leaves_nothing_that_it_told(tmp_path):
    kept = KeptPhones(tmp_path / FILE)
    kept.add("a", 1)
    kept.tell("game", "a", Telling(2, 0, ("floor-3",)))
    kept.forget("a")
    assert kept.told("game", "a") == ()
    kept.close()
