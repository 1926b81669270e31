"""What readers of topics read at their limits: names of devices, words with placeholders, lists of events, counts."""

import json
from pathlib import Path
from typing import Any

import pytest
import tomlkit

from companion.errors import InvalidDocument
from firmware_bridge.adapters.announced_buttons import is_configuration, read_announcement
from firmware_bridge.adapters.payloads import at_path, found_at, json_value, whole_number
from firmware_bridge.adapters.presence import PresenceReader, Scope
from firmware_bridge.adapters.record_files import load_adapter
from firmware_bridge.adapters.records import (
    LARGEST_PAYLOAD,
    ButtonSignal,
    DeviceWord,
    Folding,
    Meaning,
    Repetition,
    TopicReader,
    as_filter,
)

ON = DeviceWord("on", 1, Meaning.SINGLE)
ANY_BUTTON = DeviceWord("on", 0, Meaning.SINGLE)


def reader(topic: str = "mine/{device}", path: str = "word", *words: DeviceWord, **more: Any) -> TopicReader:
    return TopicReader("mine", topic, tuple(path.split(".")) if path else (), words or (ON,), **more)


def read(one: TopicReader, payload: object, topic: str = "mine/a") -> list[ButtonSignal]:
    return one.read(topic, payload if isinstance(payload, bytes) else json.dumps(payload).encode())


def buttons(one: TopicReader, payload: object, topic: str = "mine/a") -> list[int]:
    return [signal.button for signal in read(one, payload, topic)]


@pytest.mark.parametrize(
    ("pattern", "keys", "said", "button"),
    [
        ("turn_*", (), "turn_left", 3), ("turn_*", (), "turn_", 3), ("turn_*", (), "turn", None),
        ("turn_*", (), "a turn_left", None), ("turn_", (), "turn_left", None), ("a.*", (), "abc", None),
        ("k_{key}", (("red", 1), ("a.b", 2)), "k_red", 1), ("k_{key}", (("red", 1), ("a.b", 2)), "k_a.b", 2),
        ("k_{key}", (("red", 1), ("a.b", 2)), "k_axb", None), ("k_{key}", (), "k_", None), ("{key}", (), "", None),
        ("{button}_on", (), "0_on", None), ("{button}_on", (), "16_on", 16), ("", (), "whatever", 3),
        ("{button}*", (), "7 times", 7),
    ],
)  # fmt: skip
def test_which_words_a_pattern_fits(
    pattern: str, keys: tuple[tuple[str, int], ...], said: str, button: int | None
) -> None:
    word = DeviceWord(pattern, 0 if "{" in pattern else 3, Meaning.SINGLE)
    assert word.button_in(said, keys) == button


@pytest.mark.parametrize(
    ("topic", "device", "filled"),
    [
        ("a/{device}/b", "x", "a/x/b"), ("a/{device}/b", "x/y", None), ("a/{device+}/b", "x/y/z", "a/x/y/z/b"),
        ("{a}/k/{b+}/{c}", "x/y/z/w", "x/k/y/z/w"), ("{a}/k/{b}", "x", None), ("{a}/{any}/{b}/{button}", "x/y",
         "x/{any}/y/{button}"), ("a/{device}", "bridge", None), ("a/{device+}", "bridge/x", None),
        ("a/{device+}", "x/bridge", "a/x/bridge"),
    ],
)  # fmt: skip
def test_the_topic_of_a_device(topic: str, device: str, filled: str | None) -> None:
    assert reader(topic, not_devices=("bridge",)).topic_of(device) == filled
    wanted = None if filled is None else filled.replace("{any}", "+").replace("{button}", "+")
    assert reader(topic, not_devices=("bridge",)).subscription_of(f"mine/{device}") == wanted


@pytest.mark.parametrize(
    ("topic", "filters"),
    [
        ("a/{device}/{button}", ["a/+/+"]), ("a/{device+}", ["a/#"]),
        ("{a}/k/{device+}", ["+/k/#"]), ("a/{device+}/k", ["a/+/k", "a/+/+/k", "a/+/+/+/k"]),
        ("{device+}/k{button}", ["+/+", "+/+/+", "+/+/+/+"]),
    ],
)  # fmt: skip
def test_what_is_listened_to_for_devices_that_nobody_named(topic: str, filters: list[str]) -> None:
    assert reader(topic).subscriptions == filters
    assert reader(topic, named_only=True).subscriptions == []


