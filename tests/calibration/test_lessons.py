"""Label files say which photographs teach a board; `companion teach` and `look` use them."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import jsonschema
import pytest

from calibration.lessons import load_labels
from companion.board.layout import EMPTY, load_board
from companion.errors import InvalidDocument
from companion.registry import print_and_play_board
from tests.vision.grids import LABELS, Camera, grid_board, random_tiles
from ui.command_line import main

ROOT = Path(__file__).resolve().parents[2]
BOARD = grid_board(6, 5)
BOARD_FILE = f"""format = 1
id = "synthetic/grid"
game = "synthetic"
name = "A grid"
size = [200, 170]
grid = {{ columns = 6, rows = 5, side = 30, corner = [10, 10] }}
[[piece]]
name = "tile"
shape = "square"
size = [27]
height = 0
labels = {json.dumps(LABELS)}
lies_on = "cell"
"""


def write(folder: Path, text: str, name: str = "labels.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_what_is_not_named_is_empty_unless_it_is_unknown(tmp_path: Path) -> None:
    text = """format = 1
board = "synthetic/grid"
[[picture]]
file = "one.png"
corners = [[1, 2], [3.5, 4], [5, 6], [7, 8]]
turn = 180
unknown = ["C3"]
labels = { A1 = "disc red", "tile B2" = "cross blue" }
[[picture]]
file = "two.png"
corners = "picture"
rest = "unknown"
labels = { A1 = "" }
"""
    one, two = load_labels(write(tmp_path, text), BOARD)
    assert one.path == tmp_path / "one.png"
    assert one.corners == ((1, 2), (3.5, 4), (5, 6), (7, 8))
    assert one.quarters == 2
    assert one.labels["tile A1"] == "disc red"
    assert one.labels["tile B2"] == "cross blue"
    assert one.labels["tile D4"] == EMPTY
    assert "tile C3" not in one.labels
    assert two.whole
    assert two.quarters is None
    assert dict(two.labels) == {"tile A1": EMPTY}


def test_json_says_the_same(tmp_path: Path) -> None:
    document = {"format": 1, "picture": [{"file": "one.png", "labels": {"a1": "disc red"}}]}
    (one,) = load_labels(write(tmp_path, json.dumps(document), "labels.json"), BOARD)
    assert one.labels["tile A1"] == "disc red"
    assert one.corners == ()


def test_a_position_names_all_spots(tmp_path: Path) -> None:
    board = print_and_play_board("city_of_marble")
    write(tmp_path, 'game = "city_of_marble"\nwards = ["E8-F8 red 1"]\n', "position.toml")
    text = 'format = 1\n[[picture]]\nfile = "one.png"\nposition = "position.toml"\n'
    (one,) = load_labels(write(tmp_path, text), board)
    assert one.labels.keys() == board.spots.keys()
    assert one.labels["ward E8-F8"] == "red"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('labels = { Z9 = "disc red" }', "picture[1].labels.Z9: 'Z9' is no spot of this board"),
        ('labels = { A1 = "dragon" }', "picture[1].labels.A1: is 'dragon'; a tile may be disc red"),
        ("labels = { A1 = 3 }", "picture[1].labels.A1: must be text"),
        ("labels = {}\nturn = 45", "picture[1].turn: must be 0, 90, 180 or 270"),
        ("labels = {}\ncorners = [[1, 2], [3, 4]]", "picture[1].corners: must be four pairs"),
        ("labels = {}\ncorners = [[1, 2], [3, 4], [5, 6], [7, true]]", "picture[1].corners: must be four pairs"),
        ('labels = {}\nrest = "full"', "picture[1].rest: is 'full'"),
        ('labels = {}\nunknown = ["Q77"]', "picture[1].unknown: 'Q77' is no spot"),
        ('labels = {}\nposition = "x.toml"', "picture[1]: needs either labels or a position"),
        ("", "picture[1]: needs either labels or a position"),
        ("labels = {}\nweather = 1", "picture[1].weather: is not known here"),
    ],
)
def test_a_slip_in_a_label_file_is_named(line: str, reason: str, tmp_path: Path) -> None:
    path = write(tmp_path, f'format = 1\n[[picture]]\nfile = "one.png"\n{line}\n')
    with pytest.raises(InvalidDocument) as refusal:
        load_labels(path, BOARD)
    assert str(refusal.value).startswith(f"{path}: ")
    assert reason in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("format = 2\npicture = []\n", "format: is 2"),
        ("format = 1\npicture = []\n", "picture: names no photograph"),
        ('format = 1\nboard = "other"\npicture = []\n', "board: is 'other', not 'synthetic/grid'"),
    ],
)
def test_a_label_file_for_something_else_is_refused(text: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidDocument, match=reason.replace("[", r"\[")):
        load_labels(write(tmp_path, text), BOARD)


def test_teach_and_look(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = load_board(write(tmp_path, BOARD_FILE, "board.toml"))
    text = "format = 1\n"
    askew, near = ((200, 90), (1080, 100), (1210, 860), (120, 840)), ((90, 90), (1190, 60), (1200, 880), (70, 900))
    cameras = [
        Camera(seed=1),
        Camera(corners=askew, gains=(0.8, 0.8, 0.9), seed=2),
        Camera(corners=near, gains=(0.6, 0.7, 0.8), slope=0.2, seed=4),
    ]
    for k, camera in enumerate(cameras):
        look = random_tiles(board, 70 + k, 0.7)
        cv2.imwrite(str(tmp_path / f"{k}.jpg"), camera.photograph(board, look))
        labels = ", ".join(f'{spot[5:]} = "{label}"' for spot, label in look.items())
        corners = f"corners = {[list(tap) for tap in camera.taps(board)]}\n"
        text += f'[[picture]]\nfile = "{k}.jpg"\n{corners}labels = {{ {labels} }}\n'
    labels, profile = write(tmp_path, text), tmp_path / "profile.zip"
    words = ["--board", str(tmp_path / "board.toml")]
    assert main(["teach", str(labels), *words, "--out", str(profile)]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("tile: ")
    assert err == ""

    before = random_tiles(board, 80, 0.4) | {"tile C2": "disc blue"}
    after = before | {"tile C2": "wedge white"}
    other = Camera(corners=((230, 140), (1090, 90), (1120, 800), (160, 850)), gains=(0.6, 0.7, 0.8), seed=3)
    cv2.imwrite(str(tmp_path / "before.jpg"), cameras[0].photograph(board, before))
    cv2.imwrite(str(tmp_path / "after.jpg"), other.photograph(board, after))
    look = ["look", str(tmp_path / "after.jpg"), *words, "--profile", str(profile)]
    overlay = tmp_path / "overlay.png"
    assert main([*look, "--reference", str(tmp_path / "before.jpg"), "--json", "--overlay", str(overlay)]) == 0
    document = json.loads(capsys.readouterr().out)
    schema = json.loads((ROOT / "docs/schemas/look.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, schema)
    seen = {spot["spot"]: spot["labels"][0]["label"] for spot in document["spots"] if spot["labels"][0]["label"]}
    assert seen == after
    assert [change["spot"] for change in document["changes"]] == ["tile C2"]
    assert cv2.imread(str(overlay)).shape == (960, 1280, 3)

    corners = [f"{x:.0f},{y:.0f}" for x, y in other.taps(board)]
    assert main([*look, "--corners", *corners, "--turn", "0"]) == 0
    assert "tile C2: wedge white" in capsys.readouterr().out
    grey = cv2.cvtColor(cv2.imread(str(tmp_path / "after.jpg")), cv2.COLOR_BGR2GRAY)
    cv2.imwrite(str(tmp_path / "after.jpg"), grey)
    for words, code, reason in (
        (["--corners", *corners], 1, "after.jpg: the picture is grey"),
        (["--corners", "1,1", "2,2", "3,3", "4,4"], 1, "do not enclose a board"),
        (["--corners", "1,1", "2,2", "3,3", "4;4"], 2, "'4;4' is no corner"),
        (["--corners", *corners, "--whole"], 2, "say different things"),
        (["--reference", str(tmp_path / "none.jpg")], 3, "cannot be read"),
    ):
        assert main([*look, *words]) == code
        assert reason in capsys.readouterr().err


def test_a_grey_photograph_teaches_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board, camera = load_board(write(tmp_path, BOARD_FILE, "board.toml")), Camera(seed=1)
    picture = camera.photograph(board, {"tile A1": "disc red"})
    cv2.imwrite(str(tmp_path / "0.png"), cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    corners = [list(tap) for tap in camera.taps(board)]
    text = f'format = 1\n[[picture]]\nfile = "0.png"\ncorners = {corners}\nlabels = {{ A1 = "disc red" }}\n'
    words = ["--board", str(tmp_path / "board.toml"), "--out", str(tmp_path / "out.zip")]
    assert main(["teach", str(write(tmp_path, text)), *words]) == 3
    assert "0.png: the picture is grey" in capsys.readouterr().err


@pytest.mark.parametrize("content", [None, b"", b"no picture"])
def test_a_photograph_that_cannot_be_used_is_named(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, BOARD_FILE, "board.toml")
    if content is not None:
        (tmp_path / "one.jpg").write_bytes(content)
    labels = write(tmp_path, 'format = 1\n[[picture]]\nfile = "one.jpg"\nlabels = { A1 = "disc red" }\n')
    code = main(["teach", str(labels), "--board", str(tmp_path / "board.toml"), "--out", str(tmp_path / "out.zip")])
    assert code == 3
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert str(tmp_path / "one.jpg") in err
    assert not (tmp_path / "out.zip").exists()
