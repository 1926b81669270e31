import pytest

from firmware_bridge.addresses import BoxAddress, Wire
from firmware_bridge.errors import InvalidBoxAddress

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
    ],
)
def test_an_address_is_read_and_written_alike(text: str, address: BoxAddress) -> None:
    assert BoxAddress.parse(text) == address
    assert str(address) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "begins with serial: or mqtt:"),
        ("/dev/ttyACM0", "begins with serial: or mqtt:"),
        ("usb:1", "begins with serial: or mqtt:"),
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
