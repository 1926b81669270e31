"""Every reader of foreign bytes takes them or refuses them as it may: its whole inputs, damaged ones, and those that
once ended it otherwise (`tests/fuzzed/READER-...`, found by `python -m scripts.fuzzing`).
"""

from pathlib import Path
from random import Random

import pytest

from scripts.fuzzing.readers import READERS

FOUND = Path(__file__).parent / "fuzzed"
"""what a fuzzer once found; not there as long as it has found nothing"""


def refusal(name: str, data: bytes) -> str:
    """Why a reader refuses the bytes, "" where it takes them; an error that it may not raise gets through."""
    try:
        READERS[name].read(data)
    except READERS[name].refusals as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", READERS)
def test_a_whole_input_is_taken(name: str) -> None:
    assert any(refusal(name, data) == "" for data in READERS[name].seeds())


@pytest.mark.parametrize("name", READERS)
def test_damaged_input_is_taken_or_refused_in_one_line(name: str) -> None:
    random = Random(name)
    for data in READERS[name].seeds():
        for _ in range(12):
            damaged = bytearray(data)
            for _ in range(random.randrange(1, 6)):
                place = random.randrange(len(damaged))
                damaged[place : place + random.choice((0, 1, 4))] = random.randbytes(random.choice((0, 1, 1, 8)))
            kept = random.choice((len(damaged), random.randrange(len(damaged) + 1)))
            assert "\n" not in refusal(name, bytes(damaged[:kept]))


def test_what_once_ended_a_reader_is_refused(tmp_path: Path) -> None:
    (tmp_path / "toml-cut-off").write_bytes(next(iter(READERS["toml"].seeds()))[:15])
    for path in (*tmp_path.iterdir(), *sorted(FOUND.glob("*"))):
        name = next(name for name in sorted(READERS, key=len, reverse=True) if path.name.startswith(f"{name}-"))
        assert refusal(name, path.read_bytes()), path.name
