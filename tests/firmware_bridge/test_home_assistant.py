import json
from typing import Any

import pytest

from companion.errors import InvalidDocument
from firmware_bridge.adapters.announced_buttons import (
    LARGEST_CONFIGURATION,
    MOST_COMPONENTS,
    is_configuration,
    read_announcement,
    readers_of,
)
from firmware_bridge.adapters.records import LONGEST_WORD, ButtonSignal, Meaning, TopicReader
from firmware_bridge.mqtt.codec import publication
from firmware_bridge.mqtt.home_assistant import announcement
from firmware_bridge.protocol.messages import Button, Hello

DEVICE = {"identifiers": ["zigbee2mqtt_0x00158d"], "name": "Kitchen"}


def configured(topic: str, configuration: Any) -> list[Any]:
    return list(read_announcement(topic, json.dumps(configuration).encode()).readers)


def fault(topic: str, configuration: Any) -> str:
    (only,) = read_announcement(topic, json.dumps(configuration).encode()).faults
    return only


def said(readers: list[TopicReader], topic: str, payload: bytes) -> list[ButtonSignal]:
    """What is read, each signal once."""
    return list(dict.fromkeys(signal for reader in readers for signal in reader.read(topic, payload)))


def test_a_trigger_of_zigbee2mqtt() -> None:
    found = configured(
        "homeassistant/device_automation/0x00158d/action_double/config",
        {
            "automation_type": "trigger", "type": "action", "subtype": "double", "payload": "double",
            "topic": "zigbee2mqtt/Kitchen/action", "device": DEVICE, "origin": {"name": "Zigbee2MQTT"},
        },
    )  # fmt: skip
    assert "zigbee2mqtt/Kitchen/action" in {reader.topic for reader in found}
    assert said(found, "zigbee2mqtt/Kitchen/action", b"double") == [
        ButtonSignal("homeassistant/zigbee2mqtt_0x00158d", "double", 1, Meaning.DOUBLE)
    ]


def test_a_trigger_of_tasmota_with_short_names() -> None:
    found = configured(
        "homeassistant/device_automation/A1B2/btn/config",
        {
            "atype": "trigger", "t": "~/RESULT", "~": "stat/bell", "type": "button_long_press", "stype": "button_2",
            "pl": "HOLD", "val_tpl": "{{ value_json.Button2.Action }}", "dev": {"ids": "A1B2"},
        },
    )  # fmt: skip
    assert said(found, "stat/bell/RESULT", b'{"Button2":{"Action":"HOLD"}}') == [
        ButtonSignal("homeassistant/A1B2", "HOLD", 2, Meaning.LONG)
    ]


@pytest.mark.parametrize(
    ("written", "topic"),
    [("~/keys", "hall/keys"), ("house/~", "house/hall"), ("a~b/c", "a~b/c"), ("~/~", "hall/~")],
)
def test_the_base_of_a_topic_stands_at_its_beginning_or_end(written: str, topic: str) -> None:
    trigger = {"type": "button_short_press", "subtype": "button_1", "topic": written, "~": "hall", "payload": "on"}
    found = configured("homeassistant/device_automation/x/y/config", trigger | {"device": {"identifiers": ["gw"]}})
    assert {reader.topic for reader in found} == {topic}


def test_an_event_of_esphome() -> None:
    found = configured(
        "homeassistant/event/desk/bell/config",
        {
            "state_topic": "desk/event/bell/state", "event_types": ["press", "double_press", "shake"],
            "device": {"identifiers": "aabbcc"},
        },
    )  # fmt: skip
    assert said(found, "desk/event/bell/state", b'{"event_type":"double_press"}') == [
        ButtonSignal("homeassistant/aabbcc/bell", "double_press", 1, Meaning.DOUBLE)
    ]
    assert said(found, "desk/event/bell/state", b'{"event_type":"shake"}')[0].meaning is None


def test_a_binary_sensor_is_a_state_unless_it_is_a_motion_detector() -> None:
    sensor = {"state_topic": "desk/binary_sensor/green/state", "device": {"identifiers": ["aabbcc"]}}
    found = configured("homeassistant/binary_sensor/desk/green/config", sensor)
    assert said(found, "desk/binary_sensor/green/state", b"ON") == [
        ButtonSignal("homeassistant/aabbcc/green", "ON", 1, Meaning.PRESS, is_state=True)
    ]
    assert configured("homeassistant/binary_sensor/desk/green/config", sensor | {"device_class": "motion"}) == []


