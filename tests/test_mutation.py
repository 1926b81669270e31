"""The mutation run finds, in a project of one module and one file of tests, what its tests do and do not notice."""

import ast
import importlib.util
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scripts.mutation import processes
from scripts.mutation.__main__ import read_areas, states_in
from scripts.mutation.exchanged_code import exchange_for
from scripts.mutation.fresh_import import MutatedFinder
from scripts.mutation.mutants import Mutant, mutants_of, sample
from scripts.mutation.report import read_equivalents, wilson

ROOT = Path(__file__).resolve().parents[1]
SOURCE = '''"""A docstring is no mutant."""

LIMIT: int = 3


def is_much(count: int) -> bool:
    """Nor is this one."""
    if count < 0:
        raise ValueError("text of an error")
    return count > LIMIT
'''
TESTS = """
import gc
import pytest
from tiny.counting import is_much

gc.freeze()

@pytest.mark.parametrize(("count", "expected"), [(0, False), (2, False), (9, True)])
def test_much(count, expected):
    assert is_much(count) is expected
"""
RUN = """
import json, sys
from pathlib import Path
from scripts.mutation.exchanged_code import run_exchanged
from scripts.mutation.fresh_import import fresh_import
from scripts.mutation.mutants import mutants_of
from scripts.mutation.selection import measure
from scripts.mutation.trials import Effort, run_trials

root = Path(sys.argv[1])
wanted = sys.argv[2:]
mutants = mutants_of((root / "tiny/counting.py").read_text(), "tiny/counting.py")
mutants = [m for m in mutants if m.after in wanted]
found = measure(root, root / "build", ["tiny/counting.py"], ["tests/test_counting.py"], "not window")
def keep(result):
    with (root / "exchanged").open("a") as lines:
        lines.write(f"{result.mutant.identity} {result.state}\\n")

run_exchanged(mutants, root, found, Effort(2), keep)
exchanged = dict(line.split(" ", 1) for line in (root / "exchanged").read_text().splitlines())
trials = run_trials(iter(mutants), found, found.select, fresh_import(root), Effort(2))
fresh = {result.mutant.identity: result.state for result in trials}
print(json.dumps([[m.before, m.after, exchanged.get(m.identity), fresh[m.identity]] for m in mutants]))
"""


def mutant(before: str, after: str) -> Mutant:
    (found,) = (each for each in mutants_of(SOURCE, "tiny/counting.py") if (each.before, each.after) == (before, after))
    return found


def test_each_change_is_one_and_texts_for_people_are_left_alone() -> None:
    assert [(each.function, each.before, each.after) for each in mutants_of(SOURCE, "tiny/counting.py")] == [
        ("<module>", "LIMIT: int = 3", "LIMIT: int = 4"),
        ("<module>", "LIMIT: int = 3", "LIMIT: int = 2"),
        ("is_much", "if count < 0:", "if False:"),
        ("is_much", "if count < 0:", "if count <= 0:"),
        ("is_much", "if count < 0:", "if count >= 0:"),
        ("is_much", "if count < 0:", "if count < 1:"),
        ("is_much", "if count < 0:", "if count < -1:"),
        ("is_much", "raise ValueError('text of an error')", "pass"),
        ("is_much", "return count > LIMIT", "return None"),
        ("is_much", "return count > LIMIT", "return not count > LIMIT"),
        ("is_much", "return count > LIMIT", "return count >= LIMIT"),
        ("is_much", "return count > LIMIT", "return count <= LIMIT"),
    ]


@pytest.mark.parametrize(
    ("source", "after"),
    [
        ("x = [a for a in b if a]", "x = [a for a in b]"),
        ("x = a[1:]", "x = a[:]"),
        ("x = a and b", "x = a or b"),
        ("x = a and b", "x = b"),
        ("x = not a", "x = a"),
        ("x = min(a, b)", "x = max(a, b)"),
        ("x = any(a)", "x = all(a)"),
        ("x = a + b", "x = a - b"),
        ("x = 'text'", "x = ''"),
        ("x = (a, b)", "x = ()"),
        ("x = b if a else c", "x = c"),
        ("a.append(b)", "pass"),
        ("a.b = c", "pass"),
    ],
)
def test_kinds_of_changes(source: str, after: str) -> None:
    assert after in [each.after for each in mutants_of(source, "file.py")]
    changed = [each.tree(source) for each in mutants_of(source, "file.py")]
    assert after in [ast.unparse(tree) for tree in changed]
    assert all(compile(tree, "file.py", "exec") for tree in changed)


