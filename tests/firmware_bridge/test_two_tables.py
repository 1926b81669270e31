"""Two tables on one broker: each has a name of its own, and no box belongs to both."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.errors import InvalidDocument
from firmware_bridge.boxes import Boxes, Search
from firmware_bridge.mqtt.broker import Broker, OwnMosquitto
from firmware_bridge.mqtt.connection import MqttConnection
from firmware_bridge.mqtt.table_identity import TABLE_FILE, claim_table
from firmware_bridge.protocol.addresses import BoxAddress
from firmware_bridge.protocol.messages import LinkState
from firmware_bridge.serving import transport_worker
from firmware_bridge.serving.seat_states import SeatPublisher
from firmware_bridge.simulators.mqtt_box import MqttBoxSimulator
from firmware_bridge.transports.transport import Dropped
from tests.firmware_bridge.waiting import Listener, eventually


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_a_table_keeps_its_name_and_no_other_has_it(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    names = []
    for folder in folders:
        folder.mkdir()
        for _ in range(2):
            with ExitStack() as stack:
                names.append(claim_table(folder, stack))
    assert names[0] == names[1] != names[2] == names[3]


def test_two_programs_on_one_data_folder_are_two_tables(tmp_path: Path, stack: ExitStack) -> None:
    first = claim_table(tmp_path, stack)
    with ExitStack() as other:
        assert claim_table(tmp_path, other) == f"{first}-2"
    assert claim_table(tmp_path, stack) == f"{first}-2"


@pytest.mark.parametrize("text", ["format = 2", 'format = 1\nname = "a/b"', "name = 1", 'format = 1\nname="a"\nx=1'])
def test_a_name_that_does_not_hold_is_refused(tmp_path: Path, stack: ExitStack, text: str) -> None:
    (tmp_path / TABLE_FILE).write_text(text, encoding="utf-8")
    with pytest.raises(InvalidDocument):
        claim_table(tmp_path, stack)


def test_the_last_will_of_one_table_says_nothing_of_the_other(broker: Broker, stack: ExitStack) -> None:
    heard: dict[str, bytes] = {}

    def read(topic: str, payload: bytes, _retained: bool) -> str:
        heard[topic] = payload
        return topic

    lamp = MqttConnection("lamp", broker.address, ["companion/+/state"], Dropped(), read)
    lamp.open()
    stack.callback(lamp.close)
    first, second = SeatPublisher(broker.address, "table-1"), SeatPublisher(broker.address, "table-2")
    stack.callback(second.close)
    eventually(lambda: list(heard.values()) == [b"online", b"online"])
    first.close()
    eventually(lambda: heard == {"companion/table-1/state": b"offline", "companion/table-2/state": b"online"})


def test_a_box_that_both_remember_stays_with_the_table_that_has_it(broker: Broker, stack: ExitStack) -> None:
    """Also where the other one starts at once after it."""
    blue = stack.enter_context(MqttBoxSimulator(broker.address, "blue"))
    address = [BoxAddress.parse("mqtt:blue@1")]
    first = Listener(stack.enter_context(Boxes(address, broker=broker.address)))
    first.state(LinkState.READY)
    leaving = ExitStack()
    stack.callback(leaving.close)
    second = Listener(leaving.enter_context(Boxes(address, broker=broker.address)))
    assert "another table" in second.state(LinkState.LOST).reason
    blue.tap(1)
    assert first.press().seat == 1
    assert second.presses == []
    assert "another table tries" in first.notice().text
    assert len(first.presses) == 1
    first.boxes.close()
    second.state(LinkState.READY)
    blue.tap(2)
    assert second.press().button == 2


@pytest.mark.parametrize("apart", [0.0, 0.9])
def test_of_two_tables_that_start_together_only_one_ever_hears_a_box(
    mosquitto: OwnMosquitto, stack: ExitStack, apart: float
) -> None:
    """`apart` seconds between the two, both less than a table that has a box takes to be sure of it."""
    blue = stack.enter_context(MqttBoxSimulator(mosquitto.address, "blue"))
    address = [BoxAddress.parse("mqtt:blue@1")]
    tables = []
    for name in ("table-1", "table-2"):
        boxes = stack.enter_context(Boxes(address, broker=mosquitto.address, table=name))
        tables.append(Listener(boxes))
        blue.tap(1)
        time.sleep(apart)
    taps_after = 0
    for _ in range(400):
        blue.tap(1)
        time.sleep(0.06)
        for table in tables:
            while not table.boxes.events.empty():
                table.next()
        states = [table.boxes.states["mqtt:blue"].state for table in tables]
        assert states.count(LinkState.READY) < 2
        taps_after += LinkState.READY in states and LinkState.LOST in states
        if taps_after > 20:
            break
    first, second = ([press.at for press in table.presses] for table in tables)
    assert len(first) + len(second) > 20
    assert not any(abs(one - other) < 0.02 for one in first for other in second), "a press was acted on at both tables"


def test_a_box_that_two_tables_have_is_left_alone_by_one_of_them(
    mosquitto: OwnMosquitto, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after claims that a slow broker passed on too late."""
    monkeypatch.setattr(transport_worker, "CLAIM_SECONDS", 0.0)
    stack.enter_context(MqttBoxSimulator(mosquitto.address, "blue"))
    address = [BoxAddress.parse("mqtt:blue@1")]
    tables = [
        Listener(stack.enter_context(Boxes(address, broker=mosquitto.address, table=name)))
        for name in ("table-1", "table-2")
    ]

    def states() -> list[LinkState]:
        return sorted(table.boxes.states["mqtt:blue"].state for table in tables)

    eventually(lambda: states() == [LinkState.LOST, LinkState.READY])


def test_a_box_that_one_table_takes_is_not_asked_about_at_the_other(broker: Broker, stack: ExitStack) -> None:
    stack.enter_context(MqttBoxSimulator(broker.address, "blue"))
    tables = [
        Listener(stack.enter_context(Boxes((), broker=broker.address, search=Search(wireless=True)))) for _ in "ab"
    ]
    for table in tables:
        assert not table.state(LinkState.READY).is_paired
    tables[0].boxes.assign_seat("mqtt:blue", 1)
    assert "another table" in tables[1].state(LinkState.LOST).reason
    assert tables[0].boxes.states["mqtt:blue"].seat == 1


def test_nothing_is_retained_about_a_box_that_belongs_to_nobody(broker: Broker, stack: ExitStack) -> None:
    stack.enter_context(MqttBoxSimulator(broker.address, "blue"))
    retained: list[str] = []
    read = lambda topic, *_: retained.append(topic)  # noqa: E731
    home = MqttConnection("home", broker.address, ["homeassistant/#"], Dropped(), read)
    home.open()
    stack.callback(home.close)
    table = Listener(stack.enter_context(Boxes((), None, broker.address, Search(wireless=True))))
    assert not table.state(LinkState.READY).is_paired
    assert retained == []
    table.boxes.assign_seat("mqtt:blue", 1)
    eventually(lambda: retained == ["homeassistant/device/tabletop_blue/config"])
