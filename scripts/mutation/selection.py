"""Which tests can see a mutant: those that run its lines, as measured once for each file of tests."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from scripts.mutation.mutants import Mutant
from scripts.mutation.processes import Limits, run_forked

FIRST_COUNT = 200
FIRST_SECONDS = 6.0
_FURTHER_CASE = 0.01
"""Seconds that put a further case of the same test function behind other tests."""
_LIMITS = Limits(processor_seconds=1800, wall_seconds=3600)
# That a test fails is enough: no explanation of the values compared, no search for the smallest example.
hypothesis.settings.register_profile(
    "mutation", deadline=None, derandomize=True, phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate)
)
OPTIONS = (
    "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "faulthandler_timeout=0", "-o", "addopts=", "--no-header",
    "--import-mode=importlib", "--strict-markers", "--tb=no", "--assert=plain", "--hypothesis-profile=mutation",
)  # fmt: skip


@dataclass
class CoverageMap:
    """Of one area: the tests that run each line, what they take, the files of tests that import each module.

    `collecting` are the files of tests of which a line runs already when they are imported and collected. `seconds` are
    those of the processor, `waits` those by the clock when it was measured.
    """

    by_line: dict[str, dict[int, set[str]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(set)))
    collecting: dict[str, dict[int, set[str]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(set)))
    seconds: dict[str, float] = field(default_factory=dict)
    waits: dict[str, float] = field(default_factory=dict)
    importers: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    failing: dict[str, str] = field(default_factory=dict)

    def select(self, mutant: Mutant) -> tuple[list[str], list[str]]:
        """The tests to run first for a mutant and the others that might see it, each the quickest first.

        First are those that run its lines, or any line of the module's functions where it is outside of functions; at
        most FIRST_COUNT that take FIRST_SECONDS. The others are what is left of them, then all tests of their files,
        where what an earlier test left in a cache may hide who depends on the line; of a mutant outside of functions
        all tests of files that import the module.
        """
        lines = self.by_line.get(mutant.path, {})
        seeing = _at(lines, mutant) if mutant.in_function else set().union(*lines.values())
        files = {test.partition("::")[0] for test in seeing}
        if not mutant.in_function:
            files |= self.importers.get(mutant.path, set())
        return self._split(seeing, files)

    def select_collected(self, mutant: Mutant) -> tuple[list[str], list[str]]:
        """As `select`, but only of files of which the mutant's lines run already when they are collected."""
        files = self.collected_with(mutant)
        seeing = _at(self.by_line.get(mutant.path, {}), mutant)
        return self._split({test for test in seeing if test.partition("::")[0] in files}, files)

    def collected_with(self, mutant: Mutant) -> set[str]:
        """The files of tests of which a mutant's lines run when they are imported or collected."""
        return _at(self.collecting.get(mutant.path, {}), mutant)

    def _split(self, seeing: set[str], files: set[str]) -> tuple[list[str], list[str]]:
        ordered = self._ordered({test for test in seeing if test in self.seconds})
        others = self._ordered({test for test in self.seconds if test.partition("::")[0] in files} - set(ordered))
        first: list[str] = []
        spent = 0.0
        for test in ordered[:FIRST_COUNT]:
            spent += self.seconds[test]
            if first and spent > FIRST_SECONDS:
                break
            first.append(test)
        return first, ordered[len(first) :] + others

    def _ordered(self, tests: set[str]) -> list[str]:
        """Quick tests before slow ones; each further case of a test function counts as a little slower."""
        by_function: dict[str, list[str]] = defaultdict(list)
        for test in sorted(tests, key=lambda test: (self.seconds[test], test)):
            by_function[test.partition("[")[0]].append(test)
        costs = [
            (self.seconds[test] + _FURTHER_CASE * number, test)
            for cases in by_function.values()
            for number, test in enumerate(cases)
        ]
        return [test for _, test in sorted(costs)]


def _at(lines: dict[int, set[str]], mutant: Mutant) -> set[str]:
    return set().union(*(lines.get(line, set()) for line in range(mutant.lines[0], mutant.lines[1] + 1)))


