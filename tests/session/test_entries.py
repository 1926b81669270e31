"""Entries in a few words, and the values that the session takes in."""

import pytest

from companion.errors import SessionError
from companion.session.entries import (
    ActionEntry,
    AmendEntry,
    CorrectionEntry,
    DetailEntry,
    EndEntry,
    Entry,
    EntryKind,
    InsertEntry,
    LeaveEntry,
    LostEntry,
    OverrideEntry,
    RedoEntry,
    RemoveEntry,
    ReturnEntry,
    UndoEntry,
)
from companion.session.intents import Intent, IntentKind
from companion.session.log import MAXIMUM_ENTRIES
from companion.session.observation import Observation
from tests.session.evenings import new_session

BASE = {"number": 1, "time": "2026-01-01T00:00:00Z"}


@pytest.mark.parametrize(
    ("entry", "kind", "summary"),
    [
        (ActionEntry(**BASE, action="end", events=()), "action", "end"),
        (OverrideEntry(**BASE, action="end", rules=("A-1", "B-2"), reason="", by="us", events=()), "override",
         "end (against A-1, B-2)"),
        (CorrectionEntry(**BASE, changes={"wards": [], "step": ""}, reason=""), "correction",
         "correction of wards, step"),
        (CorrectionEntry(**BASE, changes={"wards": []}, reason="fell"), "correction", "correction of wards (fell)"),
        (AmendEntry(**BASE, target=7, action="end", events=()), "amend", "entry 7 is end"),
        (InsertEntry(**BASE, target=7, action="end", events=()), "insert", "end before entry 7"),
        (RemoveEntry(**BASE, target=7), "remove", "entry 7 taken out"),
        (UndoEntry(**BASE, target=7), "undo", "undo of entry 7"),
        (RedoEntry(**BASE, target=7), "redo", "redo of entry 7"),
        (LeaveEntry(**BASE, seat=2), "leave", "seat 2 leaves"),
        (ReturnEntry(**BASE, seat=2), "return", "seat 2 is back"),
        (EndEntry(**BASE, reason=""), "end", "ended early"),
        (EndEntry(**BASE, reason="late"), "end", "ended early (late)"),
        (DetailEntry(**BASE, level="table"), "detail", "told from now on: table"),
        (LostEntry(**BASE, reason="cannot be read"), "lost", "lost (cannot be read)"),
    ],
)  # fmt: skip
def test_summaries(entry: Entry, kind: str, summary: str) -> None:
    assert (entry.kind, entry.summary) == (kind, summary)


def test_who_has_left_after_an_entry() -> None:
    left = frozenset({1})
    assert LeaveEntry(**BASE, seat=2).among(left) == {1, 2}
    assert LeaveEntry(**BASE).among(left) == {1}
    assert ReturnEntry(**BASE, seat=1).among(left) == frozenset()
    assert ReturnEntry(**BASE).among(left) == {1}


def test_only_a_choice_has_a_number() -> None:
    assert Intent(IntentKind.CHOOSE, choice=2).choice == 2
    for kind, choice in ((IntentKind.DONE, 1), (IntentKind.CHOOSE, None)):
        with pytest.raises(ValueError, match="a choice number belongs to the intent 'choose'"):
            Intent(kind, choice=choice)


def test_the_likeliest_label_of_a_spot() -> None:
    seen = Observation("board", 1, 0.0, {"a": {"red": 0.25, "": 0.75}, "b": {}})
    assert [seen.likeliest(spot) for spot in ("a", "b", "c")] == [("", 0.75), ("", 0.0), ("", 0.0)]


def test_a_full_log_takes_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.session.log.MAXIMUM_ENTRIES", 2)
    log = new_session().log
    for number in (1, 2):
        log = log.append(EndEntry(**BASE | {"number": number}, reason="") if number == 1 else UndoEntry(
            **BASE | {"number": 2}, target=1))  # fmt: skip
    with pytest.raises(SessionError, match="the log has 2 entries; it is full"):
        log.append(EndEntry(**BASE | {"number": 3}, reason=""))
    assert MAXIMUM_ENTRIES > 1000


def test_the_words_of_a_record_stay_as_they_were_written() -> None:
    assert (
        " ".join(EntryKind) == "action override correction amend insert remove undo redo leave return end detail lost"
    )
    assert " ".join(IntentKind) == "done no next help undo redo choose pause judge"
