"""Names are found and sorted as people look them up, whatever keys their keyboards have."""

from __future__ import annotations

import pytest

from companion.wording.spelling import by_letters, finding, found_parts, nearest, slug, with_nearest


@pytest.mark.parametrize(
    ("name", "sought"),
    [
        ("José Ñúñez", "jose nunez"), ("Łukasz Żółć", "lukasz"), ("Łukasz Żółć", "zolc"), ("Şebnem Iğdır", "igdir"),
        ("Jürgen", "jurgen"), ("Jürgen", "JUERGEN"), ("Straße", "strasse"), ("Søren Ærø", "soren aero"),
        ("Jürgen", "jürgen"), ("İpek", "ipek"), ("Ирина", "ИРИН"), ("Zoe", "Zoë"),
    ],
)  # fmt: skip
def test_a_name_is_found_with_and_without_accents(name: str, sought: str) -> None:
    assert finding(sought)(name)


@pytest.mark.parametrize(("name", "sought"), [("José", "josa"), ("Łukasz", "zz"), ("Jürgen", "jorgen")])
def test_another_name_is_not_found(name: str, sought: str) -> None:
    assert not finding(sought)(name)


def test_names_are_sorted_by_their_letters_without_strokes() -> None:
    names = ["Zoë", "Łukasz", "Åse", "Ōtani", "Mia", "Øystein", "Anna"]
    assert sorted(names, key=by_letters) == ["Anna", "Åse", "Łukasz", "Mia", "Ōtani", "Øystein", "Zoë"]


def test_a_slug_keeps_letters_without_their_accents() -> None:
    assert slug("Łódź: Große Runde, 3. März", "-") == "lodz-grosse-runde-3-marz"
    assert slug("« »", "-") == ""


@pytest.mark.parametrize(
    ("written", "meant"),
    [("Karlsruhe", "Carlsruhe"), ("mannhiem", "Mannheim"), ("Zurich", "Zürich"), ("Atlantis", ""), ("", "")],
)
def test_a_misspelt_name_has_a_nearest_one_or_none(written: str, meant: str) -> None:
    names = ("Carlsruhe", "Mannheim", "Zürich", "Ulm")
    assert nearest(written, names) == meant
    reason = with_nearest("is no city", written, names)
    assert reason == (f"is no city; the nearest name is {meant!r}" if meant else "is no city")


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("Roads over the Città vecchia", ["citta"], ["Città"]),
        ("Œuvre d'art", ["oeu", "ART"], ["Œu", "art"]),
        ("Straße und Strasse", ["strass"], ["Straß", "Strass"]),
        ("a+b", ["+"], ["+"]),
        ("nothing", ["", "zz"], []),
        ("", ["a"], []),
    ],
)
def test_found_words_are_told_apart_as_they_are_written(text: str, words: list[str], found: list[str]) -> None:
    parts = found_parts(text, words)
    assert "".join(part for part, _is_found in parts) == text
    assert [part for part, is_found in parts if is_found] == found
