"""What keeps the shape of the project: who may import whom, what is never called, how long a module may grow."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from scripts.packages import PACKAGES

ROOT = Path(__file__).resolve().parent.parent
LONGEST_MODULE = 500

# Words that say nothing about what a thing does. "process" is one only where it stands alone.
BANNED_WORDS = {"data2", "entity", "handler", "helper", "helpers", "manager", "util", "utils"}
HIGHGUI = {
    *("createTrackbar", "destroyAllWindows", "destroyWindow", "displayOverlay", "getWindowProperty", "imshow"),
    *("moveWindow", "namedWindow", "pollKey", "resizeWindow", "selectROI", "selectROIs", "setMouseCallback"),
    *("setWindowProperty", "setWindowTitle", "startWindowThread", "waitKey", "waitKeyEx"),
}


def sources(*folders: str, suffix: str = ".py") -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob(f"*{suffix}"))


def place(path: Path, node: ast.AST | None = None) -> str:
    where = path.relative_to(ROOT).as_posix()
    return where if node is None else f"{where}:{node.lineno}"


@cache
def syntax(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))))


def imported_names(path: Path) -> Iterator[tuple[ast.AST, str]]:
    for node in syntax(path):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node, node.module or ""


def words(name: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+\d*|\d+", name)]


def test_import_contracts_hold() -> None:
    # In a process of its own: it configures logging and so silences every logger that is there already.
    command = "import sys; from importlinter import cli; sys.exit(cli.lint_imports(no_cache=True))"
    linted = subprocess.run([sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert linted.returncode == 0, linted.stdout + linted.stderr


def test_the_kernel_imports_only_the_standard_library_and_itself() -> None:
    allowed = sys.stdlib_module_names | {"companion"}
    strangers = [
        f"{place(path, node)} imports {name}"
        for path in sources("companion")
        for node, name in imported_names(path)
        if name.partition(".")[0] not in allowed
    ]
    assert not strangers


@pytest.mark.parametrize("module", ["companion", "ui.command_line", "ui.table.presenter"])
def test_starting_imports_no_heavy_package(module: str) -> None:
    heavy = "{'alembic', 'cv2', 'iotcore', 'kivy', 'numpy', 'paho', 'pypdfium2', 'reportlab', 'serial', 'sqlalchemy'}"
    code = f"import sys, {module}; print(*sorted({heavy} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout.split(), run.stderr) == (0, [], "")


def test_every_folder_with_modules_is_a_package() -> None:
    folders = {path.parent for path in sources(*PACKAGES, "tests")}
    assert sorted(place(folder) for folder in folders if not (folder / "__init__.py").is_file()) == []


def test_no_module_is_longer_than_the_alarm() -> None:
    everything = sources(*PACKAGES, "tests", "benchmarks", "scripts") + sources("ui", suffix=".kv")
    lengths = {place(path): len(path.read_text(encoding="utf-8").splitlines()) for path in everything}
    assert {name: length for name, length in lengths.items() if length > LONGEST_MODULE} == {}


def test_opencv_opens_no_window() -> None:
    calls = [
        f"{place(path, node)} uses {name}"
        for path in sources(*PACKAGES, "benchmarks")
        for node in syntax(path)
        if (name := getattr(node, "attr", getattr(node, "name", None))) in HIGHGUI
    ]
    assert not calls


def test_names_say_what_things_do() -> None:
    named = [(place(path), path.stem) for path in sources(*PACKAGES, "tests", "benchmarks")]
    named += [
        (place(path, node), node.name)
        for path in sources(*PACKAGES, "benchmarks")
        for node in syntax(path)
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert [f"{where} {name}" for where, name in named if BANNED_WORDS & set(words(name)) or name == "process"] == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [("GameManager", ["game", "manager"]), ("MQTTHandler", ["mqtt", "handler"]), ("_read_data2", ["read", "data2"])],
)
def test_words_of_a_name(name: str, expected: list[str]) -> None:
    assert words(name) == expected
