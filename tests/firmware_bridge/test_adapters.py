import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tomlkit

from companion.errors import InvalidDocument
from firmware_bridge.adapters.record_files import adapters_with, load_adapter, shipped_adapters
from firmware_bridge.adapters.records import (
    LARGEST_PAYLOAD,
    ButtonSignal,
    DeviceWord,
    Meaning,
    Repetition,
    TopicReader,
)

HEADER = 'format = 1\nid = "mine"\ntitle = "Mine"\n[[reading]]\n'
TOPIC = 'topic = "mine/{device}"\n'


def as_json(value: object) -> bytes:
    return json.dumps(value).encode()


def heard(topic: str, payload: bytes) -> list[ButtonSignal]:
    return [
        signal
        for adapter in shipped_adapters()
        for reading in adapter.readers
        if not reading.named_only
        for signal in reading.read(topic, payload)
    ]


# Payloads as the documentation of each project shows them.
@pytest.mark.parametrize(
    ("topic", "payload", "signal"),
    [
        (
            "zigbee2mqtt/kitchen",
            b'{"action":"single","battery":100,"linkquality":81}',
            ButtonSignal("zigbee2mqtt/kitchen", "single", 1, Meaning.SINGLE, battery=100),
        ),
        (
            "zigbee2mqtt/kitchen",
            b'{"action":"single","battery":"full"}',
            ButtonSignal("zigbee2mqtt/kitchen", "single", 1, Meaning.SINGLE),
        ),
        (
            "zigbee2mqtt/kitchen",
            b'{"action":"3_double"}',
            ButtonSignal("zigbee2mqtt/kitchen", "3_double", 3, Meaning.DOUBLE),
        ),
        ("zigbee2mqtt/kitchen", b'{"action":"hold"}', ButtonSignal("zigbee2mqtt/kitchen", "hold", 1, Meaning.LONG)),
        (
            "zigbee2mqtt/kitchen",
            b'{"action":"single_button_1"}',
            ButtonSignal("zigbee2mqtt/kitchen", "single_button_1", 1, Meaning.SINGLE),
        ),
        (
            "zigbee2mqtt/dimmer",
            b'{"action":"brightness_move_up"}',
            ButtonSignal("zigbee2mqtt/dimmer", "brightness_move_up", 0, None),
        ),
        (
            "desk/binary_sensor/green/state",
            b"ON",
            ButtonSignal("esphome/desk/green", "ON", 1, Meaning.PRESS, is_state=True),
        ),
        (
            "desk/binary_sensor/green/state",
            b"OFF",
            ButtonSignal("esphome/desk/green", "OFF", 1, Meaning.RELEASE, is_state=True),
        ),
        (
            "desk/event/bell/state",
            b'{"event_type":"press"}',
            ButtonSignal("esphome/desk/bell", "press", 1, Meaning.SINGLE),
        ),
        (
            "stat/bell/RESULT",
            b'{"Button2":{"Action":"SINGLE"}}',
            ButtonSignal("tasmota/bell", "SINGLE", 2, Meaning.SINGLE),
        ),
        (
            "shellies/shellybutton1-A1/input_event/0",
            b'{"event":"SS","event_cnt":5}',
            ButtonSignal("shelly/shellybutton1-A1", "SS", 1, Meaning.DOUBLE, count=5, repetition=Repetition.STATE),
        ),
        (
            "shellyplusi4-1/events/rpc",
            b'{"src":"x","method":"NotifyEvent","params":{"ts":1.5,"events":[{"component":"input:2","id":2,'
            b'"event":"long_push","ts":1.5}]}}',
            ButtonSignal("shelly/shellyplusi4-1", "long_push", 3, Meaning.LONG, stamp="input:2 1.5"),
        ),
        (
            "shellyplusi4-1/events/rpc",
            b'{"params":{"events":[7,{"component":"sys","event":"x"},{"component":"input:0","event":"single_push"}]}}',
            ButtonSignal("shelly/shellyplusi4-1", "single_push", 1, Meaning.SINGLE),
        ),
        (
            "homie/5/box/buttons/red",
            b"LONG_PRESSED",
            ButtonSignal("homie/box/buttons/red", "LONG_PRESSED", 1, Meaning.LONG),
        ),
        ("homie/5/box/buttons/red", b"PRESSED", ButtonSignal("homie/box/buttons/red", "PRESSED", 1, Meaning.PRESS)),
    ],
)
def test_what_each_kind_of_device_says(topic: str, payload: bytes, signal: ButtonSignal) -> None:
    assert heard(topic, payload) == [signal]


