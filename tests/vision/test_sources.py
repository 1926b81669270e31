"""Pictures come from files, folders, addresses and drawings; what is none of these is refused in one line."""

from __future__ import annotations

import http.server
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera.sources import CameraSource, FolderSource, StreamSource, VideoSource, open_source
from vision.complaints import overheard
from vision.errors import InvalidPicture, SourceError, SourceLost, SourceUnavailable
from vision.pictures import decode_picture, read_picture


def picture(level: int) -> np.ndarray:
    return np.full((96, 128, 3), level, np.uint8)


def write(path: Path, level: int) -> None:
    path.write_bytes(cv2.imencode(".png", picture(level))[1].tobytes())


def test_the_kind_of_source_follows_from_what_people_write(tmp_path: Path) -> None:
    clip = tmp_path / "clip.avi"
    clip.write_bytes(b"")
    assert isinstance(open_source("0"), CameraSource)
    assert isinstance(open_source("http://phone.local:8080/video"), StreamSource)
    assert isinstance(open_source("rtsp://phone.local/stream"), StreamSource)
    assert isinstance(open_source(str(tmp_path)), FolderSource)
    assert isinstance(open_source(str(clip)), VideoSource)
    for wrong in ("ftp://somewhere/clip", str(tmp_path / "nowhere"), "", " ", "a\0b"):
        with pytest.raises(SourceUnavailable):
            open_source(wrong)


def test_a_password_in_an_address_is_not_shown() -> None:
    assert StreamSource("rtsp://anna:secret@phone.local/stream").name == "phone.local/stream"


def test_a_folder_gives_its_pictures_by_name_and_stays_on_the_last(tmp_path: Path) -> None:
    write(tmp_path / "b.png", 20)
    write(tmp_path / "a.png", 10)
    (tmp_path / "c.png").write_bytes(b"no picture")
    (tmp_path / "notes.txt").write_text("no picture either")
    source = FolderSource(tmp_path, rate=200)
    source.open()
    levels = []
    for _ in range(4):
        image = source.read()
        assert image is not None
        levels.append(int(image[0, 0, 0]))
    assert levels == [10, 20, 20, 20]
    source.close()


def test_a_folder_without_a_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceUnavailable, match="holds no picture"):
        FolderSource(tmp_path).open()
    (tmp_path / "a.png").write_bytes(b"no picture")
    source = FolderSource(tmp_path, rate=200)
    source.open()
    with pytest.raises(SourceLost, match="holds no usable picture"):
        source.read()


def test_a_video_file_is_played_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 100.0, (128, 96))
    for level in (40, 120, 200):
        writer.write(picture(level))
    writer.release()
    source = VideoSource(path)
    source.open()
    levels = []
    while (image := source.read()) is not None:
        levels.append(int(image[48, 64, 0]))
    source.close()
    assert np.allclose(levels, (40, 120, 200), atol=4)


@pytest.mark.parametrize("content", [b"", b"RIFF\x00\x00", b"no video at all" * 50])
def test_a_broken_video_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "clip.avi"
    path.write_bytes(content)
    with pytest.raises(SourceUnavailable, match="cannot be opened"):
        VideoSource(path).open()


def test_a_number_that_no_camera_can_have_is_refused() -> None:
    with pytest.raises(SourceUnavailable, match="plugged in"):
        open_source("9" * 12).open()


class Camera(http.server.BaseHTTPRequestHandler):
    """Sends five pictures as a phone's MJPEG server does, then hangs up; at another path it wants a password."""

    def do_GET(self) -> None:
        if self.path != "/video":
            self.send_error(401)
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        for level in (50, 90, 130, 170, 210):
            data = cv2.imencode(".jpg", picture(level))[1].tobytes()
            self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n")
            self.wfile.write(f"Content-Length: {len(data)}\r\n\r\n".encode() + data + b"\r\n")

    def log_message(self, format: str, *args: object) -> None:
        """Stay quiet."""


@pytest.fixture
def address() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Camera)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/video"
    server.shutdown()
    server.server_close()


