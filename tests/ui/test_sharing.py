"""What is taken away from a table: files, a code that a phone reads."""

from __future__ import annotations

import base64
import codecs
import json
import math
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import cv2
import numpy as np
import pytest

from calibration.drawing.colours import PLAYERS
from companion.exports.score_exports import BG_STATS
from companion.files.documents import DocumentTable
from companion.position import Position, read_position
from companion.registry import load_game
from companion.session.session import Session
from tests.full_disk import no_room_for_more_than
from tests.session.evenings import clock, play_at_random
from tests.tables import table_of
from ui.drawing.board_frame import shown_part
from ui.drawing.faces import STOREY
from ui.results.reports import write_reports
from ui.results.score_page import score_page
from ui.results.sharing import Sharing, play_link, qr_picture
from ui.services.text import translated_texts, use_language
from ui.view_models.form_view import Note, Tone


@pytest.fixture
def session() -> Session:
    session = Session.create(None, table_of("city_of_marble", 2))
    session.submit(session.legal_actions()[0])
    session.end_early("late")
    return session


def test_a_phone_reads_the_play_from_the_code(session: Session) -> None:
    sharing = Sharing(session, Path())
    shown = sharing.picture()
    assert shown is not None
    text, _corners, _straight = cv2.QRCodeDetectorAruco().detectAndDecode(shown.image)
    assert text == play_link(session)
    assert text.startswith(BG_STATS)


def play(session: Session) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(parse_qs(urlsplit(play_link(session)).query)["data"][0])
    return told


def test_a_play_that_somebody_left_is_ranked_without_them() -> None:
    session = Session.create(None, table_of("aqua_romana", 3), clock=clock())
    play_at_random(session, 20, 2)
    session.leave(2)
    play_at_random(session, 500, 2)
    assert session.is_over
    told, sheet = play(session), session.scores()
    assert [player["score"] for player in told["players"]] == list(sheet.totals)
    assert [player.get("rank") for player in told["players"]] == [sheet.ranks[0], None, sheet.ranks[2]]
    assert [player["winner"] for player in told["players"]] == [seat in sheet.winners for seat in (1, 2, 3)]
    assert not told["players"][1]["winner"]
    assert told["comments"] == "Left before the end: Player 2."
    assert told["players"][0]["startPlayer"]
    assert told["durationMin"] > 0


def test_a_joined_play_that_ended_early_has_neither_ranks_nor_a_beginning() -> None:
    first = Session.create(None, table_of("capitol", 3), clock=clock())
    play_at_random(first, 60, 2)
    first.leave(3)
    session = Session.join(None, Position(first.game, first.state, first.record_status.left), clock=clock())
    play_at_random(session, 5, 3)
    session.end_early("Time is up")
    told = play(session)
    assert [player["score"] for player in told["players"]] == list(session.scores().totals)
    assert not any(player["winner"] or player["startPlayer"] or "rank" in player for player in told["players"])
    assert "durationMin" not in told
    assert told["comments"] == "Joined under way. Left before the end: Player 3. Ended early, without a winner."


def test_what_no_code_can_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="too large"):
        qr_picture("x" * 5000)


def test_files_are_written_and_told(session: Session, tmp_path: Path) -> None:
    sharing = Sharing(session, tmp_path / "game")
    sharing.touch("write", "")
    names = {path.name for path in (tmp_path / "game").iterdir()}
    assert names == {"record.jsonl", "score.json", "score.csv", "score.html", "bgstats.txt"}
    assert (tmp_path / "game" / "score.csv").read_bytes().startswith(codecs.BOM_UTF8)
    told = sharing.rows()[-1]
    assert isinstance(told, Note)
    assert told.tone is Tone.GOOD
    assert "score.csv" in told.text


def test_a_picture_of_the_sheet_is_written_only_with_the_files(session: Session, tmp_path: Path) -> None:
    sharing = Sharing(session, tmp_path / "game", b"a picture")
    sharing.rows()
    assert not (tmp_path / "game").exists()
    sharing.touch("write", "")
    assert (tmp_path / "game" / "score.png").read_bytes() == b"a picture"


def test_a_picture_of_the_sheet_that_finds_no_room_is_told_and_leaves_the_earlier_one(
    session: Session, tmp_path: Path
) -> None:
    Sharing(session, tmp_path, b"earlier").touch("write", "")
    sharing = Sharing(session, tmp_path, bytes(1_000_000))
    with no_room_for_more_than(500_000):
        sharing.touch("write", "")
    told = sharing.rows()[-1]
    assert isinstance(told, Note)
    assert told.tone is Tone.BAD
    assert (tmp_path / "score.png").read_bytes() == b"earlier"


def test_files_that_do_not_fit_on_the_disk_leave_those_before_as_they_are(session: Session, tmp_path: Path) -> None:
    written = write_reports(session, tmp_path)
    before = [path.read_bytes() for path in written]
    session.undo()
    with no_room_for_more_than(1000), pytest.raises(OSError, match=r"record\.jsonl"):
        write_reports(session, tmp_path)
    assert [path.read_bytes() for path in written] == before
    assert len(list(tmp_path.iterdir())) == len(written)


def test_a_folder_that_cannot_be_made_is_told(session: Session, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    sharing = Sharing(session, tmp_path / "taken" / "game")
    sharing.touch("write", "")
    told = sharing.rows()[-1]
    assert isinstance(told, Note)
    assert told.tone is Tone.BAD


def test_the_page_is_in_the_language_of_the_table(session: Session) -> None:
    use_language("de")
    try:
        page = score_page(session.game, session.state, session.record_status)
    finally:
        use_language("en")
    assert '<html lang="de">' in page
    for word in ("Spieler", "Punkte", "Summe", "Der Plan", "Die Regeln, nach denen gezählt wurde", "schwarz"):
        assert word in page
    for word in ("Player", "Points", "Total", "The board", "black", "{"):
        assert word not in page.partition("</head>")[2].replace("Player 1", "").replace("Player 2", "")


def test_the_page_shows_the_printed_board_with_what_lies_on_it() -> None:
    game = load_game("capitol")
    document = DocumentTable({"game": "capitol", "buildings": ["Palatine/3 4-round 1"]}, "position", "")
    position = read_position(document)
    look = game.appearance(position.state)
    floor, dome = (next(spot for spot in look if spot.startswith(kind)) for kind in ("floor", "dome"))
    page = score_page(game, position.state)
    assert page.count("<image ") == 1
    data = base64.b64decode(page.partition("data:image/webp;base64,")[2].partition('"')[0])
    shown = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    board = position.state.table.board
    left, top, right, bottom = shown_part(board)
    scale = shown.shape[1] / (right - left)
    assert shown.shape[0] == round((bottom - top) * scale)
    x, y = board.spots[dome].centre
    half = board.pieces["dome"].size[0] * 0.3
    roof = shown[
        round((y - half - 3 * STOREY - top) * scale) : round((y + half - 3 * STOREY - top) * scale),
        round((x - half - left) * scale) : round((x + half - left) * scale),
    ]
    own = [spot for spot in PLAYERS if math.dist(PLAYERS[spot], np.median(roof, axis=(0, 1))[::-1]) < 40]
    assert own == [look[dome]]
    assert page.count(f"<title>{escape(translated_texts('capitol').spot(floor))}: 4</title>") == 1