@pytest.mark.parametrize(
    "source",
    [
        "def f(a: tuple[int, 3]) -> 4: ...",
        "log.debug('text %s', a)",
        "__all__ = ['a']",
        "Either = int | str",
        "Pair = tuple[int, int]",
        "assert a > 3",
        "@dataclass(frozen=True)\nclass A: ...",
    ],
)
def test_what_is_left_out(source: str) -> None:
    assert mutants_of(source, "file.py") == []


def test_of_mutants_tried_again_only_what_was_found_since_counts(tmp_path: Path) -> None:
    lower, higher = mutant("LIMIT: int = 3", "LIMIT: int = 2"), mutant("LIMIT: int = 3", "LIMIT: int = 4")
    file, digests = tmp_path / "results.jsonl", {lower.path: "of today"}
    line = '{{"id": "{}", "digest": "of today", "state": "{}"}}\n'.format
    earlier = line(lower.identity, "survived") + line(higher.identity, "survived")
    file.write_text(earlier + line(higher.identity, "killed") + '{"id": "cut short')
    assert states_in([lower, higher], file, digests) == {lower.identity: "survived", higher.identity: "killed"}
    assert states_in([lower, higher], file, digests, len(earlier)) == {higher.identity: "killed"}
    assert states_in([lower, higher], file, {lower.path: "of yesterday"}) == {}


def test_the_same_seed_gives_the_same_sample_with_a_part_of_each_file() -> None:
    files = {name: mutants_of(SOURCE * count, name) for name, count in (("large.py", 20), ("small.py", 1))}
    chosen = sample(files, 40, 1)
    assert len(chosen) == 40
    assert chosen == sample(files, 40, 1) != sample(files, 40, 2)
    assert sum(each.path == "small.py" for each in chosen) == 2
    assert len(sample(files, 0, 1)) == sum(map(len, files.values()))


def test_the_hook_serves_the_changed_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "counting.py"
    path.write_text(SOURCE)
    tree = mutant("LIMIT: int = 3", "LIMIT: int = 4").tree(SOURCE)
    finder = MutatedFinder("tiny.counting", path, tree)
    assert finder.find_spec("tiny.other", None) is None
    spec = finder.find_spec("tiny.counting", None)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.LIMIT == 4
    assert path.read_text() == SOURCE


def test_the_code_of_a_living_function_is_exchanged() -> None:
    names: dict[str, object] = {}
    exec(compile(SOURCE, "module", "exec"), names)
    function = names["is_much"]
    boundary = mutant("return count > LIMIT", "return count >= LIMIT").tree(SOURCE)
    ((exchanged, code),) = exchange_for(SOURCE, boundary, [function])
    assert exchanged is function
    assert not function(3)
    function.__code__ = code
    assert function(3)
    outside = mutant("LIMIT: int = 3", "LIMIT: int = 4").tree(SOURCE)
    assert exchange_for(SOURCE, outside, [function]) == []


def test_killed_and_surviving_mutants_of_a_tiny_project(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\nmarkers = ["window"]\npythonpath = ["."]\n')
    for folder in ("tiny", "tests"):
        (tmp_path / folder).mkdir()
    (tmp_path / "tiny/counting.py").write_text(SOURCE)
    (tmp_path / "tests/test_counting.py").write_text(TESTS)
    expected = {
        "return count <= LIMIT": ["killed", "killed"],
        "return count >= LIMIT": ["survived", "survived"],
        "pass": ["survived", "survived"],
        "LIMIT: int = 2": [None, "survived"],
    }
    command = [sys.executable, "-c", RUN, str(tmp_path), *expected]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert {after: states for _, after, *states in json.loads(run.stdout)} == expected


@pytest.mark.parametrize(("queued", "end"), [(0.0, "timed out"), (100.0, "ended")])
def test_a_process_that_waits_for_a_busy_machine_is_not_late(
    queued: float, end: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(processes, "seconds_queued", lambda pid: queued)
    limits = processes.Limits(processor_seconds=10.0, wall_seconds=0.2)
    assert processes.run_forked(tmp_path, lambda: time.sleep(1.0), limits)[0] == end


def test_how_long_a_process_had_to_wait_is_known() -> None:
    assert processes.seconds_queued(os.getpid()) >= 0.0
    assert processes.seconds_queued(2**30) == 0.0


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (270, 300, 0.8608, 0.9291),
        (0, 0, 0.0, 1.0),
    ],
)
def test_intervals_of_known_values(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=1e-4)


def test_every_area_has_sources_and_tests() -> None:
    areas = read_areas(ROOT / "scripts/mutation/areas.toml", ROOT)
    assert all(area.sources and area.tests and 0 < area.goal <= 1 for area in areas.values())
    assert read_equivalents(ROOT / "scripts/mutation/equivalent.toml")
