"""What the `companion` command says of wrong words, names, boards and files: one line, and nothing is harmed."""

import json
import os
import re
from pathlib import Path

import pytest

from tests.session.evenings import eventful_session
from tests.ui.conftest import QUESTION, Run, is_one_line
from ui.commands.table_options import new_table
from ui.commands.terminal import WrongUse
from ui.services import files

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("judge", "question.toml", "frobnicate"), "'frobnicate' is no action"),
        (("judge", "question.toml", "ward G7-H7"), "the form is"),
        (("judge", "question.toml", "end", "--seat", "3"), "--seat 3: the seats of this game are 1 to 2"),
        (("judge", "ended.jsonl", "end"), "the game was ended early"),
        (
            ("simulate", "--game", "city_of_marble", "--players", "5"),
            "Rome: City of Marble is for 2 to 4 players, not 5",
        ),
    ],
)
def test_wrong_use_is_told_in_one_line(
    words: tuple[str, ...], reason: str, run: Run, question: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ended.jsonl").write_text(eventful_session().export())
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert reason in err
    assert is_one_line(err)


@pytest.mark.parametrize(
    "words",
    [
        ("frobnicate",), ("--frob",), ("demo", "--game", "x"), ("judge",), ("judge", "x"),
        ("judge", "x", "end", "--seat", "one"), ("simulate",),
        ("simulate", "--game", "chess"), ("score", "x", "--json", "--csv"), ("games", "x"), ("print", "--game", "x"),
        ("print", "--game", "city_of_marble", "--out", "x", "--paper", "A5"),
        ("print", "--game", "city_of_marble", "--out", "x", "--dpi", "-1"),
    ],
)  # fmt: skip
def test_wrong_words_get_one_line_that_names_the_help(words: tuple[str, ...], run: Run) -> None:
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert is_one_line(err)
    assert "--help says more" in err


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["Anna", " "], "players[2].name: is blank"),
        (["", "Bruno"], "players[1].name: is blank"),
        (["Anna", "Bruno", "Anna"], "players[3].name: is 'Anna', as somebody else's"),
        (["Anna", "x" * 61], "players[2].name: is longer than 60 characters"),
    ],
)
def test_every_player_has_a_name_of_ones_own(names: list[str], reason: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "names.toml"
    players = ", ".join(f"{{ name = {json.dumps(name)} }}" for name in names)
    path.write_text(f'game = "city_of_marble"\nplayers = [{players}]\n')
    code, out, err = run("legal", path)
    assert (code, out, is_one_line(err)) == (3, "", True)
    assert reason in err
    with pytest.raises(WrongUse, match=re.escape(reason.partition(".name: ")[2])):
        new_table("city_of_marble", names, {}, {})


@pytest.mark.parametrize(
    "words",
    [
        ("x" * 5000,), ("judge", "x" * 5000, "end"), ("judge", "question.toml", "ward " * 4000),
        ("simulate", "--game", "x" * 5000), ("look", "picture.png", "--board", "x" * 5000), ("legal", "x/" * 3000),
    ],
)  # fmt: skip
def test_what_is_very_long_is_not_repeated_whole(
    words: tuple[str, ...], run: Run, question: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(question.parent)
    code, out, err = run(*words)
    assert (code > 1, out) == (True, "")
    assert is_one_line(err)
    assert len(err) < 1100


def test_a_board_that_cannot_be_used_is_told_with_the_path_given(run: Run, tmp_path: Path) -> None:
    empty = run("look", "picture.png", "--board", "")
    assert (empty[0], is_one_line(empty[2])) == (3, True)
    assert "board: has an empty name; name a board file or one of city_of_marble" in empty[2]
    shipped = ROOT / "companion" / "games" / "capitol" / "layout.toml"
    path = tmp_path / "edition" / "board.toml"
    path.parent.mkdir()
    for change, reason in (
        (('lies_on = "large square"', 'lies_on = "moon"'), "lies_on: is 'moon', of which this board has none"),
        (("format = 1", "format = 2"), "format: is 2"),
    ):
        text = shipped.read_text(encoding="utf-8")
        assert change[0] in text
        path.write_text(text.replace(*change), encoding="utf-8")
        code, _, err = run("look", "picture.png", "--board", path)
        assert (code, is_one_line(err)) == (3, True)
        assert f"{path}: " in err
        assert reason in err


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "game: is missing"),
        (b"\xff\xfe\x00", "byte 0: is not UTF-8 text"),
        (QUESTION.encode("utf-16"), "byte 0: is not UTF-8 text"),
        (b"game = \0", "character 7: is a NUL"),
        (b"game = ", "is not TOML"),
        (b'game = "chess"', "game: is 'chess'"),
        (b'{"game": "city_of_marble"', "line 1 column"),
        (b'{"game": "city_of_marble", "game": "city_of_marble"}', "the same key twice"),
        (QUESTION.encode() + b"weather = 1", "weather: is not known here"),
        (QUESTION.encode() + b'rulings = { supply = "x" }', "rulings: ruling 'supply' cannot be 'x'"),
        (QUESTION.encode() + b"rulings = { supply = 3 }", "bad.toml: rulings.supply: must be text"),
        (QUESTION.encode() + b"actions = 0x" + b"f" * 5000, "actions: is a huge number; it must be from 0 to 50"),
        (QUESTION.encode() + b"x" * 100_000 + b" = 1", "x…: is not known here"),
        (QUESTION.encode() + b'hills = ["' + b"x" * 100_000 + b'"]', "hills: 'xxx"),
        (QUESTION.encode() + b"players = 9", "players: is 9; it must be from 2 to 4"),
        (QUESTION.encode() + b"x = " + b"[" * 100_000, "holds tables or lists nested too deeply"),
        (QUESTION.encode() + b"x." * 400 + b"x = 1", "x: is not known here"),
        (QUESTION.encode() + b"x." * 100_000 + b"x = 1", "line 3: has more than 500 dots"),
        (b"#" * 600_000, "is longer than 524288 characters"),
        (b"#" * (files.MAXIMUM_BYTES + 1), "is larger than 8 MiB"),
        (b'{"record": 1, "entries": 3}', "line 1.game: is missing"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_malformed_file_is_told_in_one_line(content: bytes, reason: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    for words in (("judge", path, "end"), ("legal", path), ("score", path)):
        code, out, err = run(*words)
        assert (code, out) == (3, "")
        assert reason in err
        assert str(path) in err
        assert is_one_line(err)
        assert len(err) < 1200


def test_a_missing_file_and_a_folder_are_told(run: Run, tmp_path: Path) -> None:
    assert run("legal", tmp_path / "nowhere.toml")[::2] == (
        3, f"companion: {tmp_path / 'nowhere.toml'}: cannot be read (No such file or directory)\n",
    )  # fmt: skip
    assert run("legal", tmp_path)[::2] == (3, f"companion: {tmp_path}: cannot be read (Is a directory)\n")
    assert run("check", "bad\0name")[::2] == (3, "companion: bad\ufffdname: cannot be read (embedded null byte)\n")


def test_a_pipe_without_an_end_is_given_up(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "SILENCE", 0.05)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    code, _, err = run("legal", pipe)
    assert code == 3
    assert "has sent nothing for 0.05 s and does not end" in err
    writer = os.open(pipe, os.O_RDWR)
    os.write(writer, QUESTION.encode())
    assert "has sent nothing" in run("legal", pipe)[2]
    os.close(writer)
    assert "is larger than 8 MiB" in run("legal", "/dev/zero")[2]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--set-up", "hills=Palatine"), "hills must be 3 of Capitoline, Palatine"),
        (("--set-up", "tiles=3"), "Rome: City of Marble has no set-up 'tiles'; it has hills"),
        (("--set-up", "hills"), "--set-up 'hills' must be like NAME=VALUE"),
        (("--set-up", "=x"), "--set-up '=x' must be like NAME=VALUE"),
        (("--ruling", "supply=x"), "ruling 'supply' cannot be 'x'"),
        (("--ruling", "supply=strict", "--ruling", "supply=x"), "--ruling names 'supply' twice"),
    ],
)
def test_a_table_that_cannot_be_is_told_with_the_option(words: tuple[str, ...], reason: str, run: Run) -> None:
    code, out, err = run("simulate", "--game", "city_of_marble", *words)
    assert (code, out, is_one_line(err)) == (2, "", True)
    assert reason in err


def test_numbers_that_follow_one_another_are_told_by_the_first_and_the_last(run: Run, tmp_path: Path) -> None:
    assert (
        "must be 1 of 12 to 30, not '99'" in run("simulate", "--game", "aqua_romana", "--set-up", "curve_tiles=99")[2]
    )
    path = tmp_path / "tiles.toml"
    path.write_text('game = "aqua_romana"\ncurve_tiles = ["99"]\n')
    assert "curve_tiles: '99' is none of 12 to 30" in run("legal", path)[2]


def test_a_simulated_game_has_the_set_up_and_the_rulings_asked_for(run: Run) -> None:
    words = ("--set-up", "modules=BOTH", "--ruling", "chips=any_number")
    code, text, _ = run("simulate", "--game", "thurn_and_taxis", *words)
    table = json.loads(text.partition("\n")[0])["table"]
    assert (code, table["modules"], table["rulings"]["chips"]) == (0, ["both"], "any_number")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("look", "", "--board", "capitol"), "argument PICTURE: an empty text names no file"),
        (("print", "--game", "capitol", "--out", " "), "argument --out: an empty text names no file"),
        (("print", "--game", "capitol", "--out", "x", "--dpi", "5"), "'5' is no resolution from 10 to 1200, nor 0"),
        (("simulate", "--game", "capitol", "--out", "a\0b"), "holds a NUL and names no file"),
        (("simulate", "--game", "capitol", "--seed", "1e5"), "'1e5' is no whole number"),
        (("simulate", "--game", "capitol", "--seed", "9" * 5000), "is no whole number of at most 18 digits"),
        (("boxes", "learn", "choose=0"), "'choose=0': choices are numbered from 1 to 99"),
        (("boxes", "learn", "choose"), "'choose' is no intent; there are done, no, next, help"),
        (("boxes", "learn", "next=1"), "'next=1' is no intent"),
        (("look", "x.png", "--board", "capitol", "--corners", "-5,1", "2,2", "3,3", "nan,4"), "'nan,4' is no corner"),
        (("look", "x.png", "--board", "capitol", "--overlay", "x.gif"), "the name must end in .png, .jpg, .jpeg"),
        (("look", "x.png", "--board", "capitol", "--whole"), "need a profile taught from photographs"),
    ],
)  # fmt: skip
def test_words_that_mean_nothing_are_wrong_use(words: tuple[str, ...], reason: str, run: Run) -> None:
    code, out, err = run(*words)
    assert (code, out, is_one_line(err)) == (2, "", True)
    assert reason in err


