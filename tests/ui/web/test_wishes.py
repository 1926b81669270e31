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
    assert ("Player 1 said no." in second.get().text) == (answer == 1)
    assert "The table said no." not in second.get().text
    if answer == 1:
        second.post(choose="pass")
        assert "said no" not in second.get().text


def test_a_no_of_the_tablet_is_said_to_be_the_tables(table):
    first, second = table.phone(1), table.phone(2)
    first.post(choose="pass")
    second.post(undo="latest")
    table.touch("No")
    assert "The table said no." in second.get().text


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


@pytest.mark.parametrize("answer", [0, 1])
def test_what_the_rules_forbid_is_recorded_from_a_phone_only_when_the_others_agree(table_with_phones, answer):
    table = table_with_phones("city_of_marble", 2)
    first, second = table.phone(1), table.phone(2)
    site = sorted(spot.site for spot in table.presenter.board.spots.values() if spot.piece == "ward")[0]
    page = first.get(f"/?site={site}")
    refused = first.post(page=page, choose=page.values("choose")[0])
    assert "is not allowed" in refused.text
    assert "The others are asked." in first.post(choose="record anyway").text
    assert not table.session.entries
    asked = second.get()
    assert "Player 1 wishes to record against the rules: " in asked.text
    second.post(answer=asked.values("answer")[answer])
    table.tick()
    assert len(table.session.moves) == (1 if answer == 0 else 0)
    assert ("Player 2 said no." in first.get().text) == (answer == 1)
