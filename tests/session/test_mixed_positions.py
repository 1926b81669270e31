"""Positions put together from parts of several games are refused or judged; nothing in between."""

from random import Random
from typing import Any

from companion.engine import apply_unchecked, judge, legal_actions, random_game, scores
from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable
from companion.position import position_document, read_position
from companion.registry import load_game
from tests.conformance import starting_state
from tests.session.evenings import GAME

TEXTS = (
    "draw red blue", "ward F6-F7 red", "lay grey H2-I1", "recall F6-F7", "spend temple", "site F7", "send F6-F7",
    "keep", "collect baths", "pass", "end", "bridges 1 4",
)  # fmt: skip


def mixed(random: Random, documents: list[dict[str, Any]], keys: tuple[str, ...]) -> dict[str, Any]:
    document, other = dict(random.choice(documents)), random.choice(documents)
    for key in random.sample(keys, random.randint(1, 4)):
        document.pop(key, None)
        if key in other and random.random() < 0.7:
            document[key] = other[key]
    return document


def test_mixed_positions_are_refused_or_judged() -> None:
    game, random, documents = load_game(GAME), Random(5), []
    for seed in range(4):
        start = starting_state(GAME, 2 + seed % 3, Random(seed))
        documents += [position_document(game, state) for state, _, _ in random_game(game, start, Random(seed))]
    judged = refused = 0
    for _ in range(600):
        try:
            state = read_position(DocumentTable(mixed(random, documents, game.position_keys), "mixed", "")).state
        except InvalidDocument:
            refused += 1
            continue
        judged += 1
        scores(game, state)
        for action in (*legal_actions(game, state)[:20], *(game.parse_action(text, state) for text in TEXTS)):
            if judge(game, state, action).is_legal:
                apply_unchecked(game, state, action)
    assert min(judged, refused) > 100
