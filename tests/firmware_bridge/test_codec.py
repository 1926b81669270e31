import random
import re
import struct
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.protocol.messages import (
    BOX_NUMBERS,
    LAYOUTS,
    Ack,
    Beat,
    Button,
    Buzz,
    Foreign,
    HostBeat,
    Layout,
    Led,
    Message,
    Nak,
    NakReason,
    TextButton,
    TextHello,
)
from firmware_bridge.serial.codec import (
    DELIMITER,
    MAXIMUM_PAYLOAD,
    Damage,
    Decoder,
    SerialFrame,
    cobs_decode,
    cobs_encode,
    crc16,
    encode,
    encode_text,
)
from tests.firmware_bridge.strategies import messages

PRESS = Button(seq=41, boot=0xA3F1, oldest=40, button=2, pressed=True, t_ms=12345)
boxes = st.sampled_from(BOX_NUMBERS)


def raw_frame(kind: int, box: int, seq: int, payload: bytes) -> bytes:
    body = bytes([kind, box]) + seq.to_bytes(2, "little") + payload
    return DELIMITER + cobs_encode(body + crc16(body).to_bytes(2, "little")) + DELIMITER


def test_the_crc_is_the_one_called_ccitt_false() -> None:
    assert crc16(b"123456789") == 0x29B1


# From Cheshire and Baker, "Consistent Overhead Byte Stuffing", and its well-known worked examples.
@pytest.mark.parametrize(
    ("data", "stuffed"),
    [
        ("00", "0101"),
        ("0000", "010101"),
        ("001100", "01021101"),
        ("11220033", "0311220233"),
        ("11223344", "0511223344"),
        ("11000000", "0211010101"),
    ],
)
def test_cobs_is_the_published_one(data: str, stuffed: str) -> None:
    assert cobs_encode(bytes.fromhex(data)).hex() == stuffed
    assert cobs_decode(bytes.fromhex(stuffed)) == bytes.fromhex(data)


def test_a_press_on_the_wire_is_what_the_document_shows() -> None:
    shown = "00 04 13 02 29 04 f1 a3 28 05 02 01 39 30 01 03 e7 21 00"
    assert encode(2, PRESS).hex(" ") == shown
    assert shown in (Path(__file__).parents[2] / "docs" / "hardware.md").read_text(encoding="utf-8")


@given(boxes, messages)
def test_what_is_encoded_is_decoded(box: int, message: Message) -> None:
    data = encode(box, message)
    assert DELIMITER not in data[1:-1]
    assert Decoder().feed(data) == [SerialFrame(box, message)]


def test_every_payload_fits() -> None:
    assert max(layout.structure.size for layout in LAYOUTS.values()) <= MAXIMUM_PAYLOAD


@st.composite
def streams(draw: st.DrawFn) -> bytes:
    pieces = st.one_of(
        messages.map(lambda message: encode(1, message)),
        st.binary(max_size=100),
        st.sampled_from([b"BTN 1 DOWN\n", b"BTN 16 UP\r\n", b"hello\n", b"\n", b"BTN 99 UP\n", b"BTN "]),
    )
    return b"".join(draw(st.lists(pieces, max_size=12)))


@given(streams(), st.lists(st.integers(0, 1000), max_size=12))
def test_any_split_of_the_bytes_gives_the_same_messages(stream: bytes, cuts: list[int]) -> None:
    whole, split, single = Decoder(), Decoder(), Decoder()
    places = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    pieces = [stream[start:end] for start, end in pairwise(places)]
    expected = whole.feed(stream)
    assert [frame for piece in pieces for frame in split.feed(piece)] == expected
    assert [frame for byte in stream for frame in single.feed(bytes([byte]))] == expected
    assert whole.counts == split.counts == single.counts


@given(streams(), st.binary(max_size=300), boxes, messages)
def test_after_any_garbage_the_next_frame_is_read(stream: bytes, garbage: bytes, box: int, message: Message) -> None:
    decoder = Decoder()
    decoder.feed(stream + garbage)
    assert decoder.feed(encode(box, message))[-1] == SerialFrame(box, message)


def test_an_endless_frame_is_not_kept() -> None:
    decoder = Decoder()
    decoder.feed(DELIMITER)
    for _ in range(100):
        assert decoder.feed(b"\x55" * 10_000) == []
    assert len(decoder._frame) + len(decoder._line) < 200
    assert decoder.feed(encode(1, PRESS)) == [SerialFrame(1, PRESS)]
    assert decoder.counts.damaged == {Damage.LENGTH: 1}


def test_the_rest_of_a_frame_at_joining_counts_as_nothing() -> None:
    decoder = Decoder()
    assert decoder.feed(encode(1, PRESS)[5:] + encode(1, PRESS)) == [SerialFrame(1, PRESS)]
    assert not decoder.counts.damaged


def test_plain_text_before_a_frame_is_no_damage() -> None:
    decoder = Decoder()
    decoder.feed(DELIMITER + b"BTN 1 DOWN\n")
    assert decoder.plain_text
    assert decoder.feed(DELIMITER + encode(1, PRESS)) == [SerialFrame(1, PRESS)]
    assert (decoder.counts.lines, decoder.counts.frames, decoder.counts.damaged) == (1, 1, {})
    assert not decoder.plain_text


