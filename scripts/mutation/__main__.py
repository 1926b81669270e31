"""Run mutants of some areas of the program against its tests and print what survives."""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import os
import random
import sys
import time
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.mutation.exchanged_code import UNSETTLED, run_exchanged
from scripts.mutation.fresh_import import fresh_import
from scripts.mutation.mutants import Mutant, read_mutants, sample
from scripts.mutation.report import Summary, difference, key_of, read_equivalents, summarize, table
from scripts.mutation.selection import CoverageMap, measure
from scripts.mutation.trials import Effort, Result, run_trials

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
BUILD = ROOT / "build" / "mutation"
# Imported once, before any process is forked: none of them is a part of the project.
_WARM = ("numpy", "cv2", "hypothesis", "jsonschema", "tomlkit", "paho.mqtt.client", "serial", "segno", "sqlite3")
_WITHOUT = ("window", "display", "hardware")


@dataclass(frozen=True, slots=True)
class Area:
    """One area of areas.toml with its globs resolved to paths from the root."""

    name: str
    goal: float
    sources: tuple[str, ...]
    tests: tuple[str, ...]
    marks: str


def read_areas(path: Path, root: Path) -> dict[str, Area]:
    """The areas of a file; each glob must match."""
    areas = {}
    for name, entry in tomllib.loads(path.read_text(encoding="utf-8")).items():
        left_out = _matches(root, entry.get("except", []))
        sources = tuple(each for each in _matches(root, entry["sources"]) if each not in left_out)
        marks = " and ".join(f"not {mark}" for mark in entry.get("without", _WITHOUT))
        areas[name] = Area(name, entry["goal"], sources, tuple(_matches(root, entry["tests"])), marks)
    return areas


def main(arguments: Sequence[str] | None = None) -> int:
    """The command: 0 if every area reaches its goal."""
    areas = read_areas(HERE / "areas.toml", ROOT)
    parser = argparse.ArgumentParser(prog="python -m scripts.mutation", description=__doc__)
    parser.add_argument("areas", nargs="+", metavar="AREA", choices=sorted(areas), help=", ".join(sorted(areas)))
    parser.add_argument("--sample", type=int, default=300, help="mutants of each area, 0 for all (default 300)")
    parser.add_argument("--seed", type=int, default=1, help="which sample (default 1)")
    parser.add_argument("--only", metavar="GLOB", help="mutants of the files that match alone")
    parser.add_argument("--jobs", type=int, default=1, help="mutants at the same time (default 1)")
    parser.add_argument("--rest", type=float, default=15.0, help="seconds of further tests for a survivor (15)")
    parser.add_argument("--resume", metavar="FILE", help="go on with the results in this file")
    parser.add_argument("--again", action="store_true", help="with --resume: run those that survived once more")
    parser.add_argument("--fresh", action="store_true", help="import the project anew for every mutant: slow")
    parser.add_argument("--show", action="store_true", help="print the mutants that survived as small diffs")
    options = parser.parse_args(arguments)
    BUILD.mkdir(parents=True, exist_ok=True)
    file = Path(options.resume) if options.resume else BUILD / time.strftime("results-%Y%m%d-%H%M%S.jsonl")
    print(f"results: {file}", file=sys.stderr)
    _warm_up()
    summaries = [_run(areas[name], options, file) for name in options.areas]
    print(table(summaries))
    document = {summary.area: summary.document() for summary in summaries}
    file.with_suffix(".json").write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return 0 if all(summary.rate >= summary.goal for summary in summaries) else 1


