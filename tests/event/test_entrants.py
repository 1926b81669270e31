"""Lists of players: what people paste and what spreadsheets write, and what is refused with its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import InvalidDocument
from companion.event.entrants import MAXIMUM_BYTES, MOST_PLAYERS, formula_problem, read_entrants
from companion.exports.score_exports import is_formula
from ui.services.text import error_text, use_language

NAMES = ("Anna", "Bea", "Cleo")


@pytest.mark.parametrize(
    "data",
    [
        b"Anna\nBea\nCleo\n",
        b"\n  Anna \r\nBea\r\n\r\nCleo",
        b"Name\nAnna\nBea\nCleo\n",
        b"club,Player\nRoma,Anna\nRoma,Bea\nOstia,Cleo\n",
        b"Giocatore;Citt\xc3\xa0\nAnna;Roma\nBea;\nCleo;Ostia\n",
        b"Spieler\tOrt\n\"Anna\"\tRom\nBea\tRom\nCleo\tRom\n",
        "\ufeffAnna\nBea\nCleo".encode(),
        "Anna\nBea\nCleo".encode("utf-16"),
        b"Anna,Roma\nBea,Roma\nCleo,Roma\n",
        b"1,Anna\n2,Bea\n3,Cleo\n",
        b"1.;Anna;7\n2.;Bea;8\n\n3.;Cleo;9\n",
        b"sep=;\r\nSpieler;Ort\r\nAnna;Rom\r\nBea;Rom\r\nCleo;Rom\r\n",
        b'"sep=,"\nname,age\nAnna,1\nBea,2\nCleo,3\n',
        b"sep=\t\nname\tage\nAnna\t1\nBea\t2\nCleo\t3\n",
        b"name\nAnna\nBea\n;;;\nCleo\n, ,\n",
        b"1. Anna\n2. Bea\n\n3. Cleo\n",
        b"(1) Anna\n(2) Bea\n(3) Cleo\n",
        "• Anna\n•  Bea\n• Cleo\n".encode(),
        "•\tAnna\n•\tBea\n•\tCleo\n".encode(),
        b"1. Anna\n- Bea\nCleo\n",
        b"- Anna\n- Bea\n- Cleo\n",
        b"1. Anna\n2) Bea\n3 - Cleo\n",
        b"1 Anna\n2: Bea\n(3) Cleo\n",
        b"1.Anna\n2)Bea\n3.Cleo\n",
        "1 – Anna\n— Bea\n3 Cleo\n".encode(),
        b"name\n1 Anna\n2 Bea\n3 Cleo\n",
        b"- Anna\n-Bea\n- Cleo\n",
        "‣ Anna\n▪ Bea\n◦ Cleo\n".encode(),
        "→ Anna\n➤Bea\n> Cleo\n".encode(),
        "☐ Anna\n☑\ufe0f Bea\n\uf0b7 Cleo\n".encode(),
        b"[x] Anna\n[ ] Bea\n- [ ] Cleo\n",
        "[9] Anna\n⑧ Bea\n1.) Cleo\n".encode(),
        b"a) Anna\nb) Bea\n(c) Cleo\n",
        b"I. Anna\nII. Bea\nIII. Cleo\n",
        b"a. Anna\nb. Bea\nc. Cleo\n",
        b"I) Anna\nII) Bea\nIII) Cleo\n",
        "•\tAnna\n•\tBea\no\tCleo\n".encode(),
        "\t•\tAnna\r\n\t\to\tBea\r\n\t•\tCleo".encode(),
        b"I.\tAnna\nII.\tBea\nIII.\tCleo\n",
        b"Nr\tName\n1.\tAnna\n2.\tBea\n3.\tCleo\n",
        b"* Anna\n* Bea\n* 4. Cleo\n",
        b"1. - Anna\n2. - Bea\n- 3. Cleo\n",
        b"1. Anna, 2. Bea, 3. Cleo",
        b"1. Anna; 2. Bea; 3. Cleo\n",
        b"1 Anna, 2 Bea, 3 Cleo",
        "• Anna, • Bea, • Cleo".encode(),
        b"1. Anna, Bea, Cleo",
        b"1. Anna, 2. Bea\n3. Cleo\n",
        "1.\u00a0Anna\n2.\u2003Bea\n3.\u3000Cleo\n".encode(),
    ],
)  # fmt: skip
def test_a_list_is_read_as_people_write_it(data: bytes) -> None:
    assert read_entrants(data, "players.csv").names == NAMES


@pytest.mark.parametrize(
    "heads",
    [
        "Vorname;Nachname", "Vorname;Name", "First name,Last name", "first_name,surname", "Nome;Cognome",
        "Name,Family-Name",
    ],
)  # fmt: skip
@pytest.mark.parametrize("turned", [False, True])
def test_given_and_family_names_in_two_columns_are_one_name(heads: str, turned: bool) -> None:
    parting = ";" if ";" in heads else ","
    rows = [heads.split(parting), ["Anna", "Rossi"], ["Anna", "Bianchi"], ["Cleo", ""]]
    data = "\n".join(parting.join([*reversed(row)] if turned else row) for row in rows)
    assert read_entrants(data.encode(), "players.csv").names == ("Anna Rossi", "Anna Bianchi", "Cleo")


def test_numbers_that_only_some_lines_begin_with_are_parts_of_names() -> None:
    found = read_entrants(b"Anna\n1. FC Rom\n", "list")
    assert found.names == ("Anna", "1. FC Rom")
    assert found.understood == (
        "line 2: what stands in front was left as a part of the name, 1. FC Rom, for most lines have no number"
    )
    assert read_entrants(b"Anna\n7 Seas\n3-Finger Joe\n", "list").names == ("Anna", "7 Seas", "3-Finger Joe")


@pytest.mark.parametrize(
    "names",
    [
        ("A. Rossi", "B. Verdi", "C. Neri"), ("I. Rossi", "I. Verdi"), ("I. Rossi",), ("V. Rossi", "I. Verdi"),
        ("🦊 Anna", "🐻 Bea"), ("(Anna)", "(Bea)"), ("“Anna”", "“Bea”"), ("o Anna", "o Bea"),
    ],
)  # fmt: skip
def test_initials_pictures_and_quotes_in_front_are_parts_of_names(names: tuple[str, ...]) -> None:
    assert read_entrants("\n".join(names).encode(), "list").names == names


def test_other_blanks_than_the_plain_one_are_blanks() -> None:
    found = read_entrants("Anna\u00a0Maria Neri\nBea\u2009Verdi\u202f\nCleo\u3000Rossi".encode(), "list")
    assert found.names == ("Anna Maria Neri", "Bea Verdi", "Cleo Rossi")
    assert read_entrants("Rossi,\u00a0Mario\n".encode(), "list").names == ("Mario Rossi",)
    with pytest.raises(InvalidDocument, match="'Bea Verdi' is there twice"):
        read_entrants("Bea Verdi\nBea\u00a0Verdi".encode(), "list")


def test_two_numbered_names_beside_one_another_are_both_taken_and_that_is_said() -> None:
    found = read_entrants(b"1. Anna Rossi, 2. Bruno Verdi", "list")
    assert found.names == ("Anna Rossi", "Bruno Verdi")
    assert found.understood == "the one line was read as 2 names, such as Anna Rossi"
    found = read_entrants(b"1. Anna, 2. Bruno\n3. Carla, 4. Dino\n", "list")
    assert found.names == ("Anna", "Bruno", "Carla", "Dino")
    assert found.understood == "the lines were read as 4 names, such as Anna"
    assert read_entrants(b"1. Anna, 1. Mannschaft\n2. Bea, 1. Mannschaft\n", "list").names == ("Anna", "Bea")


def test_the_answer_names_a_line_that_lost_a_part_and_counts_the_parts() -> None:
    told = (
        "of each line part 1 was taken, such as {}; a first line such as “name,club” would say which part is the name"
    )
    found = read_entrants(b"Anna, Bruno, Carla\nDino, Emma, Fabio\n", "list")
    assert found.understood == told.format("Anna of line 1; parts left out: 4, such as 'Bruno'")
    found = read_entrants("Giulia Rossi\nLivia\n–  Müller, Jörg\nMarco".encode(), "list")
    assert found.understood == told.format("–  Müller of line 3; parts left out: 1, such as 'Jörg'")
    assert read_entrants(b"Anna,\nBea,\n", "list").understood is None


@pytest.mark.parametrize("name", ["-", "- Anna", "-Zoë", "Anna-Lena", "Anna = Ben"])
def test_dashes_make_no_name_a_formula(name: str) -> None:
    assert formula_problem(name) == ""
    assert read_entrants(f"Bea\nCleo\n{name}\n".encode(), "list").names == ("Bea", "Cleo", name)


@pytest.mark.parametrize("name", ["=1", " \u3000@SUM(A1)", "\uff1d1+1", "\uff0b1", "\ufeff=1", "\u200b=1", "-=1"])
def test_a_name_is_a_formula_where_exports_would_guard_it(name: str) -> None:
    assert "looks like a formula" in formula_problem(name)
    assert is_formula(name)


def test_quoted_names_and_umlauts() -> None:
    assert read_entrants('name\n"Müller, Jörg"\n\'-Zoë\n'.encode(), "list").names == ("Müller, Jörg", "-Zoë")
    assert read_entrants("name\nAnna\n'\uff0dZoë\n".encode(), "list").names == ("Anna", "\uff0dZoë")


@pytest.mark.parametrize("end", ["", "\r\n\n"])
def test_lines_of_surname_and_first_name_are_names_and_that_is_said(end: str) -> None:
    found = read_entrants(f"Rossi, Mario\r\nvan der Meer,  Jörg Uwe\n{end}".encode(), "list")
    assert found.names == ("Mario Rossi", "Jörg Uwe van der Meer")
    assert found.understood == "each line was read as “surname, first name”, such as Mario Rossi"


@pytest.mark.parametrize("parting", [", ", ";", "\t"])
def test_names_beside_one_another_in_the_only_line_are_all_taken_and_that_is_said(parting: str) -> None:
    found = read_entrants(parting.join(("Anna Berg", "Bea", "Jörg Müller")).encode(), "list")
    assert found.names == ("Anna Berg", "Bea", "Jörg Müller")
    assert found.understood == "the one line was read as 3 names, such as Anna Berg"
    assert read_entrants(b"Anna, 1990, Roma\n", "list").names == ("Anna",)
    assert read_entrants(b"Anna, Roma, Italia\nBea, Roma, Italia\n", "list").names == ("Anna", "Bea")


@pytest.mark.parametrize(
    ("data", "names"),
    [
        ("Mario Rossi\nAnna Verdi\n", None),
        ("Rossi,Mario\nVerdi,Anna\n", ("Rossi", "Verdi")),
        ("Rossi; Mario\nVerdi; Anna\n", ("Rossi", "Verdi")),
        ("Rossi, Mario\nVerdi, Anna, Roma\n", ("Rossi", "Verdi")),
        ("Rossi, Mario\nVerdi\n", ("Rossi", "Verdi")),
        ("Rossi, Mario\nVerdi, \n", ("Rossi", "Verdi")),
        ("Mario, 12\nAnna, 7\n", ("Mario", "Anna")),
        ("7, Rossi\n8, Verdi\n", ("Rossi", "Verdi")),
        ("sep=,\nRossi, Mario\nVerdi, Anna\n", ("Rossi", "Verdi")),
        ("name, club\nRossi, Roma\nVerdi, Ostia\n", None),
    ],
)  # fmt: skip
def test_of_other_lines_of_several_parts_one_is_taken_and_said_where_no_head_says_it(data, names) -> None:
    found = read_entrants(data.encode(), "list")
    assert found.names == (names or found.names)
    assert (found.understood is None) == (names is None)
    assert "was read as" not in (found.understood or "")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "list: names nobody; write one name a line"),
        (b"name\n", "list: names nobody; write one name a line"),
        (b"Anna\nBea\nanna\n", "list: line 3: 'anna' is there twice (line 1); tell them apart"),
        ("Jürgen\nJUERGEN".encode(), "list: line 2: 'JUERGEN' is there twice (line 1); tell them apart"),
        (b"Bea\nDario\n", "list: line 2: 'Dario' is there twice (among the players already); tell them apart"),
        (b"club,name\nRoma,Anna\nOstia,\n", "list: line 3: is blank; write who plays"),
        (b"club,name\nRoma,Anna\nOstia\n", "list: line 3: is blank; write who plays"),
        (b"Anna\n=1+1\n", "list: line 2: '=1+1' looks like a formula of a spreadsheet; write the name itself"),
        (b"Anna\n" + b"x" * 61, f"list: line 2: '{'x' * 58}… is longer than 60 characters"),
        (
            "Anna\nBea\u202e".encode(),
            "list: line 2: 'Bea\\u202e' holds a control character or a line break; write it plainly",
        ),
        ("Anna\nJörg".encode("latin-1"), "list: byte 6: is not UTF-8 text; save it as CSV UTF-8, or paste the names"),
        (b"Anna\0", "list: character 4: is a NUL; this is not a text file"),
        (b'Anna\n"Bea\n', "list: line 2: is no CSV (unexpected end of data); check its quotes"),
        (b"x" * (MAXIMUM_BYTES + 1), "list: is larger than 1024 KiB, which no list of players needs"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line(data: bytes, told: str) -> None:
    with pytest.raises(InvalidDocument) as raised:
        read_entrants(data, "list", ("Dario",))
    assert str(raised.value) == error_text(raised.value) == told


def test_what_is_wrong_is_said_in_the_language_in_use() -> None:
    use_language("de")
    try:
        with pytest.raises(InvalidDocument) as raised:
            read_entrants(b"Anna\nanna\n", "Liste")
        assert error_text(raised.value) == "Liste: Zeile 2: 'anna' steht zweimal da (Zeile 1); unterscheide die beiden"
    finally:
        use_language("en")


def test_a_list_is_bounded() -> None:
    names = "\n".join(f"Player {number}" for number in range(MOST_PLAYERS + 1))
    with pytest.raises(InvalidDocument, match=f"line {MOST_PLAYERS + 1}: is beyond the 4000 players"):
        read_entrants(names.encode(), "list")


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        names = read_entrants(data, "list").names
    except InvalidDocument:
        return
    assert all(name.strip() == name and name for name in names)