def test_a_reader_of_one_device_hears_no_other() -> None:
    own = reader("hall/keys/{button}", device="gw/bell")
    assert own.subscription_of("mine/gw/bell") == "hall/keys/+"
    assert own.subscription_of("mine/gw") is None
    assert own.subscription_of("other/gw/bell") is None
    assert own.device_in("hall/keys/3") == "gw/bell"
    assert as_filter("a/x{button}/c") == "a/+/c"


@pytest.mark.parametrize(("length", "is_read"), [(256, True), (257, False)])
def test_a_topic_is_no_longer_than_256_characters(length: int, is_read: bool) -> None:
    topic = "mine/a/" + "x" * (length - 7)
    assert bool(read(reader("mine/{device}/{any}"), {"word": "on"}, topic)) is is_read


def test_a_device_has_a_name_that_a_box_may_have() -> None:
    for name, is_read in (("x" * 128, True), ("x" * 129, False), ("a\x7fb", False), ("é b", True)):
        assert bool(read(reader(), {"word": "on"}, f"mine/{name}")) is is_read


def test_a_payload_is_read_up_to_its_limit() -> None:
    assert read(reader(), b'{"word":"on"}'.ljust(LARGEST_PAYLOAD))
    with pytest.raises(InvalidDocument, match="mine/a: has a payload of 65537 bytes; 65536 are read"):
        read(reader(), b'{"word":"on"}'.ljust(LARGEST_PAYLOAD + 1))
    with_battery = reader(battery_path=("left",))
    assert with_battery.battery_of("mine/a", b'{"left":5}'.ljust(LARGEST_PAYLOAD)) == ("mine/a", 5)
    assert with_battery.battery_of("mine/a", b'{"left":5}'.ljust(LARGEST_PAYLOAD + 1)) is None
    assert reader().battery_of("mine/a", b'{"left":5}') is None
    assert reader(battery_path=("value",)).battery_of("mine/a", b"7") == ("mine/a", 7)


def test_a_word_may_be_the_payload_itself_and_a_number_or_yes_or_no() -> None:
    words = (
        DeviceWord("on", 1, Meaning.SINGLE),
        DeviceWord("true", 2, Meaning.SINGLE),
        DeviceWord("7", 3, Meaning.SINGLE),
    )
    assert buttons(reader("mine/{device}", "", *words), b" on\n") == [1]
    for word, found in ((" on ", [1]), (True, [2]), (7, [3]), (7.5, []), (None, []), (["on"], [])):
        assert buttons(reader("mine/{device}", "word", *words), {"word": word}) == found
    assert buttons(reader(), b"on") == []
    assert buttons(reader(), b'  {"word":"on"}') == [1]


def test_a_list_is_read_by_its_places_where_the_path_begins_with_one() -> None:
    assert buttons(reader("mine/{device}", "1.word"), [{"word": "off"}, {"word": "on"}]) == [1]
    assert buttons(reader("mine/{device}", "1"), ["off", "on"]) == [1]
    assert buttons(reader("mine/{device}", "word"), [{"word": "on"}]) == []
    assert buttons(reader("mine/{device}", "1"), b"[1,") == []


def test_entries_that_must_be_there_and_such_as_must_say_nothing() -> None:
    one = reader(requires=("a", "b"), unless=("c", "d"))
    word = {"word": "on", "a": 0, "b": None}
    assert buttons(one, word) == [1]
    assert buttons(one, {"word": "on", "a": 0}) == []
    assert buttons(one, word | {"c": 0, "d": ""}) == [1]
    assert buttons(one, word | {"d": 1}) == []


def test_each_event_of_a_list_is_read_by_itself_with_its_place() -> None:
    one = reader(
        "mine/{device}", "word", ANY_BUTTON, list_path=("a", "all"), button_path=("n",), battery_path=("left",)
    )
    payload = {"a": {"all": [{"word": "on", "n": 2}, 7, {"word": "odd"}, {"word": "on", "n": "3"}]}, "left": 50}
    assert [(signal.word, signal.button, signal.place, signal.battery) for signal in read(one, payload)] == [
        ("on", 2, 0, 50), ("odd", 0, 2, 50), ("on", 3, 3, 50),
    ]  # fmt: skip
    assert read(one, {"a": {"all": {"word": "on"}}}) == []


