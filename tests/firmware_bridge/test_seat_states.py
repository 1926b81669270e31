import json
import queue
from collections.abc import Iterator

import pytest

from firmware_bridge.mqtt.broker import Broker
from firmware_bridge.mqtt.connection import MqttConnection
from firmware_bridge.serving.seat_states import SeatPublisher, SeatState
from firmware_bridge.transports.transport import Dropped

Heard = queue.Queue[tuple[str, bytes, bool]]


@pytest.fixture
def heard(broker: Broker) -> Iterator[Heard]:
    heard: Heard = queue.Queue()

    def read(topic: str, payload: bytes, retained: bool) -> None:
        heard.put((topic, payload, retained))

    connection = MqttConnection("lamp", broker.address, ["companion/#"], Dropped(), read)
    connection.open()
    yield heard
    connection.close()


def test_seats_are_published_when_they_change(broker: Broker, heard: Heard) -> None:
    seats = SeatPublisher(broker.address)
    assert heard.get(timeout=20) == ("companion/table/state", b"online", False)
    first = SeatState(1, "red", to_move=True)
    seats.show([first, SeatState(2, "blue")])
    topic, payload, _ = heard.get(timeout=20)
    assert topic == "companion/table/seat/1"
    assert json.loads(payload) == {"to_move": True, "done": False, "disputed": False, "colour": "red"}
    assert heard.get(timeout=20)[0] == "companion/table/seat/2"
    seats.show([first, SeatState(2, "blue", done=True)])
    topic, payload, _ = heard.get(timeout=20)
    assert (topic, json.loads(payload)["done"]) == ("companion/table/seat/2", True)
    seats.close()
    assert {heard.get(timeout=20)[:2] for _ in range(3)} == {
        ("companion/table/seat/1", b""), ("companion/table/seat/2", b""), ("companion/table/state", b"offline"),
    }  # fmt: skip


def test_who_comes_later_is_told_at_once(broker: Broker) -> None:
    seats = SeatPublisher(broker.address, "club")
    seats.show([SeatState(3, "green", disputed=True)])
    heard: Heard = queue.Queue()
    connection = MqttConnection(
        "lamp", broker.address, ["companion/club/seat/+"], Dropped(), lambda *said: heard.put(said)
    )
    connection.open()
    topic, payload, _retained = heard.get(timeout=20)
    assert (topic, json.loads(payload)["disputed"]) == ("companion/club/seat/3", True)
    connection.close()
    seats.close()


def test_a_broker_that_was_away_is_told_again(broker: Broker) -> None:
    seats = SeatPublisher(broker.address)
    seats.show([SeatState(1, "red")])
    broker.stop()
    broker.start()
    heard: Heard = queue.Queue()
    connection = MqttConnection("lamp", broker.address, ["companion/#"], Dropped(), lambda *said: heard.put(said))
    connection.open()
    topics = {heard.get(timeout=20)[0] for _ in range(2)}
    assert topics == {"companion/table/state", "companion/table/seat/1"}
    connection.close()
    seats.close()


def test_a_table_whose_name_is_no_topic(broker: Broker) -> None:
    with pytest.raises(ValueError, match="1 to 32 of"):
        SeatPublisher(broker.address, "a/b")
