"""Fuzz one reader until its time is over: `python -m scripts.fuzzing.one READER FOLDER [libFuzzer options]`.

Started by `python -m scripts.fuzzing`; needs atheris.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["companion", "vision", "firmware_bridge", "ui"]):
    from scripts.fuzzing.readers import READERS


def main() -> None:
    """Fuzz the reader that the arguments name; an error that it may not raise ends the process and leaves the input."""
    name, *options = sys.argv[1:]
    reader = READERS[name]

    def take(data: bytes) -> None:
        try:
            reader.read(data)
        except reader.refusals:
            return

    atheris.Setup([sys.argv[0], *options], take)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
