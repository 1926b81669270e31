import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import InvalidDocument
from firmware_bridge.mqtt.codec import MAXIMUM_PAYLOAD, Publication, host_of, parse, publication
from firmware_bridge.protocol.messages import (
    HIGHEST_NUMBER,
    UNACKNOWLEDGED_EDGES,
    Ack,
    Availability,
    Beat,
    Button,
    Buzz,
    Foreign,
    Hello,
    HostBeat,
    HostHello,
    Led,
    Message,
    Nak,
    NakReason,
)
from tests.firmware_bridge.strategies import messages

PRESS = Button(seq=17, boot=0xA3F1, oldest=17, button=2, pressed=True, t_ms=12345)
EVENT = "tabletop/blue/event/button_2"


@given(messages, st.booleans())
def test_what_is_published_is_parsed(message: Message, by_host: bool) -> None:
    wanted = publication("blue", message, by_host=by_host)
    assert parse(wanted.topic, wanted.payload) == ("blue", message)
    assert len(wanted.payload) <= MAXIMUM_PAYLOAD
    assert not wanted.retain


def test_a_press_is_published_as_the_document_shows() -> None:
    wanted = publication("blue", PRESS, by_host=False)
    assert (wanted.topic, wanted.qos, wanted.retain) == (EVENT, 1, False)
    assert json.loads(wanted.payload) == {
        "event_type": "press", "seq": 17, "boot": "a3f1", "oldest": 17, "t_ms": 12345,
    }  # fmt: skip


@pytest.mark.parametrize("online", [True, False])
def test_only_the_availability_is_retained(online: bool) -> None:
    wanted = publication("blue", Availability(online), by_host=False)
    assert (wanted.topic, wanted.retain) == ("tabletop/blue/state", True)
    assert parse(wanted.topic, wanted.payload, retained=True) == ("blue", Availability(online))


def test_an_availability_that_was_removed_means_offline() -> None:
    assert parse("tabletop/blue/state", b"", retained=True) == ("blue", Availability(online=False))


def test_a_retained_press_is_refused() -> None:
    with pytest.raises(InvalidDocument, match=f"{EVENT}: is retained"):
        parse(EVENT, publication("blue", PRESS, by_host=False).payload, retained=True)


def test_an_unknown_command_is_foreign_and_gets_an_answer() -> None:
    assert parse("tabletop/blue/cmd/dance", b'{"seq":9}') == ("blue", Foreign(9, NakReason.TYPE))
    assert parse("tabletop/blue/cmd/beat", b"{}") == ("blue", HostBeat())


GOOD = json.loads(publication("blue", PRESS, by_host=False).payload)


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (b"", "is not JSON"),
        (b"press", "is not JSON"),
        (b"\xff\xfe\x00binary", "is not UTF-8"),
        (b"{}\0", "is a NUL"),
        (b"[1]", "must be an object"),
        (b"17", "must be an object"),
        (b"[" * 500, "nested too deeply|is not JSON"),
        (b'{"a":' * 80 + b"1" + b"}" * 80, "seq: is missing"),
        (b"x" * (MAXIMUM_PAYLOAD + 1), "has a payload of 513 bytes"),
        (b'{"seq":1,"seq":2}', "same key twice"),
        (b'{"seq":NaN}', "NaN"),
        (json.dumps(GOOD | {"seq": "17"}).encode(), "seq: must be a whole number"),
        (json.dumps(GOOD | {"seq": True}).encode(), "seq: must be a whole number"),
        (json.dumps(GOOD | {"seq": -1}).encode(), "seq: is -1"),
        (json.dumps(GOOD | {"seq": 1e400}).encode().replace(b"Infinity", b"1e400"), "holds '1e400'"),
        (json.dumps(GOOD | {"seq": 65536}).encode(), "seq: is 65536"),
        (json.dumps(GOOD | {"t_ms": 2**32}).encode(), "t_ms: is 4294967296"),
        (json.dumps(GOOD | {"boot": "A3F1"}).encode(), "boot: must be 4 digits"),
        (json.dumps(GOOD | {"boot": "٣٣٣٣"}).encode(), "boot: must be 4 digits"),
        (json.dumps(GOOD | {"boot": None}).encode(), "boot: must be text"),
        (json.dumps(GOOD | {"event_type": "explode"}).encode(), "event_type: is 'explode'"),
        (json.dumps(GOOD | {"event_type": {"a": []}}).encode(), "event_type: must be text"),
        (json.dumps(GOOD | {"oldest": 30000}).encode(), "is not from 0 to 255"),
    ],
)
def test_a_payload_that_does_not_hold_is_refused_with_its_reason(payload: bytes, reason: str) -> None:
    with pytest.raises(InvalidDocument, match=f"^{EVENT}.*({reason})") as caught:
        parse(EVENT, payload)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "topic",
    [
        "",
        "tabletop",
        "tabletop/blue",
        "tabletop//event/button_1",
        "tabletop/bl ue/event/button_1",
        "tabletop/blue/event/button_0",
        "tabletop/blue/event/button_17",
        "tabletop/blue/event/button_1/2",
        "tabletop/blue/event/button_１",
        "tabletop/blue/nonsense",
        "tabletop/" + "b" * 33 + "/beat",
        "zigbee2mqtt/blue/beat",
        "tabletop/blue/event/" + "button" * 1000,
    ],
)
def test_a_topic_that_is_none_of_ours_is_refused(topic: str) -> None:
    with pytest.raises(InvalidDocument):
        parse(topic, json.dumps(GOOD).encode())