def _run(area: Area, options: argparse.Namespace, file: Path) -> Summary:
    files = [path for path in area.sources if options.only is None or Path(path).match(options.only)]
    everything = read_mutants(ROOT, files)
    chosen = sample(everything, options.sample, options.seed)
    equivalents = read_equivalents(HERE / "equivalent.toml")
    _report_unmatched(equivalents, everything)
    found = measure(ROOT, BUILD / f"coverage-{area.name}", area.sources, area.tests, area.marks)
    for test, reason in sorted(found.failing.items()):
        print(f"  left out, it fails without any mutant: {test}: {reason}", file=sys.stderr)
    states = {each.identity: "equivalent" for each in chosen if key_of(each) in equivalents}
    digests = {path: hashlib.sha256((ROOT / path).read_bytes()).hexdigest()[:16] for path in files}
    earlier = states_in(chosen, file, digests)
    states = {key: state for key, state in earlier.items() if not (options.again and state == "survived")} | states
    if options.fresh:
        states = {key: state for key, state in states.items() if state != UNSETTLED}
    left = [mutant for mutant in chosen if states.get(mutant.identity, UNSETTLED) == UNSETTLED]
    random.Random(options.seed).shuffle(left)  # so that a run that was stopped is a sample, too
    total = sum(map(len, everything.values()))
    print(f"{area.name}: seed {options.seed}, {len(chosen)} of {total} mutants, {len(left)} to run", file=sys.stderr)

    def keep(result: Result) -> None:
        _append(file, area, result, digests[result.mutant.path])

    effort = Effort(options.jobs, options.rest)
    if not options.fresh:
        before = file.stat().st_size if file.exists() else 0
        run_exchanged([each for each in left if each.identity not in states], ROOT, found, effort, keep)
        states |= states_in(left, file, digests, before)  # of those tried again what was found now alone counts
    unsettled = [mutant for mutant in left if states.get(mutant.identity) == UNSETTLED]
    anew = [mutant for mutant in left if mutant.identity not in states]
    print(f"  {len(unsettled) + len(anew)} in processes that import anew", file=sys.stderr, flush=True)
    for mutants, select in ((unsettled, found.select_collected), (anew, found.select)):
        for result in run_trials(iter(mutants), found, select, fresh_import(ROOT), effort):
            states[result.mutant.identity] = result.state
            keep(result)
    if options.show:
        _show(chosen, states, found)
    return summarize(area.name, options.seed, area.goal, (states[mutant.identity] for mutant in chosen))


def _show(mutants: Iterable[Mutant], states: dict[str, str], found: CoverageMap) -> None:
    for mutant in mutants:
        if states[mutant.identity] in {"survived", "timed out"}:
            first, others = found.select(mutant)
            notes = [states[mutant.identity]] if states[mutant.identity] == "timed out" else []
            notes += [] if first else ["no test runs it"] if not others else ["no test runs it by itself"]
            print(difference(mutant, ", ".join(notes)) + "\n")


def _report_unmatched(equivalents: Iterable[tuple[str, ...]], everything: dict[str, list[Mutant]]) -> None:
    keys = {key_of(mutant) for mutants in everything.values() for mutant in mutants}
    for key in equivalents:
        if key[0] in everything and key not in keys:
            print(f"  equivalent.toml: no such mutant any more: {' | '.join(key)}", file=sys.stderr)


def _append(file: Path, area: Area, result: Result, digest: str) -> None:
    mutant = result.mutant
    entry = {
        "id": mutant.identity, "digest": digest, "area": area.name, "file": mutant.path, "line": mutant.lines[0],
        "function": mutant.function, "operator": mutant.operator, "before": mutant.before, "after": mutant.after,
        "state": result.state, "test": result.test, "ran": result.ran, "seeing": result.seeing,
        "seconds": result.seconds,
    }  # fmt: skip
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(entry) + "\n")


def states_in(mutants: Iterable[Mutant], file: Path, digests: dict[str, str], after: int = 0) -> dict[str, str]:
    """The states of these mutants in a file of results, read from a byte on, where their modules are as they were; the
    last one counts.
    """
    wanted = {(mutant.identity, digests[mutant.path]) for mutant in mutants}
    states: dict[str, str] = {}
    for line in file.read_bytes()[after:].splitlines() if file.exists() else ():
        try:
            entry = json.loads(line)
        except ValueError:
            continue  # cut short when the run was stopped
        if (entry["id"], entry["digest"]) in wanted:
            states[entry["id"]] = entry["state"]
    return states


def _matches(root: Path, globs: Iterable[str]) -> list[str]:
    found: dict[str, None] = {}
    for glob in globs:
        paths = sorted(str(path.relative_to(root)) for path in root.glob(glob) if path.is_file())
        if not paths:
            raise SystemExit(f"mutation: areas.toml: nothing matches {glob}; correct the glob")
        found |= dict.fromkeys(paths)
    return list(found)


def _warm_up() -> None:
    """Import what every test needs, so that a forked process has it at once; and let hypothesis be deterministic."""
    os.environ["CI"] = "1"
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
    os.environ["OPENCV_IO_MAX_IMAGE_PIXELS"] = "64000000"
    for name in _WARM:
        importlib.import_module(name)


if __name__ == "__main__":
    sys.exit(main())