def test_a_device_with_components() -> None:
    found = configured(
        "homeassistant/device/gateway/config",
        {
            "dev": {"ids": ["gw"]}, "o": {"name": "gateway"},
            "cmps": {
                "one": {"p": "device_automation", "type": "button_short_press", "subtype": "turn_off",
                        "topic": "gw/b", "payload": "off"},
                "lamp": {"p": "light", "command_topic": "gw/lamp"},
                "bell": {"p": "event", "state_topic": "gw/bell", "event_types": ["press"]},
            },
        },
    )  # fmt: skip
    assert said(found, "gw/b", b"off") == [ButtonSignal("homeassistant/gw", "off", 2, Meaning.SINGLE)]
    assert [reading.device for reading in found] == ["gw", "gw/bell"]


def test_where_an_announced_device_says_that_it_is_there() -> None:
    bell = {"p": "event", "state_topic": "gw/bell", "event_types": ["press"], "availability": [{"topic": "gw/bell/on"}]}
    announced = read_announcement(
        "homeassistant/device/gateway/config",
        json.dumps(
            {
                "dev": {"ids": ["gw"]}, "o": {"name": "gateway"}, "cmps": {"bell": bell},
                "availability_topic": "gw/bridge/state", "payload_available": "up", "payload_not_available": "down",
                "availability": [{"t": "gw/here"}, {"topic": "gw/+"}, "gw/text", {"topic": "gw/~"}],
            }
        ).encode(),
    )  # fmt: skip
    assert {(one.topic, one.replays, one.online, one.offline, one.device) for one in announced.presence} == {
        ("gw/bell/on", 0.0, (), (), "gw/bell"),
        ("gw/bridge/state", 5.0, ("up",), ("down",), "gw/bell"),
        ("gw/here", 0.0, ("up",), ("down",), "gw/bell"),
    }


def test_our_own_boxes_are_announced_and_not_taken_for_strangers() -> None:
    hello = Hello(1, 1, 0x0102, 4, 4, 0, 0, 7, 0, 0, b"12345678")
    announced = announcement("blue", hello)
    assert announced.retain
    assert is_configuration(announced.topic)
    assert read_announcement(announced.topic, announced.payload).readers == ()
    configuration = json.loads(announced.payload)
    assert configuration["device"]["sw_version"] == "1.2"
    assert configuration["availability_topic"] == "tabletop/blue/state"
    assert len(configuration["components"]) == 8
    event = configuration["components"]["button_2"]
    press = publication("blue", Button(1, 7, 1, 2, True, 5), by_host=False)
    assert event["state_topic"] == press.topic
    assert json.loads(press.payload)["event_type"] in event["event_types"]


@pytest.mark.parametrize(
    "configuration",
    [
        {"type": "action", "subtype": "single", "topic": "a/#", "device": DEVICE},
        {"type": "action", "subtype": "single", "topic": "", "device": DEVICE},
        {"type": "action", "subtype": "single", "topic": "a" * 300, "device": DEVICE},
        {"type": "action", "subtype": "single", "topic": "a\u0007b", "device": DEVICE},
        {"type": ["action"], "subtype": "single", "topic": "a", "device": DEVICE},
        {"type": "action", "topic": "a", "device": DEVICE},
    ],
)
def test_a_configuration_that_does_not_hold(configuration: Any) -> None:
    announced = read_announcement("homeassistant/device_automation/x/y/config", json.dumps(configuration).encode())
    assert announced.readers == ()
    assert len(announced.faults) == len(announced.devices) == 1


def test_a_configuration_without_a_device() -> None:
    with pytest.raises(InvalidDocument):
        configured(
            "homeassistant/device_automation/x/y/config",
            {"type": "action", "subtype": "single", "topic": "a", "device": []},
        )


