"""Mutants of functions, in processes forked after all tests were collected: only the function's code is exchanged.

Much quicker than importing everything anew, and as right where the mutated lines do not run before the tests do.
"""

from __future__ import annotations

import ast
import gc
import os
import tempfile
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from scripts.mutation.mutants import Mutant
from scripts.mutation.processes import Limits, Running, run_forked, start_forked
from scripts.mutation.selection import OPTIONS, CoverageMap
from scripts.mutation.trials import Effort, Result, run_trials

UNSETTLED = "unsettled"
_SERVER = Limits(processor_seconds=100_000, wall_seconds=100_000)
_ALONE = Limits(processor_seconds=300, wall_seconds=900)

Exchange = list[tuple[FunctionType, CodeType]]
CodeKey = tuple[str, int]


def run_exchanged(
    mutants: Iterable[Mutant], root: Path, found: CoverageMap, effort: Effort, report: Callable[[Result], None]
) -> None:
    """Run mutants of functions in a process of their own, which calls `report` with each result.

    A mutant that survives though its lines also run when tests are collected is UNSETTLED. Nothing is reported of
    mutants outside of functions and of those whose code cannot be exchanged.
    """
    inside = deque(mutant for mutant in mutants if mutant.in_function)
    files = sorted({test.partition("::")[0] for test in found.seconds})
    if not inside or not files:
        return

    def serve() -> None:
        server = _Server(inside, root, found, effort, report)
        code = pytest.main([*OPTIONS, "--capture=sys", *files], plugins=[server])
        if not server.is_through:
            raise RuntimeError(f"pytest ended with {code!r} before all mutants were tried")

    end, printed = run_forked(root, serve, _SERVER)
    if end != "ended":
        raise SystemExit(f"mutation: the process that holds the collected tests {end}\n{printed or ''}")


def functions_by_file() -> dict[str, list[FunctionType]]:
    """All functions of Python that are alive, by the file their code is from."""
    found: dict[str, list[FunctionType]] = defaultdict(list)
    gc.unfreeze()  # what the tests' own conftest.py froze would not be found
    for each in gc.get_objects():
        if isinstance(each, FunctionType):
            found[each.__code__.co_filename].append(each)
    return found


def exchange_for(source: str, tree: ast.Module, functions: Sequence[FunctionType]) -> Exchange:
    """Which of a module's live functions need other code for its changed tree, empty where that cannot be done."""
    old, new = _codes_of_source(source), _codes(compile(tree, "module", "exec", dont_inherit=True))
    changed = {key for key in old if key not in new or new[key] != old[key]}
    exchange: Exchange = []
    for function in functions:
        key = (function.__code__.co_qualname, function.__code__.co_firstlineno)
        if key not in changed:
            continue
        if len(new.get(key, ())) != 1 or new[key][0].co_freevars != function.__code__.co_freevars:
            return []
        exchange.append((function, new[key][0].replace(co_filename=function.__code__.co_filename)))
    return exchange


@cache
def _codes_of_source(source: str) -> dict[CodeKey, list[CodeType]]:
    return _codes(compile(source, "module", "exec", dont_inherit=True))


def _codes(code: CodeType) -> dict[CodeKey, list[CodeType]]:
    """The code of each function and class in a module's code, by qualified name and first line."""
    found: dict[CodeKey, list[CodeType]] = defaultdict(list)
    left = [code]
    while left:
        for constant in left.pop().co_consts:
            if isinstance(constant, CodeType):
                found[constant.co_qualname, constant.co_firstlineno].append(constant)
                left.append(constant)
    return found


class _Server:
    """A pytest plugin that takes the place of the loop over the tests: a forked process for each mutant."""

    def __init__(
        self, mutants: deque[Mutant], root: Path, found: CoverageMap, effort: Effort, report: Callable[[Result], None]
    ) -> None:
        self._mutants = mutants
        self._root = root
        self._found = found
        self._effort = effort
        self._report = report
        self._items: dict[str, pytest.Item] = {}
        self._exchanges: dict[str, Exchange] = {}
        self._sound: dict[str, bool] = {}
        self._failed = ""
        self._ran = 0
        self.is_through = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._items = {item.nodeid: item for item in session.items}
        for test in set(self._found.seconds) - set(self._items):
            del self._found.seconds[test]
        functions = functions_by_file()
        gc.freeze()
        sources = {path: (self._root / path).read_text("utf-8") for path in {mutant.path for mutant in self._mutants}}
        for mutant in self._mutants:
            source = sources[mutant.path]
            live = functions[str(self._root / mutant.path)]
            self._exchanges[mutant.identity] = exchange_for(source, mutant.tree(source), live)
        for result in run_trials(self._exchangeable(), self._found, self._found.select, self._launch, self._effort):
            if result.test in self._items and not self._passes_alone(result.test):
                self._found.seconds.pop(result.test, None)
                self._mutants.append(result.mutant)
            elif result.state == "survived" and self._found.collected_with(result.mutant):
                self._report(replace(result, state=UNSETTLED))
            else:
                self._report(result)
        self.is_through = True
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._ran += report.when == "call"
        if report.failed:
            self._failed = self._failed or report.nodeid

    def _exchangeable(self) -> Iterator[Mutant]:
        """The mutants left; a test that turned out to be unsound puts its mutant back to the end."""
        while self._mutants:
            mutant = self._mutants.popleft()
            if self._exchanges[mutant.identity]:
                yield mutant

    def _launch(self, mutant: Mutant, tests: Sequence[str], limits: Limits) -> Running:
        exchange = self._exchanges[mutant.identity]
        return start_forked(self._root, lambda: self._run(exchange, tests), limits)

    def _passes_alone(self, test: str) -> bool:
        """Whether a test that failed passes here without any mutant."""
        if test not in self._sound:
            end, value = run_forked(self._root, lambda: self._run([], [test]), _ALONE)
            self._sound[test] = end == "ended" and not value["failed"]
        return self._sound[test]

    def _run(self, exchange: Exchange, tests: Sequence[str]) -> dict[str, Any]:
        _own_folders()
        for function, code in exchange:
            function.__code__ = code
        for index, test in enumerate(tests):
            following = self._items[tests[index + 1]] if index + 1 < len(tests) else None
            item = self._items[test]
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            if self._failed:
                break
        return {"failed": self._failed, "ran": self._ran}


def _own_folders() -> None:
    """Give the process its own folder wherever the environment names a temporary one that all would share."""
    own = Path(tempfile.gettempdir())
    for name, value in list(os.environ.items()):
        if name != "TMPDIR" and "/mutation-" in value and Path(value).is_dir():
            (own / name).mkdir()
            os.environ[name] = str(own / name)
