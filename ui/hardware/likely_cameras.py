"""Cameras that this machine is likely to have: stable addresses, names, and what tells one from another.

Nothing is opened. Numbers of cameras change with the order in which they are plugged in; links by name and serial
number, or else by USB port, do not.
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

from companion.frozen import FrozenDict
from ui.services.settings import Settings

VIDEO_DEVICES = Path("/sys/class/video4linux")
STABLE_LINKS = Path("/dev/v4l")
GUESSED = ("0", "1")
"""addresses to offer if the system does not list its cameras"""
MOST_LAGS = 20
"""cameras of which the lag is kept"""
_NUMBER = re.compile(r"(?:/dev/video)?(\d+)")


def likely_cameras(devices: Path = VIDEO_DEVICES, links: Path = STABLE_LINKS) -> list[tuple[str, str]]:
    """Address and name of each camera; only its first device node, the others give no pictures."""
    if not sys.platform.startswith("linux"):
        return [(address, "") for address in GUESSED]
    found = []
    for folder in devices.glob("video*"):
        number = re.fullmatch(r"video(\d+)", folder.name)
        if number is not None and _line(folder / "index") in ("", "0"):
            found.append((int(number[1]), _line(folder / "name").partition(":")[0]))
    return [(stable_address(str(number), links), name) for number, name in sorted(found)]


def stable_address(address: str, links: Path = STABLE_LINKS) -> str:
    """The address under which a camera's number or device is found again after it was plugged in anew.

    Its link by name and serial number, else the one by USB port, else the address itself.
    """
    number = _NUMBER.fullmatch(address)
    if number is None:
        return address
    for kind in ("by-id", "by-path"):
        for link in sorted((links / kind).glob("*")):
            if link.is_symlink() and link.resolve().name == f"video{number[1]}":
                return str(link)
    return address


def identity_of(address: str, devices: Path = VIDEO_DEVICES) -> str:
    """What a camera is: its name, its maker's and model's number, and its serial number or, without one, its USB port.

    "" for what is no camera of this machine, or is not plugged in.
    """
    number = _NUMBER.fullmatch(address)
    node = f"video{number[1]}" if number is not None else Path(address).resolve().name if "://" not in address else ""
    folder = devices / node
    if not re.fullmatch(r"video\d+", node) or not folder.is_dir():
        return ""
    usb = (folder / "device").resolve().parent
    model = ":".join(filter(None, (_line(usb / "idVendor"), _line(usb / "idProduct"))))
    serial = _line(usb / "serial")
    where = f"serial {serial}" if serial else f"at {usb.name}" if model else ""
    return " ".join(filter(None, (_line(folder / "name").partition(":")[0], model, where)))


def kept_lag(settings: Settings, address: str) -> float:
    """The lag (seconds) that was measured of the camera at an address; 0 where none was."""
    return settings.camera_lags.get(_name_of(address), 0.0)


def with_lag(settings: Settings, address: str, seconds: float) -> Settings:
    """The settings with the lag that was measured of the camera at an address, and those of the latest others."""
    name = _name_of(address)
    others = [(other, lag) for other, lag in settings.camera_lags.items() if other != name]
    latest = dict([*others[1 - MOST_LAGS :], (name, round(seconds, 3))])
    return replace(settings, camera_lags=FrozenDict(latest))


def _name_of(address: str) -> str:
    return identity_of(address) or stable_address(address)


def _line(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return "".join(character for character in text.strip()[:60] if character.isprintable())
