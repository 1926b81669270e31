from collections.abc import Iterator

import pytest

from firmware_bridge.errors import FirmwareUnavailable
from firmware_bridge.firmware.avr import AvrBuild, build
from firmware_bridge.firmware.unix_board import interpreter
from firmware_bridge.mqtt.broker import Broker, start_broker


@pytest.fixture
def broker() -> Iterator[Broker]:
    broker = start_broker("own")
    yield broker
    broker.stop()


@pytest.fixture(scope="session")
def avr_build(tmp_path_factory: pytest.TempPathFactory) -> AvrBuild:
    try:
        return build(tmp_path_factory.mktemp("firmware"), "-Werror -Wno-error=array-bounds")
    except FirmwareUnavailable as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def micropython() -> str:
    try:
        return interpreter()
    except FirmwareUnavailable as error:
        pytest.skip(str(error))
