"""Every example of docs/formats.md and the pages below it is run, and every JSON output fits its schema."""

import json
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest

from companion.detail import ON_THE_TABLE
from companion.engine import follow
from companion.errors import InvalidDocument
from companion.events import DetailChosen
from companion.files.documents import DocumentTable
from companion.position import position_document
from companion.registry import GAMES, game_folder, load_game, print_and_play_board
from companion.session.entries import EntryKind
from companion.session.record import entry_from, record_text
from companion.session.salvage import salvaged_log
from firmware_bridge.mqtt.table_identity import TABLE_FILE
from tests.conformance import Walk, starting_state
from tests.every_game import EVERY_GAME, fewest_seats, some_seats
from tests.session.evenings import eventful_session, new_session, rewritten_session
from tests.tables import start
from ui.application.play import GAMES_FILE
from ui.command_line import main
from ui.forms.lens_form import LENS_FILE
from ui.hardware.boxes import BINDINGS_FILE
from ui.results.reports import write_reports
from ui.services.folders import BOARDS
from ui.services.kept_clock import FOLDER as CLOCKS
from ui.services.settings import SETTINGS_FILE
from ui.web.kept import FILE as PHONES_FILE

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES = (DOCS / "commands.md", DOCS / "formats.md", *sorted((DOCS / "formats").glob("*.md")))
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SCHEMA_STEP = 10
"""Of a random game every tenth position is held against the schema, and each that has an entry not seen before."""


