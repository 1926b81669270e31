"""Numbers of sequences of legal actions that can be counted on paper, from each game's `perft.toml`."""

from pathlib import Path

import pytest

from companion.engine import perft
from companion.files.documents import DocumentTable, parse_toml, read_text
from companion.position import read_position
from companion.registry import load_game

FILES = sorted(Path(__file__).parent.glob("*/perft.toml"))


def counted() -> list[tuple[str, DocumentTable]]:
    """The entries of all files with their game: its name, positions, numbers and how they come about."""
    found = []
    for file in FILES:
        document = parse_toml(read_text(file), f"{file.parent.name}/{file.name}")
        document.only("perft")
        found += [(file.parent.name, entry) for entry in document.tables("perft")]
    return found


@pytest.mark.parametrize(
    ("game_id", "entry"), counted(), ids=lambda part: part if isinstance(part, str) else part.text("name")
)
def test_sequences_are_as_many_as_on_paper(game_id: str, entry: DocumentTable) -> None:
    entry.only("name", "nodes", "derivation", "position")
    assert entry.text("derivation").strip()
    document = DocumentTable({"game": game_id, **entry.table("position").values}, "position", "")
    start, nodes = read_position(document).state, entry.integers("nodes", 0, 10**9)
    game = load_game(game_id)
    assert tuple(perft(game, start, depth) for depth in range(1, len(nodes) + 1)) == nodes
