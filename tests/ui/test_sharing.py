"""What is taken away from a table: files, a code that a phone reads."""

from __future__ import annotations

import resource
from pathlib import Path

import cv2
import pytest

from companion.exports import BG_STATS
from companion.session.session import Session
from tests.tables import table_of
from ui.forms import Note, Tone
from ui.reports import write_reports
from ui.score_page import score_page
from ui.sharing import Sharing, play_link, qr_picture
from ui.text import use_language


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


def test_what_no_code_can_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="too large"):
        qr_picture("x" * 5000)


def test_files_are_written_and_told(session: Session, tmp_path: Path) -> None:
    sharing = Sharing(session, tmp_path / "game")
    sharing.touch("write", "")
    names = {path.name for path in (tmp_path / "game").iterdir()}
    assert names == {"record.jsonl", "score.json", "score.csv", "score.html", "bgstats.txt"}
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


def test_files_that_do_not_fit_on_the_disk_leave_those_before_as_they_are(session: Session, tmp_path: Path) -> None:
    written = write_reports(session, tmp_path)
    before = [path.read_bytes() for path in written]
    session.undo()
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limit[1]))
    try:
        with pytest.raises(OSError, match=r"record\.jsonl"):
            write_reports(session, tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
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
        page = score_page(session.game, session.state, session.course)
    finally:
        use_language("en")
    assert '<html lang="de">' in page
    for word in ("Spieler", "Punkte", "Summe", "Der Plan", "Die Regeln, nach denen gezählt wurde", "schwarz"):
        assert word in page
    for word in ("Player", "Points", "Total", "The board", "black", "{"):
        assert word not in page.partition("</head>")[2].replace("Player 1", "").replace("Player 2", "")
