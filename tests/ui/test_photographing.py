"""The final score from one picture, as a user asks for it."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import cv2
import jsonschema
import numpy as np
import pytest

from companion.engine import scores
from companion.position import parse_position
from companion.registry import game_folder, load_game, print_and_play_board
from ui.command_line import main
from ui.commands.table_options import new_table
from ui.photographs.reading import MOST_COVERED
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView

SCHEMAS = Path(__file__).resolve().parents[2] / "docs" / "schemas"
END = """
game = "city_of_marble"
players = [{ name = "Giulia", colour = "purple" }, { name = "Tiberio", colour = "white" }]
wards = ["F7-G7 green", "G7-H6 blue", "G7-G8 green"]
buildings = ["G7 temple 1", "H7 baths 2"]
fountains = ["F8"]
stage = "over"
[player.1]
coins = 3
imperium = { arena = 1 }
bridges = 2
values = [1, 4]
"""
MANY_SPOTS = ("city_of_marble", "capitol", "aqua_romana", "thurn_and_taxis")
"""games of whose boards a hand covers more than anybody would answer for"""
ANSWERS = ["--answer", "coins.1=3", "--answer", "imperium.1=arena 1", "--answer", "bridges.1=1 4"]


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    position = parse_position(END, "end")
    look = position.game.appearance(position.state)
    path = tmp_path_factory.mktemp("pictures") / "end.png"
    scene = Scene(position.state.table.board, CameraView(width=1920, height=1080, tilt=25, distance=800))
    cv2.imwrite(str(path), scene.frame(look))
    return path


def test_a_picture_and_the_answers_give_the_score(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "seen.toml"
    code = main(["score-photo", str(picture), "--game", "city_of_marble", "--players", "Giulia=purple,Tiberio=white",
                 *ANSWERS, "--position", str(out), "--json"])  # fmt: skip
    document = json.loads(capsys.readouterr().out)
    assert code == 0
    jsonschema.validate(document["score"], json.loads((SCHEMAS / "score.schema.json").read_text(encoding="utf-8")))
    jsonschema.validate(document, json.loads((SCHEMAS / "score-photo.schema.json").read_text(encoding="utf-8")))
    truth = parse_position(END, "end")
    assert [player["total"] for player in document["score"]["players"]] == list(scores(truth.game, truth.state).totals)
    assert document["unsure"] == []
    assert document["untold"] == ["coins.2", "imperium.2", "bridges.2"]
    seen = parse_position(out.read_text(encoding="utf-8"), "seen")
    assert seen.state.sites == truth.state.sites


def test_what_was_misread_is_said_with_the_command(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["score-photo", str(picture), "--game", "city_of_marble"]
    assert main([*words, "--is", "building G7=arena", "--is", "building F8="]) == 0
    told = capsys.readouterr().out
    assert "1 x arena [G7]" in told
    assert "not told, taken as nothing: coins.1" in told
    assert main([*words, "--is", "building G7=forum"]) == 2
    assert "may lie temple" in capsys.readouterr().err
    assert main([*words, "--is", "cube G7="]) == 1
    assert "no cube is on it" in capsys.readouterr().err
    assert main([*words, "--is", "cube G7=", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["score"] is None


def hand_before(image: np.ndarray, size: float) -> np.ndarray:
    """The picture with a hand before its middle, so much of it wide."""
    height, width = image.shape[:2]
    covered = image.copy()
    axes = (int(width * size / 2), int(height * size / 2))
    cv2.ellipse(covered, (width // 2, height // 2), axes, 20, 0, 360, (112, 148, 205), -1, cv2.LINE_AA)
    return covered


def schema_holds(document: object) -> None:
    jsonschema.validate(document, json.loads((SCHEMAS / "score-photo.schema.json").read_text(encoding="utf-8")))


@pytest.fixture(scope="module", params=MANY_SPOTS)
def under_a_hand(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    game, board = load_game(request.param), print_and_play_board(request.param)
    table = new_table(request.param, ("Giulia", "Tiberio"), {}, {}, seed=1)
    look = game.appearance(game.setup(table))
    path = tmp_path_factory.mktemp("hands") / f"{request.param}.png"
    cv2.imwrite(str(path), hand_before(Scene(board, CameraView()).frame(look), 0.45))
    return request.param, path


def test_under_a_hand_no_spot_counts_as_empty(
    under_a_hand: tuple[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    game, path = under_a_hand
    words = ["score-photo", str(path), "--game", game]
    assert main([*words, "--json"]) == 1
    printed = capsys.readouterr()
    if game == "capitol":  # a hand may pass for buildings, which then are nobody's
        return
    document = json.loads(printed.out)
    schema_holds(document)
    assert document["score"] is None
    count = len(document["covered"])
    assert count > MOST_COVERED
    assert f"{count} spots of the board cannot be made out" in printed.err
    assert "take another picture" in printed.err


def test_of_a_few_covered_spots_only_those_are_asked_for_that_count(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image = cv2.imread(str(picture))
    board = print_and_play_board("city_of_marble")
    pose = CameraView(width=1920, height=1080, tilt=25, distance=800).pose(board)
    ((x, y),) = pose.project([(*board.spots["hill C11-D10-D11"].centre, 0.0)])
    cv2.circle(image, (round(float(x)), round(float(y))), 20, (112, 148, 205), -1, cv2.LINE_AA)
    path = tmp_path / "coin.png"
    cv2.imwrite(str(path), image)
    words = ["score-photo", str(path), "--game", "city_of_marble"]
    assert main([*words, "--json"]) == 1
    covered = json.loads(capsys.readouterr().out)["covered"]
    assert 0 < len(covered) <= MOST_COVERED
    assert main(words) == 1
    told = capsys.readouterr().out
    assert [line for line in told.splitlines() if not line.startswith("covered: ")] == []
    assert main([*words, *(word for spot in covered[1:] for word in ("--is", f"{spot}="))]) == 1
    capsys.readouterr()
    with_hill = [*words, "--is", "hill C11-D10-D11=hill"]
    assert main([*with_hill, "--json"]) == 1
    left = json.loads(capsys.readouterr().out)["covered"]
    assert {spot.partition(" ")[0] for spot in left} == {"building", "cube", "aqueduct"}
    assert main([*with_hill, *(word for spot in left for word in ("--is", f"{spot}="))]) == 0
    assert main([*with_hill, "--is", "building=", "--is", "cube=", "--is", "aqueduct=", "--json"]) == 0


def test_the_map_to_rome_has_to_be_in_the_picture_where_it_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board, path = print_and_play_board("thurn_and_taxis"), tmp_path / "board.png"
    cv2.imwrite(str(path), Scene(board, CameraView()).frame({}))
    words = ["score-photo", str(path), "--game", "thurn_and_taxis", "--json"]
    assert main(words) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["covered"], document["assumed"]) == ([], {"modules": ["none"]})
    assert main([*words, "--set-up", "modules=audience"]) == 1
    assert set(json.loads(capsys.readouterr().out)["covered"]) == set(board.beside["rome"].spots)


def test_hills_that_are_missing_are_asked_for_by_name(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["score-photo", str(picture), "--game", "city_of_marble"]
    assert main([*words, "--json"]) == 0
    look = ["look", str(picture), "--board", "city_of_marble", "--json"]
    capsys.readouterr()
    assert main(look) == 0
    hill = next(spot["spot"] for spot in json.loads(capsys.readouterr().out)["spots"] if spot["spot"][:4] == "hill")
    assert main([*words, "--is", f"{hill}="]) == 1
    told = capsys.readouterr().err
    assert "hills: 3 lie on a board; seen are 2" in told
    assert "--set-up hills=" in told
    assert "--is SPOT=LABEL" in told
    assert told.count("\n") == 1


def test_an_empty_board_is_told_before_its_points(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.png"
    cv2.imwrite(str(path), Scene(parse_position(END, "end").state.table.board, CameraView()).frame({}))
    assert main(["score-photo", str(path), "--game", "city_of_marble"]) == 0
    assert capsys.readouterr().out.startswith("nothing was found on the board")


def test_a_picture_without_the_board_does_not_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wall.png"
    cv2.imwrite(str(path), Scene(parse_position(END, "end").state.table.board, CameraView()).frame({})[:200])
    assert main(["score-photo", str(path), "--game", "city_of_marble"]) == 1
    assert "markers in view" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--players", "Giulia"], "--players 'Giulia' must be like NAME=COLOUR"),
        (["--players", "Giulia=purple,Giulia=white"], "--players names 'Giulia' twice"),
        (["--players", "Giulia=purple"], "--players: there are 1; Rome: City of Marble is for 2 to 4"),
        (
            ["--players", "Giulia=mauve,Tiberio=white"],
            "--players: the colour of player 1 is 'mauve'; it must be one of",
        ),
        (
            ["--players", "Giulia=white,Tiberio=white"],
            "--players: the colour of player 2 is white, which somebody else plays",
        ),
        (["--answer", "coins.1=many"], "--answer coins.1: is 'many'; it must be a number from 0 to 99"),
        (["--answer", "coins.7=1"], "--answer coins.7: is not asked; what is asked is coins.1"),
        (["--answer", "coins.1"], "--answer 'coins.1' must be like NAME.SEAT=TEXT"),
        (["--set-up", "players=3"], "Rome: City of Marble has no set-up 'players'; it has hills"),
        (["--ruling", "supply=x"], "ruling 'supply' cannot be 'x'"),
        (["--is", "nowhere=temple"], "--is: 'nowhere' is no spot of the board"),
        (["--whole"], "need a profile taught from photographs"),
        (["--corners", "-5,-5", "10,0", "10,10", "0,10"], "need a profile taught from photographs"),
        (["--board", "capitol"], "--board capitol is a board of Capitol, not of --game city_of_marble"),
    ],
)
def test_an_option_that_cannot_be_is_wrong_use(
    words: list[str], reason: str, picture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score-photo", str(picture), "--game", "city_of_marble", *words]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert reason in printed.err


class Terminal(io.StringIO):
    """Answers typed by somebody."""

    def isatty(self) -> bool:
        return True


def test_nothing_is_asked_about_a_board_that_cannot_be(
    picture: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("3\n"))
    assert main(["score-photo", str(picture), "--is", "aqueduct C12-C13=white"]) == 1
    told = capsys.readouterr()
    assert "no white pieces lead to it" in told.err
    assert "coins" not in told.out
    monkeypatch.setattr(sys, "stdin", Terminal("3\n"))
    assert main(["score-photo", str(picture)]) == 0
    assert "How many coins" in capsys.readouterr().out


def test_floors_that_cannot_be_counted_from_above_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    board, picture = print_and_play_board("capitol"), tmp_path / "above.png"
    look = {"floor Viminal/2": "1", "dome Viminal/2": "green", "floor Viminal/4": "2", "dome Viminal/4": "red"}
    cv2.imwrite(str(picture), Scene(board, CameraView(tilt=0)).frame(look))
    assert main(["score-photo", str(picture)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("not certain: the score may be another")
    assert told.count("please look: floors on Viminal") == 2
    monkeypatch.setattr(sys, "stdin", Terminal("nine\n2\n"))
    assert main(["score-photo", str(picture)]) == 0
    told, complaints = capsys.readouterr()
    assert told.count("not sure: ") == 2  # the same again: by the rules the other one is lower
    assert "not 'nine'" in complaints
    assert "not certain" not in told
    assert "please look" not in told
    assert "1. Player 1 (green)" in told


def test_another_games_board_is_called_by_its_name(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["score-photo", str(picture), "--game", "capitol"], ["look", str(picture), "--board", "capitol"]):
        assert main(words) == 1
        assert "this is the board of Rome: City of Marble, not Capitol" in capsys.readouterr().err


def test_a_sheet_beside_the_board_alone_is_called_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "map.png"
    cv2.imwrite(str(picture), Scene(print_and_play_board("thurn_and_taxis").beside["rome"], CameraView()).frame({}))
    for words in (["score-photo", str(picture)], ["look", str(picture), "--board", "thurn_and_taxis"]):
        assert main(words) == 1
        assert "only All Roads Lead to Rome, print-and-play is in the picture" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("factor", "offset", "reason"), [(0.03, 0.0, "too dark"), (0.05, 242.0, "too bright")], ids=["dark", "bright"]
)
def test_why_no_marker_is_seen_is_told(
    picture: Path, tmp_path: Path, factor: float, offset: float, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    flawed = tmp_path / "flawed.png"
    cv2.imwrite(str(flawed), cv2.convertScaleAbs(cv2.imread(str(picture)), alpha=factor, beta=offset))
    assert main(["look", str(flawed), "--board", "city_of_marble"]) == 1
    printed = capsys.readouterr().err
    assert f"needed. It is {reason}" in printed
    assert printed.count("\n") == 1


def test_the_markers_tell_the_game(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score-photo", str(picture), "--json"]) == 0
    told = capsys.readouterr().out
    assert main(["score-photo", str(picture), "--json", "--game", "city_of_marble"]) == 0
    assert capsys.readouterr().out == told


def test_without_a_game_a_board_or_markers_it_is_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "bare.png"
    cv2.imwrite(str(picture), np.full((480, 640, 3), 200, np.uint8))
    assert main(["score-photo", str(picture)]) == 2
    assert "needs --game, or the --board of another edition" in capsys.readouterr().err


def test_another_edition_is_read_with_a_profile_taught_on_it(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped = print_and_play_board("city_of_marble")
    definition = (game_folder("city_of_marble") / "layout.toml").read_text(encoding="utf-8")
    board = tmp_path / "edition.toml"
    board.write_text(definition.replace(f'id = "{shipped.id}"', 'id = "city_of_marble/other"'), encoding="utf-8")
    words = ["score-photo", str(picture), "--board", str(board)]
    assert main(words) == 3
    assert "profile" in capsys.readouterr().err
    labels = tmp_path / "labels.toml"
    (tmp_path / "end.toml").write_text(END, encoding="utf-8")
    labels.write_text(
        f'format = 1\nboard = "city_of_marble/other"\n[[picture]]\nfile = "{picture}"\nposition = "end.toml"\n',
        encoding="utf-8",
    )
    profile = tmp_path / "profile.zip"
    assert main(["teach", str(labels), "--board", str(board), "--out", str(profile)]) == 0
    capsys.readouterr()
    assert main([*words, "--profile", str(profile), *ANSWERS, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["score"]["game"] == "city_of_marble"
    assert {tuple(line["sites"]) for line in told["score"]["lines"]} >= {("G7",), ("H7",)}
