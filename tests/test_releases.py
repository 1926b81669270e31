"""What each released version wrote is opened by this one, and read as it was."""

import json
import zipfile
from pathlib import Path

import pytest

from companion.errors import StoreError
from companion.registry import load_game
from companion.session.file_check import SCHEMA_VERSION
from companion.session.record import record_text
from companion.session.session import Session
from companion.session.store import Store
from firmware_bridge.presses.bindings import load_bindings
from firmware_bridge.protocol.gestures import Gesture
from scripts.release import fixtures
from ui.command_line import main
from ui.services.settings import SETTINGS_FILE, load_settings
from ui.web.kept import FILE as PHONES_FILE
from ui.web.kept import KeptPhones
from vision.location.camera_file import load_camera

ROOT = Path(__file__).resolve().parent.parent
ARCHIVES = sorted((ROOT / "tests" / "releases").glob("*.zip"))


@pytest.fixture(params=ARCHIVES, ids=lambda path: path.stem)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder with what a version wrote."""
    with zipfile.ZipFile(request.param) as archive:
        archive.extractall(tmp_path)
    return tmp_path


def expected(kept: Path) -> dict:
    return json.loads((kept / "expected.json").read_text(encoding="utf-8"))


def test_every_version_of_the_changelog_but_the_one_in_work_has_an_archive() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1:]
    versions = [section.split()[0] for section in changes]
    assert ARCHIVES
    assert {path.stem for path in ARCHIVES} >= set(versions[1:])
    assert {path.stem for path in ARCHIVES} <= set(versions)


def test_games_go_on_and_have_their_scores(kept: Path) -> None:
    games = expected(kept)["games"]
    with Store(kept / "data" / "games.sqlite3") as store:
        assert {summary.id for summary in store.games()} == set(games)
        assert store.shortfalls == ()
        for game_id, told in games.items():
            session = Session.open(store, game_id)
            assert len(session.log.entries) == told["entries"]
            assert list(session.scores().totals) == told["totals"]
            assert session.is_over == told["over"]
            if not session.is_over:
                assert session.submit(session.legal_actions()[0]).entry is not None


def test_a_record_holds_and_is_what_the_database_has(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Store(kept / "data" / "games.sqlite3") as store:
        for game_id, told in expected(kept)["games"].items():
            path = kept / "records" / f"{game_id}.jsonl"
            assert main(["check", str(path)]) == 0
            assert load_game(told["game"]).info.title in capsys.readouterr().out
            written = record_text(store.read(game_id)).splitlines()
            assert [json.loads(line) for line in written] == [
                json.loads(line) for line in path.read_text().splitlines()
            ]


def test_settings_lens_boxes_and_phones_are_as_they_were(kept: Path) -> None:
    data = kept / "data"
    assert load_settings(data / SETTINGS_FILE) == fixtures.SETTINGS
    assert load_camera(data / "lens.toml") == fixtures.LENS
    bindings = load_bindings(data / "boxes.toml")
    assert dict(bindings.seats) == {"mqtt:blue": 2, "serial:/dev/ttyACM0": None}
    assert bindings.intent("mqtt:blue", 1, Gesture.LONG, 2).kind == "undo"
    assert bindings.intent_of_word("mqtt:lamp", "single", None).kind == "next"
    phones = KeptPhones(data / PHONES_FILE)
    assert (phones.phones(), phones.seats("capitol-part")) == ({"a" * 64: 1}, {"a" * 64: 2})
    assert [telling.names for telling in phones.told("capitol-part", "a" * 64)] == [("white-4",)]
    phones.close()


def test_a_board_and_a_profile_of_ones_own_read_a_picture(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = kept / "data"
    look = ["look", str(data / "profiles" / "own.png"), "--board", str(data / "boards" / "own.toml")]
    assert main([*look, "--profile", str(data / "profiles" / "own.zip"), "--whole", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    read = {spot["spot"].removeprefix("tile "): spot["labels"][0]["label"] for spot in told["spots"]}
    assert {site: label for site, label in read.items() if label} == expected(kept)["profile"]


def test_a_database_of_a_later_version_is_refused_by_name_and_left_alone(kept: Path) -> None:
    path = kept / "data" / "games.sqlite3"
    content = bytearray(path.read_bytes())
    content[60:64] = (SCHEMA_VERSION + 1).to_bytes(4, "big")  # where SQLite keeps user_version
    path.write_bytes(content)
    with pytest.raises(StoreError, match=rf"has version {SCHEMA_VERSION + 1}, made by a newer program"):
        Store(path)
    assert path.read_bytes() == content
