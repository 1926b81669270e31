"""What devices, nodes and bridges say of being there, and whom it concerns."""

import pytest

from firmware_bridge.adapters.presence import PresenceReader, Scope
from firmware_bridge.adapters.records import LARGEST_PAYLOAD

DEVICE = PresenceReader("mine", "mine/{device}/availability", Scope.DEVICE, online=("up",), offline=("down",))
NODE = PresenceReader("mine", "mine/{node+}/$state", Scope.NODE)
BRIDGE = PresenceReader("mine", "mine/{base}/bridge", Scope.BRIDGE)
OWN = PresenceReader("mine", "mine/status", Scope.NODE, device="hall")


@pytest.mark.parametrize(
    ("payload", "is_there"),
    [
        (b"up", True),
        (b"online", True),
        (b" Online\n", True),
        (b'{"state": "online"}', True),
        (b'{"value": "down"}', False),
        (b"down", False),
        (b"LOST", False),
        (b"Down", None),
        (b"perhaps", None),
        (b"{", None),
        (b'{"mood": "online"}', None),
        (b"\xff", None),
        (b"up".rjust(LARGEST_PAYLOAD), True),
        (b"up".rjust(LARGEST_PAYLOAD + 1), None),
    ],
)
def test_what_is_said(payload: bytes, is_there: bool | None) -> None:
    assert DEVICE.read("mine/bell/availability", payload) is is_there
    assert DEVICE.read("mine/bell/state", payload) is None


@pytest.mark.parametrize(
    ("words", "is_there"),
    [
        ("online true ready alive awake init", True),
        ("offline false lost disconnected dead", False),
        ("asleep alert", None),
    ],
)
def test_the_usual_words_need_not_be_announced(words: str, is_there: bool | None) -> None:
    for word in words.split():
        assert NODE.read("mine/hall/$state", word.encode()) is is_there
        assert NODE.read("mine/hall/$state", word.title().encode()) is is_there


@pytest.mark.parametrize(
    ("reader", "topic", "devices"),
    [
        (DEVICE, "mine/bell/availability", ["mine/bell"]),
        (NODE, "mine/hall/$state", ["mine/hall", "mine/hall/bell"]),
        (BRIDGE, "mine/base/bridge", ["mine/bell", "mine/hall", "mine/hall/bell", "mine/halls"]),
        (OWN, "mine/status", ["mine/hall", "mine/hall/bell"]),
        (OWN, "mine/other", []),
        (DEVICE, "mine/bell", []),
    ],
)
def test_whom_it_concerns(reader: PresenceReader, topic: str, devices: list[str]) -> None:
    every = ["mine/bell", "mine/hall", "mine/hall/bell", "mine/halls", "other/hall"]
    assert [device for device in every if reader.is_about(topic, device)] == devices


@pytest.mark.parametrize(
    ("reader", "location", "topics"),
    [
        (DEVICE, "mine/bell", ["mine/bell/availability"]),
        (DEVICE, "other/bell", []),
        (NODE, "mine/hall/bell", ["mine/hall/$state", "mine/hall/bell/$state"]),
        (BRIDGE, "mine/bell", ["mine/+/bridge"]),
        (OWN, "mine/hall/bell", ["mine/status"]),
        (OWN, "mine/halls", []),
    ],
)
def test_what_is_listened_to_for_a_device(reader: PresenceReader, location: str, topics: list[str]) -> None:
    assert reader.subscriptions_of(location) == topics