@pytest.mark.parametrize("topic", ["event/button_17", "cmd/led/17"])
def test_a_number_that_no_box_has_is_named(topic: str) -> None:
    with pytest.raises(InvalidDocument, match="names number 17; a box has at most 16"):
        parse(f"tabletop/blue/{topic}", json.dumps(GOOD | {"on": True}).encode())


WORD, LONG = 2**16 - 1, 2**32 - 1
LARGEST = [
    Hello(255, 255, WORD, HIGHEST_NUMBER, HIGHEST_NUMBER, WORD, 255, WORD, WORD, LONG, b"\xff" * 8),
    HostHello(255, 255, WORD),
    Button(WORD, WORD, WORD, HIGHEST_NUMBER, pressed=True, t_ms=LONG),
    Beat(WORD, LONG, WORD, WORD, WORD, UNACKNOWLEDGED_EDGES, WORD),
    Led(WORD, HIGHEST_NUMBER, on=True),
    Buzz(WORD, 20_000, 5_000),
    Ack(WORD, WORD),
    Nak(WORD, WORD, NakReason.TYPE),
]
SMALLEST = [
    Hello(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, bytes(8)),
    HostHello(0, 0, 0),
    Button(0, 0, 0, 1, pressed=False, t_ms=0),
    Beat(0, 0, 0, 0, 0, 0, 0),
    Led(0, 1, on=False),
    Buzz(0, 20, 1),
    Ack(0, 0),
]


@pytest.mark.parametrize(("messages", "step"), [(LARGEST, 1), (SMALLEST, -1)])
def test_every_number_has_its_bounds(messages: list[Message], step: int) -> None:
    for message in messages:
        wanted = publication("blue", message, by_host=False)
        assert parse(wanted.topic, wanted.payload) == ("blue", message)
        table = json.loads(wanted.payload)
        for key, value in table.items():
            if isinstance(value, int) and not isinstance(value, bool):
                with pytest.raises(InvalidDocument):
                    parse(wanted.topic, json.dumps(table | {key: value + step}).encode())
            elif isinstance(value, list):
                with pytest.raises(InvalidDocument):
                    parse(wanted.topic, json.dumps(table | {key: [value[0] + step, value[1] + step]}).encode())


@given(st.text(max_size=80) | st.sampled_from([EVENT, "tabletop/blue/hello", "tabletop/blue/ack"]), st.binary())
def test_garbage_raises_nothing_else(topic: str, payload: bytes) -> None:
    try:
        box, content = parse(topic, payload)
    except InvalidDocument:
        return
    assert (box, content) == ("blue", Ack(content.seq, content.boot))


def test_the_documents_examples_hold() -> None:
    text = (Path(__file__).parents[2] / "docs" / "hardware.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| `([a-z_/<>]+)` \| (box|host) \| ([01])(, \*\*retained\*\*)? \| (.*) \|$", text, re.MULTILINE
    )
    assert len(rows) == 10
    for topic, sender, qos, retained, payloads in rows:
        example = re.findall(r"`([^`]+)`", payloads)[0]
        full = f"tabletop/blue/{topic.replace('<n>', '2')}"
        box, content = parse(full, example.encode(), retained=bool(retained))
        again = publication(box, content, by_host=sender == "host", table=host_of(example.encode()))
        assert again == Publication(full, example.encode(), int(qos), bool(retained))


@pytest.mark.parametrize(
    ("payload", "table"),
    [
        (b"{}", ""),
        (b'{"table":"table-1"}', "table-1"),
        (b'{"table":1}', ""),
        (b'{"table":"a/b"}', ""),
        (b"[1]", ""),
        (b"x", ""),
    ],
)
def test_a_beat_names_its_table_where_it_does(payload: bytes, table: str) -> None:
    assert host_of(payload) == table
