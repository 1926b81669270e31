"""What is fuzzed: each reader with a few whole inputs to begin with, and the errors by which it may refuse bytes."""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.board.layout import Board, load_board
from companion.engine import GameRules
from companion.errors import InvalidDocument, NotationError, StoreError
from companion.event.entrants import read_entrants
from companion.event.log_text import read_event
from companion.files.documents import decode_text, parse_toml
from companion.position import parse_position
from companion.registry import GAMES, game_folder, load_game, print_and_play_board
from companion.session.record import read_record
from firmware_bridge.adapters.announced_buttons import read_announcement
from firmware_bridge.adapters.bridge_lists import bridge_devices
from firmware_bridge.adapters.record_files import load_adapter, shipped_adapters
from firmware_bridge.errors import InvalidBoxAddress, InvalidBrokerAddress
from firmware_bridge.mqtt.codec import parse
from firmware_bridge.presses.bindings import load_bindings
from firmware_bridge.protocol.addresses import BoxAddress, BrokerAddress
from firmware_bridge.serial.codec import Decoder
from scripts.release.distributions import ROOT
from ui.services.settings import load_settings
from vision.errors import InvalidPicture, InvalidProfile
from vision.location.camera_file import load_camera
from vision.pictures import decode_picture
from vision.printed.pieces.profile import load_profile, shipped_profile
from vision.spots.spot_profile import load_spot_profile

MARBLE = "city_of_marble"
RELEASES = ROOT / "tests" / "releases"


@dataclass(frozen=True, slots=True)
class Reader:
    """`read` takes bytes as somebody else may send them; `refusals` are the only errors it may raise."""

    read: Callable[[bytes], object]
    seeds: Callable[[], Iterator[bytes]]
    refusals: tuple[type[Exception], ...]
    longest: int = 4096
    """bytes of an input"""


@cache
def _scratch() -> Path:
    return Path(tempfile.mkdtemp(prefix="fuzzing-")) / "input"


def _of_file(load: Callable[[Path], object]) -> Callable[[bytes], object]:
    """A reader of files as one of bytes."""

    def read(data: bytes) -> object:
        _scratch().write_bytes(data)
        return load(_scratch())

    return read


def _of_text(load: Callable[[str], object]) -> Callable[[bytes], object]:
    return lambda data: load(decode_text(data, "input"))


def _released(*names: str) -> Callable[[], Iterator[bytes]]:
    """Files that the latest release wrote."""

    def seeds() -> Iterator[bytes]:
        with zipfile.ZipFile(max(RELEASES.glob("*.zip"))) as archive:
            yield from map(archive.read, names)

    return seeds


def _texts(*texts: str) -> Callable[[], Iterator[bytes]]:
    return lambda: iter([text.encode() for text in texts])


def _read_action(data: bytes) -> object:
    game_id = tuple(GAMES)[data[0] % len(GAMES)] if data else MARBLE
    game, state = _start(game_id)
    return game.parse_action(decode_text(data[1:], "input"), state)


@cache
def _start(game_id: str) -> tuple[GameRules[Any], Any]:
    return load_game(game_id), parse_position(f'game = "{game_id}"', "start").state


def _read_serial(data: bytes) -> object:
    decoder = Decoder()
    middle = len(data) // 2
    return [*decoder.feed(data[:middle]), *decoder.feed(data[middle:])]


def _read_publication(data: bytes) -> object:
    topic, _, payload = data.partition(b"\n")
    return parse(decode_text(topic, "topic"), payload)


def _read_bought_buttons(data: bytes) -> object:
    """A message in every way that a bought device's may be read."""
    topic, _, payload = data.partition(b"\n")
    name = decode_text(topic, "topic")
    found: list[object] = []
    for adapter in shipped_adapters():
        for reader in adapter.readers:
            found += [reader.read(name, payload), reader.battery_of(name, payload)]
    found += [read_announcement(name, payload), list(bridge_devices(name, payload))]
    return found


def _adapter_seeds() -> Iterator[bytes]:
    folder = ROOT / "firmware_bridge" / "adapters" / "adapter_records"
    yield from (path.read_bytes() for path in sorted(folder.glob("*.toml")))


def _board_seeds() -> Iterator[bytes]:
    yield from _released("data/boards/own.toml")()
    yield (game_folder("aqua_romana") / "layout.toml").read_bytes()


def _record_seeds() -> Iterator[bytes]:
    for data in _released(*(f"records/{name.replace('_', '-')}-part.jsonl" for name in GAMES))():
        header, *entries = data.decode().splitlines()
        document = json.loads(header) | {"entries": min(4, len(entries))}
        yield "\n".join((json.dumps(document), *entries[:4], "")).encode()


