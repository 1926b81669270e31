import json
from typing import Any

import pytest

from companion.errors import InvalidDocument
from firmware_bridge.adapters.announced_buttons import LARGEST_CONFIGURATION, is_configuration, read_announcement
from firmware_bridge.adapters.records import ButtonSignal, Meaning, TopicReader
from firmware_bridge.mqtt.codec import publication
from firmware_bridge.mqtt.home_assistant import announcement
from firmware_bridge.protocol.messages import Button, Hello

DEVICE = {"identifiers": ["zigbee2mqtt_0x00158d"], "name": "Kitchen"}


def configured(topic: str, configuration: Any) -> list[Any]:
    return list(read_announcement(topic, json.dumps(configuration).encode()).readers)


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
        {"type": "action", "subtype": "single", "topic": "a", "device": []},
    ],
)
def test_a_configuration_that_does_not_hold(configuration: Any) -> None:
    with pytest.raises(InvalidDocument):
        configured("homeassistant/device_automation/x/y/config", configuration)


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