def test_where_an_event_must_match_its_first_number_is_the_button() -> None:
    one = reader(
        "mine/{device}", "word", ANY_BUTTON, where=(("part", "input:{button}"), ("id", "{button}"), ("kind", "k"))
    )
    event = {"word": "on", "part": "input:4", "id": 5, "kind": "k"}
    assert buttons(one, event) == [4]
    assert buttons(one, event | {"kind": "kk"}) == []
    assert buttons(one, event | {"part": "sys"}) == []
    by_path = reader("mine/{device}", "word", ANY_BUTTON, where=(("part", "input:{button}"),), button_path=("n",))
    assert buttons(by_path, event | {"n": 9}) == [9]
    assert buttons(by_path, event | {"n": "odd"}) == [4]


def test_the_number_of_a_button_is_of_the_event_before_the_key_and_the_topic() -> None:
    one = reader("mine/{device}/{button}", "key{button}.word", ANY_BUTTON)
    assert buttons(one, {"key3": {"word": "on"}}, "mine/a/2") == [3]
    assert buttons(reader("mine/{device}/{button}", "word", ANY_BUTTON), {"word": "on"}, "mine/a/2") == [2]
    assert buttons(reader("mine/{device}", "word", ANY_BUTTON), {"word": "on"}) == [1]
    assert buttons(reader("mine/{device}", "", ON), b"on", "mine/a") == [1]


@pytest.mark.parametrize(
    ("first", "number", "button", "channel"),
    [(1, 1, 1, 1), (1, 16, 16, 16), (1, 17, 0, 0), (1, 0, 0, 0), (0, 0, 1, 1), (0, 15, 16, 16), (0, 16, 0, 0)],
)
def test_buttons_are_counted_from_one_or_from_nought(first: int, number: int, button: int, channel: int) -> None:
    (signal,) = read(
        reader("mine/{device}/{button}", "word", ANY_BUTTON, first_button=first), {"word": "on"}, f"mine/a/{number}"
    )
    assert (signal.button, signal.channel) == (button, channel)


def test_what_a_device_counts_and_stamps() -> None:
    one = reader(count_path=("n",), stamp_path=("at",), where=(("part", "{any}"),), repetition=Repetition.BEACON)
    event = {"word": "on", "n": 7, "at": 1.5, "part": "p" * 40}
    (signal,) = read(one, event)
    assert (signal.count, signal.stamp, signal.repetition) == (7, "p" * 32 + " 1.5", Repetition.BEACON)
    assert read(one, event | {"at": "x" * 70})[0].stamp == "p" * 32 + " " + "x" * 64
    assert [read(one, event | {"at": at})[0].stamp for at in (None, [1], {"a": 1})] == [None] * 3
    assert [read(one, event | {"n": n})[0].count for n in ("12", True, 1.5, "x", None)] == [12, None, None, None, None]
    plain = read(reader(), event)[0]
    assert (plain.count, plain.stamp, plain.is_state, plain.name) == (None, None, False, "")


def test_an_empty_word_is_told_only_with_its_count() -> None:
    one = reader("mine/{device}/{button}", "word", ON, count_path=("n",))
    (signal,) = read(one, {"word": " ", "n": 0}, "mine/a/2")
    assert (signal.word, signal.button, signal.meaning, signal.count) == ("", 2, Meaning.NOTHING, 0)
    assert read(one, {"word": ""}, "mine/a/2") == []
    assert read(one, {"word": "", "n": 1}, "mine/a/99") == []
    assert len(read(one, {"word": "", "n": 1}, "mine/a/16")) == 1


def test_a_word_has_the_first_meaning_that_needs_nothing_and_those_before_it_as_alternatives() -> None:
    words = (
        DeviceWord("on", 2, Meaning.DOUBLE, ("twin",)), DeviceWord("odd", 3, Meaning.LONG),
        DeviceWord("on", 4, Meaning.SINGLE), DeviceWord("on", 5, Meaning.END),
    )  # fmt: skip
    (signal,) = read(reader("mine/{device}", "word", *words), {"word": "on"})
    assert (signal.button, signal.meaning) == (4, Meaning.SINGLE)
    assert signal.alternatives == ((("twin",), 2, Meaning.DOUBLE), ((), 4, Meaning.SINGLE))
    (needy,) = read(reader("mine/{device}", "word", words[0]), {"word": "on"})
    assert (needy.button, needy.meaning) == (0, None)
    assert needy.alternatives == ((("twin",), 2, Meaning.DOUBLE),)
    (plain,) = read(reader("mine/{device}", "word", words[1]), {"word": "odd"})
    assert (plain.button, plain.meaning, plain.alternatives) == (3, Meaning.LONG, ())


