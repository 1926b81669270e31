"""Tries what is handed out as the people who get it do: `python -m scripts.release.check` (root, for fresh systems).

The wheel and the source distribution are installed into an empty environment of each Python there is; the Debian
package into a fresh Debian 12 and 13 (debootstrap, kept in build/systems). There the commands, a demo and the app's
window are started by an ordinary user, and the package is removed again. `--part demo` follows README's
`make demo` there, `--part tests` also `make test`, without a network. Prints a table; ends with 1 if anything failed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from scripts.release import debian_package
from scripts.release.distributions import ROOT, build_source, build_wheel, copy_project
from scripts.release.fresh_system import SUITES, FreshSystem, StepFailed, run

QUESTION = r'game = "city_of_marble"\nwards = ["E8-F8 red 1"]\n'
"""a position, as printf writes it"""
ANSWER = "COM-WARD-3"
"""the rule that the action asked about breaks"""
PARTS = ("distributions", "package", "demo", "tests")
LARGEST_LOG = 2000
"""characters of what a program printed that are shown where it fails"""


@dataclass(frozen=True, slots=True)
class Result:
    """One thing tried: where, what, how many seconds it took, and "" or how it failed."""

    where: str
    what: str
    seconds: float
    failure: str = ""


class Trial:
    """What was tried so far; each result is printed as it comes."""

    def __init__(self) -> None:
        self.results: list[Result] = []

    def attempt(self, where: str, what: str, step: Callable[[], object]) -> bool:
        """Do a step; False if it failed, which is noted."""
        begin = time.monotonic()
        failure = ""
        try:
            step()
        except (StepFailed, AssertionError, OSError) as error:
            failure = str(error)[-LARGEST_LOG:]
        self.results.append(Result(where, what, time.monotonic() - begin, failure))
        print(f"{where:22} {what:62} {self.results[-1].seconds:7.1f} s  {'FAILED' if failure else 'ok'}", flush=True)
        if failure:
            print("    " + failure.replace("\n", "\n    "), flush=True)
        return not failure


def interpreters() -> Iterator[tuple[str, Path]]:
    """The supported versions of Python that this machine has: version and program."""
    supported = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["classifiers"]
    versions = [line.rpartition(" ")[2] for line in supported if line.startswith("Programming Language :: Python :: ")]
    folders = [Path(entry) for entry in os.environ.get("PATH", "").split(":") if entry]
    folders += sorted(Path.home().glob(".pyenv/versions/*/bin"))
    for version in versions:
        programs = (folder / f"python{version}" for folder in folders)
        if (program := next(filter(_starts, programs), None)) is not None:
            yield version, program


def _starts(program: Path) -> bool:
    if not program.exists():
        return False
    return subprocess.run([program, "-c", ""], capture_output=True, check=False).returncode == 0


def try_distributions(trial: Trial, scratch: Path) -> None:
    """Build wheel and source distribution, from a clone and from one another, and install the wheel everywhere."""
    clean = copy_project(ROOT, scratch / "clone")
    built: dict[str, Path] = {}
    for name, build in (("source distribution", build_source), ("wheel", build_wheel)):
        (scratch / name).mkdir()
        trial.attempt("clone", f"{name} builds", lambda b=build, n=name: built.update({n: b(clean, scratch / n)}))
    for platform in ("darwin", "win32"):
        types = [sys.executable, "-m", "mypy", "--platform", platform, "--cache-dir", scratch / f"types-{platform}"]
        trial.attempt("clone", f"types hold on {platform}", lambda words=types: run(words, cwd=ROOT))
    if len(built) < 2:
        return
    (scratch / "again").mkdir()
    again = scratch / "again"
    trial.attempt("source distribution", "wheel builds", lambda: build_wheel(built["source distribution"], again))
    question = scratch / "question.toml"
    question.write_text(QUESTION.replace(r"\n", "\n"), encoding="utf-8")
    for version, program in interpreters():
        home = scratch / f"python{version}"
        where = f"wheel, Python {version}"
        if trial.attempt(
            where, "installs into an empty environment", lambda h=home, p=program: _install(h, p, built["wheel"])
        ):
            companion = home / "bin" / "companion"
            trial.attempt(where, "says its version", lambda c=companion: _has_version(run([c, "--version"])))
            judge = [companion, "judge", question, "ward G7-H7 blue"]
            trial.attempt(where, "names the rule that an action breaks", lambda j=judge: _has_rule(run(j, wanted=1)))
            demo = [
                companion,
                "demo",
                "--headless",
                "--no-camera",
                "--actions",
                "3",
                "--out",
                scratch / f"demo{version}",
            ]
            trial.attempt(where, "plays a demo by touch and boxes", lambda d=demo: run(d, cwd=scratch))
            trial.attempt(where, "is removed without a rest", lambda h=home: _remove(h))


def _install(home: Path, program: Path, wheel: Path) -> None:
    run([program, "-m", "venv", home])
    run([home / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel])
    run([home / "bin" / "python", "-m", "pip", "check"])


def _has_version(said: str) -> None:
    assert debian_package.project_version() in said, said


def _has_rule(said: str) -> None:
    assert ANSWER in said, said


def _remove(home: Path) -> None:
    run([home / "bin" / "python", "-m", "pip", "uninstall", "--yes", "--quiet", debian_package.NAME])
    (packages,) = home.glob("lib/python*/site-packages")
    left = [
        name for name in ("companion", "vision", "ui", "calibration", "firmware_bridge") if (packages / name).exists()
    ]
    assert not left, f"left behind: {', '.join(left)}"


def try_debian_package(trial: Trial, suite: str, out: Path) -> None:
    """Install the package into a fresh system, start what it brings as an ordinary user, and remove it."""
    where = f"Debian {SUITES[suite].name}"
    packages: list[Path] = []
    python = SUITES[suite].python
    if not trial.attempt(where, "package builds", lambda: packages.append(debian_package.build(python, "x86_64", out))):
        return
    with _fresh_system(trial, where, suite) as system:
        if system is None:
            return
        before = system.files()
        if not trial.attempt(where, "package installs, with what it depends on", lambda: system.install(packages[0])):
            return
        trial.attempt(where, "says its version", lambda: _has_version(system.as_user("companion --version")))
        judge = f"printf '{QUESTION}' > question.toml; companion judge question.toml 'ward G7-H7 blue'"
        trial.attempt(where, "names the rule that an action breaks", lambda: _has_rule(system.as_user(judge, wanted=1)))
        demo = "companion demo --headless --actions 4 --out demo"
        trial.attempt(where, "plays a demo with camera and boxes, as an ordinary user", lambda: system.as_user(demo))
        trial.attempt(where, "opens its window on a display", lambda: system.window("companion"))
        trial.attempt(where, "has a valid desktop entry, unit and udev rules", system.verify_system_files)
        trial.attempt(
            where,
            "works without a network",
            lambda: system.as_user(demo.replace("demo --h", "demo --fresh --h"), network=False),
        )
        trial.attempt(where, "is removed without a rest", lambda: system.remove(debian_package.NAME, before))


def try_bare_system(trial: Trial, suite: str, *, with_tests: bool) -> None:
    """Follow README in a fresh system: `make demo` as root and as a user, then `make test` without a network."""
    where = f"Debian {SUITES[suite].name}, bare"
    with _fresh_system(trial, where, suite) as system:
        if system is None:
            return
        system.copy_clone(copy_project)
        told = "sudo apt-get install"
        trial.attempt(
            where, "make demo by a user who may install nothing names what is missing", lambda: _told(system, told)
        )
        demo = 'make demo DEMO_ARGS="--headless --actions 4"'
        if not trial.attempt(
            where, "make demo as root, from nothing", lambda: system.as_root(f"cd /srv/project && {demo}")
        ):
            return
        if with_tests:
            trial.attempt(where, "make toolchain as root", lambda: system.as_root("cd /srv/project && make toolchain"))
        system.as_root("rm -rf /srv/project/out; chown -R guest: /srv/project")
        trial.attempt(where, "make demo by that user afterwards", lambda: system.as_user(f"cd /srv/project && {demo}"))
        offline = partial(system.as_user, f"cd /srv/project && rm -rf out && {demo}", network=False)
        trial.attempt(where, "make demo by that user, without a network", offline)
        if with_tests:
            tests = partial(system.as_user, "cd /srv/project && make test", network=False)
            trial.attempt(where, "make test by that user, without a network", tests)


def _told(system: FreshSystem, wanted: str) -> None:
    said = system.as_user("cd /srv/project && make demo", wanted=2)
    assert wanted in said, said


@contextmanager
def _fresh_system(trial: Trial, where: str, suite: str) -> Iterator[FreshSystem | None]:
    system = FreshSystem(suite, ROOT / "build" / "systems")
    if not trial.attempt(where, "a fresh system is made", system.make):
        yield None
        return
    try:
        yield system
    finally:
        system.discard()


def main() -> int:
    """Try what the arguments name."""
    parser = argparse.ArgumentParser(prog="scripts.release.check", description=__doc__.splitlines()[0])
    parser.add_argument("--suite", action="append", choices=sorted(SUITES), help="only this Debian; may be repeated")
    parser.add_argument(
        "--part", action="append", choices=PARTS, help="only this part; may be repeated; else the first two"
    )
    arguments = parser.parse_args()
    if os.geteuid() != 0:
        print(
            "fresh systems are made with debootstrap and chroot, which need root: sudo make release-check",
            file=sys.stderr,
        )
        return 1
    trial = Trial()
    suites = arguments.suite or sorted(SUITES)
    parts = arguments.part or PARTS[:2]
    with tempfile.TemporaryDirectory() as scratch:
        if "distributions" in parts:
            try_distributions(trial, Path(scratch))
        for suite in suites:
            if "package" in parts:
                try_debian_package(trial, suite, Path(scratch))
            if "demo" in parts or "tests" in parts:
                try_bare_system(trial, suite, with_tests="tests" in parts)
    failed = sum(bool(result.failure) for result in trial.results)
    print(f"{len(trial.results) - failed} of {len(trial.results)} passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
