"""The final score from one picture, as a user asks for it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import jsonschema
import pytest

from companion.engine import scores
from companion.position import parse_position
from ui.command_line import main
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import View

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
ANSWERS = ["--answer", "coins.1=3", "--answer", "imperium.1=arena 1", "--answer", "bridges.1=1 4"]


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    position = parse_position(END, "end")
    look = position.game.appearance(position.state)
    path = tmp_path_factory.mktemp("pictures") / "end.png"
    scene = Scene(position.state.table.board, View(width=1920, height=1080, tilt=25, distance=800))
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
    assert main([*words, "--is", "cube G7="]) == 3
    assert "no cube is on it" in capsys.readouterr().err


def test_a_picture_without_the_board_does_not_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wall.png"
    cv2.imwrite(str(path), Scene(parse_position(END, "end").state.table.board, View()).frame({})[:200])
    assert main(["score-photo", str(path), "--game", "city_of_marble"]) == 1
    assert "markers in view" in capsys.readouterr().err
