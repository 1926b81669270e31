"""A real mosquitto for tests; skipped where none is installed."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from firmware_bridge.errors import BrokerUnavailable
from firmware_bridge.mqtt.broker import OwnMosquitto


@contextmanager
def running_mosquitto() -> Iterator[OwnMosquitto]:
    """A mosquitto of its own, which keeps nothing of the tests before."""
    try:
        broker = OwnMosquitto()
    except BrokerUnavailable as error:
        pytest.skip(str(error))
    broker.start()
    yield broker
    broker.stop()
