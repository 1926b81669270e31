"""Damaged records and positions are judged or refused in one line that speaks of the file, not of Python."""

import builtins
import json
import re
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.position import position_document
from companion.session.record import read_record
from tests.every_game import EVERY_GAME, some_seats
from tests.ui.conftest import Run, is_one_line
from ui.commands.records import simulated

ROUNDS, ENTRIES = 30, 25
JUNK: tuple[Any, ...] = (
    None, True, -1, 0, 7, 10**6, 10**30, 1.5, "", "x", "München", "\u202e", "a" * 300, [], {}, [[]], [None], [1, 1],
    {"x": 1}, float("nan"), float("inf"),
)  # fmt: skip
PYTHON = re.compile(
    r"\b("
    + "|".join(
        [name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)]
    )
    + r"|Traceback|NoneType|True|False|None)\b|tuple|object at|something went wrong|list\.|index out of"
)


@cache
def records(game_id: str) -> tuple[list[dict[str, Any]], ...]:
    """The beginnings of simulated games, as the documents of their lines."""
    found = []
    for players in sorted({some_seats(game_id, 0), some_seats(game_id, 1)}):
        lines = [json.loads(line) for line in simulated(game_id, players, players).export().splitlines()]
        lines = lines[: ENTRIES + 1]
        lines[0]["entries"] = len(lines) - 1
        found.append(lines)
    return tuple(found)


@cache
def positions(game_id: str) -> tuple[dict[str, Any], ...]:
    found = []
    for lines in records(game_id):
        log = read_record("\n".join(map(json.dumps, lines)) + "\n", "begun")
        found.append(position_document(log.game, log.state))
    return tuple(found)


def places(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inner:
        yield (*place, key)
        yield from places(below, (*place, key))


def at(document: Any, place: tuple[str | int, ...]) -> Any:
    for key in place:
        document = document[key]
    return document


def damaged(document: dict[str, Any], other: dict[str, Any], random: Random) -> dict[str, Any]:
    """A document with an entry changed, taken out, given another name or taken from another document."""
    document = deepcopy(document)
    place = random.choice([place for place in places(document) if place[0] != "board"])
    holder, key = at(document, place[:-1]), place[-1]
    value = holder[key]
    match random.randrange(5):
        case 0:
            del holder[key]
        case 1 if isinstance(value, int):
            holder[key] = int(value) + random.choice([-1, 1, 2, 90])
        case 2 if isinstance(holder, dict):
            holder[f"{key}x"] = holder.pop(key)
        case 3:
            holder[key] = deepcopy(at(other, random.choice(list(places(other)))))
        case _:
            holder[key] = random.choice(JUNK)
    return document


def encoded(text: str, random: Random) -> bytes:
    """A text as bytes, now and then in another encoding, with other ends of lines or cut short."""
    data = text.encode()
    others = (text.encode("utf-16"), b"\xef\xbb\xbf" + data, data.replace(b"\n", b"\r\n"), data[: len(data) // 2])
    return random.choice(others) if random.random() < 0.15 else data


def check(code: int, out: str, err: str) -> None:
    assert code in (0, 1, 3), err
    if code == 3:
        assert out == ""
        assert is_one_line(err)
    told = re.sub(r"'[^']*'", "", err)  # what is quoted comes from the file
    assert PYTHON.search(told) is None, told


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_a_damaged_record_is_checked_or_refused_in_words(game_id: str, run: Run, tmp_path: Path) -> None:
    random, path = Random(game_id), tmp_path / "record.jsonl"
    for _ in range(ROUNDS):
        lines = deepcopy(random.choice(records(game_id)))
        place = random.randrange(len(lines))
        lines[place] = damaged(lines[place], random.choice(random.choice(records(game_id))[1:]), random)
        path.write_bytes(encoded("\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n", random))
        code, out, err = run("check", path)
        check(code, out, err)
        assert code == 3 or PYTHON.search(re.sub(r"'[^']*'", "", out)) is None, out


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_a_damaged_position_is_judged_or_refused_in_words(game_id: str, run: Run, tmp_path: Path) -> None:
    random, path = Random(game_id), tmp_path / "position.json"
    for _ in range(ROUNDS):
        document, other = (random.choice(positions(game_id)) for _ in range(2))
        path.write_bytes(encoded(json.dumps(damaged(document, other, random), ensure_ascii=False), random))
        check(*run(random.choice(["legal", "score"]), path))
