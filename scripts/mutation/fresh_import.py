"""Any mutant, in a process that imports the project anew and gets the mutated module: right for all, but slow."""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pytest

from scripts.mutation.mutants import Mutant
from scripts.mutation.processes import Limits, Running, start_forked
from scripts.mutation.selection import OPTIONS
from scripts.mutation.trials import Launch


class MutatedLoader(importlib.machinery.SourceFileLoader):
    """Loads a module from a changed syntax tree; the file stays as it is."""

    def __init__(self, name: str, path: str, tree: ast.Module) -> None:
        super().__init__(name, path)
        self._tree = tree

    def get_code(self, fullname: str) -> CodeType:
        """The code of the changed tree, never what is cached of the file."""
        return compile(self._tree, self.get_filename(fullname), "exec", dont_inherit=True)


class MutatedFinder(importlib.abc.MetaPathFinder):
    """Finds one module, whose file is `path`, with its changed tree; others are found as ever."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        self._loader = MutatedLoader(name, str(path), tree)
        self._name = name

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The mutated module's specification; None leaves any other to the usual finders."""
        if fullname != self._name:
            return None
        return importlib.util.spec_from_file_location(fullname, self._loader.path, loader=self._loader)


def module_name(path: str) -> str:
    """The dotted name of a module by its path from the root."""
    parts = Path(path).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def fresh_import(root: Path) -> Launch:
    """Starts processes forked from this one, which must not have imported the project."""

    def launch(mutant: Mutant, tests: Sequence[str], limits: Limits) -> Running:
        source = (root / mutant.path).read_text(encoding="utf-8")
        return start_forked(root, lambda: run_tests(mutant, root, source, tests), limits)

    return launch


def run_tests(mutant: Mutant, root: Path, source: str, tests: Sequence[str]) -> dict[str, Any]:
    """Run these tests in this process on the mutated module, up to the first that fails: its name and how many ran."""
    sys.meta_path.insert(0, MutatedFinder(module_name(mutant.path), root / mutant.path, mutant.tree(source)))
    chosen = _Chosen(tests)
    files = dict.fromkeys(test.partition("::")[0] for test in tests)
    code = pytest.main([*OPTIONS, "-x", *files], plugins=[chosen])
    if code != pytest.ExitCode.OK and not chosen.failed:
        chosen.failed = "(no test was collected)" if code == pytest.ExitCode.NO_TESTS_COLLECTED else "(pytest itself)"
    return {"failed": chosen.failed, "ran": chosen.ran}


class _Chosen:
    """A pytest plugin: runs just these tests in this order, and keeps the name of the first that fails."""

    def __init__(self, tests: Sequence[str]) -> None:
        self._rank = {test: rank for rank, test in enumerate(tests)}
        self.failed = ""
        self.ran = 0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self._rank), key=lambda item: self._rank[item.nodeid]
        )

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.ran += report.when == "call"
        if report.failed:
            self.failed = self.failed or report.nodeid
