"""Whether this machine has anything to be heard with."""

from __future__ import annotations

import os
import sys
from pathlib import Path

CARDS = Path("/proc/asound/cards")
"""what Linux lists of sound cards"""
_NAMED = ("SDL_AUDIODRIVER", "PULSE_SERVER", "PIPEWIRE_REMOTE")
_SERVERS = ("pulse/native", "pipewire-0")
"""sockets of sound servers, in the folder of what runs for the user"""


def has_sound_device() -> bool:
    """Whether there is a sound card or a sound server; where nobody can tell, yes.

    On Linux that is a card that the kernel lists, or a server that is running or that the environment names.
    """
    if not sys.platform.startswith("linux") or any(os.environ.get(name) for name in _NAMED):
        return True
    running = os.environ.get("XDG_RUNTIME_DIR")
    if running and any((Path(running) / server).exists() for server in _SERVERS):
        return True
    try:
        return "no soundcards" not in CARDS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