def test_a_word_is_folded_before_it_is_compared() -> None:
    for folding, meaning in ((Folding.NONE, None), (Folding.LOWER, Meaning.SINGLE), (Folding.UPPER, None)):
        (signal,) = read(reader(folding=folding), {"word": "On"})
        assert signal.meaning is meaning
    assert read(reader(folding=Folding.UPPER), {"word": "On"})[0].word == "ON"


def test_a_word_that_says_nothing_by_itself_bears_the_end_of_its_topic() -> None:
    generic = reader("hall/" + "x" * 70, "", DeviceWord("off", 1, Meaning.SINGLE), device="gw", is_generic=True)
    assert read(generic, b"on", "hall/" + "x" * 70)[0].name == "x" * 64


def test_what_lies_at_the_end_of_a_path() -> None:
    values = {"a": [{"b": 1}, 2], "k1": {"w": "x"}, "k22": {"w": "y"}, "k333": {"w": "z"}, "kx": {"w": "v"}}
    assert at_path(values, ()) is values
    assert [at_path(values, tuple(path.split("."))) for path in ("a.0.b", "a.1", "a.2", "a.x", "a.1.b", "z.b")] == [
        1, 2, None, None, None, None,
    ]  # fmt: skip
    assert list(found_at(values, ("k{button}", "w"))) == [("x", 1), ("y", 22)]
    assert list(found_at({"all": {"one": {"w": 1}, "two": {}}}, ("all", "*", "w"))) == [(1, None), (None, None)]
    assert list(found_at({"all": [1]}, ("all", "*"))) == []
    assert list(found_at({"1x": "on", "x": "off"}, ("{button}x",))) == [("on", 1)]
    assert list(found_at(values, ("a", "1"))) == [(2, None)]


def test_whole_numbers_and_json() -> None:
    assert [whole_number(value) for value in ("9999999999", 5, -5)] == [9_999_999_999, 5, -5]
    assert {whole_number(value) for value in ("99999999999", "-1", "1.0", True, 1.0, None, "²")} == {None}
    assert [json_value(text) for text in ("1", b"{", "[" * 100_000, b"\xff")] == [1, None, None, None]


def record(tmp_path: Path, **changes: Any) -> Any:
    document: dict[str, Any] = {
        "format": 1, "id": "mine", "title": "Mine",
        "reading": [{"topic": "mine/{device}", "words": [{"word": "on", "means": "single"}]}],
    } | changes  # fmt: skip
    file = tmp_path / "mine.toml"
    file.write_text(tomlkit.dumps(document), encoding="utf-8")
    return load_adapter(file)


def fault(tmp_path: Path, **changes: Any) -> tuple[str, str]:
    with pytest.raises(InvalidDocument) as caught:
        record(tmp_path, **changes)
    return caught.value.entry, caught.value.reason


READING: dict[str, Any] = {"topic": "mine/{device}", "words": [{"word": "on", "means": "single"}]}


def test_a_record_says_where_devices_nodes_and_bridges_are_there(tmp_path: Path) -> None:
    entries = [
        {"topic": "{any}/{any}/{device}/there", "of": "device", "replays": 60_000},
        {"topic": "mine/{node+}", "of": "node"}, {"topic": "mine/state", "of": "bridge", "replays": 1500},
    ]  # fmt: skip
    assert record(tmp_path, presence=entries).presence == (
        PresenceReader("mine", "{any}/{any}/{device}/there", Scope.DEVICE, 60.0),
        PresenceReader("mine", "mine/{node+}", Scope.NODE, 0.0),
        PresenceReader("mine", "mine/state", Scope.BRIDGE, 1.5),
    )
    for entry, where, reason in (
        ({"topic": "{a}/{b}", "of": "node"}, "topic", "must have one level {device} at most"),
        ({"topic": "x{a}", "of": "node"}, "topic", "must have one level {device} at most"),
        ({"topic": "{a}", "of": "house"}, "of", "device, node, bridge"),
        ({"topic": "{a}", "of": "node", "replays": 60_001}, "replays", "is 60001; it must be from 0 to 60000"),
        ({"topic": "{a}", "of": "node", "replays": -1}, "replays", "is -1; it must be from 0 to 60000"),
        ({"topic": "{a}", "of": "node", "after": 1}, "after", "is not known here"),
        ({"topic": "a" * 257, "of": "node"}, "topic", "is longer than 256 characters"),
    ):
        found = fault(tmp_path, presence=[entry])
        assert found[0] == f"presence[1].{where}"
        assert reason in found[1]


