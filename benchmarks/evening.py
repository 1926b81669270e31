"""Evenings without people: whole games by the real app, with everything that goes wrong, compared with what was done.

`COMPANION_EVENINGS` games of each kind (3 without it); `COMPANION_RESUME` names a folder that keeps what came of each,
so that a run that was stopped goes on, and a later one with a larger number adds to it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure
from benchmarks.mishaps import KINDS, killed_after
from benchmarks.processes import inheriting
from companion.engine import apply_unchecked, scores
from companion.registry import GAMES, load_game, usual_table
from companion.session.session import Session
from companion.session.store import Store

EVENINGS = int(os.environ.get("COMPANION_EVENINGS", "3"))
GAMES_PLAYED = os.environ.get("COMPANION_GAMES", " ".join(GAMES)).split()
RESUME = os.environ.get("COMPANION_RESUME", "")
FIRST_SEED = 9_100
DATA_FOLDER = "XDG_DATA_HOME"
SEATS = 3
LONGEST = 1_800.0
"""seconds of one life of the program"""
LEFT_ALONE = 4.0
"""seconds after a kill in which what the program had started must have ended by itself"""


def measure() -> Iterator[Figure]:
    """What came of the evenings of each game, and what was seen in none of them."""
    with tempfile.TemporaryDirectory() as scratch:
        kept = Path(RESUME or scratch)
        for game in GAMES_PLAYED:
            outcomes = [_outcome(kept, game, FIRST_SEED + number) for number in range(EVENINGS)]
            yield from _figures(game, outcomes)


def _outcome(kept: Path, game: str, seed: int) -> Mapping[str, Any]:
    """What came of one evening, played now unless it was before."""
    folder = kept / f"{game}-{seed}"
    file = folder / "outcome.json"
    if not file.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        outcome = _evening(game, seed, folder)
        file.write_text(json.dumps(outcome, indent=2), encoding="utf-8")
    found: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def _figures(game: str, outcomes: list[Mapping[str, Any]]) -> Iterator[Figure]:
    count = len(outcomes)
    moves, helped, refused, done, posts = (
        sum(each[name] for each in outcomes) for name in ("moves", "helped", "refused", "mishaps", "posts")
    )
    seconds = sum(each["seconds"] for each in outcomes)
    note = f"{moves} moves in {seconds:.0f} s, {done} of {count * len(KINDS)} mishaps, {posts} posts of a phone"
    same = sum(each["scores"] == each["true_scores"] for each in outcomes)
    yield Figure(f"{game}: evenings with the true score", same, f"of {count}", count, at_least=True, note=note)
    differences = [f"{each['seed']}: {line}" for each in outcomes for line in each["differences"]]
    yield Figure(f"{game}: differences between table and record", len(differences), "", 0, note="; ".join(differences))
    yield Figure(f"{game}: moves that players had to mend", helped, f"of {moves}", count=moves)
    yield Figure(f"{game}: forbidden moves refused", refused, "", count=count)
    yield Figure(f"{game}: errors in the log", sum(len(each["errors"]) for each in outcomes), "", 0)
    left = [name for each in outcomes for name in each["left"]]
    yield Figure(f"{game}: processes left by a kill", len(left), "", 0, note=", ".join(left))
    growth = max(each["growth"] for each in outcomes)
    yield Figure(f"{game}: memory gained in the second half (most)", growth, "MB", 8, count=count)


def _evening(game: str, seed: int, folder: Path) -> dict[str, Any]:
    """One game in two or more lives: the first is ended by SIGKILL, the others when they end."""
    began, differences, errors, lives, memory = time.monotonic(), [], [], [], []
    left: list[str] = []
    killed, later = killed_after(seed)
    for life in range(4):
        child = _started(game, seed, folder, life)
        code = _watched(child, folder, killed if not life else None, later, memory)
        told = folder / "life.json"
        lives.append(json.loads(told.read_text(encoding="utf-8")) if told.is_file() else {})
        told.unlink(missing_ok=True)
        errors += _errors(folder, life)
        if code is None:
            left += _left_running(folder)
            differences += lost(game, folder)
        else:
            if code:
                differences.append(f"the program ended with {code}: {lives[-1].get('failure', 'no word')}")
            break
    _end(folder)
    true = _truth(game, folder)
    with Store(folder / "games.sqlite3") as store:
        session = Session.open(store, store.games()[0].id)
    if session.state != true:
        differences.append("the position at the end is another one")
    rules = load_game(game)
    return {
        "seed": seed, "moves": len(session.moves), "seconds": time.monotonic() - began, "differences": differences,
        "scores": list(scores(rules, session.state).totals),
        "true_scores": list(scores(rules, true).totals),
        "helped": sum(each["tally"]["helped"] for each in lives if each),
        "refused": sum(each["tally"]["refused"] for each in lives if each),
        "mishaps": sum(len(each["mishaps"]) for each in lives if each),
        "posts": sum(each["posts"] for each in lives if each),
        "errors": errors, "left": left, "lives": lives, "memory": memory,
        "growth": _growth(memory),
    }  # fmt: skip


def _started(game: str, seed: int, folder: Path, life: int) -> subprocess.Popen[bytes]:
    environment = dict(os.environ)
    if not environment.get("DISPLAY"):
        environment["SDL_VIDEODRIVER"] = "offscreen"
    for name in (DATA_FOLDER, "XDG_STATE_HOME"):
        environment[name] = str(folder / name.lower())
    with (folder / f"said-{life}.txt").open("wb") as said:
        return subprocess.Popen(
            [sys.executable, "-m", "benchmarks.evening_table", game, str(seed), str(folder)],
            env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True,
        )  # fmt: skip


def _watched(
    child: subprocess.Popen[bytes], folder: Path, killed: int | None, later: float, memory: list[tuple[int, float]]
) -> int | None:
    """The exit code, or None where it was killed: so long after its players had decided on action `killed`."""
    until = time.monotonic() + LONGEST
    while child.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
        with suppress(OSError, ValueError, KeyError):
            told = json.loads((folder / "life.json").read_text(encoding="utf-8"))
            if not memory or memory[-1][0] != told["moves"]:
                memory.append((told["moves"], told["memory"]))
        if killed is not None and lines_of(folder, starting=f"{killed} "):
            time.sleep(later)
            child.kill()
            child.wait()
            return None
    if child.poll() is None:
        child.kill()
        child.wait()
        return -1
    return child.returncode


def lines_of(folder: Path, starting: str = "") -> list[str]:
    file = folder / "truth.txt"
    if not file.is_file():
        return []
    return [line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith(starting)]


def _left_running(folder: Path) -> list[str]:
    """What a killed program had started and does not end by itself, by name; it is ended then."""
    time.sleep(LEFT_ALONE)
    return _end(folder)


def _end(folder: Path) -> list[str]:
    """End what was started for an evening and still runs, known by where its data lie; gives the names."""
    found = inheriting(DATA_FOLDER, str(folder / DATA_FOLDER.lower()))
    for pid in found:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return list(found.values())


def _errors(folder: Path, life: int) -> list[str]:
    said = (folder / f"said-{life}.txt").read_text(encoding="utf-8", errors="replace")
    found = [line for line in said.splitlines() if "Traceback" in line or "[CRITICAL" in line]
    for log in folder.rglob("errors.log"):
        found += log.read_text(encoding="utf-8", errors="replace").splitlines()
    return found


def lost(game: str, folder: Path) -> list[str]:
    """What a killed program had acknowledged and its record does not have; the truth goes on from the record."""
    with Store(folder / "games.sqlite3") as store:
        session = Session.open(store, store.games()[0].id)
    lines = lines_of(folder)
    seen = max((int(line.split()[1]) for line in lines if line.startswith("seen ")), default=0)
    done = [line.partition(" ")[2] for line in lines if not line.startswith("seen ")]
    recorded = [move.action for move in session.moves]
    differences = []
    if len(recorded) < seen:
        differences.append(f"{seen} moves were acknowledged before the kill, {len(recorded)} are there")
    if recorded != done[: len(recorded)]:
        differences.append("after the kill the record has other moves than were made")
    kept = [f"{number} {text}" for number, text in enumerate(done[: len(recorded)], 1)]
    (folder / "truth.txt").write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
    return differences


def _truth(game: str, folder: Path) -> Any:
    """The position that follows from what was done, by the engine alone."""
    rules, table = load_game(game), usual_table(game, SEATS)
    state = rules.setup(table)
    for line in lines_of(folder):
        if not line.startswith("seen "):
            state = apply_unchecked(rules, state, rules.parse_action(line.partition(" ")[2], state)).state
    return state


def _growth(memory: list[tuple[int, float]]) -> float:
    """MB gained over the second half of the last life, between middles of what was measured at its ends."""
    begin = max((at for at in range(1, len(memory)) if memory[at][1] < 0.7 * memory[at - 1][1]), default=0)
    found = [size for _moves, size in memory[begin:]]
    late = found[len(found) // 2 :]
    tenth = max(1, len(late) // 5)
    return sorted(late[-tenth:])[tenth // 2] - sorted(late[:tenth])[tenth // 2] if late else 0.0
