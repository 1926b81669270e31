"""The `companion` command: what it prints, its exit codes, and what pipes and streams get."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from companion.exports.score_exports import score_csv
from companion.registry import game_folder
from companion.session.record import read_record
from companion.session.rejudging import verify
from tests.session.evenings import new_session, play_at_random
from tests.ui.conftest import QUESTION, Run, is_one_line
from ui import command_line
from ui.command_line import COMMANDS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A finished game of three."""
    session = new_session(seats=3)
    play_at_random(session, 1000, seed=3)
    path = tmp_path / "game.jsonl"
    path.write_text(session.export())
    return path


def companion(*words: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    """Runs the command as a program of its own."""
    command = [sys.executable, "-m", "ui.command_line", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False, timeout=60, **options)  # type: ignore[call-overload,no-any-return]


def test_a_legal_action_is_told_with_what_follows(run: Run, question: Path) -> None:
    code, out, err = run("judge", question, "ward", "F8-G7", "blue", "--seat", 1)
    assert (code, out, err) == (0, "legal: ward F8-G7 blue\n  Player 1 lays a blue ward on F8-G7.\n", "")


def test_an_illegal_action_is_told_with_sentence_source_and_spots(run: Run, question: Path) -> None:
    code, out, _ = run("judge", question, "ward G7-H7 blue")
    assert code == 1
    assert "COM-WARD-3: A ward must share a full side" in out
    assert "[G7-H7]" in out
    assert "source: IT, Gioca una tessera Quartiere" in out


def test_an_action_of_a_seat_whose_turn_it_is_not(run: Run, question: Path) -> None:
    code, out, _ = run("judge", question, "draw red blue", "--seat", 2, "--json")
    assert code == 1
    assert [violation["rule"] for violation in json.loads(out)["violations"]] == ["COM-TURN-5"]


def test_a_record_stands_for_its_last_position(run: Run, record: Path) -> None:
    assert run("judge", record, "draw red blue")[0] == 1
    assert json.loads(run("legal", record, "--json")[1])["step"] == "over"


def test_help_names_every_command(run: Run) -> None:
    code, out, _ = run("--help")
    assert code == 0
    for name, (_, summary) in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(summary)}$", out, re.MULTILINE)


@pytest.mark.parametrize("name", [name for name, (place, _) in COMMANDS.items() if place.startswith("ui.commands")])
def test_a_command_has_help_of_its_own(name: str, run: Run) -> None:
    code, out, _ = run(name, "--help")
    assert code == 0
    assert out.startswith(f"usage: companion {name}")


@pytest.mark.parametrize("command", ["check", "recheck"])
def test_a_check_of_a_position_says_that_it_is_no_record(run: Run, question: Path, command: str) -> None:
    assert run(command, question)[::2] == (
        3, f'companion: {question}: is no record; a record begins with {{"record": 1\n',
    )  # fmt: skip


def test_a_record_that_holds(run: Run, record: Path) -> None:
    code, out, err = run("check", record)
    assert (code, err) == (0, "")
    assert re.fullmatch(r"holds: \d+ entries of Rome: City of Marble\n", out)


def test_a_record_that_does_not_hold_names_line_action_rule_and_sentence(run: Run, record: Path) -> None:
    lines = record.read_text().splitlines()
    record.write_text("\n".join([lines[0], lines[1].replace('"seat": 1', '"seat": 2', 1), *lines[2:]]) + "\n")
    code, out, _ = run("check", record)
    assert code == 1
    assert re.match(r"line 2 '[^']+': COM-TURN-5: Now Player 1 must act, not Player 2\.", out)
    assert "\ndoes not hold: " in out
    code, out, err = run("score", record, "--json")
    assert code == 1
    assert json.loads(out)["final"] is True
    assert "the record does not hold (places: 1)" in err


def test_scores_for_people(run: Run, record: Path) -> None:
    code, out, _ = run("score", record)
    assert code == 0
    assert out.startswith("Rome: City of Marble: final score\n1. ")
    assert "(COM-SCORE-" in out


def test_scores_as_csv_add_up(run: Run, record: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("score", record, "--csv")[1])))
    for seat in "123":
        own = [row for row in rows if row["seat"] == seat]
        (total,) = [row for row in own if row["rule"] == "total"]
        assert int(total["points"]) == sum(int(row["points"]) for row in own if row is not total)


