"""What a phone wishes to have undone that another player did: the others are asked, and it is told what they say."""

import pytest


def test_undo_names_what_it_undoes_and_asks_the_others_about_theirs(table):
    first, second = table.phone(1), table.phone(2)
    first.post(choose="pass")
    assert "Undo what Player 1 did: Pass (the others are asked)" in second.get().text
    assert "Undo: Pass" in first.get().text
    assert "the others are asked" not in first.get().text
    assert "The others are asked." in second.post(undo="latest").text
    assert [entry.action for entry in table.session.entries] == ["pass"]
    asked = first.get()
    assert "Player 2 wishes to undo what Player 1 did: Pass" in asked.text
    (yes, _no) = asked.values("answer")
    assert second.get().values("answer") == []
    first.post(answer=yes)
    assert table.session.moves == ()


@pytest.mark.parametrize("answer", [0, 1, None])
def test_who_wished_is_told_no_longer_that_the_others_are_asked(table, answer):
    first, second = table.phone(1), table.phone(2)
    first.post(choose="pass")
    assert "The others are asked." in second.post(undo="latest").text
    if answer is None:
        second.post(choose="pass")
    else:
        first.post(answer=first.get().values("answer")[answer])
    table.tick()
    assert "The others are asked." not in second.get().text
    assert ("The table said no." in second.get().text) == (answer == 1)


def test_no_that_would_undo_what_another_did_asks_the_others_too(table):
    first, second, third = table.phone(1), table.phone(2), table.phone(3)
    first.post(choose="pass")
    for other in (second, third):
        assert "The others are asked." in other.post(button="no").text
        assert [entry.action for entry in table.session.entries if entry.action] == ["pass"]
    first.post(answer=first.get().values("answer")[0])
    assert table.session.moves == ()


def test_no_undoes_ones_own_latest_at_once(table):
    first = table.phone(1)
    first.post(choose="pass")
    first.post(button="no")
    assert table.session.moves == ()