def test_the_numbers_of_a_record_have_limits(tmp_path: Path) -> None:
    for number, holds in ((0, False), (1, True), (16, True), (17, False)):
        for changes, entry in (
            ({"key": [{"name": "a", "button": number}]}, "key[1].button"),
            (
                {"reading": [READING | {"words": [{"word": "on", "means": "single", "button": number}]}]},
                "reading[1].words[1].button",
            ),
        ):
            if holds:
                record(tmp_path, **changes)
            else:
                assert fault(tmp_path, **changes) == (entry, f"is {number}; it must be from 1 to 16")


def test_words_may_be_those_of_an_earlier_reader_of_the_record(tmp_path: Path) -> None:
    second = {"topic": "yours/{device}", "words": [{"word": "off", "means": "long"}]}
    for place, holds in ((0, False), (1, True), (2, True), (3, False)):
        third = {"topic": "theirs/{device}", "words_of": place}
        if holds:
            readers = record(tmp_path, reading=[READING, second, third]).readers
            assert readers[2].words == readers[place - 1].words
        else:
            assert fault(tmp_path, reading=[READING, second, third])[0] == "reading[3].words_of"
    assert fault(tmp_path, reading=[READING, READING | {"words_of": 1}]) == (
        "reading[2].words_of", "and words exclude each other",
    )  # fmt: skip


def test_every_entry_of_a_reader_is_read(tmp_path: Path) -> None:
    entry = READING | {
        "path": "a.b", "button_path": "n", "count_path": "c.d", "stamp_path": "t", "battery_path": "e",
        "list_path": "l",
        "where": {"part": "input:{button}"}, "requires": ["r"], "unless": ["u"], "first_button": 0, "state": True,
        "repeats": "beacon", "named_only": True, "not_devices": ["x"],
    }  # fmt: skip
    (found,) = record(tmp_path, reading=[entry], key=[{"name": "red", "button": 3}]).readers
    assert found == TopicReader(
        "mine", "mine/{device}", ("a", "b"), (DeviceWord("on", 0, Meaning.SINGLE),), ("n",), ("c", "d"), ("t",), ("e",),
        ("l",), (("part", "input:{button}"),), ("r",), ("u",), (("red", 3),), 0, True, Repetition.BEACON, True, ("x",),
    )  # fmt: skip
    (plain,) = record(tmp_path).readers
    assert plain == TopicReader("mine", "mine/{device}", (), (DeviceWord("on", 0, Meaning.SINGLE),))
    assert fault(tmp_path, reading=[READING | {"where": {"a": 1}}]) == ("reading[1].where", "must be a table of texts")
    assert fault(tmp_path, reading=[READING | {"path": "x" * 121}])[0] == "reading[1].path"
    assert (
        fault(tmp_path, reading=[READING | {"words": [{"word": "", "means": "single"}]}])[0]
        == "reading[1].words[1].word"
    )
    assert fault(tmp_path, reading=[READING | {"words": [{"word": "{key}{button}", "means": "single"}]}])[0] == (
        "reading[1].words[1].word"
    )


def announced(kind: str = "device_automation", name: str = "k", **configuration: Any) -> Any:
    whole = {"device": {"identifiers": ["gw"]}, "topic": "gw/key", "state_topic": "gw/key"} | configuration
    return read_announcement(f"homeassistant/{kind}/x/{name}/config", json.dumps(whole).encode(), 9)


def words_of(found: Any) -> list[tuple[str, int, Meaning]]:
    return [(word.pattern, word.button, word.meaning) for one in found.readers for word in one.words]


