"""The reasons with which position documents are refused read as English after "entry: "."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion

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
