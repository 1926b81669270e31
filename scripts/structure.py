"""The structure of the project in numbers: `python -m scripts.structure [COMMIT ...]`, a column for each commit.

Without a commit the files of the working tree are counted. A room is a folder with modules; tests, scripts and
benchmarks are left out. Imports are counted wherever they stand, those for type checking and within functions included.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from scripts.packages import PACKAGES, ROOT

OVERUSED = ("tell", "tells", "told", "beside", "place", "stand", "stands", "sight", "so many", "of which")
"""words that used to mean several things each in docstrings and comments"""
LONG, VERY_LONG = 45, 60
"""lines of a function"""
LISTED = 5
"""how many of the largest rooms and longest functions are listed"""


@dataclass(frozen=True)
class Module:
    """One source file: its dotted name, its text and its syntax tree."""

    name: str
    text: str
    tree: ast.Module
    is_package: bool

    @property
    def room(self) -> str:
        """The package that the module is in."""
        return self.name if self.is_package else self.name.rpartition(".")[0]


def sources(commit: str | None) -> Iterator[tuple[PurePosixPath, str]]:
    """Path and text of each Python file of the packages, in the working tree or at a commit.

    Raises CalledProcessError if git does not know the commit.
    """
    if commit is None:
        for package in PACKAGES:
            for path in sorted((ROOT / package).rglob("*.py")):
                yield PurePosixPath(path.relative_to(ROOT).as_posix()), path.read_text(encoding="utf-8")
        return
    packed = subprocess.run(
        ["git", "archive", "--format=tar", commit, "--", *PACKAGES], cwd=ROOT, capture_output=True, check=True
    )  # fmt: skip
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        for member in archive:
            data = archive.extractfile(member)
            if data is not None and member.name.endswith(".py"):
                yield PurePosixPath(member.name), data.read().decode("utf-8")


def modules(files: Iterable[tuple[PurePosixPath, str]]) -> dict[str, Module]:
    """Dotted name -> module; firmware, which runs under another Python, is left out."""
    found = {}
    for path, text in files:
        if path.parts[:2] == ("firmware_bridge", "firmware"):
            continue
        is_package = path.name == "__init__.py"
        name = ".".join(path.parent.parts if is_package else (*path.parent.parts, path.stem))
        found[name] = Module(name, text, ast.parse(text, str(path)), is_package)
    return found


def imports(known: Mapping[str, Module]) -> dict[str, set[str]]:
    """Module -> the modules of the project that it imports."""
    found: dict[str, set[str]] = {}
    for module in known.values():
        names: set[str] = set()
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    names.add(inner if inner in known else node.module)
        found[module.name] = {name for name in names if name in known and name != module.name}
    return found


def circles(arrows: Mapping[str, set[str]]) -> list[list[str]]:
    """The groups of two or more names that reach each other (strongly connected components)."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        todo = [start]
        while todo:
            for name in arrows.get(todo.pop(), ()):
                if name not in seen:
                    seen.add(name)
                    todo.append(name)
        return seen

    reach = {name: reached(name) for name in arrows}
    groups = {
        tuple(sorted(other for other in reach[name] if name in reach.get(other, ())))
        for name in arrows
        if name in reach[name]
    }
    return sorted(list(group) for group in groups if len(group) > 1)


def functions(known: Mapping[str, Module]) -> list[tuple[int, str]]:
    """(lines, module.function) of each function, the longest first."""
    found = [
        (node.end_lineno - node.lineno + 1, f"{module.name}.{node.name}")
        for module in known.values()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None
    ]
    return sorted(found, reverse=True)


def class_names(known: Mapping[str, Module]) -> Counter[str]:
    """How many modules outside the games define a class of this name.

    Games are left out: that each has its own `State` or `Players` is how they plug in.
    """
    found: Counter[str] = Counter()
    for module in known.values():
        if module.name.startswith(("companion.games.", "ui.simulated_table.players.")):
            continue
        found.update({node.name for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef)})
    return found


def prose(known: Mapping[str, Module]) -> str:
    """All docstrings, comments and sentences below constants, in lower case."""
    found = []
    for module in known.values():
        found += re.findall(r"#\s(.*)", module.text)
        for node in ast.walk(module.tree):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                found.append(node.value.value)
    return "\n".join(found).lower()


def report(commit: str | None) -> dict[str, str]:
    """What is counted -> its value."""
    known = modules(sources(commit))
    arrows = imports(known)
    rooms: dict[str, list[str]] = defaultdict(list)
    for module in known.values():
        if not module.is_package:
            rooms[module.room].append(module.name)
    between: dict[str, set[str]] = defaultdict(set)
    for name, targets in arrows.items():
        room = known[name].room
        between[room] |= {known[target].room for target in targets} - {room}
    largest = sorted(rooms, key=lambda room: (-len(rooms[room]), room))[:LISTED]
    lengths = functions(known)
    twice = sorted(name for name, count in class_names(known).items() if count > 1)
    words = prose(known)
    overused = {word: len(re.findall(rf"\b{word}\b", words)) for word in OVERUSED}
    return {
        "modules": str(sum(map(len, rooms.values()))),
        "rooms": str(len(rooms)),
        "largest rooms": ", ".join(f"{room} {len(rooms[room])}" for room in largest),
        "modules loose in ui": str(len(rooms["ui"])),
        "modules loose in companion": str(len(rooms["companion"])),
        "imports between modules": str(sum(map(len, arrows.values()))),
        "arrows between rooms": str(sum(map(len, between.values()))),
        "circles of modules": "; ".join(" <-> ".join(circle) for circle in circles(arrows)) or "none",
        "rooms in circles": str(sum(map(len, circles(between)))),
        f"functions over {VERY_LONG} lines": str(sum(length > VERY_LONG for length, _ in lengths)),
        f"functions over {LONG} lines": str(sum(length > LONG for length, _ in lengths)),
        "longest functions": ", ".join(f"{name.rpartition('.')[2]} {length}" for length, name in lengths[:LISTED]),
        "class names used twice": f"{len(twice)}: {', '.join(twice)}" if twice else "0",
        "overused words in prose": ", ".join(f"{word} {count}" for word, count in overused.items()),
        "of these in all": str(sum(overused.values())),
    }


def main(commits: list[str]) -> int:
    """Print a table in Markdown; gives the exit code."""
    try:
        columns = {commit: report(commit) for commit in commits} or {"working tree": report(None)}
    except subprocess.CalledProcessError as error:
        print(error.stderr.decode("utf-8", "replace").strip(), file=sys.stderr)
        return 1
    print(f"| | {' | '.join(columns)} |")
    print(f"|---|{'---|' * len(columns)}")
    for what in next(iter(columns.values())):
        print(f"| {what} | {' | '.join(column[what] for column in columns.values())} |")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