def schema(name: str, folder: Path = DOCS / "schemas") -> jsonschema.Draft202012Validator:
    document = json.loads((folder / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(document)
    return jsonschema.Draft202012Validator(document)


def blocks(kind: str) -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for found, name, text in BLOCK.findall(page.read_text(encoding="utf-8")):
            if found == kind:
                yield name, text


def with_board(line: str) -> str:
    header = json.loads(line)
    board = print_and_play_board(header["game"])
    return json.dumps(header | {"digest": board.digest, "board": dict(board.definition)})


def examples(page: Path) -> list[tuple[str, str]]:
    """Commands of the console examples of a page, in their order, and what they print."""
    found = []
    for kind, _, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind == "console":
            for part in text.split("$ ")[1:]:
                command, _, output = part.partition("\n")
                found.append((command, output))
    return found


def written_out(page: Path, folder: Path) -> None:
    """Write the files that a page gives into a folder."""
    for kind, name, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if name and kind in ("toml", "json"):
            header, _, entries = text.partition("\n")
            (folder / name).write_text(f"{with_board(header)}\n{entries}" if "jsonl" in name else text)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that all pages give."""
    monkeypatch.chdir(tmp_path)
    for page in PAGES:
        written_out(page, tmp_path)
    return tmp_path


def run(command: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """What a line of a console example ends with and prints; `> file` writes it to a file, as a shell does."""
    words, _, target = command.partition(" > ")
    program, *arguments = shlex.split(words)
    if program == "companion":
        code = main(arguments)
        printed = capsys.readouterr().out
        if target:
            (folder / target).write_text(printed)
        return code, "" if target else printed
    done = subprocess.run(["bash", "-c", command], cwd=folder, check=True, capture_output=True, text=True)
    return done.returncode, done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_of_a_page_print_what_it_shows_with_the_files_it_gives(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    written_out(page, tmp_path)
    for command, output in examples(page):
        code, printed = run(command, tmp_path, capsys)
        if "--json" not in command:
            assert printed == output, command
            continue
        document = json.loads(printed)
        assert document == json.loads(output), command
        assert code == int(document.get("status") == "illegal" or document.get("holds") is False)


def test_every_json_example_stands_under_its_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = {"judge": "verdict"}
    seen = set()
    for page in PAGES:
        (tmp_path / page.stem).mkdir()
        monkeypatch.chdir(tmp_path / page.stem)
        written_out(page, tmp_path / page.stem)
        for command, _ in examples(page):
            _, printed = run(command, tmp_path / page.stem, capsys)
            if "--json" in command:
                name = shlex.split(command)[1]
                schema(names.get(name, name)).validate(json.loads(printed))
                seen.add(name)
    assert seen == {"judge", "legal", "check", "score"}


def test_the_record_of_the_page_holds_and_has_what_it_says(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "short.jsonl"]) == 0
    assert capsys.readouterr().out == (
        "against the rules, and recorded as such: entries 4\nholds: 4 entries of Rome: City of Marble\n"
    )


def test_games_stand_under_their_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    schema("games").validate(document)
    assert [game["id"] for game in document["games"]] == list(GAMES)


def position_schema(game_id: str) -> jsonschema.Draft202012Validator:
    """The schema of a game's positions: among the documents, or in the folder of a game that is kept elsewhere."""
    if game_id in GAMES:
        return schema(f"{game_id}-position")
    return schema("position", game_folder(game_id))


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_positions_stand_under_their_schema_and_have_every_entry_of_it(game_id: str, folder: Path) -> None:
    validator = position_schema(game_id)
    game = load_game(game_id)
    used: set[str] = {"collecting"}
    for seed in range(6):
        state = starting_state(game_id, some_seats(game_id, seed), Random(seed))
        for number, (before, _, _) in enumerate(Walk(game, state, seed).steps):
            document = position_document(game, before)
            if number % SCHEMA_STEP == seed % SCHEMA_STEP or document.keys() - used:
                validator.validate(json.loads(json.dumps(document)))
            used |= document.keys()
        for level in game.info.details[1:]:
            document = position_document(game, follow(game, state, (DetailChosen(level),)).state)
            validator.validate(json.loads(json.dumps(document)))
            used |= document.keys()
    documents = [tomllib.loads(path.read_text()) for path in folder.glob("*.toml")]
    for document in documents:
        if document["game"] == game_id:
            validator.validate(document)
    assert used >= set(validator.schema["properties"])


def page(game_id: str) -> str:
    """The page on a game's formats: among the documents, or in the folder of a game that is kept elsewhere."""
    path = DOCS / "formats" / f"{game_id}.md" if game_id in GAMES else game_folder(game_id) / "formats.md"
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_the_tables_of_a_page_name_every_entry_of_a_position(game_id: str) -> None:
    rows = re.findall(r"^\| (`[^|]*) \|", page(game_id), re.MULTILINE)
    listed = {key for row in rows for key in re.findall(r"`(\w+)`", row)}
    unlisted = set(load_game(game_id).position_keys) - listed
    assert not unlisted, f"the page on the formats of {game_id} has no row for {', '.join(sorted(unlisted))}"


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_every_kind_of_action_stands_on_its_page(game_id: str) -> None:
    game, state = start(game_id, fewest_seats(game_id))
    kinds = set()
    for form in re.findall(r"^\| `([^`|]+)` \|", page(game_id), re.MULTILINE):
        try:
            kinds.add(type(game.parse_action(form, state)))
        except ValueError:
            continue
    assert set(game.info.kinds) == kinds


def lines_of_records() -> list[dict[str, Any]]:
    """The lines of some records, with every kind of entry among them."""
    left = new_session(seats=3)
    left.leave(1)
    left.come_back(1)
    less = new_session()
    less.choose_detail(ON_THE_TABLE)
    damaged = salvaged_log(left.log.header, {1: None}, "games")
    records = [eventful_session().export(), rewritten_session().export(), left.export(), less.export()]
    records.append(record_text(damaged))
    return [json.loads(line) for line in "".join(records).splitlines()]


def test_every_line_of_a_record_stands_under_its_schema() -> None:
    validator = schema("record")
    lines = lines_of_records()
    for document in lines:
        validator.validate(document)
    assert {document.get("kind", "header") for document in lines} == {"header", *EntryKind}


def refusal_of(entry: Mapping[str, Any]) -> str:
    """Why a line of a record of City of Marble for two is refused; "" where it is not."""
    try:
        entry_from(DocumentTable(entry, "line", ""), load_game("city_of_marble"), 2)
    except InvalidDocument as error:
        return str(error)
    return ""


@pytest.mark.parametrize("kind", EntryKind)
def test_an_entry_is_read_as_its_schema_says_and_within_its_limits(kind: EntryKind) -> None:
    definitions = schema("record").schema["$defs"]
    rules, needed = definitions[kind]["properties"], definitions[kind]["required"]
    entry = next(line for line in lines_of_records() if line.get("kind") == kind)
    assert refusal_of(entry) == ""
    assert "mood: is not known here" in refusal_of(entry | {"mood": 1})
    for key in needed:
        without = {name: value for name, value in entry.items() if name != key}
        assert f"{key}: is missing" in refusal_of(without)
    for key, rule in rules.items():
        if "maxLength" in rule:
            most = rule["maxLength"]
            assert f"{key}: is longer than {most} characters" in refusal_of(entry | {key: "x" * (most + 1)})
            assert refusal_of(entry | {key: "x" * most}) == ""
        elif rule.get("type") == "integer":
            for number in (rule["minimum"] - 1, rule["maximum"] + 1):
                assert f"from {rule['minimum']} to {rule['maximum']}" in refusal_of(entry | {key: number})
            assert refusal_of(entry | {key: rule["maximum"]}) == ""
        elif rule.get("type") == "array":
            most = rule["maxItems"]
            assert f"{key}: has {most + 1} entries; at most {most}" in refusal_of(entry | {key: [None] * (most + 1)})
            assert "entries; at most" not in refusal_of(entry | {key: [None] * most})
    assert "seat: is 3; it must be from 1 to 2" in refusal_of(entry | {"seat": 3})
    assert "seat: is 0; it must be from 1 to 2" in refusal_of(entry | {"seat": 0})
    for time in ("2026-11-27T19:30:00", "2026-13-27T19:30:00Z", "x" * 101):
        assert "time: " in refusal_of(entry | {"time": time})


def test_the_table_of_the_data_folder_names_every_file_of_it(tmp_path: Path) -> None:
    (table,) = re.findall(
        r"## The user's data folder\n.*?\n\n(\|.*?)\n\n", (DOCS / "formats.md").read_text(encoding="utf-8"), re.DOTALL
    )
    reports = [path.name for path in write_reports(eventful_session(), tmp_path)]
    files = [
        GAMES_FILE, f"{GAMES_FILE}-acknowledged", SETTINGS_FILE, PHONES_FILE, TABLE_FILE, BINDINGS_FILE, LENS_FILE,
        "table-1.lock", f"{CLOCKS}/", f"{BOARDS}/", *reports,
    ]  # fmt: skip
    assert [name for name in files if f"`{name}" not in table] == []