@pytest.mark.parametrize(
    ("topic", "payload"),
    [
        ("zigbee2mqtt/kitchen", b'{"action":""}'),
        ("zigbee2mqtt/kitchen", b'{"action":null,"battery":3}'),
        ("zigbee2mqtt/kitchen", b'{"action":{"deep":{"deeper":[]}}}'),
        ("zigbee2mqtt/kitchen", b'{"temperature":21.5}'),
        ("zigbee2mqtt/kitchen", b"online"),
        ("zigbee2mqtt/kitchen", b'{"action":"' + b"x" * 65 + b'"}'),
        ("zigbee2mqtt/kitchen", b'{"action":"a\\u0007b"}'),
        ("zigbee2mqtt/bridge/state", b"online"),
        ("zigbee2mqtt/" + "x" * 300, b'{"action":"single"}'),
        ("zigbee2mqtt/\x07", b'{"action":"single"}'),
        ("stat/bell/RESULT", b'{"Button":{"Action":"SINGLE"},"Buttonx":{"Action":"SINGLE"},"POWER":"ON"}'),
        ("stat/bell/RESULT", b'{"Button1":"SINGLE"}'),
        ("shellies/x/input_event/first", b'{"event":"S"}'),
        ("shellyplusi4-1/events/rpc", b'{"params":{"events":[]}}'),
    ],
)
def test_what_is_no_word_of_a_button(topic: str, payload: bytes) -> None:
    assert heard(topic, payload) == []


def test_a_button_number_that_no_box_has_is_an_unknown_word() -> None:
    assert heard("stat/bell/RESULT", b'{"Button99":{"Action":"SINGLE"}}') == [
        ButtonSignal("tasmota/bell", "SINGLE", 0, None)
    ]


@pytest.mark.parametrize("payload", [b"x" * (LARGEST_PAYLOAD + 1), b"\xff\xfe{", b'{"a":' * 2000, b'{"a":1,"a":2}'])
def test_a_payload_that_does_not_hold_is_refused(payload: bytes) -> None:
    with pytest.raises(InvalidDocument):
        heard("zigbee2mqtt/kitchen", payload)


def test_topics_of_all_and_of_one() -> None:
    readings = {reading.topic: reading for adapter in shipped_adapters() for reading in adapter.readers}
    shelly = readings["shellies/{device}/input_event/{button}"]
    assert shelly.subscriptions == ["shellies/+/input_event/+"]
    assert shelly.subscription_of("shelly/one") == "shellies/one/input_event/+"
    assert shelly.subscription_of("tasmota/one") is None
    assert readings["homie/5/{device}/{node}/{property}"].subscription_of("homie/a/b/c") == "homie/5/a/b/c"
    assert readings["homie/5/{device}/{node}/{property}"].subscription_of("homie/a/b") is None


@pytest.mark.parametrize(
    ("pattern", "said", "button"),
    [
        ("{button}_single", "12_single", 12),
        ("{button}_single", "123_single", None),
        ("b{button}", "b1", 1),
        ("a.c", "abc", None),
        ("{button}", "²", None),
    ],
)
def test_a_word_with_a_number_in_it(pattern: str, said: str, button: int | None) -> None:
    assert DeviceWord(pattern, 0, Meaning.SINGLE).button_in(said) == button


def test_a_record_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        HEADER + TOPIC + 'path = "data.key"\nwords = [{word = "k{button}", means = "press"}]', encoding="utf-8"
    )
    adapter = load_adapter(file)
    assert adapter.readers == (
        TopicReader("mine", "mine/{device}", ("data", "key"), (DeviceWord("k{button}", 0, Meaning.PRESS),)),
    )
    assert adapter.readers[0].read("mine/a", b'{"data":{"key":"k7"}}') == [
        ButtonSignal("mine/a", "k7", 7, Meaning.PRESS)
    ]


def test_the_example_of_the_page_on_formats_holds(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "formats" / "boxes.md").read_text(encoding="utf-8")
    file = tmp_path / "doorbells.toml"
    file.write_text(re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[2], encoding="utf-8")
    keys, feet = load_adapter(file).readers
    payload = b'{"key":{"event":"long","number":3,"count":17}}'
    assert keys.read("club/hall/keys", payload) == [ButtonSignal("doorbells/hall", "long", 4, Meaning.LONG, count=17)]
    assert feet.read("club/hall/foot/2", b"up") == [ButtonSignal("doorbells/hall", "up", 2, Meaning.RELEASE)]


