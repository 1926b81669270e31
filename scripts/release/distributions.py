"""The wheel and the source distribution: `python -m scripts.release.distributions [--out dist]`.

Both are built from a copy without anything that earlier builds left, for setuptools packs what it finds there.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
LEFT_OUT = ("*.egg-info", "*.mo", "*.pyc", "*.so", "__pycache__")
PARTS = (
    ".ci", ".gitignore", "CHANGELOG.md", "LICENSE", "MANIFEST.in", "Makefile", "README.md", "benchmarks", "calibration",
    "companion", "docs", "firmware_bridge", "pyproject.toml", "scripts", "tests", "ui", "vision",
)  # fmt: skip
"""what a clone has, by name: a folder also has builds, environments and whatever a person put there"""


def copy_project(source: Path, target: Path) -> Path:
    """Copy the project as a clone has it from one folder to another, which is made; gives `target`."""
    target.mkdir(parents=True)
    for name in PARTS:
        part = source / name
        if part.is_dir():
            shutil.copytree(part, target / name, ignore=shutil.ignore_patterns(*LEFT_OUT))
        else:
            shutil.copy(part, target / name)
    return target


def build_wheel(source: Path, out: Path) -> Path:
    """Build the wheel of a clean folder or a source distribution; gives its path.

    Raises CalledProcessError.
    """
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    before = set(out.glob("*.whl"))
    subprocess.run([*pip, "wheel", *options, "--wheel-dir", out, source], check=True)
    (wheel,) = set(out.glob("*.whl")) - before or before
    return wheel


def build_source(source: Path, out: Path) -> Path:
    """Build the source distribution of a clean folder; gives its path.

    Raises CalledProcessError.
    """
    code = "import sys; from setuptools import build_meta; print(build_meta.build_sdist(sys.argv[1]))"
    printed = subprocess.run(
        [sys.executable, "-c", code, out.resolve()], cwd=source, check=True, capture_output=True, text=True
    ).stdout
    return out / printed.split()[-1]


def main() -> int:
    """Build both."""
    parser = argparse.ArgumentParser(prog="scripts.release.distributions", description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="FOLDER")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        clean = copy_project(ROOT, Path(scratch) / "project")
        print(build_source(clean, out))
        print(build_wheel(clean, out))
    return 0


if __name__ == "__main__":
    sys.exit(main())
