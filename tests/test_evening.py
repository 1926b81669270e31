"""The unattended evening notices what a record has lost, and scores what was done by the engine alone."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from benchmarks import evening, mishaps
from companion.engine import random_game
from companion.registry import load_game, usual_table
from companion.session.session import Session
from companion.session.store import Store

GAME = "aqua_romana"
RECORDED = 6


def recorded(folder: Path, moves: list[str]) -> None:
    with Store(folder / "games.sqlite3") as store:
        session = Session.create(store, usual_table(GAME, evening.SEATS))
        for text in moves:
            session.submit(session.game.parse_action(text, session.state))


@pytest.fixture
def done() -> list[str]:
    """The first actions of a game."""
    game = load_game(GAME)
    played = random_game(game, game.setup(usual_table(GAME, evening.SEATS)), Random(5), limit=RECORDED + 1)
    return [action.text for _state, action, _step in played]


def write(folder: Path, done: list[str], seen: int) -> None:
    lines = [f"{number} {text}" for number, text in enumerate(done, 1)]
    lines.insert(min(seen, len(lines)), f"seen {seen}")
    (folder / "truth.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


@pytest.mark.parametrize(("kept", "seen", "told"), [(6, 6, ""), (6, 5, ""), (5, 6, "6 moves were acknowledged")])
def test_what_was_acknowledged_must_be_there_after_a_kill(
    tmp_path: Path, done: list[str], kept: int, seen: int, told: str
) -> None:
    recorded(tmp_path, done[:kept])
    write(tmp_path, done, seen)
    found = evening.lost(GAME, tmp_path)
    assert [line.startswith(told) for line in found] == ([True] if told else [])
    assert evening.lines_of(tmp_path) == [f"{number} {text}" for number, text in enumerate(done[:kept], 1)]


def test_a_record_of_other_moves_is_a_difference(tmp_path: Path, done: list[str]) -> None:
    recorded(tmp_path, done[:RECORDED])
    write(tmp_path, [*done[: RECORDED - 1], "end"], RECORDED)
    assert evening.lost(GAME, tmp_path) == ["after the kill the record has other moves than were made"]


def test_every_mishap_of_an_evening_happens_once_and_another_seed_has_another_evening() -> None:
    plan = mishaps.plan(1)
    assert sorted(plan.values()) == sorted(mishaps.KINDS)
    assert all(mishaps.FIRST <= number < mishaps.LAST for number in plan)
    assert plan == mishaps.plan(1) != mishaps.plan(2)


def test_what_is_planned_for_an_action_that_ended_with_the_next_one_happens_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    planned = mishaps.plan(3)
    evening_of = mishaps.Mishaps(3, None, None, None)  # type: ignore[arg-type]
    monkeypatch.setattr(evening_of, "_deeds", dict.fromkeys(mishaps.KINDS, lambda: None))
    for number in range(1, mishaps.LAST + 2, 2):
        evening_of.after(number)
    assert evening_of.done == [planned[number] for number in sorted(planned)]
    later = mishaps.Mishaps(3, None, None, None)  # type: ignore[arg-type]
    monkeypatch.setattr(later, "_deeds", dict.fromkeys(mishaps.KINDS, lambda: None))
    later.after(mishaps.LAST)  # a program that was killed goes on here
    assert later.done == []