def test_a_device_that_a_record_leaves_out_says_nothing(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    words = 'words = [{word = "on", means = "press"}]\nnot_devices = ["bridge"]'
    file.write_text(HEADER + 'topic = "mine/{device+}"\n' + words, encoding="utf-8")
    (reader,) = load_adapter(file).readers
    assert [len(reader.read(f"mine/{name}", b"on")) for name in ("hall", "bridge", "bridge/a", "a/bridge")] == [
        1,
        0,
        0,
        1,
    ]


def test_records_of_ones_own_go_before_those_that_come_with_the_program(tmp_path: Path) -> None:
    (tmp_path / "shelly.toml").write_text(HEADER.replace("mine", "shelly", 1) + TOPIC + "words = []", encoding="utf-8")
    adapters = {adapter.id: adapter for adapter in adapters_with(tmp_path)}
    assert adapters["shelly"].title == "Mine"
    assert len(adapters) == len(shipped_adapters())
    assert adapters_with(tmp_path / "none") == shipped_adapters()


@pytest.mark.parametrize(
    ("text", "entry", "reason"),
    [
        ("format = 2", "format", "reads format 1"),
        (HEADER.replace("mine", "My Own", 1) + TOPIC, "id", "1 to 32 of a-z"),
        (HEADER, "reading[1].topic", "is missing"),
        (HEADER + 'topic = "mine/fixed"\nwords = []', "reading[1].topic", "must have a level {device}"),
        (HEADER + 'topic = "mine/+"\nwords = []', "reading[1].topic", "a level is a word or one {name}"),
        (HEADER + 'topic = "mine/x{device}"\nwords = []', "reading[1].topic", "a level is a word or one {name}"),
        (HEADER + 'topic = "mine/{a+}/{b+}"\nwords = []', "reading[1].topic", "may have one name of several levels"),
        (HEADER + 'topic = "mine/{a}/{a}"\nwords = []', "reading[1].topic", "and each name once"),
        (HEADER + 'topic = "{a}/{button}/{button}"\nwords = []', "reading[1].topic", "and {button} at most once"),
        (HEADER + TOPIC, "reading[1].words", "is missing"),
        (HEADER + TOPIC + 'words = [{word = "a"}]', "reading[1].words[1].means", "is missing"),
        (HEADER + TOPIC + 'words = [{word = "a", means = "win"}]', "reading[1].words[1].means", "must be one of press"),
        (HEADER + TOPIC + 'words = [{word = "{a}", means = "press"}]', "reading[1].words[1].word", "one {button}"),
        (
            HEADER + TOPIC + 'words = [{word = "{button}", button = 1, means = "press"}]',
            "reading[1].words[1].button",
            "given by the word",
        ),
        (HEADER + TOPIC + 'path = "a..b"\nwords = []', "reading[1].path", "dots between"),
        (HEADER + TOPIC + 'count_path = "a{button}"\nwords = []', "reading[1].count_path", "cannot have {button}"),
        (HEADER + TOPIC + "first_button = 2\nwords = []", "reading[1].first_button", "from 0 to 1"),
        (HEADER + TOPIC + "qos = 1\nwords = []", "reading[1].qos", "is not known here"),
    ],
)
def test_a_record_that_does_not_hold_names_file_entry_and_reason(
    tmp_path: Path, text: str, entry: str, reason: str
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidDocument) as caught:
        load_adapter(file)
    assert (caught.value.source, caught.value.entry) == (str(file), entry)
    assert reason in caught.value.reason


WORD = {"word": "on", "means": "press"}
READING: dict[str, Any] = {"topic": "mine/{device}", "words": [WORD]}
RECORD: dict[str, Any] = {"format": 1, "id": "mine", "title": "Mine", "reading": [READING]}


@pytest.mark.parametrize(
    ("record", "entry", "most"),
    [
        (lambda count: RECORD | {"reading": [READING] * count}, "reading", 40),
        (lambda count: RECORD | {"presence": [{"topic": "a/{device}", "of": "device"}] * count}, "presence", 10),
        (lambda count: RECORD | {"key": [{"name": "a", "button": 1}] * count}, "key", 50),
        (lambda count: RECORD | {"reading": [READING | {"words": [WORD] * count}]}, "reading[1].words", 300),
        (
            lambda count: RECORD | {"reading": [READING | {"words": [WORD | {"needs": ["a"] * count}]}]},
            "reading[1].words[1].needs",
            20,
        ),
        (lambda count: RECORD | {"reading": [READING | {"requires": ["a"] * count}]}, "reading[1].requires", 10),
        (lambda count: RECORD | {"reading": [READING | {"not_devices": ["a"] * count}]}, "reading[1].not_devices", 10),
    ],
)
def test_the_lists_of_a_record_have_limits(
    tmp_path: Path, record: Callable[[int], dict[str, Any]], entry: str, most: int
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(tomlkit.dumps(record(most)), encoding="utf-8")
    load_adapter(file)
    file.write_text(tomlkit.dumps(record(most + 1)), encoding="utf-8")
    with pytest.raises(InvalidDocument, match=f"has {most + 1} entries; at most {most} are allowed") as caught:
        load_adapter(file)
    assert caught.value.entry == entry


@pytest.mark.parametrize(
    ("record", "entry", "most"),
    [
        (lambda text: RECORD | {"id": text}, "id", 32),
        (lambda text: RECORD | {"title": text}, "title", 60),
        (lambda text: RECORD | {"key": [{"name": text, "button": 1}]}, "key[1].name", 64),
        (lambda text: RECORD | {"reading": [READING | {"path": text}]}, "reading[1].path", 120),
        (lambda text: RECORD | {"reading": [READING | {"words": [WORD | {"word": text}]}]}, "reading[1].words[1].word",
         64),
    ],
)  # fmt: skip
def test_the_texts_of_a_record_have_limits(
    tmp_path: Path, record: Callable[[str], dict[str, Any]], entry: str, most: int
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(tomlkit.dumps(record("x" * most)), encoding="utf-8")
    load_adapter(file)
    file.write_text(tomlkit.dumps(record("x" * (most + 1))), encoding="utf-8")
    with pytest.raises(InvalidDocument, match=f"is longer than {most} characters") as caught:
        load_adapter(file)
    assert caught.value.entry == entry


def test_no_more_records_than_fifty_are_read_of_a_folder(tmp_path: Path) -> None:
    for number in range(51):
        record = RECORD | {"id": f"mine_{number:02}"}
        (tmp_path / f"{number:02}.toml").write_text(tomlkit.dumps(record), encoding="utf-8")
    own = [adapter.id for adapter in adapters_with(tmp_path) if adapter.id.startswith("mine")]
    assert own == [f"mine_{number:02}" for number in range(50)]


def test_of_many_events_in_a_message_the_first_hundred_are_read() -> None:
    reader = TopicReader("mine", "mine/{device}", ("word",), (DeviceWord("on", 1, Meaning.PRESS),), list_path=("all",))
    for count in (100, 101):
        payload = as_json({"all": [{"word": "on"}] * count})
        assert len(reader.read("mine/a", payload)) == 100
    any_key = TopicReader("mine", "mine/{device}", ("*", "word"), (DeviceWord("on", 1, Meaning.PRESS),))
    for count in (100, 101):
        payload = as_json({f"key{number}": {"word": "on"} for number in range(count)})
        assert len(any_key.read("mine/a", payload)) == 100


@pytest.mark.parametrize(
    ("said", "read"), [("x" * 64, "x" * 64), ("x" * 65, None), ("", None), ("a\tb", None), ("é", "é")]
)
def test_a_word_is_short_and_printable(said: str, read: str | None) -> None:
    reader = TopicReader("mine", "mine/{device}", (), (DeviceWord("on", 1, Meaning.PRESS),))
    assert [signal.word for signal in reader.read("mine/a", said.encode())] == ([] if read is None else [read])
    every_word = TopicReader("mine", "mine/{device}", (), (DeviceWord("", 1, Meaning.PRESS),))
    (signal,) = every_word.read("mine/a", b"a\x07b")
    assert signal.word == "message"
    assert [signal.word for signal in every_word.read("mine/a", b"x" * 65)] == ["x" * 64]


@pytest.mark.parametrize(
    ("left", "battery"), [(0, 0), (100, 100), (99.6, 100), (101, None), (-1, None), (True, None), ("full", None)]
)
def test_a_battery_is_told_in_percent(left: object, battery: int | None) -> None:
    reader = TopicReader("mine", "mine/{device}", ("word",), (), battery_path=("left",))
    payload = as_json({"word": "on", "left": left})
    assert [signal.battery for signal in reader.read("mine/a", payload)] == [battery]
    assert reader.battery_of("mine/a", payload) == (None if battery is None else ("mine/a", battery))
    assert reader.battery_of("other/a", payload) is None