def test_names_are_no_formulas_or_markup(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "names.toml"
    players = ", ".join(f'{{ name = "{name}" }}' for name in ("=1+1", "<script>alert('x')</script>"))
    path.write_text(f'game = "city_of_marble"\nplayers = [{players}]\n')
    rows = list(csv.DictReader(io.StringIO(run("score", path, "--csv")[1])))
    assert rows[0]["player"] == "'=1+1"
    assert "<script" not in run("score", path, "--html")[1]


@pytest.mark.parametrize(
    ("name", "is_formula"),
    [
        ("  =1+1", True), ("\uff1d1+1", True), ("\u3000\uff0b1", True), ("\ufeff@SUM(A1)", True), ("-2", True),
        ("Anna = Ben", False),
    ],
)  # fmt: skip
def test_cells_that_a_spreadsheet_would_compute_are_quoted(name: str, is_formula: bool) -> None:
    player = {"seat": 1, "name": name, "colour": "red", "left": False, "rank": 1, "total": 0}
    rows = list(csv.DictReader(io.StringIO(score_csv({"players": [player], "lines": [], "ended_early": False}))))
    assert rows[0]["player"] == (f"'{name}" if is_formula else name)


def test_names_that_command_a_terminal_are_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "names.toml"
    for name in ("\\u001b[31mred", "left\\u202e", "two\\nlines"):
        path.write_text(f'game = "city_of_marble"\nplayers = [{{ name = "{name}" }}, {{ name = "Anna" }}]\n')
        code, *printed = run("score", path)
        assert code == 3
        assert "holds a control character" in "".join(printed)
        assert "\x1b" not in "".join(printed)
        assert "\u202e" not in "".join(printed)


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {key: value or "" for key, value in attrs}
        if "id" in values:
            self.ids.add(values["id"])
        assert not {"src", "srcset", "data", "action"} & values.keys()
        assert not tag.startswith(("script", "link", "img", "iframe"))
        self.links |= {values["href"]} if "href" in values else set()
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_the_page_of_a_score_needs_no_other_file_and_shows_every_piece(run: Run, record: Path) -> None:
    text = run("score", record, "--html")[1]
    page = Page(text)
    assert page.open == []
    assert page.links
    assert {link.removeprefix("#") for link in page.links if not link.startswith("data:image/")} <= page.ids
    document = json.loads(run("score", record, "--json")[1])
    words = " ".join(page.words)
    for line in document["lines"]:
        assert f"{line['title']}" in words
        assert set(line["sites"]) | {line["rule"]} <= page.ids
    for player in document["players"]:
        assert player["name"] in words
    assert "2026-11-27" in words


def test_the_link_to_bg_stats(run: Run, record: Path, question: Path) -> None:
    link = run("score", record, "--bgstats")[1].strip()
    assert link.startswith("https://app.bgstatsapp.com/createPlay.html?data=")
    assert len(link) < 8000
    play_document = json.loads(parse_qs(urlsplit(link).query)["data"][0])
    assert play_document["sourcePlayId"] == "evening-1"
    assert play_document["playDate"] == "2026-11-27 19:30:00"
    assert play_document["durationMin"] > 30
    assert play_document["game"]["sourceGameId"] == "city_of_marble"
    document = json.loads(run("score", record, "--json")[1])
    assert [player["score"] for player in play_document["players"]] == [p["total"] for p in document["players"]]
    for player in play_document["players"]:
        assert {"winner", "startPlayer"} <= player.keys()
    first, second = (run("score", question, "--bgstats")[1] for _ in range(2))
    assert re.sub("playDate.*?durationMin", "", first) == re.sub("playDate.*?durationMin", "", second)


def test_two_players_of_one_name_are_two_people_to_bg_stats(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "names.toml"
    path.write_text('game = "city_of_marble"\nplayers = [{ name = "Anna" }, { name = "anna" }, { name = "…" }]\n')
    link = run("score", path, "--bgstats")[1].strip()
    people = json.loads(parse_qs(urlsplit(link).query)["data"][0])["players"]
    assert [player["sourcePlayerId"] for player in people] == ["anna-seat-1", "anna-seat-2", "seat-3"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_simulated_games_are_whole_hold_and_come_out_the_same(players: int, run: Run, tmp_path: Path) -> None:
    words = ("simulate", "--game", "city_of_marble", "--players", players, "--seed", 7)
    code, text, err = run(*words)
    assert (code, err) == (0, "")
    log = read_record(text, "simulated")
    assert log.is_over
    assert verify(log) == []
    path = tmp_path / "game.jsonl"
    assert run(*words, "--out", path)[:2] == (0, f"wrote {path}: {len(log.entries)} entries\n")
    assert path.read_text(encoding="utf-8") == text
    assert run(*words[:-1], 8)[1] != text


def test_a_file_that_cannot_be_written_is_told(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "game.jsonl"
    code, _, err = run("simulate", "--game", "city_of_marble", "--out", path)
    assert code == 3
    assert "cannot be written (No such file or directory)" in err
    assert is_one_line(err)
    code, _, err = run("simulate", "--game", "city_of_marble", "--out", tmp_path)
    assert code == 3
    assert list(tmp_path.iterdir()) == []
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    code, _, err = run("simulate", "--game", "city_of_marble", "--out", pipe)
    assert (code, pipe.is_fifo()) == (3, True)
    assert "cannot be written (is no file)" in err


def test_printing_writes_what_it_says(run: Run, tmp_path: Path) -> None:
    words = ("print", "--game", "city_of_marble", "--paper", "A2", "--dpi", 0)
    code, out, _ = run(*words, "--out", tmp_path, "--edition", "second")
    assert code == 0
    *files, shared, owned = out.splitlines()
    assert shared.startswith("pieces for every table: pages 1, 2")
    assert re.fullmatch(r"pieces of the players, only those who play: (\w+ \d+(, \d+)*(; )?){4}", owned)
    written = [Path(line) for line in files]
    assert ["-stickers-" in path.name for path in written] == [False, False, True, False]
    assert "-rules-" in written[-1].name
    for path in written:
        assert path.read_bytes().startswith(b"%PDF")
    code, out, _ = run(*words, "--out", tmp_path / "1")
    assert code == 0
    assert [line for line in out.splitlines() if "-stickers-" in line] == []
    (tmp_path / "file").write_text("")
    code, _, err = run("print", "--game", "city_of_marble", "--out", tmp_path / "file")
    assert code == 3
    assert is_one_line(err)


def test_printing_an_edition_of_ones_own(run: Run, tmp_path: Path) -> None:
    shipped = (game_folder("aqua_romana") / "layout.toml").read_text(encoding="utf-8")
    own = tmp_path / "own.toml"
    own.write_text(shipped.replace('id = "aqua_romana/print_and_play"', 'id = "aqua_romana/own"'), encoding="utf-8")
    code, out, _ = run("print", "--board", own, "--out", tmp_path / "print", "--paper", "A2", "--dpi", 0)
    assert code == 0
    assert {Path(line).name for line in out.splitlines() if line.endswith(".pdf")} == {
        "aqua-romana-own-board-A2.pdf", "aqua-romana-own-pieces-A4.pdf", "aqua-romana-own-rules-en.pdf",
    }  # fmt: skip
    code, _, err = run("print", "--board", tmp_path / "none.toml", "--out", tmp_path / "print")
    assert code == 3
    assert is_one_line(err)


def test_looking_at_a_picture(run: Run, tmp_path: Path) -> None:
    import cv2
    import numpy as np

    from calibration.artwork import board_png
    from companion.registry import print_and_play_board

    picture, overlay = tmp_path / "board.png", tmp_path / "overlay.png"
    cv2.imwrite(str(picture), board_png(print_and_play_board("city_of_marble"), 3.0))
    words = ("look", picture, "--board", "city_of_marble")
    code, out, err = run(*words, "--json", "--overlay", overlay)
    assert (code, err) == (0, "")
    assert json.loads(out)["game"] == "city_of_marble"
    assert overlay.read_bytes().startswith(b"\x89PNG")
    cv2.imwrite(str(picture), np.full((480, 640, 3), 200, np.uint8))
    code, _, err = run(*words)
    assert code == 1
    assert is_one_line(err)
    picture.write_bytes(b"nothing")
    assert run(*words)[0] == 3
    assert run("look", tmp_path / "none.png", "--board", tmp_path / "none.toml")[0] == 3


def test_a_mistake_of_the_program_is_one_line_and_a_file(
    run: Run, question: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setitem(command_line.COMMANDS, "judge", ("tests.ui.test_command_line:stumble", ""))
    code, out, err = run("judge", question, "end")
    assert (code, out) == (3, "")
    assert is_one_line(err)
    assert "ZeroDivisionError" in err
    (log,) = (tmp_path / "state").rglob("errors.log")
    assert str(log) in err
    assert "Traceback" in log.read_text()


def stumble(words: list[str]) -> int:
    return len(words) // 0


def test_a_command_that_is_not_there_yet_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(command_line.COMMANDS, "judge", ("ui.nowhere:main", ""))
    assert run("judge")[::2] == (2, "companion: this version cannot do that yet\n")


def test_standard_input_is_read(question: Path) -> None:
    run = companion("judge", "-", "draw red blue", input=QUESTION.encode())
    assert (run.returncode, run.stdout, run.stderr) == (
        0, b"legal: draw red blue\n  Player 1 draws red, blue.\n", b"",
    )  # fmt: skip
    run = companion("judge", "-", "end", input=b"\xff")
    assert (run.returncode, run.stderr) == (
        3, b"companion: standard input: byte 0: is not UTF-8 text; save the file as UTF-8\n",
    )  # fmt: skip


def test_a_reader_that_leaves_is_no_failure() -> None:
    script = f"{sys.executable} -m ui.command_line games --json | head -c 1; echo ${{PIPESTATUS[0]}}"
    run = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, check=False)
    assert (run.stdout[:1], run.stdout[1:], run.stderr) == (b"{", run.stdout[1:], b"")
    assert int(run.stdout[1:]) in (0, command_line.BROKEN_PIPE)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_output_that_cannot_be_written_is_told() -> None:
    with Path("/dev/full").open("wb") as full:
        run = subprocess.run(
            [sys.executable, "-m", "ui.command_line", "games"],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (run.returncode, run.stderr) == (3, b"companion: standard output: No space left on device\n")


def test_a_terminal_of_another_encoding_shows_codes(tmp_path: Path) -> None:
    path = tmp_path / "names.toml"
    path.write_text('game = "city_of_marble"\nplayers = [{ name = "Zoë" }, { name = "Ἀθηνᾶ" }]\n', encoding="utf-8")
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    run = companion("legal", str(path), env=environment)
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout.startswith(b"Zo\\xeb: draw wards or play a ward. Actions left to do: 2.")
    run = companion("score", str(path), "--json", env=environment)
    assert json.loads(run.stdout.decode("utf-8"))["players"][0]["name"] == "Zoë"


def test_closed_streams_are_no_failure() -> None:
    command = f"{sys.executable} -m ui.command_line games >&- 2>&-"
    assert subprocess.run(["bash", "-c", command], cwd=ROOT, check=False).returncode == 0
    command = f"{sys.executable} -m ui.command_line legal - <&-"
    run = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, check=False)
    assert (run.returncode, run.stderr) == (3, b"companion: standard input: is closed\n")


def test_an_interrupt_is_told_in_one_line(tmp_path: Path) -> None:
    import signal
    import time

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heeding = (  # a shell's background jobs ignore interrupts
        "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "runpy.run_module('ui.command_line', run_name='__main__')"
    )
    command = [sys.executable, "-c", heeding, "legal", str(pipe)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        writer = os.open(pipe, os.O_WRONLY)  # returns once the command has opened its end
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        os.close(writer)
    assert (process.returncode, out, err) == (command_line.INTERRUPTED, b"", b"companion: interrupted\n")


def test_judging_needs_no_heavy_package(question: Path) -> None:
    code = (
        f"import sys; from ui.command_line import main; main(['judge', {str(question)!r}, 'end']); "
        "print(*sorted({'cv2', 'kivy', 'numpy', 'paho', 'serial', 'sqlite3', 'reportlab'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == ""
