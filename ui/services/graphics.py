"""What the machine draws with."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def has_graphics_processor() -> bool:
    """Whether a graphics processor likely does the drawing; in software, smooth edges cost four times as much."""
    if os.environ.get("SDL_VIDEODRIVER") == "offscreen":
        return False
    if not sys.platform.startswith("linux"):
        return True
    return any(Path("/dev/dri").glob("renderD*")) or Path("/dev/nvidia0").exists()