def test_damage_is_counted_by_its_kind() -> None:
    decoder = Decoder()
    decoder.feed(DELIMITER)
    sound = encode(1, PRESS)
    decoder.feed(sound[:6] + bytes([sound[6] ^ 1]) + sound[7:])
    decoder.feed(b"\x09abc\0")
    decoder.feed(b"\x02a\0")
    assert decoder.counts.damaged == {Damage.CRC: 1, Damage.STUFFING: 1, Damage.LENGTH: 1}
    assert decoder.counts.frames == 0


# A damaged byte is a burst of at most 8 bits, and a CRC of 16 finds every burst of at most 16.
@pytest.mark.parametrize("message", [PRESS, Beat(1, 2, 3, 4, 5, 6, 7), Led(7, 1, on=True), HostBeat()])
def test_one_damaged_byte_inside_a_frame_is_always_found(message: Message) -> None:
    sound = encode(1, message)
    body = cobs_decode(sound[1:-1])
    assert body is not None
    for place in range(len(body)):
        for value in range(256):
            damaged = body[:place] + bytes([value]) + body[place + 1 :]
            frames = Decoder().feed(DELIMITER + cobs_encode(damaged) + DELIMITER)
            assert frames == ([SerialFrame(1, message)] if value == body[place] else [])


def test_of_damaged_frames_hardly_one_is_accepted() -> None:
    rng = random.Random(6)
    sound = encode(1, PRESS)
    accepted = 0
    for _ in range(20_000):
        noisy = bytearray(sound)
        for place in rng.sample(range(1, len(sound) - 1), rng.randint(1, 4)):
            noisy[place] ^= rng.randrange(1, 256)
        accepted += bool(Decoder().feed(bytes(noisy)))
    assert accepted <= 1  # 20 of 400,000 is the bound; 2^-16 of those that parse is the theory


@pytest.mark.parametrize(
    ("kind", "payload", "problem"),
    [
        (0x10, b"", NakReason.TYPE),
        (0x1F, b"abc", NakReason.TYPE),
        (0x23, bytes(10), NakReason.VERSION),
        (0x11, bytes(25), NakReason.VERSION),
        (0x13, bytes(9), NakReason.CONTENT),
        (0x13, b"\1\0\0\0\0\1\0\0\0\0", NakReason.CONTENT),  # button 0
        (0x16, b"\x11\1", NakReason.CONTENT),  # LED 17
        (0x19, b"\0\0\x63", NakReason.CONTENT),  # an unknown problem
    ],
)
def test_a_sound_frame_that_is_not_understood_says_why(kind: int, payload: bytes, problem: NakReason) -> None:
    decoder = Decoder()
    assert decoder.feed(raw_frame(kind, 3, 77, payload)) == [SerialFrame(3, Foreign(77, problem))]
    assert decoder.counts.foreign == 1


def test_plain_text_is_recognised_by_itself() -> None:
    decoder = Decoder()
    stream = b"DOWN\nready\nBTN 1 DOWN\nBTN 1 UP\r\nBTN 0 DOWN\nBTN 17 UP\nBTN 2  UP\nBTN 4 DOWN\n"
    expected = [TextButton(1, pressed=True), TextButton(1, pressed=False), TextButton(4, pressed=True)]
    assert [frame.message for frame in decoder.feed(stream)] == expected
    assert decoder.plain_text
    assert decoder.feed(b"BTN 1\0 DOWN\n") == []
    assert Decoder().feed(b"HELLO 0\nHELLO 17\nHELLO 4\r\n") == [SerialFrame(0, TextHello(4))]


def test_after_a_frame_plain_text_is_only_noise() -> None:
    decoder = Decoder()
    assert decoder.feed(encode(1, PRESS) + b"BTN 1 DOWN\n" + encode(1, PRESS)) == [SerialFrame(1, PRESS)] * 2
    assert not decoder.plain_text


def test_a_plain_text_box_gets_lines_that_it_may_use() -> None:
    assert encode_text(Led(5, 2, on=True)) == b"LED 2 ON\n"
    assert encode_text(Led(5, 2, on=False)) == b"LED 2 OFF\n"
    assert encode_text(Buzz(5, 880, 200)) == b"BUZZ 880 200\n"
    assert encode_text(HostBeat()) == encode_text(Ack(1, 2)) == encode_text(Nak(1, 2, NakReason.TYPE)) == b""


def test_the_document_lists_every_type_with_its_layout() -> None:
    text = (Path(__file__).parents[2] / "docs" / "hardware.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d) \| ([a-z ]+) \| \w+ \| ([^|]*)\|([^|]*)\|$", text, re.MULTILINE)
    documented = {
        int(number): (
            name.replace(" ", ""),
            bool(seq.strip()),
            re.findall(r"(\w+) (\d)", re.sub(r"\([^)]*\)", "", payload)),
        )
        for number, name, seq, payload in rows
    }
    written = {
        layout.type_number: (
            message_type.__name__.lower(),
            layout.numbered,
            [(name, str(size)) for name, size in zip(layout.names, field_sizes(layout), strict=True)],
        )
        for message_type, layout in LAYOUTS.items()
    }
    assert documented == written


def field_sizes(layout: Layout) -> list[int]:
    return [struct.calcsize("<" + code) for code in re.findall(r"\d*[a-zA-Z?]", layout.structure.format)]