def test_one_component_that_does_not_hold_costs_that_component() -> None:
    event = {"platform": "event", "event_types": ["press"], "device_class": "button"}
    configuration = {
        "device": {"identifiers": "gw"},
        "components": {
            "red": event | {"state_topic": "gw/red"},
            "green": event | {"state_topic": 7},
            "blue": "gw/blue",
            "grey": {"platform": "event"},
        },
    }
    announced = read_announcement("homeassistant/device/gw/config", json.dumps(configuration).encode())
    assert announced.devices == {"gw/red", "gw/green"}
    assert {reader.topic for reader in announced.readers} == {"gw/red"}
    assert len(announced.faults) == 2


def test_a_template_that_computes_something_is_left_alone() -> None:
    trigger = {"type": "action", "subtype": "single", "topic": "a", "device": DEVICE, "payload": "1"}
    topic = "homeassistant/device_automation/x/y/config"
    for template in ("{{ value_json.a | int + 1 }}", "{% if value %}1{% endif %}", "{{ states('lock.door') }}"):
        assert all(reader.is_guess for reader in configured(topic, trigger | {"value_template": template}))
    assert configured(topic, trigger | {"value_template": "{{ value_json['a'].b }}"})[0].path == ("a", "b")


def test_what_is_withdrawn_or_about_something_else_is_nothing() -> None:
    assert read_announcement("homeassistant/event/x/y/config", b"").readers == ()
    assert read_announcement("homeassistant/light/x/config", b"{}").readers == ()
    assert not is_configuration("homeassistant/light/x/config")
    with pytest.raises(InvalidDocument, match="are read"):
        read_announcement("homeassistant/event/x/y/config", b" " * (LARGEST_CONFIGURATION + 1))


# Short and long names as https://www.home-assistant.io/integrations/mqtt/#supported-abbreviations-in-mqtt-discovery-messages
# has them, of the entries that say how a button is read.
SHORT_NAMES = {
    "automation_type": "atype", "availability": "avty", "availability_topic": "avty_t", "components": "cmps",
    "connections": "cns", "device": "dev", "device_class": "dev_cla", "event_types": "evt_typ", "identifiers": "ids",
    "origin": "o", "payload": "pl", "payload_available": "pl_avail", "payload_not_available": "pl_not_avail",
    "payload_off": "pl_off", "payload_on": "pl_on", "platform": "p", "state_topic": "stat_t", "subtype": "stype",
    "topic": "t", "value_template": "val_tpl",
}  # fmt: skip
WHOLE: dict[str, Any] = {
    "device": {"identifiers": ["gw"]},
    "origin": {"name": "gateway"},
    "availability_topic": "gw/on",
    "availability": [{"topic": "gw/there"}],
    "payload_available": "up",
    "payload_not_available": "down",
    "components": {
        "key": {"platform": "device_automation", "automation_type": "trigger", "type": "button_short_press",
                "subtype": "button_3", "topic": "gw/key", "payload": "3", "value_template": "{{ value_json.key }}"},
        "other": {"platform": "device_automation", "automation_type": "condition", "topic": "gw/other"},
        "contact": {"platform": "binary_sensor", "state_topic": "gw/contact", "payload_on": "1", "payload_off": "0"},
        "motion": {"platform": "binary_sensor", "state_topic": "gw/motion", "device_class": "motion"},
        "bell": {"platform": "event", "state_topic": "gw/bell", "event_types": ["press"]},
    },
}  # fmt: skip
BY_ADDRESS = WHOLE | {"device": {"connections": [["mac", "aa:bb"]]}}