def test_files_that_cannot_be_written_are_told_before_the_work(run: Run, tmp_path: Path) -> None:
    folder, missing = tmp_path / "folder", tmp_path / "nowhere" / "x.png"
    folder.mkdir()
    (tmp_path / "file").write_text("")
    for words, reason in (
        (("look", "x.png", "--board", "capitol", "--overlay", missing), "x.png: cannot be written (No such file"),
        (("score-photo", "x.png", "--game", "capitol", "--position", folder), "cannot be written (Is a directory)"),
        (("calibrate", folder, "--out", folder), "cannot be written (Is a directory)"),
        (("calibrate", "--sheet", missing), "cannot be written (No such file"),
        (("boxes", "learn", "done", "--out", folder), "cannot be written (Is a directory)"),
        (("print", "--game", "capitol", "--out", tmp_path / "file"), "file: is no folder; name another one"),
        (("print", "--game", "capitol", "--out", "/proc/x"), "/proc/x: cannot be written"),
    ):
        code, out, err = run(*words)
        assert (code, out, is_one_line(err)) == (3, "", True), words
        assert reason in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


def test_a_rehearsal_takes_a_record_for_its_position(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(eventful_session().export())
    words = ("rehearse", "--no-boxes", "--position", path)
    assert run(*words)[0] == 0
    code, _, err = run(*words, "--game", "capitol")
    assert (code, is_one_line(err)) == (2, True)
    assert "is of Rome: City of Marble, not of --game capitol" in err


def test_the_version_is_told(run: Run) -> None:
    assert re.fullmatch(r"roman-table-companion \d+\.\d+\.\d+\n", run("--version")[1])
    assert run("help")[:2] == run("--help")[:2]


def test_a_data_folder_that_cannot_be_is_told(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    code, _, err = run("boxes", "list", "--wait", "0.1")
    assert (code, is_one_line(err)) == (3, True)
    assert "roman-table-companion: cannot be the data folder (Not a directory)" in err


def test_players_and_set_ups_that_are_none_are_told_in_words(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    for entry, reason in (
        ('players = "two"', "players: must be a number, or a list of tables, not 'two'"),
        ("players = [2]", "players[1]: must be a table, not 2"),
        ("modules = []", "modules: must name one of none, audience, offices, both, not 0"),
    ):
        path.write_text(f'game = "thurn_and_taxis"\n{entry}\n')
        code, _, err = run("legal", path)
        assert (code, is_one_line(err)) == (3, True)
        assert reason in err
