"""Reading who plays: names one a line, or a column of a CSV file as spreadsheets write them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion.errors import InvalidDocument
from companion.event.list_marks import are_counted, are_most, loose_dash, mark_ends, without_tabbed_marks
from companion.exports.score_exports import is_formula
from companion.files.documents import shown
from companion.position import LONGEST_NAME, name_problem
from companion.wording.characters import with_plain_blanks
from companion.wording.sentences import Sentence, sentence
from companion.wording.spelling import plain

MOST_PLAYERS = 4000
MAXIMUM_BYTES = 1024 * 1024
_NAME_HEADS = frozenset({"name", "names", "player", "players", "spieler", "giocatore", "giocatori", "nome", "nomi"})
_GIVEN_HEADS = frozenset({"firstname", "givenname", "forename", "vorname"})
_FAMILY_HEADS = frozenset({"lastname", "familyname", "surname", "nachname", "familienname", "zuname", "cognome"})
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?')
"""the first line that spreadsheets write to say what parts the cells"""
_PARTING = "\t;,"
_DASHES = "-\uff0d \t"

Row = tuple[int, list[str]]
"""the number of a line, and its cells"""


class InvalidEntrants(InvalidDocument):
    """A list of players does not hold; `sentence` says why and where, for people."""

    def __init__(self, source: str, reason: str, where: str = "") -> None:
        super().__init__(source, where, reason)
        place = sentence("{source}: {where}", source=source, where=where) if where else source
        self.sentence = sentence("{place}: {reason}", place=place, reason=reason)


@dataclass(frozen=True, slots=True)
class PlayerList:
    """The names of a list; `understood` says what was made of lines of several parts that no line of heads explains."""

    names: tuple[str, ...]
    understood: Sentence | None = None


def read_entrants(data: bytes, source: str, taken: Iterable[str] = ()) -> PlayerList:
    """The names in a file or a form: one a line, each "Anna Rossi" or each "Rossi, Anna", most with a bullet or number
    in front, of whichever kinds, or none; three and more in one line, numbered ones in any lines; or the column of a
    CSV called `name` or `player`, or two of given and family names, else the first that holds words.

    Blank lines are passed over; other blanks of Unicode are read as plain ones. `taken` are names of players already
    there. Raises InvalidEntrants, which names the line: for other encodings than UTF-8 and UTF-16, more than 4,000
    players, and names that are blank, longer than 60 characters, twice there or formulas.
    """
    text = with_plain_blanks(_decoded(data, source))
    if not _columns(re.split(rf"[{_PARTING}]", _first_line(text))):
        text = without_tabbed_marks(text)
    delimiter, is_said = _delimiter(text)
    rows = list(_rows(text, source, delimiter, is_said=is_said))
    beside = [] if is_said else _marked_beside_one_another(rows)
    rows, left = _without_marks(rows)
    columns = _columns(rows[0][1]) if rows else ()
    if columns:
        return PlayerList(_names(rows[1:], columns, source, taken))
    if rows and not beside and delimiter == "," and not is_said and all(_is_turned(cells) for _number, cells in rows):
        names = _names(rows, (1, 0), source, taken)
        return PlayerList(names, sentence("each line was read as “surname, first name”, such as {name}", name=names[0]))
    if not beside and len(rows) == 1 and _is_row_of_names(rows[0][1]):
        beside = [(rows[0][0], [cell]) for cell in rows[0][1] if cell.strip()]
    if beside:
        names = _names(beside, (0,), source, taken)
        of_one = sentence("the one line was read as {count} names, such as {name}", count=len(names), name=names[0])
        of_more = sentence("the lines were read as {count} names, such as {name}", count=len(names), name=names[0])
        return PlayerList(names, of_one if len(rows) == 1 else of_more)
    columns = _first_with_words(rows)
    names = _names(rows, columns, source, taken)
    return PlayerList(names, _parts_left_out(rows, columns[0], names) or left)


def _parts_left_out(rows: list[Row], column: int, names: tuple[str, ...]) -> Sentence | None:
    """How many parts of lines were taken for no name, with one of them, its line and the name there; None for none."""
    lost = [
        (line, name, cell.strip())
        for (line, cells), name in zip(rows, names, strict=True)
        for at, cell in enumerate(cells)
        if at != column and cell.strip()
    ]
    if not lost:
        return None
    line, name, part = lost[0]
    return sentence(
        "of each line part {part} was taken, such as {name} of line {number}; parts left out: {count}, such as {lost}; "
        "a first line such as “name,club” would say which part is the name",
        part=column + 1, name=name, number=line, count=len(lost), lost=shown(part),
    )  # fmt: skip


def _names(
    rows: Iterable[tuple[int, list[str]]], columns: tuple[int, ...], source: str, taken: Iterable[str]
) -> tuple[str, ...]:
    found, places = list[str](), {plain(name): sentence("among the players already") for name in taken}
    for number, cells in rows:
        where = sentence("line {number}", number=number)
        name = _name(cells, columns, source, where)
        if plain(name) in places:
            told = sentence(
                "{name} is there twice ({where}); tell them apart", name=shown(name), where=places[plain(name)]
            )
            raise InvalidEntrants(source, told, where)
        places[plain(name)] = where
        found.append(name)
        if len(found) > MOST_PLAYERS:
            raise InvalidEntrants(
                source, sentence("is beyond the {most} players that an event may have", most=MOST_PLAYERS), where
            )
    if not found:
        raise InvalidEntrants(source, sentence("names nobody; write one name a line"))
    return tuple(found)


def _columns(cells: list[str]) -> tuple[int, ...]:
    """The columns that a row of heads says a name stands in, the given name first; none where it is no such row."""
    heads = [re.sub(r"[\s_.:-]", "", plain(cell)) for cell in cells]

    def first(known: frozenset[str]) -> int | None:
        return next((at for at, head in enumerate(heads) if head in known), None)

    whole, given, family = first(_NAME_HEADS), first(_GIVEN_HEADS), first(_FAMILY_HEADS)
    if given is not None:
        whole, family = given, whole if family is None else family
    return tuple(column for column in (whole, family) if column is not None)


def _is_turned(cells: list[str]) -> bool:
    """Whether a line is "Rossi, Anna": a blank after the comma, as people write it and programs do not."""
    if len(cells) != 2 or not cells[1].startswith(" "):
        return False
    return all(cell.strip() and not any(letter.isdigit() for letter in cell) for cell in cells)


def _without_marks(rows: list[Row]) -> tuple[list[Row], Sentence | None]:
    """The rows without bullets or numbers in front, of whichever kinds, where most have one; else as they are, and
    which was left in front of a name.
    """
    marks = mark_ends([cells[0] for _line, cells in rows])
    if are_most(marks):
        marks = [mark or loose_dash(cells[0]) for mark, (_line, cells) in zip(marks, rows, strict=True)]
        return [(line, [cells[0][mark:], *cells[1:]]) for mark, (line, cells) in zip(marks, rows, strict=True)], None
    if not any(marks):
        return rows, None
    line, cells = next(row for mark, row in zip(marks, rows, strict=True) if mark)
    return rows, sentence(
        "line {number}: what stands in front was left as a part of the name, {name}, for most lines have no number",
        number=line,
        name=cells[0].strip(),
    )


def _marked_beside_one_another(rows: list[Row]) -> list[Row]:
    """The names of "1. Anna, 2. Bea", each with its line and without its mark; none where lines are otherwise."""
    written = [(line, cell) for line, cells in rows for cell in cells if cell.strip()]
    names = [cell for _line, cell in written]
    ends = mark_ends(names)
    is_so = are_most(ends) if len(rows) == 1 else all(ends) and are_counted(names)
    if len(written) == len(rows) or not is_so:
        return []
    return [(line, [cell[end:]]) for (line, cell), end in zip(written, ends, strict=True)]


def _is_row_of_names(cells: list[str]) -> bool:
    """Whether a line that stands alone is "Anna, Bea, Cleo": more than a name has, and no numbers."""
    written = [cell for cell in cells if cell.strip()]
    return len(written) > 2 and not any(letter.isdigit() for cell in written for letter in cell)


def _first_with_words(rows: list[tuple[int, list[str]]]) -> tuple[int, ...]:
    """The first column with a letter in it: others number the rows, or mark them."""
    most = max((len(cells) for _number, cells in rows), default=0)
    for column in range(most):
        written = [cells[column].strip() for _number, cells in rows if column < len(cells) and cells[column].strip()]
        if any(letter.isalpha() for cell in written for letter in cell):
            return (column,)
    return (0,)


def _name(cells: list[str], columns: tuple[int, ...], source: str, where: Sentence) -> str:
    parts = [cells[column] for column in columns if column < len(cells)]
    name = " ".join(_unguarded(part.strip()) for part in parts).strip()
    problem = name_problem(name, ())
    problem = formula_problem(name) or problem
    if problem:
        named = sentence("{name} {problem}", name=shown(name, LONGEST_NAME), problem=problem) if name else problem
        raise InvalidEntrants(source, named, where)
    return name


def _unguarded(text: str) -> str:
    """A text without the apostrophe that spreadsheets and our own exports put before what looks like a formula."""
    return text[1:] if text.startswith("'") and is_formula(text[1:]) else text


def formula_problem(name: str) -> str:
    """Why a spreadsheet would not take a name for one; "" where it would. Dashes in front are no reason by themselves:
    people write them, and exports guard them.
    """
    is_one = is_formula(name.lstrip(_DASHES))
    return sentence("looks like a formula of a spreadsheet; write the name itself") if is_one else ""


def _decoded(data: bytes, source: str) -> str:
    if len(data) > MAXIMUM_BYTES:
        most = MAXIMUM_BYTES // 1024
        raise InvalidEntrants(source, sentence("is larger than {most} KiB, which no list of players needs", most=most))
    is_wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = data.decode("utf-16" if is_wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        told = sentence("is not UTF-8 text; save it as CSV UTF-8, or paste the names")
        raise InvalidEntrants(source, told, sentence("byte {number}", number=error.start)) from error
    if "\0" in text:
        where = sentence("character {number}", number=text.index(chr(0)))
        raise InvalidEntrants(source, sentence("is a NUL; this is not a text file"), where)
    return text


def _delimiter(text: str) -> tuple[str, bool]:
    """What parts the cells: what parts those of the first line; or what this line says that does, then with True."""
    first = _first_line(text)
    said = _SEPARATOR_LINE.fullmatch(first)
    return (said[1], True) if said else (next((each for each in _PARTING if each in first), ","), False)


def _first_line(text: str) -> str:
    return next((line for line in text.splitlines() if line.strip()), "").strip(" ")


def _rows(text: str, source: str, delimiter: str, *, is_said: bool) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, with the numbers of their lines; without the one that says what parts the cells."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for cells in reader:
            is_separator_line = is_said and "".join(cells).strip() in ("sep=", f"sep={delimiter}")
            if not is_separator_line and any(cell.strip(f"{_PARTING} ") for cell in cells):
                yield reader.line_num, cells
    except csv.Error as error:
        told = sentence("is no CSV ({error}); check its quotes", error=error)
        raise InvalidEntrants(source, told, sentence("line {number}", number=reader.line_num)) from error
