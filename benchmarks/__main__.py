"""Run the measurements: `python -m benchmarks [GROUP ...] [--out FILE]`."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

from benchmarks.figures import Figure

GROUPS = (
    "engine", "rejudging", "command", "session", "growth", "damage", "trust", "app", "touches", "boxes", "phones",
    "browsers", "hub", "vision", "another_renderer", "path_traced", "single_faults", "following", "taught",
    "photographs", "firmware", "event", "publishing", "evening",
)  # fmt: skip


def table(figures: Sequence[Figure]) -> str:
    """The figures as lines of text."""
    rows = [("figure", "measured", "goal", "met", "peer", "n", "note")]
    for figure in figures:
        goal = "" if figure.goal is None else f"{'>=' if figure.at_least else '<='} {figure.goal:g} {figure.unit}"
        met = {None: "", True: "yes", False: "NO"}[figure.met]
        measured = f"{figure.value:.4g} {figure.unit}"
        rows.append((figure.name, measured, goal, met, figure.peer, str(figure.count), figure.note))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the named groups, print a table and write JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"of {', '.join(GROUPS)}; all without")
    parser.add_argument("--out", type=Path, default=Path("out/benchmarks.json"))
    chosen = parser.parse_args(arguments)
    unknown = [group for group in chosen.groups if group not in GROUPS]
    if unknown:
        parser.error(f"no group is called {unknown[0]!r}; there are {', '.join(GROUPS)}")
    figures: list[Figure] = []
    for group in chosen.groups or GROUPS:
        print(f"measuring {group} ...", file=sys.stderr, flush=True)
        figures.extend(import_module(f"benchmarks.{group}").measure())
    print(table(figures))
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    document = {
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {platform.system()}",
        "figures": [asdict(figure) | {"met": figure.met} for figure in figures],
    }
    chosen.out.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
