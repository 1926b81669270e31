"""Reasons read as English: those with which position documents are refused after "entry: ", and those of rules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion
from companion.registry import GAMES, load_game

FOLDER = Path(companion.__file__).parent
FILES = (*sorted(FOLDER.glob("games/*/*.py")), FOLDER / "position.py", *sorted(FOLDER.glob("photographs/*.py")))
HOLE = "…"
BROKEN = re.compile(rf"are ({HOLE}|\d)|and |hold |make |due |need ")
"""how a reason begins that would need the entry's name, which is a key of the document, as its plural subject"""


def beginnings(path: Path) -> Iterator[str]:
    """The texts of a module that are given as reasons, with `HOLE` for what is filled in."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["reason"]:
            yield from filter(None, [text_of(part) for part in ast.walk(node.value)])
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ("invalid", "InvalidDocument"):
            yield from filter(None, [text_of(node.args[-1])])


def text_of(node: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else HOLE for part in node.values)
    return ""


@pytest.mark.parametrize("path", FILES, ids=lambda path: "/".join(path.parts[-2:]))
def test_no_reason_takes_the_key_before_it_for_a_plural_subject(path: Path) -> None:
    assert [text for text in beginnings(path) if BROKEN.match(text)] == []


def test_no_number_stands_before_a_noun_that_may_be_single() -> None:
    """Where a number may be 1 it stands behind its noun: 'bridge tiles: 1'."""
    plural = re.compile(r"(?:the|these) \{(?:held|left|told|due|here|best|count)\} \w+", re.IGNORECASE)
    for game_id in GAMES:
        for ref in load_game(game_id).rulebook.rules.values():
            for sentence in (ref.sentence, *ref.wordings.values()):
                assert not plural.search(sentence), f"{ref.id}: {sentence}"
