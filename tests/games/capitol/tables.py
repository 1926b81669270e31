"""Positions of Capitol that several tests set up."""

from typing import Any

from companion.files.documents import DocumentTable
from companion.games.capitol.state import State
from companion.position import read_position


def position(**entries: Any) -> State:
    """The position with these entries of its document."""
    return read_position(DocumentTable({"game": "capitol", **entries}, "position", "")).state
