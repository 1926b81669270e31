from pathlib import Path

import pytest

from firmware_bridge.errors import InvalidBoxAddress, InvalidBrokerAddress
from firmware_bridge.protocol.addresses import BoxAddress, BrokerAddress, Wire

BY_ID = "/dev/serial/by-id/usb-Arduino__www.arduino.cc__0043_7583033-if00"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("serial:/dev/ttyACM0", BoxAddress(Wire.SERIAL, "/dev/ttyACM0")),
        ("serial:/dev/ttyACM0@2", BoxAddress(Wire.SERIAL, "/dev/ttyACM0", seat=2)),
        ("serial:/dev/ttyACM0#254", BoxAddress(Wire.SERIAL, "/dev/ttyACM0", 254)),
        (f"serial:{BY_ID}#3@12", BoxAddress(Wire.SERIAL, BY_ID, 3, 12)),
        ("serial:/dev/odd@name", BoxAddress(Wire.SERIAL, "/dev/odd@name")),
        ("mqtt:blue_box-1", BoxAddress(Wire.MQTT, "blue_box-1")),
        ("mqtt:blue@4", BoxAddress(Wire.MQTT, "blue", seat=4)),
        ("usb:0011223344556677@2", BoxAddress(Wire.USB, "0011223344556677", seat=2)),
        ("button:zigbee2mqtt/living room", BoxAddress(Wire.BUTTON, "zigbee2mqtt/living room")),
    ],
)
def test_an_address_is_read_and_written_alike(text: str, address: BoxAddress) -> None:
    assert BoxAddress.parse(text) == address
    assert str(address) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [("Mqtt:blue@4", "mqtt:blue@4"), ("USB:00112233445566AA@2", "usb:00112233445566aa@2"),
     ("Serial:/dev/ttyACM0", "serial:/dev/ttyACM0")],
)  # fmt: skip
def test_an_address_may_begin_with_a_capital(text: str, written: str) -> None:
    assert str(BoxAddress.parse(text)) == written


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "begins with serial:, usb:, mqtt: or button:"),
        ("/dev/ttyACM0", "begins with serial:, usb:, mqtt: or button:"),
        ("mqtt", "begins with serial:, usb:, mqtt: or button:"),
        ("box:1", "begins with serial:, usb:, mqtt: or button:"),
        ("usb:1", "16 digits of 0-9 a-f"),
        ("usb:0011223344556677#2", "16 digits of 0-9 a-f"),
        ("button:kitchen", "named adapter/device"),
        ("button:esphome/a+b", "named adapter/device"),
        ("serial:", "named by its path"),
        ("serial:/dev/a\0b", "named by its path"),
        ("serial:/dev/ttyACM0#0", "from 1 to 254"),
        ("serial:/dev/ttyACM0#255", "from 1 to 254"),
        ("mqtt:", "1 to 32 of"),
        ("mqtt:a/b", "1 to 32 of"),
        ("mqtt:+", "1 to 32 of"),
        ("mqtt:#", "1 to 32 of"),
        ("mqtt:" + "b" * 33, "1 to 32 of"),
        ("mqtt:blue@0", "from 1 to 12"),
        ("mqtt:blue@99", "from 1 to 12"),
    ],
)
def test_text_that_names_no_box(text: str, reason: str) -> None:
    with pytest.raises(InvalidBoxAddress, match=reason):
        BoxAddress.parse(text)


def test_the_name_leaves_the_seat_out() -> None:
    assert BoxAddress.parse("serial:/dev/ttyACM0#2@1").name == "serial:/dev/ttyACM0#2"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("broker.local", BrokerAddress("broker.local", 1883)),
        ("10.0.0.7:8883", BrokerAddress("10.0.0.7", 8883)),
        ("[::1]:1884", BrokerAddress("::1", 1884)),
        ("table:se%40cret@broker", BrokerAddress("broker", 1883, "table", "se@cret")),
        ("table@broker", BrokerAddress("broker", 1883, "table")),
        ("Fd00::2", BrokerAddress("fd00::2", 1883)),
        ("u:p@FD00:0:0::2", BrokerAddress("fd00::2", 1883, "u", "p")),
        ("[Fd00::2]:1884", BrokerAddress("fd00::2", 1884)),
        ("Mqtt://broker", BrokerAddress("broker", 1883)),
        ("MQTTS://u:p@broker", BrokerAddress("broker", 8883, "u", "p", True)),
        ("u:#a/b?c@d:e%@broker:1884", BrokerAddress("broker", 1884, "u", "#a/b?c@d:e%")),
        ("mqtts://u:p@s#1@host?ca=/a@b.pem", BrokerAddress("host", 8883, "u", "p@s#1", True, Path("/a@b.pem"))),
        ("u:50%25off%2F@[::1]", BrokerAddress("::1", 1883, "u", "50%off/")),
        ("u:a://b@broker", BrokerAddress("broker", 1883, "u", "a://b")),
        ("mqtt://broker", BrokerAddress("broker", 1883)),
        ("mqtts://u:p@broker?ca=/etc/ca.pem", BrokerAddress("broker", 8883, "u", "p", True, Path("/etc/ca.pem"))),
    ],
)
def test_the_address_of_a_broker(text: str, address: BrokerAddress) -> None:
    assert BrokerAddress.parse(text) == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":1883",
        "broker:0",
        "broker:99999",
        "broker:x",
        "http://broker",
        "http://u:p@broker",
        "a:b:c",
        "a b",
        "broker/topic",
        "[::1",
        "mqtt://broker?ca=x",
        "broker?x=1",
        "mqtts://broker?ca",
    ],
)
def test_text_that_names_no_broker(text: str) -> None:
    with pytest.raises(InvalidBrokerAddress):
        BrokerAddress.parse(text)


@pytest.mark.parametrize("text", ["u:p@ss/", "u:pass@", "u:p#a@b c", "u:secret@broker/topic"])
def test_a_password_that_cannot_be_told_from_the_host_is_named_as_the_trouble(text: str) -> None:
    with pytest.raises(InvalidBrokerAddress, match="in the password"):
        BrokerAddress.parse(text)


def test_a_password_is_never_shown() -> None:
    assert "secret" not in repr(BrokerAddress.parse("table:secret@broker")) + str(BrokerAddress.parse("u:secret@b"))
    with pytest.raises(InvalidBrokerAddress) as caught:
        BrokerAddress.parse("table:secret@broker:x")
    assert "secret" not in str(caught.value)