def _picture_seeds() -> Iterator[bytes]:
    picture = np.random.default_rng(1).integers(0, 255, (64, 72, 3), np.uint8)
    for ending in (".png", ".jpg", ".webp", ".bmp", ".tiff", ".hdr"):
        drawn = picture.astype(np.float32) if ending == ".hdr" else picture
        yield cv2.imencode(ending, drawn)[1].tobytes()


def _printed_profile_seeds() -> Iterator[bytes]:
    yield shipped_profile(print_and_play_board("capitol")).read_bytes()


def _own_board() -> Board:
    _scratch().write_bytes(next(_released("data/boards/own.toml")()))
    return load_board(_scratch())


def _read_spot_profile(data: bytes) -> object:
    board = _cached_board()
    return _of_file(lambda path: load_spot_profile(path, board))(data)


@cache
def _cached_board() -> Board:
    return _own_board()


DOCUMENT = (InvalidDocument, NotationError)
READERS: Mapping[str, Reader] = {
    "action": Reader(
        _read_action, _texts("\0ward G7-H7 blue", "\1white-4 3-round Palatine/3", "\2build C2 straight 0 by 38",
                             "\3play Innsbruck right"), DOCUMENT, 300,
    ),
    "position": Reader(
        _of_text(lambda text: parse_position(text, "input")),
        _texts('game = "city_of_marble"\nwards = ["E8-F8 red 1"]\n', 'game = "capitol"\n', 'game = "aqua_romana"\n',
               'game = "thurn_and_taxis"\nplayers = 3\n', '{"game": "city_of_marble", "stage": "over"}'), DOCUMENT,
    ),
    "record": Reader(
        _of_text(lambda text: read_record(text, "input")), _record_seeds,
        (*DOCUMENT, StoreError), 60_000,
    ),
    "event": Reader(
        _of_text(lambda text: read_event(text, "input")),
        _texts('{"event": 1, "id": "e", "created": "2026-11-30T19:30:00Z", "name": "E", "game": "capitol", '
               '"rounds": 1, "preferred": 2, "by_lot": 1, "tables": 1, "seed": "1", "seats": [2, 4]}\n'
               '{"number": 1, "time": "2026-11-30T19:30:00Z", "by": "", "kind": "joined", "player": 1, "name": "A"}\n'),
        DOCUMENT, 8000,
    ),
    "players": Reader(
        lambda data: read_entrants(data, "input"), _texts("Anna\nBea\n", 'name;club\n"Anna";Roma\n'), DOCUMENT, 2000
    ),
    "board": Reader(_of_file(load_board), _board_seeds, DOCUMENT, 30_000),
    "settings": Reader(_of_file(load_settings), _released("data/settings.toml"), DOCUMENT),
    "bindings": Reader(_of_file(load_bindings), _released("data/boxes.toml"), DOCUMENT),
    "adapter": Reader(_of_file(load_adapter), _adapter_seeds, DOCUMENT),
    "lens": Reader(_of_file(load_camera), _released("data/lens.toml"), DOCUMENT),
    "spot-profile": Reader(
        _read_spot_profile, _released("data/profiles/own.zip"), (InvalidProfile, InvalidDocument), 60_000
    ),
    "printed-profile": Reader(
        _of_file(lambda path: load_profile(path, print_and_play_board("capitol"))), _printed_profile_seeds,
        (InvalidProfile, InvalidDocument), 200_000,
    ),
    "picture": Reader(lambda data: decode_picture(data, "input"), _picture_seeds, (InvalidPicture,), 24_000),
    "serial": Reader(
        _read_serial, lambda: iter([b"B1+\nB1-\n", b"\0\x03\x01\x02\x03\0", b"hello 4 0011\n"]), (), 2000
    ),
    "publication": Reader(
        _read_publication,
        _texts('tabletop/blue/event/button_1\n{"event_type":"press","seq":17,"boot":"a3f1","oldest":17,"t_ms":1}',
               "tabletop/blue/state\nonline"), DOCUMENT, 2000,
    ),
    "bought-buttons": Reader(
        _read_bought_buttons,
        _texts('zigbee2mqtt/desk\n{"action":"single","battery":90}',
               'homeassistant/device_automation/0x1/action_single/config\n{"automation_type":"trigger","topic":"a/b"}'),
        DOCUMENT, 3000,
    ),
    "box-address": Reader(_of_text(BoxAddress.parse), _texts("mqtt:blue@2", "serial:/dev/ttyACM0#3"),
                          (InvalidBoxAddress, InvalidDocument), 300),
    "broker-address": Reader(
        _of_text(BrokerAddress.parse), _texts("mqtts://table:p%40ss@[fd00::2]:8883?ca=/a", "192.168.1.5"),
        (InvalidBrokerAddress, InvalidDocument), 300,
    ),
    "toml": Reader(
        _of_text(lambda text: parse_toml(text, "input")), _texts("a = [1, {b = 2}]\n[c.d]\ne = 1.5"), DOCUMENT
    ),
}  # fmt: skip