def test_an_mjpeg_address_is_read_until_it_hangs_up(address: str) -> None:
    source = StreamSource(address)
    source.open()
    # The decoder may keep the last picture back: it ends where another would begin.
    levels = [int(source.read()[48, 64, 0]) for _ in range(4)]
    assert np.allclose(levels, (50, 90, 130, 170), atol=4)
    with pytest.raises(SourceLost, match="the stream stopped"):
        [source.read() for _ in range(2)]
    source.close()


def test_an_address_where_nobody_listens_is_refused() -> None:
    with pytest.raises(SourceUnavailable, match="cannot be opened"):
        StreamSource("http://127.0.0.1:9/video").open()


def test_an_address_that_wants_a_password_is_refused_with_that_possibility(address: str) -> None:
    with pytest.raises(SourceUnavailable, match=r"cannot be opened; .* its name and password"):
        StreamSource(address.replace("/video", "/private")).open()


def test_a_source_that_is_not_open_gives_nothing(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is not open"):
        StreamSource("http://127.0.0.1:9/video").read()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not a picture"),
        (b"no picture at all", "not a picture"),
        (cv2.imencode(".png", picture(9))[1].tobytes()[:60], "not a picture"),
        (cv2.imencode(".png", picture(9)[:1, :1])[1].tobytes(), "1 x 1 pixels"),
    ],
)
def test_what_is_no_usable_picture_is_refused_in_one_line(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "table.png"
    path.write_bytes(data)
    with pytest.raises(InvalidPicture, match=reason) as refusal:
        read_picture(path)
    assert str(refusal.value).startswith(str(path))
    assert "\n" not in str(refusal.value)


def test_a_picture_that_is_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidPicture, match=r"cannot be read|no such file"):
        read_picture(tmp_path / "nowhere.png")


def test_a_picture_is_decoded_in_colour_even_if_it_is_grey() -> None:
    data = cv2.imencode(".png", picture(77)[:, :, 0])[1].tobytes()
    assert decode_picture(data, "grey").shape == (96, 128, 3)


def speckled() -> np.ndarray:
    return np.random.default_rng(1).integers(0, 256, (96, 128, 3), np.uint8)


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".tiff", ".webp", ".gif", ".bmp"])
def test_a_picture_cut_off_anywhere_is_refused_without_a_word_of_libraries(
    suffix: str, capfd: pytest.CaptureFixture[str]
) -> None:
    data = cv2.imencode(suffix, speckled())[1].tobytes()
    for tenth in range(1, 10):
        with pytest.raises(InvalidPicture, match="damaged"):
            decode_picture(data[: len(data) * tenth // 10], "cut")
    assert capfd.readouterr() == ("", "")


def test_a_picture_that_was_damaged_underway_is_refused_although_it_can_be_decoded(
    capfd: pytest.CaptureFixture[str],
) -> None:
    data = bytearray(cv2.imencode(".jpg", speckled())[1].tobytes())
    middle = len(data) // 2
    data[middle : middle + 2] = b"\xff\xd9"  # "here it ends"
    with pytest.raises(InvalidPicture, match="is damaged"):
        decode_picture(bytes(data), "damaged")
    assert capfd.readouterr() == ("", "")


def test_what_others_say_while_a_picture_is_decoded_is_passed_on(capfd: pytest.CaptureFixture[str]) -> None:
    with overheard() as complaints:
        os.write(2, b"WARNING the box is silent\n")
    assert not complaints.tell_of_damage
    assert capfd.readouterr().err == "WARNING the box is silent\n"


def test_a_single_picture_is_a_source_that_stays_or_says_why_not(tmp_path: Path) -> None:
    write(tmp_path / "table.png", 30)
    source = open_source(str(tmp_path / "table.png"))
    source.open()
    for _ in range(2):
        image = source.read()
        assert image is not None
        assert image[0, 0, 0] == 30
    (tmp_path / "table.png").write_bytes(b"no picture")
    source = open_source(str(tmp_path / "table.png"))
    source.open()
    with pytest.raises(SourceLost, match=r"table\.png: is not a picture"):
        source.read()
