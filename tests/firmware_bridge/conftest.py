from collections.abc import Iterator

import pytest

from firmware_bridge.broker import Broker, OwnMosquitto, start_broker
from firmware_bridge.errors import BrokerUnavailable


@pytest.fixture
def broker() -> Iterator[Broker]:
    broker = start_broker("own")
    yield broker
    broker.stop()


@pytest.fixture
def mosquitto() -> Iterator[OwnMosquitto]:
    try:
        broker = OwnMosquitto()
    except BrokerUnavailable as error:
        pytest.skip(str(error))
    broker.start()
    yield broker
    broker.stop()