def test_a_trigger_of_type_action_says_its_gesture_by_the_subtype_or_as_zigbee2mqtt_does() -> None:
    assert words_of(announced(type="action", subtype="double", payload="x")) == [("x", 1, Meaning.DOUBLE)]
    assert words_of(announced(type="shake", subtype="double", payload="x")) == []
    for subtype, payload in (("double", "double"), ("odd", "x")):
        assert len(words_of(announced(type="action", subtype=subtype, payload=payload))) > 10
    assert words_of(announced(type="Press", subtype="BUTTON_2", payload=5)) == [("5", 2, Meaning.SINGLE)]
    assert words_of(announced(type="press", subtype=3)) == [("", 3, Meaning.SINGLE)]


@pytest.mark.parametrize(
    ("name", "is_button"),
    [("action", True), ("click", True), ("left_action", True), ("temperature", False), ("actions", False)],
)
def test_a_sensor_is_a_button_by_its_name(name: str, is_button: bool) -> None:
    assert bool(announced("sensor", name).readers) is is_button


@pytest.mark.parametrize(
    ("template", "path", "folding"),
    [
        ("", (), Folding.NONE), ("{{ value }}", (), Folding.NONE), ("{{ value | upper }}", (), Folding.UPPER),
        ("{{ value_json.a.b }}", ("a", "b"), Folding.NONE), ("{{- value_json['a b'] -}}", ("a b",), Folding.NONE),
        ('{{ value_json["a"][0].c | lower }}', ("a", "0", "c"), Folding.LOWER),
        ("{{ value_json.get('a') | upper | lower }}", ("a",), Folding.LOWER),
        ("{{ value_json.get('a', 'x').b | default('') | string | trim }}", ("a", "b"), Folding.NONE),
    ],
)  # fmt: skip
def test_a_template_that_leads_to_one_entry_is_followed(template: str, path: tuple[str, ...], folding: Folding) -> None:
    (found,) = announced(type="press", subtype="button_1", payload="x", value_template=template).readers
    assert (found.path, found.folding, found.is_guess) == (path, folding, False)


def test_who_has_no_identifier_is_unnamed_and_long_names_are_cut() -> None:
    for device in ({"identifiers": []}, {"identifiers": [None]}, {}, {"connections": []}, {"connections": ["x"]}):
        assert announced("event", device=device, event_types=["press"]).devices == {"unnamed/k"}
    long = announced("event", "n" * 64, device={"identifiers": "x" * 70}, event_types=["press"])
    assert long.devices == {("x" * 64 + "/" + "n" * 64)[:100]}
    assert announced("event", event_types=["press"]).mark == 9


def test_which_topics_may_announce_a_button() -> None:
    for topic, may in (
        ("homeassistant/event/x/config", True), ("homeassistant/device/x/y/config", True),
        ("homeassistant/event/config", False), ("homeassistant/event/a/b/c/config", False),
        (f"homeassistant/event/{'x' * 64}/config", True), (f"homeassistant/event/{'x' * 65}/config", False),
        ("homeassistant/light/x/config", False), ("other/event/x/config", False),
        ("homeassistant/event/x/state", False),
    ):  # fmt: skip
        assert is_configuration(topic) is may, topic


def test_a_configuration_is_read_up_to_its_limit() -> None:
    topic, limit = "homeassistant/event/x/k/config", 4 * 1024 * 1024
    whole = {"device": {"identifiers": ["gw"]}, "state_topic": "gw/key", "event_types": ["press"]}
    assert read_announcement(topic, json.dumps(whole).encode().ljust(limit)).readers
    with pytest.raises(InvalidDocument, match="has a payload of 4194305 bytes; 4194304 are read"):
        read_announcement(topic, json.dumps(whole).encode().ljust(limit + 1))


def test_a_device_behind_zigbee2mqtt_is_there_while_its_bridge_is() -> None:
    bridge = PresenceReader("homeassistant", "zigbee2mqtt/bridge/state", Scope.NODE, 5.0, device="gw")
    for topic, presence in (("zigbee2mqtt/kitchen", (bridge,)), ("zigbee2mqttx/kitchen", ())):
        trigger = {"type": "press", "subtype": "button_1", "payload": "x", "value_template": "{{ value_json.a }}"}
        assert announced(topic=topic, **trigger).presence == presence