def shortened(value: Any) -> Any:
    if isinstance(value, dict):
        return {SHORT_NAMES.get(key, key): shortened(each) for key, each in value.items()}
    return [shortened(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("configuration", [WHOLE, BY_ADDRESS])
def test_short_names_are_read_like_long_ones(configuration: dict[str, Any]) -> None:
    topic = "homeassistant/device/gateway/config"
    read = read_announcement(topic, json.dumps(configuration).encode())
    assert len(read.readers) == 3
    assert len(read.presence) == 6
    for name, short in SHORT_NAMES.items():
        written = json.dumps(configuration).replace(f'"{name}":', f'"{short}":')
        assert read_announcement(topic, written.encode()) == read, short
    assert read_announcement(topic, json.dumps(shortened(configuration)).encode()) == read


def test_a_device_is_called_by_its_first_identifier_or_else_by_its_address() -> None:
    event = {"state_topic": "a/b", "event_types": ["press"]}
    names = {
        "gw": {"identifiers": ["gw", "other"]},
        "7": {"identifiers": 7},
        "aa:bb": {"connections": [["mac", "aa:bb"], ["mac", "cc:dd"]]},
        "a_b": {"identifiers": "a/b"},
        "x" * 64: {"identifiers": "x" * 65},
        "unnamed": {"connections": [[]]},
    }
    for name, device in names.items():
        (reader,) = configured("homeassistant/event/x/bell/config", event | {"device": device})
        assert reader.device == f"{name}/bell"


def trigger_word(kind: str, subtype: str, payload: str = "x") -> tuple[int, Meaning] | None:
    (reader,) = configured(
        "homeassistant/device_automation/x/y/config",
        {"type": kind, "subtype": subtype, "topic": "gw/key", "payload": payload, "device": {"identifiers": ["gw"]}},
    )
    return (reader.words[0].button, reader.words[0].meaning) if reader.words else None


@pytest.mark.parametrize(
    ("meaning", "types"),
    [
        (Meaning.SINGLE, "button_short_press press pressed single short click short_press single_press single_click"),
        (Meaning.SINGLE, "button_press single_push remote_button_short_press"),
        (Meaning.DOUBLE, "button_double_press double double_press double_click double_push remote_button_double_press"),
        (Meaning.LONG, "button_long_press hold long long_press long_click long_push held remote_button_long_press"),
        (Meaning.END, "button_short_release button_long_release release released short_release long_release"),
        (Meaning.END, "press_release hold_release remote_button_short_release remote_button_long_release"),
        (Meaning.BEGIN, "initial_press"),
        (Meaning.NOTHING, "button_down button_up btn_down btn_up"),
    ],
)
def test_what_the_types_of_triggers_mean(meaning: Meaning, types: str) -> None:
    for kind in types.split():
        assert trigger_word(kind, "button_1") == (1, meaning), kind
    assert trigger_word("button_triple_press", "button_1") is None


def announced_types(*kinds: str, device: str = "gw") -> list[tuple[str, Meaning]]:
    """What the triggers of these types for the first button are read as, announced each by itself."""
    announcements = [
        read_announcement(
            f"homeassistant/device_automation/{device}/{kind}/config",
            json.dumps(
                {
                    "type": kind,
                    "subtype": "button_1",
                    "topic": "t",
                    "payload": kind,
                    "device": {"identifiers": [device]},
                }
            ).encode(),
        )
        for kind in kinds
    ]
    return [(word.pattern, word.meaning) for reader in readers_of(announcements) for word in reader.words]


@pytest.mark.parametrize("release", ["button_short_release", "short_release", "remote_button_short_release"])
def test_a_button_that_only_says_it_was_let_go_is_pressed_by_that(release: str) -> None:
    assert announced_types(release) == [(release, Meaning.SINGLE)]
    assert announced_types("button_long_press", "button_long_release", release) == [
        ("button_long_press", Meaning.LONG), ("button_long_release", Meaning.END), (release, Meaning.SINGLE),
    ]  # fmt: skip
    assert announced_types("button_short_press", release)[1] == (release, Meaning.END)
    assert announced_types(release, "initial_press")[0] == (release, Meaning.END)


def test_an_event_that_only_says_its_button_was_let_go_is_pressed_by_that() -> None:
    def words(*types: str) -> list[tuple[str, Meaning]]:
        (reader,) = configured(
            "homeassistant/event/x/bell/config",
            {"state_topic": "t", "event_types": list(types), "device": {"identifiers": ["x"]}},
        )
        return [(word.pattern, word.meaning) for word in reader.words]

    assert words("long_press", "short_release", "long_release") == [
        ("long_press", Meaning.LONG), ("short_release", Meaning.SINGLE), ("long_release", Meaning.END),
    ]  # fmt: skip
    assert words("initial_press", "short_release") == [("initial_press", Meaning.BEGIN), ("short_release", Meaning.END)]


@pytest.mark.parametrize(
    ("subtype", "button"),
    [
        ("turn_on", 1), ("turn_off", 2), ("left", 1), ("right", 2), ("up", 1), ("down", 2), ("top", 1), ("bottom", 2),
        ("center", 3), ("button", 1), ("dim_up", 3), ("dim_down", 4), ("button_16", 16), ("button 4", 4), ("9", 9),
        ("button_17", None), ("button_0", None), ("shake", None), ("button_123", None),
    ],
)  # fmt: skip
def test_which_button_the_subtypes_of_triggers_name(subtype: str, button: int | None) -> None:
    assert trigger_word("press", subtype) == (None if button is None else (button, Meaning.SINGLE))


@pytest.mark.parametrize(
    ("payload", "name"),
    [*((each, "key") for each in ("", "press", "pressed", "on", "ON", "1", "true", "True")), ("2", ""), ("off", "")],
)
def test_a_word_that_says_nothing_is_called_by_its_topic_too(payload: str, name: str) -> None:
    (reader,) = configured(
        "homeassistant/device_automation/x/y/config",
        {"type": "shake", "subtype": "it", "topic": "gw/key", "payload": payload, "device": {"identifiers": ["gw"]}},
    )
    (signal,) = reader.read("gw/key", b"word")
    assert (signal.meaning, signal.name) == (None, name)


def test_a_template_that_cannot_be_followed_is_guessed_first_where_it_looks() -> None:
    trigger = {"type": "shake", "subtype": "it", "topic": "gw/key", "payload": "x", "device": {"identifiers": ["gw"]}}
    template = "{{ value_json.x.y | int + 1 }} {{ value_json['b'] + value_json.click }}"
    found = configured("homeassistant/device_automation/x/y/config", trigger | {"value_template": template})
    assert [reader.path for reader in found] == [
        ("b",), ("click",), ("x", "y"), ("action",), ("event_type",), ("event",), ("button",), ("state",), (),
    ]  # fmt: skip
    assert all(reader.is_guess and not reader.words for reader in found)


def test_of_many_components_the_first_are_read() -> None:
    event = {"platform": "event", "event_types": ["press"]}
    for count in (MOST_COMPONENTS, MOST_COMPONENTS + 1):
        components = {f"key{number}": event | {"state_topic": f"gw/{number}"} for number in range(count)}
        found = configured(
            "homeassistant/device/gw/config", {"device": {"identifiers": "gw"}, "components": components}
        )
        assert [reader.topic for reader in found] == [f"gw/{number}" for number in range(500)]


def test_words_and_lists_of_an_announcement_have_limits() -> None:
    event = {"state_topic": "gw/bell", "device": {"identifiers": ["gw"]}}
    topic = "homeassistant/event/x/y/config"
    assert configured(topic, event | {"event_types": ["press"] * 50})
    assert "event_types: has 51 entries" in fault(topic, event | {"event_types": ["press"] * 51})
    contact = "homeassistant/binary_sensor/x/y/config"
    assert configured(contact, event | {"payload_on": "x" * LONGEST_WORD})
    for key in ("payload_on", "payload_off"):
        assert f"{key}: is longer than 64" in fault(contact, event | {key: "x" * (LONGEST_WORD + 1)})


def test_a_box_is_announced_in_full() -> None:
    announced = announcement("blue", Hello(1, 1, 0x0102, 1, 0, 0, 0, 7, 0, 0, b"12345678"))
    assert announced.topic == "homeassistant/device/tabletop_blue/config"
    assert json.loads(announced.payload) == {
        "device": {"identifiers": ["tabletop_blue"], "name": "Button box blue", "sw_version": "1.2"},
        "origin": {"name": "roman-table-companion"},
        "availability_topic": "tabletop/blue/state",
        "components": {
            "button_1": {
                "p": "event", "unique_id": "tabletop_blue_button_1", "name": "Button 1", "device_class": "button",
                "event_types": ["press", "release"], "state_topic": "tabletop/blue/event/button_1",
            },
            "trigger_1": {
                "p": "device_automation", "automation_type": "trigger", "type": "button_short_press",
                "subtype": "button_1", "topic": "tabletop/blue/event/button_1",
                "value_template": "{{ value_json.event_type }}", "payload": "press",
            },
        },
        "qos": 1,
    }  # fmt: skip
