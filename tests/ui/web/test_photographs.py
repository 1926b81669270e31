"""A photograph of the board from a phone: read in the camera's process, proposed, recorded by a press."""

import errno
import re
import socket
import time
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.board.layout import Board
from companion.board.once import once_a_board
from companion.engine import apply_unchecked
from companion.session.session import Session
from tests.tables import table_of
from tests.ui.web.visiting import Phone, PhoneTable
from ui.services.text import use_language
from ui.shell.table_loop import TableLoop
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView
from ui.table.presenter import Presenter
from ui.view_models.play_view import VerdictKind, VerdictView
from ui.web.site import LARGEST_PICTURE

SECONDS = 120.0
NO_BOARD = bytes(cv2.imencode(".jpg", np.full((600, 800, 3), 127, np.uint8))[1])


def taken(table: PhoneTable, *notations: str) -> bytes:
    """A JPEG of the board as it lies after these actions."""
    return taken_of(table.session, *notations)


def taken_of(session: Session, *notations: str) -> bytes:
    """A JPEG of the board of a session as it lies after these actions."""
    game, state = session.game, session.state
    for notation in notations:
        state = apply_unchecked(game, state, game.parse_action(notation, state)).state
    return photograph(session.table.board, tuple(game.appearance(state).items()))


@once_a_board
def photograph(board: Board, look: tuple[tuple[str, str], ...]) -> bytes:
    """A JPEG of the board; many tests send the same, and drawing it takes longer than most of what they do."""
    scene = Scene(board, CameraView(width=1920, height=1080, tilt=25, distance=800))
    return bytes(cv2.imencode(".jpg", scene.frame(dict(look)))[1])


def send(phone: Phone, picture: bytes, boundary: str = "----x", **headers: str):
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="picture"; filename="a.jpg"\r\n\r\n'.encode()
    body = head + picture + f"\r\n--{boundary}--\r\n".encode()
    given = {
        "Content_Type": f"multipart/form-data; boundary={boundary}", "Content_Length": str(len(body)),
        "Origin": f"http://{phone.table.service.address}",
    }  # fmt: skip
    return phone.request("POST", "/photograph", body, **(given | headers))


def read(table: PhoneTable, phone: Phone):
    """The page once the photograph has been read."""
    until = time.monotonic() + SECONDS
    while table.service._phones._photographs.is_reading and time.monotonic() < until:
        table.tick()
        time.sleep(0.02)
    return phone.get()


@pytest.fixture
def table(table_with_phones):
    return table_with_phones("city_of_marble", 2, live=True)


def test_what_a_photograph_shows_is_proposed_and_recorded_by_a_press(table):
    phone = table.phone(1)
    ward = next(action for action in table.session.legal_actions() if type(action).__name__ == "PlayWard")
    assert 'enctype="multipart/form-data"' in phone.get().body
    assert send(phone, taken(table, ward.text)).status == 303
    page = read(table, phone)
    assert table.presenter.tracker.proposal.candidate is not None
    assert table.presenter.view().verdict.headline in page.text
    assert table.session.moves == ()
    phone.post(button="done")
    assert [move.action for move in table.session.moves] == [ward.text]
    table.tick()
    assert table.presenter.observation is None


def test_a_photograph_that_is_rejected_changes_nothing(table):
    phone = table.phone(1)
    ward = next(action for action in table.session.legal_actions() if type(action).__name__ == "PlayWard")
    send(phone, taken(table, ward.text))
    read(table, phone)
    phone.post(button="no")
    assert table.session.moves == ()
    table.tick()
    assert table.presenter.observation is None


def test_a_board_as_recorded_is_said_to_be(table):
    phone = table.phone(1)
    send(phone, taken(table))
    assert "The board is as the record says." in read(table, phone).text


@pytest.mark.parametrize("how", ["taken away", "given up"])
def test_a_photograph_of_a_phone_that_has_lost_its_seat_meanwhile_is_dropped(table, how):
    phone, other = table.phone(1), table.phone(2)
    ward = next(action for action in table.session.legal_actions() if type(action).__name__ == "PlayWard")
    send(phone, taken(table, ward.text))
    if how == "taken away":
        table.service.revoke(table.service.seated()[0][0])
    else:
        phone.post(seat="0")
    page = read(table, other)
    assert not table.service._phones._photographs.is_reading
    assert table.presenter.tracker.proposal.candidate is None
    assert "proposed" not in page.body.partition("</style>")[2]


def test_a_photograph_that_is_read_when_the_table_is_left_is_not_proposed_at_the_next(table):
    phone = table.phone(1)
    ward = next(action for action in table.session.legal_actions() if type(action).__name__ == "PlayWard")
    send(phone, taken(table, ward.text))
    assert table.service._phones._photographs.is_reading
    table.loop = TableLoop(Presenter(Session.create(None, table_of("capitol", 2))))
    table.tick()
    assert not table.service._phones._photographs.is_reading


def test_what_was_wrong_with_a_photograph_is_said_until_the_game_goes_on(table):
    phone, ward = table.phone(1), "PlayWard"
    send(phone, NO_BOARD)
    assert "The photograph could not be read" in read(table, phone).text
    table.presenter.act(next(each for each in table.session.legal_actions() if type(each).__name__ == ward))
    table.tick()
    assert "The photograph could not be read" not in phone.get().text