def test_what_does_not_hold_is_told_with_the_device_that_it_is_about() -> None:
    trigger = announced(type="press", subtype="button_1", payload="x", topic="a/#")
    assert (trigger.readers, trigger.devices) == ((), {"gw"})
    assert trigger.faults == ("homeassistant/device_automation/x/k/config: topic: is no topic that can be listened to",)
    event = announced("event", "n" * 64, state_topic="a/+", device={"identifiers": "x" * 64})
    assert event.devices == {("x" * 64 + "/" + "n" * 64)[:100]}
    for presence in ({"availability_topic": 7}, {"payload_available": 7}, {"availability_topic": "a" * 257}):
        assert len(announced("event", event_types=["press"], **presence).faults) == 1
    for topic in ("", "a#b", "a+b", "a{b", "a}b", "a\x00b", "a" * 257):
        assert len(announced("event", event_types=["press"], state_topic=topic).faults) == 1


def test_a_component_is_read_by_its_platform_and_none_that_was_taken_away() -> None:
    def components(**entries: Any) -> Any:
        return announced("device", components=entries)

    event = {"platform": "event", "state_topic": "gw/bell", "event_types": ["press", "odd"]}
    found = components(bell=event, gone={"platform": "event"}, lamp={"platform": "light", "state_topic": "a"}, odd={})
    assert (found.devices, found.faults) == ({"gw/bell"}, ())
    assert words_of(found) == [("press", 1, Meaning.SINGLE)]
    assert found.readers[0].path == ("event_type",)
    assert components(bell=event | {"platform": "e" * 41}).faults
    assert components(bell=event | {"value_template": "{{ value_json.kind }}"}).readers[0].path == ("kind",)
    contact = components(key={"platform": "binary_sensor", "state_topic": "gw/key", "payload_off": "0"})
    assert words_of(contact) == [("ON", 1, Meaning.PRESS), ("0", 1, Meaning.RELEASE)]
    assert contact.readers[0].is_state
    sensor = components(left_action={"platform": "sensor", "state_topic": "gw/left"})
    assert len(sensor.readers[0].words) > 10
    assert not sensor.readers[0].is_state


@pytest.mark.parametrize(
    ("device", "topic", "topics"),
    [
        ("zigbee2mqtt_0x1", "zigbee2mqtt/a/b/action", "zigbee2mqtt/a/b zigbee2mqtt/a/b/action zigbee2mqtt/a/b"),
        (
            "zigbee2mqtt_0x1",
            "home/bell",
            "{any}/bell {any}/bell/action {any}/zigbee2mqtt/bell {any}/zigbee2mqtt/bell/action",
        ),
        ("gw", "zigbee2mqtt/bell", "zigbee2mqtt/bell zigbee2mqtt/bell/action zigbee2mqtt/bell"),
        ("gw", "home/bell", "home/bell"),
    ],
)
def test_a_topic_of_a_kind_that_a_record_knows_is_read_by_it(device: str, topic: str, topics: str) -> None:
    """Topics with a base of their own are only of a device that says it is one of Zigbee2MQTT's."""
    found = announced(type="action", subtype="double", payload="double", topic=topic, device={"identifiers": [device]})
    assert [one.topic for one in found.readers] == topics.split()
    assert {one.device for one in found.readers} == {device}


def test_where_a_device_is_there_must_be_a_topic_that_can_be_listened_to() -> None:
    for topic, is_read in (
        ("gw/on", True),
        ("gw/\x07", False),
        ("gw/#", False),
        ("+", False),
        ("~/on", False),
        ("{a}", False),
    ):
        found = announced("event", event_types=["press"], availability_topic=topic)
        assert bool(found.presence) is is_read
    several = announced("event", event_types=["press"], availability=[{"topic": "a"}, {"t": "b"}, 7, {}])
    assert [one.topic for one in several.presence] == ["a", "b"]


def test_what_our_own_boxes_announce_is_not_read() -> None:
    assert announced("event", event_types=["press"], origin={"name": "roman-table-companion"}).devices == frozenset()
    assert announced("event", event_types=["press"], origin={"name": "other"}).devices == {"gw/k"}


def test_a_guess_is_made_where_a_template_does_more_than_lead_to_an_entry() -> None:
    template = "{{ value_json.action | int + 1 }}"
    guesses = announced(type="odd", subtype="odd", payload="x", value_template=template).readers
    keys = ("action", "event_type", "event", "click", "button", "state")
    assert [one.path for one in guesses] == [*((key,) for key in keys), ()]
    assert all(one.is_guess and one.device == "gw" for one in guesses)
    assert [len(one.words) > 10 for one in guesses] == [True] * 6 + [False]
