"""A small hub on a real mosquitto."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware_bridge.mqtt.broker import OwnMosquitto
from firmware_bridge.protocol.addresses import BrokerAddress
from tests.firmware_bridge.test_publishing import HubThread
from tests.publishing.listening_hub import ListeningHub


@pytest.fixture
def hub_thread(mosquitto: OwnMosquitto) -> Iterator[HubThread]:
    thread = HubThread(mosquitto.address, ListeningHub())
    yield thread
    thread.close()


def written(address: BrokerAddress) -> str:
    return f"{address.username}:{address.password}@{address}"