def measure(root: Path, folder: Path, sources: Sequence[str], tests: Sequence[str], marks: str) -> CoverageMap:
    """The coverage map of these sources by these files of tests; what did not change is read from `folder`.

    Files of tests of which one fails are measured again each time: what it fails for may lie outside these sources.
    """
    folder.mkdir(parents=True, exist_ok=True)
    surroundings = _digest(root, [*sources, *_shared_test_files(root)], marks, str(root))
    found = CoverageMap()
    for test in tests:
        beside = [str(path.relative_to(root)) for path in _data_beside(root / test)]
        key = _digest(root, [test, *beside], surroundings)
        name = test.removesuffix(".py").replace("/", "-")
        data, times = folder / f"{name}.coverage", folder / f"{name}.json"
        if not times.exists() or json.loads(times.read_text()).get("key") != key:
            print(f"  measuring {test}", file=sys.stderr, flush=True)
            data.unlink(missing_ok=True)
            end, printed = run_forked(root, _measuring(root, test, sources, marks, data, times, key), _LIMITS)
            if end != "ended":
                raise SystemExit(f"mutation: {test}: measuring it {end}\n{printed or ''}")
        _add(found, root, sources, data, json.loads(times.read_text()), test)
    if not any(found.by_line.values()):
        raise SystemExit("mutation: no test runs a line of these sources")
    return found


def _measuring(root: Path, test: str, sources: Sequence[str], marks: str, data: Path, times: Path, key: str) -> Any:
    def run() -> None:
        import coverage  # noqa: PLC0415 - only in the process that measures

        cover = coverage.Coverage(
            data_file=str(data), include=[str(root / path) for path in sources], config_file=False, messages=False
        )
        timer = _Timer(cover)
        cover.start()
        code = pytest.main([*OPTIONS, "-m", marks, test], plugins=[timer])
        cover.stop()
        cover.save()
        if code not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED}:
            raise RuntimeError(f"pytest ended with {code!r}")
        times.write_text(
            json.dumps(
                {
                    "key": "" if timer.failing else key,
                    "failing": timer.failing,
                    "seconds": timer.seconds,
                    "waits": timer.waits,
                }
            )
        )

    return run


class _Timer:
    """A pytest plugin: names each test to coverage and takes its time, set-up and teardown included."""

    def __init__(self, cover: Any) -> None:
        self._cover = cover
        self.seconds: dict[str, float] = {}
        self.waits: dict[str, float] = {}
        self.failing: dict[str, str] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        self._cover.switch_context(item.nodeid)
        begun, processor = time.monotonic(), time.process_time()
        try:
            return (yield)
        finally:
            self._cover.switch_context("")
            self.waits[item.nodeid] = round(time.monotonic() - begun, 4)
            self.seconds[item.nodeid] = round(time.process_time() - processor, 4)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            self.failing[report.nodeid] = (crash.message if crash else str(report.longrepr)).partition("\n")[0]


def _add(found: CoverageMap, root: Path, sources: Iterable[str], data: Path, times: Any, test: str) -> None:
    found.failing |= times["failing"]
    found.waits |= times["waits"]
    found.seconds |= {name: value for name, value in times["seconds"].items() if name not in times["failing"]}
    if not data.exists():
        return
    import coverage  # noqa: PLC0415 - what only runs mutants does without

    stored = coverage.CoverageData(str(data))
    stored.read()
    for path in sources:
        by_line = stored.contexts_by_lineno(str(root / path))
        if by_line:
            found.importers[path].add(test)
        for line, contexts in by_line.items():
            found.by_line[path][line].update(context for context in contexts if context)
            if "" in contexts:
                found.collecting[path][line].add(test)
    stored.close()


def _data_beside(test: Path) -> list[Path]:
    """What a file of tests may read: everything that is no Python in its folder and below."""
    return sorted(path for path in test.parent.rglob("*") if path.is_file() and path.suffix not in {".py", ".pyc"})


def _shared_test_files(root: Path) -> list[str]:
    files = (path for path in (root / "tests").rglob("*.py") if not path.name.startswith("test_"))
    return [str(path.relative_to(root)) for path in sorted(files)]


def _digest(root: Path, paths: Iterable[str], *words: str) -> str:
    digest = hashlib.sha256(os.linesep.join(words).encode())
    for path in paths:
        digest.update(path.encode() + b"\0" + hashlib.sha256((root / path).read_bytes()).digest())
    return digest.hexdigest()
