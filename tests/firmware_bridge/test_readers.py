"""What readers of topics read at their limits: names of devices, words with placeholders, lists of events, counts."""

import json
from pathlib import Path
from typing import Any

import pytest
import tomlkit

from companion.errors import InvalidDocument
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


def test_any_text_is_a_word_where_one_of_the_words_is_every_word() -> None:
    one = reader("mine/{device}", "word", ON, DeviceWord("", 2, Meaning.LONG))
    assert [(signal.word, signal.button) for signal in read(one, {"word": "a\tb"})] == [("message", 2)]
    assert [(signal.word, signal.button) for signal in read(one, {"word": "x" * 70})] == [("x" * 64, 2)]
    assert buttons(one, {"word": "on"}) == [1]


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