def test_what_was_wrong_with_a_photograph_is_said_until_another_one_is_read(table):
    phone, other = table.phone(1), table.phone(2)
    send(phone, NO_BOARD)
    assert "The photograph could not be read" in read(table, phone).text
    send(other, taken(table))
    assert "The photograph could not be read" in phone.get().text
    assert "The board is as the record says." in read(table, other).text
    assert "The photograph could not be read" not in phone.get().text


def test_who_was_told_to_try_again_in_a_moment_is_told_so_no_longer_then(table):
    phone, other = table.phone(1), table.phone(2)
    send(phone, taken(table))
    send(other, taken(table))
    assert "Another photograph is being read" in other.get().text
    read(table, phone)
    assert "Another photograph is being read" not in other.get().text


def test_a_phone_that_has_read_a_refusal_sees_what_its_photograph_shows(table):
    phone = table.phone(1)
    known = next(iter(table.service._phones._phones.values()))
    refused = VerdictView(VerdictKind.REFUSED, "Refused here.")
    known.state, known.position = replace(known.state, refused=refused), table.session.state_id
    ward = next(action for action in table.session.legal_actions() if type(action).__name__ == "PlayWard")
    send(phone, taken(table, ward.text))
    page = read(table, phone)
    assert "Refused here." not in page.text
    assert table.presenter.view().verdict.headline in page.text


@pytest.mark.parametrize("picture", [b"", b"rubbish", b"\xff\xd8\xff" + b"x" * 5000])
def test_what_is_no_picture_is_refused_and_the_game_goes_on(table, picture):
    phone = table.phone(1)
    answer = send(phone, picture)
    if answer.status == 303:
        page = read(table, phone)
        assert re.search(r"The photograph (is|has|cannot be) [^:]*\. ", page.text)
        assert "photograph.jpg" not in page.text
    else:
        assert answer.status == 400
    phone.post(button="help")
    assert table.presenter.shows_all


@pytest.mark.parametrize("kind", [".webp", ".tiff", ".bmp", ".jp2", ".ppm", b"\0\0\0\x20ftypavif", b"rubbish"])
def test_only_jpeg_and_png_pictures_are_decoded(table, kind):
    phone = table.phone(1)
    grey = np.full((600, 800, 3), 127, np.uint8)
    send(phone, kind if isinstance(kind, bytes) else bytes(cv2.imencode(kind, grey)[1]))
    assert "The photograph is neither a JPEG nor a PNG picture." in phone.get().text
    assert not table.service._phones._photographs.is_reading


def test_a_picture_without_a_board_says_why(table):
    phone = table.phone(1)
    send(phone, NO_BOARD)
    assert re.search(r"The photograph could not be read: [a-z][^.]*[.?] ", read(table, phone).text)


def test_the_board_of_another_game_is_called_by_its_name(table):
    phone = table.phone(1)
    send(phone, taken_of(Session.create(None, table_of("capitol", 2))))
    page = read(table, phone)
    name = table.presenter.board.name
    assert f"The photograph could not be read: this is the board of Capitol, not {name}." in page.text
    assert send(phone, taken(table)).status == 303
    assert "The board is as the record says." in read(table, phone).text


def test_what_is_wrong_with_a_picture_is_a_sentence_in_every_language(table):
    phone = table.phone(1)
    told = {"de": "Das Foto ist kein Bild", "it": "La foto non è un'immagine"}
    broken = bytes(cv2.imencode(".png", np.zeros((80, 80, 3), np.uint8))[1])[:60]
    for language, words in told.items():
        use_language(language)
        try:
            send(phone, broken)
            assert words in read(table, phone).text
        finally:
            use_language("en")


def test_a_disk_that_is_full_is_told_in_a_sentence(table, monkeypatch):
    def full(*_arguments):
        raise OSError(errno.ENOSPC, "No space left on device", "/somewhere/photograph.jpg")

    monkeypatch.setattr("ui.web.snapshots.Path.write_bytes", full)
    phone = table.phone(1)
    send(phone, taken(table))
    assert "The photograph could not be read: No space left on device. " in phone.get().text


def test_a_huge_upload_and_one_of_another_kind_are_refused(table):
    phone = table.phone(1)
    for size in (LARGEST_PICTURE + 1, 10**15):
        answer = send(phone, b"x", Content_Length=str(size))
        assert answer.status == 413
        assert "The photograph is larger than 16 MiB" in answer.text
    assert send(phone, b"x", Content_Type="text/plain").status == 400
    assert send(phone, b"x", Content_Type="multipart/form-data; boundary=" + "y" * 200).status == 400
    assert send(phone, b"x", Origin="http://evil.example").status == 403


def test_who_has_no_seat_sends_no_photographs(table):
    spectator = table.phone()
    assert "multipart" not in spectator.get().body
    assert send(spectator, taken(table)).status == 403
    assert not table.service._phones._photographs.is_reading
    assert send(Phone(table), b"x").status == 403


def test_a_phone_that_sends_slowly_keeps_no_other_from_sending(table):
    slow, other = table.phone(1), table.phone(2)
    head = (
        f"POST /photograph HTTP/1.1\r\nHost: {table.service.address}\r\nCookie: {slow.cookie}\r\n"
        f"Origin: http://{table.service.address}\r\nContent-Type: multipart/form-data; boundary=x\r\n"
        "Content-Length: 100000\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", table.port)) as sending:
        sending.sendall(head.encode())
        while send(slow, b"").status != 503:  # as long as the slow one has not arrived
            time.sleep(0.2)
        assert send(other, taken(table)).status == 303
    assert "The board is as the record says." in read(table, other).text
