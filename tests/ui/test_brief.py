"""Messages in a few words: the cause stays, the place goes."""

from __future__ import annotations

import pytest

from ui.services.brief import brief

OPENED = "cannot be opened; is the camera on, and does the address, with its name and password, lead to pictures?"
FILE = "/home/anna/.local/share/roman-table-companion/boxes.toml"


@pytest.mark.parametrize(
    ("text", "longest", "told"),
    [
        ("paused (out of step)", 40, "paused (out of step)"),
        (f"paused (http://127.0.0.1:9993/: {OPENED})", 42, "paused (… cannot be opened …)"),
        (f"paused (http://127.0.0.1:9993/: {OPENED})", 64, "paused (… cannot be opened; is the camera on …)"),
        ("paused (/a b/c d e: holds no picture: a.png: is damaged)", 30, "paused (… a.png: is damaged)"),
        (f"boxes: {FILE}: byte 3: is not UTF-8 text; save the file as UTF-8", 42, "boxes: … is not UTF-8 text …"),
        (f"boxes: {FILE}: is no TOML (Invalid value (at line 1))", 42, "boxes: … is no TOML (Invalid value (at …"),
        ("waiting for pictures that never come", 16, "waiting for …"),
        ("Lichtverhältnisse", 16, "Lichtverhältnis…"),
        ("a rather long name of a box: lost", 16, "a rathe…ox: lost"),
    ],
)
def test_a_long_message_keeps_its_cause(text: str, longest: int, told: str) -> None:
    assert brief(text, longest) == told
    assert len(told) <= longest
