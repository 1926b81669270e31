"""Players join an event by lists: what is read, what is refused, and what is said of it."""

import codecs
import re

import pytest

from tests.ui.hub.event_tables import event_at

pytestmark = pytest.mark.usefixtures("quick")


def test_a_list_with_a_fault_changes_nothing_and_names_the_line(hub, organise) -> None:
    address = organise.new_event()
    organise.post_form(f"{address}/players", names="Anna\nBea")
    answer = organise.post_form(f"{address}/players", ("club.csv", b"Cleo\n\nanna\n"))
    assert answer.status == 409
    assert "club.csv: line 3: &#x27;anna&#x27; is there twice (among the players already)" in answer.text
    assert "Cleo" not in organise.text(address)
    answer = organise.post_form(f"{address}/players", names="Dario\nBEA")
    assert answer.status == 409
    assert re.search(r"<textarea[^>]*>Dario\s+BEA</textarea>", answer.text)
    answer = organise.post_form(f"{address}/players", ("club.csv", b"x" * 2_200_000))
    assert "larger than 1024 KiB" in answer.text
    answer = organise.post_form(f"{address}/draw")
    assert answer.status == 303
    organise.post_form(f"{address}/back")
    organise.post_form(f"{address}/leave", player=2)
    refused = organise.post_form(f"{address}/draw")
    assert (refused.status, "a table needs 2" in refused.text) == (409, True)
    assert "1 has left" in organise.text(address)


def test_typed_names_and_a_file_are_both_taken_and_an_empty_file_is_named(hub, organise) -> None:
    address = organise.new_event()
    empty = organise.post_form(f"{address}/players", ("late.csv", b""))
    assert (empty.status, "late.csv: names nobody" in empty.text) == (409, True)
    organise.post_form(f"{address}/players", ("late.csv", b"Cleo\nDario\n"), names="Anna\nBea")
    assert [each.name for each in event_at(hub, address).players.values()] == ["Anna", "Bea", "Cleo", "Dario"]
    twice = organise.post_form(f"{address}/players", ("more.csv", b"Emilia\n"), names="Emilia")
    assert (twice.status, "more.csv: line 1" in twice.text) == (409, True)


def test_names_in_two_parts_are_taken_as_names_and_the_answer_says_so(hub, organise) -> None:
    address = organise.new_event()
    answer = organise.post_form(f"{address}/players", ("club.txt", "Rossi, Mario\nVerdi, Zoë\n".encode()))
    assert [each.name for each in event_at(hub, address).players.values()] == ["Mario Rossi", "Zoë Verdi"]
    assert answer.status == 200
    assert "club.txt: each line was read as “surname, first name”, such as Mario Rossi." in answer.text
    assert f'href="{address}"' in answer.text
    answer = organise.post_form(f"{address}/players", names="Anna,Roma\nBea,Ostia")
    assert "part 1 was taken, such as Anna of line 1; parts left out: 2, such as" in answer.text
    assert organise.post_form(f"{address}/players", names="Cleo\nDario").status == 303


def test_blanks_that_do_not_break_are_blanks_in_lists_and_new_names(hub, organise) -> None:
    address = organise.new_event()
    organise.post_form(f"{address}/players", names="Anna\u00a0Maria Neri\nBea")
    assert organise.post_form(f"{address}/rename", player=2, name="Bea\u202fde\u2009Rossi").status == 303
    assert [each.name for each in event_at(hub, address).players.values()] == ["Anna Maria Neri", "Bea de Rossi"]


def test_the_exported_csv_opens_in_a_spreadsheet_and_is_read_as_a_list_of_players(hub, organise) -> None:
    names = ["Zoë", "Jörg", "Łukasz"]
    address, second = organise.new_event(), organise.new_event(name="Second")
    organise.post_form(f"{address}/players", names="\n".join(names))
    exported = organise.text(f"{address}/standings.csv").encode()
    assert exported.startswith(codecs.BOM_UTF8)
    assert organise.post_form(f"{second}/players", ("standings.csv", exported)).status == 303
    assert sorted(each.name for each in event_at(hub, second).players.values()) == sorted(names)
