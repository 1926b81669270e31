"""What Home Assistant's discovery announces, at its limits: triggers, events, templates, names and presence."""

import json
from typing import Any

import pytest

from companion.errors import InvalidDocument
from firmware_bridge.adapters.announced_buttons import is_configuration, read_announcement
from firmware_bridge.adapters.presence import PresenceReader, Scope
from firmware_bridge.adapters.records import Folding, Meaning


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


def test_a_version_is_marked_also_where_nothing_is_announced() -> None:
    own = json.dumps({"origin": {"name": "roman-table-companion"}}).encode()
    for topic, payload in (
        ("homeassistant/light/x/config", b"{}"), ("homeassistant/event/x/config", b""),
        ("homeassistant/event/x/config", own),
    ):  # fmt: skip
        found = read_announcement(topic, payload, 7)
        assert (found.mark, found.devices, found.readers, found.faults) == (7, frozenset(), (), ())


def test_of_the_name_of_a_device_only_what_may_stand_in_an_address_is_kept() -> None:
    for name, kept in (
        ("é b.c:d-e_f", "é b.c:d-e_f"),
        ("a/b+c#d\x07", "a_b_c_d_"),
        (7, "7"),
        (1.5, "unnamed"),
        (True, "True"),
    ):
        assert announced("event", event_types=["press"], device={"identifiers": [name, "other"]}).devices == {
            f"{kept}/k"
        }
    by_address = announced("event", event_types=["press"], device={"connections": [["mac", "aa:bb"], ["mac", "x"]]})
    assert by_address.devices == {"aa:bb/k"}
    both = announced("event", event_types=["press"], device={"identifiers": "gw", "connections": [["mac", "aa:bb"]]})
    assert both.devices == {"gw/k"}


def test_which_entities_are_no_buttons() -> None:
    assert announced("binary_sensor").readers
    assert announced("binary_sensor", device_class="").readers
    assert not announced("binary_sensor", device_class="door").readers
    assert announced("event", event_types=["press"], device_class="door").readers
    assert not announced("device_automation", automation_type="action", type="press", subtype="1").readers
    assert announced("device_automation", automation_type="trigger", type="press", subtype="1").readers
    assert announced("binary_sensor", device_class="x" * 41).faults
    assert announced("device_automation", automation_type="x" * 41, type="press", subtype="1").faults


def test_the_texts_of_a_trigger_have_limits_and_may_be_numbers() -> None:
    trigger = {"type": "press", "subtype": "button_1", "payload": "x"}
    for key, longest in (("type", 60), ("subtype", 60), ("payload", 64), ("value_template", 4000)):
        text = "{{ value }}".ljust(longest) if key == "value_template" else "x" * longest
        assert not announced(**trigger | {key: text}).faults
        assert announced(**trigger | {key: text + "x"}).faults == (
            f"homeassistant/device_automation/x/k/config: {key}: is longer than {longest} characters",
        )
        if key != "value_template":
            assert not announced(**trigger | {key: 7}).faults
            assert announced(**trigger | {key: True}).faults
    for key in ("type", "subtype"):
        left = {name: value for name, value in trigger.items() if name != key}
        assert announced(**left).faults == (f"homeassistant/device_automation/x/k/config: {key}: is missing",)


def test_the_base_of_a_topic_is_put_in_once() -> None:
    for topic, base, whole in (
        ("~/a/~", "gw", "gw/a/~"), ("a/~", "gw", "a/gw"), ("a/~/b", "gw", "a/~/b"), ("~/a", "", "~/a"),
    ):  # fmt: skip
        (found,) = announced(type="press", subtype="1", payload="x", topic=topic, **{"~": base}).readers
        assert found.topic == whole
