"""Fuzz readers one after another: `python -m scripts.fuzzing [READER ...] [--minutes 5] [--folder build/fuzzing]`.

What led further is kept in the folder, so that a further run goes on there. Prints how many inputs were tried and which
ended a reader otherwise than it may; these lie in the folder as `READER-crash-...`, to become tests. Needs atheris, the
extra `fuzzing`.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from scripts.fuzzing.readers import READERS
from scripts.release.distributions import ROOT

SECONDS, MEGABYTES = 20, 2048
"""what one input may take"""


def fuzz(name: str, folder: Path, minutes: float, seed: int) -> bool:
    """Fuzz a reader, and print a line; whether every input was taken or refused as it may be."""
    corpus = folder / name
    corpus.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(READERS[name].seeds()):
        (corpus / f"seed-{number}").write_bytes(data)
    done = subprocess.run(
        [
            sys.executable, "-m", "scripts.fuzzing.one", name, corpus, f"-max_total_time={int(60 * minutes)}",
            f"-timeout={SECONDS}", f"-rss_limit_mb={MEGABYTES}", f"-max_len={READERS[name].longest}", f"-seed={seed}",
            f"-artifact_prefix={corpus}-", "-print_final_stats=1", "-verbosity=1",
        ],
        cwd=ROOT, capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    tried = re.search(r"number_of_executed_units: (\d+)", done.stderr)
    covered = re.findall(r"cov: (\d+)", done.stderr)
    crash = re.search(r"Test unit written to (\S+)", done.stderr)
    found = f"FOUND {crash[1]}" if crash else "fine" if done.returncode == 0 else f"ended with {done.returncode}"
    count, reached = tried[1] if tried else "?", covered[-1] if covered else "?"
    print(
        f"{name:16} {count:>9} inputs  {reached:>6} branches  {len(list(corpus.iterdir())):>5} kept  {found}",
        flush=True,
    )
    if found != "fine":
        print("    " + "\n    ".join((done.stdout + done.stderr)[-1500:].splitlines()))
    return found == "fine"


def main() -> int:
    """Fuzz the readers that the arguments name, or all."""
    parser = argparse.ArgumentParser(prog="scripts.fuzzing", description=__doc__.splitlines()[0])
    parser.add_argument("readers", nargs="*", metavar="READER", help=f"of {', '.join(READERS)}; all without")
    parser.add_argument("--minutes", type=float, default=5.0, help="for each reader (5; all readers then take 85)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "fuzzing")
    arguments = parser.parse_args()
    if unknown := set(arguments.readers) - set(READERS):
        parser.error(f"no reader is called {min(unknown)!r}")
    if find_spec("atheris") is None:
        print("atheris is missing: .venv/bin/python -m pip install -e '.[fuzzing]'", file=sys.stderr)
        return 1
    results = [fuzz(name, arguments.folder, arguments.minutes, arguments.seed) for name in arguments.readers or READERS]
    print(f"{sum(results)} of {len(results)} readers took or refused everything")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
