"""What bought buttons of twenty families really send, replayed through a real broker."""

from collections.abc import Iterator

import pytest

from firmware_bridge.mqtt.broker import OwnMosquitto
from tests.brokers import running_mosquitto
from tests.firmware_bridge.replaying import Episode, Replay, are_right, episodes, expected


@pytest.fixture(scope="module")
def mosquitto() -> Iterator[OwnMosquitto]:
    with running_mosquitto() as broker:
        yield broker


@pytest.mark.parametrize("episode", [pytest.param(episode, id=name) for name, episode in episodes()])
def test_a_press_is_exactly_one_press(mosquitto: OwnMosquitto, episode: Episode) -> None:
    with Replay(mosquitto.address, episode) as replay:
        pressed = replay.run()
    assert are_right(pressed, expected(episode)), f"{episode['why']}: {pressed}, not {expected(episode)}"
