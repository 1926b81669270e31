"""The program's own words."""

import struct

import pytest

from ui.services import text


def catalogue(messages: dict[str, str]) -> bytes:
    """A GNU .mo file of these messages."""
    entries = sorted({"": "Content-Type: text/plain; charset=UTF-8\n"} | messages, key=str.encode)
    keys = [key.encode() for key in entries]
    values = [(messages.get(key) or "Content-Type: text/plain; charset=UTF-8\n").encode() for key in entries]
    count, tables, strings, place = len(keys), b"", b"", 28 + 16 * len(keys)
    for part in (*keys, *values):
        tables += struct.pack("<II", len(part), place + len(strings))
        strings += part + b"\0"
    return struct.pack("<7I", 0x950412DE, 0, count, 28, 28 + 8 * count, 0, place) + tables + strings


@pytest.fixture
def italian(tmp_path, monkeypatch):
    folder = tmp_path / "it" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "companion.mo").write_bytes(catalogue({"Undo": "Annulla"}))
    monkeypatch.setattr(text, "LOCALE_FOLDER", tmp_path)
    yield
    text.use_language("en")


def test_a_language_with_a_catalogue_is_used_at_once(italian):
    assert text._("Undo") == "Undo"
    text.use_language("it_CH")
    assert text._("Undo") == "Annulla"
    text.use_language("en")
    assert text._("Undo") == "Undo"


def test_what_a_catalogue_lacks_stays_english(italian):
    text.use_language("it")
    assert text._("Redo") == "Redo"


def test_a_language_without_a_catalogue_is_english(italian):
    text.use_language("xx")
    assert text._("Undo") == "Undo"


@pytest.mark.parametrize(
    ("environment", "language"),
    [({"LANG": "de_DE.UTF-8"}, "de"), ({"LANG": "de_DE", "LC_ALL": "it_IT"}, "it"), ({}, "en"), ({"LANG": "C"}, "en")],
)
def test_the_machine_s_language_is_taken_where_none_is_chosen(environment, language, monkeypatch):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    text.use_language("")
    assert text.language_in_use() == language
    text.use_language("en")


def test_numbers_choose_the_form():
    assert [text.plural("one turn", "{n} turns", n) for n in (0, 1, 2)] == ["{n} turns", "one turn", "{n} turns"]
